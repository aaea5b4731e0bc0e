"""What a seat sees in Kingdom Coinquest, as binary features.

The table comes first: node, forge, graveyard and time. The own kingdom follows: its public part,
then its hand. Last come the rivals that live, in turn order after the seat: the public part of the
kingdom, with the hand cards that all know, then what the weapons of the two would do to each other.
A rival that is not there has no features, nor has a state before all kings are drawn.

Cards in hand and salvage yard count by their use for their owner: own queen and ace, pairs of rival
ones, own equipment, rival equipment that can be recruited. Unseen cards are those in the forge and
hidden in the hands of rivals.
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count, leading_zeros

from ...feature_blocks cimport Block, lay_out, mark_one, mark_scale, mark_set, write_marked
from .rules cimport has_jack_in_play
from .state cimport (
    ACE, HAND_CARDS, JACK, KNOWN, NO_CARD, PHASE_DRAW, PHASE_END, PHASE_KING, PHASE_STRIKE, QUEEN,
    SEATS, Player, Rules, State, bit, is_equipment, rank_of, suit_of)

from ...feature_rows import at_least, at_most, each, prefixed

cdef enum TableBlock:
    OWN_NODE
    OTHER_NODE
    FORGE
    GRAVE
    TURNS
    TOP_VALUE
    TOP_FACE
    NUM_TABLE

cdef enum UseBlock:         # the use of some cards for their owner
    USE_FACES
    USE_VALUE
    USE_EQUIPMENT
    USE_PAIR_VALUE
    NUM_USE

cdef enum KingdomBlock:
    PRESENCE
    HEALTH
    KNIGHT
    PEASANT
    QUARTERMASTER
    COUNTERS
    SLOTS
    HAND
    SALVAGE
    HELD
    UNSEEN_FACES = HELD + NUM_USE
    UNSEEN_EQUIPMENT
    UNSEEN_TOP
    GRAVE_FACES
    GRAVE_VALUE
    THREATS
    NUM_KINGDOM

cdef enum HandBlock:        # the own hand
    GRAVE_PAIR = NUM_USE
    ACE_GAIN
    NUM_HAND

cdef enum BlowBlock:        # what a weapon would do
    DAMAGE
    EFFECTS
    NUM_BLOW

cdef enum:
    KINGDOM_AT = NUM_TABLE
    HAND_AT = KINGDOM_AT + NUM_KINGDOM
    RIVALS_AT = HAND_AT + NUM_HAND
    BLOW = NUM_KINGDOM      # in the blocks of a rival
    BLOW_BACK = BLOW + NUM_BLOW
    NUM_RIVAL = BLOW_BACK + NUM_BLOW
    NUM_WORDS = 11          # of marks
    ALL_EQUIPMENT = 0x07FC  # ranks 2 to 10 of a suit as bits of a mask

cdef uint64_t SAME_RANK = 0x0001000100010001    # shifted by a rank: its cards in all suits

NODES = ("draw", "deal", "play", "strike", "discard")
VALUES = range(2, 11)
THIRDS = (2, 5, 8)      # of the values of equipment, as for its cost
TOP = "top of the graveyard:"
UNSEEN = "suit's unseen cards:"
SUIT_TOP = "suit's card on the graveyard:"

TABLE = {
    OWN_NODE: each("own node: {}", NODES),
    OTHER_NODE: each("rival's node: {}", NODES),
    FORGE: at_least("forge: {} cards or more", 1, 2, 4, 8, 12, 16, 20, 25, 30, 40),
    GRAVE: at_least("graveyard: {} cards or more", 1, 2, 4, 8, 16, 24),
    TURNS: at_most("turns to the limit: {} or less", 32, 24, 16, 12, 8, 6, 4, 3, 2, 1),
    TOP_VALUE: at_least(f"{TOP} value of {{}} or more", *VALUES),
    TOP_FACE: each(f"{TOP} {{}}", ("ace", "jack", "queen")),
}
USE_TABLE = {
    USE_FACES: each("{}", (
        "own queen", "rival queen", "pair of rival queens", "queens for the free slot",
        "own ace", "rival ace", "pair of rival aces", "jack")),
    USE_VALUE: at_least("own equipment of {} or more", *VALUES),
    USE_EQUIPMENT: at_least("own equipment, {} cards or more", 2, 3),
    USE_PAIR_VALUE: at_least("equipment to recruit of {} or more", *VALUES),
}
KINGDOM_TABLE = {
    PRESENCE: each("{}", ("living", "on the move")),
    HEALTH: at_least(
        "health: {} or more", 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40, 60),
    KNIGHT: at_least("knight: value of {} or more", *VALUES),
    PEASANT: at_least("peasant: value of {} or more", *VALUES),
    QUARTERMASTER: at_least("quartermaster: value of {} or more", *VALUES),
    COUNTERS: at_least("quartermaster: {} counters or more", 1, 2, 3),
    SLOTS: each("{}", ("quartermaster: prepared", "jack in play", "queen slot: taken")),
    HAND: at_least("hand: {} cards or more", 1, 2, 3),
    SALVAGE: at_least("salvage: {} cards or more", 1, 2, 3),
    UNSEEN_FACES: each(f"{UNSEEN} {{}}", ("queen", "ace")),
    UNSEEN_EQUIPMENT: at_least(f"{UNSEEN} equipment, {{}} or more", *range(1, 10)),
    UNSEEN_TOP: at_least(f"{UNSEEN} values of 8 to 10, {{}} or more", 1, 2, 3),
    GRAVE_FACES: each(f"{SUIT_TOP} {{}}", ("queen", "ace")),
    GRAVE_VALUE: at_least(f"{SUIT_TOP} value of {{}} or more", *THIRDS),
    THREATS: each("{}", (
        "weapon kills some rival", "weapon kills some rival this turn",
        "killed by some rival's weapon")),
}
HAND_TABLE = {
    **prefixed("own hand", USE_TABLE, 0),
    GRAVE_PAIR: each(f"{TOP} {{}} like an own rival card", ("queen", "ace", "equipment")),
    ACE_GAIN: at_least("own hand: ace that adds {} or more to a unit", 1, 4, 7),
}
BLOW_TABLE = {
    DAMAGE: at_least("{} damage or more", *range(1, 11)),
    EFFECTS: each("{}", ("hits the queen", "kills", "the quartermaster's load would kill")),
}

cdef Block[RIVALS_AT + (SEATS - 1) * NUM_RIVAL + 1] BLOCKS
cdef int32_t[NUM_WORDS] WORD_FIRST


def fill_blocks() -> list[str]:
    """Fill the blocks and return the names of the features for the most seats."""
    cdef int number
    own = KINGDOM_TABLE | prefixed("hand and salvage", USE_TABLE, HELD)
    other = KINGDOM_TABLE | prefixed("known hand and salvage", USE_TABLE, HELD)
    rows = TABLE | prefixed("own kingdom", own, KINGDOM_AT)
    rows |= {HAND_AT + number: row for number, row in HAND_TABLE.items()}
    for number in range(SEATS - 1):
        rival = f"rival {number + 1}"
        first = RIVALS_AT + number * NUM_RIVAL
        rows |= prefixed(rival, other, first)
        rows |= prefixed(f"attack of own on {rival}", BLOW_TABLE, first + BLOW)
        rows |= prefixed(f"attack of {rival} on own", BLOW_TABLE, first + BLOW_BACK)
    return lay_out(BLOCKS, WORD_FIRST, NUM_WORDS, rows)


FEATURE_NAMES = fill_blocks()


cdef struct Threats:    # masks of seats
    int killing         # those whose weapon kills some rival
    int killed          # those whom some rival's weapon kills


cdef int kc_num_features(int num_seats) noexcept nogil:
    return BLOCKS[RIVALS_AT + (num_seats - 1) * NUM_RIVAL].first


cdef int kc_features(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef const Player* me = &s.players[seat]
    cdef const Player* rival
    cdef const Block* blocks
    cdef uint64_t[NUM_WORDS] marks
    cdef int[3] rivals
    cdef int num_rivals, i
    cdef uint64_t unseen
    cdef Threats threats
    if s.phase == PHASE_KING:
        return 0
    memset(marks, 0, sizeof(marks))
    num_rivals = living_rivals(rules, s, seat, rivals)
    unseen = unseen_cards(rules, s, seat)
    find_threats(rules, s, &threats)
    mark_table(rules, s, seat, marks)
    if me.health:
        mark_kingdom(s, seat, held(me, False), unseen, &threats, &BLOCKS[<int>KINGDOM_AT], marks)
        mark_hand(s, me, marks)
    for i in range(num_rivals):
        blocks = &BLOCKS[RIVALS_AT + i * NUM_RIVAL]
        rival = &s.players[rivals[i]]
        mark_kingdom(s, rivals[i], held(rival, True), unseen, &threats, blocks, marks)
        mark_blow(me, rival, &blocks[<int>BLOW], marks)
        mark_blow(rival, me, &blocks[<int>BLOW_BACK], marks)
    return write_marked(marks, WORD_FIRST, NUM_WORDS, out)


cdef inline int living_rivals(
        const Rules* rules, const State* s, int seat, int* out) noexcept nogil:
    """List the living rivals in turn order after a seat (R4.5) and return their number."""
    cdef int[4] by_steps
    cdef int num_rivals = 0
    cdef int other, steps
    for steps in range(4):
        by_steps[steps] = -1
    for other in range(rules.num_seats):
        if s.players[other].health:
            by_steps[(s.players[other].suit - s.players[seat].suit) & 3] = other
    for steps in range(1, 4):
        if by_steps[steps] >= 0:
            out[num_rivals] = by_steps[steps]
            num_rivals += 1
    return num_rivals


cdef inline uint64_t unseen_cards(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The cards that a seat does not see; they are the pools of its observation (R11.6)."""
    cdef uint64_t cards = s.forge
    cdef int other, i
    for other in range(rules.num_seats):
        if other != seat:
            for i in range(HAND_CARDS):
                if s.players[other].marks[i] != KNOWN:
                    cards |= bit(s.players[other].hand[i])
    for i in range(s.num_old):
        cards |= bit(s.old_cards[i])
    return cards & ~bit(NO_CARD)


