"""Moves as options of the playout policy, with the rows of their learned factors (policy_rows.pxd).

`benchmarks.playout_policy` finds the factors. All that the rows tell is seen by the seat to move.
"""

from libc.stdint cimport uint8_t, uint64_t

from kingmaker.cext.bits cimport lowest
from kingmaker.cext.choice cimport Choice, Factors, add_row, begin_option, end_option

from .policy_rows cimport (
    AT_DISCARD, AT_DISCARD_CARD, AT_DISCARD_HOLDS, AT_DISCARD_KIND, AT_DISCARD_LENGTH,
    AT_DISCARD_LOSERS, AT_DISCARD_PLACE, AT_DISCARD_QUEEN, AT_FOLLOW, AT_FOLLOW_EXITS,
    AT_FOLLOW_GUARD, AT_FOLLOW_LOSERS, AT_FOLLOW_ORDER, AT_FOLLOW_PLACE, AT_FOLLOW_SPADE,
    AT_FOLLOW_STAND, AT_FOLLOW_VOIDS, AT_LEAD, AT_LEAD_HOLDS, AT_LEAD_KIND, AT_LEAD_LENGTH,
    AT_LEAD_LOSERS, AT_LEAD_PLACE, AT_LEAD_STAND, AT_LEAD_VOIDS, AT_PASS, AT_PASS_ASIDE,
    AT_PASS_HIGH, AT_PASS_PLACE, AT_PASS_SPADES, AT_PASS_VOID, NUM_ABOVE, NUM_ASIDE, NUM_BETWEEN,
    NUM_CLASSES, NUM_DIRECTIONS, NUM_EXITS, NUM_GUARDS, NUM_HIGH, NUM_HOLDINGS, NUM_LENGTHS,
    NUM_LONG, NUM_LOSERS, NUM_PLACES, NUM_QUEENS, NUM_SEATS_AFTER, NUM_STAGES, NUM_STAKES,
    NUM_STANDS, NUM_SUITS, NUM_VOIDS, QUEEN_GIVEN, QUEEN_GONE, QUEEN_HERE, QUEEN_OUT, QUEEN_OWN,
    STAND_NONE, STAND_OWN, STAND_RIVAL, STAND_SPLIT, STAND_TAKER)
from .state cimport (
    GIVEN_CARDS, HEARTS, NUM_SEATS, QUEEN, SUIT_MASK, VERB_PASS, VERB_PLAY, State, all_cards,
    hand_of)

cdef extern from *:
    """
    #define HEARTS_2(n) n, n + 1, n + 1, n + 2
    #define HEARTS_4(n) HEARTS_2(n), HEARTS_2(n + 1), HEARTS_2(n + 1), HEARTS_2(n + 2)
    #define HEARTS_6(n) HEARTS_4(n), HEARTS_4(n + 1), HEARTS_4(n + 1), HEARTS_4(n + 2)
    #define HEARTS_8(n) HEARTS_6(n), HEARTS_6(n + 1), HEARTS_6(n + 1), HEARTS_6(n + 2)
    #define HEARTS_10(n) HEARTS_8(n), HEARTS_8(n + 1), HEARTS_8(n + 1), HEARTS_8(n + 2)
    #define HEARTS_12(n) HEARTS_10(n), HEARTS_10(n + 1), HEARTS_10(n + 1), HEARTS_10(n + 2)
    static const unsigned char HEARTS_SIZES[1 << 13] = {HEARTS_12(0), HEARTS_12(1)};
    """
    # By a set of ranks, the number of its members.
    const uint8_t* SIZES "HEARTS_SIZES"
    int leading_zeros "__builtin_clzll"(uint64_t mask) noexcept nogil  # undefined for 0

cdef enum:
    SPADES = QUEEN >> 4
    JACK = 9
    HIGH_RANKS = 0x1E00     # jacks and higher

# What is the same for all options of a decision.
cdef struct Stand:
    uint64_t hand
    uint64_t out_cards
    int queen               # `Queen`
    int stand               # `Standing`
    int stage
    int losers
    int exits
    int holding
    int spades
    # The running trick
    int best
    int after               # seats still to play
    int voids               # of them, known to have none of the suit
    int stakes


cdef inline int upto(int number, int values) noexcept nogil:
    """The number as one of 0 to `values` - 1."""
    return number if number < values else values - 1


cdef inline int lane(uint64_t cards, int suit) noexcept nogil:
    """The set of ranks of a suit in a set of cards."""
    return cards >> (suit << 4) & SUIT_MASK


cdef inline uint64_t of_all_suits(int ranks) noexcept nogil:
    """A set of ranks in the lane of each suit."""
    return <uint64_t>ranks * <uint64_t>0x0001000100010001


