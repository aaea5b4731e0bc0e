"""Playouts and evaluation of Hearts; see the .pyx."""

from libc.stdint cimport uint32_t

from ...choice cimport Factors
from ...rng cimport bitgen_t
from .state cimport State

# Draw a move of the playout policy at a decision node; it depends on what the seat sees only.
cdef uint32_t hearts_policy_move(
    const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil

# `Game.prior_weights`.
cdef void hearts_prior_weights(
    const Factors* factors, const State* s, const uint32_t* moves, int num_moves,
    double* weights) noexcept nogil

# Play by the policy to the end and write returns; returns the number of plies.
cdef int hearts_playout(
    const Factors* factors, State* s, bitgen_t* rng, double* out) noexcept nogil

# Write heuristic win shares; exact at the end.
cdef void hearts_evaluate(const State* s, double* out) noexcept nogil
