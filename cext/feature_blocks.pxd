"""Features in blocks of consecutive indices, laid out and named by one table for each game.

The table is a dict of rows (feature_rows.py) by the numbers of an enum: thermometers of a number,
and sets of which any members may hold. `lay_out` gives the blocks their indices in the order of the
enum. A game marks the features that hold as bits, in any order, and writes their indices at the
end: without branches on values, whose mispredictions would take longer than all else.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from .bits cimport pop_lowest

cdef enum:
    WORD_BITS = 64
    MAX_VALUES = 64     # that a thermometer tells apart; it has fewer features

cdef struct Block:
    uint64_t bit                    # of its first feature in a word of marks; no block is in two
    uint8_t word
    uint8_t[MAX_VALUES] num_held    # of a thermometer: how many features hold, by value - least
    int32_t first                   # index of its first feature
    int32_t least                   # values beyond `least` and `least + span` count as these
    int32_t span


cdef inline list lay_out(Block* blocks, int32_t* word_first, int num_words, dict rows):
    """Fill in blocks by their rows, with an empty one behind them.

    Also fills in the index of the first feature of each of `num_words` words of marks, and returns
    the names of the features.
    """
    cdef int number, place, held
    cdef int word = 0
    cdef int used = 0       # bits of the word
    cdef list names = []
    for number in range(len(rows)):
        row = rows[number]
        assert len(row.names) <= WORD_BITS and len(row.num_held) <= MAX_VALUES
        assert max(row.num_held) < WORD_BITS
        if used + len(row.names) > WORD_BITS:
            word += 1
            used = 0
        if used == 0:
            assert word < num_words
            word_first[word] = len(names)
        blocks[number].word = word
        blocks[number].bit = <uint64_t>1 << used
        blocks[number].first = len(names)
        blocks[number].least = row.least
        blocks[number].span = len(row.num_held) - 1
        for place, held in enumerate(row.num_held):
            blocks[number].num_held[place] = held
        names += row.names
        used += len(row.names)
    assert word == num_words - 1, f"{word + 1} words of marks are enough"
    blocks[len(rows)].first = len(names)
    return names


cdef inline void mark_set(uint64_t* marks, const Block* block, uint64_t members) noexcept nogil:
    """Mark members of a set, a bit each."""
    marks[block.word] |= members * block.bit


cdef inline void mark_one(uint64_t* marks, const Block* block, int member) noexcept nogil:
    mark_set(marks, block, <uint64_t>1 << member)


cdef inline void mark_scale(uint64_t* marks, const Block* block, int value) noexcept nogil:
    """Mark the features of a thermometer."""
    cdef int at = min(max(value - block.least, 0), <int>block.span)
    marks[block.word] |= (block.bit << block.num_held[at]) - block.bit


cdef inline uint64_t thermometer(int number, int most) noexcept nogil:
    """The features "1 or more" to "`most` or more" that hold of a number; `most` is below 64."""
    return (<uint64_t>1 << max(min(number, most), 0)) - 1


cdef inline int write_members(
        uint64_t members, int first, int32_t* out, int length) noexcept nogil:
    """Append the members of a set, counted from `first`, to a list; return the new length."""
    while members:
        out[length] = first + pop_lowest(&members)
        length += 1
    return length


cdef inline int write_marked(
        const uint64_t* marks, const int32_t* word_first, int num_words,
        int32_t* out) noexcept nogil:
    """Write the indices of the marked features and return their number."""
    cdef int length = 0
    cdef int word
    for word in range(num_words):
        length = write_members(marks[word], word_first[word], out, length)
    return length
