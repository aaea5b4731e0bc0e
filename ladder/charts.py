"""The charts of a report as SVG, drawn by matplotlib without a display and without scripts.

Text stays text, so that browsers show names in any alphabet. The same data gives the same
bytes.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from itertools import cycle
from threading import Lock
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from .ratings import Rating
from .results import SeatShare
from .sprt import SprtStatus
from .summary import Checkpoint, Lengths

INK, FAINT, ACCENT = "#26323a", "#d5dbdf", "#0072b2"
# Colours that colour-blind people can distinguish (Okabe and Ito 2008, "Color Universal Design").
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#26323a")
MAX_LINES = 30  # of the ratings over time
WIDTH, LINE_HEIGHT = 9.0, 0.2  # inches
STYLE: Any = {  # matplotlib's own type for it differs between versions
    "svg.fonttype": "none",
    "svg.hashsalt": "kingmaker",
    "text.parse_math": False,  # a $ in a name is not math mode
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "xtick.color": INK,
    "ytick.color": INK,
}


_ALONE = Lock()  # styles and filters of warnings are those of the process


def ratings_chart(ratings: Sequence[Rating]) -> str:
    """Draw each rating with its 95 % interval, strongest bot on top."""

    def draw(axes: Axes) -> None:
        places = range(len(ratings))
        elos = [each.elo for each in ratings]
        axes.errorbar(elos, places, xerr=_arms(ratings), fmt="o", capsize=3, color=ACCENT)
        axes.set_yticks(places, [each.bot for each in ratings])
        axes.set_ylim(len(ratings) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("Elo")

    return svg(draw, 0.9 + 0.3 * len(ratings))


def history_chart(history: Sequence[Checkpoint]) -> str:
    """Draw the ratings over the groups played, with their intervals, names at the right end.

    Only those of the `MAX_LINES` strongest bots: more lines can't be told apart, and take minutes.
    """
    names = {each.bot for each in history[-1].ratings[:MAX_LINES]}
    history = [
        Checkpoint(point.num_groups, tuple(each for each in point.ratings if each.bot in names))
        for point in history
    ]
    height = max(4.0, 1.5 + 0.3 * len(history[-1].ratings))

    def draw(axes: Axes) -> None:
        last = history[-1]
        span = last.num_groups - history[0].num_groups or 1
        colors = cycle(COLORS)
        for place, final in enumerate(last.ratings):
            track = [
                next(each for each in point.ratings if each.bot == final.bot) for point in history
            ]
            color = next(colors)
            # Shifted, so that the bars of equal ratings don't overlap.
            shift = span * 0.006 * (place % 5 - 2)
            axes.errorbar(
                [point.num_groups + shift for point in history],
                [each.elo for each in track],
                yerr=_arms(track),
                color=color,
                linewidth=1.4,
                elinewidth=0.8,
                marker="o",
                markersize=3,
                capsize=2,
            )
        axes.set_xlim(right=last.num_groups + 0.02 * span)
        axes.set_ylim(*_interesting(history))
        _name_lines(axes, last, height)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("mirrored groups")
        axes.set_ylabel("Elo")

    return svg(draw, height)


def seats_chart(seats: Sequence[SeatShare]) -> str:
    """Draw the win share of each seat beside an equal share."""

    def draw(axes: Axes) -> None:
        axes.bar(
            [f"p{each.seat}" for each in seats],
            [each.share for each in seats],
            yerr=[each.margin for each in seats],
            width=0.5,
            capsize=4,
            color=COLORS[5],
            ecolor=INK,
        )
        axes.axhline(1 / len(seats), color=COLORS[1], linestyle="--", linewidth=1)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        axes.set_ylim(bottom=0)
        axes.grid(visible=False, axis="x")
        axes.set_ylabel("win share")

    return svg(draw, 3.2)


def lengths_chart(lengths: Lengths) -> str:
    """Draw the histogram of game lengths."""

    def draw(axes: Axes) -> None:
        axes.bar(
            [start for start, _ in lengths.bins],
            [games for _, games in lengths.bins],
            width=lengths.bin_width,
            align="edge",
            color=COLORS[5],
            edgecolor="white",
            linewidth=0.5,
        )
        axes.axvline(lengths.median, color=COLORS[1], linestyle="--", linewidth=1)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("plies (moves and chance outcomes)")
        axes.set_ylabel("games")

    return svg(draw, 3.2)


def llr_chart(test: Sequence[SprtStatus]) -> str:
    """Draw the LLR after each group, between its bounds."""

    def draw(axes: Axes) -> None:
        axes.plot(
            [0, *(each.num_groups for each in test)],
            [0, *(each.llr for each in test)],
            color=ACCENT,
            linewidth=1.4,
        )
        for bound, words in ((test[-1].upper, "elo1"), (test[-1].lower, "elo0")):
            axes.axhline(bound, color=COLORS[1], linestyle="--", linewidth=1)
            axes.annotate(words, (0, bound), (2, 3), textcoords="offset points")
        axes.margins(y=0.12)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("mirrored groups")
        axes.set_ylabel("LLR")

    return svg(draw, 3.2)


def svg(draw: Callable[[Axes], None], height: float) -> str:
    """Make a figure with one pair of axes; `height` is in inches."""
    buffer = io.StringIO()
    with _ALONE, matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # The browser renders the text, so a glyph missing from our font does no harm.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _arms(ratings: Sequence[Rating]) -> list[list[float]]:
    """Return the lengths of the intervals below and above the ratings.

    With few groups the fit may lie outside its interval.
    """
    return [
        [max(0.0, each.elo - each.low) for each in ratings],
        [max(0.0, each.high - each.elo) for each in ratings],
    ]


def _interesting(history: Sequence[Checkpoint]) -> tuple[float, float]:
    """Return the range of Elo that holds all ratings, and the intervals of the later half."""
    late = history[len(history) // 2 :]
    heights = [each.elo for point in history for each in point.ratings]
    heights += [end for point in late for each in point.ratings for end in (each.low, each.high)]
    margin = 0.05 * (max(heights) - min(heights)) or 1.0
    return min(heights) - margin, max(heights) + margin


def _name_lines(axes: Axes, last: Checkpoint, height: float) -> None:
    """Write each name at the end of its line, shifted to avoid overlaps; `height` in inches."""
    low, high = axes.get_ylim()
    gap = (high - low) * LINE_HEIGHT / height
    places = spread([each.elo for each in last.ratings], gap)
    for each, place, color in zip(last.ratings, places, cycle(COLORS), strict=False):
        axes.annotate(
            each.bot,
            xy=(1.0, each.elo),
            xytext=(1.03, place),
            xycoords=("axes fraction", "data"),
            textcoords=("axes fraction", "data"),
            color=color,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.6},
        )


def spread(heights: Sequence[float], gap: float) -> list[float]:
    """Move sorted heights apart so that neighbours differ by at least `gap`.

    Overlapping blocks are merged and centred on the mean of their members.
    """
    blocks: list[list[float]] = []
    for height in heights:
        blocks.append([height])
        while len(blocks) > 1 and _bottom(blocks[-2], gap) - gap < _top(blocks[-1], gap):
            merged = blocks.pop()
            blocks[-1] += merged
    return [_top(block, gap) - gap * place for block in blocks for place in range(len(block))]


def _top(block: Sequence[float], gap: float) -> float:
    return sum(block) / len(block) + gap * (len(block) - 1) / 2


def _bottom(block: Sequence[float], gap: float) -> float:
    return _top(block, gap) - gap * (len(block) - 1)
