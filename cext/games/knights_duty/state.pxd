"""The structs of A Knight's Duty: moves, the state that is also its observations, and the options.

Seats count from 0 here. A state is canonical: equal states have equal bytes, so every byte that
its stage does not use is 0. Sets of seats are masks, a bit each.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t

cdef enum:
    SEATS = 6
    SLOTS = 3
    DIRECTIONS = 16     # a row of `Arena.neighbour`: all values of a choice
    NOWHERE = 255       # `State.space`: no corner yet, or out; `Arena.neighbour`: no such space
    NOBODY = 255        # `State.observer` of a full state

cdef enum Heart:
    OUT
    FULL
    BROKEN
    DEFEATED

# The content of a slot. The weapons are also the values of equipment (NO_TOKEN: none); the number
# of a weapon is the number of shields in its pile of four, and its reach is one space more than
# that number (R8.1, R9.1).
cdef enum Token:
    NO_TOKEN            # not filled yet
    SWORD
    SPEAR
    BOW
    SHIELD
    PARRY
    MOVEMENT
    EMPTY
    LOCKED

cdef enum Stage:        # the nodes of section 6
    STAGE_CLAN
    STAGE_PLACE
    STAGE_STEP
    STAGE_CLAIM
    STAGE_TARGET
    STAGE_ORDER
    STAGE_INSPIRE
    STAGE_DRAW
    STAGE_END

# A move: bits 0-3 value, 4-7 verb; the verb is the stage at which it is made. Values: CLAN the
# corner; PLACE a `Token`; STEP a `Direction`; TARGET seat + 1 or NO_TARGET; the others a `Choice`.
cdef enum Direction:    # canonical order in both arenas; a hexagon has no N and no S
    STAY = 1
    N
    NE
    E
    SE
    S
    SW
    W
    NW

cdef enum Choice:
    YES = 1             # claim, inspire
    NO = 2
    FIRST = 1           # order
    WAIT = 2
    HEART = 1           # draw
    SHIELD_CARD = 2
    NO_TARGET = 7       # target
    HIDDEN = 15         # in moves, tokens and choices: not seen

cdef struct State:
    uint8_t[6] space
    uint8_t[6] heart        # a `Heart`
    uint8_t[6] weapon       # a `Token`
    uint8_t[3][6] tokens    # by slot, then seat: a `Token`, or HIDDEN
    # STEP, CLAIM: directions. TARGET, ORDER: seat + 1 or NO_TARGET; 0 for seats still to be asked.
    # INSPIRE, DRAW: target + 1 of attacks still to resolve.
    uint8_t[6] choice
    uint8_t[6] answer       # CLAIM, ORDER; INSPIRE, DRAW: of attacker and target
    uint16_t turn
    uint8_t slot            # 0 at CLAN and PLACE; at END the one in which the game ended
    uint8_t stage           # a `Stage`
    int8_t node             # the seat asked, CHANCE or TERMINAL
    uint8_t left            # the seats that are still asked in this group
    uint8_t standing        # those whose heart is not OUT
    uint8_t up              # those whose Inspiration is up
    uint8_t waiting         # INSPIRE, DRAW: waiting attackers
    uint8_t winners         # END: those who share the win
    uint8_t observer        # seat + 1, 0 for a spectator, NOBODY: a full state
    uint8_t unused          # always 0, as the compiler's padding may not be

# Spaces are numbered row by row, r and then q ascending, those that exist: at most 169, in the
# square arena of radius 6.
cdef struct Arena:
    uint8_t num_spaces
    uint8_t num_corners
    uint8_t centre                              # the High Ground
    uint8_t[6] corners
    int8_t[169] q
    int8_t[169] r
    uint8_t[169][16] neighbour                  # by space and `Direction`
    uint8_t[28561] distance                     # by space * num_spaces + space

cdef struct Rules:          # the options of section 16
    Arena arena
    uint8_t[6] start        # space of each seat (R3.1)
    uint16_t turn_limit
    uint8_t num_seats
    uint8_t num_tokens      # that may be placed: EMPTY or the one before it
    bint chooses_clans
    bint has_agreements
    bint blocks_swaps
    bint inspires_openly


cdef inline uint32_t move_of(int verb, int value) noexcept nogil:
    return <uint32_t>(verb << 4 | value)


cdef inline int verb_of(uint32_t move) noexcept nogil:
    return move >> 4


cdef inline int value_of(uint32_t move) noexcept nogil:
    return move & 15


cdef inline bint is_weapon(int token) noexcept nogil:
    return SWORD <= token <= BOW


cdef inline int reach(int weapon) noexcept nogil:
    """The longest distance of an attack; without meaning for NO_TOKEN."""
    return weapon + 1


cdef inline int space_between(const Rules* rules, int first, int second) noexcept nogil:
    """The distance of two spaces."""
    return rules.arena.distance[first * rules.arena.num_spaces + second]


cdef inline int with_token(const State* s, int slot, int token) noexcept nogil:
    """The seats with this token in slot 1, 2 or 3."""
    cdef int found = 0
    cdef int seat
    for seat in range(SEATS):
        found |= (s.tokens[slot - 1][seat] == token) << seat
    return found


cdef inline int chosen(const uint8_t* choices) noexcept nogil:
    """The seats that have a choice or answer."""
    cdef int found = 0
    cdef int seat
    for seat in range(SEATS):
        found |= (choices[seat] != 0) << seat
    return found
