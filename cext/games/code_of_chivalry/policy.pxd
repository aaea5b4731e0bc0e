"""Playouts and evaluation of Code of Chivalry; see the .pyx."""

from libc.stdint cimport uint32_t

from ...choice cimport Factors
from ...net cimport Net
from ...rng cimport bitgen_t
from .state cimport Rules, State

# Draw a move of the playout policy at a decision node; without a stream, its likeliest one.
cdef uint32_t coc_policy_move(
    const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil

# `Game.prior_weights`.
cdef void coc_prior_weights(
    const Rules* rules, const Factors* factors, const State* s, const uint32_t* moves,
    int num_moves, double* weights) noexcept nogil

# Write heuristic win shares, by weights without a net; exact when the game is over.
cdef void coc_evaluate(
    const Rules* rules, const Factors* factors, Net net, const State* s, double* out) noexcept nogil

# Whether the evaluation values a state as it is, without playing on.
cdef bint is_quiet(const State* s) noexcept nogil

# `Game.playout`.
cdef int coc_playout(
    const Rules* rules, const Factors* factors, Net net, State* s, int max_plies, bitgen_t* rng,
    double* out) noexcept nogil
