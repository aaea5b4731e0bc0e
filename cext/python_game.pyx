"""Games whose rules are written in Python: what search asks in C is asked of Python methods.

They play, search and train as all games do, some hundred times more slowly, and the threads of a
search wait for each other. See python_game.pyi for what a game writes.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport NAN
from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memcpy

from .game cimport (
    MAX_HISTORY, MOVES_ROOM, NO_HISTORY, NO_MOVE, NO_NODE_HERE, Game)
from .rng cimport below, bitgen_t, uniform

NEEDED = ("start", "node", "legal_moves", "apply", "returns", "observe", "determinize")


cdef class Draw:
    """Random numbers for a method of a game; see python_game.pyi."""

    cdef bitgen_t* rng

    cdef bitgen_t* stream(self) except NULL:
        if self.rng == NULL:
            raise RuntimeError("these random numbers were for one call only, which has ended")
        return self.rng

    def random(self) -> float:
        return uniform(self.stream())

    def below(self, n) -> int:
        if not 0 < n < 1 << 32:
            raise ValueError(f"n is {n}; it must be 1 to 2**32 - 1")
        return below(self.stream(), n)

    def choice(self, items):
        return items[self.below(len(items))]

    def shuffled(self, items) -> list:
        found = list(items)
        cdef bitgen_t* rng = self.stream()
        cdef Py_ssize_t i, j
        for i in range(len(found) - 1, 0, -1):
            j = below(rng, i + 1)
            found[i], found[j] = found[j], found[i]
        return found


cdef object drawn(method, bytes state, bitgen_t* rng):
    """Return what a method gives that draws from a stream, during this call alone."""
    cdef Draw draw = Draw()
    draw.rng = rng
    try:
        return method(state, draw)
    finally:
        draw.rng = NULL


cdef class PythonGame(Game):
    """Rules in Python; see python_game.pyi."""

    cdef object first_failure
    cdef bint has_policy
    cdef bint has_evaluation
    cdef bint has_seen_moves
    cdef bint has_history

    def __init__(
            self, options, *, num_seats, state_bytes, max_moves, num_features=0, num_actions=0,
            playout_plies=0):
        kind = type(self)
        needed = [*NEEDED, *["features"] * bool(num_features),
                  *["action_index", "action_at"] * bool(num_actions)]
        missing = [name for name in needed if not callable(getattr(kind, name, None))]
        if missing:
            raise TypeError(f"{kind.__name__} lacks {', '.join(missing)}; a game must have them")
        self.options = dict(options)
        self.num_seats = num_seats
        self.state_bytes = state_bytes
        self.max_moves = max_moves
        self.num_features = num_features
        self.num_actions = num_actions
        self.playout_plies = playout_plies
        self.has_policy = hasattr(kind, "playout_move")
        self.has_evaluation = hasattr(kind, "evaluate")
        self.has_seen_moves = hasattr(kind, "seen_move")
        self.has_history = hasattr(kind, "history")

    def failure(self) -> str:
        found, self.first_failure = self.first_failure, None
        self.has_failed = False
        if isinstance(found, BaseException):
            raise found
        return found

    # --- between bytes and pointers -------------------------------------------------------------

    cdef bytes at(self, const void* state):
        return PyBytes_FromStringAndSize(<const char*>state, self.state_bytes)

    cdef int put(self, bytes state, void* out) except -1:
        if len(state) != <Py_ssize_t>self.state_bytes:
            raise ValueError(f"a state has {self.state_bytes} bytes, not {len(state)}")
        memcpy(out, PyBytes_AS_STRING(state), self.state_bytes)
        return 0

    cdef int put_shares(self, list shares, double* out) except -1:
        if len(shares) != self.num_seats:
            raise ValueError(f"{len(shares)} win shares for {self.num_seats} seats")
        for seat in range(self.num_seats):
            out[seat] = shares[seat]
        return 0

    cdef int put_moves(self, list moves, int room, uint32_t* out) except -1:
        cdef int i
        if len(moves) > room:
            raise ValueError(f"{len(moves)} moves; {room} are the most")
        for i in range(len(moves)):
            out[i] = moves[i]
        return len(moves)

    cdef int put_outcomes(self, list found, uint32_t* out, double* probabilities) except -1:
        cdef int i
        self.put_moves([outcome for outcome, _ in found], MOVES_ROOM, out)
        for i in range(len(found)):
            probabilities[i] = found[i][1]
        return len(found)

    cdef int put_history(self, tuple found, void* root, uint32_t* out) except? NO_HISTORY:
        if found is None:
            return NO_HISTORY
        past, moves = found
        self.put(past, root)
        return self.put_moves(moves, MAX_HISTORY, out)

    cdef int put_features(self, list found, int32_t* out) except -1:
        cdef int i
        if len(found) > self.num_features:
            raise ValueError(f"{len(found)} features of {self.num_features}")
        for i in range(len(found)):
            out[i] = found[i]
        return len(found)

    cdef void fail(self, str method, error) noexcept:
        """Keep the first error, for `failure`: in words, or itself if it is no fault, as Ctrl-C."""
        if self.has_failed:
            return
        self.has_failed = True
        if not isinstance(error, Exception):
            self.first_failure = error
            return
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        code = trace.tb_frame.f_code if trace is not None else None
        if code is None or code.co_filename.endswith("python_game.pyx"):
            self.first_failure = f"{method} gives a wrong result: {error}"
            return
        where = f"({code.co_filename}:{trace.tb_lineno})"
        self.first_failure = f"{method} raises {type(error).__name__}: {error} {where}"

    # --- the contract ---------------------------------------------------------------------------

    cdef void start(self, void* state) noexcept nogil:
        with gil:
            try:
                self.put((<object>self).start(), state)
            except BaseException as error:
                self.fail("start", error)

    cdef int node(self, const void* state) noexcept nogil:
        if self.has_failed:
            return NO_NODE_HERE
        with gil:
            try:
                return (<object>self).node(self.at(state))
            except BaseException as error:
                self.fail("node", error)
                return NO_NODE_HERE

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        with gil:
            try:
                return self.put_moves((<object>self).legal_moves(self.at(state)), MOVES_ROOM, out)
            except BaseException as error:
                self.fail("legal_moves", error)
                return 0

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        with gil:
            try:
                return self.put_outcomes(
                    (<object>self).chance_outcomes(self.at(state)), out, probabilities)
            except BaseException as error:
                self.fail("chance_outcomes", error)
                return 0

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        with gil:
            try:
                self.put((<object>self).apply(self.at(state), move), state)
            except BaseException as error:
                self.fail("apply", error)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        with gil:
            try:
                self.put_shares((<object>self).returns(self.at(state)), out)
            except BaseException as error:
                self.fail("returns", error)
                out[0] = NAN

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        with gil:
            try:
                self.put((<object>self).observe(self.at(state), seat), out)
            except BaseException as error:
                self.fail("observe", error)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        with gil:
            try:
                self.put(drawn((<object>self).determinize, self.at(observation), rng), out)
            except BaseException as error:
                self.fail("determinize", error)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        if not self.has_seen_moves:
            return move
        with gil:
            try:
                return (<object>self).seen_move(self.at(state), move, seat)
            except BaseException as error:
                self.fail("seen_move", error)
                return move

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        if not self.has_policy:
            return Game.playout_move(self, state, rng)
        with gil:
            try:
                return drawn((<object>self).playout_move, self.at(state), rng)
            except BaseException as error:
                self.fail("playout_move", error)
                return NO_MOVE

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        if not self.has_evaluation:
            Game.evaluate(self, state, out)
            return
        with gil:
            try:
                self.put_shares((<object>self).evaluate(self.at(state)), out)
            except BaseException as error:
                self.fail("evaluate", error)
                out[0] = NAN

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        if not self.has_history:
            return NO_HISTORY
        with gil:
            try:
                return self.put_history((<object>self).history(self.at(state)), root, out)
            except BaseException as error:
                self.fail("history", error)
                return NO_HISTORY

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        with gil:
            try:
                return self.put_features((<object>self).features(self.at(state), seat), out)
            except BaseException as error:
                self.fail("features", error)
                return -1

    cdef int action_index(self, uint32_t move) noexcept nogil:
        with gil:
            try:
                return (<object>self).action_index(move)
            except BaseException as error:
                self.fail("action_index", error)
                return -1

    cdef uint32_t action_at(self, int index) noexcept nogil:
        with gil:
            try:
                return (<object>self).action_at(index)
            except BaseException as error:
                self.fail("action_at", error)
                return NO_MOVE
