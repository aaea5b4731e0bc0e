"""Games to review, and the files they are read from.

A file holds one of

- records of a ladder, as `kingmaker ladder export` writes them, in either form;
- JSON objects, one a line, as `kingmaker play --save` writes them, see `MoveList`:
  `{"game": ..., "options": {...}, "moves": [...]}`, and if wanted `"names"`, `"returns"`, `"seed"`,
  `"ending"`; those that are `"unfinished"` are left out;
- a plain list: a line `NAME [OPTION=VALUE ...]`, then the tokens of all moves and outcomes,
  separated by spaces or lines; `#` begins a comment.

`seed` stands for the deal: where the next token is no outcome, the outcome is drawn as
`kingmaker play --seed` draws it, so that a list of moves alone is enough.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Integral, Real

from kingmaker.cext.errors import (
    InputError,
    StateError,
    UnknownGameError,
    check_kind,
    check_list,
    check_text,
    quoted,
    shown,
    written,
)
from kingmaker.cext.words import counted
from kingmaker.ladder.export import FIRST_LINE, read_records
from kingmaker.ladder.model import Bot, Cause, GameRecord, TimeControl
from kingmaker.ladder.specs import parse_spec
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.games import game_type
from kingmaker.search.position import Observation, Position, new_game, parse_position
from kingmaker.search.record import observe_with_record

from .move_list import read_move_list
from .words import ENDINGS

SHARE_ERROR = 1e-6


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game with all its moves and outcomes.

    Attributes:
        name: what to call it in lists; may be empty.
        positions: before each ply and at the end, `[num_plies + 1]`.
        tokens: of each move and outcome, `[num_plies]`.
        returns: win share of each seat; they follow from the last position unless the game was
            broken off.
        names: who sat where; empty: unknown.
        ending: how it was broken off, in a word; empty: it was played to its end.
        group: of the games with the same deal; empty: none.
        bots: by seat, if it is known that they choose on what they see and a seed alone, without a
            clock; empty: unknown.
    """

    name: str
    positions: tuple[Position, ...]
    tokens: tuple[str, ...]
    returns: tuple[float, ...]
    names: tuple[str, ...] = ()
    ending: str = ""
    group: str = ""
    bots: tuple[Bot, ...] = ()

    @property
    def start(self) -> Position:
        """The position before the first ply."""
        return self.positions[0]

    @property
    def num_seats(self) -> int:
        """Number of seats."""
        return self.start.num_seats

    def observe(self, ply: int) -> Observation:
        """Return what the seat that decides a ply sees, with a record if its searches use one."""
        return observe_with_record(self.start, self.tokens[:ply], self.positions[ply])


def played(
    game: str,
    moves: Sequence[str],
    options: Mapping[str, str] | None = None,
    *,
    name: str = "",
    names: Sequence[str] = (),
    returns: Sequence[float] = (),
    seed: int | None = None,
    ending: str = "",
    group: str = "",
    start: str = "",
) -> PlayedGame:
    """Play a list of moves and outcomes through.

    Args:
        game: its name.
        moves: tokens, from the start of the game; outcomes may be left out if there is a seed.
        options: of the game; the others keep their defaults.
        name: what to call it.
        names: who sat where.
        returns: win shares, needed only if the game was broken off.
        seed: of the outcomes that `moves` leaves out.
        ending: how it was broken off, one of `words.ENDINGS`; may be empty.
        group: of the games with the same deal.
        start: line of the position that it starts from; empty: the start of the game.

    Raises:
        InputError: a move is not possible, the list ends too early, or something contradicts it;
            the message has the ply.
        TypeError: an argument is of a wrong kind.
    """
    for field, text in (("name", name), ("ending", ending), ("group", group), ("start", start)):
        check_text(field, text, "which may be empty")
    if seed is not None:
        check_kind("seed", seed, Integral, "a whole number, or None")
    moves = check_list("moves", moves, "a list of tokens, such as legal_moves() lists")
    names = check_list("names", names, "a list of a text for each seat")
    returns = check_list("returns", returns, "a list of a win share for each seat")
    position = parse_position(game, start) if start else new_game(game, options)
    if names and len(names) != position.num_seats:
        raise InputError(
            f"{counted(len(names), 'name')} for {position.num_seats} seats; give one for each",
            field="names",
            value=str(list(names)),
        )
    if ending and ending not in ENDINGS:
        raise InputError(
            f"ending is {quoted(ending)}; it must be one of {', '.join(ENDINGS)}",
            field="ending",
            value=shown(ending),
        )
    positions = [position]
    tokens: list[str] = []
    left = list(reversed(moves))
    while left or (seed is not None and position.is_chance):
        token = _next_token(position, left, seed)
        try:
            position = position.apply(token)
        except InputError as error:
            refused = InputError(f"ply {len(tokens) + 1}: {error}", field="moves", value=token)
            refused.rule = error.rule  # which the message has already
            raise refused from None
        positions.append(position)
        tokens.append(token)
    shares = _returns_of(position, returns)
    return PlayedGame(name, tuple(positions), tuple(tokens), shares, tuple(names), ending, group)


