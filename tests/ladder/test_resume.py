"""No finished game is lost or played again, whoever is killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kingmaker.ladder.coordinator import Ending, begin_ladder, run_ladder
from kingmaker.ladder.executors import Played, play_here, play_on_cluster
from kingmaker.ladder.model import GameTask
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.replay import replay
from kingmaker.ladder.store import Store
from kingmaker.tasks.cluster import DaskExecutor
from kingmaker.tasks.local import LocalExecutor

from .killed_ladder import PLAN, diary_of, open_ladder
from .toys import Toy, begun, ended, players, wait_until_dead

ROOT = Path(__file__).parents[2]
NUM_KILLS = 20
SMALL = LadderPlan.of(game="tic_tac_toe", bots=["a=random", "b=random"], num_groups=8, openings=0)

Start = Callable[[Any], "LocalExecutor[GameTask, Played] | DaskExecutor[GameTask, Played]"]


def games_of(plan: LadderPlan) -> list[GameTask]:
    """List all games of a plan."""
    assert plan.num_groups is not None
    schedule = plan.schedule()
    return [task for index in range(plan.num_groups) for task in plan.tasks(schedule.group(index))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("killed")


@pytest.fixture(scope="module")
def kills(folder: Path) -> list[dict[str, Any]]:
    """Kill a ladder again and again, and then play it to the end."""
    # Not -m: spawned workers would import that main module, too, which takes them twice as long.
    script = [sys.executable, "-c", "from tests.ladder.killed_ladder import main; main()"]
    done = subprocess.run(
        [*script, str(folder), str(NUM_KILLS), "7"],
        cwd=ROOT,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    kills: list[dict[str, Any]] = json.loads(done.stdout)
    return kills


@pytest.mark.slow
@pytest.mark.slow
def test_a_ladder_that_is_killed_again_and_again_loses_and_repeats_no_game(
    kills: list[dict[str, Any]],
) -> None:
    assert len(kills) == NUM_KILLS + 1
    assert len(kills[-2]["after"]) > 0
    assert Counter(kills[-1]["after"]) == Counter(task.id for task in games_of(PLAN))
    for kill in kills:
        assert len(kill["after"]) >= kill["reported"]
        assert kill["after"][: len(kill["before"])] == kill["before"]


@pytest.mark.slow
def test_a_stored_game_is_not_played_again_after_a_kill(
    folder: Path, kills: list[dict[str, Any]]
) -> None:
    num_begun = 0
    for number, kill in enumerate(kills):
        games = begun(diary_of(folder, number))
        num_begun += games.total()
        assert games.keys().isdisjoint(kill["before"])
    assert num_begun >= len(kills[-1]["after"])


@pytest.mark.slow
def test_the_workers_of_a_killed_ladder_end(folder: Path, kills: list[dict[str, Any]]) -> None:
    processes = {
        process for number in range(len(kills)) for process in players(diary_of(folder, number))
    }
    assert len(processes) >= NUM_KILLS // 2
    assert wait_until_dead(processes)


@pytest.mark.slow
def test_the_games_of_a_killed_ladder_replay(folder: Path, kills: list[dict[str, Any]]) -> None:
    with Store(str(folder / "ladder.sqlite")) as store:
        ladder = open_ladder(store)
        assert ladder.state is LadderState.FINISHED
        for record in ladder.records():
            assert replay(record).text == record.end


def local(toy: Toy) -> LocalExecutor[GameTask, Played]:
    return play_here(2, play=toy)


def cluster(toy: Toy) -> DaskExecutor[GameTask, Played]:
    pytest.importorskip("distributed")
    return play_on_cluster(num_workers=2, play=toy)


@pytest.mark.slow
@pytest.mark.parametrize("start", [local, cluster])
def test_a_worker_that_is_killed_in_mid_game_loses_and_repeats_no_other_game(
    tmp_path: Path, start: Start
) -> None:
    games = games_of(SMALL)
    diary = tmp_path / "diary"
    with (
        Store(str(tmp_path / "ladder.sqlite")) as store,
        start(Toy(diary, seconds=0.01, breaking=games[5].id)) as executor,
    ):
        ladder = begin_ladder(store, "spring", SMALL)
        ending = run_ladder(ladder, executor)
        assert ending == Ending(LadderState.FINISHED, "all games are played")
        assert Counter(record.task.id for record in ladder.records()) == ended(diary)
    assert ended(diary) == Counter(task.id for task in games)
    assert begun(diary) == ended(diary) + Counter([games[5].id])
    assert len(players(diary)) >= 2
