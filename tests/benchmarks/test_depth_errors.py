"""The errors that reviews assume for values of a search to a depth."""

from __future__ import annotations

import sys

import pytest

from kingmaker.benchmarks import depth_errors
from kingmaker.review.values import Effort


def test_a_line_for_each_effort_tells_how_many_losses_lie_within_their_errors(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    effort = Effort(decision=4, deep=40, value=1, outcomes=1, samples=1)
    monkeypatch.setattr(depth_errors, "EFFORTS", {"quick": effort, "deep": effort})
    monkeypatch.setattr(depth_errors, "LONG", 40)
    monkeypatch.setattr(sys, "argv", ["depth_errors", "--positions", "12"])
    depth_errors.main()
    quick, deep = capsys.readouterr().out.splitlines()
    hits, number = quick.removeprefix("quick: ").split(" % of ")
    assert hits == "100"  # the second pass is as long as the search that it is compared with
    assert 0 < int(number) <= 12
    assert deep.removeprefix("deep") == quick.removeprefix("quick")
    monkeypatch.setattr(depth_errors, "LONG", 1000)
    monkeypatch.setattr(depth_errors, "LEAST_ERROR_OF_DEPTH", 0.0)
    depth_errors.main()
    assert "100 %" not in capsys.readouterr().out
