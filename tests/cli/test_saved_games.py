"""Games at the terminal that are left, saved, resigned and played on."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from kingmaker.cli.app import app
from kingmaker.cli.backend import LocalBackend
from kingmaker.cli.match import Match
from kingmaker.cli.saved_games import SavedGame
from kingmaker.cli.screen import TextScreen
from kingmaker.review.games import played
from kingmaker.search.position import Observation, new_game

GAME = ("play", "leduc_poker", "--seed", "4", "--level", "1", "--budget-ms", "5")


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, arguments, input=typed)


def saved(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_saved_game_goes_on_where_it_was_left(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    left = run(*GAME, typed=f"call\nsave {file}\nquit\n")
    assert f"saved to {file}" in left.stderr
    [before] = saved(file)
    assert before["unfinished"] is True
    again = run("play", "--resume", str(file), "--budget-ms", "5", typed="quit\n")
    board = left.stdout.split("p1> ")[1].rpartition("\n\n")[2]
    assert again.stdout.startswith(f"\n{board}")
    assert saved(file) == [before]


def test_the_command_that_quitting_prints_plays_on_to_the_end(tmp_path: Path) -> None:
    file = tmp_path / "with space.jsonl"
    left = run(*GAME, "--save", str(file), typed="call\nquit\n")
    words, command = left.stderr.splitlines()[-2:]
    assert words == "to go on:"
    program, *arguments = shlex.split(command)
    assert program == "kingmaker"
    done = run(*arguments, "--budget-ms", "5", typed="call\n" * 4)
    assert "The game is over." in done.stdout
    [game] = saved(file)  # in the place of the unfinished one
    assert "unfinished" not in game
    assert game["seed"] == 4


def test_games_are_kept_apart_in_one_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    for _ in range(2):
        run(*GAME, "--save", str(file), typed="call\nquit\n")
    run("play", "--resume", str(file), "--budget-ms", "5", typed="call\n" * 4)
    assert [game.get("unfinished", False) for game in saved(file)] == [True, False]


def test_a_link_to_a_file_of_games_stays_one(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    file, link = tmp_path / "elsewhere" / "games.jsonl", tmp_path / "games.jsonl"
    link.symlink_to(file)
    run(*GAME, "--save", str(link), typed="call\nquit\n")
    run("play", "--resume", str(link), "--budget-ms", "5", typed="call\n" * 4)
    assert link.is_symlink()
    [game] = saved(file)
    assert "unfinished" not in game


def test_a_game_that_is_saved_elsewhere_is_kept_there(tmp_path: Path) -> None:
    file, other = tmp_path / "games.jsonl", tmp_path / "other.jsonl"
    run(*GAME, "--save", str(file), typed="call\nquit\n")
    before = file.read_text()
    resumed = ("play", "--resume", str(file), "--budget-ms", "5")
    same = run(*resumed, typed=f"save {file.parent}/./{file.name}\nquit\n")
    assert "stays as it is" not in same.stderr
    done = run(*resumed, typed=f"save {other}\n" + "call\n" * 4)
    words = f"saved to {other}; the game is kept there from now on, {file} stays as it is\n"
    assert words in done.stderr
    assert file.read_text() == before
    [game] = saved(other)
    assert "unfinished" not in game


def test_undo_goes_back_behind_the_moment_of_saving(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    left = run(*GAME, "--save", str(file), typed="call\nquit\n")
    again = run("play", "--resume", str(file), "--budget-ms", "5", typed="undo\nquit\n")
    first_board = left.stdout.split("p1> ")[0].partition("\n\n")[2]
    assert first_board in again.stdout.split("p1> ")[1]


def test_a_game_without_a_file_says_how_it_begins_once_more() -> None:
    left = run("play", "goofspiel", "--option", "cards=5", "--seed", "7", typed="quit\n")
    words, command = left.stderr.splitlines()[-2:]
    assert words == "not saved, as nobody has moved; to begin the same game again:"
    program, *arguments = shlex.split(command)
    assert program == "kingmaker"
    assert run(*arguments, typed="quit\n").stdout == left.stdout


def test_a_game_is_saved_if_it_breaks_off_before_the_first_own_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Failing(LocalBackend):
        def select(self, observation: Observation, level: int) -> str:
            if observation.seat == 2:
                raise ConnectionError
            return super().select(observation, level)

    monkeypatch.setattr("kingmaker.cli.saved_games._folder", lambda: tmp_path)
    game = SavedGame(game="hearts", options={}, seed=1, seat=4, level=1)
    match = Match(Failing(5, 1, 1), new_game("hearts"), game, TextScreen())
    monkeypatch.setattr(TextScreen, "is_interactive", True)
    match.leave("")
    assert "not saved, as nobody has moved; " in capsys.readouterr().err
    with pytest.raises(ConnectionError):
        match.run()
    match.leave("")
    assert "to go on:\n  kingmaker play --resume " in capsys.readouterr().err
    [file] = tmp_path.iterdir()
    [kept] = saved(file)
    assert kept["unfinished"] is True
    assert kept["moves"]


def test_who_resigns_loses_and_the_others_share_the_win(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    command = ("play", "hearts", "--seed", "1", "--level", "1", "--budget-ms", "5")
    done = run(*command, "--save", str(file), typed="Resign\n")
    assert "You lose. Win shares: p1 0.0 %, p2 33.3 %" in done.stdout
    [game] = saved(file)
    assert game["ending"] == "resigned"
    assert game["returns"][0] == 0


def test_a_game_begun_here_goes_on_at_a_server(tmp_path: Path, server: str) -> None:
    file = tmp_path / "games.jsonl"
    run(*GAME, "--save", str(file), typed="call\nquit\n")
    left = run("play", "--resume", str(file), "--server", server, typed="quit\n")
    assert left.stderr.splitlines()[-1] == f"  kingmaker play --resume {file} --server {server}"
    done = run("play", "--resume", str(file), "--server", server, typed="call\n" * 4)
    assert "The game is over." in done.stdout
    [game] = saved(file)
    assert played(game["game"], game["moves"], seed=4).tokens == tuple(game["moves"])


def test_programs_are_told_how_a_game_goes_on(tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    done = run(*GAME, "--json", typed=f"call\nsave {file}\nquit\n")
    *_, told, left = [json.loads(line) for line in done.stdout.splitlines()]
    assert told == {"event": "saved", "file": file, "former_file": ""}
    assert left == {
        "event": "left",
        "command": f"kingmaker play --resume {file}",
        "is_saved": True,
    }


def test_a_file_that_can_not_be_written_does_not_end_the_game(tmp_path: Path) -> None:
    done = run(*GAME, typed=f"save {tmp_path}/no/such\nsave\nhelp\nquit\n")
    assert done.exit_code == 0
    _, first, second, *_ = done.stdout.split("p1> ")
    assert "can't be written: No such file" in first
    assert "name the file: save FILE" in second
    assert done.stderr.splitlines()[-2].startswith("not saved, as nobody has moved")
    done = run(*GAME, typed="call\nquit\n")
    assert done.stderr.splitlines()[-2].startswith("not saved, without --save; ")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "has no unfinished game"),
        ('{"game": "tic_tac_toe", "moves": ["a1"]}', "has no unfinished game"),
        ('{"game": "tic_tac_toe", "unfinished": true}', "moves: it is not given"),
        ('{"game": "tic_tac_toe", "moves": [], "unfinished": true}', "has no seed"),
        (
            '{"game": "tic_tac_toe", "moves": ["a1", "a1"], "unfinished": true, "seed": 1, '
            '"seat": 1, "level": 5}',
            "a1 is not legal",
        ),
        (
            '{"game": "tic_tac_toe", "moves": [], "unfinished": true, "seed": 1, "seat": 3, '
            '"level": 5}',
            "seat 3 of a 2-seat game",
        ),
    ],
)
def test_a_file_without_a_game_to_go_on_with_is_refused(
    tmp_path: Path, line: str, message: str
) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(line + "\n")
    done = run("play", "--resume", str(file))
    assert done.exit_code == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    "given", [("tic_tac_toe",), ("--seat", "2"), ("--seed", "1"), ("--option", "cards=5")]
)
def test_what_the_file_says_can_not_be_given_again(tmp_path: Path, given: tuple[str, ...]) -> None:
    done = run("play", *given, "--resume", str(tmp_path / "games.jsonl"))
    assert done.exit_code == 2
    assert "; leave it out" in done.stderr


def test_the_only_move_has_one_number(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    game = {"game": "tic_tac_toe", "moves": ["a1", "b1", "c1", "a2", "b2", "c2", "b3", "a3"]}
    waits = {"unfinished": True, "seed": 1, "seat": 1, "level": 1}
    file.write_text(json.dumps(game | waits) + "\n")
    done = run("play", "--resume", str(file), typed="xyzzy\nquit\n")
    assert "\ntype 1, or a move; help lists" in done.stdout
