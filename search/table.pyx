"""See table.pyi."""

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport (
    MAX_FEATURES, MOVES_ROOM, TERMINAL, Game, check_limits, list_features, listed, settle)
from kingmaker.cext.rng cimport bitgen_t, stream_of

cdef object frombuffer   # a variable of C: not looked up by name

import numpy as np
from numpy import frombuffer
from numpy.random import SFC64

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.contract import contract_error, contract_error_at

cdef object INT8 = np.dtype(np.int8)


cdef class Table:
    """See table.pyi."""

    cdef readonly Game game
    cdef readonly int node
    cdef readonly int num_legal
    cdef object stream
    cdef bitgen_t* rng
    cdef bytearray owned_state
    cdef char* here
    cdef uint32_t[MOVES_ROOM] moves   # legal now, in canonical order
    cdef int32_t[MOVES_ROOM] actions  # their numbers

    def __init__(self, Game game not None):
        check_limits(game)
        if not game.num_features or not game.num_actions:
            raise InputError(
                f"{game.name} has no features or no numbered actions, which Game.features and "
                "Game.action_index give", field="game", value=game.name)
        self.game = game
        self.owned_state = bytearray(game.state_bytes)
        self.here = PyByteArray_AS_STRING(self.owned_state)
        self.restart()

    def __reduce__(self) -> tuple:
        return resumed, (self.game, self.state, self.stream.state)

    def restart(self, seed=None) -> int:
        """Begin a new game; see table.pyi."""
        self.stream = SFC64(seed)
        self.rng = stream_of(self.stream)
        self.game.start(self.here)
        self.advance()
        return self.node

    def play(self, int action) -> int:
        """Play a move by its number; see table.pyi."""
        cdef int i
        for i in range(self.num_legal):
            if self.actions[i] == action:
                self.game.apply(self.here, self.moves[i])
                self.advance()
                return self.node
        raise self.refusal(action)

    cdef int advance(self) except -1:
        """Draw outcomes until a seat is to decide, and list its moves."""
        cdef int i
        self.num_legal = 0
        self.node = settle(self.game, self.here, self.rng)
        if self.node == TERMINAL:
            return 0
        if not 0 <= self.node < self.game.num_seats:
            raise contract_error_at(self.game, self.state)
        cdef int length = listed(self.game, self.here, self.node, self.moves, NULL)
        if length == 0:
            raise contract_error_at(self.game, self.state)
        for i in range(length):
            self.actions[i] = self.game.action_index(self.moves[i])
            if not 0 <= self.actions[i] < self.game.num_actions:
                raise contract_error(
                    self.game, f"the number of a move is {self.actions[i]}; it must be 0 to "
                    f"{self.game.num_actions - 1}")
        self.num_legal = length
        return 0

    cdef object refusal(self, int action):
        """Say why an action is not possible."""
        if self.node == TERMINAL:
            return StateError("the game is over", field="action", value=str(action))
        game, state = self.game, self.state
        move = game.move_at(action)
        why, rule = game.why_illegal(state, move)
        return StateError(
            f"action {action}, {game.move_text(move)}, is not legal: {why}", field="action",
            value=str(action), rule=rule)

    @property
    def state(self) -> bytes:
        """The state now."""
        return PyBytes_FromStringAndSize(self.here, self.game.state_bytes)

    def returns(self) -> list:
        """Return the win share of each seat; the game must be over."""
        if self.node != TERMINAL:
            raise StateError("the game is not over, so there is no result yet", field="state")
        return self.game.returns_of(self.state)

    def features(self, int seat):
        """Return what a seat sees as a vector; see table.pyi."""
        cdef int32_t[MAX_FEATURES] found
        cdef int i
        if not 0 <= seat < self.game.num_seats:
            raise InputError(
                f"seat is {seat}; it must be 0 to {self.game.num_seats - 1}", field="seat",
                value=str(seat))
        cdef bytearray vector = PyByteArray_FromStringAndSize(NULL, self.game.num_features)
        cdef char* out = PyByteArray_AS_STRING(vector)
        memset(out, 0, self.game.num_features)
        for i in range(list_features(self.game, self.here, seat, found)):
            out[found[i]] = 1
        return frombuffer(vector, INT8)

    def mask(self, int seat):
        """Return which actions a seat may play now as a vector; see table.pyi."""
        cdef int i
        cdef bytearray vector = PyByteArray_FromStringAndSize(NULL, self.game.num_actions)
        cdef char* out = PyByteArray_AS_STRING(vector)
        memset(out, 0, self.game.num_actions)
        if seat == self.node:
            for i in range(self.num_legal):
                out[self.actions[i]] = 1
        return frombuffer(vector, INT8)


def resumed(Game game not None, bytes state not None, dict stream not None) -> Table:
    """Return a table that was pickled or copied, with the same chance to come."""
    cdef Table table = Table(game)
    table.stream.state = stream
    memcpy(table.here, game.pointer(state), game.state_bytes)
    table.advance()   # which draws nothing, as the state was settled
    return table
