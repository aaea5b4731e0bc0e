"""Terms that tell, with two seats, who wins from the beginning of a turn.

They count for a seat and against the other one. Hearts, weapon, Inspiration, the way to the High
Ground and the weapon by distance: each term is 0 or 1.
"""

from .state cimport FULL, NO_TOKEN, STAGE_PLACE, Rules, State, space_between

cdef enum:
    WEAPONS = 4         # with none
    FARTHEST = 8        # distances beyond count as this
    GROUND_FARTHEST = 4
    FULL_HEART = 0
    ARMED = 1           # by heart and weapon
    INSPIRED = ARMED + 2 * WEAPONS              # by heart
    GROUND = INSPIRED + 2                       # by Inspiration and distance
    FAR = GROUND + 2 * (GROUND_FARTHEST + 1)    # by weapon and distance
    NUM_TERMS = FAR + WEAPONS * FARTHEST
    MAX_ACTIVE = 5


cdef inline bint begins_turn(const State* s) noexcept nogil:
    """Whether no token of a turn is placed yet."""
    return s.stage == STAGE_PLACE and s.left == s.standing and s.tokens[0][s.node] == NO_TOKEN


cdef inline int turn_terms(const Rules* rules, const State* s, int seat, int* out) noexcept nogil:
    """Write the terms of a seat that are 1, ascending, and return their number."""
    cdef int is_full = s.heart[seat] == FULL
    cdef int is_up = s.up >> seat & 1
    cdef int weapon = s.weapon[seat]
    cdef int number = 0
    if is_full:
        out[0] = FULL_HEART
        number = 1
    out[number] = ARMED + is_full * WEAPONS + weapon
    number += 1
    if is_up:
        out[number] = INSPIRED + is_full
        number += 1
    out[number] = GROUND + is_up * (GROUND_FARTHEST + 1) + min(
        GROUND_FARTHEST, space_between(rules, s.space[seat], rules.arena.centre))
    out[number + 1] = FAR + weapon * FARTHEST + min(
        FARTHEST, space_between(rules, s.space[0], s.space[1])) - 1
    return number + 2
