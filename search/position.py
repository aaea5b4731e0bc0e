"""Games, positions and observations as Python sees them.

Seats are 1..n here and 0 is a spectator. Positions and observations are immutable; equal ones
compare and hash equal. Moves and chance outcomes are the tokens of the game's notation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from operator import index
from typing import Any, Self, cast

from numpy.random import BitGenerator, Generator

from kingmaker.cext.change import Change
from kingmaker.cext.contract import check_limits, check_outcomes
from kingmaker.cext.errors import (
    IllegalMoveError,
    InputError,
    StateError,
    check_kind,
    check_mapping,
    check_text,
    refusal,
    shown,
    written,
    wrong_type,
)
from kingmaker.cext.game import Game
from kingmaker.cext.view_game import game_of

from .games import game_type
from .node import Node, check_position, observation_of, position_of, set_kinds
from .record import Record, check_record

CHANCE, TERMINAL, SPECTATOR = -1, -2, 0
Stream = BitGenerator | Generator
"""What chance is drawn from."""


def new_game(name: str, options: Mapping[str, str | int] | None = None) -> Position:
    """Return the start of a game, before its first chance outcomes (for example the deal).

    Args:
        name: of the game.
        options: as in the `new` line of the scenario language; the others keep their defaults.

    Raises:
        UnknownGameError: no game has this name.
        InputError: an option is unknown or out of range, or the game can't be used.
        TypeError: an argument is of a wrong kind.
    """
    given = check_mapping("options", options)
    texts = {
        str(key): str(value) if isinstance(value, str) else written(value)
        for key, value in given.items()
    }
    game = game_type(name)(**texts)
    check_limits(game)
    return Position(game, game.start_state())


def parse_position(name: str, text: str) -> Position:
    """Read the line of a full state.

    Raises:
        UnknownGameError: no game has this name.
        InputError: the line is not a valid position; the message has the field and rule.
    """
    check_text("text", text, "the line of a position")
    game = game_type(name)
    try:
        return position_of(game.parse_position(str.__str__(text)))  # NumPy's texts are a subclass
    except InputError as error:
        raise _other_game(game, text, error) or error from None


def parse_observation(name: str, text: str) -> Observation:
    """Read the line of what one seat sees.

    Raises:
        UnknownGameError: no game has this name.
        InputError: the line is not a valid observation; the message has the field and rule.
    """
    check_text("text", text, "the line of an observation")
    game = game_type(name)
    try:
        return observation_of(game.parse_observation(str.__str__(text)))
    except InputError as error:
        raise _other_game(game, text, error) or error from None


def _other_game(game: type[Game], text: str, error: InputError) -> InputError | None:
    """Return the error of a wrong line that is none of this game; None: it is one."""
    tag = text.split(" ")[0].split(";")[0]
    if tag in ("", game.tag):
        return None
    return InputError(
        f"the line begins with {shown(tag)}; lines of {game.name} begin with {game.tag}",
        field=error.field.partition(".")[0],
        value=shown(text),
        rule=error.rule,
    )


def position_from_view(name: str, view: dict[str, Any]) -> Position:
    """Read the typed view of a full state; errors as in `parse_position`."""
    if "observer" in view:
        raise refusal(
            "position.observer", view["observer"], "", "a position has no observer; leave it out"
        )
    return position_of(game_type(name).from_view(view))


def observation_from_view(name: str, view: dict[str, Any]) -> Observation:
    """Read the typed view of an observation; errors as in `parse_observation`."""
    return observation_of(game_type(name).from_view({"observer": 0, **view}))


def _remade(
    kind: type[_Node],
    name: str,
    options: dict[str, str],
    state: bytes,
    record: Record | None = None,
) -> _Node:
    """Return a pickled position or observation; `state` must come from this very version."""
    node = kind(_game(name, tuple(options.items())), state)
    return node if record is None else _recorded(cast(Observation, node), record)


def _recorded(observation: Observation, record: Record) -> Observation:
    """Return an observation with a record that was checked."""
    copy = Observation(observation.game, observation.state)
    copy._record = record
    return copy


@lru_cache(maxsize=64)
def _game(name: str, options: tuple[tuple[str, str], ...]) -> Game:
    game = game_of(game_type(name), options)
    check_limits(game)
    return game


def _tells_the_same(first: Game, second: Game, state: bytes) -> bool:
    """Whether a state is the same line in both games.

    Options that only say how a game starts are in no line: they don't make positions different.
    """
    if first.options == second.options:
        return first.name == second.name
    return (
        first.name == second.name
        and first.num_seats == second.num_seats
        and first.text(state) == second.text(state)
    )


class _Node(Node):
    """Base of positions and observations: what they share and calls Python throughout.

    Equal ones have the same line.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, _Node)
            and self.state == other.state
            and _tells_the_same(self.game, other.game, self.state)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        # The compiled rules hold no Python state but their options, from which they are made anew.
        return _remade, (type(self), self.game.name, dict(self.game.options), self.state)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text!r})"

    @property
    def text(self) -> str:
        """The canonical line."""
        return self.game.text(self.state)

    @property
    def view(self) -> dict[str, Any]:
        """The same as plain data: the game's typed message as JSON."""
        return self.game.view(self.state)

    @property
    def node(self) -> str:
        """The node: `p1`..`pn` (the seat to decide), `chance` or `end`."""
        node = self.game.node_of(self.state)
        return f"p{node + 1}" if node >= 0 else "chance" if node == CHANCE else "end"

    def render(self, width: int | None = None) -> str:
        """Draw the position for a terminal, in several lines of plain text.

        Args:
            width: columns of the terminal: a game with a wider board draws it in parts. Sentences
                may be longer.
        """
        if width is None:
            return self.game.render(self.state)
        return self.game.render_within(self.state, width)

    def describe(self, token: str) -> str:
        """Describe a move of the deciding seat in words that complete "p1 can ..."."""
        return self.game.describe_move(self.state, self._move(token))

    def describe_anywhere(self, token: str) -> str:
        """Describe a move in words that fit every position of the game."""
        return self.game.describe_anywhere(self._move(token))


