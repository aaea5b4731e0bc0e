"""Calls at a given rate, whether or not earlier ones have been answered.

Locust's users wait for their answers, so an overloaded server slows them down and the overload
never shows. Here calls arrive at random times (a Poisson process), as those of many strangers do.
"""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from numpy.random import SFC64

from kingmaker.search.position import new_game
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

OK = "OK"
REFUSED = "RESOURCE_EXHAUSTED"
PLIES = 30  # of the random game that is observed

Call = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Sample:
    """One call.

    Attributes:
        code: name of its gRPC code.
        seconds: from the call to its end.
    """

    code: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Load:
    """What came of the calls of one class.

    Attributes:
        samples: of every call.
        seconds: in which they were made.
    """

    samples: Sequence[Sample]
    seconds: float

    @property
    def rate(self) -> float:
        """Calls a second."""
        return len(self.samples) / self.seconds

    @property
    def goodput(self) -> float:
        """Answered calls a second."""
        return self.count(OK) / self.seconds

    def count(self, code: str) -> int:
        """Return the number of calls that ended with `code`."""
        return sum(sample.code == code for sample in self.samples)

    def codes(self) -> dict[str, int]:
        """Map each code to its number of calls."""
        return dict(Counter(sample.code for sample in self.samples))

    def milliseconds(self, share: float, code: str = OK) -> float:
        """Return the time within which a share of the calls with this code ended; NaN if none."""
        times = sorted(sample.seconds for sample in self.samples if sample.code == code)
        if not times:
            return math.nan
        return 1000 * times[min(math.ceil(share * len(times)), len(times)) - 1]


async def sample(call: Call) -> Sample:
    """Make a call."""
    start = time.perf_counter()
    code = OK
    try:
        await call()
    except grpc.aio.AioRpcError as error:
        code = error.code().name
    return Sample(code, time.perf_counter() - start)


async def open_loop(call: Call, rate: float, seconds: float, seed: int = 1) -> Load:
    """Make calls at random times, `rate` a second on average, and wait for their ends."""
    stream = random.Random(seed)
    loop = asyncio.get_running_loop()
    start = due = loop.time()
    tasks: list[asyncio.Task[Sample]] = []
    async with asyncio.TaskGroup() as group:  # a cancel ends all calls
        while (due := due + stream.expovariate(rate)) < start + seconds:
            await asyncio.sleep(due - loop.time())
            tasks.append(group.create_task(sample(call)))
    return Load([task.result() for task in tasks], seconds)


async def closed_loop(call: Call, callers: int, seconds: float) -> Load:
    """Make calls one after the other, `callers` at a time."""
    end = time.perf_counter() + seconds

    async def caller() -> list[Sample]:
        samples = []
        while time.perf_counter() < end:
            samples.append(await sample(call))
        return samples

    found = await asyncio.gather(*(caller() for _ in range(callers)))
    return Load([each for samples in found for each in samples], seconds)


def observation(game: str = "kingdom_coinquest") -> types_pb2.Observation:
    """Return what the deciding seat of a random game sees, after `PLIES` plies or somewhat more."""
    stream, choice = SFC64(7), random.Random(7)
    position, _ = new_game(game).settle(stream)
    plies = 0
    while plies < PLIES or len(position.legal_moves()) < 2:
        position, _ = position.apply(choice.choice(position.legal_moves())).settle(stream)
        plies += 1
    return types_pb2.Observation(game=game, text=position.observe(position.seat).text)


def select_move(
    channel: grpc.aio.Channel,
    seen: types_pb2.Observation,
    milliseconds: int,
    deadline: float | None = None,
) -> Call:
    """Return a call of SelectMove with a budget in time, and a deadline in seconds."""
    budget = types_pb2.SearchBudget()
    budget.time.FromMilliseconds(milliseconds)
    request = pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=budget))
    method: Any = channel.unary_unary(
        "/kingmaker.v1.AnalysisService/SelectMove",
        request_serializer=pb.SelectMoveRequest.SerializeToString,
        response_deserializer=pb.SelectMoveResponse.FromString,
    )

    async def call() -> None:
        await method(request, timeout=deadline)

    return call
