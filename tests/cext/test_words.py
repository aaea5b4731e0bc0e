"""Words and changes that the games share."""

from __future__ import annotations

import re

import pytest

from kingmaker.cext.change import change_of_result, changes_of_players, weightiest_first
from kingmaker.cext.words import (
    columns,
    counted,
    hidden_cards_change,
    observer_lines,
    result_name,
    seats_name,
)
from kingmaker.search.position import new_game


def test_numbers_and_seats_have_their_words() -> None:
    assert [counted(number, "card") for number in range(3)] == ["0 cards", "1 card", "2 cards"]
    assert [counted(number, "loss", "losses") for number in (1, 2)] == ["1 loss", "2 losses"]
    names = [seats_name(seats) for seats in ([], [2], [1, 3], [1, 2, 4])]
    assert names == ["nobody", "p2", "p1 and p3", "p1, p2 and p4"]
    assert result_name([2]) == "p2 wins"
    assert result_name([1, 2, 4]) == "p1, p2 and p4 share the win"
    assert hidden_cards_change("p1", -1) == "p1 holds 1 hidden card fewer"
    assert hidden_cards_change("p1", 2) == "p1 holds 2 hidden cards more"


@pytest.mark.parametrize(
    ("view", "lines"),
    [({}, []), ({"observer": 0}, ["as a spectator sees it"]), ({"observer": 3}, ["as p3 sees it"])],
)
def test_a_picture_names_its_observer(view: dict[str, int], lines: list[str]) -> None:
    assert observer_lines(view) == lines


def test_columns_are_as_wide_as_their_longest_cell() -> None:
    players = [[["p1"], ["king", "queen of hearts"]], [["p2"], ["-"]]]
    assert columns(("", "hand"), players) == [
        "       p1                p2",
        "hand   king              -",
        "       queen of hearts",
    ]


def test_columns_that_do_not_fit_stand_below() -> None:
    players = [[["p1"], ["king", "queen"]], [["p2"], ["-"]], [["p3"], ["ace"]]]
    assert columns(("", "hand"), players, width=17) == [
        "       p1      p2",
        "hand   king    -",
        "       queen",
        "",
        "       p3",
        "hand   ace",
    ]
    assert columns(("", "hand"), players, width=1)[:4] == [
        "       p1",
        "hand   king",
        "       queen",
        "",
    ]


@pytest.mark.parametrize(("game", "seats"), [("code_of_chivalry", 6), ("kingdom_coinquest", 4)])
def test_tables_of_players_fit_a_narrow_terminal(game: str, seats: int) -> None:
    position = new_game(game, {"players": str(seats)})
    table = re.findall(r"(?m)^(?: +p\d.*|hand .*)$", position.render(30))
    assert max(map(len, table)) <= 30
    assert len(table) >= 4
    assert re.findall(r"\bp\d\b", " ".join(table)) == [f"p{seat + 1}" for seat in range(seats)]
    assert position.render(1000) == position.render()


def test_what_a_player_gains_the_rivals_lose_together() -> None:
    told = [[("p1 draws", 2.0)], [("p2 sleeps", 0.0)], [("p3 falls", -8.0)]]
    gains = {
        seat: [change.gain for change in changes_of_players(told, seat, 3, 0.1)]
        for seat in range(4)
    }
    assert gains == {0: [0, 0, 0], 1: [0.2, 0, 0.4], 2: [-0.1, 0, 0.4], 3: [-0.1, 0, -0.8]}
    assert [change.text for change in weightiest_first(changes_of_players(told, 3, 3))] == [
        "p3 falls",
        "p1 draws",
        "p2 sleeps",
    ]


def test_winners_share_the_result() -> None:
    assert [change_of_result([1, 3], seat).gain for seat in range(4)] == [0, 0.5, -1, 0.5]
