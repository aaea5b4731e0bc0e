"""Observation, determinization and history of A Knight's Duty; see the .pyx."""

from libc.stdint cimport uint32_t

from ...rng cimport bitgen_t
from .state cimport Rules, State

# Write the observation of `state` by `seat` (or SPECTATOR) (R13.5).
cdef void kd_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil

# Write a state drawn uniformly from those consistent with an observation (R12.5).
cdef void kd_determinize(
    const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil

# `Game.history`.
cdef int kd_history(
    const Rules* rules, const State* state, State* root, uint32_t* out) noexcept nogil
