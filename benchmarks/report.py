"""Figures as text: rounded by their noise, and as the table of a Markdown page."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kingmaker.cext.errors import InputError

from .measure import Figure

BEGIN = "<!-- figures: written by `kingmaker bench --markdown` -->"
END = "<!-- end of figures -->"
TABLE = re.compile(re.escape(BEGIN) + "\n(.*?)" + re.escape(END), re.DOTALL)
ROW = re.compile(r"^\| `(\S+)` \| (.*?) \| (.*?) \|", re.MULTILINE)


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


def check_page(path: Path) -> None:
    """Check before the long run that a page has a place for the table.

    Raises:
        InputError: it has none, or can't be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path} can't be read: {error.strerror}", field="markdown", value=str(path)
        ) from None
    if not TABLE.search(text):
        raise InputError(
            f"{path} has no line {BEGIN} and after it one {END}; the table goes between them",
            field="markdown",
            value=str(path),
        )


def update_page(
    text: str, figures: Mapping[str, Figure], about: Mapping[str, str], machine: str
) -> str:
    """Update the table of a page with figures; the text around it stays.

    Args:
        text: the page.
        figures: new figures; all other rows of the table stay if they were measured on
            the same machine, and are removed if not.
        about: name -> description; also the order of the rows; rows of other figures are removed.
        machine: see `machine_text`.

    Returns:
        The page with the new table.
    """
    found = TABLE.search(text)
    assert found is not None, "check_page comes first"
    before = found[1]
    cells = {name: (value, spread) for name, value, spread in ROW.findall(before)}
    if machine not in before:
        cells = {}
    cells |= {name: figure_texts(figure) for name, figure in figures.items()}
    rows = [
        f"| `{name}` | {' | '.join(cells[name])} | {about[name]} |"
        for name in about
        if name in cells
    ]
    table = "\n".join(
        [machine, "", "| figure | value | ± | what it is |", "|---|--:|--:|---|", *rows]
    )
    return text[: found.start()] + f"{BEGIN}\n{table}\n{END}" + text[found.end() :]