class Position(_Node):
    """A full state, hidden cards included."""

    __slots__ = ()

    def legal_moves(self) -> list[str]:
        """List the legal moves in canonical order; empty unless a seat decides."""
        return self.game.legal_tokens(self.state)

    def chance_outcomes(self) -> dict[str, Fraction]:
        """Map each possible outcome, in canonical order, to its probability; {} if none."""
        return {
            self.game.move_text(outcome): _fraction(probability)
            for outcome, probability in self.game.outcomes_of(self.state)
        }

    def resolve(self, token: str) -> str:
        """Return the listed token of the move or outcome that `token` stands for here.

        Raises:
            InputError: the token is not of this game's notation.
        """
        game = self.game
        return game.move_text(game.resolve(self.state, self._move(token)))

    def apply(self, *tokens: str) -> Position:
        """Return the position after moves and chance outcomes, in order.

        Raises:
            InputError: a token is not of this game's notation.
            IllegalMoveError: a move is not legal or an outcome not possible; the message has the
                rule.
            TypeError: a token is no text.
        """
        position = self
        for token in tokens:
            after = position._after(token)
            if after is None:
                raise position.refusal(token)
            position = after
        return position

    def why_not(self, token: str) -> str:
        """Say in a few words why a move or outcome is not possible; "" if it is.

        Raises:
            InputError: the token is not of this game's notation.
        """
        game, state, move = self.game, self.state, self._move(token)
        if move in game.moves_of(state) or move in dict(game.outcomes_of(state)):
            return ""
        return game.why_illegal(state, move)[0]

    def refusal(self, token: str) -> IllegalMoveError:
        """Return the error of a well-formed move or outcome that is not possible."""
        game, state = self.game, self.state
        why, rule = game.why_illegal(state, self._move(token))
        possible = game.moves_of(state) or [each for each, _ in game.outcomes_of(state)]
        if not possible:
            message = f"{token} is not possible: {why}"
            return IllegalMoveError(message, field="move", value=token, rule=rule)
        listed = " ".join(game.move_text(each) for each in possible[:12])
        more = f" and {len(possible) - 12} more" if len(possible) > 12 else ""
        return IllegalMoveError(
            f"{token} is not legal: {why}; possible now: {listed}{more}",
            field="move",
            value=token,
            rule=rule,
        )

    def sample_outcome(self, stream: Stream) -> str:
        """Draw one chance outcome.

        Raises:
            StateError: this is not a chance node.
            TypeError: `stream` is no random generator of NumPy.
        """
        bits = _bit_generator(stream)
        if not self.is_chance:
            raise StateError("there is no chance outcome to draw here", field="position")
        return self.game.move_text(self.game.sample(self.state, bits))

    def settle(self, stream: Stream) -> tuple[Position, list[str]]:
        """Draw chance outcomes until a seat decides or the game is over; returns them too.

        Raises:
            TypeError: `stream` is no random generator of NumPy.
            RuntimeError: the game broke its contract.
        """
        bits = _bit_generator(stream)
        position, drawn = self, list[str]()
        while position.is_chance:
            game, state = position.game, position.state
            check_outcomes(game, len(drawn))
            outcome = game.sample(state, bits)
            drawn.append(game.move_text(outcome))
            position = Position(game, game.after(state, outcome))
        return position, drawn

    def returns(self) -> list[float]:
        """Return the win share of each seat, `[num_seats]`, summing to 1.

        Raises:
            StateError: the game is not over.
        """
        if not self.is_terminal:
            raise StateError("the game is not over, so there is no result yet", field="position")
        return self.game.returns_of(self.state)

    def observe(self, seat: int) -> Observation:
        """Return what a seat (1..n; 0 is a spectator) sees.

        Raises:
            InputError: there is no such seat.
            TypeError: `seat` is no number.
        """
        return self._observed(self._viewer(seat) - 1)

    def seen_move(self, token: str, seat: int) -> str:
        """Return the token of a move or outcome here as a seat (0: a spectator) sees it.

        Raises:
            InputError: the token is wrong or not possible, or there is no such seat.
            TypeError: `seat` is no number.
        """
        game = self.game
        return game.move_text(game.seen(self.state, self._move(token), self._viewer(seat) - 1))

    def _viewer(self, seat: int) -> int:
        try:
            seat = index(seat)
        except TypeError:
            wanted = f"a whole number, 1 to {self.num_seats}, or 0 for a spectator"
            raise wrong_type("seat", seat, wanted) from None
        if not 0 <= seat <= self.num_seats:
            raise InputError(
                f"seat {written(seat)} of a {self.num_seats}-seat game; seats are 1 to "
                f"{self.num_seats}, 0 is a spectator",
                field="seat",
                value=written(seat),
            )
        return seat