cdef inline uint64_t held(const Player* player, bint only_known) noexcept nogil:
    """The cards of hand and salvage yard, without hidden ones on demand."""
    cdef uint64_t cards = player.salvage
    cdef int i
    for i in range(HAND_CARDS):
        if player.marks[i] == KNOWN or not only_known:
            cards |= bit(player.hand[i])
    return cards & ~bit(NO_CARD)


cdef inline int top_card(const State* s) noexcept nogil:
    """The uppermost card of the graveyard, or NO_CARD."""
    return s.grave[s.num_grave - 1] if s.num_grave else NO_CARD


cdef inline int value_of(int card) noexcept nogil:
    """The value of equipment; 0 for other cards and for none."""
    return rank_of(card) if is_equipment(card) else 0


cdef inline void mark_table(
        const Rules* rules, const State* s, int seat, uint64_t* marks) noexcept nogil:
    cdef int top = top_card(s)
    if s.phase != PHASE_END:
        mark_one(
            marks, &BLOCKS[<int>OWN_NODE if s.seat == seat else <int>OTHER_NODE],
            s.phase - PHASE_DRAW)
    mark_scale(marks, &BLOCKS[<int>FORGE], s.num_forge)
    mark_scale(marks, &BLOCKS[<int>GRAVE], s.num_grave)
    mark_scale(marks, &BLOCKS[<int>TURNS], rules.turn_limit - s.turn + 1)
    mark_scale(marks, &BLOCKS[<int>TOP_VALUE], value_of(top))
    mark_set(
        marks, &BLOCKS[<int>TOP_FACE],
        (rank_of(top) == ACE) | (rank_of(top) == JACK) << 1 | (rank_of(top) == QUEEN) << 2)


