"""A tuning finds the better settings, says how much better they are, and can be resumed."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.executors import Outcome
from kingmaker.ladder.model import Cause, GameRecord, GameTask
from kingmaker.ladder.play import play
from kingmaker.ladder.specs import parse_spec
from kingmaker.ladder.store import Store
from kingmaker.ladder.tuning import Trial, Tuned, TunePlan, parse_space, propose, tune

from .fake_executor import FakeExecutor

SPACE = "ismcts:simulations=5,exploration=0.1..4.0,max_depth=0..20,playout=policy|uniform"


def plan_of(num_games: int = 800, seed: int = 1) -> TunePlan:
    return TunePlan(parse_space(SPACE), num_games, {"game": "kuhn_poker"}, seed)


def strength(spec: str) -> float:
    """Best with exploration 2, depth 10 and uniform playouts; Elo / 400."""
    options = dict(parse_spec(spec).options)
    if not options:
        return -0.5
    exploration, depth = float(options["exploration"]), int(options["max_depth"])
    bonus = 0.3 if options["playout"] == "uniform" else 0.0
    return bonus - abs(exploration - 2) / 2 - abs(depth - 10) / 20


def synthetic(task: GameTask) -> GameRecord:
    """A game that is won by chance, the more often the better the settings."""
    chances = [10 ** strength(bot.spec) for bot in task.bots]
    winner = random.Random(task.id).choices((0, 1), chances)[0]
    returns = tuple(float(seat == winner) for seat in (0, 1))
    return GameRecord(
        task, (), "", returns, Cause.FINISHED, 0, "", (0.0, 0.0), 0.0, "2026-01-02T03:04:05Z"
    )


class Batch(FakeExecutor):
    """Plays all games that wait before it returns them."""

    def completed(self, timeout_seconds: float) -> list[Outcome]:
        outcomes = []
        while self.waiting:
            outcomes += super().completed(timeout_seconds)
        return outcomes


def tuned(folder: Path, plan: TunePlan, executor: FakeExecutor | None = None) -> Tuned:
    with Store(str(folder / "ladder.sqlite")) as store:
        found = tune(store, "tuning", plan, executor or Batch(synthetic, capacity=64))
    assert found is not None
    return found


def test_a_space_has_ranges_words_and_fixed_settings() -> None:
    space = parse_space(SPACE)
    assert space.fixed == {"simulations": "5"}
    assert space.ranges == {
        "exploration": (0.1, 4.0),
        "max_depth": (0, 20),
        "playout": ("policy", "uniform"),
    }
    assert space.spec({}) == "ismcts:simulations=5"
    assert space.spec({"exploration": 0.5}) == "ismcts:simulations=5,exploration=0.5"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ismcts:exploration=1", "nothing to tune"),
        ("ismcts:exploration=2..1", "not a range"),
        ("ismcts:exploration=a..b", "not a range"),
        ("ismcts:playout=policy|policy", "different words"),
        ("ismcts:exploration=1..2,exploration=1..3", "given twice"),
        ("nonsense:exploration=1..2", "no engine"),
    ],
)
def test_a_space_that_makes_no_sense_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_space(text)


def test_proposals_follow_the_results_and_the_seed() -> None:
    space = parse_space("ismcts:exploration=0.0..10.0")
    trials = [
        Trial(f"v{place}", {"exploration": place / 4}, "", 1 - abs(place / 4 - 8) / 10, 10)
        for place in range(40)
    ]
    found = propose(space, trials, 12, 5, 40)
    assert found == propose(space, trials, 12, 5, 40)
    assert found != propose(space, trials, 12, 6, 40)
    near = [values for values in found if abs(values["exploration"] - 8) < 1.5]
    assert len(near) >= 9


@pytest.mark.slow
def test_better_settings_are_found_and_confirmed(tmp_path: Path) -> None:
    found = tuned(tmp_path, plan_of())
    assert found.pick is not None
    assert strength(found.pick.spec) > -0.2
    assert found.low < found.elo < found.high
    assert found.low > 0
    assert found.num_games <= 800
    assert len(found.trials) == math.isqrt(200)


def test_a_tuning_that_was_stopped_continues_as_if_it_had_not_been(tmp_path: Path) -> None:
    for folder in ("whole", "parts"):
        (tmp_path / folder).mkdir()
    whole = tuned(tmp_path / "whole", plan_of(120))
    executor = Batch(synthetic, capacity=7)

    def halt(progress: object) -> None:
        if len(executor.played) >= 37:
            raise KeyboardInterrupt

    with Store(str(tmp_path / "parts" / "ladder.sqlite")) as store:
        with pytest.raises(KeyboardInterrupt):
            tune(store, "tuning", plan_of(120), executor, watch=halt)
        names = [ladder.name for ladder in store.ladders()]
    rest = Batch(synthetic, capacity=64)
    assert tuned(tmp_path / "parts", plan_of(120), rest).trials == whole.trials
    assert len(names) > 1
    assert not {task.id for task in executor.played} & {task.id for task in rest.played}


def test_real_games_can_be_tuned(tmp_path: Path) -> None:
    space = parse_space("ismcts:simulations=3,exploration=0.0..3.0,playout_plies=0..4")
    plan = TunePlan(space, 80, {"game": "tic_tac_toe"})
    found = tuned(tmp_path, plan, Batch(play, capacity=64))
    assert {trial.groups for trial in found.trials} == {5}
    assert 40 <= found.num_games <= 80


def test_another_plan_under_the_same_name_is_refused(tmp_path: Path) -> None:
    tuned(tmp_path, plan_of(80))
    with pytest.raises(InputError, match="another plan"):
        tuned(tmp_path, plan_of(80, seed=2))


def test_a_budget_that_is_too_small_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="games is 50; it must be at least 80"):
        tuned(tmp_path, plan_of(50))
