"""Pasts of Code of Chivalry: which cards were drawn face down, given the hands of a world.

Hands are followed backwards: a card that was played comes back to its hand, and a hidden draw takes
any card of the hand with equal probability. Sizes of hands are public, so every past that this can
draw has the same probability, by this draw and by the shuffle. After a reshuffle a draw takes one
of the cards that have left the pile since then. Earlier piles and earlier knowledge may exclude
the past; the caller then asks for another.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.rng cimport below, bitgen_t

from .multiset cimport common, contains, has, nth_card, one, size_of
from .state cimport (
    HIDDEN_CARD, JESTER, PRINCESS, PUBLIC, VERB_ATTACK, VERB_CHOOSE, VERB_DEAL,
    VERB_DISCARD, VERB_DRAW, VERB_FORTIFY, VERB_GIVE, VERB_RESPOND, VERB_ROB, VERB_SHOW,
    VERB_SPECIAL, VERB_TAKE, Rules, State, jesters_of, move_of, peasants_of, role_of, seat_of,
    verb_of)
from .table cimport play_cards


cdef struct Cards:
    uint64_t[6] hands
    uint64_t unseen     # drawn face down since the last reshuffle; 0 without one
    int num_drawn       # draws since then that are not taken back yet
    uint64_t[6] shown   # of each hand: cards that the observer knows in the world, perhaps shown
    uint8_t[6] picks    # laid before the running herald, as in a state


cdef bint coc_retell(
        const Rules* rules, const State* world, int observer, const uint32_t* seen,
        const int8_t* seats, int length, bitgen_t* rng, uint32_t* out) noexcept nogil:
    cdef Cards cards
    cdef int seat, i
    memcpy(cards.hands, world.hands, sizeof(cards.hands))
    memcpy(cards.picks, world.picks, sizeof(cards.picks))
    for seat in range(rules.num_seats):
        cards.shown[seat] = world.known[seat][observer if observer >= 0 else PUBLIC]
    memcpy(out, seen, length * sizeof(uint32_t))
    if not set_drawn(&cards, world, seen, length):
        return False
    for i in range(length - 1, -1, -1):
        if not undo(rules, &cards, seen, seats, i, rng, out):
            return False
    return True


cdef bint set_drawn(
        Cards* cards, const State* world, const uint32_t* seen, int length) noexcept nogil:
    """Find what has left the pile since the last reshuffle; False if it can't be."""
    cdef int left, i
    cards.unseen = 0
    cards.num_drawn = 0
    if world.base == 0:
        return True
    if not contains(world.base, world.draw):
        return False
    cards.unseen = world.base - world.draw
    cards.num_drawn = size_of(cards.unseen)
    left = cards.num_drawn
    i = length - 1
    while i >= 0 and left:
        if verb_of(seen[i]) == VERB_DRAW:
            left -= 1
            if role_of(seen[i]) != HIDDEN_CARD and not lose(&cards.unseen, role_of(seen[i])):
                return False
        i -= 1
    return left == 0


cdef bint undo(
        const Rules* rules, Cards* cards, const uint32_t* seen, const int8_t* seats, int i,
        bitgen_t* rng, uint32_t* out) noexcept nogil:
    """Take back a move or outcome, and name its card; False if the hands don't allow it."""
    cdef uint64_t* hands = cards.hands
    cdef int verb = verb_of(seen[i])
    cdef int seat = seats[i]
    cdef int before
    if not 0 <= seat < rules.num_seats:
        return False
    if verb == VERB_DRAW and cards.num_drawn:
        return undo_draw(cards, seat, &out[i], rng)
    if verb == VERB_DEAL or verb == VERB_DRAW:
        return give_back(&hands[seat], hands[seat], &out[i], rng)
    if verb == VERB_TAKE or verb == VERB_GIVE:
        before = latest(seen, i, VERB_SPECIAL)
        if before < 0:
            return False
        if verb == VERB_TAKE:
            return move_back(
                hands, seat_of(seen[before]), seat, rules.num_seats, &out[i], rng)
        return move_back(hands, seat, seats[before], rules.num_seats, &out[i], rng)
    if verb == VERB_CHOOSE:
        before = shown_by(seen, seats, i, seat_of(seen[i]))
        return before >= 0 and move_back(
            hands, seat_of(seen[i]), seat, rules.num_seats, &out[before], rng)
    if verb == VERB_SHOW:
        return name_shown(cards, seat, &out[i], rng)
    if verb == VERB_DISCARD:
        hands[seat] += one(role_of(seen[i]))
    elif (verb == VERB_ATTACK or verb == VERB_FORTIFY or verb == VERB_SPECIAL
            or verb == VERB_RESPOND or verb == VERB_ROB):
        if verb == VERB_RESPOND and role_of(seen[i]) == PRINCESS:
            before = latest(seen, i, VERB_ATTACK)       # R5.5: she has taken the attack card
            if before < 0 or not lose(&hands[seat], attack_card(seen[before])):
                return False
        hands[seat] += play_cards(
            role_of(seen[i]), peasants_of(seen[i]), jesters_of(seen[i]))
    return True


