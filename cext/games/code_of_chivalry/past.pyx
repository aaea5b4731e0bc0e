"""Pasts of Code of Chivalry: which cards were drawn face down, given the hands of a world.

Hands are followed backwards: a card that was played comes back to its hand, and a hidden draw takes
any card of the hand with equal probability. Sizes of hands are public, so every past that this can
draw has the same probability, by this draw and by the shuffle. After a reshuffle a draw takes one
of the cards that have left the pile since then, and no draw takes a card that was in the hand
already, as the observer had seen. Where something else excludes the past, the caller asks for
another.
"""

from libc.stdint cimport int8_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.rng cimport below, bitgen_t

from .knowledge cimport coc_known_cards
from .multiset cimport (
    common, contains, copies_of, has, nth_card, one, size_of, without, without_one_each)
from .state cimport (
    HIDDEN_CARD, JESTER, PEASANT, PRINCESS, PUBLIC, SEATS, VERB_ATTACK, VERB_CHOOSE, VERB_DEAL,
    VERB_DISCARD, VERB_DRAW, VERB_FORTIFY, VERB_GIVE, VERB_RESPOND, VERB_ROB, VERB_SHOW,
    VERB_SPECIAL, VERB_TAKE, Rules, State, jesters_of, move_of, peasants_of, role_of, seat_of,
    verb_of)


cdef enum:
    LONGEST = 1024      # moves and outcomes of a past


cdef struct Cards:
    uint64_t[6] hands
    uint64_t unseen     # drawn face down since the last reshuffle; 0 without one
    int num_drawn       # draws since then that are not taken back yet
    uint64_t[6] shown   # of each hand: cards that the observer knows in the world, perhaps shown
    uint64_t[LONGEST] known     # before each move: cards that the observer knew in the seat's hand
    uint8_t[6] picks    # laid before the running herald, as in a state


cdef bint coc_retell(
        const Rules* rules, const State* world, int observer, const uint32_t* seen,
        const int8_t* seats, int length, bitgen_t* rng, uint32_t* out) noexcept nogil:
    cdef Cards cards
    cdef int seat, i
    if length > LONGEST or not set_known(rules, &cards, seen, seats, length):
        return False
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


cdef double coc_num_ways(
        const Rules* rules, const State* state, uint32_t move, int observer) noexcept nogil:
    """Count the ways to take the cards that leave a hand, or are shown, out of equal unknown ones.

    The observer counts known copies as those that are played first (R11.2).
    """
    cdef int verb = verb_of(move)
    cdef int card = role_of(move)
    if state.seat == observer:
        return 1
    if is_play(verb):
        if card == PEASANT:
            return ways(rules, state, observer, PEASANT, peasants_of(move)) * ways(
                rules, state, observer, JESTER, jesters_of(move))
        return ways(rules, state, observer, JESTER if jesters_of(move) else card, 1)
    if verb == VERB_DISCARD or verb == VERB_GIVE or verb == VERB_SHOW:
        return ways(rules, state, observer, card, 1)
    return 1


cdef double ways(
        const Rules* rules, const State* state, int observer, int card, int number) noexcept nogil:
    """Binomial coefficient of the unknown copies in the hand of the node, and those taken."""
    cdef int known = copies_of(coc_known_cards(rules, state, state.seat, observer), card)
    cdef int unknown = copies_of(state.hands[state.seat], card) - known
    cdef double found = 1
    cdef int i
    for i in range(number - known):
        found *= <double>(unknown - i) / (i + 1)
    return found


cdef bint set_known(
        const Rules* rules, Cards* cards, const uint32_t* seen, const int8_t* seats,
        int length) noexcept nogil:
    """Find what the observer knew of each hand by what it had seen; False: there is no such seat.

    It may have known more, of cards that were face down when they were shown.
    """
    cdef uint64_t[SEATS] known
    cdef int i
    memset(known, 0, sizeof(known))
    for i in range(length):
        if not 0 <= seats[i] < rules.num_seats or seat_of(seen[i]) >= rules.num_seats:
            return False
        cards.known[i] = known[seats[i]]
        if not follow(rules, known, seen, seats, i):
            return False
    return True


