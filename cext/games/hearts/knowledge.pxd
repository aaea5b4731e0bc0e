"""Observation and determinization of Hearts; see the .pyx."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from ...rng cimport bitgen_t
from .state cimport PHASE_PLAY, State, bit, receiver_of

# Write the observation of `state` by `seat` (or SPECTATOR) (R3).
cdef void hearts_observe(const State* state, int seat, State* out) noexcept nogil

# Write a state drawn from those consistent with `observation`, all equally likely (R3.6).
cdef void hearts_determinize(
    const State* observation, bitgen_t* rng, State* out) noexcept nogil

# Name the hidden cards of `seen`, moves and outcomes from the start to `world`; see `Game.retell`.
cdef bint hearts_retell(
    const State* world, const uint32_t* seen, int length, bitgen_t* rng,
    uint32_t* out) noexcept nogil

# The cards that a seat with these shown letters cannot hold (R3.5).
cdef uint64_t excluded_by(uint8_t letters) noexcept nogil


cdef inline uint64_t seen_cards(const State* s, int seat, int other) noexcept nogil:
    """The cards of another seat that `seat` sees or has seen (R3.1, R3.3, R3.4)."""
    if s.phase != PHASE_PLAY:
        return 0
    cdef uint64_t seen = s.held[other] & s.played
    if seat >= 0 and receiver_of(s, seat) == other:
        seen |= s.given[seat]
    if not s.played and other == s.to_move:
        seen |= bit(0)
    return seen


cdef inline bint sees_given(const State* s, int seat, int other) noexcept nogil:
    """Whether `seat` sees the cards that another seat has given (R3.2)."""
    return s.phase == PHASE_PLAY and seat >= 0 and receiver_of(s, other) == seat
