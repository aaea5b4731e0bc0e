"""Input of the commands: common option types, and how the game of a text line is found."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from kingmaker.cext.errors import InputError, check_range
from kingmaker.search.analysis import (
    MAX_MEMORY_BYTES,
    MAX_MILLISECONDS,
    MAX_SIMULATIONS,
    MEGABYTE,
    MIN_MILLISECONDS,
    Budget,
)
from kingmaker.search.games import game_types
from kingmaker.search.lines import read_observation
from kingmaker.search.position import Observation
from kingmaker.search.registry import ENGINES

MAX_MEGABYTES = MAX_MEMORY_BYTES // MEGABYTE


def complete_game(begun: str) -> list[str]:
    """List the games with a beginning, for the shell."""
    return [name for name in game_types() if name.startswith(begun)]


def complete_engine(begun: str) -> list[str]:
    """List the engines with a beginning, for the shell."""
    return [name for name in ENGINES if name.startswith(begun)]


Line = Annotated[
    str, typer.Argument(help="A position or observation line; - reads it from standard input.")
]
GameName = Annotated[
    str,
    typer.Option(
        "--game",
        help="Name of the game; default: found by the tag of the line.",
        autocompletion=complete_game,
    ),
]
SeatNumber = Annotated[
    int | None,
    typer.Option(
        "--seat", help="Seat to search for, 1..n; an observation names its own.", show_default=False
    ),
]
Milliseconds = Annotated[
    float | None,
    typer.Option("--budget-ms", help="Time to spend, in milliseconds.", show_default=False),
]
Simulations = Annotated[
    int | None, typer.Option("--simulations", help="Simulations to spend.", show_default=False)
]
Megabytes = Annotated[
    int, typer.Option("--memory-mb", help="Largest size of the search tree, in MiB.")
]
EngineName = Annotated[
    str,
    typer.Option(
        "--engine",
        help="Search engine; default: the one that suits the game.",
        autocompletion=complete_engine,
    ),
]
EngineOptions = Annotated[
    list[str] | None,
    typer.Option("--engine-option", metavar="KEY=VALUE", help="Option of the engine."),
]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="KEY=VALUE",
        help="Option of the game; number of seats: --option players=4.",
    ),
]
Seed = Annotated[
    int | None,
    typer.Option("--seed", help="Seed of all random choices; default: random.", show_default=False),
]
Threads = Annotated[int, typer.Option("--threads", help="Search threads.")]


def budget(
    milliseconds: float | None,
    simulations: int | None,
    megabytes: int,
    *,
    default_ms: float,
) -> Budget:
    """Build a budget; `default_ms` applies only without another limit.

    Raises:
        InputError: a limit is out of range.
    """
    check_range("--budget-ms", milliseconds, MIN_MILLISECONDS, MAX_MILLISECONDS)
    check_range("--simulations", simulations, 1, MAX_SIMULATIONS)
    check_range("--memory-mb", megabytes, 1, MAX_MEGABYTES)
    if milliseconds is None and simulations is None:
        milliseconds = default_ms
    return Budget(milliseconds, simulations, megabytes * MEGABYTE)


def pairs(texts: Iterable[str] | None, what: str) -> dict[str, str]:
    """Read `key=value` texts.

    Raises:
        InputError: a text is not a pair, or a key occurs twice.
    """
    found: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise InputError(f"{text!r} is not KEY=VALUE", field=what, value=text)
        if key in found:
            raise InputError(f"{key} is given twice", field=f"{what}.{key}", value=text)
        found[key] = value
    return found


@contextmanager
def lines_of(file: str) -> Iterator[TextIO]:
    """Open a file of games; `-` is standard input.

    Raises:
        InputError: it can't be read.
    """
    if file == "-":
        yield sys.stdin
        return
    try:
        with Path(file).open(encoding="utf-8-sig") as lines:
            yield lines
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.filename is None:  # of our output
            raise
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"{file} can't be read: {reason}", field="file", value=file) from None


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Put the name of a file before the errors of its games."""
    try:
        yield
    except InputError as error:
        name = "standard input" if file == "-" else file
        joint = ", " if str(error).startswith("line ") else ": "
        error.args = (f"{name}{joint}{error}",)
        raise


def read_line(line: str, seat: int | None, game: str = "") -> Observation:
    """Read a position or observation line as what one seat sees; `-` is on standard input.

    Raises:
        InputError: the line, the game or the seat is wrong.
    """
    text = sys.stdin.readline() if line == "-" else line
    try:
        return read_observation(text, seat, game)
    except InputError as error:
        if seat is None and error.field == "seat":
            error.args = (f"{error}, such as --seat 1",)
        raise
