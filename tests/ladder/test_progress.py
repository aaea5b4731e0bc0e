"""What is shown while a ladder is played."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from kingmaker.ladder.coordinator import Progress
from kingmaker.ladder.progress import Display, Rate
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.results import Result
from kingmaker.ladder.sprt import Sprt
from kingmaker.tasks.model import RunReport


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


PROGRESS = Progress(
    num_games=0,
    total_games=40,
    num_in_play=2,
    num_given_up=0,
    new_results=(),
    new_reports=(),
    sprt=None,
    state=LadderState.RUNNING,
)
WON = Result("g1", ("strong [b]", "weak"), (1.0, 0.0))


def text_of(display: Display) -> str:
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as capture:
        console.print(display.render())
    return capture.get()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def display(clock: Clock) -> Display:
    return Display(Console(file=io.StringIO(), force_terminal=True), clock)


def test_the_display_tells_games_rate_and_time_left(display: Display, clock: Clock) -> None:
    display(PROGRESS)
    clock.now += 5
    display(replace(PROGRESS, num_games=10))
    assert "10/40 games, 2 in play, 2/s, 5.0 s so far, 15 s left" in text_of(display)


def test_no_time_left_is_told_before_ten_games_have_ended(display: Display, clock: Clock) -> None:
    display(replace(PROGRESS, num_games=20))  # stored before
    clock.now += 15
    display(replace(PROGRESS, num_games=21))
    assert text_of(display).rstrip().endswith("21/40 games, 2 in play, 15 s so far")
    clock.now += 1
    display(replace(PROGRESS, num_games=36))
    assert "1/s, 16 s so far, 4.0 s left" in text_of(display)


def test_a_ladder_without_an_end_has_no_time_left(display: Display, clock: Clock) -> None:
    display(replace(PROGRESS, total_games=None))
    clock.now += 5
    display(replace(PROGRESS, num_games=10, total_games=None))
    assert "10 games, 2 in play, 2/s" in text_of(display)
    assert "left" not in text_of(display)


def test_standings_have_the_winner_on_top_with_its_bar_to_the_right(display: Display) -> None:
    display(replace(PROGRESS, num_games=1, new_results=(WON,)))
    [strong] = [line for line in text_of(display).splitlines() if "strong [b]" in line]
    [weak] = [line for line in text_of(display).splitlines() if "weak" in line]
    assert text_of(display).index(strong) < text_of(display).index(weak)
    assert strong.index("●") > weak.index("●")
    assert " ± " in strong


def test_test_and_faults_are_shown(display: Display) -> None:
    report = RunReport("id", "worker_lost", "a worker was killed", "2026-01-02T03:04:05+00:00")
    status = Sprt(0, 50).add(1.0)
    display(replace(PROGRESS, sprt=status, new_reports=(report,), num_given_up=1))
    text = text_of(display)
    assert f"LLR {status.llr:.2f} (-2.94 to 2.94) after 1 group" in text
    assert "played again: worker_lost: a worker was killed" in text
    assert "1 given up" in text


def test_the_display_says_that_it_starts(display: Display) -> None:
    assert "starting" in text_of(display)


def test_where_there_is_no_terminal_a_line_is_written_now_and_then(clock: Clock) -> None:
    file = io.StringIO()
    with Display(Console(file=file, width=200), clock) as display:
        for num_games in range(1, 31):
            clock.now += 1
            display(replace(PROGRESS, num_games=num_games))
    lines = file.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("20/40 games, 2 in play, 1/s")


def test_the_rate_is_that_of_the_last_minute(clock: Clock) -> None:
    rate = Rate(clock)
    assert rate.per_second == 0
    rate.count(1000)  # stored before: they took no time now
    for second in range(1, 201):
        clock.now += 1
        rate.count(1000 + min(second, 100) * 10)
        if second == 100:
            assert rate.per_second == pytest.approx(10)
    assert rate.per_second == 0


def test_the_first_games_do_not_make_a_rate(clock: Clock) -> None:
    rate = Rate(clock)
    rate.count(0)
    clock.now += 2  # the first games start their processes
    rate.count(1)
    assert rate.per_second == 0
    clock.now += 4
    rate.count(30)
    assert rate.per_second == 5
    clock.now += 3  # a game is being played: that is no sign of a slower rate
    assert rate.per_second == 5
