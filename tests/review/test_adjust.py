"""Luck-adjusted results have the same mean and less variance."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kingmaker.cext.errors import InputError
from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, TimeControl
from kingmaker.ladder.play import play
from kingmaker.review.adjust import (
    FOLDS,
    adjusted,
    choices_of_game,
    luck_of_game,
)
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
    assert found.multiples == pytest.approx((2,), abs=0.1)
    assert found.variance_left == pytest.approx(0.5, abs=0.03)
    assert found.mean == pytest.approx(0.5, abs=4 * found.error)
    assert found.adjusted == pytest.approx(0.5, abs=4 * found.adjusted_error)
    assert found.adjusted_error == pytest.approx(1 / math.sqrt(4000), rel=0.05)


def test_two_control_variates_have_a_multiple_each() -> None:
    random = np.random.default_rng(3)
    luck, choices, rest = random.normal(size=(3, 3000))
    found = adjusted(luck + choices + rest, luck, choices * 4)
    assert found.multiples == pytest.approx((1, 0.25), abs=0.05)
    assert found.variance_left == pytest.approx(1 / 3, abs=0.03)
    halves = [
        adjusted(*part).variance_left for part in _parts(luck + choices + rest, luck, choices)
    ]
    assert found.variance_error == pytest.approx(np.std(halves) / math.sqrt(30), rel=0.4)


def _parts(*columns: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    """Cut samples into 30 parts."""
    return [tuple(column[part::30] for column in columns) for part in range(30)]


def test_luck_that_says_nothing_is_left_out() -> None:
    random = np.random.default_rng(2)
    found = adjusted(random.normal(size=1000), random.normal(size=1000))
    assert abs(found.multiples[0]) < 0.1
    assert found.variance_left == pytest.approx(1, abs=0.02)


def test_one_game_is_too_few() -> None:
    with pytest.raises(InputError, match="1 game is too few"):
        adjusted([1.0], [0.1])


@pytest.mark.parametrize(
    "variates", [([0.1, 0.2],), ([0.1, 0.2, math.nan],), ([0.1] * 3, [0.1] * 4)]
)
def test_variates_are_of_the_same_games(variates: tuple[list[float], ...]) -> None:
    with pytest.raises(InputError, match=r"give one for each, none of them nan$"):
        adjusted([1.0, 0.0, 1.0], *variates)


def test_few_games_are_adjusted_by_the_whole_luck() -> None:
    assert adjusted([1.0, 0.0, 1.0], [0.1, -0.1, 0.2]).multiples == (1,)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kuhn_poker"])
def test_the_adjusted_results_of_bots_have_the_mean_and_half_the_variance(name: str) -> None:
    games = bot_games(name, ("ismcts:simulations=30", "ismcts:simulations=30"), 1000)
    luck = [luck_of_game(game, "quick", seed)[0] for seed, game in enumerate(games)]
    found = adjusted([game.returns[0] for game in games], luck)
    difference = np.array(luck) * found.multiples[0]
    assert abs(difference.mean()) < 4 * difference.std() / math.sqrt(len(games))
    assert found.variance_left < 0.5


def test_a_fold_has_no_say_in_its_own_multiple() -> None:
    """What is known to a fold decides its multiple, also where all others know better."""
    random = np.random.default_rng(4)
    luck, noise = random.normal(size=(2, 500))
    known = np.repeat(luck[:, np.newaxis], FOLDS, axis=1)
    folds = np.arange(500) // (500 // FOLDS)
    known[folds != 3, 3] = noise[folds != 3]
    found = adjusted(luck, known, folds=folds.tolist())
    whole = adjusted(luck, luck)
    assert whole.variance_left == pytest.approx(0)
    assert found.variance_left == pytest.approx(1 / FOLDS, abs=0.1)
    assert found.multiples[0] == pytest.approx(1 - 1 / FOLDS, abs=0.05)


@pytest.mark.slow
def test_the_luck_of_choices_has_the_mean_0_and_explains_results() -> None:
    """The bots choose nearly at random, so that what they chose decides much."""
    games = bot_games("kuhn_poker", ("random", "ismcts:simulations=2"), 600)
    luck, choices = (
        np.array([source(game, "quick", seed)[0] for seed, game in enumerate(games)])
        for source in (luck_of_game, choices_of_game)
    )
    assert abs(choices.mean()) < 4 * choices.std() / math.sqrt(len(games))
    results = [game.returns[0] for game in games]
    both, one = adjusted(results, luck, choices), adjusted(results, luck)
    assert both.variance_left < one.variance_left - 0.05
    assert both.adjusted == pytest.approx(one.mean, abs=4 * one.error)


def test_bots_that_depend_on_time_are_not_asked_again() -> None:
    [game] = bot_games("kuhn_poker", ("random", "ismcts:time=1ms"), 1)
    with pytest.raises(InputError, match="can't be asked again"):
        choices_of_game(game, "quick", 1)
