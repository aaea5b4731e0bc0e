"""A race finds the best of many bots with the error that it states, in few games."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

from kingmaker.benchmarks.best import FIELDS, Field, race_of
from kingmaker.cext.errors import InputError
from kingmaker.ladder.coordinator import begin_ladder, run_ladder
from kingmaker.ladder.model import Cause, GameRecord, GameTask
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.race import Race
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Store
from kingmaker.ladder.summary import read_summary, to_json

from .fake_executor import FakeExecutor, any_of

STRENGTHS = {"weak": 0.2, "fair": 1.0, "good": 1.2, "best": 5.0}


def plan_of(**values: object) -> LadderPlan:
    bots = [f"{name}=random" for name in STRENGTHS]
    given = {"game": "kuhn_poker", "bots": bots, "best": {"margin": 100, "error": 0.05}}
    return LadderPlan.of(**(given | values))


def by_strength(task: GameTask) -> GameRecord:
    """A game that is won by chance, the more often the stronger the bot."""
    chances = [STRENGTHS[bot.name] for bot in task.bots]
    winner = random.Random(task.id).choices(range(len(chances)), chances)[0]
    returns = tuple(float(seat == winner) for seat in range(len(chances)))
    zeros = (0.0,) * len(chances)
    return GameRecord(
        task, (), "", returns, Cause.FINISHED, 0, "", zeros, 0.0, "2026-01-02T03:04:05Z"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one far ahead", "spread"])
def test_the_pick_is_within_the_margin_of_the_best(name: str) -> None:
    field = FIELDS[name]
    races = [race_of(field, seed) for seed in range(3)]
    assert sum(race.lost_elo > field.margin for race in races) == 0
    assert all(race.lost_elo <= race.deficit for race in races)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("error", [0.05, 0.2])
def test_picks_are_wrong_no_more_often_than_stated(error: float) -> None:
    field = Field((0, 0, 0, 0, 35), draws=0.3, margin=30)
    wrong = [race_of(field, seed, error=error).lost_elo > 30 for seed in range(60)]
    assert np.mean(wrong) <= error + 0.04


def test_the_bound_holds_at_all_times_at_once() -> None:
    num_broken = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        race = Race(["a", "b"], margin=1, error=0.1, seed=seed)
        for share in rng.choice([0.25, 0.5, 1.0], p=[0.5, 0.3, 0.2], size=200):  # 0.475
            race.count(("a", "b"), float(share))
        # b is ahead, so a must not be found to be better, at any time.
        num_broken += "b" not in race.status().alive
    assert num_broken <= 3


def test_weak_bots_get_few_games() -> None:
    counts = race_of(FIELDS["spread"], 3).meetings
    assert counts["b5"] < counts["b0"] / 2


def test_equal_bots_are_settled_by_the_margin() -> None:
    race = race_of(Field((0, 0, 0), draws=0.5, margin=80), 1)
    assert 0 < race.deficit <= 80


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"best": {"margin": 0}}, "margin 0"),
        ({"best": {"error": 0.5}}, "error 0.5"),
        ({"pairing": "gauntlet"}, "its own pairing"),
        ({"sprt": {}}, "two bots"),
    ],
)
def test_a_race_that_makes_no_sense_is_refused(values: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan_of(**values)


@pytest.mark.slow
def test_a_ladder_ends_with_the_pick_whatever_the_order_of_results(tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = begin_ladder(store, "spring", plan_of())
        ending = run_ladder(ladder, FakeExecutor(by_strength, choose=any_of(), capacity=9))
        assert (ending.state, ending.reason) == (LadderState.FINISHED, "the best is best")
        summary = read_summary(ladder)
    assert summary.race is not None
    assert (summary.race.pick, summary.race.is_decided) == ("best", True)
    assert summary.race.deficit <= 100
    assert summary.num_groups == summary.race.num_groups
    assert '"pick": "best"' in to_json(summary)


@pytest.mark.slow
def test_a_stopped_race_goes_on_where_it_was(tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = begin_ladder(store, "spring", plan_of())
        executor = FakeExecutor(by_strength, capacity=3)

        def halt(progress: object) -> None:
            if len(executor.played) == 11:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run_ladder(ladder, executor, watch=halt)
        before = ladder.finished()
        rest = FakeExecutor(by_strength, capacity=5)
        assert run_ladder(ladder, rest).reason == "the best is best"
        assert not before & {task.id for task in rest.played}
        assert read_summary(ladder).race is not None


def test_a_race_that_runs_out_of_groups_tells_who_leads(tmp_path: Path) -> None:
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = begin_ladder(store, "short", plan_of(num_groups=3))
        assert run_ladder(ladder, FakeExecutor(by_strength)).reason == "all games are played"
        race = read_summary(ladder).race
    assert race is not None
    assert not race.is_decided
    assert race.deficit > 100
    assert set(race.alive) == set(STRENGTHS)


def test_bots_at_tables_of_four_share_the_seats() -> None:
    race = Race(list("abcde"), 4, seed=1)
    for index in range(20):
        bots = race.group(index).bots
        assert sorted(map(bots.count, set(bots))) == [2, 2]
    race.finish(bots, 0.9)
    race.count(bots, 0.9)
    assert race.status().pick == bots[0]
    assert math.isfinite(race.status().num_groups)