cdef inline void mark_kingdom(
        const State* s, int seat, uint64_t cards, uint64_t unseen, const Threats* threats,
        const Block* blocks, uint64_t* marks) noexcept nogil:
    """The public part of a living kingdom, with the cards held that the observer sees."""
    cdef const Player* player = &s.players[seat]
    cdef bint is_prepared = player.quartermaster.lead != NO_CARD and player.counters == 0
    cdef bint is_on_move = s.seat == seat and s.phase != PHASE_END
    cdef bint is_threat = threats.killing >> seat & 1
    cdef unsigned int own = (unseen >> (player.suit << 4)) & 0xFFFF
    cdef int top = top_card(s)
    cdef int own_top = top if suit_of(top) == player.suit else NO_CARD
    mark_set(marks, &blocks[<int>PRESENCE], 1 | is_on_move << 1)
    mark_scale(marks, &blocks[<int>HEALTH], player.health)
    mark_scale(marks, &blocks[<int>KNIGHT], value_of(player.knight.lead))
    mark_scale(marks, &blocks[<int>PEASANT], value_of(player.peasant.lead))
    mark_scale(marks, &blocks[<int>QUARTERMASTER], value_of(player.quartermaster.lead))
    mark_scale(marks, &blocks[<int>COUNTERS], player.counters)
    mark_set(
        marks, &blocks[<int>SLOTS],
        is_prepared | has_jack_in_play(player) << 1 | (player.queen.lead != NO_CARD) << 2)
    mark_scale(marks, &blocks[<int>HAND], player.num_hand)
    mark_scale(marks, &blocks[<int>SALVAGE], player.num_salvage)
    mark_use(player, cards, &blocks[<int>HELD], marks)
    mark_set(marks, &blocks[<int>UNSEEN_FACES], (own >> QUEEN & 1) | (own >> ACE & 1) << 1)
    mark_scale(marks, &blocks[<int>UNSEEN_EQUIPMENT], count(own & ALL_EQUIPMENT))
    mark_scale(marks, &blocks[<int>UNSEEN_TOP], count(own >> 8 & 7))
    mark_set(
        marks, &blocks[<int>GRAVE_FACES],
        (rank_of(own_top) == QUEEN) | (rank_of(own_top) == ACE) << 1)
    mark_scale(marks, &blocks[<int>GRAVE_VALUE], value_of(own_top))
    mark_set(
        marks, &blocks[<int>THREATS],
        is_threat | (is_threat and is_on_move and s.phase <= PHASE_STRIKE) << 1
        | (threats.killed >> seat & 1) << 2)


