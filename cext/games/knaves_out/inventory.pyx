"""The cards of valid states of Knaves Out: R14.5 (b) and (c).

An observation is valid if it is that of a valid position, so cards that its observer does not see
are only counted: there must be a hand of the size and records that are told (R13.5).
"""

from libc.stdint cimport uint64_t

from kingmaker.cext.bits cimport count, lowest

from ...game cimport refuse
from ...view_game cimport NOBODY
from .cards cimport bit
from .state cimport (
    A, ALL_CARDS, AOS_OFF, FULL_HEIGHT, J, MAX_RECORDS, NUM_CARDS, Player, Rules, State, Tower,
    card_of)
from .validity cimport (
    CARD_TWICE, JOKERS, NO_KNAVE, ACE_OFF, HAND_TOO_LARGE, RECORD_NOT_IN, RECORD_FLOOR, RECORD_HAND)


cdef int ko_check_cards(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    return cards_fault(rules, s, out) or records_fault(rules, s, out)


cdef inline bint is_seen(const State* s, int seat) noexcept nogil:
    """Whether hand and deck of a seat are in the state."""
    return s.observer == NOBODY or s.observer == seat + 1


# --- cards (b) ------------------------------------------------------------------------------------

cdef struct Seen:       # the cards of a player that are not in hand or deck
    uint64_t cards
    int jokers
    int twice           # card + 1; 0: none


cdef int cards_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p
    cdef Seen seen
    cdef int seat, tower
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        for tower in range(J + 1, A + 1):
            if p.towers[tower].base and not p.towers[J].base:
                return refuse(out, NO_KNAVE, seat, tower)
        if p.towers[A].base and rules.aos == AOS_OFF:
            return refuse(out, ACE_OFF, seat)
        see_cards(p, &seen)
        if seen.twice:
            return refuse(out, CARD_TWICE, seat, seen.twice - 1)
        if seen.cards & p.hand:
            return refuse(out, CARD_TWICE, seat, lowest(seen.cards & p.hand))
        if seen.jokers + p.hand_jokers > 2:
            return refuse(out, JOKERS, seat, seen.jokers + p.hand_jokers)
        if not is_seen(s, seat) and p.hand_size > ko_num_unseen(p):
            return refuse(out, HAND_TOO_LARGE, seat, p.hand_size, ko_num_unseen(p))
    return 0


cdef int ko_num_unseen(const Player* p) noexcept nogil:
    cdef Seen seen
    see_cards(p, &seen)
    return NUM_CARDS + 2 - count(seen.cards) - seen.jokers


cdef void see_cards(const Player* p, Seen* seen) noexcept nogil:
    """Collect the cards that lie open."""
    cdef const Tower* t
    cdef int tower, i
    seen.cards = p.discard
    seen.jokers = p.discard_jokers
    seen.twice = 0
    for tower in range(4):
        t = &p.towers[tower]
        if t.base == 0:
            continue
        add_card(seen, t.base - 1, t.tainted)
        add_levels(seen, tower, t.height, t.suits, t.jokers)
        for i in range(2):
            if t.devoured[i].effect:
                add_levels(
                    seen, tower, FULL_HEIGHT, t.devoured[i].suits, t.devoured[i].jokers)


cdef inline void add_card(Seen* seen, int card, bint has_joker) noexcept nogil:
    if seen.cards & bit(card):
        seen.twice = card + 1
    seen.cards |= bit(card)
    seen.jokers += has_joker


cdef inline void add_levels(
        Seen* seen, int tower, int height, int suits, int jokers) noexcept nogil:
    cdef int level
    for level in range(height):
        add_card(seen, card_of(tower, level, suits), jokers >> level & 1)


# --- records (c) ----------------------------------------------------------------------------------

cdef int records_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p
    cdef Seen seen
    cdef uint64_t hidden
    cdef int seat, i, floor, most
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        see_cards(p, &seen)
        for i in range(MAX_RECORDS):
            floor = p.record_floor[i]
            if floor == 0:
                break
            if i and p.record_mask[i] & ~p.record_mask[i - 1]:
                return refuse(out, RECORD_NOT_IN, seat, i,
                              lowest(p.record_mask[i] & ~p.record_mask[i - 1]))
            if i and floor <= p.record_floor[i - 1]:
                return refuse(out, RECORD_FLOOR, seat, i, floor)
            # A hand that takes as many cards outside the smallest complement as it can has the most
            # outside each of them.
            if is_seen(s, seat):
                most = count(p.hand & ~p.record_mask[i]) + p.hand_jokers
            else:
                hidden = ALL_CARDS & ~seen.cards
                most = min(
                    p.hand_size, count(hidden & ~p.record_mask[i]) + 2 - seen.jokers)
            if most < floor:
                return refuse(out, RECORD_HAND, seat, i, floor, most)
    return 0
