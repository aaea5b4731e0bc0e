"""Playouts and evaluation of Kingdom Coinquest.

The playout policy draws a move by learned factors (choices.pxd). Priors of tree searches follow the
square roots of its probabilities: a search has to see past what the policy is sure of. A net scores
each kingdom (terms.pxd), and the win shares are the softmax of the scores. Without a net the
evaluation sums the holdings of each kingdom; the unit is a point of health.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from kingmaker.cext.choice cimport Choice, Factors, begin_choice, drawn, weigh_options
from kingmaker.cext.game cimport CHANCE, MAX_SEATS
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport bitgen_t
from kingmaker.cext.softmax cimport net_softmax

from .choices cimport Stand, look, offer_move
from .rules cimport kc_apply, kc_legal_moves, kc_node, kc_returns, kc_sample
from .state cimport (
    ACE, PHASE_END, PHASE_STRIKE, QUEEN, Player, Rules, State, rank_of)
from .terms cimport TERMS_ROOM, kc_terms, owned_by

cdef enum:
    MOST_MOVES = 12         # at a decision node (16.1)

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

cdef uint32_t kc_policy_move(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MOST_MOVES] moves
    cdef int num_moves = kc_legal_moves(rules, s, moves)
    cdef Choice choice
    cdef Stand own
    cdef int i
    if num_moves == 1:
        return moves[0]
    look(rules, s, &own)
    begin_choice(&choice)
    for i in range(num_moves):
        offer_move(&choice, factors, rules, s, &own, moves[i])
    return drawn(&choice, factors, s.seat, rng)


cdef void kc_prior_weights(
        const Rules* rules, const Factors* factors, const State* s, const uint32_t* moves,
        int num_moves, double* weights) noexcept nogil:
    cdef Choice choice
    cdef Stand own
    cdef int i
    look(rules, s, &own)
    begin_choice(&choice)
    for i in range(num_moves):
        offer_move(&choice, factors, rules, s, &own, moves[i])
    weigh_options(&choice, weights)


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
    queens = owned_by(player) & SAME_RANK << QUEEN
    aces = owned_by(player) & SAME_RANK << ACE
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
        const Rules* rules, const Factors* factors, Net net, State* s, int max_plies,
        bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    while s.phase != PHASE_END:
        if max_plies and plies >= max_plies:
            kc_evaluate(rules, net, s, out)
            return plies
        if kc_node(s) == CHANCE:
            kc_apply(rules, s, kc_sample(s, rng))
        else:
            kc_apply(rules, s, kc_policy_move(rules, factors, s, rng))
        plies += 1
    kc_returns(rules, s, out)
    return plies
