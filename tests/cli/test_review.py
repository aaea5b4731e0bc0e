"""`kingmaker review`: from files of games to tables, JSON and pages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kingmaker.ladder.model import to_json
from kingmaker.ladder.play import play
from tests.ladder.fakes import task_of

from .conftest import Command

BLUNDER = "tic_tac_toe\nb2 a2 a1 c3 b1 c2 b3\n"


def test_a_list_of_moves_on_standard_input_is_reviewed(kingmaker: Command) -> None:
    done = kingmaker("review", "-", "--effort", "quick", typed=BLUNDER)
    assert done.returncode == 0, done.stderr
    assert "tic_tac_toe: 7 decisions" in done.stdout
    assert re.search(r"p\d: put [xo] on [abc][123], blunder\. It costs", done.stdout)


@pytest.mark.parametrize("luck", [[], ["--luck"]])
@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--effort", "slow", "there is no effort 'slow'; they are quick, standard, deep"),
        ("--engine", "x", "there is no engine 'x'; engines are"),
        ("--engine", "random", "engine is 'random', which values no moves"),
        ("--seed", "-1", "seed is -1; it must be 0 to"),
    ],
)
def test_wrong_settings_are_refused(
    kingmaker: Command, luck: list[str], option: str, value: str, message: str
) -> None:
    game = '{"game": "kuhn_poker", "moves": ["deal:k", "deal:j", "pass", "pass"]}'
    done = kingmaker("review", "-", *luck, option, value, typed=f"{game}\n{game}\n")
    assert done.returncode == 2
    assert message in done.stderr


def test_a_single_decision_is_one(kingmaker: Command) -> None:
    game = '{"game": "tic_tac_toe", "moves": ["b2"], "returns": [1, 0]}'
    done = kingmaker("review", "-", "--effort", "quick", typed=game)
    assert done.stdout.startswith("tic_tac_toe: 1 decision\n")


def test_a_game_at_the_terminal_is_saved_and_reviewed(kingmaker: Command, tmp_path: Path) -> None:
    file = str(tmp_path / "games.jsonl")
    for _ in range(2):
        typed = "1\nundo\n" + "1\n" * 9
        done = kingmaker(
            *("play", "tic_tac_toe", "--seed", "1", "--budget-ms", "20", "--save", file),
            typed=typed,
        )
        assert done.returncode == 0, done.stderr
    done = kingmaker("review", file, "--effort", "quick", "--json")
    reviews = [json.loads(line) for line in done.stdout.splitlines()]
    assert [review["names"] for review in reviews] == [["you", "level 5"]] * 2
    assert all(sum(review["result"]) == 1 for review in reviews)
    assert {decision["grade"] for decision in reviews[0]["decisions"]} <= {
        *("forced", "best", "good", "inaccuracy", "mistake", "blunder")
    }


def test_a_game_that_was_left_is_not_reviewed(kingmaker: Command, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    kingmaker("play", "tic_tac_toe", "--budget-ms", "20", "--save", str(file), typed="1\nquit\n")
    assert json.loads(file.read_text())["unfinished"] is True
    done = kingmaker("review", str(file), "--effort", "quick")
    left_out = (
        f"warning: 1 game of {file} is not finished and was left out "
        f"(kingmaker play --resume {file})\n"
    )
    assert done.returncode == 2
    assert done.stderr == f"{left_out}error: the files have no finished games\n"
    other = tmp_path / "other.txt"
    other.write_text(BLUNDER)
    done = kingmaker("review", str(file), str(other), "--effort", "quick")
    assert (done.returncode, done.stderr) == (0, left_out)


def test_a_game_that_was_resigned_is_reviewed_with_its_returns(
    kingmaker: Command, tmp_path: Path
) -> None:
    file = str(tmp_path / "games.jsonl")
    command = ("play", "tic_tac_toe", "--budget-ms", "20", "--save", file)
    kingmaker(*command, typed="1\nresign\n")
    done = kingmaker("review", file, "--effort", "quick", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["result"] == [0.0, 1.0]
    assert found["ending"] == "resigned"
    assert found["ending_change"][0] < 0
    done = kingmaker("review", file, "--effort", "quick")
    assert "+ others' moves + resigned + unseen" in " ".join(done.stdout.splitlines()[1].split())


def test_a_page_is_written_for_each_game(kingmaker: Command, tmp_path: Path) -> None:
    record = play(task_of("leduc_poker"))
    games = tmp_path / "games.jsonl"
    games.write_text(to_json(record) + "\n", encoding="utf-8")
    done = kingmaker("review", str(games), "--effort", "quick", "--html", str(tmp_path / "pages"))
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "pages" / f"review-{record.task.id}.html").read_text(encoding="utf-8")
    assert "Luck, information or play" in page
    assert "data:image/svg+xml" in page
    assert "<script" not in page
    assert record.end not in page  # positions are those before the moves
    assert page.count("everything: <code>leduc") == sum(move.seat > 0 for move in record.moves)


def test_the_parts_of_a_result_have_the_names_of_the_documentation(
    kingmaker: Command, tmp_path: Path
) -> None:
    text = (Path(__file__).parents[2] / "docs/review.md").read_text(encoding="utf-8")
    [parts] = re.findall("^result = (.+)$", text, re.MULTILINE)
    assert all(f"\n| {part} | " in text for part in parts.split(" + "))
    done = kingmaker(*("review", "-", "--effort", "quick", "--html", str(tmp_path)), typed=BLUNDER)
    head = " ".join(done.stdout.splitlines()[1].split())
    assert f"result = {parts} without luck" in head
    [page] = tmp_path.glob("*.html")
    assert "<th>own moves</th><th>others' moves</th>" in page.read_text(encoding="utf-8")


def test_results_of_many_games_are_adjusted_for_luck(kingmaker: Command, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    lines = [to_json(play(task_of("kuhn_poker", "random", "random"))) for _ in range(2)]
    games.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = kingmaker("review", str(games), "--luck", "--effort", "quick")
    assert done.returncode == 2
    assert "1 game is too few to adjust" in done.stderr  # they have one deal


def test_what_too_few_games_do_not_show_is_no_number(kingmaker: Command, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    record = play(task_of("kuhn_poker"))
    deals = [replace(record, task=replace(record.task, group=name)) for name in ("a", "b")]
    lines = [to_json(each) for each in deals]
    games.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = ("review", str(games), "--luck", "--effort", "quick")
    assert "nan" not in kingmaker(*command).stdout
    players = json.loads(kingmaker(*command, "--json").stdout, parse_constant=pytest.fail)
    assert {each["variance_error"] for each in players.values()} == {None}


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "the files have no finished games"),
        ("# a client\nimport grpc\n", "standard input, line 2: 'import grpc' is not a game of "),
        ("tic_tac_to\na1\n", "did you mean tic_tac_toe?"),
        ("tic_tac_toe\na1 a1\n", "ply 2: a1 is not legal"),
        ("tic_tac_toe\na1\n", "the list ends where p2 is to move"),
    ],
)
def test_a_wrong_file_is_an_error_of_input(kingmaker: Command, typed: str, message: str) -> None:
    done = kingmaker("review", "-", typed=typed)
    assert done.returncode == 2
    assert message in done.stderr
