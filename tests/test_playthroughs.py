"""Golden playthroughs: the engine still shows every ply of a stored game as it did.

tests/playthroughs/regenerate.py writes the files; a game without one fails.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kingmaker.cext.games import GAMES
from tests.playthroughs.regenerate import FOLDER, options_of, path_of, transcript
from tests.reference import REFERENCES

ROOT = Path(__file__).parents[1]
PLAYTHROUGHS = [(name, options) for name in GAMES for options in options_of(name)]
each_playthrough = pytest.mark.parametrize(
    ("name", "options"), PLAYTHROUGHS, ids=[path_of(*each).stem for each in PLAYTHROUGHS]
)


def moves_in(path: Path) -> list[str]:
    lines = path.read_text().splitlines()
    return [token for line in lines if line.startswith("do ") for token in line.split(" ")[1:]]


@each_playthrough
def test_a_stored_game_is_replayed_line_by_line(name: str, options: dict[str, str]) -> None:
    path = path_of(name, options)
    assert path.exists(), f"{name} has no playthrough; run tests/playthroughs/regenerate.py"
    replayed = transcript(name, options, moves_in(path))
    assert replayed == path.read_text().splitlines()


@each_playthrough
def test_a_stored_game_is_legal_and_over_for_the_reference(
    name: str, options: dict[str, str]
) -> None:
    reference = REFERENCES[name].new(options)
    for token in moves_in(path_of(name, options)):
        reference = reference.apply(token)
    assert reference.node() == "end"


def test_there_is_no_playthrough_without_a_game() -> None:
    assert {*FOLDER.glob("*.txt")} == {path_of(*playthrough) for playthrough in PLAYTHROUGHS}


@pytest.mark.parametrize("module", ["tests.playthroughs.regenerate", "tests.refusals.regenerate"])
def test_a_misspelt_game_is_named_with_the_right_ones(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module, "hart"], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: there is no game 'hart'; games are ")
    assert "hearts" in done.stderr
