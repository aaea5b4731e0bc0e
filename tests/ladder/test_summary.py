"""The numbers of a report are those of the stored games."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kingmaker.cext.games import GAMES as GAMES_BY_NAME
from kingmaker.ladder import summary as summaries
from kingmaker.ladder.model import Cause
from kingmaker.ladder.openings import has_chance
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.ratings import rate
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.results import Result, mirrored_groups
from kingmaker.ladder.store import GameSummary, Store
from kingmaker.ladder.summary import Summary, read_summary, summarize, to_json
from kingmaker.search.position import new_game
from kingmaker.tasks.model import RunReport

from .samples import sample_record
from .simulated import crashed, simulated_games, simulated_plan

PLAN = simulated_plan()
GAMES = simulated_games(PLAN)


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "CHECKPOINT_RESAMPLES", 2)


def summary_of(
    games: list[GameSummary], plan: LadderPlan = PLAN, reports: tuple[RunReport, ...] = ()
) -> Summary:
    return summarize("spring", LadderState.STOPPED, plan, games, reports, num_resamples=20)


def as_json(summary: Summary) -> dict[str, Any]:
    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    found: dict[str, Any] = json.loads(to_json(summary), parse_constant=refuse)
    return found


def test_the_standings_are_those_of_the_fit_over_complete_groups() -> None:
    groups = mirrored_groups(
        Result(game.task.group, tuple(bot.name for bot in game.task.bots), game.returns)
        for game in GAMES[:-1]
    )
    found = summary_of(GAMES[:-1])
    assert found.standings == rate(groups, anchor="b0", num_resamples=20)
    assert (found.num_games, found.num_groups, found.total_games) == (59, 29, 60)


def test_the_order_of_arrival_changes_the_history_alone() -> None:
    shuffled = random.Random(1).sample(GAMES, len(GAMES))
    first, second = summary_of(GAMES), summary_of(shuffled)
    assert first.history != second.history
    assert replace(first, history=()) == replace(second, history=())


def test_the_history_grows_to_all_groups_and_ends_at_the_standings() -> None:
    found = summary_of(GAMES)
    numbers = [point.num_groups for point in found.history]
    assert numbers == sorted(set(numbers))
    assert numbers[-1] == found.num_groups == 30
    assert [each.elo for each in found.history[-1].ratings] == [
        each.elo for each in found.standings.ratings
    ]


def test_the_history_begins_when_all_bots_have_a_group() -> None:
    late = sorted(GAMES, key=lambda game: "b2" in [bot.name for bot in game.task.bots])
    names = [sorted(each.bot for each in point.ratings) for point in summary_of(late).history]
    assert names == [["b0", "b1", "b2"]] * len(names)


def test_an_anchor_that_has_not_played_yet_is_none() -> None:
    others = [game for game in GAMES if "b0" not in [bot.name for bot in game.task.bots]]
    assert summary_of(GAMES).anchor == "b0"
    assert summary_of(others).anchor == ""


def test_faults_are_reported_of_who_made_them_the_last_first() -> None:
    games = [crashed(GAMES[0], 1), replace(crashed(GAMES[1], 2), cause=Cause.TIMED_OUT), *GAMES[2:]]
    culprits = [games[0].task.bots[0].name, games[1].task.bots[1].name]
    found = summary_of(games)
    assert [(each.bot, each.cause) for each in found.faults] == [
        (culprits[1], Cause.TIMED_OUT),
        (culprits[0], Cause.CRASHED),
    ]
    assert found.causes == {"finished": 58, "crashed": 1, "timed_out": 1}
    assert sum(sum(bot.faults.values()) for bot in found.bots.values()) == 2
    assert found.bots[culprits[0]].faults["crashed"] == 1


def test_lengths_are_those_of_games_that_ended_by_the_rules() -> None:
    games = [
        *(replace(game, num_plies=plies) for game, plies in zip(GAMES, (4, 5, 5, 9), strict=False)),
        replace(crashed(GAMES[4], 1), num_plies=100),
    ]
    lengths = summary_of(games).lengths
    assert (lengths.mean, lengths.median) == (5.75, 5.0)
    assert sum(count for _, count in lengths.bins) == 4
    assert lengths.bins[0][0] == 4
    assert lengths.bins[-1][0] <= 9 < lengths.bins[-1][0] + lengths.bin_width


def test_games_of_one_length_are_one_bin() -> None:
    games = [replace(game, num_plies=7) for game in GAMES]
    assert (7, 60) in summary_of(games).lengths.bins


def test_times_tell_thinking_from_overhead() -> None:
    found = summary_of(GAMES)
    assert (found.thinking_ms, found.wall_ms) == (60 * 18.0, 60 * 20.0)
    assert found.overhead == pytest.approx(0.1)
    assert found.bots["b1"].thinking_ms == 9.0


def test_each_bot_has_its_share_by_seat() -> None:
    found = summary_of(GAMES)
    won = [game for game in GAMES if game.task.bots[0].name == "b2"]
    assert found.bots["b2"].seats[0] == sum(game.returns[0] for game in won) / len(won)


def test_run_reports_are_counted_by_kind() -> None:
    lost = RunReport("id", "worker_lost", "killed", "2026-01-02T03:04:05+00:00")
    assert summary_of(GAMES, reports=(lost, lost)).run_reports == {"worker_lost": 2}


UNDECIDED = {"elo0": 0, "elo1": 100, "alpha": 1e-9, "beta": 1e-9}
"""A test that needs more groups than there are here."""


def test_the_test_is_followed_up_to_the_first_group_that_is_missing() -> None:
    plan = simulated_plan(2, sprt=UNDECIDED)
    games = simulated_games(plan)
    assert [status.num_groups for status in summary_of(games, plan).test] == [*range(1, 31)]
    gap = games[:8] + games[9:]
    assert [status.num_groups for status in summary_of(gap, plan).test] == [1, 2, 3, 4]


def test_games_in_play_at_the_verdict_do_not_count() -> None:
    plan = simulated_plan(2, sprt={"elo0": 0, "elo1": 100})
    games = simulated_games(plan)
    found = summary_of(games, plan)
    assert found.test[-1].verdict
    num_decided = len(found.test)
    assert num_decided < 30
    assert (found.num_groups, found.num_games) == (num_decided, 2 * num_decided)
    late = games[: 2 * num_decided + 3]
    assert summary_of(late, plan).test == found.test
    assert summary_of(late, plan).standings == found.standings


def test_the_json_holds_what_readers_look_for() -> None:
    plan = simulated_plan(2, sprt=UNDECIDED)
    found = as_json(summary_of(simulated_games(plan), plan))
    assert found["state"] == "stopped"
    assert [each["bot"] for each in found["standings"]["ratings"]] == ["b1", "b0"]
    assert {"saved", "games_worth"} <= found["variance"].keys()
    assert len(found["test"]["llrs"]) == found["test"]["num_groups"] == 30
    [first, _] = found["cross"]
    assert (first["bot"], first["other"], first["games"]) == ("b0", "b1", 60)


@pytest.mark.parametrize("num_games", [0, 1, 2])
def test_a_ladder_that_has_just_begun_has_a_summary(num_games: int) -> None:
    found = as_json(summary_of(GAMES[:num_games]))
    assert (found["num_games"], found["num_groups"]) == (num_games, num_games // 2)
    assert found["variance"]["saved"] is None
    assert found["test"] is None


def test_a_stored_ladder_is_read_with_its_plan(tmp_path: Path) -> None:
    bots = ["careful=ismcts:time=100ms,threads=1", "hasty=random"]
    plan = LadderPlan.of(game="leduc_poker", bots=bots, clock={"move_ms": 50}, anchor="hasty")
    with Store(str(tmp_path / "ladder.sqlite")) as store:
        ladder = store.create_ladder("spring", plan.to_json())
        ladder.add_all([sample_record(index) for index in range(4)])
        found = read_summary(ladder)
    assert (found.num_games, found.num_groups) == (4, 2)
    assert (found.state, found.clock, found.anchor) == ("running", "50 ms a move", "hasty")


def test_games_without_chance_have_no_deals() -> None:
    has = {name: has_chance(new_game(name).game) for name in GAMES_BY_NAME}
    assert {name for name, each in has.items() if not each} == {"tic_tac_toe", "connect_four"}


def test_a_summary_has_all_that_is_needed_to_repeat_it() -> None:
    found = as_json(summarize("spring", LadderState.FINISHED, PLAN, GAMES, num_resamples=2))
    assert found["plan"] == PLAN.to_json()
    assert "seed" not in summary_of(GAMES).plan  # games may still be played
    assert found["made_by"].keys() == {"kingmaker", "python", "system", "machine", "processors"}