cdef inline void mark_use(
        const Player* player, uint64_t cards, const Block* blocks, uint64_t* marks) noexcept nogil:
    """What a player can do with some cards."""
    cdef unsigned int own = (cards >> (player.suit << 4)) & 0xFFFF
    cdef unsigned int once = 0      # ranks that some rival suit has
    cdef unsigned int twice = 0     # ranks that two or more rival suits have
    cdef unsigned int rivals, pairs
    cdef unsigned int new = 0       # queens for the free slot
    cdef int suit
    cdef bint has_jack = (cards & SAME_RANK << JACK) != 0
    for suit in range(4):
        rivals = 0 if suit == player.suit else (cards >> (suit << 4)) & 0xFFFF
        twice |= once & rivals
        once |= rivals
    if player.queen.lead == NO_CARD:
        new = own | twice
    pairs = once if has_jack and not has_jack_in_play(player) else twice
    mark_set(
        marks, &blocks[<int>USE_FACES],
        (own >> QUEEN & 1) | (once >> QUEEN & 1) << 1 | (twice >> QUEEN & 1) << 2
        | (new >> QUEEN & 1) << 3 | (own >> ACE & 1) << 4 | (once >> ACE & 1) << 5
        | (twice >> ACE & 1) << 6 | has_jack << 7)
    mark_scale(marks, &blocks[<int>USE_VALUE], highest_value(own))
    mark_scale(marks, &blocks[<int>USE_EQUIPMENT], count(own & ALL_EQUIPMENT))
    mark_scale(marks, &blocks[<int>USE_PAIR_VALUE], highest_value(pairs))


