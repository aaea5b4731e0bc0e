"""Playouts, likely worlds and evaluation of A Knight's Duty; see the .pyx."""

from libc.stdint cimport uint32_t

from ...rng cimport bitgen_t
from .state cimport Rules, State

# Draw a move of the playout policy at a decision node.
cdef uint32_t kd_policy_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil

# `Game.likely_world`.
cdef void kd_likely_world(
    const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil

# Write heuristic win shares; exact when the game is over.
cdef void kd_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil

# `Game.playout`.
cdef int kd_playout(
    const Rules* rules, State* s, int max_plies, bitgen_t* rng, double* out) noexcept nogil
