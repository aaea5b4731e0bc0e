"""Figures as text: rounded by their noise, and in the tables of docs/benchmarks.md."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import jinja2

from kingmaker.training.rounds import commit

from .measure import Figure

TEMPLATE = Path(__file__).with_name("page.md.jinja")
NOT_MEASURED = "not measured: it needs OpenSpiel or valgrind"


def number_text(value: float, digits: int = 3) -> str:
    """Format a number with some significant digits, and commas between thousands."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{round(value, places):,.{max(0, places)}f}"


def figure_texts(figure: Figure) -> tuple[str, str]:
    """Format value and spread; the spread is empty if there is none."""
    return number_text(figure.value), (
        "" if figure.spread is None else number_text(figure.spread, digits=2)
    )


def machine_text() -> str:
    """Describe the machine and the versions of peers in one line."""
    import pyperf

    found = pyperf.Run([1.0]).get_metadata()
    cpu = found.get("cpu_model_name", "unknown processor")
    try:
        peer = f", OpenSpiel {version('open_spiel')}"
    except PackageNotFoundError:
        peer = ""
    return (
        f"{found['cpu_count']} × {cpu}, Python {found['python_version'].split()[0]}, "
        f"{found['python_compiler']}{peer}."
    )


def prefixes_of_page() -> tuple[str, ...]:
    """List the prefixes of the figures that the page shows."""
    found: list[str] = []

    def collect(*prefixes: str) -> str:
        found.extend(prefixes)
        return ""

    _render(collect)
    return tuple(found)


def write_page(figures: Mapping[str, Figure], about: Mapping[str, str]) -> str:
    """Return the page with these figures.

    Args:
        figures: all that are shown; a section without any says so.
        about: name -> description; also the order of the rows.
    """

    def table(*prefixes: str) -> str:
        rows = [
            f"| `{name}` | {' | '.join(figure_texts(figures[name]))} | {about[name]} |"
            for name in about
            if name in figures and name.startswith(prefixes)
        ]
        head = ["| figure | value | ± | what it is |", "|---|--:|--:|---|"]
        return "\n".join([*head, *rows]) if rows else f"({NOT_MEASURED})"

    return _render(table)


def _render(figures: Callable[..., str]) -> str:
    template = jinja2.Template(
        TEMPLATE.read_text(encoding="utf-8"),
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    text: str = template.render(
        figures=figures,
        machine=machine_text(),
        commit=commit(),
        date=date.today().isoformat(),
    )
    return text