cdef bint follow(
        const Rules* rules, uint64_t* known, const uint32_t* seen, const int8_t* seats,
        int i) noexcept nogil:
    """Update what is known of the hands by the i-th move; False if that can't be."""
    cdef int verb = verb_of(seen[i])
    cdef int card = role_of(seen[i])
    cdef uint64_t* hand = &known[seats[i]]
    cdef int before
    if verb == VERB_DISCARD:
        hand[0] = without(hand[0], card, 1)
    elif is_play(verb):
        hand[0] = without(hand[0], PEASANT, peasants_of(seen[i]))
        hand[0] = without(hand[0], JESTER, jesters_of(seen[i]))
        if card != PEASANT and not jesters_of(seen[i]):
            hand[0] = without(hand[0], card, 1)
        before = latest(seen, i, VERB_ATTACK)
        if verb == VERB_RESPOND and card == PRINCESS and before >= 0:
            return gain(rules, hand, attack_card(seen[before]), 1)
    elif verb == VERB_SHOW and card != HIDDEN_CARD and not has(hand[0], card):
        return gain(rules, hand, card, 1)
    elif verb == VERB_CHOOSE:
        before = shown_by(seen, seats, i, seat_of(seen[i]))
        if before >= 0:
            return pass_on(rules, &known[seat_of(seen[i])], hand, role_of(seen[before]))
    elif verb == VERB_TAKE or verb == VERB_GIVE:
        before = latest(seen, i, VERB_SPECIAL)
        if before >= 0 and verb == VERB_TAKE:
            return pass_on(rules, &known[seat_of(seen[before])], hand, card)
        if before >= 0:
            return pass_on(rules, hand, &known[seats[before]], card)
    return True


cdef inline bint pass_on(
        const Rules* rules, uint64_t* giver, uint64_t* taker, int card) noexcept nogil:
    """Move a card between hands; any, if it was face down."""
    if card == HIDDEN_CARD:
        giver[0] = without_one_each(giver[0])
        return True
    giver[0] = without(giver[0], card, 1)
    return gain(rules, taker, card, 1)


cdef inline bint is_play(int verb) noexcept nogil:
    return (verb == VERB_ATTACK or verb == VERB_FORTIFY or verb == VERB_SPECIAL
            or verb == VERB_RESPOND or verb == VERB_ROB)


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
    if verb == VERB_DEAL or verb == VERB_DRAW:
        return undo_draw(
            cards, seat, hands[seat] - common(hands[seat], cards.known[i]), &out[i], rng)
    if verb == VERB_TAKE or verb == VERB_GIVE:
        before = latest(seen, i, VERB_SPECIAL)
        if before < 0:
            return False
        if verb == VERB_TAKE:
            return move_back(rules, hands, seat_of(seen[before]), seat, &out[i], rng)
        return move_back(rules, hands, seat, seats[before], &out[i], rng)
    if verb == VERB_CHOOSE:
        before = shown_by(seen, seats, i, seat_of(seen[i]))
        return before >= 0 and move_back(
            rules, hands, seat_of(seen[i]), seat, &out[before], rng)
    if verb == VERB_SHOW:
        return name_shown(cards, seat, &out[i], rng)
    if verb == VERB_DISCARD:
        return gain(rules, &hands[seat], role_of(seen[i]), 1)
    if is_play(verb):
        if verb == VERB_RESPOND and role_of(seen[i]) == PRINCESS:
            before = latest(seen, i, VERB_ATTACK)       # R5.5: she has taken the attack card
            if before < 0 or not lose(&hands[seat], attack_card(seen[before])):
                return False
        return take_up(rules, &hands[seat], seen[i])
    return True


cdef inline bint take_up(const Rules* rules, uint64_t* hand, uint32_t move) noexcept nogil:
    """Return the cards of a play to a hand."""
    if not gain(rules, hand, JESTER, jesters_of(move)):
        return False
    if role_of(move) == PEASANT:
        return gain(rules, hand, PEASANT, peasants_of(move))
    return jesters_of(move) > 0 or gain(rules, hand, role_of(move), 1)


cdef inline bint undo_draw(
        Cards* cards, int seat, uint64_t choice, uint32_t* out, bitgen_t* rng) noexcept nogil:
    """Take back a card that was drawn, if it was face down any of a choice."""
    cdef bint is_recent = cards.num_drawn > 0 and verb_of(out[0]) == VERB_DRAW
    cdef bint is_hidden = role_of(out[0]) == HIDDEN_CARD
    if is_recent:
        cards.num_drawn -= 1
        choice = common(choice, cards.unseen)
    if not give_back(&cards.hands[seat], choice, out, rng):
        return False
    return not (is_recent and is_hidden) or lose(&cards.unseen, role_of(out[0]))


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


cdef inline bint gain(const Rules* rules, uint64_t* hand, int card, int number) noexcept nogil:
    """Add copies of a card to a hand; False if the deck has not as many."""
    if copies_of(hand[0], card) + number > copies_of(rules.deck, card):
        return False
    hand[0] += one(card) * <uint64_t>number
    return True


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
        const Rules* rules, uint64_t* hands, int giver, int taker, uint32_t* out,
        bitgen_t* rng) noexcept nogil:
    """Return a card from the hand of `taker` to that of `giver`."""
    if not (0 <= giver < rules.num_seats and give_back(&hands[taker], hands[taker], out, rng)):
        return False
    return gain(rules, &hands[giver], role_of(out[0]), 1)
