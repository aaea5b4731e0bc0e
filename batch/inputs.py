"""The input of batches: files of positions or games, each line a task.

An analysis is a position or observation line, or a JSON object:

    {"observation": "...", "engine": "ismcts", "simulations": 2000, "seed": 1}
    {"position": "...", "seat": 2}
    {"game": "...", "options": {...}, "moves": ["...", "..."], "seat": 2}

A review is a game as `kingmaker review` reads it, one a line as JSON, or a file of text records.
A line that is wrong becomes an `Entry` with its error, so that all of them can be reported at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from itertools import count
from typing import Generic, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from kingmaker.cext.errors import InputError, StateError, check_range
from kingmaker.ladder.model import faults_of, listed
from kingmaker.ladder.words import one_line
from kingmaker.review.games import PlayedGame, read_games
from kingmaker.review.review import STANDARD
from kingmaker.search.analysis import MAX_MEMORY_BYTES, MAX_SIMULATIONS, MEGABYTE
from kingmaker.search.lines import observed, read_observation
from kingmaker.search.position import Observation, new_game

from .tasks import (
    DEFAULT_MEMORY_BYTES,
    DEFAULT_SIMULATIONS,
    AnalysisTask,
    ReviewTask,
    analysis_task,
    review_task,
)

T = TypeVar("T", AnalysisTask, ReviewTask)


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A line of the input.

    Attributes:
        line: its number, from 1.
        name: that it gives itself; may be empty.
        task: None if the line is wrong.
        error: what is wrong.
    """

    line: int
    name: str
    task: T | None
    error: InputError | None = None


@dataclass(frozen=True, slots=True)
class AnalysisDefaults:
    """What holds for analyses that do not say otherwise.

    Attributes:
        simulations: of each search.
        memory_bytes: most memory of each.
        engine: empty: the default of the game.
        options: of the engine, where that is not given either.
        seed: of each.
    """

    simulations: int = DEFAULT_SIMULATIONS
    memory_bytes: int = DEFAULT_MEMORY_BYTES
    engine: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ReviewDefaults:
    """How all games are reviewed.

    Attributes:
        effort: name in `EFFORTS`.
        engine: empty: the default of the game.
        seed: of each review.
    """

    effort: str = STANDARD
    engine: str = ""
    seed: int = 0


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """The JSON form of an analysis; one of `position`, `observation` and `moves` says of what.

    Attributes:
        game: its name; not needed with a line.
        options: of the game; only with `moves`.
        position: line of a full state.
        observation: line of what a seat sees.
        moves: tokens of all moves and outcomes from the start of the game.
        seat: that searches; an observation names its own.
        engine: to search with.
        engine_options: of the engine.
        simulations: of the search.
        memory_mb: most memory of the search.
        seed: of the search.
        name: repeated in the output.
    """

    __pydantic_config__ = ConfigDict(strict=True, extra="forbid")

    game: str = ""
    options: dict[str, str | int] = field(default_factory=dict)
    position: str = ""
    observation: str = ""
    moves: list[str] | None = None
    seat: int | None = None
    engine: str = ""
    engine_options: dict[str, str | int | float] = field(default_factory=dict)
    simulations: int | None = None
    memory_mb: int | None = None
    seed: int | None = None
    name: str = ""


_ANALYSIS_LINE: TypeAdapter[AnalysisLine] = TypeAdapter(AnalysisLine)


def read_analyses(
    lines: Iterable[str], defaults: AnalysisDefaults
) -> Iterator[Entry[AnalysisTask]]:
    """Read analyses; empty lines, and those that begin with `#`, are skipped."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                name, task = _read_analysis(line, defaults)
            except InputError as error:
                yield Entry(number, "", None, error)
            else:
                yield Entry(number, name, task)


def read_reviews(lines: Iterable[str], defaults: ReviewDefaults) -> Iterator[Entry[ReviewTask]]:
    """Read games to review.

    A file of JSON has one on each line. Of other forms a wrong game ends the file, as the next one
    can't be found; there `Entry.line` is the number of the game.
    """
    for number, game in _games(lines):
        if isinstance(game, PlayedGame):
            try:
                task = review_task(
                    game, effort=defaults.effort, engine=defaults.engine, seed=defaults.seed
                )
            except InputError as error:
                yield Entry(number, game.name, None, error)
            else:
                yield Entry(number, game.name, task)
        else:
            yield Entry(number, "", None, game)


def _games(lines: Iterable[str]) -> Iterator[tuple[int, PlayedGame | InputError]]:
    lines = list(lines)
    first = next(filter(str.strip, lines), "")
    if not first.lstrip().startswith("{"):
        yield from _games_of_file(lines)
        return
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        for _, game in _games_of_file([line if line.lstrip().startswith("{") else "{" + line]):
            yield number, game


def _games_of_file(lines: Iterable[str]) -> Iterator[tuple[int, PlayedGame | InputError]]:
    games = read_games(lines)
    for number in count(1):
        try:
            game = next(games, None)
        except InputError as error:
            yield number, error
            return
        if game is None:
            return
        yield number, game


def _read_analysis(line: str, defaults: AnalysisDefaults) -> tuple[str, AnalysisTask]:
    given = AnalysisLine(position=line.strip())
    if line.lstrip().startswith("{"):
        try:
            given = _ANALYSIS_LINE.validate_json(line)
        except ValidationError as error:
            raise _refusal(error) from None
    check_range("simulations", given.simulations, 1, MAX_SIMULATIONS)
    check_range("memory_mb", given.memory_mb, 1, MAX_MEMORY_BYTES // MEGABYTE)
    memory_bytes = defaults.memory_bytes
    if given.memory_mb is not None:
        memory_bytes = given.memory_mb * MEGABYTE
    return given.name, analysis_task(
        _observation_of(given),
        simulations=defaults.simulations if given.simulations is None else given.simulations,
        memory_bytes=memory_bytes,
        engine=given.engine or defaults.engine,
        options=given.engine_options or ({} if given.engine else defaults.options),
        seed=defaults.seed if given.seed is None else given.seed,
    )


def _observation_of(given: AnalysisLine) -> Observation:
    lines = [line for line in (given.position, given.observation) if line]
    if len(lines) + (given.moves is not None) != 1:
        raise InputError("give one of position, observation and moves", field="position")
    if lines:
        if given.options:
            raise InputError("options go with moves; a line has its own", field="options")
        try:
            return read_observation(lines[0], given.seat, given.game)
        except InputError as error:
            if given.observation:
                error.field = re.sub("^position", "observation", error.field)
            raise
    assert given.moves is not None
    try:
        position = new_game(given.game, given.options).apply(*given.moves)
    except StateError as error:
        error.field = "moves"
        raise
    return observed(position, given.seat)


def _refusal(error: ValidationError) -> InputError:
    """Return the first faults of a JSON object as one error."""
    faults = faults_of(error, [each.name for each in fields(AnalysisLine)])
    value = error.errors(include_url=False)[0]["input"]
    message = faults[0][1] if len(faults) == 1 else listed(faults)
    return InputError(message, field=faults[0][0], value=one_line(str(value)))
