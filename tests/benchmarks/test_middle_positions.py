"""The middle games that are searched."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kingmaker.benchmarks.positions import (
    code_of_chivalry_middle,
    kingdom_coinquest_middle,
    knaves_out_turns,
    knights_duty_middle,
)
from kingmaker.search.position import Position


@pytest.mark.parametrize("num_seats", [2, 4, 6])
@pytest.mark.parametrize("middle", [code_of_chivalry_middle, knights_duty_middle])
def test_there_is_something_to_decide(middle: Callable[[int], Position], num_seats: int) -> None:
    position = middle(num_seats)
    assert position.num_seats == num_seats
    assert len(position.legal_moves()) >= 5
    assert position == middle(num_seats)


@pytest.mark.parametrize("num_seats", [2, 3, 4])
def test_a_seat_is_to_decide_in_kingdom_coinquest(num_seats: int) -> None:
    assert kingdom_coinquest_middle(num_seats).legal_moves()


def test_both_seats_have_soldiers_and_chances_at_turns_of_knaves_out() -> None:
    turns = knaves_out_turns()
    assert turns == knaves_out_turns()
    for position in turns:
        assert "main@" in position.text
        pieces = [player.split(":")[8].lower() for player in position.text.split(" ")[-2:]]
        assert all(own.count("p") >= 1 for own in pieces)
        assert 0.3 < position.game.evaluation_of(position.state)[0] < 0.7