class Observation(_Node):
    """What one seat, or a spectator, sees: the only input of a search."""

    __slots__ = ("_record",)
    _record: Record

    def __reduce__(self) -> tuple[Any, ...]:
        rebuild, arguments = super().__reduce__()
        return rebuild, (*arguments, self.record)

    @property
    def record(self) -> Record | None:
        """What the observer has seen since the start; None: it is not known.

        Observations with different records are equal: they look the same.
        """
        return getattr(self, "_record", None)

    def with_record(self, record: Record) -> Observation:
        """Return the same observation with what its seat has seen since the start.

        Raises:
            InputError: the record is malformed, or does not lead to this observation.
            TypeError: it is no record, or an entry of a wrong kind.
        """
        check_kind("record", record, Record, "a Record of what the seat has seen")
        check_record(self, record)
        return _recorded(self, record)

    @property
    def observer(self) -> int:
        """Whose observation this is, 1..n; 0 is a spectator."""
        observer = self.game.observer_of(self.state)
        assert observer is not None
        return observer + 1

    def legal_moves(self) -> list[str]:
        """List the observer's legal moves in canonical order.

        Raises:
            StateError: another seat or chance is to move, or the game is over.
        """
        self.check_own_decision()
        return self.game.legal_tokens(self.state)

    def check_own_decision(self) -> None:
        """Check that the observer is to decide.

        Raises:
            StateError: another seat or chance is to move, or the game is over.
        """
        if self._is_own_decision:
            return
        if self.is_terminal:
            raise StateError("the game is over: there is nothing to decide", field="observation")
        who = "a spectator" if self.observer == 0 else f"p{self.observer}"
        asked = "chance" if self.is_chance else f"p{self.seat}"
        raise StateError(
            f"this is what {who} sees, but {asked} is to move; send what p{self.seat} sees"
            if self.seat
            else f"this is what {who} sees, but {asked} is to move; wait for the outcome",
            field="observation",
        )

    def determinize(self, stream: Stream) -> Position:
        """Draw a world: a full state from those consistent with this observation.

        Raises:
            TypeError: `stream` is no random generator of NumPy.
        """
        return self._determinized(_bit_generator(stream))

    def is_consistent(self, position: Position) -> bool:
        """Whether `position` is consistent with this observation."""
        return not self.why_inconsistent(position)

    def why_inconsistent(self, position: Position) -> str:
        """Say why `position` is not consistent with this observation; "" if it is.

        Raises:
            TypeError: `position` is no full state.
        """
        check_position("position", position)
        mine, other = self.game, position.game
        if mine.name != other.name:
            return f"it is a position of {other.name}, not of {mine.name}"
        if mine.num_seats != other.num_seats:
            return f"it has {other.num_seats} seats, not {mine.num_seats}"
        if not _tells_the_same(mine, other, position.state):
            return f"it has other options: {mine.text(position.state)}, not {position.text}"
        if mine.is_consistent(self.state, position.state):
            return ""
        who = f"p{self.observer}" if self.observer else "a spectator"
        return f"{who} would see {position.observe(self.observer).text}"

    def changes(self, after: Self) -> Iterable[Change]:
        """Describe the differences between this and a later observation of the same seat.

        Raises:
            InputError: it is of another game or seat.
            TypeError: it is no observation.
        """
        check_observation(after)
        mine, other = self.game, after.game
        is_alike = (mine.name, mine.num_seats) == (other.name, other.num_seats)
        if not is_alike or self.observer != after.observer:
            raise InputError(
                f"these are observations of {mine.name} by seat {self.observer} of "
                f"{mine.num_seats} and of {other.name} by seat {after.observer} of "
                f"{other.num_seats}; they must be of one seat of one game",
                field="after",
            )
        return self.game.changes(self.state, after.state, self.observer - 1)


def _bit_generator(stream: Stream) -> BitGenerator:
    if isinstance(stream, BitGenerator):
        return stream
    if isinstance(stream, Generator):
        return stream.bit_generator
    wanted = "a random generator of NumPy; numpy.random.default_rng(1) is one with the seed 1"
    raise wrong_type("stream", stream, wanted)


def check_observation(observation: object) -> None:
    """Check that what a search is to work on is what one seat sees.

    Raises:
        TypeError: it is a full state or no observation at all.
    """
    if isinstance(observation, Observation):
        return
    wanted = "what one seat sees, never a full state; position.observe(seat) returns that"
    raise wrong_type("observation", observation, wanted)


@lru_cache(4096)  # each takes as long as all else that is done with an outcome
def _fraction(probability: float) -> Fraction:
    return Fraction(probability).limit_denominator(10**6)


set_kinds(Position, Observation)
