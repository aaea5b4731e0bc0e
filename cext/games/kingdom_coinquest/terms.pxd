"""What the net of the evaluation reads of each seat in a state (policy.pyx).

Rows of its first layer, one for each block: each value of a count, or of a pair of them, has a row,
so few rows are added up. Hands are those of the full state, a world of the search: the net values
worlds, not what a seat sees. Of a hidden hand nothing is counted.
"""

from libc.stdint cimport int32_t, uint64_t

from .rules cimport has_jack_in_play
from .state cimport (
    ACE, JACK, PHASE_DISCARD, PHASE_DRAW, PHASE_PLAY, QUEEN, Load, Player, Rules, State, bit,
    is_equipment, rank_of, suit_of)

# Numbers of values that are told apart; larger ones count as the largest.
cdef enum:
    NUM_TURNS = 8           # drawing, dealt to, playing, discarding, or so many turns from it
    NUM_RANKS = 11          # of equipment: none or an ace, then 1 to 10
    NUM_ARMOURS = 4
    NUM_HEALTHS = 26
    NUM_COUNTERS = 4
    NUM_DAMAGES = 11
    NUM_SIZES = 4           # of hand and salvage yard
    NUM_JACKS = 3
    NUM_HALVES = 12         # health, in steps of two
    NUM_LEADS = 12          # over the healthiest rival, in steps of two
    NUM_LEFT = 8            # turns to the turn limit, where the healthiest win
    OWN_SUIT = 0xFFFF       # shifted by 16 times the suit: its cards

cdef enum:                  # turns: 0 drawing, 1 dealt to, from 4 on the others
    PLAYING = 2
    DISCARDING = 3

cdef enum:                                          # first rows of the blocks
    AT_WEAPON = 0                                   # turn and weapon
    AT_HEALTH = AT_WEAPON + NUM_TURNS * NUM_RANKS   # armour and health
    AT_ARMOUR = AT_HEALTH + NUM_ARMOURS * NUM_HEALTHS
    AT_QUEEN = AT_ARMOUR + NUM_RANKS                # queens in stores, by the queen slot
    AT_PREPARED = AT_QUEEN + 2 * 3                  # counters and rank
    AT_STRIKE = AT_PREPARED + NUM_COUNTERS * NUM_RANKS      # the best one at a rival
    AT_THREAT = AT_STRIKE + 4 * NUM_DAMAGES         # the worst one of a rival
    AT_NEXT = AT_THREAT + 4 * NUM_DAMAGES           # the same of loads that are being prepared
    AT_STORES = AT_NEXT + 4 * NUM_DAMAGES           # cards in hand and in the salvage yard
    AT_OWN = AT_STORES + NUM_SIZES * NUM_SIZES      # best own equipment in stores, by the slot
    AT_PAIR = AT_OWN + 2 * NUM_RANKS                # best pair of a rank in stores, by the slot
    AT_JACKS = AT_PAIR + 2 * NUM_RANKS              # in stores, whether one is in play
    AT_ACES = AT_JACKS + 2 * NUM_JACKS              # in stores, by the top of the graveyard
    AT_TOP = AT_ACES + 3 * NUM_RANKS                # of the graveyard, for who can still draw it
    AT_WEAKEST = AT_TOP + 3 * 2 * 16                # health of rivals
    AT_STRONGEST = AT_WEAKEST + NUM_HALVES
    AT_RIVALS = AT_STRONGEST + NUM_HALVES           # their number, how many are stronger
    AT_LEAD = AT_RIVALS + 4 * 4                     # by the turns that are left
    NUM_TERMS = AT_LEAD + NUM_LEFT * NUM_LEADS
    TERMS_ROOM = 20                                 # most of a seat


