"""What the net of the evaluation reads of a seat; see the .pyx."""

from libc.stdint cimport int32_t

from .state cimport Rules, State

cdef enum:
    ROWS_ROOM = 168     # most of a seat

# The number of rows that there are.
cdef int ko_num_net_rows(const Rules* rules) noexcept nogil

# Write the rows of a living seat, [ROWS_ROOM], and return their number. `terms` are those of all
# seats (`ko_terms`); all that live have a king.
cdef int ko_net_rows(
    const Rules* rules, const State* s, const double* terms, int seat, int32_t* out) noexcept nogil
