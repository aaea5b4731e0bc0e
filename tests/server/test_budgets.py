"""What a search gets: the wish, the limits of the server, the deadline."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf.duration_pb2 import Duration

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import StopReason
from kingmaker.server.analysis.budgets import Wish, allow, read_seconds
from kingmaker.server.errors import DeadlineError
from kingmaker.server.settings import MIB, ServerSettings
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import midgame, observation_of, seconds, serving, simulations

SETTINGS = ServerSettings(
    default_seconds=2,
    max_seconds=10,
    max_analyze_seconds=100,
    max_simulations=1000,
    default_memory_bytes=2 * MIB,
    max_memory_bytes=8 * MIB,
    deadline_margin_seconds=0.1,
)
TIME = types_pb2.STOP_REASON_TIME
CAP = types_pb2.STOP_REASON_SERVER_CAP
DEADLINE = types_pb2.STOP_REASON_DEADLINE


@pytest.mark.parametrize(
    ("wish", "remaining", "is_stream", "milliseconds", "reason"),
    [
        (Wish(), None, False, 2000, TIME),
        (Wish(), None, True, 100_000, CAP),
        (Wish(seconds=5), None, False, 5000, TIME),
        (Wish(seconds=10), None, False, 10_000, TIME),
        (Wish(seconds=11), None, False, 10_000, CAP),
        (Wish(seconds=11), None, True, 11_000, TIME),
        (Wish(simulations=5), None, False, 10_000, CAP),
        (Wish(seconds=5), 1.0, False, 900, DEADLINE),
        (Wish(seconds=5), 60.0, False, 5000, TIME),
        (Wish(), 0.1, False, 50, DEADLINE),
        (Wish(simulations=5), 3.0, False, 2900, DEADLINE),
    ],
)
def test_time_is_the_least_of_wish_limit_and_deadline(
    wish: Wish,
    remaining: float | None,
    is_stream: bool,
    milliseconds: float,
    reason: types_pb2.StopReason,
) -> None:
    allowance = allow(wish, SETTINGS, remaining, is_stream=is_stream)
    assert allowance.budget.milliseconds == pytest.approx(milliseconds)
    assert allowance.stop_reason(StopReason.TIME) == reason


@pytest.mark.parametrize(
    ("asked", "given", "reason"),
    [(1000, 1000, types_pb2.STOP_REASON_SIMULATIONS), (1001, 1000, CAP)],
)
def test_simulations_are_capped(asked: int, given: int, reason: types_pb2.StopReason) -> None:
    allowance = allow(Wish(simulations=asked), SETTINGS, None)
    assert allowance.budget.simulations == given
    assert allowance.stop_reason(StopReason.SIMULATIONS) == reason


@pytest.mark.parametrize(
    ("asked", "given"), [(None, 2 * MIB), (4 * MIB, 4 * MIB), (9 * MIB, 8 * MIB)]
)
def test_memory_is_capped(asked: int | None, given: int) -> None:
    assert allow(Wish(memory_bytes=asked), SETTINGS, None).budget.memory_bytes == given


def test_bulk_searches_leave_memory_to_others() -> None:
    settings = ServerSettings(
        default_memory_bytes=MIB, max_memory_bytes=8 * MIB, total_memory_bytes=8 * MIB
    )
    wish = Wish(memory_bytes=8 * MIB)
    assert allow(wish, settings, None).budget.memory_bytes == 8 * MIB
    assert allow(wish, settings, None, is_stream=True).budget.memory_bytes == 6 * MIB


def test_a_deadline_that_has_passed_allows_nothing() -> None:
    with pytest.raises(DeadlineError):
        allow(Wish(), SETTINGS, 0.0)


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (None, types_pb2.STOP_REASON_UNSPECIFIED),
        (StopReason.SOLVED, types_pb2.STOP_REASON_SOLVED),
        (StopReason.CANCELLED, types_pb2.STOP_REASON_CANCELLED),
    ],
)
def test_other_reasons_to_stop_are_reported_as_they_are(
    reason: StopReason | None, expected: types_pb2.StopReason
) -> None:
    assert allow(Wish(), SETTINGS, None).stop_reason(reason) == expected


def request(budget: types_pb2.SearchBudget | None, **fields: Any) -> pb.SelectMoveRequest:
    return pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=budget, **fields)
    )


async def test_the_deadline_of_the_call_bounds_the_search() -> None:
    async with serving(deadline_margin_seconds=0.5) as service:
        answer = await service.analysis.SelectMove(request(seconds(30)), timeout=1.0)
    assert answer.report.stop_reason == DEADLINE
    assert answer.report.budget.time.ToMilliseconds() <= 500
    assert answer.report.elapsed.ToMilliseconds() < 800


async def test_limits_of_the_server_are_applied_and_reported() -> None:
    async with serving(
        max_seconds=0.2, default_seconds=0.1, max_simulations=50, max_threads=1
    ) as service:
        timed = await service.analysis.SelectMove(request(seconds(3600)))
        assert timed.report.stop_reason == CAP
        assert timed.report.budget.time.ToMilliseconds() == 200
        default = await service.analysis.SelectMove(request(None))
        assert default.report.stop_reason == TIME
        assert default.report.budget.time.ToMilliseconds() == 100
        counted = await service.analysis.SelectMove(request(simulations(10**9), threads=200))
        assert counted.report.stop_reason == CAP
        assert counted.report.budget.simulations == counted.report.simulations == 50


@pytest.mark.parametrize("nanos", [-1, 10**9])
def test_wrong_nanos_are_named(nanos: int) -> None:
    with pytest.raises(InputError, match=f"time has {nanos} nanos; they must be 0 to 999999999"):
        read_seconds(Duration(seconds=1, nanos=nanos), "time", 10)
