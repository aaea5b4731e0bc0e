"""What the net of the evaluation reads of each of two seats; see the .pyx."""

from libc.stdint cimport int32_t

from .state cimport Rules, State

cdef enum:
    ROWS_ROOM = 128     # most of a seat

# The number of rows that there are.
cdef int ko_num_net_rows() noexcept nogil

# Write the rows of a seat, [ROWS_ROOM], and return their number. `terms` are those of both seats
# (`ko_terms`); both live.
cdef int ko_net_rows(
    const Rules* rules, const State* s, const double* terms, int seat, int32_t* out) noexcept nogil
