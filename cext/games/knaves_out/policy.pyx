"""The policy of Knaves Out: it draws among all legal moves by learned factors (choices.pyx).

Playouts follow it, and priors of tree searches are the square roots of its probabilities. It uses
only what its seat sees. Every game ends by `max_turns` at the latest.
"""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy

from kingmaker.cext.choice cimport Choice, Factors, begin_choice, drawn, weigh_options
from kingmaker.cext.game cimport CHANCE, MOVES_ROOM, TERMINAL
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport bitgen_t

from .choices cimport ko_offer
from .evaluation cimport ko_evaluate
from .legal cimport ko_card_moves, ko_legal_moves, ko_piece_moves, ko_sample
from .rules cimport ko_apply, ko_returns
from .scene cimport (
    ANYTHING, CARDS, Recall, Scene, done_by, ko_begin_scene, ko_look, ko_look_again)
from .state cimport STAGE_MAIN


cdef uint32_t ko_policy_move(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef Scene own
    ko_begin_scene(&own, NULL)
    return next_move(rules, factors, s, &own, rng)


cdef inline uint32_t next_move(
        const Rules* rules, const Factors* factors, const State* s, Scene* own,
        bitgen_t* rng) noexcept nogil:
    """Draw a move at a decision node; the scene may be that of the node before."""
    cdef uint32_t[MOVES_ROOM] moves
    cdef int num_moves = moves_at(rules, s, own, moves)
    cdef Choice choice
    if num_moves == 1:
        own.done = ANYTHING
        return moves[0]
    if own.done == ANYTHING:
        ko_look(rules, s, own)
    else:
        ko_look_again(rules, s, own)
    begin_choice(&choice)
    ko_offer(&choice, factors, rules, s, own, moves, num_moves)
    moves[0] = drawn(&choice, factors, s.node, rng)
    own.done = done_by(s, moves[0])
    return moves[0]


cdef inline int moves_at(
        const Rules* rules, const State* s, Scene* own, uint32_t* out) noexcept nogil:
    """List the legal moves; those of pieces are as before while the seat plays cards."""
    cdef Recall* recall = own.recall
    cdef int found
    if own.seat != s.node:
        own.done = ANYTHING
    if s.stage != STAGE_MAIN or recall == NULL:
        return ko_legal_moves(rules, s, out)
    found = ko_card_moves(rules, s, out)
    if own.done != CARDS:
        recall.num_moves = ko_piece_moves(rules, s, recall.moves)
    memcpy(out + found, recall.moves, recall.num_moves * sizeof(uint32_t))
    return found + recall.num_moves


cdef void ko_prior_weights(
        const Rules* rules, const Factors* factors, const State* s, const uint32_t* moves,
        int num_moves, double* weights) noexcept nogil:
    cdef Choice choice
    cdef Scene own
    ko_begin_scene(&own, NULL)
    ko_look(rules, s, &own)
    begin_choice(&choice)
    ko_offer(&choice, factors, rules, s, &own, moves, num_moves)
    weigh_options(&choice, weights)


cdef int ko_playout(
        const Rules* rules, const Factors* factors, Net net, State* s, int max_plies, bitgen_t* rng,
        double* out) noexcept nogil:
    cdef int plies = 0
    cdef int turn = s.turn
    cdef Scene own
    cdef Recall recall
    ko_begin_scene(&own, &recall)
    while s.node != TERMINAL:
        if max_plies and plies >= max_plies and s.turn != turn:
            ko_evaluate(rules, net, s, out)
            return plies
        turn = s.turn
        ko_apply(
            rules, s,
            ko_sample(rules, s, rng) if s.node == CHANCE
            else next_move(rules, factors, s, &own, rng))
        plies += 1
    ko_returns(rules, s, out)
    return plies
