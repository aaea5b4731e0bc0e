"""Pasts of Code of Chivalry; see the .pyx."""

from libc.stdint cimport int8_t, uint32_t

from ...rng cimport bitgen_t
from .state cimport Rules, State

# Name the hidden cards of `seen`, moves and outcomes from the start to `world`; see `Game.retell`.
cdef bint coc_retell(
    const Rules* rules, const State* world, int observer, const uint32_t* seen, const int8_t* seats,
    int length, bitgen_t* rng, uint32_t* out) noexcept nogil

# The ways to take the cards of a move out of equal ones; see `Game.num_ways`.
cdef double coc_num_ways(
    const Rules* rules, const State* state, uint32_t move, int observer) noexcept nogil
