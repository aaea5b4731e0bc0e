"""Playouts and evaluation of Hearts.

A whole playout is one loop over tricks with the hands in local masks: it has the same distribution
and the same final states as play move by move. A table lists the members of each set of ranks, so
that a draw of one member is a look-up.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.game cimport TERMINAL
from kingmaker.cext.rng cimport bitgen_t, digit

from .dealing cimport deal_places
from .rules cimport (
    discards, exchange, finish_deal, hearts_returns, leads, play_card, plays, shown_by, undealt)
from .state cimport (
    ALL_POINTS, GIVEN_CARDS, HAND_CARDS, HEARTS, NUM_CARDS, NUM_SEATS, PHASE_DEAL,
    PHASE_DIRECTION, PHASE_PASS, PHASE_PLAY, QUEEN, SUIT_MASK, VERB_PASS, VERB_PLAY, State, bit,
    hand_of)

cdef enum:
    NUM_RANK_SETS = 1 << 13
    SIZE_SHIFT = 60
    BASE_WEIGHT = 1        # of a hand without high cards

cdef uint64_t LOW_WORD = 0xFFFFFFFF
cdef uint64_t HIGH_CARDS = 0x1C001C001C001C00   # queens and higher

# By a set of ranks: its members from low to high in four bits each, and their number on top.
cdef uint64_t[NUM_RANK_SETS] RANKS


def fill_tables() -> None:
    """Fill the tables."""
    cdef uint64_t members
    cdef int ranks, rank, size
    for ranks in range(NUM_RANK_SETS):
        members = size = 0
        for rank in range(13):
            if ranks >> rank & 1:
                members |= <uint64_t>rank << (4 * size)
                size += 1
        RANKS[ranks] = members | <uint64_t>size << SIZE_SHIFT


fill_tables()


cdef inline int lane(uint64_t cards, int suit) noexcept nogil:
    """The set of ranks of a suit in a set of cards."""
    return cards >> (suit << 4) & SUIT_MASK


cdef inline int size_of(uint64_t cards) noexcept nogil:
    """The number of cards."""
    return ((RANKS[lane(cards, 0)] >> SIZE_SHIFT) + (RANKS[lane(cards, 1)] >> SIZE_SHIFT)
            + (RANKS[lane(cards, 2)] >> SIZE_SHIFT) + (RANKS[lane(cards, 3)] >> SIZE_SHIFT))


cdef inline int draw_card(uint64_t cards, uint64_t* fraction) noexcept nogil:
    """Draw a card uniformly out of a 32-bit fraction, see `digit`."""
    cdef int clubs = RANKS[lane(cards, 0)] >> SIZE_SHIFT
    cdef int diamonds = RANKS[lane(cards, 1)] >> SIZE_SHIFT
    cdef int hearts = RANKS[lane(cards, 2)] >> SIZE_SHIFT
    cdef int spades = RANKS[lane(cards, 3)] >> SIZE_SHIFT
    cdef int place = digit(fraction, clubs + diamonds + hearts + spades)
    cdef bint is_above_clubs = place >= clubs
    cdef bint is_above_diamonds = place >= clubs + diamonds
    cdef bint is_above_hearts = place >= clubs + diamonds + hearts
    cdef int suit = is_above_clubs + is_above_diamonds + is_above_hearts
    place -= (clubs & -is_above_clubs) + (diamonds & -is_above_diamonds) + (
        hearts & -is_above_hearts)
    return suit << 4 | <int>(RANKS[lane(cards, suit)] >> (4 * place) & 15)


cdef uint32_t hearts_policy_move(const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint64_t fraction = rng.next_uint32(rng.state)
    if s.phase == PHASE_PLAY:
        return VERB_PLAY | draw_card(plays(s), &fraction)
    return VERB_PASS | draw_card(s.held[s.to_move] & ~s.given[s.to_move], &fraction)


# --- playouts -------------------------------------------------------------------------------------

cdef int hearts_playout(State* s, bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    if s.phase != PHASE_PLAY:
        plies = begin_playout(s, rng)
    plies += NUM_CARDS - s.count
    if s.to_move != TERMINAL:
        play_tricks(s, rng)
    hearts_returns(s, out)
    return plies


cdef int begin_playout(State* s, bitgen_t* rng) noexcept nogil:
    """Play to the first trick; returns the number of plies."""
    cdef int plies = 0
    if s.phase == PHASE_DIRECTION:
        s.direction = rng.next_uint32(rng.state) >> 30
        s.phase = PHASE_DEAL
        plies += 1
    if s.phase == PHASE_DEAL:
        plies += NUM_CARDS - s.count
        deal_rest(s, rng)
    if s.phase == PHASE_PASS:
        plies += NUM_SEATS * GIVEN_CARDS - s.count
        give_rest(s, rng)
    return plies


cdef void deal_rest(State* s, bitgen_t* rng) noexcept nogil:
    """Deal all cards that are left."""
    cdef int[NUM_SEATS] places
    cdef int seat
    for seat in range(NUM_SEATS):
        places[seat] = HAND_CARDS - ((s.count + 3 - seat) >> 2)
    deal_places(undealt(s), places, s.held, rng)
    finish_deal(s)


cdef void give_rest(State* s, bitgen_t* rng) noexcept nogil:
    """Set aside the cards that are still due, and exchange them."""
    cdef uint64_t fraction
    cdef int seat
    for seat in range(s.to_move, NUM_SEATS):
        fraction = rng.next_uint32(rng.state)
        for _ in range(max(s.count - GIVEN_CARDS * seat, 0), GIVEN_CARDS):
            s.given[seat] |= bit(draw_card(s.held[seat] & ~s.given[seat], &fraction))
    exchange(s)


cdef void play_tricks(State* s, bitgen_t* rng) noexcept nogil:
    """Play to the end: finish the running trick, then the whole ones."""
    cdef uint64_t[NUM_SEATS] hands
    cdef int seat
    while s.count & 3:
        play_card(s, hearts_policy_move(s, rng))
    for seat in range(NUM_SEATS):
        hands[seat] = hand_of(s, seat)
    while s.count < NUM_CARDS:
        play_trick(s, hands, rng)
    s.to_move = TERMINAL


cdef inline void play_trick(State* s, uint64_t* hands, bitgen_t* rng) noexcept nogil:
    """Play a whole trick; `State.trick` is not written, as it is the same before and after."""
    cdef uint64_t draw = rng.next_uint64(rng.state)
    cdef uint64_t fraction = draw & LOW_WORD       # for two choices, then another one
    cdef uint64_t played = s.played
    cdef uint64_t ranks
    cdef int seat = s.to_move
    cdef int card = draw_card(leads(hands[seat], played), &fraction)
    cdef int led = card >> 4
    cdef int best = card << 2 | seat               # the highest card of the led suit, and its seat
    cdef int place
    s.shown[seat] |= shown_by(card, -1, played, s.count)
    for place in range(1, NUM_SEATS):
        hands[seat] ^= bit(card)
        played |= bit(card)
        seat = (seat + 1) & 3
        if place == 2:
            fraction = draw >> 32
        ranks = RANKS[lane(hands[seat], led)]
        if ranks:
            card = led << 4 | <int>(ranks >> (4 * digit(&fraction, ranks >> SIZE_SHIFT)) & 15)
            best = max(best, card << 2 | seat)
        else:
            card = draw_card(discards(hands[seat], s.count < NUM_SEATS), &fraction)
            s.shown[seat] |= shown_by(card, led, played, s.count + place)
    hands[seat] ^= bit(card)
    played |= bit(card)
    s.to_move = best & 3
    s.points[s.to_move] += points_of(played ^ s.played)
    s.played = played
    s.count += NUM_SEATS


cdef inline int points_of(uint64_t cards) noexcept nogil:
    return (RANKS[lane(cards, HEARTS)] >> SIZE_SHIFT) + 13 * (cards >> QUEEN & 1)


# --- evaluation -----------------------------------------------------------------------------------

cdef void hearts_evaluate(const State* s, double* out) noexcept nogil:
    """Divide the points still to be taken by the high cards in the hands.

    The rank and the base weight are the best fit to the means of uniform playouts: the error is
    0.037 per seat, that of an even division 0.043.
    """
    cdef double[NUM_SEATS] weights
    cdef double sum_weights = 0.0
    cdef int left = ALL_POINTS
    cdef int seat
    if s.to_move == TERMINAL:
        hearts_returns(s, out)
        return
    for seat in range(NUM_SEATS):
        weights[seat] = BASE_WEIGHT + size_of(hand_of(s, seat) & HIGH_CARDS)
        sum_weights += weights[seat]
        left -= s.points[seat]
    for seat in range(NUM_SEATS):
        out[seat] = (
            ALL_POINTS - s.points[seat] - left * weights[seat] / sum_weights) / 78.0
