"""The comparison of win shares with results."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from kingmaker.benchmarks import calibration
from kingmaker.benchmarks.calibration import decisions_of, summary


def test_a_game_tells_the_result_of_whoever_decided() -> None:
    found = decisions_of("kuhn_poker", {}, 20, 1, 0)
    assert np.array_equal(found, decisions_of("kuhn_poker", {}, 20, 1, 0))
    games = [decisions_of("kuhn_poker", {}, 20, 1, number) for number in range(40)]
    assert all(1 <= len(each) <= 3 for each in games)
    assert len({each.tobytes() for each in games}) > 10
    won = np.concatenate(games)[:, 1]
    assert won.min() < 0.5 < won.max()


def test_the_error_is_over_games_not_decisions() -> None:
    """Decisions of a game have one result: however many there are, they say no more."""
    games = [np.array([[0.7, float(number % 2)]]) for number in range(16)]
    line = "16 decisions: found  70.0 %, won  50.0 %, difference +20.0 ± 12.5"
    assert summary(games, 0.0, 1.0).strip() == line
    longer = [np.repeat(each, 9, axis=0) for each in games]
    assert summary(longer, 0.0, 1.0).endswith("difference +20.0 ± 12.5")
    assert summary(games, 0.75, 1.0) == ""


def test_each_range_has_a_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = "calibration kuhn_poker --games 150 --simulations 20"
    monkeypatch.setattr(sys, "argv", asked.split())
    calibration.main()
    lines = capfd.readouterr().out.splitlines()
    assert [line[:10].strip() for line in lines][:3] == ["all", "0 to 10", "10 to 25"]
    assert len(lines) == 8
    counts = [int(line[10:17]) for line in lines if "decisions" in line]
    assert counts[0] == sum(counts[1:])


@pytest.mark.parametrize(("players", "number"), [(2, 100), (4, 24)])
def test_win_shares_of_a_knights_duty_are_hardly_too_high(players: int, number: int) -> None:
    options = {"players": str(players)}
    games = [decisions_of("knights_duty", options, 200, 1, each) for each in range(number)]
    found, won = np.concatenate(games).mean(axis=0)
    assert found - won < 0.024
