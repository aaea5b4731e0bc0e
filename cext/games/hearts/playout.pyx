"""Playouts and evaluation of Hearts.

The playout policy ducks, gives away its high cards when a trick costs nothing, throws the queen of
spades and high hearts on others, and leads low. A seat that alone has taken many points is kept
from the moon, and goes for it with more. One choice in eight is uniform. It looks at nothing that
the seat to move doesn't see.

A whole playout is one loop over tricks with the hands in local masks; it makes the moves of the
policy with the same draws as play move by move. A table lists the members of each set of ranks, so
that a draw of one member is a look-up.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport count, lowest
from kingmaker.cext.game cimport TERMINAL
from kingmaker.cext.rng cimport bitgen_t, digit

from .dealing cimport deal_places
from .rules cimport (
    discards, exchange, finish_deal, hearts_returns, leads, play_card, shown_by, undealt)
from .state cimport (
    ALL_POINTS, GIVEN_CARDS, HAND_CARDS, HEARTS, NUM_CARDS, NUM_SEATS, PHASE_DEAL,
    PHASE_DIRECTION, PHASE_PASS, PHASE_PLAY, QUEEN, SUIT_MASK, VERB_PASS, VERB_PLAY, State, bit,
    hand_of, point_cards, suit_set)

cdef extern from *:
    int leading_zeros "__builtin_clzll"(uint64_t mask) noexcept nogil  # undefined for 0

cdef enum:
    SPADES = QUEEN >> 4
    ERRORS = 8             # one choice in so many is uniform
    LONG_SPADES = 5        # guard the queen
    ALARMING = 8           # points that are all with one seat, from which others hold back
    TEMPTING = 14          # and from which that seat tries for the rest
    NUM_RANK_SETS = 1 << 13
    SIZE_SHIFT = 60
    BASE_WEIGHT = 1        # of a hand without high cards

cdef uint64_t HIGH_CARDS = 0x1C001C001C001C00   # queens and higher
cdef uint64_t HIGH_SPADES = <uint64_t>0x1C00 << 48
cdef uint64_t ALL_LANES = 0x0001000100010001

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


# --- the policy -----------------------------------------------------------------------------------

cdef uint32_t hearts_policy_move(const State* s, bitgen_t* rng) noexcept nogil:
    cdef Trick trick
    if s.phase != PHASE_PLAY:
        return VERB_PASS | pass_card(s.held[s.to_move] & ~s.given[s.to_move], rng)
    if not s.count & 3:
        return VERB_PLAY | lead_card(s, s.to_move, hand_of(s, s.to_move), rng)
    trick = running_trick(s)
    return VERB_PLAY | reply_card(s, s.to_move, hand_of(s, s.to_move), &trick, rng)


cdef struct Trick:
    uint64_t cards     # in it so far
    int best           # the highest card of the led suit
    int taker          # the seat that played it


cdef inline Trick running_trick(const State* s) noexcept nogil:
    cdef int leader = s.to_move - (s.count & 3)
    cdef Trick trick = Trick(cards=bit(s.trick[0]), best=s.trick[0], taker=leader & 3)
    cdef int place
    for place in range(1, s.count & 3):
        add_card(&trick, s.trick[place], (leader + place) & 3)
    return trick


cdef inline void add_card(Trick* trick, int card, int seat) noexcept nogil:
    trick.cards |= bit(card)
    if card >> 4 == trick.best >> 4 and card > trick.best:
        trick.best = card
        trick.taker = seat


cdef inline int pass_card(uint64_t cards, bitgen_t* rng) noexcept nogil:
    """High spades without enough others, else the highest card of another suit."""
    cdef uint64_t fraction = rng.next_uint32(rng.state)
    cdef uint64_t others = cards & ~suit_set(SPADES)
    if digit(&fraction, ERRORS) == 0:
        return draw_card(cards, &fraction)
    if cards & HIGH_SPADES and count(cards & suit_set(SPADES)) < LONG_SPADES:
        return draw_card(cards & HIGH_SPADES, &fraction)
    return draw_card(highest_ranked(others if others else cards), &fraction)


cdef inline int lead_card(
        const State* s, int seat, uint64_t hand, bitgen_t* rng) noexcept nogil:
    """The lowest card, but no spade that may catch the queen."""
    cdef uint64_t fraction = rng.next_uint32(rng.state)
    cdef uint64_t cards = leads(hand, s.played)
    cdef uint64_t safe = cards & ~(bit(QUEEN) if s.played & bit(QUEEN) else HIGH_SPADES)
    if digit(&fraction, ERRORS) == 0:
        return draw_card(cards, &fraction)
    if has_all_points(s, seat, TEMPTING):
        return highest(highest_ranked(cards))
    return draw_card(lowest_ranked(safe if safe else cards), &fraction)


cdef inline int reply_card(
        const State* s, int seat, uint64_t hand, const Trick* trick, bitgen_t* rng) noexcept nogil:
    cdef uint64_t fraction = rng.next_uint32(rng.state)
    cdef uint64_t suited = hand & suit_set(trick.best >> 4)
    if not suited:
        return discard(s, discards(hand, s.count < NUM_SEATS), trick, &fraction)
    if digit(&fraction, ERRORS) == 0:
        return draw_card(suited, &fraction)
    if has_all_points(s, seat, TEMPTING):
        return highest(suited)
    if has_all_points(s, trick.taker, ALARMING):
        return stopper(suited, trick)
    if suited & bit(QUEEN):
        if trick.best > QUEEN:
            return QUEEN
        if suited != bit(QUEEN):
            suited ^= bit(QUEEN)
    return ducked(suited, trick, count(trick.cards) == NUM_SEATS - 1, s.count < NUM_SEATS)


cdef inline int ducked(
        uint64_t suited, const Trick* trick, bint is_last, bint is_first_trick) noexcept nogil:
    """The highest card that doesn't take the trick, or at all if the trick is taken anyway."""
    cdef uint64_t under = suited & (bit(trick.best) - 1)
    if is_first_trick or (is_last and not (under and trick.cards & point_cards())):
        return highest(suited)
    return highest(under) if under else lowest(suited)


