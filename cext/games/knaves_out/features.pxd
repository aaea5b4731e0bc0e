"""Features of Knaves Out; see the .pyx."""

from libc.stdint cimport int32_t

from .state cimport Rules, State

# `Game.features`.
cdef int ko_features(
    const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil

# Their number, for a number of seats.
cdef int ko_num_features(int num_seats) noexcept nogil
