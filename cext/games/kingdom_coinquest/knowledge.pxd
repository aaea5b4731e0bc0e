"""Observation and determinization of Kingdom Coinquest; see the .pyx."""


from ...rng cimport bitgen_t
from .state cimport State

# Write the observation of `state` by `seat` (or SPECTATOR) (R12.5).
cdef void kc_observe(const State* state, int num_seats, int seat, State* out) noexcept nogil

# Write a state drawn from the exact posterior of R11.7.
cdef void kc_determinize(
    const State* observation, int num_seats, bitgen_t* rng, State* out) noexcept nogil