cdef inline bint undo_draw(Cards* cards, int seat, uint32_t* out, bitgen_t* rng) noexcept nogil:
    """Take back a draw since the last reshuffle."""
    cdef bint is_hidden = role_of(out[0]) == HIDDEN_CARD
    cards.num_drawn -= 1
    if not give_back(
            &cards.hands[seat], common(cards.hands[seat], cards.unseen), out, rng):
        return False
    return not is_hidden or lose(&cards.unseen, role_of(out[0]))


cdef inline bint name_shown(Cards* cards, int seat, uint32_t* out, bitgen_t* rng) noexcept nogil:
    """Name a card that was shown to a herald, if it is not the one that was chosen."""
    cdef uint64_t choice
    if role_of(out[0]) != HIDDEN_CARD:
        return True
    if cards.picks[seat]:
        out[0] = move_of(VERB_SHOW, cards.picks[seat] - 1)
        cards.picks[seat] = 0
        return True
    choice = common(cards.hands[seat], cards.shown[seat])
    if choice == 0 or below(rng, 4) == 0:       # it may have left the hand again
        choice = cards.hands[seat]
    if choice == 0:
        return False
    out[0] = move_of(VERB_SHOW, nth_card(choice, below(rng, size_of(choice))))
    return True


cdef inline int attack_card(uint32_t move) noexcept nogil:
    return JESTER if jesters_of(move) else role_of(move)


cdef inline int latest(const uint32_t* seen, int i, int verb) noexcept nogil:
    """The latest move of a verb before the i-th; -1: none."""
    i -= 1
    while i >= 0 and verb_of(seen[i]) != verb:
        i -= 1
    return i


cdef inline int shown_by(
        const uint32_t* seen, const int8_t* seats, int i, int seat) noexcept nogil:
    """The card that a seat has shown before the i-th move, in the same action; -1: none."""
    i -= 1
    while i >= 0 and verb_of(seen[i]) == VERB_SHOW:
        if seats[i] == seat:
            return i
        i -= 1
    return -1


cdef inline bint lose(uint64_t* hand, int card) noexcept nogil:
    if not has(hand[0], card):
        return False
    hand[0] -= one(card)
    return True


cdef inline bint give_back(
        uint64_t* hand, uint64_t choice, uint32_t* out, bitgen_t* rng) noexcept nogil:
    """Take a card that was drawn out of a hand: the one that `out` names, or any of a choice."""
    if role_of(out[0]) == HIDDEN_CARD:
        if choice == 0:
            return False
        out[0] = move_of(verb_of(out[0]), nth_card(choice, below(rng, size_of(choice))))
    return lose(hand, role_of(out[0]))


cdef inline bint move_back(
        uint64_t* hands, int giver, int taker, int num_seats, uint32_t* out,
        bitgen_t* rng) noexcept nogil:
    """Return a card from the hand of `taker` to that of `giver`."""
    if not (0 <= giver < num_seats and give_back(&hands[taker], hands[taker], out, rng)):
        return False
    hands[giver] += one(role_of(out[0]))
    return True
