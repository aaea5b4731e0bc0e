"""Playouts and evaluation of Code of Chivalry.

The playout policy makes the move with the best score (scores.pxd) after some noise. The evaluation
adds up weights of what section 14 of the rules page names, fitted to games, and turns the sums into
win shares.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from numpy.random cimport bitgen_t

from kingmaker.cext.game cimport CHANCE, MAX_MOVES
from .legal cimport coc_legal_moves, coc_sample
from .multiset cimport copies_of, kinds, pop_kind, size_of
from .rules cimport coc_apply, coc_node, coc_returns, target_of
from .scores cimport score_of
from .state cimport (
    FORT_ARCHER, FORT_CASTLE, PHASE_OVER_GEMS, Rules, State)

# What the playout policy adds to a score by chance, at most; of 65536 steps.
cdef float NOISE = 0.8 / 65536

# The evaluation: each term adds to the logarithm of the win share. The mean of two conditional
# logits, fitted to games of four seats: 94,000 positions of 5,000 games of ismcts with 500
# simulations a move, some of the seats with uniform playouts, and 13,000 of 633 games with this
# evaluation and 1,500 simulations. They predict games kept apart with log losses of 1.289 and 1.224
# (no knowledge: 1.386; the mean of 200 playouts to the end, once calibrated: 1.33 for the first).
# Games of two seats ask for the same weights. Minstrel and monk are guesses: not in those decks.
cdef double MISSING_GEM = -0.15
cdef double NEAR_BY_2 = 0.19     # two gems or fewer are missing
cdef double NEAR_BY_1 = 0.245     # one more
cdef double[3] FEW_CARDS          # of a hand of so many cards
FEW_CARDS[:] = [-0.57, -0.36, -0.16]
cdef double[3] TURN               # of the active seat and those that follow
TURN[:] = [0.15, 0.345, 0.16]
cdef double CASTLE_UP = 0.33
cdef double ARCHER_UP = 0.57
cdef double BOTH_UP = 0.45
cdef double[19] HELD              # of a card in hand, in card order
HELD[:] = [
    0.045, 0.047, 0.095, 0.1, 0.44, 0.275, 0.115, 0.0, 0.05, 0.1, 0.0, 0.02, 0.13, 0.65, 0.17, 0.39,
    0.475, 0.3, 0.1]


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
        if i % 4 == 0:   # 16 bits of noise for each move
            draw = rng.next_uint64(rng.state)
        score = score_of(rules, s, moves[i]) + NOISE * (draw & 0xFFFF)
        draw >>= 16
        if i == 0 or score > best_score:
            best_score = score
            best = i
    return moves[best]


cdef int coc_playout(
        const Rules* rules, State* s, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    while s.phase < PHASE_OVER_GEMS:
        if max_plies and plies >= max_plies:
            coc_evaluate(rules, s, out)
            return plies
        if coc_node(s) == CHANCE:
            coc_apply(rules, s, coc_sample(s, rng))
        else:
            coc_apply(rules, s, coc_policy_move(rules, s, rng))
        plies += 1
    coc_returns(rules, s, out)
    return plies


# --- the evaluation -------------------------------------------------------------------------------

cdef void coc_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef int target = target_of(rules, s)
    cdef double total = 0
    cdef int seat
    if s.phase >= PHASE_OVER_GEMS:
        coc_returns(rules, s, out)
        return
    for seat in range(rules.num_seats):
        out[seat] = exp(
            gem_value(target - s.gems[seat]) + hand_value(s, seat) + fort_value(s, seat)
            + turn_value(rules, s, seat))
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


cdef inline double gem_value(int missing) noexcept nogil:
    return MISSING_GEM * missing + (NEAR_BY_2 if missing <= 2 else 0) + (
        NEAR_BY_1 if missing <= 1 else 0)


cdef inline double hand_value(const State* s, int seat) noexcept nogil:
    cdef uint64_t hand = s.hands[seat]
    cdef uint64_t members = kinds(hand)
    cdef int size = size_of(hand)
    cdef double value = FEW_CARDS[size] if size < 3 else 0
    cdef int card
    while members:
        card = pop_kind(&members)
        value += HELD[card] * copies_of(hand, card)
    return value


cdef inline double fort_value(const State* s, int seat) noexcept nogil:
    cdef int forts = s.forts[seat] & (FORT_CASTLE | FORT_ARCHER)
    if forts == FORT_CASTLE | FORT_ARCHER:
        return BOTH_UP
    return CASTLE_UP if forts & FORT_CASTLE else ARCHER_UP if forts else 0


cdef inline double turn_value(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef int ahead = seat - s.active
    if ahead < 0:
        ahead += rules.num_seats
    return TURN[ahead] if ahead < 3 else 0
