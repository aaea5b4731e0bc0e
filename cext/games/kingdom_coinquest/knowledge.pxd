"""What each seat can see of Kingdom Coinquest, and states drawn from what it sees; see the .pyx."""

from numpy.random cimport bitgen_t

from .state cimport State

# Write what `seat` (or SPECTATOR) sees of `state` (R12.5).
cdef void kc_observe(const State* state, int num_seats, int seat, State* out) noexcept nogil

# Write a state drawn from the exact posterior of R11.7.
cdef void kc_determinize(
    const State* observation, int num_seats, bitgen_t* rng, State* out) noexcept nogil
