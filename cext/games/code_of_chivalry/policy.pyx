"""Playouts and evaluation of Code of Chivalry.

The playout policy draws a move by learned factors (choices.pxd). Priors of tree searches follow the
square roots of its probabilities: a search has to see past what the policy is sure of. The
evaluation first plays, by the likeliest moves of the policy, to the end of an attack or special
action, as gems in flight and cards laid down have no owner yet. Then a net scores each seat
(terms.pxd), and the win shares are the softmax of the scores. Without a net, the scores are sums of
the weights (weights.pxd) of the terms of section 14 of the rules page.
"""

from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy

from kingmaker.cext.choice cimport Choice, Factors, begin_choice, drawn, weigh_options
from kingmaker.cext.game cimport CHANCE, MAX_MOVES
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport bitgen_t
from kingmaker.cext.softmax cimport net_softmax
from .choices cimport Stand, look, offer_move
from .legal cimport coc_legal_moves, coc_sample
from .rules cimport coc_apply, coc_node, coc_returns, target_of
from .state cimport (
    NOBODY, PHASE_MAIN, PHASE_OVER_GEMS, PHASE_TAKE, Rules, State)
from .terms cimport TERMS_ROOM, coc_terms
from .weights cimport Weights, fort_value, gem_value, hand_value, turn_value, weights_of

# --- the policy -----------------------------------------------------------------------------------

cdef uint32_t coc_policy_move(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MAX_MOVES] moves
    cdef int num_moves = coc_legal_moves(rules, s, moves)
    cdef Choice choice
    cdef Stand own
    cdef int best = 0
    cdef int i
    if num_moves == 1:
        return moves[0]
    look(rules, s, &own)
    begin_choice(&choice)
    for i in range(num_moves):
        offer_move(&choice, factors, rules, s, &own, moves[i])
    if rng != NULL:
        return drawn(&choice, factors, s.seat, rng)
    for i in range(1, num_moves):
        if choice.weights[i] > choice.weights[best]:
            best = i
    return moves[best]


cdef void coc_prior_weights(
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


cdef int coc_playout(
        const Rules* rules, const Factors* factors, Net net, State* s, int max_plies,
        bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    while s.phase < PHASE_OVER_GEMS:
        if max_plies and plies >= max_plies:
            coc_evaluate(rules, factors, net, s, out)
            return plies
        if coc_node(s) == CHANCE:
            coc_apply(rules, s, coc_sample(s, rng))
        else:
            coc_apply(rules, s, coc_policy_move(rules, factors, s, rng))
        plies += 1
    coc_returns(rules, s, out)
    return plies


# --- the evaluation -------------------------------------------------------------------------------

cdef void coc_evaluate(
        const Rules* rules, const Factors* factors, Net net, const State* s,
        double* out) noexcept nogil:
    cdef State quiet
    if is_quiet(s):
        weigh(rules, net, s, out)
        return
    memcpy(&quiet, s, sizeof(State))
    while not is_quiet(&quiet):
        coc_apply(rules, &quiet, coc_policy_move(rules, factors, &quiet, NULL))
    weigh(rules, net, &quiet, out)


cdef bint is_quiet(const State* s) noexcept nogil:
    """Whether the terms apply: no attack, robbery or special action is under way.

    For an observation they always do, as it can't be played further.
    """
    return s.phase <= PHASE_MAIN or s.phase == PHASE_TAKE or s.phase >= PHASE_OVER_GEMS or (
        s.observer != NOBODY)


cdef void weigh(const Rules* rules, Net net, const State* s, double* out) noexcept nogil:
    """Write the win shares of a quiet state; exact when the game is over."""
    cdef int32_t[TERMS_ROOM] terms
    cdef int seat
    if s.phase >= PHASE_OVER_GEMS:
        coc_returns(rules, s, out)
        return
    for seat in range(rules.num_seats):
        out[seat] = weighed(rules, s, seat) if net is None else net.score(
            terms, coc_terms(rules, s, seat, terms))
    net_softmax(out, rules.num_seats)


cdef double weighed(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The score of a seat by the weights."""
    cdef const Weights* w = weights_of(rules)
    cdef int missing = target_of(rules, s) - s.gems[seat]
    return (gem_value(w, missing) + hand_value(w, s.hands[seat]) + fort_value(w, s.forts[seat])
            + turn_value(w, rules.num_seats, s, seat, missing))
