"""The numbers of the moves of Chessault: by verb, then by argument, in the order of state.pxd.

A move from square to square has the rank of its destination among all that any figure could reach
from there, so that 2,621 numbers suffice.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport count, pop_lowest

from .geometry cimport REACH
from .sets cimport bit_of
from .state cimport (
    CONVERT, KING, KNIGHT, NUM_SQUARES, PAWN, PROTECT, QUEEN, VERB_BUY, VERB_CONVERT, VERB_DEPLOY,
    VERB_DICE, VERB_KEEP, VERB_KING, VERB_MOVE, VERB_PLACE, VERB_PROMOTE, VERB_RECRUIT,
    VERB_RESURRECT, VERB_SACRIFICE, first_of, move_of, second_of, verb_of)

cdef enum:
    NUM_BYTES = 256     # values of a byte of a move
    MOST_ACTIONS = 4096

ARGUMENTS = {   # by verb; those without an argument are not here
    **dict.fromkeys((VERB_BUY, VERB_RECRUIT, VERB_RESURRECT), range(PAWN, KING)),
    VERB_DEPLOY: range(PAWN, KING + 1),
    VERB_PROMOTE: range(KNIGHT, QUEEN + 1),
    VERB_KEEP: range(PROTECT, CONVERT + 1),
    **dict.fromkeys((VERB_PLACE, VERB_SACRIFICE), range(NUM_SQUARES)),
    VERB_CONVERT: range(8, NUM_SQUARES - 8),
}

# The moves of a verb from square to square.
cdef struct Paths:
    uint64_t[NUM_BYTES] destinations    # by source
    int[NUM_BYTES] first                # number of the move to the lowest of them

cdef int[NUM_BYTES] FIRST               # by verb: number of its move with the argument 0
cdef Paths KING_PATHS
cdef Paths PATHS
cdef uint32_t[MOST_ACTIONS] MOVES       # by number


cdef int chs_action_index(uint32_t move) noexcept nogil:
    cdef int verb = verb_of(move)
    if verb == VERB_MOVE:
        return number_of_path(&PATHS, move)
    if verb == VERB_KING:
        return number_of_path(&KING_PATHS, move)
    return FIRST[verb] + first_of(move)


cdef inline int number_of_path(const Paths* paths, uint32_t move) noexcept nogil:
    cdef int source = first_of(move)
    cdef uint64_t before = bit_of(second_of(move)) - 1
    return paths.first[source] + count(paths.destinations[source] & before)


cdef uint32_t chs_action_at(int index) noexcept nogil:
    return MOVES[index]


cdef int list_paths(int verb, Paths* paths, int length):
    """Number the moves of a verb from square to square; return the new number of moves."""
    cdef int source, i
    cdef uint64_t rest
    for source in range(NUM_SQUARES):
        rest = REACH[source].king
        if verb == VERB_MOVE:
            rest |= REACH[source].knight
            for i in range(8):
                rest |= REACH[source].rays[i]
        elif not 8 <= source < NUM_SQUARES - 8:
            rest = 0    # no king stands on a line
        paths.destinations[source] = rest
        paths.first[source] = length
        while rest:
            MOVES[length] = move_of(verb, source, pop_lowest(&rest) + 8)
            length += 1
    return length


cdef int list_moves():
    """Number all moves; return how many there are."""
    cdef int length = 0
    cdef int verb, argument
    for verb in range(VERB_DICE):
        if verb == VERB_KING:
            length = list_paths(verb, &KING_PATHS, length)
        elif verb == VERB_MOVE:
            length = list_paths(verb, &PATHS, length)
        else:
            arguments = ARGUMENTS.get(verb, (0,))
            FIRST[verb] = length - <int>arguments[0]
            for argument in arguments:
                MOVES[length] = move_of(verb, argument)
                length += 1
    return length


NUM_ACTIONS = list_moves()
