"""`kingmaker bench`: the figures of the project, measured here and now."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from kingmaker.cext.errors import InputError

from .output import out, table, working


def bench(
    json: Annotated[
        str,
        typer.Option("--json", metavar="FILE", help="Write a flat JSON object; - is stdout."),
    ] = "",
    only: Annotated[
        str, typer.Option("--only", metavar="PREFIX", help="Only figures whose name begins so.")
    ] = "",
    quick: Annotated[
        bool, typer.Option("--quick", help="Shorter runs and rougher figures.")
    ] = False,
) -> None:
    """Measure speed and strength; each figure is shown on stderr as soon as it is known."""
    if json not in ("", "-"):
        _check_writable(Path(json))
    # Only here, so that no other command waits for these imports.
    from kingmaker.benchmarks.figures import run

    def report(key: str, value: float) -> None:
        print(f"{key} = {value:.6g}", file=sys.stderr, flush=True)

    with working("measuring"):
        figures = run(only, quick, report)
    if not figures:
        raise InputError(f"no figure begins with {only!r}", field="only", value=only)
    text = jsonlib.dumps(figures, indent=2) + "\n"
    if json == "-":
        print(text, end="")
        return
    if json:
        Path(json).write_text(text, encoding="utf-8")
    out().print(table(["figure", ">value"], ((key, f"{v:,.6g}") for key, v in figures.items())))


def _check_writable(path: Path) -> None:
    """Make sure before the long run that its figures can be kept."""
    try:
        path.touch()
    except OSError as error:
        raise InputError(
            f"{path} can't be written: {error.strerror}", field="json", value=str(path)
        ) from None
