"""The measurement of the environments."""

from __future__ import annotations

from kingmaker.benchmarks.environments import steps_per_second


def test_games_are_played_and_the_choice_is_left_out() -> None:
    whole, without = steps_per_second("tic_tac_toe", 0.05)
    assert 0 < whole < without