cdef inline int stopper(uint64_t suited, const Trick* trick) noexcept nogil:
    """The highest card if it takes points from a seat that goes for the moon, else the lowest."""
    if trick.cards & point_cards() and highest(suited) > trick.best:
        return highest(suited)
    return lowest(suited)


cdef inline int discard(
        const State* s, uint64_t cards, const Trick* trick, uint64_t* fraction) noexcept nogil:
    cdef uint64_t free = cards & ~point_cards()
    cdef uint64_t high
    if digit(fraction, ERRORS) == 0:
        return draw_card(cards, fraction)
    if has_all_points(s, trick.taker, ALARMING):
        return lowest(lowest_ranked(free) if free else cards)
    if cards & bit(QUEEN):
        return QUEEN
    if cards & HIGH_SPADES and not (s.played | trick.cards) & bit(QUEEN):
        return highest(cards & HIGH_SPADES)
    high = highest_ranked(cards)
    return lowest(high & suit_set(HEARTS)) if high & suit_set(HEARTS) else draw_card(high, fraction)


cdef inline bint has_all_points(const State* s, int seat, int least) noexcept nogil:
    """Whether a seat has taken at least so many points and no other seat any."""
    return s.points[seat] >= least and (
        s.points[0] + s.points[1] + s.points[2] + s.points[3] == s.points[seat])


cdef inline int highest(uint64_t cards) noexcept nogil:
    return 63 - leading_zeros(cards)


cdef inline uint64_t highest_ranked(uint64_t cards) noexcept nogil:
    """The cards of the highest rank."""
    return cards & ALL_LANES << highest(ranks_of(cards))


cdef inline uint64_t lowest_ranked(uint64_t cards) noexcept nogil:
    """The cards of the lowest rank."""
    return cards & ALL_LANES << lowest(ranks_of(cards))


cdef inline uint64_t ranks_of(uint64_t cards) noexcept nogil:
    """The ranks of cards, in the lowest lane."""
    return (cards | cards >> 16 | cards >> 32 | cards >> 48) & SUIT_MASK


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
    cdef int seat
    for seat in range(s.to_move, NUM_SEATS):
        for _ in range(max(s.count - GIVEN_CARDS * seat, 0), GIVEN_CARDS):
            s.given[seat] |= bit(pass_card(s.held[seat] & ~s.given[seat], rng))
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
    cdef int seat = s.to_move
    cdef int card = lead_card(s, seat, hands[seat], rng)
    cdef int led = card >> 4
    cdef Trick trick = Trick(cards=bit(card), best=card, taker=seat)
    s.shown[seat] |= shown_by(card, -1, s.played, s.count)
    hands[seat] ^= bit(card)
    for _ in range(1, NUM_SEATS):
        seat = (seat + 1) & 3
        card = reply_card(s, seat, hands[seat], &trick, rng)
        if card >> 4 != led:
            s.shown[seat] |= shown_by(
                card, led, s.played | trick.cards, s.count + count(trick.cards))
        hands[seat] ^= bit(card)
        add_card(&trick, card, seat)
    s.to_move = trick.taker
    s.points[trick.taker] += points_of(trick.cards)
    s.played |= trick.cards
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
