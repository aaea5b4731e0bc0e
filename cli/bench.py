"""`kingmaker bench`: the benchmarks of the project, run on this machine."""

from __future__ import annotations

import json as jsonlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kingmaker.cext.errors import InputError

from .fitted_table import FittedTable
from .output import CommandError, out, working

if TYPE_CHECKING:
    from kingmaker.benchmarks.measure import Figure


def bench(
    json: Annotated[
        str,
        typer.Option("--json", metavar="FILE", help="Write a flat JSON object; - is stdout."),
    ] = "",
    page: Annotated[
        str,
        typer.Option(
            "--page",
            metavar="FILE",
            help="Measure all figures of the benchmarks page, and write it.",
        ),
    ] = "",
    only: Annotated[
        str,
        typer.Option("--only", metavar="PREFIX", help="Only figures with this prefix."),
    ] = "",
    list_: Annotated[
        bool, typer.Option("--list", help="List the figures with their meaning; measure nothing.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="Shorter runs and less precise figures.")
    ] = False,
) -> None:
    """Measure speed and strength; prints each figure on stderr as soon as it is measured."""
    try:
        from kingmaker.benchmarks import catalogue, figures, report
    except ModuleNotFoundError as error:
        if error.name != "kingmaker.benchmarks":
            raise
        raise CommandError(
            "the benchmarks are in a checkout of Kingmaker, not in the installed package; "
            "run `make bench` there"
        ) from None

    if list_ and json:
        raise InputError(
            "the list is a table without figures; leave --list or --json out",
            field="json",
            value=json,
        )
    if list_:
        listed = figures.listed(catalogue.MEASUREMENTS, only)
        out().print(FittedTable(["figure", "measured", "meaning"], listed))
        return
    if page and only:
        raise InputError(
            "a page has all of its figures from one run; leave --only or --page out",
            field="only",
            value=only,
        )
    for path in (json, page):
        if path not in ("", "-"):
            _check_writable(Path(path))

    def tell(name: str, figure: Figure) -> None:
        value, spread = report.figure_texts(figure)
        print(f"{name} = {value}{spread and f' ± {spread}'}", file=sys.stderr, flush=True)

    with working("measuring"):
        shown = report.prefixes_of_page() if page else only
        found = figures.run(catalogue.MEASUREMENTS, shown, quick, tell)
    if page:
        Path(page).write_text(report.write_page(found, catalogue.ABOUT), encoding="utf-8")
    text = jsonlib.dumps({name: each.value for name, each in found.items()}, indent=2) + "\n"
    if json == "-":
        print(text, end="")
        return
    if json:
        Path(json).write_text(text, encoding="utf-8")
    rows = ((name, *report.figure_texts(each)) for name, each in found.items())
    out().print(FittedTable(["figure", ">value", ">±"], rows))


def _check_writable(path: Path) -> None:
    """Check before the long run that its figures can be written."""
    try:
        path.touch()
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}", value=str(path)) from None
