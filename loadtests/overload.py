"""What a server does with more calls than it can answer.

Measures the capacity with calls that wait for each other, and then offers once, twice, four and
eight times as many, whether answered or not: SelectMove of 50 ms with a deadline of 300 ms, and one
streamed analysis of 50 ms for every ten of them. The mark is for four times the capacity.
"""

from __future__ import annotations

import asyncio
import math
import sys
from typing import Any

import grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub

from .open_loop import REFUSED, Call, Load, closed_loop, observation, open_loop, select_move

BUDGET_MS = 50
DEADLINE_SECONDS = 0.3
MULTIPLES = (1, 2, 4, 8)
MARKED = 4
MIN_GOODPUT = 0.8  # of the capacity
MAX_MORE_MS = 100  # of the 99th percentile than without a queue
BULK_SHARE = 0.1
CALLERS_PER_SLOT = 2
CAPACITY_SECONDS = 5.0
HEADER = (
    f"{'offered':>16} {'calls/s':>8} {'goodput/s':>9} {'p50 ms':>7} {'p99 ms':>7} {'refused':>8}"
)


async def measure(address: str, slots: int, seconds: float) -> int:
    """Print the table; returns the exit code, 0 if the mark is met."""
    async with grpc.aio.insecure_channel(address) as channel:
        seen = observation()
        patient = select_move(channel, seen, BUDGET_MS)
        await closed_loop(patient, slots, 1.0)
        alone = await closed_loop(patient, slots, CAPACITY_SECONDS)
        full = await closed_loop(patient, CALLERS_PER_SLOT * slots, CAPACITY_SECONDS)
        capacity = full.goodput
        _print(f"capacity {capacity:.1f} calls/s of {BUDGET_MS} ms on {slots} slots\n{HEADER}")
        urgent = select_move(channel, seen, BUDGET_MS, DEADLINE_SECONDS)
        bulk = _analyze(channel, seen)
        marked = None
        for times in MULTIPLES:
            rate = times * capacity
            interactive, _ = loads = await asyncio.gather(
                open_loop(urgent, rate, seconds), open_loop(bulk, BULK_SHARE * rate, seconds, 2)
            )
            for name, load in zip(("interactive", "bulk"), loads, strict=True):
                _print(_row(f"{times}x {name}", load))
            if times == MARKED:
                marked = interactive
    assert marked is not None
    share, late = marked.goodput / capacity, marked.milliseconds(0.99)
    most = alone.milliseconds(0.99) + MAX_MORE_MS
    marks = {
        f"goodput {share:.0%} of the capacity at {MARKED}x; at least {MIN_GOODPUT:.0%}": (
            share >= MIN_GOODPUT
        ),
        f"p99 of answers {late:.0f} ms; at most {most:.0f}, {MAX_MORE_MS} above that without a "
        "queue": late <= most,
    }
    for text, is_met in marks.items():
        _print(f"{'pass' if is_met else 'FAIL'}: {text}")
    return 0 if all(marks.values()) else 1


def _analyze(channel: grpc.aio.Channel, seen: types_pb2.Observation) -> Call:
    """Return a call of Analyze that reads to the end."""
    stub: Any = AnalysisServiceStub(channel)
    search = pb.Search(observation=seen, budget=types_pb2.SearchBudget())
    search.budget.time.FromMilliseconds(BUDGET_MS)
    request = pb.AnalyzeRequest(search=search)

    async def call() -> None:
        async for _ in stub.Analyze(request):
            pass

    return call


def _row(name: str, load: Load) -> str:
    times = [load.milliseconds(share) for share in (0.5, 0.99)]
    shown = " ".join(f"{'-' if math.isnan(each) else f'{each:.0f}':>7}" for each in times)
    refused = load.count(REFUSED) / max(len(load.samples), 1)
    return f"{name:>16} {load.rate:8.1f} {load.goodput:9.1f} {shown} {refused:8.0%}"


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
