"""The calibration of levels."""

from __future__ import annotations

import pytest

from kingmaker.benchmarks.levels import HANDICAPS, STEP_ELO, evenly_spaced, measure, tables
from kingmaker.cext.games.tic_tac_toe import TicTacToe


def test_levels_are_spaced_evenly_where_there_is_less_room_than_nine_steps() -> None:
    elos = [-900.0 + 900 * (1 - handicap) for handicap in HANDICAPS] + [0.0]
    handicaps, step = evenly_spaced(elos)
    assert step == pytest.approx(100)
    assert handicaps == [1.0, 0.89, 0.78, 0.67, 0.56, 0.44, 0.33, 0.22, 0.11]


def test_levels_stay_near_full_strength_where_there_is_more_room() -> None:
    elos = [-3000.0 * handicap for handicap in HANDICAPS] + [100.0]
    handicaps, step = evenly_spaced(elos)
    assert step == STEP_ELO
    assert handicaps[0] == pytest.approx(0.42, abs=0.005)


def test_ratings_that_chance_has_put_out_of_order_are_pooled() -> None:
    elos = [-500.0 * handicap for handicap in HANDICAPS]
    elos[3], elos[8], elos[12] = -600.0, -150.0, -190.0
    handicaps, _ = evenly_spaced([*elos, 0.0])
    assert handicaps == sorted(handicaps, reverse=True)
    assert min(handicaps) >= 0
    assert max(handicaps) <= 1


@pytest.mark.parametrize("num_seats", [2, 4])
def test_every_bot_meets_each_other_one(num_seats: int) -> None:
    found = tables(4, num_seats)
    assert [set(table) for table in found] == [{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}]
    assert all(len(table) == num_seats for table in found)


@pytest.mark.slow
def test_strength_falls_with_the_handicap() -> None:
    ratings = measure(TicTacToe, num_groups=2, seed=1)
    assert set(ratings) == {*map(str, HANDICAPS), "full"}
    assert ratings["1.0"].elo < ratings["0.5"].elo < ratings["full"].elo + 30
