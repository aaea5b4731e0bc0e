"""Games as files: JSON lines for programs, text records for people; both round-trip exactly.

A JSON line is the canonical text of a `GameRecord`, and before it the game's id. A text record is a
first line, headers, an empty line, the moves, and the last position; an empty line separates
records:

    kingmaker game record 1
    id: 5d3c...
    game: ...
    bot 1: careful
    spec 1: ismcts:time=100ms
    ...

    1. chance deal:k 0.0
    2. p1 bet 71.5
    ...
    end: ...

A move has its ply, its seat or `chance`, its token and the thinking time in milliseconds. Headers
have the names of the fields of `model`. A text that would be invisible (empty, or with a control
character) is written in JSON quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import TextIO, TypeVar

from kingmaker.cext.errors import InputError, quoted

from .model import Bot, Cause, GameRecord, GameTask, MoveRecord, TimeControl, from_json, to_json

FIRST_LINE = "kingmaker game record 1"
MOVE = re.compile(r"(\d+)\. (?:chance|p([1-9]\d*)) (.+) ([0-9.e+-]+)")
ID = re.compile(r'\{"id":"([0-9a-f]{32})",')
T = TypeVar("T")


def write_json_lines(records: Iterable[GameRecord], file: TextIO) -> int:
    """Write one JSON line for each game; returns the number of games."""
    num_games = 0
    for record in records:
        file.write(json_line(record) + "\n")
        num_games += 1
    return num_games


def json_line(record: GameRecord) -> str:
    """Write a game as JSON, its id first, so that tools find it without computing it."""
    return f'{{"id":"{record.task.id}",{to_json(record)[1:]}'


def read_json_line(line: str) -> GameRecord:
    """Read a game of `json_line`; the id may be missing.

    Raises:
        ValueError: the line is malformed, or the id is that of another task.
    """
    if match := ID.match(line):
        given, rest = match[1], "{" + line[match.end() :]
    else:  # another program may have put the fields in another order
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError("the line is not whole JSON") from None
        if isinstance(fields, dict) and "task" not in fields and {"game", "moves"} <= set(fields):
            raise ValueError("this is a game of `play --save`, which `kingmaker review` reads")
        given = fields.pop("id", "") if isinstance(fields, dict) else ""
        rest = json.dumps(fields) if given else line
    record = from_json(GameRecord, rest)
    if given not in ("", record.task.id):
        raise ValueError(f"the game was changed: it is game {record.task.id}, not {given}")
    return record


def write_text_records(records: Iterable[GameRecord], file: TextIO) -> int:
    """Write one text record for each game; returns the number of games."""
    num_games = 0
    for record in records:
        file.write(("\n" if num_games else "") + text_record(record))
        num_games += 1
    return num_games


def text_record(record: GameRecord) -> str:
    """Write a game as text, see the head of this file."""
    moves = (
        f"{ply}. {f'p{move.seat}' if move.seat else 'chance'} {move.token} {float(move.ms)!r}"
        for ply, move in enumerate(record.moves, 1)
    )
    headers = (f"{name}: {_shown(value)}" for name, value in _headers(record))
    return "\n".join([FIRST_LINE, *headers, "", *moves, f"end: {_shown(record.end)}", ""])


def read_records(lines: Iterable[str]) -> Iterator[GameRecord]:
    """Read games in either form.

    Args:
        lines: of a file; read lazily.

    Raises:
        InputError: a line is malformed, or the file ends within a game.
    """
    numbered = _Lines(lines)
    while line := numbered.skip_empty():
        try:
            is_json = line.startswith("{")
            record = read_json_line(line) if is_json else _read_text(line, numbered)
        except ValueError as error:
            message = f"line {numbered.number}: {error}"
            raise InputError(message, field="record", value=numbered.line) from error
        yield record


class _Lines:
    """The lines of a file without their ends.

    Attributes:
        line: the latest one.
        number: its number, from 1.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = iter(lines)
        self.line = ""
        self.number = 0

    def next(self) -> str:
        line = next(self._lines, None)
        if line is None:
            raise ValueError("the file ends within a game")
        self.number += 1
        self.line = line.rstrip("\r\n")
        return self.line

    def skip_empty(self) -> str:
        """Return the next line that is not empty; "" at the end of the file."""
        for line in self._lines:
            self.number += 1
            self.line = line.rstrip("\r\n")
            if self.line.strip():
                return self.line
        return ""


