"""The report is one page that shows everything, needs nothing else and trusts nobody's names."""

from __future__ import annotations

import re
import warnings
from base64 import b64decode
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from matplotlib import rcParams

from kingmaker.ladder import charts
from kingmaker.ladder import summary as summaries
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.ratings import Rating
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.report import write_html
from kingmaker.ladder.store import GameSummary
from kingmaker.ladder.summary import Checkpoint, Lengths, Summary, summarize
from kingmaker.ladder.words import duration_text, interval_text, number_text

from .simulated import crashed, simulated_games, simulated_plan

VOID = {"meta", "img", "br"}
ODD_NAMES = ["<script>alert(1)</script>", 'a"b&c', "cost $5 and $6", "王 бот"]


class Page(HTMLParser):
    """A page that was read: its ids, text and images; all elements must be closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.images: list[str] = []
        self.links: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in VOID:
            self._open.append(tag)
        values = {name: value or "" for name, value in attrs}
        if "id" in values:
            self.ids.append(values["id"])
        if tag == "img":
            head, _, data = values["src"].partition(",")
            assert head == "data:image/svg+xml;base64"
            assert values["alt"]
            self.images.append(b64decode(data).decode())
        self.links += [values[name] for name in ("href", "src") if name in values and tag != "img"]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "CHECKPOINT_RESAMPLES", 2)


def summary_of(plan: LadderPlan, games: list[GameSummary]) -> Summary:
    return summarize("spring", LadderState.STOPPED, plan, games, num_resamples=20)


def page_of(plan: LadderPlan, games: list[GameSummary]) -> Page:
    return Page(write_html(summary_of(plan, games)))


@cache
def usual() -> tuple[Summary, str]:
    """Return a ladder and its page, which several tests look at; charts take their time."""
    plan = simulated_plan()
    summary = summary_of(plan, simulated_games(plan))
    return summary, write_html(summary)


def words(svg: str) -> list[str]:
    """List the texts of a picture, which must be well-formed."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter() if "text" in each.tag]


def test_all_sections_are_there_and_each_has_its_picture() -> None:
    plan = simulated_plan(2, sprt={"elo0": 0, "elo1": 100})
    page = page_of(plan, simulated_games(plan))
    assert page.ids == [
        *("test", "standings", "history", "cross", "seats", "variance", "lengths", "causes")
    ]
    assert len(page.images) == 5


def test_the_page_needs_nothing_else() -> None:
    page = Page(usual()[1])
    assert "script" not in page.tags
    assert page.links == []
    for svg in page.images:
        assert not re.findall(r'(?:href|src)="(?!#)', svg)


def test_standings_show_rating_interval_and_spec() -> None:
    summary, html = usual()
    [best, *_] = summary.standings.ratings
    text = Page(html).text
    assert re.search(rf"1\s*{best.bot}\s*{best.elo:.0f}\s*{best.low:.0f} to {best.high:.0f}", text)
    assert "with b0 at 0" in text


@pytest.mark.filterwarnings("error")
def test_ratings_over_time_are_those_of_the_strongest() -> None:
    ratings = tuple(Rating(f"bot {i}", -i, -i - 9, 9 - i, 5, 10, 0.5) for i in range(200))
    drawn = words(charts.history_chart([Checkpoint(10, ratings[::-1]), Checkpoint(20, ratings)]))
    assert [text for text in drawn if "bot" in text] == [f"bot {i}" for i in range(30)]


def test_names_are_text_and_nothing_but_text() -> None:
    bots = [{"name": name, "spec": "random"} for name in ODD_NAMES]
    plan = LadderPlan.of(game="tic_tac_toe", bots=bots, num_groups=12)
    page = page_of(plan, simulated_games(plan))
    assert "script" not in page.tags
    assert all(name in page.text for name in ODD_NAMES)
    ratings, history = page.images[:2]
    assert set(ODD_NAMES) <= set(words(ratings))
    assert set(ODD_NAMES) <= set(words(history))


def test_faults_are_shown_with_what_happened() -> None:
    plan = simulated_plan()
    games = simulated_games(plan)
    page = page_of(plan, [crashed(games[0], 1), *games[1:]])
    assert "ValueError: <oops>" in page.text
    assert games[0].task.id[:8] in page.text


@pytest.mark.parametrize("num_games", [0, 1, 2, 3])
def test_a_ladder_that_has_just_begun_has_a_page(num_games: int) -> None:
    plan = simulated_plan()
    page = page_of(plan, simulated_games(plan)[:num_games])
    assert "nan" not in page.text
    if num_games < 2:
        assert re.search("No (game|mirrored group)", page.text)


def test_a_page_of_four_seats_shows_them_all() -> None:
    plan = simulated_plan(5, 20, game="hearts")
    page = page_of(plan, simulated_games(plan))
    assert {"p1", "p2", "p3", "p4"} <= set(words(page.images[2]))


def test_the_same_figures_give_the_same_bytes() -> None:
    summary, html = usual()
    assert write_html(summary) == html


@pytest.mark.parametrize(
    ("heights", "places"),
    [
        ([30, 20, 10], [30, 20, 10]),
        ([20, 20], [22, 18]),
        ([21, 20, 19], [24, 20, 16]),
        ([100, 20, 20, 17], [100, 23, 19, 15]),
    ],
)
def test_names_at_lines_keep_their_distance(heights: list[float], places: list[float]) -> None:
    assert charts.spread(heights, 4) == places


def test_figures_are_written_for_people() -> None:
    assert [duration_text(each) for each in (0.0123, 5, 61, 3700)] == [
        *("12 ms", "5.0 s", "1 min 1 s", "1 h 1 min")
    ]
    assert [number_text(each) for each in (0.12345, 12345.6, float("nan"), float("inf"))] == [
        *("0.123", "12,346", "–", "∞")
    ]
    assert (interval_text(-0.4, 12.3), interval_text(0, 0)) == ("0 to 12", "")


def test_threads_that_draw_charts_leave_the_style_of_others_alone() -> None:
    def shared() -> object:
        return [rcParams[name] for name in charts.STYLE], list(warnings.filters)

    lengths = Lengths(16.0, 10.0, 20.0, 24.0, ((10, 3), (20, 5)), 10)
    alone, before = charts.lengths_chart(lengths), shared()
    with ThreadPoolExecutor(4) as threads:
        drawn = list(threads.map(charts.lengths_chart, [lengths] * 12))
    assert drawn == [alone] * 12
    assert shared() == before
