"""Features of Code of Chivalry, as a seat sees them; `TABLE` and `RIVAL_TABLE` list the blocks.

* Own kingdom: thermometers of the copies of each card in hand, of the size of the hand, cards known
  to all, gems, missing gems and the lead over the richest rival; fortifications.
* Turn and table: seats before the own turn, cards to come and to go, reshuffles, pile, turns left,
  kind of node, attack card, and what the gems under way change if nobody does anything.
* Cards of rivals, pooled: those that are known, and those of which no other copies are left.
* A block for each rival in turn order: missing gems, gems, size of the hand, cards known,
  fortifications, and its part in the node. They come last, so that games with fewer seats have the
  same features under the same indices, only fewer.

The deck's options change no index. Phases and roles are those of the state as it is: an attack or
robbery under way is not played to its end, as `evaluate` does.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from ...feature_blocks cimport Block, lay_out, mark_one, mark_scale, mark_set, write_marked
from .multiset cimport copies_of, kinds, pop_kind, size_of
from .rules cimport beneficiary, target_of
from .state cimport (
    ARCHER, DRAGON, FORT_ARCHER, FORT_CASTLE, FORT_MINSTREL, KING, NINJA, NO_LADDER, PHASE_ATTACK,
    PHASE_DEAL, PHASE_DRAW, PHASE_GIVE, PHASE_OVER_GEMS, PHASE_RESPOND, PHASE_ROB, PHASE_TAKE,
    PUBLIC, SEATS, Rules, State)
from .table cimport cards_in_view, strength_of

from ...feature_rows import at_least, at_most, each, prefixed
from .cards import CARDS

cdef enum CommonBlock:
    OWN_CARD            # a block for each of the 19 cards
    OWN_SIZE = 19
    OWN_KNOWN
    OWN_GEMS
    OWN_MISSING
    OWN_FORTS
    LEAD
    RICHEST_MISSING
    TURN_DISTANCE
    TO_COME
    TO_GO
    RESHUFFLES
    PILE
    TURNS_LEFT
    NODE
    PART
    STRENGTH
    TRICK
    OWN_GAIN
    OWN_LOSS
    OTHERS_GAIN
    WINS
    GONE
    KNOWN
    NUM_COMMON

cdef enum RivalBlock:
    RIVAL_MISSING
    RIVAL_GEMS
    RIVAL_SIZE
    RIVAL_KNOWN
    RIVAL_TO_COME
    RIVAL_FORTS
    RIVAL_PART
    NUM_RIVAL

cdef enum Part:         # members of PART and RIVAL_PART, as bits
    PART_NODE = 1
    PART_TARGET = 2

cdef enum:
    LADDER_MEMBER = 2   # of PART only, behind the bits of `Part`

cdef enum Trick:        # members of TRICK: attack cards that are no strength cards
    TRICK_NINJA
    TRICK_DRAGON
    TRICK_ARCHER

cdef enum Winner:       # members of WINS
    WIN_OWN
    WIN_RIVAL

cdef enum:
    ALL_FORTS = FORT_CASTLE | FORT_ARCHER | FORT_MINSTREL
    NUM_WORDS = 6       # of marks
    FORTS_BOTH = 8      # castle and archer, behind the bits of `Fort`

cdef struct Flight:
    # Gems that move if nobody plays another card.
    int source
    int receiver
    int gems            # 0: none
    bint wins           # for the receiver

# Copies of a card in hand from which on more of them make no difference.
MOST_COPIES = {"peasant": 8, "soldier": 6, "knight": 4, "king": 3, "ninja": 3, "archer": 3,
               "castle": 3}
NODES = ("deal", "draw", "choice of the turn", "fortifying", "attack", "answer", "robbery",
         "laying of cards", "choice of a card", "merchant", "tax", "giving")    # by `Phase`
FORTS = ("castle", "archer", "minstrel", "castle and archer")

TABLE = {
    **{OWN_CARD + number: at_least(
        f"own hand: {card}, {{}} or more", *range(1, MOST_COPIES.get(card, 2) + 1))
       for number, card in enumerate(CARDS)},
    OWN_SIZE: at_least("own hand: {} cards or more", 1, 2, 3, 4, 5, 6, 7, 8, 10),
    OWN_KNOWN: at_least("own hand: {} cards or more known to all", 1, 2, 3),
    OWN_GEMS: at_most("own gems: {} or fewer", 3, 2, 1, 0),
    OWN_MISSING: at_most("own gems: {} or fewer missing", 8, 7, 6, 5, 4, 3, 2, 1),
    OWN_FORTS: each("own fortification: {}", FORTS),
    LEAD: at_least("own gems less those of the richest rival: {} or more",
                   -4, -3, -2, -1, 0, 1, 2, 3, 4),
    RICHEST_MISSING: at_most("richest rival: {} gems or fewer missing", 5, 4, 3, 2, 1),
    TURN_DISTANCE: each("seats before the own turn: {}", range(SEATS)),
    TO_COME: at_least("own cards to come: {} or more", 1, 2, 3, 4),
    TO_GO: at_least("own cards to go: {} or more", 1, 2, 3, 4),
    RESHUFFLES: at_least("reshuffles: {} or more", 1, 2, 3),
    PILE: at_most("draw pile: {} cards or fewer", 60, 40, 25, 15, 8, 4, 2),
    TURNS_LEFT: at_most("turns left: {} or fewer", 32, 16, 8, 4, 2, 1, 0),
    NODE: each("node: {}", NODES),
    PART: each("node: {}", ("own seat asked", "own seat attacked", "ladder on the table")),
    STRENGTH: at_least("attack card: strength {} or more", 1, 2, 3, 4, 5),
    TRICK: each("attack card: {}", ("ninja", "dragon", "archer")),
    OWN_GAIN: at_least("gems under way to own seat: {} or more", 1, 2, 3, 4),
    OWN_LOSS: at_least("gems under way from own seat: {} or more", 1, 2, 3, 4),
    OTHERS_GAIN: at_least("gems under way between rivals: {} or more", 1, 2, 3, 4),
    WINS: each("gems under way win for {}", ("own seat", "a rival")),
    GONE: each("neither in the pile nor unknown in a rival's hand: {}", CARDS),
    KNOWN: each("known in a rival's hand: {}", CARDS),
}
RIVAL_TABLE = {
    RIVAL_MISSING: at_most("{} gems or fewer missing", 8, 6, 5, 4, 3, 2, 1),
    RIVAL_GEMS: at_most("{} gems or fewer", 3, 2, 1, 0),
    RIVAL_SIZE: at_least("hand of {} cards or more", 1, 2, 3, 4, 5, 6, 8),
    RIVAL_KNOWN: at_least("{} cards or more known", 1, 2, 3),
    RIVAL_TO_COME: at_least("{} cards or more to come", 1, 2),
    RIVAL_FORTS: each("fortification: {}", FORTS),
    RIVAL_PART: each("{}", ("asked", "attacked")),
}

cdef Block[NUM_COMMON + (SEATS - 1) * NUM_RIVAL + 1] BLOCKS
cdef int32_t[NUM_WORDS] WORD_FIRST


def fill_blocks() -> list[str]:
    """Fill the blocks and return the names of the features for the most seats."""
    cdef int rival
    rows = dict(TABLE)
    for rival in range(SEATS - 1):
        rows |= prefixed(f"rival {rival + 1}", RIVAL_TABLE, NUM_COMMON + rival * NUM_RIVAL)
    return lay_out(BLOCKS, WORD_FIRST, NUM_WORDS, rows)


FEATURE_NAMES = fill_blocks()


cdef int coc_num_features(int num_seats) noexcept nogil:
    return BLOCKS[NUM_COMMON + (num_seats - 1) * NUM_RIVAL].first


cdef int coc_features(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef uint64_t[NUM_WORDS] marks
    cdef int target = target_of(rules, s)
    cdef int other = seat
    cdef int rival
    memset(marks, 0, sizeof(marks))
    mark_own(s, seat, target, marks)
    mark_race(rules, s, seat, target, marks)
    if s.phase < PHASE_OVER_GEMS:
        mark_node(s, seat, target, marks)
    mark_cards(rules, s, seat, marks)
    for rival in range(rules.num_seats - 1):
        other = other + 1 if other + 1 < rules.num_seats else 0
        mark_rival(s, seat, other, target, &BLOCKS[NUM_COMMON + rival * NUM_RIVAL], marks)
    return write_marked(marks, WORD_FIRST, NUM_WORDS, out)


# --- own kingdom, turn ----------------------------------------------------------------------------

cdef inline void mark_own(const State* s, int seat, int target, uint64_t* marks) noexcept nogil:
    cdef uint64_t members = kinds(s.hands[seat])
    cdef int card
    while members:
        card = pop_kind(&members)
        mark_scale(marks, &BLOCKS[OWN_CARD + card], copies_of(s.hands[seat], card))
    mark_scale(marks, &BLOCKS[<int>OWN_SIZE], size_of(s.hands[seat]))
    mark_scale(marks, &BLOCKS[<int>OWN_KNOWN], size_of(s.known[seat][<int>PUBLIC]))
    mark_scale(marks, &BLOCKS[<int>OWN_GEMS], s.gems[seat])
    mark_scale(marks, &BLOCKS[<int>OWN_MISSING], target - s.gems[seat])
    mark_set(marks, &BLOCKS[<int>OWN_FORTS], forts_of(s, seat))


cdef inline uint64_t forts_of(const State* s, int seat) noexcept nogil:
    """The members of a block of fortifications."""
    cdef int forts = s.forts[seat] & ALL_FORTS
    if forts & (FORT_CASTLE | FORT_ARCHER) == FORT_CASTLE | FORT_ARCHER:
        forts |= FORTS_BOTH
    return forts


cdef inline void mark_race(
        const Rules* rules, const State* s, int seat, int target, uint64_t* marks) noexcept nogil:
    """Richest rival, turn order, and what ends the game without a winner."""
    cdef int distance = seat - s.active
    cdef int richest = 0
    cdef int other
    for other in range(rules.num_seats):
        if other != seat:
            richest = max(richest, <int>s.gems[other])
    mark_scale(marks, &BLOCKS[<int>LEAD], s.gems[seat] - richest)
    mark_scale(marks, &BLOCKS[<int>RICHEST_MISSING], target - richest)
    if distance < 0:
        distance += rules.num_seats
    mark_one(marks, &BLOCKS[<int>TURN_DISTANCE], distance)
    mark_scale(marks, &BLOCKS[<int>TO_COME], to_come(s, seat))
    mark_scale(marks, &BLOCKS[<int>TO_GO], to_go(s, seat))
    mark_scale(marks, &BLOCKS[<int>RESHUFFLES], s.reshuffles)
    mark_scale(marks, &BLOCKS[<int>PILE], size_of(s.draw))
    mark_scale(marks, &BLOCKS[<int>TURNS_LEFT], <int>rules.turn_limit - <int>s.turn)


cdef inline int to_come(const State* s, int seat) noexcept nogil:
    """The cards that a seat gets before the next decision of another kind."""
    if s.phase == PHASE_DEAL:
        return s.left if seat == s.seat else 0
    if s.phase == PHASE_DRAW or s.phase == PHASE_TAKE or s.phase == PHASE_GIVE:
        return s.left if seat == s.active else 0
    return 0


cdef inline int to_go(const State* s, int seat) noexcept nogil:
    """The cards that a seat loses likewise."""
    if s.phase == PHASE_TAKE or s.phase == PHASE_GIVE:
        return s.left if seat == s.seat else 0
    return 0


# --- node -----------------------------------------------------------------------------------------

cdef inline void mark_node(const State* s, int seat, int target, uint64_t* marks) noexcept nogil:
    mark_one(marks, &BLOCKS[<int>NODE], s.phase)
    mark_set(marks, &BLOCKS[<int>PART], part_of(s, seat))
    if s.ladder != NO_LADDER:
        mark_one(marks, &BLOCKS[<int>PART], LADDER_MEMBER)
    if s.phase == PHASE_RESPOND:
        mark_attack_card(s, marks)
        mark_flight(s, seat, target, marks)
    elif s.phase == PHASE_ROB:
        mark_flight(s, seat, target, marks)


cdef inline uint64_t part_of(const State* s, int seat) noexcept nogil:
    """The members of a block of the part that a seat has in the node."""
    cdef int part = PART_NODE if seat == s.seat else 0
    if seat == s.target and (s.phase == PHASE_ATTACK or s.phase == PHASE_RESPOND):
        part |= PART_TARGET
    return part


cdef inline void mark_attack_card(const State* s, uint64_t* marks) noexcept nogil:
    if s.role <= KING:
        mark_scale(
            marks, &BLOCKS[<int>STRENGTH], strength_of(s.role, s.peasants, s.jesters))
    else:
        mark_one(
            marks, &BLOCKS[<int>TRICK],
            TRICK_NINJA if s.role == NINJA else TRICK_DRAGON if s.role == DRAGON else TRICK_ARCHER)


cdef inline void mark_flight(const State* s, int seat, int target, uint64_t* marks) noexcept nogil:
    cdef Flight flight = flight_of(s, target)
    if flight.receiver == seat:
        mark_scale(marks, &BLOCKS[<int>OWN_GAIN], flight.gems)
    elif flight.source == seat:
        mark_scale(marks, &BLOCKS[<int>OWN_LOSS], flight.gems)
    else:
        mark_scale(marks, &BLOCKS[<int>OTHERS_GAIN], flight.gems)
    if flight.wins:
        mark_one(
            marks, &BLOCKS[<int>WINS], WIN_OWN if flight.receiver == seat else WIN_RIVAL)


cdef inline Flight flight_of(const State* s, int target) noexcept nogil:
    """The gems under way at RESPOND and ROB; 0 if they fly back to their owner."""
    cdef Flight flight = Flight(s.source, s.receiver, s.flight, False)
    cdef bint moves = True
    if s.phase == PHASE_RESPOND:
        flight.source = s.seat
        flight.receiver = beneficiary(s)
        flight.gems = (strength_of(s.role, s.peasants, s.jesters) if s.role <= KING
                       else 0 if s.role == ARCHER else 2)
        flight.gems = min(flight.gems, <int>s.gems[flight.source])
        moves = flight.gems > 0
    if flight.source == flight.receiver:
        flight.gems = 0
    flight.wins = moves and s.gems[flight.receiver] + flight.gems >= target
    return flight


# --- cards of rivals, rivals ----------------------------------------------------------------------

cdef inline void mark_cards(
        const Rules* rules, const State* s, int seat, uint64_t* marks) noexcept nogil:
    cdef uint64_t known = 0
    cdef uint64_t unseen = rules.deck - cards_in_view(rules, s) - s.hands[seat]
    cdef int other
    for other in range(rules.num_seats):
        known += s.known[other][seat]
    mark_kinds(marks, &BLOCKS[<int>GONE], rules.types & ~kinds(unseen - known))
    mark_kinds(marks, &BLOCKS[<int>KNOWN], kinds(known))


cdef inline void mark_kinds(
        uint64_t* marks, const Block* block, uint64_t members) noexcept nogil:
    """Mark a set of cards, as in multiset.pxd."""
    while members:
        mark_one(marks, block, pop_kind(&members))


cdef inline void mark_rival(
        const State* s, int seat, int other, int target, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    mark_scale(marks, &blocks[<int>RIVAL_MISSING], target - s.gems[other])
    mark_scale(marks, &blocks[<int>RIVAL_GEMS], s.gems[other])
    mark_scale(marks, &blocks[<int>RIVAL_SIZE], size_of(s.hands[other]))
    mark_scale(marks, &blocks[<int>RIVAL_KNOWN], size_of(s.known[other][seat]))
    mark_scale(marks, &blocks[<int>RIVAL_TO_COME], to_come(s, other))
    mark_set(marks, &blocks[<int>RIVAL_FORTS], forts_of(s, other))
    mark_set(marks, &blocks[<int>RIVAL_PART], part_of(s, other))
