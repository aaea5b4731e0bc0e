"""Features in blocks of consecutive indices, laid out and named by one table for each game.

The table is a dict of rows (feature_rows.py) by the numbers of an enum: thermometers of a number,
and sets of which any members may hold. `lay_out` gives the blocks their indices in the order of the
enum. A game marks the features that hold as bits, in any order, and writes their indices at the
end: without branches on values, whose mispredictions would take longer than all else.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from .bits cimport pop_lowest

cdef enum:
    MAX_VALUES = 64     # that a thermometer tells apart; it has fewer features

cdef struct Block:
    uint8_t word                    # of the marks; no block is in two words
    uint8_t shift                   # bit of its first feature
    uint8_t[MAX_VALUES] num_held    # of a thermometer: how many features hold, by value - least
    int32_t first                   # index of its first feature
    int32_t least                   # values beyond `least` and `most` count as these
    int32_t most

# Fill in the blocks by their rows, with an empty one behind them, and the index of the first
# feature of each of `num_words` words of marks; return the names of the features.
cdef list lay_out(Block* blocks, int32_t* word_first, int num_words, dict rows)


cdef inline void mark_set(uint64_t* marks, const Block* block, uint64_t members) noexcept nogil:
    """Mark members of a set, a bit each."""
    marks[block.word] |= members << block.shift


cdef inline void mark_one(uint64_t* marks, const Block* block, int member) noexcept nogil:
    mark_set(marks, block, <uint64_t>1 << member)


cdef inline void mark_scale(uint64_t* marks, const Block* block, int value) noexcept nogil:
    """Mark the features of a thermometer."""
    cdef int at = min(max(value, <int>block.least), <int>block.most) - block.least
    mark_set(marks, block, (<uint64_t>1 << block.num_held[at]) - 1)


cdef inline int write_marked(
        const uint64_t* marks, const int32_t* word_first, int num_words,
        int32_t* out) noexcept nogil:
    """Write the indices of the marked features and return their number."""
    cdef uint64_t rest
    cdef int n = 0
    cdef int word
    for word in range(num_words):
        rest = marks[word]
        while rest:
            out[n] = word_first[word] + pop_lowest(&rest)
            n += 1
    return n
