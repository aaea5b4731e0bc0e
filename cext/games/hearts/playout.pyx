"""Playouts and evaluation of Hearts.

The playout policy draws a card by learned factors (choices.pxd). It looks at nothing that the seat
to move doesn't see. Priors of tree searches follow the square roots of its probabilities: a search
has to see past what the policy is sure of.

A playout deals all cards that are left at once, and makes the moves of the policy with the same
draws as play move by move.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport lowest
from kingmaker.cext.choice cimport Choice, Factors, begin_choice, drawn, weigh_options
from kingmaker.cext.game cimport TERMINAL
from kingmaker.cext.rng cimport bitgen_t

from .choices cimport offer_cards, offer_passes, of_all_suits, size_of
from .dealing cimport deal_places
from .rules cimport (
    finish_deal, hearts_returns, play_card, plays, set_aside, undealt)
from .state cimport (
    ALL_POINTS, HAND_CARDS, NUM_CARDS, NUM_SEATS, PHASE_DEAL, PHASE_DIRECTION, PHASE_PASS,
    PHASE_PLAY, VERB_PLAY, State, bit, hand_of)

cdef enum:
    HIGH_RANKS = 0x1C00    # queens and higher
    BASE_WEIGHT = 1        # of a hand without high cards


# --- the policy -----------------------------------------------------------------------------------

cdef uint32_t hearts_policy_move(
        const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef Choice choice
    cdef uint64_t cards
    begin_choice(&choice)
    if s.phase == PHASE_PLAY:
        cards = plays(s)
        if not cards & (cards - 1):
            return VERB_PLAY | lowest(cards)
        offer_cards(&choice, factors, s, cards)
    else:
        offer_passes(&choice, factors, s, s.held[s.to_move] & ~s.given[s.to_move])
    return drawn(&choice, factors, s.to_move, rng)


cdef void hearts_prior_weights(
        const Factors* factors, const State* s, const uint32_t* moves, int num_moves,
        double* weights) noexcept nogil:
    cdef Choice choice
    cdef int i
    begin_choice(&choice)
    for i in range(num_moves):
        if s.phase == PHASE_PLAY:
            offer_cards(&choice, factors, s, bit(moves[i] & 63))
        else:
            offer_passes(&choice, factors, s, bit(moves[i] & 63))
    weigh_options(&choice, weights)


# --- playouts -------------------------------------------------------------------------------------

cdef int hearts_playout(
        const Factors* factors, State* s, bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    if s.phase < PHASE_PASS:
        plies = deal_rest(s, rng)
    while s.phase == PHASE_PASS:
        set_aside(s, hearts_policy_move(factors, s, rng) & 63)
        plies += 1
    while s.to_move != TERMINAL:
        play_card(s, hearts_policy_move(factors, s, rng))
        plies += 1
    hearts_returns(s, out)
    return plies


cdef int deal_rest(State* s, bitgen_t* rng) noexcept nogil:
    """Deal all cards that are left; returns the number of plies."""
    cdef int plies = NUM_CARDS - s.count
    cdef int[NUM_SEATS] places
    cdef int seat
    if s.phase == PHASE_DIRECTION:
        s.direction = rng.next_uint32(rng.state) >> 30
        s.phase = PHASE_DEAL
        plies += 1
    for seat in range(NUM_SEATS):
        places[seat] = HAND_CARDS - ((s.count + 3 - seat) >> 2)
    deal_places(undealt(s), places, s.held, rng)
    finish_deal(s)
    return plies


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
        weights[seat] = BASE_WEIGHT + size_of(
            hand_of(s, seat) & of_all_suits(HIGH_RANKS))
        sum_weights += weights[seat]
        left -= s.points[seat]
    for seat in range(NUM_SEATS):
        out[seat] = (
            ALL_POINTS - s.points[seat] - left * weights[seat] / sum_weights) / 78.0
