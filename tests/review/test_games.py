"""Games to review are read from records, JSON lines and plain lists, and checked move by move."""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from kingmaker.cext.errors import InputError, StateError
from kingmaker.ladder.export import text_record
from kingmaker.ladder.model import to_json
from kingmaker.ladder.play import play
from kingmaker.review.games import of_record, played, read_games
from kingmaker.review.move_list import MoveList
from kingmaker.review.words import ENDINGS
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.position import new_game
from tests.ladder.fakes import FakeBot, first, starter, task_of

MOVES = ["a1", "b1", "a2", "b2", "a3"]


def test_a_record_is_read_in_both_forms() -> None:
    record = play(task_of("leduc_poker"))
    for text in (to_json(record), text_record(record)):
        (game,) = read_games(text.splitlines())
        assert game.tokens == tuple(move.token for move in record.moves)
        assert game.returns == pytest.approx(record.returns)
        assert game.names == ("bot 1", "bot 2")
        assert game.name == record.task.id


def test_groups_of_different_ladders_are_different_deals() -> None:
    tasks = [task_of("leduc_poker"), task_of("kuhn_poker")]
    other_deal = replace(tasks[0], deal_seed=tasks[0].deal_seed + 1)
    rotated = replace(tasks[0], rotation=1)
    groups = [of_record(play(task)).group for task in (*tasks, other_deal, rotated)]
    assert len(set(groups[:3])) == 3
    assert groups[3] == groups[0]


def test_games_of_several_lines_are_all_read() -> None:
    line = json.dumps({"game": "tic_tac_toe", "moves": MOVES, "names": ["you", "level 5"]})
    games = list(read_games([line + "\n", line + "\n"]))
    assert [game.returns for game in games] == [(1.0, 0.0)] * 2
    assert games[0].names == ("you", "level 5")


def test_a_plain_list_is_read() -> None:
    (game,) = read_games(["# a quick win\n", "tic_tac_toe\n", "a1 b1 a2\n", "b2 a3 # done\n"])
    assert game.tokens == tuple(MOVES)


def test_options_of_a_plain_list_are_those_of_the_game() -> None:
    (game,) = read_games(["leduc_poker seed=3", "raise fold"])
    assert game.num_seats == 2
    with pytest.raises(InputError, match="no_such"):
        list(read_games(["leduc_poker no_such=3", "raise fold"]))


def test_a_seed_stands_for_the_deal() -> None:
    dealt, drawn = settle_by_seed(new_game("leduc_poker"), 3)
    (game,) = read_games(["leduc_poker seed=3", "raise fold"])
    assert game.tokens == (*drawn, "raise", "fold")
    assert game.positions[len(drawn)] == dealt
    assert played("leduc_poker", [*drawn, "raise", "fold"], seed=3).tokens == game.tokens


def test_empty_lines_between_and_after_games_are_left_out() -> None:
    game = '{"game": "tic_tac_toe", "moves": ["a1", "b1", "a2", "b2", "a3"]}\n'
    assert len(list(read_games([game, "\n", game, "\r\n", ""]))) == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["tic_tac_toe", "a1 a1"], "ply 2: a1 is not legal"),
        (["tic_tac_toe", "a1 b1"], "the list ends where p1 is to move"),
        (["no_such_game", "a1"], "there is no game"),
        (["tic_tac_toe seed=x", "a1"], "the seed is 'x'"),
        (['{"game": "tic_tac_toe"}'], "moves: it is not given"),
        (["{"], "a line is not a JSON object"),
        (['{"a":' * 100_000], "a line is not a JSON object: maximum recursion depth exceeded"),
        (['{"game": "tic_tac_toe", "moves": ["a1"], "names": ["you"]}'], "1 name for 2 seats"),
        (
            ['{"game": "tic_tac_toe", "moves": ["a1"], "returns": [1, 0], "ending": "zz"}'],
            "ending is 'zz'; it must be one of resigned, timed_out",
        ),
    ],
)
def test_a_wrong_list_is_refused_with_its_fault(lines: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_games(lines))


def test_returns_that_the_moves_contradict_are_refused() -> None:
    with pytest.raises(InputError, match="the returns are"):
        played("tic_tac_toe", MOVES, returns=(0.0, 1.0))


@pytest.mark.parametrize("moves", [["raise"], ["raise", "fold"]])
@pytest.mark.parametrize(
    "returns",
    [(0.7, 0.4), (1.0,), (0.5, 0.5, 0.0), (2.0, -1.0), (math.nan, math.nan), (math.inf, -math.inf)],
)
def test_returns_that_are_no_win_shares_are_refused(
    moves: list[str], returns: tuple[float, ...]
) -> None:
    with pytest.raises(InputError, match="they must be 2 win shares, one for each seat") as refused:
        played("leduc_poker", moves, returns=returns, seed=3)
    assert refused.value.field == "returns"
    assert refused.value.value == str(list(returns))


def test_a_move_that_is_not_possible_is_refused_with_its_rule() -> None:
    with pytest.raises(InputError, match=r"^ply 3: fold is not legal: .*\(R1\.3\)$") as refused:
        played("leduc_poker", ["fold"], seed=3)
    assert (refused.value.field, refused.value.value) == ("moves", "fold")
    assert refused.value.rule == "R1.3"


def test_a_game_that_was_broken_off_keeps_its_returns() -> None:
    def fail(observation: object) -> str:
        raise OSError

    record = play(task_of("tic_tac_toe"), starter([FakeBot(first), FakeBot(fail)]))
    (game,) = read_games([to_json(record)])
    assert (game.ending, game.returns) == ("crashed", (1.0, 0.0))
    with pytest.raises(StateError, match="give the win shares"):
        played("tic_tac_toe", game.tokens)


def test_the_page_names_every_field_of_a_list_and_its_example_is_read() -> None:
    page = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
    section = page.split("## Lists of moves\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    assert set(re.findall(r"`(\w+)`", " ".join(rows))) == {each.name for each in fields(MoveList)}
    assert f"{', '.join(f'`{word}`' for word in list(ENDINGS)[:-1])} or `cut`" in section
    [example] = re.findall(r"```json\n(.*)\n```", section)
    (game,) = read_games([example])
    assert (game.names, game.returns, game.ending) == (("Ann", "Bob"), (1.0, 0.0), "resigned")
