"""Playouts and evaluation of Code of Chivalry.

The playout policy adds noise to scores (scores.pxd) and makes the move with the best one. The
evaluation first plays, by the policy without noise, to the end of an attack or special action, as
gems in flight and cards laid down have no owner yet. Then a net scores each seat (terms.pxd), and
the win shares are the softmax of the scores. Without a net, the scores are sums of the weights
(weights.pxd) of the terms of section 14 of the rules page.
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.game cimport CHANCE, MAX_MOVES
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport bitgen_t
from kingmaker.cext.softmax cimport net_softmax
from .legal cimport coc_legal_moves, coc_sample
from .rules cimport coc_apply, coc_node, coc_returns, target_of
from .scores cimport score_of
from .state cimport (
    NOBODY, PHASE_MAIN, PHASE_OVER_GEMS, PHASE_TAKE, Rules, State)
from .terms cimport TERMS_ROOM, coc_terms
from .weights cimport Weights, fort_value, gem_value, hand_value, turn_value, weights_of

# Most noise that the playout policy adds to a score, in 65536 steps.
cdef float NOISE = 0.12 / 65536

# --- the policy -----------------------------------------------------------------------------------

cdef uint32_t coc_policy_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MAX_MOVES] moves
    cdef int num_moves = coc_legal_moves(rules, s, moves)
    cdef uint64_t draw = 0
    cdef float score
    cdef float best_score = 0
    cdef int best = 0
    cdef int i
    if num_moves == 1:
        return moves[0]
    for i in range(num_moves):
        if i % 4 == 0 and rng != NULL:      # 16 bits of noise for each move
            draw = rng.next_uint64(rng.state)
        score = score_of(rules, s, moves[i]) + NOISE * (draw & 0xFFFF)
        draw >>= 16
        if i == 0 or score > best_score:
            best_score = score
            best = i
    return moves[best]


cdef int coc_playout(
        const Rules* rules, Net net, State* s, int max_plies, bitgen_t* rng,
        double* out) noexcept nogil:
    cdef int plies = 0
    while s.phase < PHASE_OVER_GEMS:
        if max_plies and plies >= max_plies:
            coc_evaluate(rules, net, s, out)
            return plies
        if coc_node(s) == CHANCE:
            coc_apply(rules, s, coc_sample(s, rng))
        else:
            coc_apply(rules, s, coc_policy_move(rules, s, rng))
        plies += 1
    coc_returns(rules, s, out)
    return plies


# --- the evaluation -------------------------------------------------------------------------------

cdef void coc_evaluate(
        const Rules* rules, Net net, const State* s, double* out) noexcept nogil:
    cdef State quiet
    if is_quiet(s):
        weigh(rules, net, s, out)
        return
    memcpy(&quiet, s, sizeof(State))
    while not is_quiet(&quiet):
        coc_apply(rules, &quiet, coc_policy_move(rules, &quiet, NULL))
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
