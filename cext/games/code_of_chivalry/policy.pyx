"""Playouts and evaluation of Code of Chivalry.

The playout policy makes the move with the best score (scores.pxd) after some noise. The evaluation
adds up the terms of section 14 of the rules page, in gems, and turns the sums into win shares.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t
from numpy.random cimport bitgen_t

from kingmaker.cext.game cimport CHANCE, MAX_MOVES
from .legal cimport coc_legal_moves, coc_sample
from .multiset cimport copies_of, kinds, pop_kind, size_of
from .rules cimport coc_apply, coc_node, coc_returns, target_of
from .scores cimport WORTH, score_of
from .state cimport (
    FORT_ARCHER, FORT_CASTLE, PEASANT, PHASE_OVER_GEMS, Rules, State)

cdef enum:
    NEAR = 3            # gems from the target on which each counts double
    GOOD_HAND = 7       # cards from which on another one is worth less

# In gems; section 14 unless another reason is given.
cdef float NOISE = 0.8 / 65536      # the scores of the policy differ by up to 0.8 by chance
cdef double HELD_CARD = 0.25
cdef double CARD_BEYOND = 0.1       # beyond GOOD_HAND: section 14 says only that it falls
cdef double PEASANT_TOGETHER = 0.1  # each beyond two
cdef double CASTLE_UP = 0.8
cdef double ARCHER_UP = 0.9
cdef double BOTH_UP = 1.6
cdef double LEADER = -0.5
# Of the logarithm of the win share, per gem. A fit to games of the policy gives 0.18; measured with
# four seats 0.25 wins more than 0.12, 0.18, 0.4 and 0.7.
cdef double SHARE_SCALE = 0.25


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
    cdef int leader = public_leader(rules, s)
    cdef double total = 0
    cdef int seat
    if s.phase >= PHASE_OVER_GEMS:
        coc_returns(rules, s, out)
        return
    for seat in range(rules.num_seats):
        out[seat] = gem_value(s.gems[seat], target) + hand_value(s, seat) + fort_value(s, seat)
        if seat == leader:
            out[seat] += LEADER
        out[seat] = exp(SHARE_SCALE * out[seat])
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


cdef inline int public_leader(const Rules* rules, const State* s) noexcept nogil:
    """The seat with the most gems, or -1 if several have them."""
    cdef int leader = 0
    cdef bint is_alone = True
    cdef int seat
    for seat in range(1, rules.num_seats):
        if s.gems[seat] > s.gems[leader]:
            leader = seat
            is_alone = True
        elif s.gems[seat] == s.gems[leader]:
            is_alone = False
    return leader if is_alone else -1


cdef inline double gem_value(int gems, int target) noexcept nogil:
    """Gems, those that bring the owner to within two of the target twice."""
    return gems + (gems + NEAR - target if gems + NEAR > target else 0)


cdef inline double hand_value(const State* s, int seat) noexcept nogil:
    cdef uint64_t hand = s.hands[seat]
    cdef uint64_t members = kinds(hand)
    cdef int size = size_of(hand)
    cdef int peasants = copies_of(hand, PEASANT)
    cdef double value = HELD_CARD * size if size <= GOOD_HAND else (
        HELD_CARD * GOOD_HAND + CARD_BEYOND * (size - GOOD_HAND))
    cdef int card
    while members:
        card = pop_kind(&members)
        value += WORTH[card] * copies_of(hand, card)
    return value + (PEASANT_TOGETHER * (peasants - 2) if peasants > 2 else 0)


cdef inline double fort_value(const State* s, int seat) noexcept nogil:
    cdef int forts = s.forts[seat] & (FORT_CASTLE | FORT_ARCHER)
    if forts == FORT_CASTLE | FORT_ARCHER:
        return BOTH_UP
    return CASTLE_UP if forts & FORT_CASTLE else ARCHER_UP if forts else 0
