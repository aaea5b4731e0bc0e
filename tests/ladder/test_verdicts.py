"""Ladders that end at a verdict: when, by which groups, and how many games are counted."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from typing import Any

import pytest

from kingmaker.ladder.coordinator import Ending, Progress, begin_ladder, run_ladder
from kingmaker.ladder.errors import LadderError
from kingmaker.ladder.executors import Play
from kingmaker.ladder.games import overview
from kingmaker.ladder.model import GameRecord, GameTask, MoveRecord
from kingmaker.ladder.play import play
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.sprt import Verdict
from kingmaker.ladder.store import Ladder, Store
from kingmaker.ladder.summary import read_summary
from kingmaker.tasks.retries import MAX_ATTEMPTS

from .fake_executor import FakeExecutor, any_of, breaking, oldest, plan, won_by

pytestmark = pytest.mark.usefixtures("immediate_retries")


def test_a_test_stops_by_itself(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={"elo0": 0, "elo1": 50}, num_groups=None)
    ladder = begin_ladder(store, "test", test)
    watched: list[Progress] = []
    ending = run_ladder(ladder, FakeExecutor(won_by("a")), watch=watched.append)
    assert ending == Ending(LadderState.FINISHED, "the test accepts elo1")
    status = watched[-1].sprt
    assert status is not None
    assert status.verdict is Verdict.ELO1
    assert status.num_groups * 2 <= watched[-1].num_games <= status.num_groups * 2 + 4
    assert status == read_summary(ladder).test[-1]


@pytest.mark.parametrize(
    "fields",
    [
        {"bots": ["a=random", "b=random"], "sprt": {"elo0": 0, "elo1": 50}},
        {"bots": ["a=random", "b=random"], "best": {"margin": 100, "error": 0.1}},
    ],
    ids=["test", "race"],
)
def test_the_list_counts_no_games_that_were_in_play_at_the_verdict(
    store: Store, fields: dict[str, Any]
) -> None:
    ladder = begin_ladder(store, "decided", plan(**fields, num_groups=None))
    run_ladder(ladder, FakeExecutor(won_by("a"), any_of(), capacity=9))
    counted = read_summary(ladder).num_games
    assert overview(ladder).num_games == counted < ladder.num_games


def test_the_games_of_a_decided_ladder_are_counted_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To read them all takes seconds, and a list of ladders is asked for again and again."""
    fields: dict[str, Any] = {"bots": ["a=random", "b=random"], "sprt": {"elo0": 0, "elo1": 50}}
    ladder = begin_ladder(store, "decided", plan(**fields, num_groups=None))
    run_ladder(ladder, FakeExecutor(won_by("a"), any_of(), capacity=9))
    first = overview(ladder)
    monkeypatch.setattr(Ladder, "results", None)
    assert overview(store.ladder("decided")) == first


def test_the_list_counts_games_of_incomplete_groups_of_other_ladders(store: Store) -> None:
    ladder = begin_ladder(store, "stops", plan(num_groups=9))
    stop = threading.Event()

    def watch(progress: Progress) -> None:
        if progress.num_games == 5:
            stop.set()

    run_ladder(ladder, FakeExecutor(won_by("a", "b", "c")), watch=watch, stop=stop)
    assert overview(ladder).num_games == read_summary(ladder).num_games == 5


def test_a_test_whose_games_repeat_each_other_ends_without_a_verdict(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={"elo0": 0, "elo1": 50}, num_groups=None)

    def same(task: GameTask) -> GameRecord:
        return replace(won_by("a")(task), moves=(MoveRecord(1, "b2", 0.0),))

    ladder = begin_ladder(store, "test", test)
    ending = run_ladder(ladder, FakeExecutor(same))
    assert ending.state is LadderState.STOPPED
    assert "100 groups all repeat earlier ones" in ending.reason
    assert run_ladder(ladder, FakeExecutor(same)) == ending


def test_a_test_takes_the_groups_by_number(store: Store) -> None:
    """Whatever order they end in, verdict and ratio are those of the same groups."""
    test = plan(bots=["a=random", "b=random"], sprt={"elo1": 100}, num_groups=None, seed=4)
    statuses = []
    for name, choose in {"in order": oldest, "mixed": any_of()}.items():
        ladder = begin_ladder(store, name, test)
        watched: list[Progress] = []
        run_ladder(ladder, FakeExecutor(mostly("a"), choose, capacity=9), watch=watched.append)
        statuses.append(watched[-1].sprt)
    assert statuses[0] is not None
    assert statuses[0].num_groups > 4
    assert statuses[0] == statuses[1]


def mostly(name: str) -> Play:
    """Games of which this bot wins three of four."""

    def win(task: GameTask) -> GameRecord:
        other = next(bot.name for bot in task.bots if bot.name != name)
        return won_by(name if task.seed % 4 else other)(task)

    return win


def test_a_test_that_is_resumed_ends_as_if_it_had_not_been_stopped(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={"elo1": 100}, num_groups=None, seed=4)
    whole, parts = (begin_ladder(store, name, test) for name in ("whole", "parts"))
    watched: list[Progress] = []

    def watch(progress: Progress) -> None:
        if progress.num_games == 7:
            signal.raise_signal(signal.SIGINT)

    run_ladder(parts, FakeExecutor(mostly("a"), any_of()), watch=watch)
    for ladder in (whole, parts):
        run_ladder(ladder, FakeExecutor(mostly("a")), watch=watched.append)
    assert watched[-1].sprt == read_summary(whole).test[-1]


def test_a_test_does_not_go_on_without_a_game(store: Store) -> None:
    ladder = begin_ladder(store, "hole", plan(bots=["a=random", "b=random"], sprt={}))
    with pytest.raises(LadderError, match="the test can't continue without game"):
        run_ladder(ladder, FakeExecutor(breaking(MAX_ATTEMPTS, play, only="0000001")))
    assert ladder.state is LadderState.STOPPED


def test_a_test_without_a_verdict_ends_with_its_groups(store: Store) -> None:
    test = plan(bots=["a=random", "b=random"], sprt={}, num_groups=3)
    ending = run_ladder(begin_ladder(store, "short", test), FakeExecutor())
    assert ending == Ending(LadderState.FINISHED, "all games are played")


def test_no_ladder_but_a_test_has_a_status(store: Store) -> None:
    watched: list[Progress] = []
    run_ladder(begin_ladder(store, "plain", plan()), FakeExecutor(), watch=watched.append)
    assert watched[-1].sprt is None
