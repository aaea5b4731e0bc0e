"""What each seat can see of A Knight's Duty, and what follows from it; see the .pyx."""

from libc.stdint cimport uint32_t
from numpy.random cimport bitgen_t

from .state cimport Rules, State

# Write what `seat` (or SPECTATOR) sees of `state` (R13.5).
cdef void kd_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil

# Write a state drawn uniformly from those consistent with an observation (R12.5).
cdef void kd_determinize(
    const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil

# `Game.history`.
cdef int kd_history(
    const Rules* rules, const State* state, State* root, uint32_t* out) noexcept nogil
