"""Which states of Hearts are valid, and why moves are not legal: reasons of the compiled rules."""

from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport Refusal

from .state cimport NUM_SEATS, State

# Sizes of the lists of a view, which the struct can't hold; hidden cards are included.
cdef struct Sizes:
    int[NUM_SEATS] hand
    int[NUM_SEATS] played
    int[NUM_SEATS] given
    int trick
    int node               # phase | seat from 1 << 2

# Each writes the first fault and returns its code; 0: there is none.
cdef int hearts_check_sizes(const State* s, const Sizes* sizes, Refusal* out) noexcept nogil
cdef int hearts_check_state(const State* s, int fixed, Refusal* out) noexcept nogil
cdef int hearts_check_move(const State* s, uint32_t move, Refusal* out) noexcept nogil
