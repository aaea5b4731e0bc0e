"""What Python calls of a game: methods that check their arguments and what the game returns.

In Python a state or observation is an immutable `bytes` of `state_bytes`; notation, words and the
typed view are ordinary methods that each game overrides.
"""

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t
from libc.string cimport memcpy, memset

from kingmaker.cext.contract import contract_error, contract_error_at
from kingmaker.cext.errors import IllegalMoveError, InputError

from .contract cimport list_moves, list_outcomes, list_shares, quantile
from .lists cimport PyList_New, put
from .rng cimport bitgen_t, stream_of
from .signals cimport heed_signals


cdef enum:
    SIGNALS_STRIDE = 32     # playouts: one of a small game takes as long as a look at the clock


cdef object unwritten(kind, str method):
    """Return the error for a method that a game has not overridden."""
    return NotImplementedError(f"{kind.__name__}.{method} is missing; a game must have it")


cdef inline int check_viewer(Game game, int seat) except -1:
    """Raise InputError if a number is no seat, from 0, and no spectator, -1."""
    if not -1 <= seat < game.num_seats:
        raise InputError(
            f"seat is {seat}; it must be 0 to {game.num_seats - 1}, or -1 for a spectator",
            field="seat", value=str(seat))
    return 0


cdef inline int check_failure(Game game) except -1:
    """Raise RuntimeError if a method of a game in Python has failed."""
    if game.has_failed:
        raise contract_error(game)
    return 0


cdef inline bytes state_after(Game game, const void* here, uint32_t move):
    """Return the state after a possible move or outcome."""
    cdef bytes out = PyBytes_FromStringAndSize(<const char*>here, game.state_bytes)
    game.apply(PyBytes_AS_STRING(out), move)
    check_failure(game)
    return out


cdef bytes possible_state(Game game, bytes state, uint32_t move):
    """Return the state after a move or outcome; None if it is not possible."""
    cdef uint32_t[MOVES_ROOM] moves
    cdef double[MOVES_ROOM] probabilities
    cdef const void* here = game.pointer(state)
    cdef int node = node_at(game, here)
    cdef int length, i
    if node == CHANCE:
        length = list_outcomes(game, here, moves, probabilities)
    else:
        length = list_moves(game, here, node, moves)
    for i in range(length):
        if moves[i] == move:
            return state_after(game, here, move)
    return None


cdef bytes observed_state(Game game, bytes state, int seat):
    cdef char* place
    cdef bytes out = blank_state(game, &place)
    game.observe(game.pointer(state), seat, place)
    check_failure(game)
    return out


cdef bytes determinized_state(Game game, bytes observation, bit_generator):
    cdef char* place
    cdef bytes out = blank_state(game, &place)
    game.determinize(game.pointer(observation), stream_of(bit_generator), place)
    check_failure(game)
    return out


cdef inline bytes blank_state(Game game, char** place):
    """Make a state of zeros to be written at `place`."""
    cdef bytes out = PyBytes_FromStringAndSize(NULL, game.state_bytes)
    place[0] = PyBytes_AS_STRING(out)
    memset(place[0], 0, game.state_bytes)
    return out


def game_with(kind, options):
    """Return the game of a class with these options."""
    return kind(**dict(options))


