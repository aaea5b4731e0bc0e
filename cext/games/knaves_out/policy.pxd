"""The policy of Knaves Out; see the .pyx."""

from libc.stdint cimport uint32_t

from ...choice cimport Factors
from ...net cimport Net
from ...rng cimport bitgen_t
from .state cimport Rules, State

# Draw a move at a decision node.
cdef uint32_t ko_policy_move(
    const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil

# `Game.prior_weights`.
cdef void ko_prior_weights(
    const Rules* rules, const Factors* factors, const State* s, const uint32_t* moves,
    int num_moves, double* weights) noexcept nogil

# `Game.playout`.
cdef int ko_playout(
    const Rules* rules, const Factors* factors, Net net, State* s, int max_plies, bitgen_t* rng,
    double* out) noexcept nogil
