"""Numbers of the moves of A Knight's Duty, see `Game.action_index`: by verb, then by value.

Only moves that the options allow have a number.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from .state cimport (
    NOWHERE, NO_TARGET, NW, STAGE_CLAIM, STAGE_CLAN, STAGE_INSPIRE, STAGE_ORDER, STAGE_PLACE,
    STAGE_STEP, STAGE_TARGET, STAY, SWORD, Rules, move_of)

cdef enum:
    MOVE_BITS = 127     # those that a move can have

cdef struct Actions:
    uint8_t[128] index_of       # by move; without meaning for others
    uint8_t[35] move_at         # 6 corners, 7 tokens, 9 steps, 7 targets, 3 choices of two
    int number


cdef inline void add_actions(Actions* actions, int verb, int first, int last) noexcept nogil:
    cdef int value
    for value in range(first, last + 1):
        actions.index_of[move_of(verb, value)] = actions.number
        actions.move_at[actions.number] = move_of(verb, value)
        actions.number += 1


cdef inline void list_actions(const Rules* rules, Actions* actions) noexcept nogil:
    """Fill the tables."""
    cdef const uint8_t* around = rules.arena.neighbour[rules.arena.centre]
    cdef int direction
    memset(actions, 0, sizeof(Actions))
    if rules.chooses_clans:
        add_actions(actions, STAGE_CLAN, 0, rules.arena.num_corners - 1)
    add_actions(actions, STAGE_PLACE, SWORD, rules.num_tokens)
    for direction in range(STAY, NW + 1):
        if around[direction] != NOWHERE:
            add_actions(actions, STAGE_STEP, direction, direction)
    if rules.has_agreements:
        add_actions(actions, STAGE_CLAIM, 1, 2)     # a `Choice` of two
    add_actions(actions, STAGE_TARGET, 1, rules.num_seats)
    add_actions(actions, STAGE_TARGET, NO_TARGET, NO_TARGET)
    if rules.has_agreements:
        add_actions(actions, STAGE_ORDER, 1, 2)
    add_actions(actions, STAGE_INSPIRE, 1, 2)


cdef inline int kd_action_index(const Actions* actions, uint32_t move) noexcept nogil:
    return actions.index_of[move & MOVE_BITS]