def _next_token(position: Position, left: list[str], seed: int | None) -> str:
    """Take the next token, or draw the outcome that the list leaves out."""
    if seed is not None and position.is_chance:
        outcomes = position.chance_outcomes()
        if not left or left[-1] not in outcomes:
            return settle_by_seed(position, seed)[1][0]
    return left.pop()


def _returns_of(position: Position, given: Sequence[float]) -> tuple[float, ...]:
    if given:
        _check_shares(given, position.num_seats)
    if position.is_terminal:
        shares = tuple(position.returns())
        if given and any(abs(a - b) > SHARE_ERROR for a, b in zip(given, shares, strict=True)):
            raise InputError(f"the returns are {list(shares)}, not {list(given)}", field="returns")
        return shares
    if not given:
        raise StateError(
            f"the list ends where {position.node} is to move; review a finished game, or give the "
            "win shares of all seats as returns",
            field="moves",
        )
    return tuple(given)


def _check_shares(given: Sequence[float], num_seats: int) -> None:
    are_shares = all(isinstance(share, Real) and 0 <= share <= 1 for share in given)  # nan is none
    if len(given) != num_seats or not are_shares or abs(sum(given) - 1) > SHARE_ERROR:
        raise InputError(
            f"returns are {written(given)}; they must be {num_seats} win shares, one for each "
            "seat, from 0 to 1 and with the sum 1",
            field="returns",
            value=written(given),
        )


def of_record(record: GameRecord) -> PlayedGame:
    """Return the game of a ladder's record.

    Raises:
        InputError: its moves are not possible.
    """
    task = record.task
    game = played(
        task.game,
        [move.token for move in record.moves],
        dict(task.options),
        name=task.id,
        names=[bot.name for bot in task.bots],
        returns=record.returns,
        ending="" if record.cause is Cause.FINISHED else record.cause.value,
        group=f"{task.game} {task.group} {task.deal_seed}",  # ladders number their groups alike
        start=task.start,
    )
    is_known = task.clock == TimeControl() and all(_is_timeless(bot.spec) for bot in task.bots)
    return replace(game, bots=task.bots) if is_known else game


def _is_timeless(text: str) -> bool:
    """Whether a bot's choices don't depend on time, nor on what another program keeps in mind."""
    spec = parse_spec(text)
    return not spec.address and spec.time_ms is None


def read_games(lines: Iterable[str]) -> Generator[PlayedGame, None, int]:
    """Read the games of a file, see the head of this module; read lazily.

    Returns:
        How many games were left out because they wait to be played on.

    Raises:
        InputError: a line is malformed, or a game is not possible.
    """
    num_unfinished = 0
    rest = iter(lines)
    for number, line in enumerate(rest, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = chain([line], rest)
        if line.startswith(FIRST_LINE):
            yield from map(of_record, read_records(found))
        elif line.lstrip().startswith("{"):
            for game in map(_of_json, filter(str.strip, found)):
                if game is None:
                    num_unfinished += 1
                else:
                    yield game
        else:
            _check_head(line, number)
            yield _of_plain(found)
        break
    return num_unfinished


def _check_head(line: str, number: int) -> None:
    """Check that a line begins with a game's name, as a plain list does."""
    try:
        game_type(line.partition("#")[0].split()[0])
    except UnknownGameError as error:
        error.args = (
            f"line {number}: {quoted(line.strip())} is not a game of `ladder export` or "
            f"`play --save`, nor the head of a list of moves: {error}",
        )
        raise


def _of_json(line: str) -> PlayedGame | None:
    """Read a record or a list of moves; None if its game waits to be played on."""
    try:
        is_record = "task" in json.loads(line)
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"a line is not a JSON object: {error}", field="file") from None
    if is_record:
        return of_record(next(read_records([line])))
    given = read_move_list(line)
    if given.unfinished:
        return None
    return played(
        given.game,
        given.moves,
        given.options,
        name=given.name,
        names=given.names,
        returns=given.returns,
        seed=given.seed,
        ending=given.ending,
    )


def _of_plain(lines: Iterable[str]) -> PlayedGame:
    words = [line.partition("#")[0].split() for line in lines]
    words = [line for line in words if line]
    name, *settings = words[0]
    options = dict(setting.partition("=")[::2] for setting in settings)
    seed = options.pop("seed", None)
    if seed is not None and not (seed.isascii() and seed.isdecimal()):
        raise InputError(f"the seed is {seed!r}; it must be a number", field="seed", value=seed)
    tokens = [token for line in words[1:] for token in line]
    return played(name, tokens, options, seed=None if seed is None else int(seed))