cdef inline int size_of(uint64_t cards) noexcept nogil:
    """The number of cards."""
    return (SIZES[lane(cards, 0)] + SIZES[lane(cards, 1)] + SIZES[lane(cards, 2)]
            + SIZES[lane(cards, 3)])


cdef inline int grouped(int number) noexcept nogil:
    """A number of cards as one of `NUM_BETWEEN`."""
    return number - <int>(number > 4) if number < 6 else NUM_BETWEEN - 1


cdef inline int kind_of(int suit, int rank) noexcept nogil:
    return suit + rank - JACK if suit == SPADES and rank > JACK else suit


# --- the position ---------------------------------------------------------------------------------

cdef inline void look(const State* s, Stand* own) noexcept nogil:
    """Look at the position of the seat that plays a card."""
    cdef int size = s.count & 3
    cdef uint64_t hand = hand_of(s, s.to_move)
    own.hand = hand
    own.out_cards = all_cards() & ~(hand | s.played)
    own.stage = <int>(s.count >= 4) + <int>(s.count >= 16) + <int>(s.count >= 32)
    own.holding = hand >> QUEEN & 7
    own.spades = upto(SIZES[lane(hand, SPADES)], NUM_LENGTHS)
    own.queen = (
        QUEEN_GONE if s.played >> QUEEN & 1 else QUEEN_OWN if own.holding & 1 else
        QUEEN_GIVEN if s.given[s.to_move] >> QUEEN & 1 else QUEEN_OUT)
    compare(own)
    own.stand = standing_of(s, look_at_trick(s, size, own) if size else s.to_move)


cdef inline void compare(Stand* own) noexcept nogil:
    """Compare the hand with the cards that are out."""
    cdef int losers = 0
    cdef int suit, ranks, rest
    own.exits = 0
    for suit in range(NUM_SUITS):
        ranks = lane(own.hand, suit)
        rest = lane(own.out_cards, suit)
        if ranks and rest:
            losers += SIZES[ranks & ((1 << (63 - leading_zeros(rest))) - 1)]
            own.exits += <int>((ranks & -ranks) < (rest & -rest))
    own.losers = losers - <int>(losers > 3) if losers < 5 else NUM_LOSERS - 1


cdef inline int look_at_trick(const State* s, int size, Stand* own) noexcept nogil:
    """Look at the running trick; returns the seat that takes it so far."""
    cdef int led = s.trick[0] >> 4
    cdef int best = s.trick[0]
    cdef int points = 0
    cdef int taker = 0
    cdef int place, card
    for place in range(size):
        card = s.trick[place]
        points += <int>(card >> 4 == HEARTS) + 13 * <int>(card == QUEEN)
        if card >> 4 == led and card > best:
            best = card
            taker = place
    if points >= 13:
        own.queen = QUEEN_HERE
    own.best = best
    own.after = NUM_SEATS - 1 - size
    own.voids = 0
    for place in range(1, own.after + 1):
        own.voids += s.shown[(s.to_move + place) & 3] >> led & 1
    own.stakes = 0 if s.count < NUM_SEATS else (
        1 + <int>(points > 0) + <int>(points > 1) + <int>(points >= 13))
    return (s.to_move - size + taker) & 3


cdef inline int standing_of(const State* s, int taker) noexcept nogil:
    cdef int taken = s.points[0] + s.points[1] + s.points[2] + s.points[3]
    cdef int level = <int>(taken >= 5) + <int>(taken >= 13) + <int>(taken >= 20)
    cdef int seat
    if taken == 0:
        return STAND_NONE
    for seat in range(NUM_SEATS):
        if s.points[seat] == taken:
            return level + (
                STAND_OWN if seat == s.to_move else
                STAND_TAKER if seat == taker else STAND_RIVAL)
    return STAND_SPLIT


# --- the cards ------------------------------------------------------------------------------------

