"""Legal moves and chance outcomes of A Knight's Duty, in the order of R13.2.

Works on observations too where their own seat is to move.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport pop_lowest
from kingmaker.cext.rng cimport below, bitgen_t

from .combat cimport fighter, hearts_of, in_reach, shields_of
from .state cimport (
    HEART, NO_TARGET, PARRY, SEATS, SHIELD_CARD, STAGE_CLAN, STAGE_DRAW, STAGE_PLACE,
    STAGE_STEP, STAGE_TARGET, SWORD, Rules, State, move_of)
from .steps cimport step_moves


cdef inline int kd_legal_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    """Write the legal moves of the deciding seat and return their number."""
    if s.stage == STAGE_PLACE:
        return placements(rules, s, out)
    if s.stage == STAGE_STEP:
        return step_moves(rules, s, s.node, out)
    if s.stage == STAGE_TARGET:
        return target_moves(rules, s, s.node, out)
    if s.stage == STAGE_CLAN:
        return free_corners(rules, s, out)
    out[0] = move_of(s.stage, 1)    # a `Choice` of two
    out[1] = move_of(s.stage, 2)
    return 2


cdef inline int used_up(const State* s, int seat) noexcept nogil:
    """The token in both slots 1 and 2, which leaves none for slot 3 (R4.5); 0 if there is none."""
    cdef int token = s.tokens[0][seat]
    return token if token <= PARRY and token == s.tokens[1][seat] else 0


cdef inline int placements(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int missing = used_up(s, s.node)
    cdef int num_moves = 0
    cdef int token
    for token in range(SWORD, rules.num_tokens + 1):
        out[num_moves] = move_of(STAGE_PLACE, token)
        num_moves += token != missing
    return num_moves


cdef inline int target_moves(
        const Rules* rules, const State* s, int seat, uint32_t* out) noexcept nogil:
    """R8.3."""
    cdef uint64_t targets = in_reach(rules, s, seat)
    cdef int num_moves = 0
    while targets:
        out[num_moves] = move_of(STAGE_TARGET, pop_lowest(&targets) + 1)
        num_moves += 1
    out[num_moves] = move_of(STAGE_TARGET, NO_TARGET)
    return num_moves + 1


cdef inline int free_corners(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    """R3.2."""
    cdef int num_moves = 0
    cdef int corner, seat
    cdef bint is_free
    for corner in range(rules.arena.num_corners):
        is_free = True
        for seat in range(SEATS):
            is_free = is_free and s.space[seat] != rules.arena.corners[corner]
        out[num_moves] = move_of(STAGE_CLAN, corner)
        num_moves += is_free
    return num_moves


cdef inline int kd_outcomes(
        const Rules* rules, const State* s, uint32_t* out, double* probabilities) noexcept nogil:
    """R9.5; there is at least one heart and one shield in the pile."""
    cdef int attacker = fighter(rules, s)
    cdef int target = s.choice[attacker] - 1
    cdef int hearts = hearts_of(s, attacker, target)
    cdef double pile = hearts + shields_of(s, attacker, target)
    out[0] = move_of(STAGE_DRAW, HEART)
    out[1] = move_of(STAGE_DRAW, SHIELD_CARD)
    probabilities[0] = hearts / pile
    probabilities[1] = 1 - probabilities[0]
    return 2


cdef inline uint32_t kd_sample(
        const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef int attacker = fighter(rules, s)
    cdef int target = s.choice[attacker] - 1
    cdef int hearts = hearts_of(s, attacker, target)
    cdef int card = below(rng, hearts + shields_of(s, attacker, target))
    return move_of(STAGE_DRAW, HEART if card < hearts else SHIELD_CARD)
