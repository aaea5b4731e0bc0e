"""The comparison of choices by long searches."""

from __future__ import annotations

import sys

import pytest

from kingmaker.benchmarks import choices
from kingmaker.benchmarks.choices import MOST_OF_A_GAME, Comparison, decisions, gains
from kingmaker.search.position import new_game


def comparison(*bots: str, game: str = "tic_tac_toe") -> Comparison:
    return Comparison(game, {}, "random", bots, "expectimax:simulations=100000", 1)


def test_decisions_are_between_moves_and_of_all_parts_of_a_game() -> None:
    of = comparison(game="connect_four")
    found = [position for seed in range(20) for position in decisions(of, seed)]
    assert all(len(position.legal_moves()) > 1 for position in found)
    start = new_game("connect_four")
    assert start in found
    assert len(set(map(str, found))) > 10
    assert max(len(list(decisions(of, seed))) for seed in range(20)) <= MOST_OF_A_GAME


def test_better_choices_gain_and_the_same_ones_nothing() -> None:
    of = comparison("random", "expectimax:simulations=100000", "random")
    rows = [row for seed in range(14) for row in gains(of, seed)]
    assert all(row[0] == row[2] == 0 for row in rows)
    assert all(row[1] >= 0 for row in rows)  # the judge knows the value of each choice
    assert sum(row[1] for row in rows) > 0.5


@pytest.mark.slow
def test_games_without_such_decisions_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = "choices kuhn_poker --play random --decisions 3 --bot random --bot ismcts:simulations=9"
    monkeypatch.setattr(sys, "argv", [*asked.split(), "--judge", "ismcts:simulations=9"])
    choices.main()
    assert "3 decisions" in capfd.readouterr().out
