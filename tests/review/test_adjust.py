"""Luck-adjusted results have the same mean and less variance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, TimeControl
from kingmaker.ladder.play import play
from kingmaker.review.adjust import adjusted, luck_of_game
from kingmaker.review.games import PlayedGame, of_record
from kingmaker.search.position import new_game


def bot_games(name: str, specs: tuple[str, str], number: int) -> list[PlayedGame]:
    """Independent games, each with its own deal."""
    game = new_game(name).game
    bots = [Bot(f"bot {seat}", spec) for seat, spec in enumerate(specs, 1)]
    games = []
    for seed in range(number):
        tasks = mirrored_tasks(
            game,
            {},
            bots,
            group=f"g{seed}",
            deal_seed=7919 * seed + 1,
            seed=seed,
            clock=TimeControl(),
            max_plies=5000,
        )
        games.append(of_record(play(tasks[0])))
    return games


def test_a_known_control_variate_is_used_in_full() -> None:
    random = np.random.default_rng(1)
    luck, skill = random.normal(size=4000), random.normal(size=4000)
    found = adjusted(0.5 + luck + skill, luck / 2)
    assert found.multiple == pytest.approx(2, abs=0.1)
    assert found.variance_left == pytest.approx(0.5, abs=0.03)
    assert found.mean == pytest.approx(0.5, abs=4 * found.error)
    assert found.adjusted == pytest.approx(0.5, abs=4 * found.adjusted_error)
    assert found.adjusted_error == pytest.approx(1 / math.sqrt(4000), rel=0.05)


def test_luck_that_says_nothing_is_left_out() -> None:
    random = np.random.default_rng(2)
    found = adjusted(random.normal(size=1000), random.normal(size=1000))
    assert abs(found.multiple) < 0.1
    assert found.variance_left == pytest.approx(1, abs=0.02)


def test_one_game_is_too_few() -> None:
    with pytest.raises(InputError, match="1 games are too few"):
        adjusted([1.0], [0.1])


def test_few_games_are_adjusted_by_the_whole_luck() -> None:
    assert adjusted([1.0, 0.0, 1.0], [0.1, -0.1, 0.2]).multiple == 1


@pytest.mark.parametrize("name", ["kuhn_poker"])
def test_the_adjusted_results_of_bots_have_the_mean_and_half_the_variance(name: str) -> None:
    games = bot_games(name, ("ismcts:simulations=30", "ismcts:simulations=30"), 1000)
    luck = [luck_of_game(game, "quick", seed)[0] for seed, game in enumerate(games)]
    found = adjusted([game.returns[0] for game in games], luck)
    difference = np.array(luck) * found.multiple
    assert abs(difference.mean()) < 4 * difference.std() / math.sqrt(len(games))
    assert found.variance_left < 0.5
