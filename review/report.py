"""The page of a review: one self-contained HTML file without scripts or network access."""

from __future__ import annotations

from importlib.metadata import version
from itertools import cycle

from jinja2 import Environment, PackageLoader, StrictUndefined
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from kingmaker.ladder.charts import COLORS, svg
from kingmaker.ladder.report import data_url
from kingmaker.ladder.words import percent_text

from . import words
from .games import PlayedGame
from .model import Review, is_bad

NUM_WORST, NUM_LUCKIEST = 20, 10
MARKED_LUCK = 0.05
"""Least luck that the chart marks, in win shares."""


def write_html(game: PlayedGame, review: Review) -> str:
    """Write the page of a reviewed game."""
    environment = Environment(
        loader=PackageLoader("kingmaker.review"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent_text, "points": words.points}
    return environment.get_template("review.html.jinja").render(
        review=review,
        game=game,
        words=words,
        is_bad=is_bad,
        worst=review.worst(NUM_WORST),
        luckiest=words.luckiest(review, NUM_LUCKIEST),
        chart=data_url(shares_chart(review)),
        version=version("kingmaker"),
    )


def shares_chart(review: Review) -> str:
    """Draw the win share of each seat over the game, with luck, mistakes and its ending marked."""
    ending = words.ending_words(review)

    def draw(axes: Axes) -> None:
        plies = range(len(review.shares))
        for seat, color in zip(range(1, len(review.result) + 1), cycle(COLORS), strict=False):
            heights = [shares[seat - 1] for shares in review.shares]
            name = words.seat_name(review, seat)
            axes.plot(plies, heights, color=color, linewidth=1.4, label=name)
            lucky = [
                chance.ply + len(chance.tokens) - 1
                for chance in review.chances
                if abs(chance.luck[seat - 1]) >= MARKED_LUCK
            ]
            bad = [
                each.ply for each in review.decisions if each.seat == seat and is_bad(each.grade)
            ]
            axes.plot(lucky, [heights[ply] for ply in lucky], "o", color=color, markersize=4)
            axes.plot(bad, [heights[ply] for ply in bad], "X", color=color, markersize=7)
            if ending:
                axes.plot(plies[-1], heights[-1], "D", color=color, markersize=5)
        axes.plot([], [], "ko", markersize=4, label="luck")
        axes.plot([], [], "kX", markersize=7, label="mistake")
        if ending:
            axes.plot([], [], "kD", markersize=5, label=ending)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylim(-0.03, 1.03)
        axes.set_xlabel("plies (moves and chance outcomes)")
        axes.set_ylabel("expected win share")
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)

    return svg(draw, 4.0)
