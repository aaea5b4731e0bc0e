"""The measurement of losses compares them with exact values and with long searches."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import pytest

from kingmaker.benchmarks import loss_errors
from kingmaker.benchmarks.loss_errors import Row, long_cases, solved_cases, summary


def printed(capsys: pytest.CaptureFixture[str], options: Sequence[str]) -> str:
    sys.argv = ["loss_errors", *options]
    loss_errors.main()
    return capsys.readouterr().out


def test_it_prints_what_was_true_and_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [])
    few = ["--positions", "2", "--seeds", "2", "--player", "0"]
    assert "2 positions: true" in printed(capsys, ["chessault", *few])
    long = ["--truth", "long", "--simulations", "500"]
    assert "2 positions: true" in printed(capsys, ["leduc_poker", *long, *few])


def test_exact_values_are_those_of_the_moves() -> None:
    case = solved_cases("chessault", 1)[0]
    assert list(case.values) == case.observation.legal_moves()
    [searched] = long_cases("connect_four", {}, 1, 3000)
    assert set(searched.values) == set(searched.observation.legal_moves())
    assert all(0 <= each <= 1 for each in searched.values.values())


def test_the_line_tells_how_many_intervals_hold() -> None:
    rows = [[Row(true=0.1, shown=0.2, found=found, error=0.05)] for found in (0.1, 0.05, 0.15, 0.3)]
    line = summary(rows)
    assert line.startswith("4 positions: true 10.00, shown 20.00, found 15.00 ± ")
    assert line.endswith("75 % of 4 intervals hold")
