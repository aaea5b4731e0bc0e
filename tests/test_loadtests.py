"""What the load tests conclude from what they measured."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from pathlib import Path

import pytest

from loadtests.doors import read_report
from loadtests.matches import MATCH_FLAGS, Bots, play_and_watch
from loadtests.open_loop import Load, Sample, closed_loop, open_loop
from loadtests.server import server
from loadtests.soak import Reading, judge

STEADY = [Reading(i / 12, 85.0 + 0.01 * (i % 3), 60.0, 22, 9, 4.0) for i in range(60)]


def test_a_server_that_stays_as_it_is_passes() -> None:
    assert judge(STEADY) == 0


@pytest.mark.parametrize("field", ["server_mb", "workers_mb", "files", "threads", "latency_ms"])
def test_a_server_that_grows_fails(field: str) -> None:
    grown = [
        replace(each, **{field: getattr(each, field) * (1 + each.minutes / 5)}) for each in STEADY
    ]
    assert judge(grown) == 1


def test_a_warm_up_is_no_growth() -> None:
    cold = [replace(each, server_mb=each.server_mb - 10) for each in STEADY[:15]]
    assert judge([*cold, *STEADY[15:]]) == 0


def test_percentiles_are_those_of_answered_calls() -> None:
    load = Load([Sample("OK", i / 1000) for i in range(1, 101)] + [Sample("INTERNAL", 9.0)], 10.0)
    assert load.milliseconds(0.5) == pytest.approx(50)
    assert load.milliseconds(0.99) == pytest.approx(99)
    assert math.isnan(load.milliseconds(0.5, "UNAVAILABLE"))
    assert load.goodput == pytest.approx(10)


async def test_an_open_loop_does_not_wait_for_answers_and_a_closed_one_does() -> None:
    async def call() -> None:
        await asyncio.sleep(0.2)

    opened = await open_loop(call, 200, 0.5)
    closed = await closed_loop(call, 2, 0.5)
    assert 60 <= len(opened.samples) <= 150
    assert len(closed.samples) <= 6


REPORT = """finished in 4.00s, {rate} req/s, 1.29MB/s
requests: 5000 total, 4908 started, 4900 done, {counts}, 0 timeout
"""


def test_the_rate_of_a_report_is_read() -> None:
    report = REPORT.format(rate="1226.25", counts="4900 succeeded, 0 failed, 0 errored")
    assert read_report(report) == (1226.25, 4900)


@pytest.mark.parametrize(
    "counts",
    ["4899 succeeded, 1 failed, 0 errored", "4899 succeeded, 0 failed, 1 errored", "nothing"],
)
def test_calls_that_fail_are_no_rate(counts: str) -> None:
    with pytest.raises(ValueError, match=r"failed|else"):
        read_report(REPORT.format(rate="1", counts=counts))


@pytest.mark.slow
def test_matches_are_played_and_watched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = str(tmp_path / "matches.sqlite")
    bots = Bots(5, "leduc_poker", "level:1,simulations=20000", 2.0)
    with server("--matches", database, *MATCH_FLAGS) as running:
        play_and_watch(bots, 5, database, running)
    shown = capsys.readouterr().out
    assert "5 watchers: a move is seen by all" in shown
    assert "5 matches of leduc_poker" in shown
    assert "events/s stored" in shown
