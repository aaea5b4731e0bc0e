"""Playouts and evaluation of Kingdom Coinquest: 16.2 and 16.3 of the rules page in numbers.

The policy takes the move with the highest score, and sometimes a uniform one. A net scores each
kingdom (terms.pxd), and the win shares are the softmax of the scores. Without a net the evaluation
sums the holdings of each kingdom; the unit is a point of health.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from kingmaker.cext.game cimport CHANCE, MAX_SEATS
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport below, bitgen_t
from kingmaker.cext.softmax cimport net_softmax

from .rules cimport (
    has_jack_in_play, kc_apply, kc_legal_moves, kc_node, kc_returns, kc_sample)
from .state cimport (
    ACE, JACK, PHASE_DISCARD, PHASE_DRAW, PHASE_END, PHASE_STRIKE, QUEEN, UNIT_KNIGHT, VERB_ACE,
    VERB_ATTACK, VERB_DISCARD, VERB_DRAW_FORGE, VERB_DRAW_GRAVE, VERB_EQUIP, VERB_PREP, VERB_QUEEN,
    VERB_SALVAGE, Load, Player, Rules, State, bit, cost_of, is_equipment, rank_of, suit_of)
from .terms cimport TERMS_ROOM, kc_terms

cdef enum:
    MOST_MOVES = 12         # at a decision node (16.1)
    UNIFORM_ONE_IN = 8      # one move in this many is uniform, so that playouts differ

cdef uint64_t SAME_RANK = 0x0001000100010001    # shifted by a rank: its cards in all suits
cdef uint64_t OWN_SUIT = 0xFFFF                 # shifted by 16 times the suit: its cards

# Points of the evaluation: logistic regression of the result on 68000 turn starts of two-seat games
# that flat Monte Carlo and ISMCTS played against themselves. They agree with 16.3.
cdef double KNIGHT_VALUE = 0.6      # per point of a load's value
cdef double PEASANT = 1.8
cdef double PEASANT_VALUE = 0.55
cdef double PREPARED = 0.9
cdef double PREPARED_VALUE = 0.5
cdef double COUNTER = 1.0
cdef double QUEEN_LOAD = 4.9
cdef double OWN_QUEEN = 3.5         # in hand or salvage yard, with the slot free
cdef double OWN_SPARE_QUEEN = 2.0   # with the slot taken
cdef double QUEEN_PAIR = 3.0
cdef double OWN_ACE = 1.7
cdef double ACE_PAIR = 0.8
cdef double SALVAGED = 0.6          # per salvage card
cdef double KILL_NOW = 15.0
cdef double KILL_SOON = 6.0

# Of the logarithm of the win share, per point, divided by the number of seats: 0.2 by the same
# regression with two. With more seats a lead has less influence on the result, as rivals attack the
# leader; with three seats, 0.08 to 0.2 per point made no difference in strength.
cdef double SHARE_SCALE = 0.4


# --- the policy -----------------------------------------------------------------------------------

cdef uint32_t kc_policy_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MOST_MOVES] moves
    cdef int num_moves = kc_legal_moves(rules, s, moves)
    cdef const Player* me = &s.players[s.seat]
    cdef int best = 0
    cdef float best_score = -1000
    cdef float score
    cdef int i
    if num_moves == 1:
        return moves[0]
    i = below(rng, UNIFORM_ONE_IN * num_moves)
    if i < num_moves:
        return moves[i]
    for i in range(num_moves):
        if s.phase == PHASE_DRAW:
            score = draw_score(s, me, moves[i])
        elif s.phase == PHASE_DISCARD:
            score = discard_score(s, me, moves[i])
        else:
            score = play_score(s, me, moves[i])
        if score > best_score:
            best_score = score
            best = i
    return moves[best]


cdef inline float usefulness(const Player* me, int card) noexcept nogil:
    """The value of a card in hand or salvage for its owner."""
    cdef int rank = rank_of(card)
    cdef bint is_own = suit_of(card) == me.suit
    cdef uint64_t mates
    if rank == QUEEN:
        if me.queen.lead:
            return 0.5 if is_own else 0
        if is_own:
            return 3
    elif rank == ACE:
        if is_own:
            return 2
    elif rank == JACK:
        return 0 if has_jack_in_play(me) else 1
    elif is_own:
        return 0.2 * rank
    mates = owned_cards(me) & (SAME_RANK << rank) & ~(OWN_SUIT << (me.suit << 4)) & ~bit(card)
    if not mates:
        return 0.05 * rank if rank <= 10 else 0
    return 1.5 if rank == QUEEN else 1 if rank == ACE else 0.15 * rank


cdef inline uint64_t owned_cards(const Player* me) noexcept nogil:
    """Cards of hand and salvage; bit 0 has no meaning."""
    return me.salvage | bit(me.hand[0]) | bit(me.hand[1]) | bit(me.hand[2])


cdef inline float draw_score(const State* s, const Player* me, uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    cdef int card
    if verb == VERB_DRAW_FORGE:
        return 1.0
    if verb == VERB_DRAW_GRAVE:
        return usefulness(me, s.grave[s.num_grave - 1])
    card = move >> 8 & 255
    if is_equipment(card) and me.quartermaster.lead:
        return 0
    return usefulness(me, card) - 0.3


cdef inline float discard_score(const State* s, const Player* me, uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    cdef int card = move >> 8 & 255
    if verb == VERB_DISCARD:
        return 0.7 - usefulness(me, card)
    if verb == VERB_SALVAGE:
        return 0.2 - 0.3 * usefulness(me, card)
    return -0.3 * rank_of(me.quartermaster.lead)


cdef inline float play_score(const State* s, const Player* me, uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    cdef int first = move >> 8 & 255
    cdef bint on_knight = move >> 24 == UNIT_KNIGHT
    cdef const Load* unit = &me.knight if on_knight else &me.peasant
    if verb == VERB_ATTACK:
        return attack_score(me, &s.players[first])
    if verb == VERB_EQUIP:
        return 1 + 0.5 * (rank_of(me.quartermaster.lead) - rank_of(unit.lead)) - 0.1 * on_knight
    if verb == VERB_QUEEN:
        return 5
    if verb == VERB_PREP:
        return 0.4 + 0.3 * rank_of(first) - 0.5 * cost_of(first)
    if verb == VERB_ACE:
        return 0.5 * (rank_of(s.grave[s.num_grave - 1]) - rank_of(unit.lead)) - 1.5
    return 0


cdef inline float attack_score(const Player* me, const Player* rival) noexcept nogil:
    cdef int power = rank_of(me.peasant.lead)
    cdef int armour = rank_of(rival.knight.lead)
    cdef float score = 0.5 * armour - 0.3 * power
    power -= armour
    if power <= 0:
        return score
    if rival.queen.lead:
        return score + 5
    if power >= rival.health:
        return score + 50
    return score + power


# --- the evaluation -------------------------------------------------------------------------------

cdef void kc_evaluate(
        const Rules* rules, Net net, const State* s, double* out) noexcept nogil:
    cdef int32_t[TERMS_ROOM] terms
    cdef double[MAX_SEATS] scores
    cdef double scale = SHARE_SCALE / rules.num_seats
    cdef int living = 0
    cdef int seat
    if s.phase == PHASE_END:
        kc_returns(rules, s, out)
        return
    for seat in range(rules.num_seats):
        if s.players[seat].health:
            scores[living] = scale * (
                strength(&s.players[seat]) + threat(rules, s, seat)) if net is None else net.score(
                    terms, kc_terms(rules, s, seat, terms))
            living += 1
    net_softmax(scores, living)
    living = 0
    for seat in range(rules.num_seats):
        out[seat] = 0
        if s.players[seat].health:
            out[seat] = scores[living]
            living += 1


cdef inline double strength(const Player* player) noexcept nogil:
    """The value of a kingdom, in points of health."""
    cdef double points = player.health + KNIGHT_VALUE * rank_of(player.knight.lead)
    if player.peasant.lead:
        points += PEASANT + PEASANT_VALUE * rank_of(player.peasant.lead)
    if player.quartermaster.lead:
        points += (PREPARED + PREPARED_VALUE * rank_of(player.quartermaster.lead)
                   - COUNTER * player.counters)
    if player.queen.lead:
        points += QUEEN_LOAD
    return points + stores(player)


cdef inline double stores(const Player* player) noexcept nogil:
    """The value of hand and salvage yard."""
    cdef double points = SALVAGED * player.num_salvage
    cdef uint64_t own, queens, aces
    if player.num_hand + player.num_salvage == 0:   # also before the player has a suit
        return 0
    own = OWN_SUIT << (player.suit << 4)
    queens = owned_cards(player) & SAME_RANK << QUEEN
    aces = owned_cards(player) & SAME_RANK << ACE
    if queens & own:
        points += OWN_SPARE_QUEEN if player.queen.lead else OWN_QUEEN
    elif queens & (queens - 1) and not player.queen.lead:
        points += QUEEN_PAIR
    if aces & own:
        points += OWN_ACE
    elif aces & (aces - 1):
        points += ACE_PAIR
    return points


cdef inline double threat(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The value of a weapon that kills some rival in the present state."""
    cdef int power = rank_of(s.players[seat].peasant.lead)
    cdef int other
    for other in range(rules.num_seats):
        if other == seat or s.players[other].health == 0 or s.players[other].queen.lead:
            continue
        if power - rank_of(s.players[other].knight.lead) >= s.players[other].health:
            return KILL_NOW if seat == s.seat and s.phase <= PHASE_STRIKE else KILL_SOON
    return 0


# --- the playout ----------------------------------------------------------------------------------

cdef int kc_playout(
        const Rules* rules, Net net, State* s, int max_plies, bitgen_t* rng,
        double* out) noexcept nogil:
    cdef int plies = 0
    while s.phase != PHASE_END:
        if max_plies and plies >= max_plies:
            kc_evaluate(rules, net, s, out)
            return plies
        if kc_node(s) == CHANCE:
            kc_apply(rules, s, kc_sample(s, rng))
        else:
            kc_apply(rules, s, kc_policy_move(rules, s, rng))
        plies += 1
    kc_returns(rules, s, out)
    return plies
