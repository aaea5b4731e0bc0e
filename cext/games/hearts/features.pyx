"""Features of Hearts, as a seat sees them; `TABLE` and the tables behind it list the blocks.

* Each card in the own hand, and each that the seat has given or set aside and nobody has played.
* High spades that are out, the own points, hearts played, who has taken all points so far.
* Node: phase, direction of the pass, tricks played, and the running trick: its points, the seat
  that takes it so far, and whether the own seat can go under it.
* For each suit: own cards, cards out, cards out below each of the three lowest own ones, own cards
  above all that are out, rivals that have shown that they have none.
* For each rival in turn order: its points.

A card is *out* if it is neither in the own hand nor played. Counts are those of all four suits at
once, in the lanes of a word.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count
from kingmaker.cext.game cimport TERMINAL

from ...feature_blocks cimport Block, lay_out, mark_one, mark_scale, mark_set, write_marked
from .state cimport (
    HEARTS, NUM_SEATS, PHASE_PASS, PHASE_PLAY, QUEEN, SUIT_MASK, UNDRAWN, State, all_cards,
    bit, hand_of, point_cards, suit_set)

from ...feature_rows import at_least, at_most, each, prefixed
from .cards import DIRECTIONS, NAMES as CARD_NAMES, SUIT_NAMES

cdef enum CommonBlock:
    OWN_CARD
    GIVEN_CARD
    SPADES_OUT
    BROKEN
    OWN_POINTS
    HEARTS_PLAYED
    ALL_TAKEN
    PHASE
    DIRECTION
    SET_ASIDE
    TRICKS
    DISTANCE
    TRICK_SIZE
    LED
    TRICK_POINTS
    TAKER
    FOLLOWING
    NUM_COMMON

cdef enum SuitBlock:
    SUIT_OWN
    SUIT_OUT
    SUIT_BELOW          # a block for each of the lowest own cards
    SUIT_ABOVE = 5
    SUIT_VOIDS
    NUM_SUIT

cdef enum RivalBlock:
    RIVAL_POINTS
    NUM_RIVAL

cdef enum Following:    # members of FOLLOWING, as bits
    CAN_GO_UNDER = 1
    CAN_TAKE = 2
    CANNOT_FOLLOW = 4
    HAS_PLAYED = 8

cdef enum:
    NUM_WORDS = 7       # of marks
    NUM_SUITS = 4
    LOWEST_CARDS = 3
    SUITS_AT = NUM_COMMON
    RIVALS_AT = SUITS_AT + NUM_SUITS * NUM_SUIT
    TWO = 1             # sets of ranks
    ABOVE_ACE = 1 << 13

SUITS = (*SUIT_NAMES.values(),)
CARDS = (*CARD_NAMES.values(),)     # as in `packed`
SEATS = ("own seat", "rival 1", "rival 2", "rival 3")

TABLE = {
    OWN_CARD: each("own hand: {}", CARDS),
    GIVEN_CARD: each("given and not played: {}", CARDS),
    SPADES_OUT: each("out: {}", ("qs", "ks", "as")),
    BROKEN: each("{}", ("hearts are not broken", "hearts are broken")),
    OWN_POINTS: at_least("own points: {} or more", *range(1, 27)),
    HEARTS_PLAYED: at_least("hearts played: {} or more", *range(1, 14)),
    ALL_TAKEN: each("all points so far taken by {}", SEATS),
    PHASE: each("phase: {}", ("direction", "deal", "pass", "play")),
    DIRECTION: each("direction of the pass: {}", DIRECTIONS),
    SET_ASIDE: at_least("own cards set aside: {} or more", 1, 2, 3),
    TRICKS: at_least("tricks: {} or more", *range(1, 13)),
    DISTANCE: each("seats before the own move: {}", range(4)),
    TRICK_SIZE: at_least("trick: {} cards or more", 1, 2, 3),
    LED: each("trick: led {}", SUITS),
    TRICK_POINTS: at_least("trick: {} points or more", 1, 2, 3, 13, 14, 15),
    TAKER: each("trick: taken so far by {}", SEATS),
    FOLLOWING: each("trick: own seat {}", (
        "can go under it", "can take it", "cannot follow", "has played")),
}
SUIT_TABLE = {
    SUIT_OWN: at_least("{} own or more", 1, 2, 3, 4, 5, 6, 7),
    SUIT_OUT: at_most("{} out or fewer", 8, 6, 4, 3, 2, 1, 0),
    **{SUIT_BELOW + place: at_least(f"{{}} or more out below own card {place + 1}", 1, 2, 3, 5)
       for place in range(LOWEST_CARDS)},
    SUIT_ABOVE: at_least("{} own or more above all out", 1, 2, 3),
    SUIT_VOIDS: each("none with {}", SEATS[1:]),
}
RIVAL_TABLE = {
    RIVAL_POINTS: at_least("{} points or more", 1, 2, 3, 4, 6, 8, 10, 13, 14, 16, 20, 23, 26),
}

cdef Block[RIVALS_AT + (NUM_SEATS - 1) * NUM_RIVAL + 1] BLOCKS
cdef int32_t[NUM_WORDS] WORD_FIRST


def fill_blocks() -> list[str]:
    """Fill the blocks and return the names of the features."""
    cdef int number
    rows = dict(TABLE)
    for number, suit in enumerate(SUITS):
        rows |= prefixed(suit, SUIT_TABLE, SUITS_AT + number * NUM_SUIT)
    for number, rival in enumerate(SEATS[1:]):
        rows |= prefixed(rival, RIVAL_TABLE, RIVALS_AT + number * NUM_RIVAL)
    return lay_out(BLOCKS, WORD_FIRST, NUM_WORDS, rows)


FEATURE_NAMES = fill_blocks()


cdef int hearts_num_features() noexcept nogil:
    return BLOCKS[RIVALS_AT + (NUM_SEATS - 1) * NUM_RIVAL].first


cdef int hearts_features(const State* s, int seat, int32_t* out) noexcept nogil:
    cdef uint64_t[NUM_WORDS] marks
    cdef uint64_t given = s.given[seat]
    cdef uint64_t own = hand_of(s, seat)
    cdef uint64_t out_cards
    cdef int rival
    memset(marks, 0, sizeof(marks))
    if s.phase == PHASE_PASS:
        own &= ~given
    out_cards = all_cards() & ~(own | s.played)
    mark_set(marks, &BLOCKS[<int>OWN_CARD], packed(own))
    mark_set(marks, &BLOCKS[<int>GIVEN_CARD], packed(given & ~s.played))
    mark_table(s, seat, out_cards, marks)
    if s.to_move != TERMINAL:
        mark_node(s, seat, own, marks)
    mark_suits(s, seat, own, out_cards, marks)
    for rival in range(1, NUM_SEATS):
        mark_scale(
            marks, &BLOCKS[RIVALS_AT + (rival - 1) * NUM_RIVAL], s.points[(seat + rival) & 3])
    return write_marked(marks, WORD_FIRST, NUM_WORDS, out)


# --- cards and points -----------------------------------------------------------------------------

cdef inline uint64_t packed(uint64_t cards) noexcept nogil:
    """A set of cards as bits in card order, without gaps between suits."""
    return ((cards & SUIT_MASK) | (cards >> 3 & <uint64_t>SUIT_MASK << 13)
            | (cards >> 6 & <uint64_t>SUIT_MASK << 26) | (cards >> 9 & <uint64_t>SUIT_MASK << 39))


cdef inline void mark_table(
        const State* s, int seat, uint64_t out_cards, uint64_t* marks) noexcept nogil:
    cdef int taken = s.points[0] + s.points[1] + s.points[2] + s.points[3]
    cdef int other
    mark_set(marks, &BLOCKS[<int>SPADES_OUT], out_cards >> QUEEN)
    mark_one(marks, &BLOCKS[<int>BROKEN], (s.played & point_cards()) != 0)
    mark_scale(marks, &BLOCKS[<int>OWN_POINTS], s.points[seat])
    mark_scale(marks, &BLOCKS[<int>HEARTS_PLAYED], count(s.played & suit_set(HEARTS)))
    if taken:
        for other in range(NUM_SEATS):
            if s.points[other] == taken:
                mark_one(marks, &BLOCKS[<int>ALL_TAKEN], (other - seat) & 3)


# --- node -----------------------------------------------------------------------------------------

cdef inline void mark_node(
        const State* s, int seat, uint64_t own, uint64_t* marks) noexcept nogil:
    mark_one(marks, &BLOCKS[<int>PHASE], s.phase)
    if s.direction != UNDRAWN:
        mark_one(marks, &BLOCKS[<int>DIRECTION], s.direction)
    if s.phase == PHASE_PASS:
        mark_scale(marks, &BLOCKS[<int>SET_ASIDE], count(s.given[seat]))
    if s.phase >= PHASE_PASS:
        mark_one(marks, &BLOCKS[<int>DISTANCE], (seat - s.to_move) & 3)
    if s.phase == PHASE_PLAY:
        mark_scale(marks, &BLOCKS[<int>TRICKS], s.count >> 2)
        if s.count & 3:
            mark_trick(s, seat, own, marks)


cdef inline void mark_trick(
        const State* s, int seat, uint64_t own, uint64_t* marks) noexcept nogil:
    cdef int size = s.count & 3
    cdef int leader = s.to_move - size
    cdef int led = s.trick[0] >> 4
    cdef int best = 0
    cdef int points = 0
    cdef int place
    for place in range(size):
        points += (s.trick[place] >> 4 == HEARTS) + 13 * (s.trick[place] == QUEEN)
        if s.trick[place] >> 4 == led and s.trick[place] > s.trick[best]:
            best = place
    mark_scale(marks, &BLOCKS[<int>TRICK_SIZE], size)
    mark_one(marks, &BLOCKS[<int>LED], led)
    mark_scale(marks, &BLOCKS[<int>TRICK_POINTS], points)
    mark_one(marks, &BLOCKS[<int>TAKER], (leader + best - seat) & 3)
    mark_set(
        marks, &BLOCKS[<int>FOLLOWING],
        HAS_PLAYED if (seat - leader) & 3 < size else following(own, s.trick[best]))


cdef inline int following(uint64_t own, int best) noexcept nogil:
    """What a hand can do about a trick with this highest card of the led suit."""
    cdef uint64_t suited = own & suit_set(best >> 4)
    cdef int members = 0
    if not suited:
        return CANNOT_FOLLOW
    if suited & (bit(best) - 1):
        members |= CAN_GO_UNDER
    if suited & ~(bit(best) - 1):
        members |= CAN_TAKE
    return members


# --- suits ----------------------------------------------------------------------------------------

cdef inline uint64_t lane_counts(uint64_t cards) noexcept nogil:
    """The number of cards of each suit, in its lane."""
    cards -= cards >> 1 & <uint64_t>0x5555555555555555
    cards = (cards & <uint64_t>0x3333333333333333) + (cards >> 2 & <uint64_t>0x3333333333333333)
    cards = (cards + (cards >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    return (cards + (cards >> 8)) & <uint64_t>0x00FF00FF00FF00FF


cdef inline int in_lane(uint64_t counts, int suit) noexcept nogil:
    return counts >> (suit << 4) & SUIT_MASK


cdef inline uint64_t of_all_suits(int ranks) noexcept nogil:
    """A set of ranks in the lane of each suit."""
    return <uint64_t>ranks * <uint64_t>0x0001000100010001


cdef inline uint64_t with_lower(uint64_t cards) noexcept nogil:
    """The cards and all lower ones of their suits; masks keep the lanes apart."""
    cards |= cards >> 1 & of_all_suits(0x0FFF)
    cards |= cards >> 2 & of_all_suits(0x07FF)
    cards |= cards >> 4 & of_all_suits(0x01FF)
    return cards | (cards >> 8 & of_all_suits(0x001F))


cdef inline void mark_suits(
        const State* s, int seat, uint64_t own, uint64_t out_cards,
        uint64_t* marks) noexcept nogil:
    cdef const Block* blocks
    cdef uint64_t num_own = lane_counts(own)
    cdef uint64_t num_out = lane_counts(out_cards)
    cdef uint64_t num_above = lane_counts(own & ~with_lower(out_cards))
    cdef uint64_t[LOWEST_CARDS] num_below
    cdef uint64_t rest = own
    cdef int place, suit
    for place in range(LOWEST_CARDS):
        rest |= of_all_suits(ABOVE_ACE)     # so that no lane borrows
        num_below[place] = lane_counts(out_cards & ~rest & (rest - of_all_suits(TWO)))
        rest &= rest - of_all_suits(TWO)
    for suit in range(NUM_SUITS):
        blocks = &BLOCKS[SUITS_AT + suit * NUM_SUIT]
        mark_scale(marks, &blocks[<int>SUIT_OWN], in_lane(num_own, suit))
        mark_scale(marks, &blocks[<int>SUIT_OUT], in_lane(num_out, suit))
        for place in range(min(<int>LOWEST_CARDS, in_lane(num_own, suit))):
            mark_scale(marks, &blocks[SUIT_BELOW + place], in_lane(num_below[place], suit))
        mark_scale(marks, &blocks[<int>SUIT_ABOVE], in_lane(num_above, suit))
        mark_set(marks, &blocks[<int>SUIT_VOIDS], voids(s, seat, suit))


cdef inline uint64_t voids(const State* s, int seat, int suit) noexcept nogil:
    """The rivals that have shown that they have no card of a suit."""
    return ((s.shown[(seat + 1) & 3] >> suit & 1) | (s.shown[(seat + 2) & 3] >> suit & 1) << 1
            | (s.shown[(seat + 3) & 3] >> suit & 1) << 2)
