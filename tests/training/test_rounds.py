"""Whole trainings: to a net that wins, resumed, and with any number of processes."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from kingmaker.cext.errors import InputError
from kingmaker.cext.net import Net
from kingmaker.training import plan as plan_module
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.rounds import Progress, Report, Training
from kingmaker.training.tasks import workers

PLAN = TrainingPlan("tic_tac_toe", games=900, gate_groups=120, epochs=4, batch=256, rate=0.01)
NET = "tic_tac_toe-2.npz"


def trained(
    plan: TrainingPlan, folder: Path, rounds: int = 1, num_workers: int = 1
) -> list[Report]:
    reports: list[Report] = []
    with workers(num_workers) as running:
        Training(plan, folder, running).run(rounds, reports.append)
    return reports


def weights_of(path: Path) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in Net.load(path).weights.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train two rounds to the end."""
    folder = tmp_path_factory.mktemp("training")
    trained(PLAN, folder, rounds=2)
    return folder


def test_the_net_beats_the_evaluation_that_taught_it(folder: Path) -> None:
    first, second = (Report.read(folder / f"round-{number}" / "report.json") for number in (1, 2))
    assert first.is_accepted
    assert first.gate.rival == "Game.evaluate"
    assert first.gate.share > 0.55
    assert first.gate.groups == 120
    assert first.losses.value < first.losses.heuristic
    assert first.losses.policy is not None
    assert second.losses.policy is not None
    assert 0 < second.losses.policy < first.losses.policy
    assert (first.games, second.games) == (900, 1800)
    assert second.gate.rival == "round 1"


def test_the_card_says_how_the_net_was_made(folder: Path) -> None:
    card = Net.load(folder / NET).card
    assert (card["game"], card["seats"], card["options"]) == ("tic_tac_toe", 2, {})
    assert card["data"]["games"] >= 900
    assert card["data"]["positions"] > card["data"]["games"]
    assert card["plan"]["games"] == 900
    assert card["losses"]["value"] < card["losses"]["heuristic"]
    assert "Game.evaluate" in [each["rival"] for each in card["strength"]]
    assert {"seed", "commit", "version", "round", "features"} <= card.keys()


def test_the_net_fits_its_game_and_is_small(folder: Path) -> None:
    net = Net.load(folder / NET)
    net.check_fits(PLAN.new_game())
    assert net.num_actions == 9
    assert (folder / NET).stat().st_size < 20_000


@pytest.mark.slow
def test_one_or_two_processes_give_the_same_net(folder: Path, tmp_path: Path) -> None:
    trained(PLAN, tmp_path, num_workers=2)
    for name in ("games-00000.npz", "games-00004.npz", "report.json"):
        ours, theirs = tmp_path / "round-1" / name, folder / "round-1" / name
        assert ours.read_bytes() == theirs.read_bytes()
    assert weights_of(tmp_path / "round-1/net.npz") == weights_of(folder / "round-1/net.npz")


class Stopped(Exception):
    pass


@pytest.mark.parametrize("stage", ["self-play", "fit", "groups"])
def test_a_stopped_training_goes_on_to_the_same_net(
    stage: str, folder: Path, tmp_path: Path
) -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> None:
        seen.append(progress)
        if stage in progress.stage and progress.done > 0:
            raise Stopped

    with pytest.raises(Stopped), workers(1) as running:
        Training(PLAN, tmp_path, running, stop).run(1)
    assert not (tmp_path / "round-1/report.json").exists()
    stored = sorted((tmp_path / "round-1").glob("games-*.npz"))
    times = [path.stat().st_mtime_ns for path in stored]
    assert stored
    trained(PLAN, tmp_path)
    assert [path.stat().st_mtime_ns for path in stored] == times
    assert weights_of(tmp_path / NET) == weights_of(folder / "round-1/net.npz")


@pytest.mark.slow
def test_a_killed_training_goes_on_to_the_same_net(folder: Path, tmp_path: Path) -> None:
    command = [
        *(sys.executable, "-c", "from kingmaker.cli import main; main()", "train", PLAN.game),
        *("--games", "2000", "--gate", "50", "--rounds", "1", "--workers", "2"),
    ]

    def run(name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*command, "--out", name],
            cwd=tmp_path,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )

    killed = run("killed")
    deadline = time.monotonic() + 60
    while not list((tmp_path / "killed").glob("round-1/games-*.npz")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not (tmp_path / "killed/round-1/report.json").exists()
    for name in ("killed", "whole"):
        assert run(name).wait(timeout=90) == 0
    for name in ("report.json", "games-00009.npz"):
        killed_file, whole_file = (
            tmp_path / each / "round-1" / name for each in ("killed", "whole")
        )
        assert killed_file.read_bytes() == whole_file.read_bytes()
    assert (tmp_path / "killed" / NET).read_bytes() == (tmp_path / "whole" / NET).read_bytes()


def test_finished_rounds_are_not_repeated(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    assert len(trained(PLAN, folder, rounds=2)) == 2
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_folder_of_other_settings_is_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="was begun with games 900, not 901"):
        trained(replace(PLAN, games=901), folder)


@pytest.mark.parametrize(
    ("name", "value"),
    [("games", 1), ("worlds", 0), ("epsilon", 1.5), ("share", 0), ("hidden1", 257), ("mix", -1)],
)
def test_settings_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"{name} is {value}; it must be"):
        replace(PLAN, **{name: value})  # type: ignore[arg-type]


def test_a_game_without_features_is_refused(
    drawn_card: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = SimpleNamespace(game=drawn_card.NoFeatures())
    monkeypatch.setattr(plan_module, "new_game", lambda name, options: start)
    with pytest.raises(InputError, match="drawn_card has no features to learn from"):
        TrainingPlan("drawn_card")


def test_too_few_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="10 games are too few"):
        trained(replace(PLAN, games=10), tmp_path)