cdef inline void offer_leads(
        Choice* choice, const Factors* factors, const State* s, const Stand* own,
        uint64_t cards) noexcept nogil:
    cdef int suit, ranks, rest, length, rank, below, above, voids, place, kind, all_out, seat
    for suit in range(NUM_SUITS):
        ranks = lane(cards, suit)
        if not ranks:
            continue
        rest = lane(own.out_cards, suit)
        all_out = SIZES[rest]
        length = upto(SIZES[lane(own.hand, suit)] - 1, NUM_LENGTHS)
        voids = 0
        for seat in range(1, NUM_SEATS):
            voids += s.shown[(s.to_move + seat) & 3] >> suit & 1
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            below = SIZES[rest & ((1 << rank) - 1)]
            above = all_out - below
            below = grouped(below)
            place = upto(SIZES[lane(own.hand, suit) & ((1 << rank) - 1)], NUM_PLACES)
            kind = kind_of(suit, rank)
            begin_option(choice, VERB_PLAY | suit << 4 | rank)
            add_row(choice, factors, AT_LEAD + own.queen + NUM_QUEENS * (
                (suit * NUM_BETWEEN + below) * NUM_BETWEEN + grouped(above)))
            add_row(choice, factors, AT_LEAD_KIND + kind * NUM_QUEENS + own.queen)
            add_row(choice, factors, AT_LEAD_LENGTH + own.stage + NUM_STAGES * (
                (suit * NUM_LENGTHS + length) * NUM_BETWEEN + grouped(all_out)))
            add_row(choice, factors, AT_LEAD_STAND + upto(above, NUM_ABOVE) + NUM_ABOVE * (
                (own.stand * NUM_SUITS + suit) * NUM_BETWEEN + below))
            add_row(choice, factors, AT_LEAD_VOIDS + own.queen + NUM_QUEENS * (
                (suit * NUM_VOIDS + voids) * NUM_BETWEEN + below))
            add_row(choice, factors, AT_LEAD_HOLDS + (
                (kind * NUM_HOLDINGS + own.holding) * NUM_LENGTHS + length))
            add_row(choice, factors, AT_LEAD_LOSERS + own.stage + NUM_STAGES * (
                (<int>(above == 0) * NUM_LOSERS + own.losers) * NUM_STANDS + own.stand))
            add_row(choice, factors, AT_LEAD_PLACE + (
                (suit * NUM_PLACES + place) * NUM_LENGTHS + length))
            end_option(choice)


cdef inline void offer_follows(
        Choice* choice, const Factors* factors, const Stand* own, uint64_t cards) noexcept nogil:
    """Offer cards of the suit that was led."""
    cdef int suit = own.best >> 4
    cdef int shape = max(suit - 1, 0)
    cdef int best = own.best & 15
    cdef int ranks = lane(cards, suit)
    cdef int rest = lane(own.out_cards, suit)
    cdef int length = upto(SIZES[lane(own.hand, suit)] - 1, NUM_LENGTHS)
    cdef int all_out = SIZES[rest]
    cdef int rank, below, above, place, over
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        below = SIZES[rest & ((1 << rank) - 1)]
        above = grouped(all_out - below)
        below = grouped(below)
        place = upto(SIZES[lane(own.hand, suit) & ((1 << rank) - 1)], NUM_PLACES)
        over = <int>(rank > best)
        begin_option(choice, VERB_PLAY | suit << 4 | rank)
        add_row(choice, factors, AT_FOLLOW + above + NUM_BETWEEN * (below + NUM_BETWEEN * (
            own.stakes + NUM_STAKES * (own.after + NUM_SEATS_AFTER * (2 * shape + over)))))
        add_row(choice, factors, AT_FOLLOW_ORDER + above + NUM_BETWEEN * (
            below + NUM_BETWEEN * (2 * shape + over)))
        add_row(choice, factors, AT_FOLLOW_STAND + own.after + NUM_SEATS_AFTER * (
            (over * NUM_STANDS + own.stand) * NUM_STAKES + own.stakes))
        add_row(choice, factors, AT_FOLLOW_PLACE + own.after + NUM_SEATS_AFTER * (
            own.stage + NUM_STAGES * ((over * NUM_PLACES + place) * NUM_LENGTHS + length)))
        add_row(choice, factors, AT_FOLLOW_VOIDS + own.queen + NUM_QUEENS * (
            ((2 * shape + over) * NUM_VOIDS + own.voids) * NUM_BETWEEN + below))
        add_row(choice, factors, AT_FOLLOW_EXITS + own.stakes + NUM_STAKES * (
            own.after + NUM_SEATS_AFTER * (
                own.stage + NUM_STAGES * (over * NUM_EXITS + own.exits))))
        add_row(choice, factors, AT_FOLLOW_LOSERS + own.stakes + NUM_STAKES * (
            (over * NUM_LOSERS + own.losers) * NUM_STANDS + own.stand))
        if suit == SPADES:
            add_row(choice, factors, AT_FOLLOW_SPADE + own.after + NUM_SEATS_AFTER * (
                own.queen + NUM_QUEENS * (
                    max(rank - JACK, 0) * NUM_CLASSES + max(best - JACK, 0))))
            add_row(choice, factors, AT_FOLLOW_GUARD + length + NUM_LENGTHS * (
                own.queen + NUM_QUEENS * (2 * max(rank - JACK, 0) + over)))
        end_option(choice)