cdef inline int kc_terms(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    """Write the rows of a living seat, [TERMS_ROOM], and return their number."""
    cdef const Player* me = &s.players[seat]
    cdef uint64_t stores = owned_by(me)
    cdef uint64_t own = stores & <uint64_t>OWN_SUIT << ((me.suit & 3) << 4)
    cdef uint64_t others = stores & ~own
    cdef int turn = turn_of(rules, s, seat)
    cdef int armour = value_of(&me.knight)
    cdef int is_loaded = me.quartermaster.lead != 0
    cdef int top = s.grave[s.num_grave - 1] if s.num_grave else 0
    out[0] = AT_WEAPON + turn * NUM_RANKS + value_of(&me.peasant)
    out[1] = AT_HEALTH + (armour + 2) // 4 * NUM_HEALTHS + bounded(me.health, NUM_HEALTHS)
    out[2] = AT_ARMOUR + armour
    out[3] = AT_QUEEN + 3 * (me.queen.lead != 0) + held(own, others, QUEEN)
    out[4] = AT_PREPARED + (me.counters & 3) * NUM_RANKS + value_of(&me.quartermaster)
    out[5] = AT_STORES + (me.num_hand & 3) * NUM_SIZES + (me.num_salvage & 3)
    out[6] = AT_OWN + is_loaded * NUM_RANKS + best_rank(fold_suits(own))
    out[7] = AT_PAIR + is_loaded * NUM_RANKS + best_rank(twice(others))
    out[8] = AT_JACKS + NUM_JACKS * has_jack_in_play(me) + bounded(
        number_of(stores, JACK), NUM_JACKS)
    out[9] = AT_ACES + held(own, others, ACE) * NUM_RANKS + (
        rank_of(top) if is_equipment(top) else 0)
    out[10] = AT_TOP
    if top and turn != PLAYING and turn != DISCARDING:
        out[10] += min(turn, 2) * 32 + (suit_of(top) == me.suit) * 16 + rank_of(top)
    return 11 + rival_terms(rules, s, seat, turn, armour, out + 11)


cdef inline int rival_terms(
        const Rules* rules, const State* s, int seat, int turn, int armour,
        int32_t* out) noexcept nogil:
    cdef const Player* me = &s.players[seat]
    cdef const Player* rival
    cdef int strike = 0
    cdef int threat = 0
    cdef int later = 0
    cdef int weakest = 255
    cdef int strongest = 0
    cdef int rivals = 0
    cdef int stronger = 0
    cdef int other
    for other in range(rules.num_seats):
        rival = &s.players[other]
        if other == seat or rival.health == 0:
            continue
        rivals += 1
        stronger += rival.health > me.health
        weakest = min(weakest, <int>rival.health)
        strongest = max(strongest, <int>rival.health)
        strike = max(strike, struck(value_of(&me.peasant), value_of(&rival.knight), rival))
        threat = max(threat, struck(value_of(&rival.peasant), armour, me))
        later = max(later, struck(value_of(&rival.quartermaster), armour, me))
    out[0] = AT_STRIKE + strike
    out[1] = AT_THREAT + threat
    out[2] = AT_NEXT + later
    out[3] = AT_WEAKEST + bounded(weakest // 2, NUM_HALVES)
    out[4] = AT_STRONGEST + bounded(strongest // 2, NUM_HALVES)
    out[5] = AT_RIVALS + 4 * rivals + stronger
    out[6] = AT_LEAD + left_of(rules, s) * NUM_LEADS + bounded(
        (me.health - strongest + NUM_LEADS - 1) // 2, NUM_LEADS)
    return 7


cdef inline int left_of(const Rules* rules, const State* s) noexcept nogil:
    """How often 5 turns can be doubled within those that are left."""
    cdef int turns = 5
    cdef int found = 0
    while found < NUM_LEFT - 1 and s.turn + turns <= rules.turn_limit:
        turns *= 2
        found += 1
    return found


cdef inline int struck(int weapon, int armour, const Player* target) noexcept nogil:
    """What a strike does: its damage, against a queen or not, and whether it kills; ascending."""
    cdef int damage = max(0, weapon - armour)
    if target.queen.lead:
        return damage
    return (2 + (damage >= target.health)) * NUM_DAMAGES + damage if damage else NUM_DAMAGES


cdef inline int turn_of(const Rules* rules, const State* s, int seat) noexcept nogil:
    """What the seat at turn is about to do; of the others how many turns come before theirs."""
    cdef int before = 0
    cdef int here = s.players[s.seat].suit
    cdef int own = s.players[seat].suit
    cdef int other, suit
    if seat == s.seat:
        return min(<int>s.phase, <int>PHASE_PLAY) - PHASE_DRAW + (s.phase == PHASE_DISCARD) if (
            s.phase >= PHASE_DRAW) else 0
    for other in range(rules.num_seats):
        suit = s.players[other].suit
        if other != seat and other != s.seat and s.players[other].health:
            before += ((suit - here) & 3) < ((own - here) & 3)
    return DISCARDING + 1 + before


cdef inline uint64_t owned_by(const Player* player) noexcept nogil:
    """Cards of hand and salvage yard, as far as they are seen."""
    return player.salvage | (
        bit(player.hand[0]) | bit(player.hand[1]) | bit(player.hand[2])) & ~<uint64_t>1


cdef inline int value_of(const Load* load) noexcept nogil:
    return rank_of(load.lead) if is_equipment(load.lead) else 0


cdef inline int held(uint64_t own, uint64_t others, int rank) noexcept nogil:
    """How an ace or a queen can be played: 2 alone, 1 as a pair, 0 not at all."""
    return 2 if fold_suits(own) >> rank & 1 else twice(others) >> rank & 1


cdef inline unsigned int fold_suits(uint64_t cards) noexcept nogil:
    """The ranks of some cards."""
    cards |= cards >> 32
    return (cards | cards >> 16) & 0xFFFF


cdef inline unsigned int twice(uint64_t cards) noexcept nogil:
    """The ranks of which there are two cards or more."""
    cdef uint64_t low = cards & (cards >> 16) | cards & (cards >> 32) | cards & (cards >> 48)
    return (low | low >> 16 | low >> 32) & 0xFFFF


cdef inline int best_rank(unsigned int ranks) noexcept nogil:
    """The highest rank of equipment; 0: none."""
    cdef int rank = 10
    while rank > 1 and not ranks >> rank & 1:
        rank -= 1
    return rank if rank > 1 else 0


cdef inline int number_of(uint64_t cards, int rank) noexcept nogil:
    return ((cards >> rank & 1) + (cards >> (16 + rank) & 1) + (cards >> (32 + rank) & 1)
            + (cards >> (48 + rank) & 1))


cdef inline int bounded(int number, int values) noexcept nogil:
    """The number as one of 0 to `values` - 1."""
    return max(0, min(number, values - 1))
