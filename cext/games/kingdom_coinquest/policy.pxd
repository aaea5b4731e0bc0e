"""Playouts and evaluation of Kingdom Coinquest; see the .pyx."""

from libc.stdint cimport uint32_t

from ...choice cimport Factors
from ...net cimport Net
from ...rng cimport bitgen_t
from .state cimport Rules, State

# Draw a move of the playout policy at a decision node.
cdef uint32_t kc_policy_move(
    const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil

# `Game.prior_weights`.
cdef void kc_prior_weights(
    const Rules* rules, const Factors* factors, const State* s, const uint32_t* moves,
    int num_moves, double* weights) noexcept nogil

# Write heuristic win shares, by a net or without one; exact when the game is decided.
cdef void kc_evaluate(const Rules* rules, Net net, const State* s, double* out) noexcept nogil

# `Game.playout`.
cdef int kc_playout(
    const Rules* rules, const Factors* factors, Net net, State* s, int max_plies, bitgen_t* rng,
    double* out) noexcept nogil
