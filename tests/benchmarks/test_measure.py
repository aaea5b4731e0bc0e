"""How figures are read from timings."""

from __future__ import annotations

import pytest

from kingmaker.benchmarks.measure import (
    Figure,
    Timings,
    count,
    median,
    per_second,
    seconds_per,
    speedup,
    standard_error,
)

OURS = Timings([2.0, 4.0, 2.0], {"playouts": 100, "plies": 1000})
THEIRS = Timings([6.0, 12.0, 8.0], {"playouts": 50})


def test_a_rate_is_the_median_over_the_rounds() -> None:
    figure = per_second("playouts")(OURS, None)
    assert figure is not None
    assert figure.value == 50.0
    assert figure.spread == pytest.approx(14.43, abs=0.01)


def test_nanoseconds_are_reported_for_one_unit() -> None:
    figure = seconds_per("plies", scale=1e9)(OURS, None)
    assert figure is not None
    assert figure.value == pytest.approx(2e6)


def test_a_count_has_no_spread() -> None:
    assert count("plies", per="playouts")(OURS, None) == Figure(10.0, None)


def test_a_speedup_compares_round_by_round() -> None:
    # 3, 3 and 4 times our seconds a run, and half of our playouts in each run. Ratios of all values
    # with each other would spread from 3 to 12.
    figure = speedup("playouts")(OURS, THEIRS)
    assert figure is not None
    assert figure.value == 6.0
    assert figure.spread == pytest.approx(1.155, abs=0.001)


def test_a_speedup_needs_a_peer() -> None:
    assert speedup("playouts")(OURS, None) is None


def test_one_sample_has_no_spread() -> None:
    assert median([3.0]) == Figure(3.0, None)


def test_a_standard_error_is_that_of_the_mean() -> None:
    assert standard_error([1.0, 3.0, 1.0, 3.0]) == pytest.approx((4 / 3) ** 0.5 / 2)