cdef inline int highest_value(unsigned int ranks) noexcept nogil:
    """The highest value of equipment among some ranks; 0 without one."""
    ranks &= ALL_EQUIPMENT
    return 31 - leading_zeros(ranks) if ranks else 0


cdef inline void mark_hand(const State* s, const Player* me, uint64_t* marks) noexcept nogil:
    """The own hand alone, and what the graveyard offers it."""
    cdef const Block* blocks = &BLOCKS[<int>HAND_AT]
    cdef uint64_t hand = held(me, False) & ~me.salvage
    cdef uint64_t rivals = held(me, False) & ~(<uint64_t>0xFFFF << (me.suit << 4))
    cdef int top = top_card(s)
    cdef int rank = rank_of(top)
    cdef int gain = rank - min(rank_of(me.knight.lead), rank_of(me.peasant.lead))
    cdef uint64_t aces = hand & SAME_RANK << ACE
    cdef bint has_ace = hand >> (me.suit << 4 | ACE) & 1
    cdef bint is_mate = (
        top != NO_CARD and suit_of(top) != me.suit
        and (rivals & SAME_RANK << rank) != 0)
    has_ace = has_ace or (aces & (aces - 1)) != 0
    mark_use(me, hand, blocks, marks)
    if is_mate:
        mark_set(
            marks, &blocks[<int>GRAVE_PAIR],
            (rank == QUEEN) | (rank == ACE) << 1 | is_equipment(top) << 2)
    if has_ace and is_equipment(top):
        mark_scale(marks, &blocks[<int>ACE_GAIN], gain)


# --- battle ---------------------------------------------------------------------------------------

cdef inline int passing(const Player* player, const Player* rival) noexcept nogil:
    """What passes the knight (R7.2); 0 or less: nothing."""
    return rank_of(player.peasant.lead) - rank_of(rival.knight.lead)


cdef inline bint kills(int damage, const Player* rival) noexcept nogil:
    return damage > 0 and damage >= rival.health and rival.queen.lead == NO_CARD


cdef inline void find_threats(
        const Rules* rules, const State* s, Threats* threats) noexcept nogil:
    cdef int seat, other
    threats.killing = 0
    threats.killed = 0
    for seat in range(rules.num_seats):
        if s.players[seat].peasant.lead == NO_CARD:
            continue
        for other in range(rules.num_seats):
            if other != seat and s.players[other].health and kills(
                    passing(&s.players[seat], &s.players[other]), &s.players[other]):
                threats.killing |= 1 << seat
                threats.killed |= 1 << other


cdef inline void mark_blow(
        const Player* player, const Player* rival, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """What the weapon of a player would do to a rival now, and the one in preparation."""
    cdef int power = passing(player, rival)
    cdef int next_power = rank_of(player.quartermaster.lead) - rank_of(rival.knight.lead)
    cdef bint has_queen = rival.queen.lead != NO_CARD
    mark_scale(marks, &blocks[<int>DAMAGE], 0 if has_queen else power)
    mark_set(
        marks, &blocks[<int>EFFECTS],
        (has_queen and power > 0) | kills(power, rival) << 1 | kills(next_power, rival) << 2)
