"""The calibration of levels."""

from __future__ import annotations

import pytest

from kingmaker.benchmarks.levels import (
    HANDICAPS,
    LEAST_ELO,
    NAMES,
    REACH,
    evenly_spaced,
    fewest_seats,
    measure,
    tables,
)
from kingmaker.cext.games import GAMES
from kingmaker.cext.games.tic_tac_toe import TicTacToe
from kingmaker.ladder.bots import start_bot
from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, TimeControl
from kingmaker.ladder.plan import DEFAULT_MAX_PLIES
from kingmaker.ladder.play import play


def test_levels_are_spaced_evenly_from_a_little_above_random_play() -> None:
    elos = [0.0, *(1000 * (1 - handicap) for handicap in HANDICAPS), 1100.0]
    handicaps, step = evenly_spaced(elos)
    assert step == pytest.approx(100)
    assert handicaps == [0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0]
    assert 1000 * (1 - handicaps[0]) == pytest.approx(LEAST_ELO)


def test_levels_leave_room_above_random_play_where_there_is_little() -> None:
    elos = [0.0, *(100 * (1 - handicap) for handicap in HANDICAPS), 100.0]
    handicaps, step = evenly_spaced(elos)
    assert step == pytest.approx(60 / 9)
    assert handicaps[0] == pytest.approx(0.6)


def test_ratings_that_chance_has_put_out_of_order_are_pooled() -> None:
    elos = [500 * (1 - handicap) for handicap in HANDICAPS]
    elos[3], elos[8], elos[12] = 0.0, 400.0, 450.0
    handicaps, _ = evenly_spaced([-100.0, *elos, 600.0])
    assert handicaps == sorted(handicaps, reverse=True)
    assert min(handicaps) >= 0
    assert max(handicaps) <= 1


@pytest.mark.parametrize("num_seats", [2, 4])
def test_every_bot_meets_the_next_ones(num_seats: int) -> None:
    found = tables(REACH + 2, num_seats)
    pairs = {(table[0], table[-1]) for table in found}
    assert len(pairs) == len(found) == (REACH + 2) * (REACH + 1) // 2 - 1
    assert (0, REACH) in pairs
    assert (0, REACH + 1) not in pairs
    assert all(len(table) == num_seats for table in found)


@pytest.mark.slow
def test_level_1_is_no_random_player() -> None:
    game = GAMES["code_of_chivalry"]
    options = fewest_seats(game)
    level, random = Bot("1", "level:1,simulations=4000"), Bot("random", "random")
    won = 0.0
    for number in range(40):
        tasks = mirrored_tasks(
            game(**options),
            options,
            [level, random],
            group=str(number),
            deal_seed=number,
            seed=number,
            clock=TimeControl(),
            max_plies=DEFAULT_MAX_PLIES,
        )
        for task in tasks:
            won += play(task, start_bot).returns[task.bots.index(level)]
    assert won / 80 > 0.65


@pytest.mark.slow
def test_strength_falls_with_the_handicap() -> None:
    ratings = measure(TicTacToe, num_groups=2, seed=1)
    assert set(ratings) == set(NAMES)
    assert ratings["random"].elo < ratings["0.6"].elo < ratings["0.0"].elo
    assert ratings["1.0"].elo < ratings["full"].elo - 100
