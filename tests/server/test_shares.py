"""The slot time of clients, by which the next call is chosen."""

from __future__ import annotations

import pytest

from kingmaker.server.pool.shares import CREDIT_SECONDS, Shares


def test_a_client_that_goes_away_and_comes_back_gains_nothing() -> None:
    shares = Shares()
    for client in ("greedy", "modest"):
        shares.begin(client, 0)
    shares.hold("greedy", 2, 0)
    shares.hold("greedy", -2, 1)
    shares.end("greedy", 1)
    shares.begin("greedy", 1)
    assert shares.used("greedy", 1) - shares.used("modest", 1) == pytest.approx(2)


def test_a_client_that_was_idle_has_only_a_small_credit() -> None:
    shares = Shares()
    shares.begin("late", 0)
    shares.begin("busy", 0)
    shares.end("late", 0)
    shares.hold("busy", 1, 0)
    shares.begin("late", 1000)
    assert shares.used("busy", 1000) - shares.used("late", 1000) == pytest.approx(CREDIT_SECONDS)


def test_time_counts_by_the_weight_of_the_client() -> None:
    shares = Shares()
    shares.begin("large", 0, 4.0)
    shares.begin("small", 0, 0.5)
    for client in ("large", "small"):
        shares.hold(client, 2, 0)
    assert shares.used("large", 2) - shares.used("large", 0) == pytest.approx(1)
    assert shares.used("small", 2) - shares.used("small", 0) == pytest.approx(8)
    shares.begin("large", 2, 1.0)  # its entry in the file of tokens has changed
    assert shares.used("large", 4) - shares.used("large", 2) == pytest.approx(4)
