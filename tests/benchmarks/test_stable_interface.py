"""The comparison of calls into a wheel and into a checkout."""

from __future__ import annotations

import os

import pytest

from kingmaker.benchmarks import stable_interface
from kingmaker.benchmarks.stable_interface import calls, run_between_marks, table


def test_calls_can_be_repeated_and_each_stands_between_two_marks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stable_interface, "COUNTED_CALLS", 2)
    marks: list[int] = []
    monkeypatch.setattr(os, "getppid", lambda: marks.append(1))
    works = calls()
    run_between_marks(works)
    assert len(marks) == 2 * len(works)


def test_the_table_says_how_much_more_a_wheel_takes() -> None:
    lines = table([("`Game.after`", 2e-6, 2.1e-6)], "µs", 1e6).splitlines()
    assert lines[-1] == "| `Game.after` | 2.00 | 2.10 | +5.0% |"
