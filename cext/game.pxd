"""A game: the engine contract (contract.pxd) with the checked methods that Python calls.

Search and rules find all of the contract here.
"""

from libc.stdint cimport int64_t, uint32_t

from .contract cimport (
    CHANCE, HISTORY_ROOM, MAX_ACTIONS, MAX_FEATURES, MAX_HISTORY, MAX_MOVES, MAX_PLAYOUT, MAX_SEATS,
    MAX_STATE_BYTES, MOVES_ROOM, NO_HISTORY, NO_MOVE, NO_NODE_HERE, NO_SEAT, ROUNDING_OF_SUMS,
    SPECTATOR, TERMINAL, Contract, Refusal, are_probabilities, are_shares, check_limits,
    list_features, listed, listed_features, node_at, refuse, settle, uniform_move)


cdef class Game(Contract):
    # Return the token of a move or outcome: `move_text`, or a shorter way to its text.
    cdef str token(self, uint32_t move)

    # Return the move or outcome of a token: `parse_move`, or a shorter way to its result.
    cdef int64_t parsed(self, str text) except -1


# Return the state after a move or outcome; None if it is not possible.
cdef bytes possible_state(Game game, bytes state, uint32_t move)

# Return the observation of a state by `seat`, and a state drawn from those consistent with one.
cdef bytes observed_state(Game game, bytes state, int seat)
cdef bytes determinized_state(Game game, bytes observation, bit_generator)
