"""The record of what a seat has seen since the start of a game, and its check by replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kingmaker.cext.errors import (
    InputError,
    check_integer,
    check_list,
    check_mapping,
    check_text,
    check_whole,
    written,
    wrong_type,
)
from kingmaker.cext.game import Game

from .beliefs import Past
from .node import check_position, position_of

if TYPE_CHECKING:
    from .position import Observation, Position

MAX_RECORD = 1_000
"""Most moves and outcomes of a record."""
MAX_PASTS = 10**6
"""Most pasts of a world."""

CHECKED_WORLDS = 16  # tried until one has the past of the record
CHECKED_ENDS = 32  # if the moves fit, and only what the seat sees at the end does not
CHECK_SEED = 0


class RecordError(InputError):
    """An entry of a record can't have happened where it stands.

    Attributes:
        place: index of the entry.
        seat: of the entry.
        position: the node at which it stands, in a world that the observation allows.
        why: the reason without the entry.
    """

    place: int
    seat: int
    position: Position
    why: str


class Seen(NamedTuple):
    """A move or outcome as a seat saw it; what `Event` has of the same names.

    Attributes:
        seat: that decided, was dealt to, drew or rolled, 1..n; 0: an outcome that concerns all.
        move: its token, with what was hidden as in `deal:?`.
    """

    seat: int
    move: str


@dataclass(frozen=True, slots=True)
class Record:
    """What a seat has seen since the start of a game.

    Raises TypeError if a field is of a wrong kind.

    Attributes:
        seen: every move and outcome from the start on, the deal and the seat's own included.
        options: of the game at its start, where they are not those of the observation's line.
    """

    seen: tuple[Seen, ...]
    options: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.seen, tuple | list):
            raise wrong_type("record.seen", self.seen, "a tuple of Seen(seat, move)")
        check_mapping("record.options", self.options)


@dataclass(frozen=True, slots=True)
class RivalPolicy:
    """How rivals are assumed to choose, for the likelihood of what was seen of them.

    Raises InputError or TypeError if a number is out of its range or none.

    Attributes:
        temperature: win share by which the evaluation after a move must be better to make it e
            times as likely, 0 to 100; 0: the playout policy, exactly where the game has prior
            weights, else by draws from it.
        floor: part of the policy that is uniform, 0 to 1: rivals may be of any kind.
        power: of the likelihood, 0 to 1: how far it is trusted.
        pasts: of each world that leaves its past open, over which the likelihood is averaged, 1 to
            `MAX_PASTS`.
        choose: another policy instead: (full state, seat from 0) -> probability of each legal move.
    """

    temperature: float = 0.0
    floor: float = 0.2
    power: float = 1.0
    pasts: int = 8
    choose: Callable[[bytes, int], Mapping[int, float]] | None = None

    def __post_init__(self) -> None:
        for name, most in (("temperature", 100), ("floor", 1), ("power", 1)):
            value: Any = getattr(self, name)
            is_number = isinstance(value, Real)
            if not is_number:
                raise wrong_type(f"policy.{name}", value, f"a number, 0 to {most}")
            if not 0 <= value <= most:
                raise InputError(
                    f"{name} is {written(value)}; it must be 0 to {most}",
                    field=f"policy.{name}",
                    value=written(value),
                )
        check_whole("policy.pasts", self.pasts, 1, MAX_PASTS)
        if not (self.choose is None or callable(self.choose)):
            raise wrong_type("policy.choose", self.choose, "a function, or None")


def seen_so_far(start: Position, tokens: Sequence[str], viewer: int) -> tuple[Seen, ...]:
    """Return what a seat (1..n; 0: a spectator) has seen of a game.

    Args:
        start: of the game, before its first chance outcome.
        tokens: of all moves and outcomes since then.
        viewer: the seat.

    Raises:
        InputError: a token is wrong or not possible, or there is no such seat.
        TypeError: an argument is of a wrong kind.
    """
    check_position("start", start)
    position = start
    seen = []
    for token in check_list("tokens", tokens, "a list of tokens, such as legal_moves() lists"):
        seen.append(seen_at(position, token, viewer))
        position = position.apply(token)
    return tuple(seen)


def seen_at(position: Position, token: str, viewer: int) -> Seen:
    """Return what a seat (1..n; 0: a spectator) sees of a move or outcome at a position.

    Raises:
        InputError: the token is wrong or not possible, or there is no such seat.
        TypeError: an argument is of a wrong kind.
    """
    check_position("position", position)
    if position.is_chance:
        seat = position.game.chance_seat(position.state) + 1
    else:
        seat = position.seat
    return Seen(seat, position.seen_move(token, viewer))


def observe_with_record(
    start: Position, tokens: Sequence[str], position: Position, seat: int | None = None
) -> Observation:
    """Return what a seat sees, with a record if searches of the game use one.

    Args:
        start: of the game. If it is not its beginning, there is no record.
        tokens: of all moves and outcomes since then. If they are more than `MAX_RECORD`, there is
            no record.
        position: to which they lead.
        seat: that sees it; None: the one that decides there.

    Raises:
        InputError: a token is wrong, or the tokens do not lead to the position.
    """
    viewer = position.seat if seat is None else seat
    observation = position.observe(viewer)
    game = position.game
    is_whole = start.state == game.start_state() and len(tokens) <= MAX_RECORD
    if not game.uses_records or not is_whole:
        return observation
    return observation.with_record(Record(seen_so_far(start, tokens, viewer), game.options))


def check_record(observation: Observation, record: Record) -> None:
    """Check that a record leads to an observation, by playing it in worlds.

    Where the game may miss the past of a world (`Game.retells_all`) a record is not refused for it:
    only its notation is checked, and its options. Where a world tells of its latest moves alone
    (`Game.history`), these are checked.

    Raises:
        InputError: it does not, or no past that would fit was found; names the entry and the rule.
    """
    past = past_of(observation, record, RivalPolicy(floor=1.0, pasts=1))
    stream = np.random.SFC64(CHECK_SEED)
    for number in range(CHECKED_ENDS):
        if number >= CHECKED_WORLDS and past.num_played < len(record.seen):
            break
        world = observation.determinize(stream)
        if number == 0 and not _is_certain(world, record):
            return
        if past.log_likelihood(world.state, stream) is not None:
            return
    raise _refusal(observation, record, past)


def _is_certain(world: Position, record: Record) -> bool:
    """Whether a record that leads to a world is wrong if no past is found."""
    game = world.game
    if game.history_of(world.state) is not None:
        return True
    return game.retells_all(world.state, [game.parse_move(move) for _, move in record.seen])


def past_of(observation: Observation, record: Record, policy: RivalPolicy) -> Past:
    """Return the kernel that compares worlds of an observation with a record.

    Raises:
        InputError: an entry is malformed, there are too many, or the options are wrong.
        TypeError: an entry is of a wrong kind.
    """
    game = _starting_game(observation.game, record)
    if len(record.seen) > MAX_RECORD:
        raise InputError(
            f"the record has {len(record.seen)} entries; it must have at most {MAX_RECORD}",
            field="record",
            value=str(len(record.seen)),
        )
    moves = []
    for place, entry in enumerate(record.seen):
        if not (isinstance(entry, tuple | list) and len(entry) == 2):
            raise wrong_type(f"record.seen[{place}]", entry, "Seen(seat, move)")
        seat, move = entry
        check_integer(f"record.seen[{place}].seat", seat, 0, game.num_seats)
        check_text(f"record.seen[{place}].move", move, "the token of a move or outcome")
        with _at(f"seen[{place}]", "move"):
            moves.append(game.parse_move(str(move)))
    return Past(
        game,
        observation.state,
        moves,
        [seat - 1 for seat, _ in record.seen],
        policy.temperature,
        policy.floor,
        policy.pasts,
        policy.choose,
    )


def _starting_game(game: Game, record: Record) -> Game:
    if not record.options:
        return game
    with _at("options"):
        started = type(game)(**{**game.options, **record.options})
    if started.num_seats != game.num_seats:
        raise InputError(
            f"the record begins with {started.num_seats} seats, the observation has "
            f"{game.num_seats}",
            field="record.options",
        )
    return started


@contextmanager
def _at(part: str, default: str = "") -> Iterator[None]:
    """Name a part of the record in errors, and in it the field or a default one."""
    try:
        yield
    except InputError as error:
        field = (error.field or default).removeprefix("options.")
        error.field = f"record.{part}.{field}" if field else f"record.{part}"
        raise


def _refusal(observation: Observation, record: Record, past: Past) -> InputError:
    game = observation.game
    place = past.num_played
    if place < 0:
        return InputError(
            "the record does not fit the observation: no cards that "
            f"{seat_name(observation.observer)} may believe in can have been dealt and played so",
            field="record",
        )
    if place >= len(record.seen):
        return InputError(
            f"after the record {seat_name(observation.observer)} would not see this observation",
            field="record",
        )
    assert past.stopped_at is not None
    stopped_at = position_of((game, past.stopped_at))
    return _entry_refusal(place, record.seen[place], stopped_at, observation.observer)


def _entry_refusal(place: int, entry: Seen, position: Position, viewer: int) -> RecordError:
    seat, token = entry
    why, rule = _why(position, seat, token, viewer)
    error = RecordError(
        f"{token} of {seat_name(seat) if seat else 'chance'} can't have happened here: {why}",
        field=f"record.seen[{place}].move",
        value=token,
        rule=rule,
    )
    error.place, error.seat, error.position, error.why = place, seat, position, why
    return error


def _why(position: Position, seat: int, token: str, viewer: int) -> tuple[str, str]:
    """Say why a viewer can't have seen an entry at a node, and by which rule."""
    if position.seat and position.seat != seat:
        return f"p{position.seat} was to move", ""
    if position.is_terminal:
        return "the game was over", ""
    game = position.game
    why, rule = game.why_illegal(position.state, game.parse_move(token))
    if not rule:
        why = (
            "the observation tells of another course of the game"
            if position.seat
            else f"it is not what {seat_name(viewer)} would see of an outcome here"
        )
    return why, rule


def seat_name(seat: int) -> str:
    """Name a seat, 1..n, or 0, a spectator."""
    return f"p{seat}" if seat else "a spectator"
