"""The measurement of luck's errors prints what it found."""

from __future__ import annotations

import sys

import pytest

from kingmaker.benchmarks import luck_errors
from kingmaker.benchmarks.luck import games_of


def test_it_prints_spread_and_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "--game leduc_poker --spec random --games 2 --seeds 6"
    monkeypatch.setattr(sys, "argv", ["luck_errors", *options.split()])
    luck_errors.main()
    assert capsys.readouterr().out.startswith("leduc_poker, quick, 2 games: spread ")


def test_errors_that_are_too_small_cover_less(monkeypatch: pytest.MonkeyPatch) -> None:
    [game] = games_of("leduc_poker", "random", range(1, 2))
    _, shown, covered = luck_errors.spread_and_error(game, "quick", range(12))
    monkeypatch.setattr(luck_errors, "error_scale", lambda measured: 0.01)
    _, small, missed = luck_errors.spread_and_error(game, "quick", range(12))
    assert small < shown
    assert missed < 0.2 < 0.7 < covered
