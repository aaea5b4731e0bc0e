"""`kingmaker train` as a user runs it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from filelock import FileLock
from typer.testing import CliRunner, Result

from kingmaker.cext.net import Net
from kingmaker.cli.app import app

SMALL = ("--games", "600", "--gate", "60", "--rounds", "1", "--workers", "1")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def train(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["train", *arguments])


def test_a_net_is_trained_into_the_folder_of_its_game(folder: Path) -> None:
    done = train("tic_tac_toe", *SMALL)
    assert done.exit_code == 0, done.stderr
    assert "round 1, games of self-play: 0/600" in done.stderr
    assert done.stderr.splitlines()[-1] == "tic_tac_toe-2/tic_tac_toe-2.npz"
    head, row = done.stdout.splitlines()
    assert head.split()[:3] == ["round", "games", "positions"]
    assert row.split()[:2] == ["1", "600"]
    assert row.split()[-1] == "yes"
    assert Net.load(folder / "tic_tac_toe-2/tic_tac_toe-2.npz").num_actions == 9


def test_rounds_are_reported_as_json(folder: Path) -> None:
    done = train("tic_tac_toe", *SMALL, "--no-policy", "--out", "here", "--json")
    (report,) = json.loads(done.stdout)
    assert report["games"] == 600
    assert report["losses"]["policy"] is None
    assert report["gate"]["groups"] == 60
    assert report["is_accepted"]
    net = Net.load(folder / "here/tic_tac_toe-2.npz")
    assert (net.num_actions, net.card["losses"]["policy"]) == (0, None)
    again = train("tic_tac_toe", *SMALL, "--no-policy", "--out", "here")  # reads the report
    head, row = (re.split(r"  +", line) for line in again.stdout.splitlines())
    assert row[head.index("policy loss")] == "-"


def test_without_a_better_net_the_command_fails(folder: Path) -> None:
    """The one net that plays even worse is one that has hardly seen a game."""
    few = ("--games", "20", "--gate", "60", "--rounds", "1", "--workers", "1")
    done = train("leduc_poker", *few)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == (
        "error: no net was better than the game's own evaluation"
    )
    assert done.stdout.splitlines()[1].split()[-1] == "no"
    assert not list(folder.glob("leduc_poker-2/*.npz"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("none",), "there is no game 'none'"),
        (("tic_tac_toe", "--option", "size=4"), "size"),
        (("tic_tac_toe", "--games", "1"), "games is 1; it must be 2 to"),
        (("tic_tac_toe", "--games", "10", "--workers", "1"), "10 games are too few"),
    ],
)
def test_wrong_arguments_are_refused(arguments: tuple[str, ...], words: str, folder: Path) -> None:
    done = train(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr


def test_other_settings_in_the_same_folder_are_refused(folder: Path) -> None:
    train("tic_tac_toe", *SMALL)
    done = train("tic_tac_toe", *SMALL, "--seed", "7")
    assert done.exit_code == 2
    assert "tic_tac_toe-2 was begun with seed 0, not 7" in done.stderr


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("plan.json", "{", "it is not JSON"),
        ("plan.json", "[]", "it is no JSON object"),
        ("round-1/report.json", "\0", "it is not JSON"),
        ("plan.json", "[" * 100_000, "it is not JSON"),
        ("round-1/report.json", '{"losses": 1}', "it is no report of a round"),
    ],
)
def test_a_broken_file_of_the_folder_is_named(
    name: str, text: str, reason: str, folder: Path
) -> None:
    path = Path("here") / name
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_text(text)
    done = train("tic_tac_toe", *SMALL, "--out", "here")
    assert done.exit_code == 2
    assert done.stderr == (
        f"error: {path} can't be read: {reason}; restore or delete it, or choose another folder\n"
    )


def test_a_folder_in_which_another_process_trains_is_refused(folder: Path) -> None:
    (folder / "here").mkdir()
    with FileLock(folder / "here/training.lock"):
        done = train("tic_tac_toe", *SMALL, "--out", "here")
    assert done.exit_code == 2
    assert done.stderr == (
        "error: another process trains in here; wait for its end, or choose another folder\n"
    )
    assert not list(folder.glob("here/round-*"))
    assert train("tic_tac_toe", *SMALL, "--out", "here").exit_code == 0
