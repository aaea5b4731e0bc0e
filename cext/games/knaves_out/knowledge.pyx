"""Hidden information of Knaves Out: observation and determinization (section 13 of the rules page).

Hidden are the hands, and so the contents of the decks. The cards in a hand are drawn in the order
in which they came: those that were there at the first shuffle recorded, which are none of its
discard, then those that came by the next one, and at last the rest (R13.5).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from kingmaker.cext.bits cimport count, random_member
from kingmaker.cext.rng cimport below

from .cards cimport bit
from .derive cimport ko_derive
from .state cimport MAX_RECORDS, NOBODY, Player


cdef void ko_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil:
    cdef Player* p
    cdef int other
    memcpy(out, state, rules.state_bytes)
    out.observer = seat + 1
    for other in range(rules.num_seats):
        if other == seat:
            continue
        p = &out.players[other]
        p.hand = 0
        p.hand_jokers = 0
        p.deck = 0
        p.deck_jokers = 0


cdef void ko_determinize(
        const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil:
    cdef int viewer = <int>observation.observer - 1
    cdef int seat
    memcpy(out, observation, rules.state_bytes)
    out.observer = NOBODY
    ko_derive(rules, out)       # with empty hands all cards that are not seen are in the deck
    for seat in range(rules.num_seats):
        if seat != viewer:
            deal_hand(&out.players[seat], rng)


cdef void deal_hand(Player* p, bitgen_t* rng) noexcept nogil:
    cdef int dealt = 0
    cdef int i
    for i in range(MAX_RECORDS):
        while dealt < p.record_floor[i]:
            deal_outside(p, p.record_mask[i], rng)
            dealt += 1
    while dealt < p.hand_size:
        deal_outside(p, 0, rng)
        dealt += 1


cdef inline void deal_outside(Player* p, uint64_t mask, bitgen_t* rng) noexcept nogil:
    """Move a card of the deck that is not in a mask to the hand."""
    cdef uint64_t cards = p.deck & ~mask
    cdef uint64_t card
    if below(rng, count(cards) + p.deck_jokers) < p.deck_jokers:
        p.deck_jokers -= 1
        p.hand_jokers += 1
        return
    card = bit(random_member(cards, rng))
    p.deck &= ~card
    p.hand |= card
