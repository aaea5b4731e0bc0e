"""Observation and determinization of Code of Chivalry; see the .pyx."""

from libc.stdint cimport uint64_t

from ...rng cimport bitgen_t
from .state cimport PUBLIC, Rules, State

# Write the observation of `state` by `seat` (or SPECTATOR) (R14).
cdef void coc_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil

# Write a state drawn by the recipe of R11.5.
cdef void coc_determinize(
    const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil

# The cards in a hand that an observer (from 0; -1: a spectator) knows: by what it has seen, and,
# with two seats, as they were not in the pile at the last reshuffle (d of R11.4).
cdef uint64_t coc_known_cards(
    const Rules* rules, const State* state, int holder, int observer) noexcept nogil

# Whether a valid state is consistent with an observation (R11.4).
cdef bint coc_is_consistent(
    const Rules* rules, const State* observation, const State* state) noexcept nogil


cdef inline int known_row(const State* observation) noexcept nogil:
    """The row of `known` that holds for an observer."""
    return observation.observer - 1 if observation.observer else PUBLIC


cdef inline uint64_t pile_limit(const State* observation) noexcept nogil:
    """After a reshuffle: the cards that may be in the pile (d of R11.4)."""
    if observation.observer:
        return observation.base - observation.own[observation.observer - 1]
    return observation.base
