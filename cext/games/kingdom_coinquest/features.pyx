"""What a seat sees in Kingdom Coinquest, as binary features.

The table comes first: node, forge, graveyard and time. The own kingdom follows: its public part,
then its hand. Last come the rivals that live, in turn order after the seat: the public part of the
kingdom, with the hand cards that all know, then what the weapons of the two would do to each other.
A rival that is not there has no features, nor has a state before all kings are drawn.

Cards in hand and salvage yard count by their use for their owner: own queen and ace, pairs of rival
ones, own equipment, rival equipment that can be recruited. Unseen cards are those in the forge and
hidden in the hands of rivals.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from kingmaker.cext.bits cimport count, leading_zeros
from kingmaker.cext.features cimport levels_left, levels_reached, put, put_choice, put_levels

from bisect import bisect_right

from kingmaker.cext.feature_names import joined, levels, placed

from .rules cimport has_jack_in_play
from .state cimport (
    ACE, HAND_CARDS, JACK, KNOWN, NO_CARD, PHASE_DISCARD, PHASE_DRAW, PHASE_END, PHASE_KING,
    PHASE_STRIKE, QUEEN, SALVAGE_CARDS, Player, Rules, State, bit, is_equipment, rank_of, suit_of)

cdef extern from *:
    """
    static const unsigned char KC_FORGE[10] = {1, 2, 4, 8, 12, 16, 20, 25, 30, 40};
    static const unsigned char KC_GRAVE[6] = {1, 2, 4, 8, 16, 24};
    static const unsigned char KC_TURNS[10] = {32, 24, 16, 12, 8, 6, 4, 3, 2, 1};
    static const unsigned char KC_THIRDS[3] = {2, 5, 8};
    """
    const uint8_t* FORGE_LEVELS "KC_FORGE"
    const uint8_t* GRAVE_LEVELS "KC_GRAVE"
    const uint8_t* TURN_LEVELS "KC_TURNS"       # descending
    const uint8_t* THIRDS "KC_THIRDS"           # of the values of equipment, as for its cost

cdef enum:
    NUM_HEALTH = 18
    NUM_FORGE = 10
    NUM_GRAVE = 6
    NUM_TURNS = 10
    NUM_THIRDS = 3
    NUM_PHASES = PHASE_DISCARD - PHASE_DRAW + 1
    VALUES = 9                  # 2 to 10
    DAMAGES = 10                # 1 to 10
    ALL_EQUIPMENT = 0x07FC      # ranks 2 to 10 of a suit as bits of a mask

cdef uint64_t SAME_RANK = 0x0001000100010001    # shifted by a rank: its cards in all suits

HEALTH = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20, 25, 30, 40, 60)

cdef uint8_t[256] HEALTH_LEVEL      # how many of them a health reaches
for health in range(256):
    HEALTH_LEVEL[health] = bisect_right(HEALTH, health)

# --- the layout: where each block begins; the next begins where it ends

cdef enum:      # the table
    AT_OWN_PHASE = 0
    AT_OTHER_PHASE = AT_OWN_PHASE + NUM_PHASES
    AT_FORGE = AT_OTHER_PHASE + NUM_PHASES
    AT_GRAVE = AT_FORGE + NUM_FORGE
    AT_TURNS = AT_GRAVE + NUM_GRAVE
    AT_TOP_VALUE = AT_TURNS + NUM_TURNS
    AT_TOP_ACE = AT_TOP_VALUE + VALUES
    AT_TOP_JACK
    AT_TOP_QUEEN
    OWN_KINGDOM

cdef enum:      # the use of some cards for their owner
    AT_OWN_QUEEN = 0
    AT_RIVAL_QUEEN
    AT_QUEEN_PAIR
    AT_NEW_QUEEN
    AT_OWN_ACE
    AT_RIVAL_ACE
    AT_ACE_PAIR
    AT_JACK
    AT_OWN_VALUE
    AT_MORE_EQUIPMENT = AT_OWN_VALUE + VALUES
    AT_PAIR_VALUE = AT_MORE_EQUIPMENT + 2
    USE = AT_PAIR_VALUE + VALUES

cdef enum:      # a kingdom
    AT_LIVING = 0
    AT_ON_MOVE
    AT_HEALTH
    AT_KNIGHT = AT_HEALTH + NUM_HEALTH
    AT_PEASANT = AT_KNIGHT + VALUES
    AT_QUARTERMASTER = AT_PEASANT + VALUES
    AT_COUNTERS = AT_QUARTERMASTER + VALUES
    AT_PREPARED = AT_COUNTERS + 3
    AT_JACK_IN_PLAY
    AT_QUEEN
    AT_HAND
    AT_SALVAGE = AT_HAND + HAND_CARDS
    AT_HELD = AT_SALVAGE + SALVAGE_CARDS
    AT_UNSEEN_QUEEN = AT_HELD + USE
    AT_UNSEEN_ACE
    AT_UNSEEN_EQUIPMENT
    AT_UNSEEN_TOP = AT_UNSEEN_EQUIPMENT + VALUES    # 8 to 10
    AT_GRAVE_QUEEN = AT_UNSEEN_TOP + 3
    AT_GRAVE_ACE
    AT_GRAVE_EQUIPMENT
    AT_KILLS = AT_GRAVE_EQUIPMENT + NUM_THIRDS
    AT_KILLS_NOW
    AT_KILLED
    KINGDOM

cdef enum:      # the own hand
    OWN_HAND = OWN_KINGDOM + KINGDOM
    AT_GRAVE_PAIR = OWN_HAND + USE
    AT_ACE_GAIN = AT_GRAVE_PAIR + 3
    FIRST_RIVAL = AT_ACE_GAIN + NUM_THIRDS

cdef enum:      # what a weapon would do
    AT_DAMAGE = 0
    AT_HITS_QUEEN = AT_DAMAGE + DAMAGES
    AT_KILL
    AT_NEXT_KILL
    BLOW

cdef enum:      # a rival
    AT_BLOW = KINGDOM
    AT_BLOW_BACK = AT_BLOW + BLOW
    RIVAL = AT_BLOW_BACK + BLOW


cdef struct Threats:    # masks of seats
    int killing         # those whose weapon kills some rival
    int killed          # those whom some rival's weapon kills


cdef int kc_num_features(int num_seats) noexcept nogil:
    return FIRST_RIVAL + (num_seats - 1) * RIVAL


# --- the features ---------------------------------------------------------------------------------

cdef int kc_features(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef const Player* me = &s.players[seat]
    cdef const Player* rival
    cdef int32_t* start = out
    cdef int[3] rivals
    cdef int num_rivals, i, base
    cdef uint64_t unseen
    cdef Threats threats
    if s.phase == PHASE_KING:
        return 0
    num_rivals = living_rivals(rules, s, seat, rivals)
    unseen = unseen_cards(rules, s, seat)
    find_threats(rules, s, &threats)
    out = put_table(rules, s, seat, out)
    if me.health:
        out = put_kingdom(s, seat, held(me, False), unseen, &threats, OWN_KINGDOM, out)
        out = put_hand(s, me, out)
    for i in range(num_rivals):
        base = FIRST_RIVAL + i * RIVAL
        rival = &s.players[rivals[i]]
        out = put_kingdom(s, rivals[i], held(rival, True), unseen, &threats, base, out)
        out = put_blow(me, rival, base + AT_BLOW, out)
        out = put_blow(rival, me, base + AT_BLOW_BACK, out)
    return out - start


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


cdef inline int value_level(int card) noexcept nogil:
    """The level of a value in a thermometer of VALUES: 1 to 9, 0 for no equipment."""
    return rank_of(card) - 1 if is_equipment(card) else 0


cdef inline int32_t* put_table(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef int phase = s.phase - PHASE_DRAW
    cdef int turns = rules.turn_limit - s.turn + 1
    cdef int top = top_card(s)
    if s.phase != PHASE_END:
        out = put_choice(out, AT_OWN_PHASE if s.seat == seat else AT_OTHER_PHASE, phase)
    out = put_levels(
        out, AT_FORGE, levels_reached(s.num_forge, FORGE_LEVELS, NUM_FORGE), NUM_FORGE)
    out = put_levels(
        out, AT_GRAVE, levels_reached(s.num_grave, GRAVE_LEVELS, NUM_GRAVE), NUM_GRAVE)
    out = put_levels(out, AT_TURNS, levels_left(turns, TURN_LEVELS, NUM_TURNS), NUM_TURNS)
    out = put_levels(out, AT_TOP_VALUE, value_level(top), VALUES)
    out = put(out, AT_TOP_ACE, rank_of(top) == ACE)
    out = put(out, AT_TOP_JACK, rank_of(top) == JACK)
    return put(out, AT_TOP_QUEEN, rank_of(top) == QUEEN)


cdef inline int32_t* put_kingdom(
        const State* s, int seat, uint64_t cards, uint64_t unseen, const Threats* threats, int base,
        int32_t* out) noexcept nogil:
    """The public part of a living kingdom, with the cards held that the observer sees."""
    cdef const Player* player = &s.players[seat]
    cdef bint is_loaded = player.quartermaster.lead != NO_CARD
    cdef bint is_on_move = s.seat == seat and s.phase != PHASE_END
    cdef bint is_threat = threats.killing >> seat & 1
    cdef unsigned int own = (unseen >> (player.suit << 4)) & 0xFFFF
    cdef int top = top_card(s)
    cdef int own_rank = rank_of(top) if suit_of(top) == player.suit else NO_CARD
    out = put(out, base + AT_LIVING, True)
    out = put(out, base + AT_ON_MOVE, is_on_move)
    out = put_levels(out, base + AT_HEALTH, HEALTH_LEVEL[player.health], NUM_HEALTH)
    out = put_levels(out, base + AT_KNIGHT, value_level(player.knight.lead), VALUES)
    out = put_levels(out, base + AT_PEASANT, value_level(player.peasant.lead), VALUES)
    out = put_levels(out, base + AT_QUARTERMASTER, value_level(player.quartermaster.lead), VALUES)
    out = put_levels(out, base + AT_COUNTERS, player.counters, 3)
    out = put(out, base + AT_PREPARED, is_loaded and player.counters == 0)
    out = put(out, base + AT_JACK_IN_PLAY, has_jack_in_play(player))
    out = put(out, base + AT_QUEEN, player.queen.lead != NO_CARD)
    out = put_levels(out, base + AT_HAND, player.num_hand, HAND_CARDS)
    out = put_levels(out, base + AT_SALVAGE, player.num_salvage, SALVAGE_CARDS)
    out = put_use(player, cards, base + AT_HELD, out)
    out = put(out, base + AT_UNSEEN_QUEEN, own >> QUEEN & 1)
    out = put(out, base + AT_UNSEEN_ACE, own >> ACE & 1)
    out = put_levels(out, base + AT_UNSEEN_EQUIPMENT, count(own & ALL_EQUIPMENT), VALUES)
    out = put_levels(
        out, base + AT_UNSEEN_TOP, (own >> 8 & 1) + (own >> 9 & 1) + (own >> 10 & 1), 3)
    out = put(out, base + AT_GRAVE_QUEEN, own_rank == QUEEN)
    out = put(out, base + AT_GRAVE_ACE, own_rank == ACE)
    out = put_levels(out, base + AT_GRAVE_EQUIPMENT, thirds(own_rank), NUM_THIRDS)
    out = put(out, base + AT_KILLS, is_threat)
    out = put(out, base + AT_KILLS_NOW, is_threat and is_on_move and s.phase <= PHASE_STRIKE)
    return put(out, base + AT_KILLED, threats.killed >> seat & 1)


cdef inline int thirds(int rank) noexcept nogil:
    return levels_reached(rank, THIRDS, NUM_THIRDS) if is_equipment(rank) else 0


cdef inline int32_t* put_use(
        const Player* player, uint64_t cards, int base, int32_t* out) noexcept nogil:
    """What a player can do with some cards."""
    cdef unsigned int own = (cards >> (player.suit << 4)) & 0xFFFF
    cdef unsigned int once = 0      # ranks that some rival suit has
    cdef unsigned int twice = 0     # ranks that two or more rival suits have
    cdef unsigned int equipment, rivals, pairs
    cdef int suit
    cdef bint has_jack = (cards & SAME_RANK << JACK) != 0
    for suit in range(4):
        rivals = 0 if suit == player.suit else (cards >> (suit << 4)) & 0xFFFF
        twice |= once & rivals
        once |= rivals
    equipment = own & ALL_EQUIPMENT
    pairs = once if has_jack and not has_jack_in_play(player) else twice
    out = put(out, base + AT_OWN_QUEEN, own >> QUEEN & 1)
    out = put(out, base + AT_RIVAL_QUEEN, once >> QUEEN & 1)
    out = put(out, base + AT_QUEEN_PAIR, twice >> QUEEN & 1)
    out = put(
        out, base + AT_NEW_QUEEN,
        player.queen.lead == NO_CARD and (own | twice) >> QUEEN & 1)
    out = put(out, base + AT_OWN_ACE, own >> ACE & 1)
    out = put(out, base + AT_RIVAL_ACE, once >> ACE & 1)
    out = put(out, base + AT_ACE_PAIR, twice >> ACE & 1)
    out = put(out, base + AT_JACK, has_jack)
    out = put_levels(out, base + AT_OWN_VALUE, highest_level(own), VALUES)
    out = put(out, base + AT_MORE_EQUIPMENT, without_lowest(equipment) != 0)
    out = put(
        out, base + AT_MORE_EQUIPMENT + 1, without_lowest(without_lowest(equipment)) != 0)
    return put_levels(out, base + AT_PAIR_VALUE, highest_level(pairs), VALUES)


cdef inline unsigned int without_lowest(unsigned int cards) noexcept nogil:
    return cards & (cards - 1)


cdef inline int highest_level(unsigned int ranks) noexcept nogil:
    """The level of the highest equipment among some ranks in a thermometer of VALUES."""
    ranks &= ALL_EQUIPMENT
    return 30 - leading_zeros(ranks) if ranks else 0


cdef inline int32_t* put_hand(const State* s, const Player* me, int32_t* out) noexcept nogil:
    """The own hand alone, and what the graveyard offers it."""
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
    out = put_use(me, hand, OWN_HAND, out)
    out = put(out, AT_GRAVE_PAIR, is_mate and rank == QUEEN)
    out = put(out, AT_GRAVE_PAIR + 1, is_mate and rank == ACE)
    out = put(out, AT_GRAVE_PAIR + 2, is_mate and is_equipment(top))
    return put_levels(
        out, AT_ACE_GAIN,
        levels_reached(gain + 1, THIRDS, NUM_THIRDS) if has_ace and is_equipment(top) else 0,
        NUM_THIRDS)


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


cdef inline int32_t* put_blow(
        const Player* player, const Player* rival, int base, int32_t* out) noexcept nogil:
    """What the weapon of a player would do to a rival now, and the one in preparation."""
    cdef int power = passing(player, rival)
    cdef int next_power = rank_of(player.quartermaster.lead) - rank_of(rival.knight.lead)
    cdef bint has_queen = rival.queen.lead != NO_CARD
    out = put_levels(out, base + AT_DAMAGE, 0 if has_queen else power, DAMAGES)
    out = put(out, base + AT_HITS_QUEEN, has_queen and power > 0)
    out = put(out, base + AT_KILL, kills(power, rival))
    return put(out, base + AT_NEXT_KILL, kills(next_power, rival))


# --- names ----------------------------------------------------------------------------------------

cdef list kc_feature_names(int num_seats):
    blocks = table_names()
    blocks += kingdom_names("own", "", OWN_KINGDOM)
    blocks += hand_names()
    for number in range(1, num_seats):
        base = FIRST_RIVAL + (number - 1) * RIVAL
        who = f"rival {number}"
        blocks += kingdom_names(who, "known ", base)
        blocks += blow_names("own", who, base + AT_BLOW)
        blocks += blow_names(who, "own", base + AT_BLOW_BACK)
    return joined(blocks, kc_num_features(num_seats))


cdef list table_names():
    phases = ("draw", "deal", "play", "strike", "discard")
    top = "top of the graveyard:"
    return [
        (AT_OWN_PHASE, levels("own node: {}", phases)),
        (AT_OTHER_PHASE, levels("rival's node: {}", phases)),
        (AT_FORGE, levels("forge: {} cards or more", numbers(FORGE_LEVELS, NUM_FORGE))),
        (AT_GRAVE, levels("graveyard: {} cards or more", numbers(GRAVE_LEVELS, NUM_GRAVE))),
        (AT_TURNS, levels("turns to the limit: {} or less", numbers(TURN_LEVELS, NUM_TURNS))),
        (AT_TOP_VALUE, levels(f"{top} value of {{}} or more", range(2, 11))),
        (AT_TOP_ACE, [f"{top} ace"]),
        (AT_TOP_JACK, [f"{top} jack"]),
        (AT_TOP_QUEEN, [f"{top} queen"]),
    ]


cdef list kingdom_names(str who, str known, int base):
    """Names of the public part of a kingdom; `known` marks cards as those that all know."""
    thirds = numbers(THIRDS, NUM_THIRDS)
    top = "suit's card on the graveyard:"
    blocks = [
        (AT_LIVING, ["living"]),
        (AT_ON_MOVE, ["on the move"]),
        (AT_HEALTH, levels("health: {} or more", HEALTH)),
        (AT_KNIGHT, levels("knight: value of {} or more", range(2, 11))),
        (AT_PEASANT, levels("peasant: value of {} or more", range(2, 11))),
        (AT_QUARTERMASTER, levels("quartermaster: value of {} or more", range(2, 11))),
        (AT_COUNTERS, levels("quartermaster: {} counters or more", range(1, 4))),
        (AT_PREPARED, ["quartermaster: prepared"]),
        (AT_JACK_IN_PLAY, ["jack in play"]),
        (AT_QUEEN, ["queen slot: taken"]),
        (AT_HAND, levels("hand: {} cards or more", range(1, HAND_CARDS + 1))),
        (AT_SALVAGE, levels("salvage: {} cards or more", range(1, SALVAGE_CARDS + 1))),
        *use_names(f"{known}hand and salvage:", AT_HELD),
        (AT_UNSEEN_QUEEN, ["suit's unseen cards: queen"]),
        (AT_UNSEEN_ACE, ["suit's unseen cards: ace"]),
        (AT_UNSEEN_EQUIPMENT, levels("suit's unseen cards: equipment, {} or more", range(1, 10))),
        (AT_UNSEEN_TOP, levels("suit's unseen cards: values of 8 to 10, {} or more", range(1, 4))),
        (AT_GRAVE_QUEEN, [f"{top} queen"]),
        (AT_GRAVE_ACE, [f"{top} ace"]),
        (AT_GRAVE_EQUIPMENT, levels(f"{top} value of {{}} or more", thirds)),
        (AT_KILLS, ["weapon kills some rival"]),
        (AT_KILLS_NOW, ["weapon kills some rival this turn"]),
        (AT_KILLED, ["killed by some rival's weapon"]),
    ]
    return placed(blocks, f"{who} kingdom: " if who == "own" else f"{who}: ", base)


cdef list use_names(str where, int base):
    blocks = [
        (AT_OWN_QUEEN, ["own queen"]),
        (AT_RIVAL_QUEEN, ["rival queen"]),
        (AT_QUEEN_PAIR, ["pair of rival queens"]),
        (AT_NEW_QUEEN, ["queens for the free slot"]),
        (AT_OWN_ACE, ["own ace"]),
        (AT_RIVAL_ACE, ["rival ace"]),
        (AT_ACE_PAIR, ["pair of rival aces"]),
        (AT_JACK, ["jack"]),
        (AT_OWN_VALUE, levels("own equipment of {} or more", range(2, 11))),
        (AT_MORE_EQUIPMENT, levels("own equipment, {} cards or more", (2, 3))),
        (AT_PAIR_VALUE, levels("equipment to recruit of {} or more", range(2, 11))),
    ]
    return placed(blocks, f"{where} ", base)


cdef list hand_names():
    gains = [level - 1 for level in numbers(THIRDS, NUM_THIRDS)]
    pairs = ("queen", "ace", "equipment")
    return [
        *use_names("own hand:", OWN_HAND),
        (AT_GRAVE_PAIR, levels("top of the graveyard: {} like an own rival card", pairs)),
        (AT_ACE_GAIN, levels("own hand: ace that adds {} or more to a unit", gains)),
    ]


cdef list blow_names(str who, str rival, int base):
    blocks = [
        (AT_DAMAGE, levels("{} damage or more", range(1, DAMAGES + 1))),
        (AT_HITS_QUEEN, ["hits the queen"]),
        (AT_KILL, ["kills"]),
        (AT_NEXT_KILL, ["the quartermaster's load would kill"]),
    ]
    return placed(blocks, f"attack of {who} on {rival}: ", base)


cdef list numbers(const uint8_t* values, int size):
    return [values[i] for i in range(size)]