def _headers(record: GameRecord) -> Iterator[tuple[str, object]]:
    task = record.task
    yield "id", task.id
    yield "game", task.game
    for name, value in task.options:
        yield f"option {name}", value
    for seat, bot in enumerate(task.bots, 1):
        yield f"bot {seat}", bot.name
        yield f"spec {seat}", bot.spec
    for name in ("group", "rotation", "deal_seed", "seed"):
        yield name, getattr(task, name)
    for name in ("move_ms", "game_ms", "increment_ms"):
        yield name, getattr(task.clock, name)
    yield "rules_version", task.rules_version
    yield "max_plies", task.max_plies
    if task.start:
        yield "start", task.start
    for name in ("cause", "culprit", "detail", "returns", "thinking_ms", "wall_ms", "finished_at"):
        yield name, getattr(record, name)


def _shown(value: object) -> str:
    """Write a value of a header; `_read_string` and `_Headers` read it."""
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return " ".join(repr(float(number)) for number in value)
    if isinstance(value, str):
        is_plain = value.isprintable() and value == value.strip() and not value.startswith('"')
        return value if value and is_plain else json.dumps(value)
    return repr(value)


def _read_string(text: str) -> str:
    return str(json.loads(text)) if text.startswith('"') else text


def _read_text(first: str, lines: _Lines) -> GameRecord:
    if first != FIRST_LINE:
        raise ValueError(
            f"{quoted(first)} is not the start of a game; a game starts with {FIRST_LINE!r}, or is "
            "JSON"
        )
    headers = _Headers(lines)
    moves: list[MoveRecord] = []
    while not (line := lines.next()).startswith("end: "):
        moves.append(_read_move(line, len(moves) + 1))
    return headers.record(tuple(moves), _read_string(line.removeprefix("end: ")))


def _read_move(line: str, ply: int) -> MoveRecord:
    match = MOVE.fullmatch(line)
    if match is None or int(match[1]) != ply:
        raise ValueError(f"{quoted(line)} is not move {ply}; write it as `{ply}. p1 token 12.5`")
    return MoveRecord(int(match[2] or 0), match[3], float(match[4]))


class _Headers:
    """The headers of a text record, removed one by one."""

    def __init__(self, lines: _Lines) -> None:
        self._texts: dict[str, str] = {}
        while line := lines.next():
            name, colon, text = line.partition(": ")
            if not colon or name in self._texts:
                raise ValueError(f"{quoted(line)} is not a header, or repeats one")
            self._texts[name] = text

    def record(self, moves: tuple[MoveRecord, ...], end: str) -> GameRecord:
        """Build the record; every header must be used, and the id must be that of the task."""
        task_id, task = self._string("id"), self._task()
        record = GameRecord(
            task=task,
            moves=moves,
            end=end,
            returns=self._numbers("returns"),
            cause=Cause(self._string("cause")),
            culprit=self._number("culprit", int),
            detail=self._string("detail"),
            thinking_ms=self._numbers("thinking_ms"),
            wall_ms=self._number("wall_ms", float),
            finished_at=self._string("finished_at"),
        )
        if self._texts:
            raise ValueError(f"there is no header named {', '.join(self._texts)}")
        if task.id != task_id:
            raise ValueError(f"the headers were changed: they are of game {task.id}, not {task_id}")
        return record

    def _task(self) -> GameTask:
        return GameTask(
            game=self._string("game"),
            options=tuple(sorted(self._options())),
            bots=tuple(self._bots()),
            group=self._string("group"),
            rotation=self._number("rotation", int),
            deal_seed=self._number("deal_seed", int),
            seed=self._number("seed", int),
            clock=TimeControl(
                self._limit("move_ms"), self._limit("game_ms"), self._number("increment_ms", float)
            ),
            rules_version=self._string("rules_version"),
            max_plies=self._number("max_plies", int),
            start=self._string("start") if "start" in self._texts else "",
        )

    def _options(self) -> Iterator[tuple[str, str]]:
        for name in [name for name in self._texts if name.startswith("option ")]:
            yield name.removeprefix("option "), self._string(name)

    def _bots(self) -> Iterator[Bot]:
        for seat in count(1):
            if f"bot {seat}" not in self._texts:
                return
            yield Bot(self._string(f"bot {seat}"), self._string(f"spec {seat}"))

    def _take(self, name: str) -> str:
        if name not in self._texts:
            raise ValueError(f"the game has no header {name!r}")
        return self._texts.pop(name)

    def _string(self, name: str) -> str:
        return _read_string(self._take(name))

    def _number(self, name: str, kind: Callable[[str], T]) -> T:
        text = self._take(name)
        try:
            return kind(text)
        except ValueError:
            raise ValueError(f"{name} is {quoted(text)}; it must be a number") from None

    def _numbers(self, name: str) -> tuple[float, ...]:
        return self._number(name, lambda text: tuple(map(float, text.split())))

    def _limit(self, name: str) -> float | None:
        return self._number(name, lambda text: None if text == "none" else float(text))
