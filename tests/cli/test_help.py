"""Help for who types: rules, words that were probably meant, completion; and a quick start."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kingmaker.cli.app import app
from kingmaker.search.games import game_types
from kingmaker.search.registry import ENGINES

ROOT = Path(__file__).parents[2]
START = ("--seed", "1", "--budget-ms", "5", "--level", "1")


def played(game: str, typed: str, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["play", game, *START, *arguments], input=typed)
    assert done.exit_code == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("code_of_chivalry", "Draw two cards (one in the very first turn)"),
        ("tic_tac_toe", "Put your mark on an empty square"),
    ],
)
def test_rules_are_shown_in_the_game(game: str, words: str) -> None:
    shown = " ".join(played(game, "Rules\nquit\n").split())
    assert words in shown
    assert "**" not in shown
    events = [json.loads(line) for line in played(game, "rules\nquit\n", "--json").splitlines()]
    [page] = [event["markdown"] for event in events if event["event"] == "rules"]
    assert page.startswith("# ")


def test_a_game_without_a_page_for_players_shows_its_rules(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = {"kingmaker.play": tmp_path, "kingmaker.rules": ROOT / "docs" / "rules"}
    monkeypatch.setattr("kingmaker.search.rules_pages.files", found.__getitem__)
    shown = " ".join(played("tic_tac_toe", "rules\nquit\n").split())
    assert "As soon as a side has a line the game is over" in shown


def test_every_game_has_rules_to_show() -> None:
    for game in game_types():
        assert '"markdown": "# ' in played(game, "rules\nquit\n", "--json", "--seat", "1")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("hnit", "did you mean hint? type 1 to 9, or a move"),
        ("resing", "did you mean resign? type 1 to 9, or a move"),
        ("a11", "did you mean a1? type 1 to 9, or a move"),
        ("xyzzy", "type 1 to 9, or a move"),
        ("0", "type 1 to 9, or a move"),
        ("-1", "type 1 to 9, or a move"),
        ("9" * 5000, "type 1 to 9, or a move"),
        ("²", "type 1 to 9, or a move"),
        ("[/bold]", "type 1 to 9, or a move"),
    ],
)
def test_a_word_that_is_none_is_answered_in_a_line(typed: str, answer: str) -> None:
    shown = played("tic_tac_toe", f"{typed}\nquit\n").split("p1> ")[1].splitlines()
    assert shown[1] == f"{answer}; help lists what else there is"
    assert len(shown) == 2


def test_moves_are_read_in_any_case() -> None:
    assert "you: check (call)" in played("leduc_poker", "CALL\nquit\n")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["play", "tic_tac_to"], "did you mean tic_tac_toe?"),
        (["play", "Tic-Tac-Toe"], "did you mean tic_tac_toe?"),
        (["play", "Knights Duty"], "did you mean knights_duty?"),
        (["games", "chessalt"], "did you mean chessault?"),
        (["analyze", "x", "--game", "leduc"], "did you mean leduc_poker?"),
        (
            ["analyze", "ttt board=.../.../... node=play:p1", "--engine", "imcts"],
            "did you mean ismcts?",
        ),
        (["plya", "tic_tac_toe"], "Did you mean 'play', 'replay'?"),
    ],
)
def test_the_name_that_was_probably_meant_is_given(arguments: Sequence[str], meant: str) -> None:
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert meant in " ".join(done.stderr.split())


@pytest.mark.parametrize("command", ["play", "train", "ladder run"])
def test_help_says_how_the_number_of_seats_is_chosen(command: str) -> None:
    done = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "120"})
    assert "number of seats: --option players=4" in done.stdout


def test_help_of_train_names_the_default_folder() -> None:
    done = CliRunner().invoke(app, ["train", "--help"], env={"COLUMNS": "120"})
    assert "Folder of the training; default: GAME-SEATS." in done.stdout


def completed(line: str) -> list[str]:
    """Complete the last word of a command line as bash does."""
    words = line.split(" ")
    environment = {
        "_KINGMAKER_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": f"{len(words) - 1}",
    }
    return CliRunner().invoke(app, [], env=environment, prog_name="kingmaker").stdout.split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("kingmaker pl", ["play"]),
        ("kingmaker play kn", ["knaves_out", "knights_duty"]),
        ("kingmaker games ti", ["tic_tac_toe"]),
        ("kingmaker solve chessa", ["chessault"]),
        ("kingmaker analyze --engine is", ["ismcts"]),
        ("kingmaker hint --game le", ["leduc_poker"]),
        ("kingmaker train le", ["leduc_poker"]),
    ],
)
def test_the_shell_completes_commands_games_and_engines(line: str, words: list[str]) -> None:
    assert completed(line) == words


def test_all_engines_are_offered() -> None:
    assert set(completed("kingmaker review --engine ")) == set(ENGINES)


def test_a_game_here_starts_without_what_only_others_need() -> None:
    """These modules take as long to import as the rest; see `python -X importtime`."""
    code = """
import sys
from kingmaker.cli import main
sys.argv = ["kingmaker", "play", "tic_tac_toe", "--seed", "1", "--json"]
try:
    main()
except SystemExit:
    pass
slow = {"grpc", "google.protobuf", "sqlalchemy", "scipy", "rich.markdown", "structlog", "uvicorn"}
print("imported:", sorted(slow & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], input="quit\n", capture_output=True, text=True, timeout=60
    )
    assert done.stdout.splitlines()[-1] == "imported: []"
