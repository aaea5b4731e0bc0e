"""Output of the commands: results on stdout, everything else on stderr."""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from enum import Enum
from io import TextIOWrapper
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer
from rich.console import Console, Group

from kingmaker.cext.words import counted

from .fitted_table import FittedTable

if TYPE_CHECKING:
    from kingmaker.search.analysis import Analysis, MoveAnalysis
    from kingmaker.search.events import Event
    from kingmaker.search.position import Observation


JsonFlag = Annotated[bool, typer.Option("--json", help="Print machine-readable output.")]

STAND_INS = {"±": "+-", "•": "*", "–": "-", "—": "-", "─": "-"}
"""What is written where the encoding of a stream lacks a character; `?` for all others."""


class CommandError(Exception):
    """A command failed for another reason than its input."""


def open_missing_streams() -> None:
    """Open what a shell has closed, as with `>&-`, so that nothing is read or shown.

    In this order each gets its own number, which the next file that is opened would have otherwise.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 to the end


def tolerate_encoding() -> None:
    """Let no character that can't be encoded, as those of pages, or decoded end a command.

    Of input that is not in its encoding, what is wrong is shown as escaped bytes in errors.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        encoding = sys.stdin.encoding
        if codecs.lookup(encoding).name == "utf-8":
            encoding = "utf-8-sig"  # programs of Windows begin with a mark
        # As Python reads by itself in the C locale.
        sys.stdin.reconfigure(encoding=encoding, errors="surrogateescape")
    codecs.register_error("stand-in", _stand_in)
    if isinstance(sys.stdout, TextIOWrapper):  # a program may have none, or one of its own
        sys.stdout.reconfigure(errors="stand-in")


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(STAND_INS.get(each, "?") for each in missing), error.end


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Let the command end as it does wherever the reader of its output is gone."""
        raise  # the BrokenPipeError, in whose handler rich calls this


def out() -> Console:
    """Return a console of stdout; a new one each time, because tests replace the stream."""
    return _console(sys.stdout)


def err() -> Console:
    """Return the console of stderr."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    # A file or pipe has no width; this one is large enough that no table cell wraps.
    width = None if stream.isatty() else 300
    return _Console(
        file=stream,
        highlight=False,
        emoji=False,  # `:castle:` is a part of a move
        width=width,
        soft_wrap=not stream.isatty(),
    )


def complain(message: str, *, kind: str = "error") -> None:
    """Report an error or note in one line on stderr."""
    print(f"{kind}:", " ".join(message.split()), file=sys.stderr)


def write_json(value: Any, *, indent: int | None = 2) -> None:
    """Print data on stdout as JSON."""
    print(json.dumps(value, indent=indent), flush=True)


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a spinner on stderr if it is a terminal."""
    console = err()
    if not console.is_terminal:
        yield
        return
    with console.status(what, spinner="line" if console.options.ascii_only else "dots"):
        yield


def percent(share: float) -> str:
    """Format a win share or another part of one; nothing is -0.0 %."""
    return f"{round(100 * share, 1) + 0.0:.1f} %"


def who(event: Event, viewer: int = 0) -> str:
    """Name who decided, and of an outcome of chance the seat that it concerns."""
    if not event.seat:
        return "chance"
    name = "you" if event.seat == viewer else f"p{event.seat}"
    return f"chance for {name}" if event.is_chance else name


def share_text(move: MoveAnalysis, seat: int) -> str:
    """Format a move's win share for a seat, with its standard error; "" if hardly examined.

    An evaluation at some depth has no error that is known, and one that rounds to 0 is left out, as
    in hints: either would look certain.
    """
    if not move.is_examined:
        return ""
    value = percent(move.values[seat - 1])
    if move.is_exact:
        return f"{value} exact"
    error = f"{100 * move.standard_error:.1f}"
    return value if error == "0.0" else f"{value} ± {error}"


def moves_table(observation: Observation, analysis: Analysis) -> FittedTable:
    """Lay out the moves of an analysis, best first."""
    seats = range(1, observation.num_seats + 1)
    own = observation.observer
    rows = (
        (
            move.move,
            f"{move.visits}",
            f"{100 * move.visit_share:.1f} %",
            *(
                "-"
                if not move.is_examined
                else share_text(move, seat)
                if seat == own
                else percent(move.values[seat - 1])
                for seat in seats
            ),
            " ".join(move.line),
        )
        for move in analysis.moves
    )
    return FittedTable(
        ["move", ">visits", ">of visits", *(f">p{seat} wins" for seat in seats), "best line"], rows
    )


def summary(analysis: Analysis) -> str:
    """Summarize an analysis in one line: values, work done, stop reason."""
    values = ", ".join(
        f"p{seat} {percent(value)}" for seat, value in enumerate(analysis.values, start=1)
    )
    ended = f"ended by {analysis.stop_reason.value}" if analysis.stop_reason else "running"
    return (
        f"{values}{' (exact)' if analysis.is_exact else ''}; "
        f"{counted(analysis.simulations, 'simulation')}, {counted(analysis.num_nodes, 'node')}, "
        f"depth {analysis.depth}, {analysis.seconds:.2f} s, {ended}; "
        f"{analysis.engine}, seed {analysis.seed}"
    )


def drawn(observation: Observation, analysis: Analysis) -> Group:
    """Draw a running analysis."""
    return Group(moves_table(observation, analysis), summary(analysis))


def analysis_json(observation: Observation, analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain data."""
    return {
        "game": observation.game.name,
        "observation": observation.text,
        "seat": observation.observer,
        **_plain(asdict(analysis)),
        "moves": [move_json(move) for move in analysis.moves],
    }


def move_json(move: MoveAnalysis) -> dict[str, Any]:
    """Return one move of an analysis as plain data; without values if it was hardly examined."""
    unknown = {} if move.is_examined else {"values": (), "standard_error": 0.0}
    return _plain({**asdict(move), **unknown})


def _plain(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value.value if isinstance(value, Enum) else value for key, value in data.items()}
