"""Display of a running ladder at the terminal: games done, rate, time left, standings.

The ratings shown are running ones (see `live`): good enough to watch, never published.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from kingmaker.cext.words import counted
from kingmaker.tasks.model import RunReport

from .coordinator import Progress
from .live import LiveRating, LiveRatings
from .race import RaceStatus
from .results import Z_95
from .sprt import SprtStatus
from .words import duration_text, elo_text

WINDOW_SECONDS = 60.0  # window in which the rate is measured
LEAST_SECONDS, LEAST_GAMES = 5.0, 20  # before the first rate: the first games start processes
FIRST_GAMES = 10  # before the display tells a rate: one game says little of the others
LINE_SECONDS = 10.0  # between lines if there is no terminal
MAX_OLD_RESULTS = 5000  # stored games read on resumption; older ones hardly change a running rating
BAR_WIDTH = 28
NUM_REPORTS = 3  # latest run reports shown below the table


class Rate:
    """Games finished per second, over the last minute.

    Args:
        clock: returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._counts: deque[tuple[float, int]] = deque()

    def count(self, num_games: int) -> None:
        """Record the number of games finished so far."""
        now = self._clock()
        self._counts.append((now, num_games))
        while len(self._counts) > 2 and self._counts[1][0] <= now - WINDOW_SECONDS:
            self._counts.popleft()

    @property
    def per_second(self) -> float:
        """Games finished per second; 0 before the first few, which say little."""
        if not self._counts:
            return 0.0
        began, before = self._counts[0]
        # Up to the last game: the time since then belongs to one that is not finished yet.
        seconds = self._counts[-1][0] - began
        finished = self._counts[-1][1] - before
        if seconds < LEAST_SECONDS and finished < LEAST_GAMES:
            return 0.0
        return finished / seconds if seconds > 0 else 0.0


class Display:
    """Shows a running ladder; pass it to `run_ladder` as `watch`.

    Where `console` is a terminal, a table is kept up to date; elsewhere a line is written now and
    then.

    Args:
        console: to write to.
        clock: returns the time in seconds.
    """

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self._console = console
        self._clock = clock
        self._began = clock()
        self._line_at = self._began
        self._rate = Rate(clock)
        self._num_stored: int | None = None  # games that were there before
        self._ratings = LiveRatings()
        self._standings: Sequence[LiveRating] = ()
        self._reports: deque[RunReport] = deque(maxlen=NUM_REPORTS)
        self._progress: Progress | None = None
        self._live = Live(
            console=console, get_renderable=self.render, refresh_per_second=4, transient=True
        )

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Process the news since the last call."""
        for result in progress.new_results[-MAX_OLD_RESULTS:]:
            self._ratings.add(result)
        self._reports.extend(progress.new_reports)
        # Replaced, never mutated: another thread redraws the terminal.
        self._standings = self._ratings.standings()
        self._progress = progress
        if self._num_stored is None:
            self._num_stored = progress.num_games
        self._rate.count(progress.num_games)
        if not self._console.is_terminal:
            self._write_line(progress)

    def render(self) -> RenderableType:
        """Draw the present state."""
        if self._progress is None:
            return Text("starting")
        parts: list[RenderableType] = [self._head(self._progress)]
        if self._progress.sprt:
            parts.append(Text(sprt_text(self._progress.sprt)))
        if self._progress.race:
            parts.append(Text(race_text(self._progress.race)))
        if self._standings:
            parts.append(standings_table(self._standings))
        parts += [
            Text(f"played again: {each.kind}: {each.detail}", "yellow", overflow="ellipsis")
            for each in tuple(self._reports)
        ]
        return Group(*parts)

    def _head(self, progress: Progress) -> RenderableType:
        """Draw the progress in one line, with a bar if the number of games is known."""
        words = Text(self._words(progress))
        if progress.total_games is None:
            return words
        line = Table.grid(padding=(0, 2))
        line.add_row(ProgressBar(progress.total_games, progress.num_games, width=BAR_WIDTH), words)
        return line

    def _words(self, progress: Progress) -> str:
        total = progress.total_games
        of = "" if total is None else f"{progress.num_games}/"
        games = counted(progress.num_games if total is None else total, "game")
        parts = [f"{of}{games}", f"{progress.num_in_play} in play"]
        num_ended = progress.num_games - (self._num_stored or 0)
        per_second = self._rate.per_second if num_ended >= FIRST_GAMES else 0.0
        if per_second:
            parts.append(f"{per_second:.3g}/s")
        parts.append(f"{duration_text(self._clock() - self._began)} so far")
        if per_second and progress.total_games is not None:
            left = max(0, progress.total_games - progress.num_games)
            parts.append(f"{duration_text(left / per_second)} left")
        if progress.num_given_up:
            parts.append(f"{progress.num_given_up} given up")
        return ", ".join(parts)

    def _write_line(self, progress: Progress) -> None:
        """Write a line, unless the last one is too recent."""
        if self._clock() - self._line_at < LINE_SECONDS:
            return
        self._line_at = self._clock()
        test = f"; {sprt_text(progress.sprt)}" if progress.sprt else ""
        race = f"; {race_text(progress.race)}" if progress.race else ""
        self._console.print(Text(self._words(progress) + test + race))


def sprt_text(status: SprtStatus) -> str:
    """Describe the state of a test in one line."""
    verdict = f", {status.verdict} accepted" if status.verdict else ""
    return (
        f"LLR {status.llr:.2f} ({status.lower:.2f} to {status.upper:.2f}){verdict} "
        f"after {counted(status.num_groups, 'group')}"
    )


def race_text(status: RaceStatus) -> str:
    """Describe the state of a race for the best bot in one line."""
    groups = counted(status.num_groups, "group")
    if status.is_decided:
        most = f"{status.deficit:.0f} Elo worse than the best" if status.deficit else "the best"
        return f"{status.pick} is the pick after {groups}: at most {most}"
    others = ", ".join(status.alive[1:])
    most = f", at most {status.deficit:.0f} Elo" if math.isfinite(status.deficit) else ""
    return f"{status.pick} leads after {groups}{most}; not worse for certain: {others}"


def standings_table(standings: Sequence[LiveRating]) -> Table:
    """Lay out running ratings, with a bar for the uncertainty."""
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for name in ("bot", "running Elo", "", "games"):
        table.add_column(name, justify="left" if name in ("bot", "") else "right")
    margins = [Z_95 * each.deviation for each in standings]
    low = min(each.elo - margin for each, margin in zip(standings, margins, strict=True))
    high = max(each.elo + margin for each, margin in zip(standings, margins, strict=True))
    for each, margin in zip(standings, margins, strict=True):
        table.add_row(
            Text(each.bot),
            f"{elo_text(each.elo)} ± {margin:.0f}",
            _bar(each.elo - margin, each.elo, each.elo + margin, low, high),
            str(each.games),
        )
    return table


def _bar(low: float, middle: float, high: float, left: float, right: float) -> Text:
    """Draw an interval in a range of numbers."""
    scale = (BAR_WIDTH - 1) / (right - left) if right > left else 0.0
    ends = [round((value - left) * scale) for value in (low, middle, high)]
    cells = [" "] * BAR_WIDTH
    cells[ends[0] : ends[2] + 1] = "─" * (ends[2] - ends[0] + 1)
    cells[ends[1]] = "●"
    return Text("".join(cells))
