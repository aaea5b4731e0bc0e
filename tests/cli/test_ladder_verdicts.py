"""Verdicts of `kingmaker ladder`: tests, races, tunings, and the variance that mirrors save."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from kingmaker.cli import ladder_tables as tables
from kingmaker.cli.app import app
from kingmaker.ladder.tuning import Trial, Tuned
from kingmaker.ladder.variance import VarianceSaved


@pytest.mark.parametrize(
    ("bots", "groups", "code", "verdict"),
    [
        (("good", "bad"), 100, 0, "elo1 accepted"),
        pytest.param(("bad", "good"), 100, 1, "elo0 accepted", marks=pytest.mark.slow),
        (("good", "bad"), 1, 3, "LLR"),
    ],
)
def test_the_exit_code_of_a_test_is_its_verdict(
    bots: tuple[str, str], groups: int, code: int, verdict: str, tmp_path: Path
) -> None:
    specs = {"good": "good=mcts:simulations=60", "bad": "bad=random"}
    done = CliRunner().invoke(
        app,
        [
            *("ladder", "run", "x", "--game", "tic_tac_toe", "--workers", "1", "--report", ""),
            *("--bot", specs[bots[0]], "--bot", specs[bots[1]], "--sprt", "0,200"),
            *("--groups", str(groups), "--database", str(tmp_path / "ladder.sqlite")),
        ],
    )
    assert done.exit_code == code, done.output
    assert verdict in done.stdout
    hypotheses = f"elo0: {bots[0]} is 0 Elo better than {bots[1]}; elo1: 200; alpha 0.05, beta 0.05"
    assert hypotheses in done.stdout


@pytest.mark.parametrize(
    ("groups", "code", "words"),
    [
        pytest.param("1000", 0, "good is the pick after", marks=pytest.mark.slow),
        ("2", 3, "leads after 2 groups; not worse for certain:"),
    ],
)
def test_the_exit_code_of_a_race_tells_whether_it_has_a_pick(
    groups: str, code: int, words: str, tmp_path: Path
) -> None:
    bots = ("good=mcts:simulations=100", "bad=random", "worse=random")
    done = CliRunner().invoke(
        app,
        [
            *("ladder", "best", "x", "--game", "tic_tac_toe", "--workers", "1", "--report", ""),
            *(part for bot in bots for part in ("--bot", bot)),
            *("--margin", "150", "--groups", groups),
            *("--database", str(tmp_path / "ladder.sqlite")),
        ],
    )
    assert done.exit_code == code, done.output
    assert words in done.stdout
    assert "confidence 95.0 %" in done.stdout


TUNE = ("ladder", "tune", "try", "--game", "tic_tac_toe", "--games", "300")


@pytest.mark.slow
def test_a_tuning_is_ladders_and_the_same_command_continues_it(tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "ladder.sqlite"))
    spec = "mcts:simulations=60,exploration=0.2..0.9,playout=policy|uniform"
    done = CliRunner().invoke(app, [*TUNE, "--spec", spec, *database])
    assert done.exit_code in (0, 3), done.output
    assert "mcts:simulations=60,exploration=0." in done.stdout
    listed = CliRunner().invoke(app, ["ladder", "status", *database]).stdout
    assert {"try.1", "try.2", "try.best"} <= set(listed.split())
    again = CliRunner().invoke(app, [*TUNE, "--spec", spec, *database])
    assert (again.exit_code, again.stdout) == (done.exit_code, done.stdout)


def test_a_space_without_a_range_is_refused_in_a_line(tmp_path: Path) -> None:
    database = ("--database", str(tmp_path / "ladder.sqlite"))
    done = CliRunner().invoke(app, [*TUNE, "--spec", "mcts:simulations=60", *database])
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "has nothing to tune; write low..high" in done.stderr


def test_the_result_of_a_tuning_tells_variants_and_the_last_match() -> None:
    trial = Trial("v1", {"exploration": 2.0}, "ismcts:exploration=2", 0.6, 9)
    for pick, words in ((trial, "31 Elo over the default (5 to 60)"), (None, "nothing better")):
        console = Console(width=100, record=True, file=StringIO())
        console.print(tables.tuned(Tuned((trial,), pick, 31.0, 5.0, 60.0, 80)))
        text = console.export_text()
        assert "ismcts:exploration=2" in text
        assert "60.0 %" in text
        assert words in text


@pytest.mark.parametrize(
    ("mirrored", "error", "told"),
    [
        (0.15, 0.03, "variance reduced by 25.0 % ± 3.0"),
        (0.25, 0.03, "variance increased by 25.0 % ± 3.0"),
        (0.25, float("nan"), "too few groups to tell how much variance they save"),
    ],
)
def test_the_variance_saved_is_told_with_its_direction(
    mirrored: float, error: float, told: str
) -> None:
    assert tables.saved_words(VarianceSaved(0.2, 0.2, mirrored, 40, error)) == told
