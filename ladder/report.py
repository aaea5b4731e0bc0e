"""Reports of ladders.

One ladder becomes a self-contained HTML file without network access or scripts; several become
the tables of a page of Markdown.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from . import charts
from .summary import Summary
from .words import duration_text, elo_text, interval_text, number_text, percent_text


@dataclass(frozen=True, slots=True)
class Section:
    """One ladder on a page with several.

    Attributes:
        title: of the section.
        summary: of the ladder.
        note: Markdown between the head and the table.
    """

    title: str
    summary: Summary
    note: str = ""


def write_html(summary: Summary) -> str:
    """Write the page."""
    return _template("report.html.jinja", autoescape=True).render(
        summary=summary,
        pictures=_pictures(summary),
        version=version("kingmaker"),
        shade=_shade,
        max_lines=charts.MAX_LINES,
        seconds=_seconds(summary),
    )


def write_markdown(sections: Sequence[Section]) -> str:
    """Write the standings of ladders as Markdown, a section and a table for each."""
    return _template("standings.md.jinja", autoescape=False).render(sections=sections)


def _template(name: str, *, autoescape: bool) -> Template:
    environment = Environment(
        loader=PackageLoader("kingmaker.ladder"),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "elo": elo_text,
        "interval": interval_text,
        "percent": percent_text,
        "number": number_text,
        "duration": duration_text,
        "when": _when,
        "words": lambda text: text.replace("_", " "),
    }
    return environment.get_template(name)


def _pictures(summary: Summary) -> dict[str, str]:
    """Draw the charts that have data; returns name -> data URL of the image."""
    drawn = {}
    if summary.standings.ratings:
        drawn["ratings"] = charts.ratings_chart(summary.standings.ratings)
    if len(summary.history) > 1:
        drawn["history"] = charts.history_chart(summary.history)
    if summary.seats:
        drawn["seats"] = charts.seats_chart(summary.seats)
    if summary.lengths.bins:
        drawn["lengths"] = charts.lengths_chart(summary.lengths)
    if summary.test:
        drawn["test"] = charts.llr_chart(summary.test)
    return {name: data_url(svg) for name, svg in drawn.items()}


def data_url(svg: str) -> str:
    """Return a picture as an address for a page."""
    # A separate image for each, so that ids inside the pictures can't collide on the page.
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()


def _shade(score: float) -> str:
    """Colour a cell of the cross table: the farther from one half, the more intense."""
    red, green, blue = (0, 114, 178) if score > 0.5 else (213, 94, 0)
    return f"background: rgba({red}, {green}, {blue}, {abs(score - 0.5):.2f})"


def _when(moment: str) -> str:
    """Format a time stamp for people."""
    return datetime.fromisoformat(moment).strftime("%Y-%m-%d %H:%M UTC") if moment else "–"


def _seconds(summary: Summary) -> float:
    """Time from the first finished game to the last."""
    if not summary.first_at:
        return 0.0
    first, last = map(datetime.fromisoformat, (summary.first_at, summary.last_at))
    return (last - first).total_seconds()
