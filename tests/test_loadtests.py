"""What the load tests conclude from what they measured."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace

import pytest

from loadtests.open_loop import Load, Sample, closed_loop, open_loop
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
