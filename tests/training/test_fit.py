"""The fit: its gradient, what it learns, and when it stops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from kingmaker.search.self_play import Records
from kingmaker.training.fit import (
    Weights,
    first_weights,
    fit,
    gradient,
    heuristic_loss,
    losses,
    mean_losses,
)
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions

NUM_CARDS, NUM_ACTIONS = 6, 4
PLAN = TrainingPlan("tic_tac_toe", epochs=12, batch=256, rate=0.02, hidden1=8, hidden2=6)


def card_games(
    num_games: int, num_seats: int = 2, seed: int = 1, is_noise: bool = False
) -> Records:
    """Make games of one decision: each seat has a card, the highest wins.

    Two or three of the actions are legal, and the best is the first above the decider's card.
    """
    rng = Generator(PCG64(seed))
    cards = rng.integers(NUM_CARDS, size=(num_games, num_seats))
    ranks = rng.integers(NUM_CARDS, size=(num_games, num_seats)) if is_noise else cards
    winners = ranks == ranks.max(axis=1, keepdims=True)
    seats = rng.integers(num_seats, size=num_games)
    own = cards[np.arange(num_games), seats]
    lists = [sorted(rng.permutation(NUM_ACTIONS)[: 2 + card % 2].tolist()) for card in own]
    best = [min(range(len(legal)), key=lambda i: (legal[i] - card) % NUM_ACTIONS)
            for legal, card in zip(lists, own.tolist(), strict=True)]  # fmt: skip
    return Records(
        features=cards.ravel().astype(np.int16),
        num_active=np.ones((num_games, num_seats), dtype=np.int16),
        games=np.arange(num_games, dtype=np.int32),
        seats=seats.astype(np.int8),
        actions=np.concatenate(lists).astype(np.int32),
        num_actions=np.array([len(legal) for legal in lists], dtype=np.int16),
        chosen=np.array(best, dtype=np.int16),
        values=np.full((num_games, num_seats), 1 / num_seats, dtype=np.float32),
        heuristics=np.full((num_games, num_seats), 1 / num_seats, dtype=np.float32),
        returns=(winners / winners.sum(axis=1, keepdims=True)).astype(np.float32),
    )


def positions_of(records: Records) -> Positions:
    return Positions([records], NUM_CARDS)


def random_weights(num_actions: int) -> Weights:
    """Draw weights in double precision, none of them 0."""
    rng = Generator(PCG64(3))
    made = first_weights(NUM_CARDS, 1, num_actions, PLAN, rng)
    return {name: rng.standard_normal(array.shape) for name, array in made.items()}


def slope(loss: Callable[[], float], array: NDArray[Any], at: int) -> float:
    """Measure how a loss changes with a number of an array."""
    step, flat = 1e-6, array.reshape(-1)
    before = flat[at]
    flat[at] = before + step
    above = loss()
    flat[at] = before - step
    below = loss()
    flat[at] = before
    return (above - below) / (2 * step)


@pytest.mark.parametrize("num_actions", [0, NUM_ACTIONS])
@pytest.mark.parametrize("num_seats", [2, 3])
def test_the_gradient_is_the_slope_of_the_loss(num_seats: int, num_actions: int) -> None:
    weights = random_weights(num_actions)
    batch = positions_of(card_games(40, num_seats)).batch(np.arange(40))
    value, policy, found = gradient(weights, batch)
    assert (value, policy) == losses(weights, batch)
    assert (policy > 0) == (num_actions > 0)
    assert found.keys() == weights.keys()
    for name, array in weights.items():
        expected = [slope(lambda: sum(losses(weights, batch)), array, i) for i in range(array.size)]
        np.testing.assert_allclose(found[name].ravel(), expected, atol=1e-7, err_msg=name)
    assert all(np.abs(found[name]).max() > 1e-3 for name in weights.keys() - {"b3"})


def test_a_known_function_is_learned() -> None:
    """A tie, one game in six, has a loss of ln 2, all else none; `Game.evaluate` has ln 2."""
    weights, found = fit(positions_of(card_games(4000)), NUM_ACTIONS, PLAN, SeedSequence(1))
    assert found.heuristic == pytest.approx(np.log(2))
    assert np.log(2) / 6 - 0.03 < found.value < np.log(2) / 6 + 0.06
    assert found.policy is not None
    assert found.policy < 0.1
    fresh = positions_of(card_games(1000, seed=2))
    value, policy = mean_losses(weights, fresh, np.arange(1000))
    assert value == pytest.approx(found.value, abs=0.05)
    assert policy == pytest.approx(found.policy, abs=0.05)


def test_a_net_that_adds_begins_with_the_evaluation_and_learns_the_rest() -> None:
    """Without weights of its own it has the loss of `Game.evaluate`; fitted it has a lower one."""
    shares = Generator(PCG64(5)).dirichlet([4.0, 4.0], 2000).astype(np.float32)
    records = card_games(2000)._replace(heuristics=shares)
    positions = Positions([records], NUM_CARDS, adds=True)
    everything = np.arange(2000)
    nothing = {name: 0 * array for name, array in random_weights(0).items()}
    alone = mean_losses(nothing, positions, everything)[0]
    assert alone == pytest.approx(heuristic_loss(positions, everything), rel=1e-5)
    _, found = fit(positions, 0, PLAN, SeedSequence(1))
    assert found.value < found.heuristic / 2


def test_nothing_is_learned_from_noise_and_the_fit_ends_early() -> None:
    epochs: list[tuple[float, float]] = []
    plan = replace(PLAN, epochs=50, hidden1=64, hidden2=64)
    positions = positions_of(card_games(400, is_noise=True))
    weights, found = fit(
        positions, 0, plan, SeedSequence(1), lambda _, value, policy: epochs.append((value, policy))
    )
    assert len(epochs) < 50
    assert found.value == min(value for value, _ in epochs)
    assert mean_losses(weights, positions, positions.split()[1])[0] == found.value


def test_equal_seeds_give_equal_weights_and_others_do_not() -> None:
    plan = replace(PLAN, epochs=2)
    positions = positions_of(card_games(500))
    one, same, other = (
        fit(positions, NUM_ACTIONS, plan, SeedSequence(seed))[0] for seed in (1, 1, 2)
    )
    for name, array in one.items():
        np.testing.assert_array_equal(array, same[name])
    assert (one["w1"] != other["w1"]).any()


def test_too_few_games_to_hold_one_out_are_an_error() -> None:
    with pytest.raises(ValueError, match="15 games are too few"):
        fit(positions_of(card_games(15)), 0, PLAN, SeedSequence(1))


def test_an_evaluation_of_nothing_has_a_finite_loss() -> None:
    records = card_games(200)
    never = records.returns == 0
    positions = positions_of(records._replace(heuristics=never.astype(np.float32)))
    assert np.log(2) < heuristic_loss(positions, np.arange(200)) < 10
