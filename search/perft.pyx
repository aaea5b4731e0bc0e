"""How many sequences of moves and outcomes there are, counted one by one ("perft").

The counts test the rules against numbers known from elsewhere, and the time that they take is the
speed of `legal_moves`, `chance_outcomes` and `apply`, since nothing else is done.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.game cimport MOVES_ROOM, TERMINAL, Game, check_limits, listed

from kingmaker.cext.errors import InputError
from kingmaker.cext.contract import contract_error

cdef enum:
    MAX_DEPTH = 32   # far beyond what can be counted, in a game that branches


cdef bint count(
    Game game, char* states, int length, int depth, uint64_t* counts
) noexcept nogil:
    """Count a sequence of `length`, whose state is the last in `states`, and all its continuations.

    Returns False if the game breaks the engine contract.
    """
    cdef uint32_t[MOVES_ROOM] moves
    cdef double[MOVES_ROOM] probabilities
    cdef char* state = states + length * game.state_bytes
    cdef int node, num_moves, i
    counts[length] += 1
    if length == depth:
        return True
    node = game.node(state)
    if node == TERMINAL:
        return True
    num_moves = listed(game, state, node, moves, probabilities)
    if num_moves == 0:
        return False
    for i in range(num_moves):
        memcpy(state + game.state_bytes, state, game.state_bytes)
        game.apply(state + game.state_bytes, moves[i])
        if not count(game, states, length + 1, depth, counts):
            return False
    return True


def count_sequences(Game game not None, bytes state, int depth) -> list:
    """Return the numbers of sequences of length 0, 1, ... `depth`; see perft.pyi."""
    cdef uint64_t[MAX_DEPTH + 1] counts
    if not 0 <= depth <= MAX_DEPTH:
        raise InputError(
            f"depth is {depth}; it must be from 0 to {MAX_DEPTH}", field="depth", value=str(depth))
    check_limits(game)
    cdef const char* root = <const char*>game.pointer(state)
    cdef bint is_kept
    cdef bytearray owned_states = bytearray(game.state_bytes * (depth + 1))
    cdef char* states = PyByteArray_AS_STRING(owned_states)
    for i in range(depth + 1):
        counts[i] = 0
    with nogil:
        memcpy(states, root, game.state_bytes)
        is_kept = count(game, states, 0, depth, counts)
    if not is_kept:
        raise contract_error(game)
    return [counts[i] for i in range(depth + 1)]