cdef inline void offer_discards(
        Choice* choice, const Factors* factors, const Stand* own, uint64_t cards) noexcept nogil:
    """Offer cards of other suits than was led."""
    cdef int suit, ranks, rest, length, rank, below, above, place, kind, all_out
    for suit in range(NUM_SUITS):
        ranks = lane(cards, suit)
        if not ranks:
            continue
        rest = lane(own.out_cards, suit)
        all_out = SIZES[rest]
        length = upto(SIZES[lane(own.hand, suit)] - 1, NUM_LENGTHS)
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            below = SIZES[rest & ((1 << rank) - 1)]
            above = all_out - below
            below = grouped(below)
            place = upto(SIZES[lane(own.hand, suit) & ((1 << rank) - 1)], NUM_PLACES)
            kind = kind_of(suit, rank)
            begin_option(choice, VERB_PLAY | suit << 4 | rank)
            add_row(choice, factors, AT_DISCARD + own.queen + NUM_QUEENS * (
                (suit * NUM_BETWEEN + below) * NUM_BETWEEN + grouped(above)))
            add_row(choice, factors, AT_DISCARD_QUEEN + kind * NUM_QUEENS + own.queen)
            add_row(choice, factors, AT_DISCARD_LENGTH + own.stage + NUM_STAGES * (
                (suit * NUM_LENGTHS + length) * NUM_BETWEEN + grouped(all_out)))
            add_row(choice, factors, AT_DISCARD_KIND + own.after + NUM_SEATS_AFTER * (
                (kind * NUM_STANDS + own.stand) * NUM_STAKES + own.stakes))
            add_row(choice, factors,
                    AT_DISCARD_CARD + (13 * suit + rank) * NUM_STANDS + own.stand)
            add_row(choice, factors,
                    AT_DISCARD_PLACE + (suit * NUM_PLACES + place) * NUM_LENGTHS + length)
            add_row(choice, factors, AT_DISCARD_HOLDS + own.spades + NUM_LENGTHS * (
                kind * NUM_HOLDINGS + own.holding))
            add_row(choice, factors, AT_DISCARD_LOSERS + own.stand + NUM_STANDS * (
                <int>(above == 0) * NUM_LOSERS + own.losers))
            end_option(choice)


cdef inline void offer_passes(
        Choice* choice, const Factors* factors, const State* s, uint64_t cards) noexcept nogil:
    cdef uint64_t hand = s.held[s.to_move] & ~s.given[s.to_move]
    cdef int aside = s.count - GIVEN_CARDS * s.to_move
    cdef int direction = s.direction - 1
    cdef int holding = hand >> QUEEN & 7
    cdef int guards = upto(max(SIZES[lane(hand, SPADES)] - 2, 0), NUM_GUARDS)
    cdef int high = upto(size_of(hand & of_all_suits(HIGH_RANKS)), NUM_HIGH)
    cdef int suit, ranks, length, rank, place, card
    for suit in range(NUM_SUITS):
        ranks = lane(cards, suit)
        length = upto(SIZES[lane(hand, suit)] - 1, NUM_LONG)
        while ranks:
            rank = lowest(ranks)
            ranks &= ranks - 1
            place = upto(SIZES[lane(hand, suit) & ((1 << rank) - 1)], NUM_PLACES)
            card = 13 * suit + rank
            begin_option(choice, VERB_PASS | suit << 4 | rank)
            add_row(choice, factors, AT_PASS + card * NUM_LONG + length)
            add_row(choice, factors,
                    AT_PASS_SPADES + (card * NUM_HOLDINGS + holding) * NUM_GUARDS + guards)
            add_row(choice, factors, AT_PASS_PLACE + card * NUM_PLACES + place)
            add_row(choice, factors,
                    AT_PASS_ASIDE + (card * NUM_DIRECTIONS + direction) * NUM_ASIDE + aside)
            add_row(choice, factors, AT_PASS_VOID + holding + NUM_HOLDINGS * (
                (suit * NUM_LONG + length) * NUM_ASIDE + aside))
            add_row(choice, factors, AT_PASS_HIGH + card * NUM_HIGH + high)
            end_option(choice)


cdef inline void offer_cards(
        Choice* choice, const Factors* factors, const State* s, uint64_t cards) noexcept nogil:
    """Offer some of the legal plays."""
    cdef Stand own
    look(s, &own)
    if not s.count & 3:
        offer_leads(choice, factors, s, &own, cards)
    elif lane(cards, own.best >> 4):
        offer_follows(choice, factors, &own, cards)
    else:
        offer_discards(choice, factors, &own, cards)
