"""The measured variances are those that the simulated luck must have."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from kingmaker.ladder.results import MirroredGroup, Result, mirrored_groups, rotations
from kingmaker.ladder.variance import VarianceSaved, variance_saved


def played(num_groups: int, deal: float, seat: float, noise: float) -> VarianceSaved:
    """Simulate two bots; each game has so much deal luck, seat luck and noise of its own."""
    rng = np.random.default_rng(6)
    results = []
    for index in range(num_groups):
        luck = deal * rng.choice([-1, 1])
        for bots in (("a", "b"), ("b", "a")):
            first = 0.5 + seat + luck + noise * rng.choice([-1, 1])
            results.append(Result(f"g{index}", bots, (first, 1 - first)))
    return variance_saved(mirrored_groups(results))


def test_luck_of_the_deal_is_saved_whole() -> None:
    variance = played(100, deal=0.3, seat=0, noise=0)
    assert variance.single == pytest.approx(0.09, rel=0.05)
    assert variance.mirrored == pytest.approx(0, abs=1e-12)
    assert variance.saved == pytest.approx(1)
    assert variance.games_worth > 1e6


def test_luck_of_a_single_game_is_not_saved() -> None:
    variance = played(400, deal=0, seat=0, noise=0.3)
    assert variance.saved == pytest.approx(0, abs=0.1)
    assert variance.games_worth == pytest.approx(1, abs=0.1)


def test_what_the_seat_saves_is_reported_from_what_the_deal_saves() -> None:
    variance = played(600, deal=0.2, seat=0.1, noise=0.1)
    assert variance.single == pytest.approx(0.04 + 0.01 + 0.01, rel=0.1)
    assert variance.alternated == pytest.approx(0.04 + 0.01, rel=0.1)
    assert variance.mirrored == pytest.approx(0.01, rel=0.15)
    assert variance.saved_by_seats == pytest.approx(1 / 6, abs=0.05)
    assert variance.saved_by_deals == pytest.approx(4 / 6, abs=0.05)
    assert variance.saved == pytest.approx(variance.saved_by_seats + variance.saved_by_deals)
    assert variance.num_groups == 600


def test_games_that_share_the_bots_luck_cost_variance() -> None:
    results = []
    for index, share in enumerate(np.random.default_rng(1).choice([0.0, 1.0], 200)):
        results += [
            Result(f"g{index}", ("a", "b"), (share, 1 - share)),
            Result(f"g{index}", ("b", "a"), (1 - share, share)),
        ]
    variance = variance_saved(mirrored_groups(results))
    assert variance.games_worth == pytest.approx(0.5, abs=0.02)
    assert variance.saved == pytest.approx(-1, abs=0.05)


def test_a_difference_in_strength_is_no_luck() -> None:
    results = []
    for index in range(30):
        pair = ("a", "b") if index % 2 else ("a", "c")
        share = 1.0 if index % 2 else 0.25
        results += [
            Result(f"g{index}", pair, (share, 1 - share)),
            Result(f"g{index}", pair[::-1], (1 - share, share)),
        ]
    variance = variance_saved(mirrored_groups(results))
    assert variance.single == pytest.approx(0, abs=1e-12)
    assert variance.saved == pytest.approx(0, abs=1e-12)
    assert variance.games_worth == 1


def test_at_three_seats_the_lucky_seat_is_saved() -> None:
    rng = np.random.default_rng(2)
    results = []
    for index in range(300):
        lucky = rng.integers(3)
        order = "abc" if index % 2 else "acb"
        results += [
            Result(f"g{index}", bots, tuple(float(seat == lucky) for seat in range(3)))
            for bots in rotations(order)
        ]
    variance = variance_saved(mirrored_groups(results))
    assert variance.single == pytest.approx(2 / 9, rel=0.05)
    assert variance.saved_by_deals == pytest.approx(1, abs=0.02)


def test_the_estimates_are_without_bias_even_from_two_groups() -> None:
    rng = np.random.default_rng(8)
    found = []
    for _ in range(400):
        results = []
        for index in range(2):
            luck = 0.2 * rng.choice([-1, 1])
            for bots in (("a", "b"), ("b", "a")):
                first = 0.5 + luck + 0.1 + 0.1 * rng.choice([-1, 1])
                results.append(Result(f"g{index}", bots, (first, 1 - first)))
        saved = variance_saved(mirrored_groups(results))
        found.append((saved.single, saved.alternated, saved.mirrored))
    assert np.mean(found, axis=0) == pytest.approx([0.06, 0.05, 0.01], rel=0.15)


def test_without_two_groups_of_the_same_bots_nothing_is_known() -> None:
    results = [Result("g", ("a", "b"), (1, 0)), Result("g", ("b", "a"), (1, 0))]
    variance = variance_saved(mirrored_groups(results))
    assert variance.num_groups == 0
    assert math.isnan(variance.saved)


def test_the_error_of_the_reduction_covers_what_other_ladders_find() -> None:
    rng = random.Random(3)

    def ladder() -> list[MirroredGroup]:
        results = []
        for number in range(60):
            luck = rng.choice((0.0, 1.0))
            for seat in range(2):
                share = luck if rng.random() < 0.7 else rng.choice((0.0, 1.0))
                bots = ("a", "b") if seat == 0 else ("b", "a")
                results.append(Result(f"{number:03}", bots, (share, 1 - share)))
        return mirrored_groups(results)

    found = [variance_saved(ladder()) for _ in range(40)]
    spread = float(np.std([each.saved for each in found]))
    mean = float(np.mean([each.saved_error for each in found]))
    assert 0.6 * spread < mean < 1.7 * spread
    assert math.isnan(variance_saved(ladder()[:10]).saved_error)
