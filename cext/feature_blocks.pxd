"""Features in blocks of consecutive indices, laid out and named by one table for each game.

The table is a dict of rows (feature_rows.py) by the numbers of an enum: thermometers of a number,
and sets of which any members may hold. `lay_out` gives the blocks their indices in the order of the
enum. A game that writes its blocks in this order writes its features in ascending order.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from .bits cimport pop_lowest

cdef enum:
    MAX_VALUES = 64     # that a thermometer tells apart

cdef struct Block:
    int32_t first                   # index of its first feature
    int32_t least                   # values beyond `least` and `most` count as these
    int32_t most
    uint8_t[MAX_VALUES] num_held    # of a thermometer: how many features hold, by value - least

# Fill in the blocks by their rows, the first index of the next table behind them; return the names
# of the features. `first` is the first index.
cdef list lay_out(Block* blocks, dict rows, int first)


cdef inline int write_scale(const Block* block, int value, int32_t* out, int n) noexcept nogil:
    """Write the features of a thermometer behind `n` others; return how many there are now."""
    cdef int at = block.least if value < block.least else min(value, <int>block.most)
    cdef int end = n + block.num_held[at - block.least]
    cdef int index = block.first
    while n < end:
        out[n] = index
        n += 1
        index += 1
    return n


cdef inline int write_one(const Block* block, int member, int32_t* out, int n) noexcept nogil:
    """Write the feature of one member of a set."""
    out[n] = block.first + member
    return n + 1


cdef inline int write_set(
        const Block* block, uint32_t members, int32_t* out, int n) noexcept nogil:
    """Write the features of the members of a set, a bit each."""
    cdef uint64_t rest = members
    while rest:
        out[n] = block.first + pop_lowest(&rest)
        n += 1
    return n