cdef class Game(Contract):
    """Rules with fixed options; see contract.pxd for the methods that games implement in C.

    All methods that return moves, outcomes, win shares or a history to Python raise RuntimeError if
    the game breaks the engine contract. The class attributes are those of `Contract`.
    """
    def __reduce__(self):
        """Pickle and copy a game by its options: it has no state."""
        return game_with, (type(self), tuple((self.options or {}).items()))

    # --- states as bytes ----------------------------------------------------------------------

    def start_state(self) -> bytes:
        """Return the state before the first node."""
        out = PyBytes_FromStringAndSize(NULL, self.state_bytes)
        self.start(PyBytes_AS_STRING(out))
        check_failure(self)
        return out

    def node_of(self, bytes state) -> int:
        """Return the seat to move (from 0), -1 for chance, -2 at the end."""
        return node_at(self, self.pointer(state))

    def moves_of(self, bytes state) -> list:
        """List the legal moves in canonical order; empty unless a seat is to move."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef const void* here = self.pointer(state)
        cdef int num_moves = list_moves(self, here, node_at(self, here), moves)
        cdef list found = PyList_New(num_moves)
        cdef int i
        for i in range(num_moves):
            put(found, i, moves[i])
        return found

    def legal_tokens(self, bytes state) -> list:
        """List the tokens of the legal moves in canonical order; empty unless a seat is to move."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef const void* here = self.pointer(state)
        cdef int num_moves = list_moves(self, here, node_at(self, here), moves)
        cdef list tokens = PyList_New(num_moves)
        cdef int i
        for i in range(num_moves):
            put(tokens, i, self.token(moves[i]))
        return tokens

    def outcomes_of(self, bytes state) -> list:
        """List (outcome, probability) in canonical order; empty unless at a chance node."""
        cdef uint32_t[MOVES_ROOM] outcomes
        cdef double[MOVES_ROOM] probabilities
        cdef const void* here = self.pointer(state)
        if node_at(self, here) != CHANCE:
            return []
        cdef int num_outcomes = list_outcomes(self, here, outcomes, probabilities)
        return [(outcomes[i], probabilities[i]) for i in range(num_outcomes)]

    def sample(self, bytes state, bit_generator) -> int:
        """Draw a chance outcome; the state must be at a chance node."""
        cdef uint32_t outcome = self.sample_outcome(self.pointer(state), stream_of(bit_generator))
        if outcome == <uint32_t>NO_MOVE:
            raise contract_error(self, "a chance node has no outcome to draw, or too many, or the "
                                 "probabilities are not positive with sum 1")
        return outcome

    def outcome_at(self, bytes state, double point) -> int:
        """Return the chance outcome at a point of [0, 1); the state must be at a chance node.

        Uniform points give the outcomes by their probabilities. By default it is the inverse
        distribution function in canonical order. A game overrides it where another mapping keeps
        more alike in games with the same points, such as the faces of dice.
        """
        cdef uint32_t[MOVES_ROOM] outcomes
        cdef double[MOVES_ROOM] probabilities
        cdef int num_outcomes = list_outcomes(
            self, self.pointer(state), outcomes, probabilities)
        return outcomes[quantile(probabilities, num_outcomes, point)]

    def chance_source(self, bytes state) -> str:
        """Name the source of a chance node: a pile, or the dice of a seat (`roll:p1`).

        Games with one deal draw the n-th outcome of a source from the same point. By default all
        outcomes that begin with the same word have one source.
        """
        return self.move_text(self.outcome_at(state, 0.0)).partition(":")[0]

    def chance_seat(self, bytes state) -> int:
        """Return the seat (from 0) that gets the card or rolls the dice of a chance node, or -1.

        `state` is a state or an observation at a chance node; all observers see the same seat. By
        default an outcome concerns no seat more than others.
        """
        return NO_SEAT

    def tells_effects(self, bytes state) -> bool:
        """Return whether outcomes of a chance node do more than their words say.

        Then their effects are told beside them, as those of moves are. By default only where they
        reveal moves that were chosen in secret.
        """
        return self.needs_mixing

    def after(self, bytes state, Py_ssize_t move) -> bytes:
        """Return the state after a move or outcome."""
        if not 0 <= move < NO_MOVE:   # in a wheel, the check of an unsigned argument takes longer
            raise OverflowError(f"a move has 32 bits; {move} is out of range")
        cdef bytes found = possible_state(self, state, <uint32_t>move)
        if found is None:
            raise IllegalMoveError(
                f"{move} is none of the moves or outcomes of this state", field="move",
                value=str(move))
        return found

    def returns_of(self, bytes state) -> list:
        """Return the win share of each seat; the game must be over."""
        cdef double[MAX_SEATS] shares
        self.returns(self.pointer(state), shares)
        return list_shares(self, shares)

    def evaluation_of(self, bytes state) -> list:
        """Return the heuristic win share of each seat."""
        cdef double[MAX_SEATS] shares
        self.evaluate(self.pointer(state), shares)
        return list_shares(self, shares)

    def observed(self, bytes state, int seat) -> bytes:
        """Return the observation of a state by `seat` (from 0; -1 for a spectator)."""
        check_viewer(self, seat)
        return observed_state(self, state, seat)

    def determinized(self, bytes observation, bit_generator) -> bytes:
        """Return a state drawn from those consistent with an observation."""
        return determinized_state(self, observation, bit_generator)

    def likely_world_of(self, bytes observation, bit_generator) -> bytes:
        """Return such a state with hidden choices about as likely as seats make them."""
        cdef char* place
        cdef bytes out = blank_state(self, &place)
        self.likely_world(self.pointer(observation), stream_of(bit_generator), place)
        check_failure(self)
        return out

    def seen(self, bytes state, uint32_t move, int seat) -> int:
        """Return a move or outcome as `seat` (from 0; -1 for a spectator) sees it."""
        check_viewer(self, seat)
        cdef uint32_t found = self.seen_move(self.pointer(state), move, seat)
        check_failure(self)
        return found

    def is_redundant_move(self, bytes state, uint32_t previous, uint32_t move) -> bool:
        """Whether a tree need not try a move right after a previous one of its seat."""
        return self.is_redundant(self.pointer(state), previous, move)

    def is_pointless_move(self, bytes state, uint32_t move) -> bool:
        """Return whether a legal move only harms its mover; trees don't try it at their root."""
        return self.is_pointless(self.pointer(state), move)

    def prior_weight_of(self, bytes state, uint32_t move) -> float:
        """Return the weight of a move among the priors of its decision, see game.pyi."""
        if move not in self.moves_of(state):
            raise ValueError(f"{move} is none of the moves of this state")
        cdef double weight
        self.prior_weights(self.pointer(state), &move, 1, &weight)
        return weight

    def policy_move(self, bytes state, bit_generator) -> int:
        """Draw a move of the playout policy, see game.pyi."""
        cdef const void* here = self.pointer(state)
        cdef uint32_t move
        if node_at(self, here) < 0:
            raise ValueError("no seat is to move: the game is over or chance decides")
        move = self.playout_move(here, stream_of(bit_generator))
        if move == <uint32_t>NO_MOVE:
            raise contract_error(self, "a decision lists no move, or too many")
        return move

    def played_out(self, bytes state, bit_generator, int max_plies=0) -> tuple:
        """Play out a copy by the playout policy, see `playout`; return (end, plies, win shares)."""
        cdef double[MAX_SEATS] shares
        out = PyBytes_FromStringAndSize(<char*>self.pointer(state), self.state_bytes)
        cdef int plies = self.playout(
            PyBytes_AS_STRING(out), max_plies, stream_of(bit_generator), shares)
        if not are_shares(shares, self.num_seats):
            raise contract_error_at(self, out)
        return out, plies, list_shares(self, shares)

    def playouts(self, bytes state, bit_generator, int num_playouts, int max_plies=0) -> tuple:
        """Play out a state many times by the playout policy, without the GIL.

        Signals are handled now and then, so that Ctrl-C ends it with KeyboardInterrupt.

        Args:
            state: start of every playout.
            bit_generator: numpy bit generator for chance and policy.
            num_playouts: number of playouts, at least 1.
            max_plies: length at which a playout is cut and evaluated; 0: never.

        Returns:
            Mean win share of each seat, and the number of plies of all playouts.

        Raises:
            InputError: `num_playouts` is less than 1.
        """
        cdef double[MAX_SEATS] values
        cdef double[MAX_SEATS] sums
        cdef const void* start = self.pointer(state)
        cdef bitgen_t* rng = stream_of(bit_generator)
        cdef bytearray scratch = bytearray(self.state_bytes)
        cdef char* here = PyByteArray_AS_STRING(scratch)
        cdef long long num_plies = 0
        cdef int64_t due_ns = 0
        cdef bint is_kept = False
        cdef int seat, i
        if num_playouts < 1:
            raise InputError(
                f"num_playouts is {num_playouts}; it must be at least 1", field="num_playouts",
                value=str(num_playouts))
        memset(sums, 0, sizeof(sums))
        with nogil:
            for i in range(num_playouts):
                if i % SIGNALS_STRIDE == 0:
                    heed_signals(&due_ns)
                memcpy(here, start, self.state_bytes)
                num_plies += self.playout(here, max_plies, rng, values)
                if not are_shares(values, self.num_seats):
                    break
                for seat in range(self.num_seats):
                    sums[seat] += values[seat]
            else:
                is_kept = True
        if not is_kept:
            raise contract_error_at(self, state)
        return [sums[seat] / num_playouts for seat in range(self.num_seats)], num_plies

    def is_consistent(self, bytes observation, bytes state) -> bool:
        """Return whether a full state is consistent with an observation.

        By default: whether the state has this observation; a game may accept more states.
        """
        return self.observed(state, self.observer_of(observation)) == observation

    def history_of(self, bytes state) -> tuple | None:
        """Return the latest state without hidden information and the moves from it to a full state.

        Returns (state, [move or outcome, ...]), or None if the state has no such record.
        """
        cdef uint32_t[HISTORY_ROOM] moves
        cdef char* place
        cdef bytes root = blank_state(self, &place)
        cdef int length = self.history(self.pointer(state), place, moves)
        check_failure(self)
        if length == NO_HISTORY:
            return None
        if not 0 <= length <= MAX_HISTORY:
            raise contract_error(
                self, f"a history tells {length} moves; {MAX_HISTORY} are the most")
        return root, [moves[i] for i in range(length)]

    def retells_all(self, bytes state, list seen) -> bool:
        """Whether a record that leads to a full state is wrong if `retell` finds no past."""
        return False

    # --- features and actions -------------------------------------------------------------------

    @property
    def feature_names(self) -> list:
        """The meaning of each feature, in the order of their indices; see `features_of`."""
        return []

    def features_of(self, bytes state, Py_ssize_t seat) -> list:
        """Return the indices of the features that hold for a seat (from 0), ascending.

        Args:
            state: a state, or an observation of `seat`, for which the features are the same.
            seat: from 0.
        """
        cdef int32_t[MAX_FEATURES] found
        cdef const void* here = self.pointer(state)
        if not 0 <= seat < self.num_seats:
            raise InputError(
                f"seat is {seat}; it must be 0 to {self.num_seats - 1}", field="seat",
                value=str(seat))
        cdef int count = list_features(self, here, seat, found)
        cdef list indices = PyList_New(count)
        cdef int i
        for i in range(count):
            put(indices, i, found[i])
        return indices

    def index_of(self, uint32_t move) -> int:
        """Return the number of a decision's move, the same in all states."""
        cdef int found = self.action_index(move)
        check_failure(self)
        return found

    def move_at(self, int index) -> int:
        """Return the move with a number.

        Raises:
            InputError: there is no such number.
        """
        if not 0 <= index < self.num_actions:
            raise InputError(
                f"action is {index}; it must be 0 to {self.num_actions - 1}", field="action",
                value=str(index))
        cdef uint32_t found = self.action_at(index)
        check_failure(self)
        return found

    # --- notation and words: each game overrides these ------------------------------------------

    cdef str token(self, uint32_t move):
        return self.move_text(move)

    cdef int64_t parsed(self, str text) except -1:
        return <uint32_t>self.parse_move(text)

    def move_text(self, uint32_t move) -> str:
        """Return the token of a move or outcome, possibly as seen by another seat."""
        raise unwritten(type(self), "move_text")

    def parse_move(self, str text) -> int:
        """Return the move or outcome of a token.

        Raises:
            InputError: the token is malformed.
        """
        raise unwritten(type(self), "parse_move")

    def resolve(self, bytes state, uint32_t move) -> int:
        """Return the listed form of a well-formed move or outcome in this state.

        It is the same unless the game has other forms of outcomes, such as the faces of real dice.
        """
        return move

    def why_illegal(self, bytes state, uint32_t move) -> tuple:
        """Explain why a well-formed move is not possible: (sentence, rule number or '')."""
        cdef Refusal found
        code = self.check_move(self.pointer(state), move, &found)
        if code == 0:
            return ("it is not among the legal moves", "")
        reason = self.reasons[code]
        return self.numbers.sentence(reason, found.numbers), reason.rule

    def check(self, bytes state) -> None:
        """Check that a state or observation is valid.

        Raises:
            InputError: names the field, its value and the rule that it breaks.
        """
        cdef Refusal found
        code = self.check_state(self.pointer(state), &found)
        if code:
            kind = "position" if self.observer_of(state) is None else "observation"
            raise self.numbers.refusal(self.reasons[code], found.numbers, kind)

    @cython.binding(True)
    @classmethod
    def parse_position(cls, str text) -> tuple:
        """Return (game, state) of a position line.

        Raises:
            InputError: the line is not a valid position; names the field and rule.
        """
        raise unwritten(cls, "parse_position")

    @cython.binding(True)
    @classmethod
    def parse_observation(cls, str text) -> tuple:
        """Return (game, observation) of an observation line.

        Raises:
            InputError: the line is not a valid observation; names the field and rule.
        """
        raise unwritten(cls, "parse_observation")

    def view(self, bytes state) -> dict:
        """Return a state or observation as plain data: the game's typed proto message as JSON."""
        raise unwritten(type(self), "view")

    def move_view(self, uint32_t move) -> dict:
        """Return a move or outcome as plain data: the game's typed proto message as JSON."""
        raise unwritten(type(self), "move_view")

    @cython.binding(True)
    @classmethod
    def from_view(cls, dict view) -> tuple:
        """Return (game, state) of a typed view; one with `observer` is an observation.

        Raises:
            InputError: it is not valid; names the field that was sent, its value and the rule.
        """
        raise unwritten(cls, "from_view")

    def move_from_view(self, dict view) -> int:
        """Return the move or outcome of a typed view.

        Raises:
            InputError: it is not a move; names the field that was sent, its value and the rule.
        """
        raise unwritten(type(self), "move_from_view")

    def text(self, bytes state) -> str:
        """Write the canonical line of a state or observation."""
        raise unwritten(type(self), "text")

    def observer_of(self, bytes state) -> int | None:
        """Return the observer of an observation (from 0; -1: spectator), None for a full state."""
        raise unwritten(type(self), "observer_of")

    def render(self, bytes state) -> str:
        """Draw a state or observation for a terminal, several lines of plain text."""
        return self.text(state)

    def render_within(self, bytes state, int width) -> str:
        """Draw the same for a terminal of `width` columns, the board in parts if it is wider."""
        return self.render(state)

    def describe_move(self, bytes state, uint32_t move) -> str:
        """Describe a move or outcome in words that complete "p1 can ..."."""
        return f"play {self.move_text(move)}"

    def describe_anywhere(self, uint32_t move) -> str:
        """Describe a move in words that hold in every state, for use without a state."""
        return f"play {self.move_text(move)}"

    def changes(self, bytes before, bytes after, int seat) -> list:
        """Describe what differs for `seat` (from 0) between two states or observations.

        Both are of this game and of one kind. Returns a list of `Change`, the weightiest first.
        """
        return []
