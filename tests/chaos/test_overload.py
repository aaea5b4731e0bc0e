"""What one client asks too much is not felt by another, and an overloaded server stays useful.

Times are compared with those of calls on a busy server without a queue and rates with its capacity,
both measured in the same run. They say nothing where others, or the host of a virtual machine, take
processors meanwhile: that is measured too. Two clients are two addresses: one over IPv4, one over
IPv6.
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import grpc
import psutil
import pytest

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from loadtests.open_loop import (
    OK,
    Load,
    closed_loop,
    observation,
    open_loop,
    sample,
    select_move,
)
from tests.server.process import server_process

BUDGET_MS = 50
NUM_SLOTS = 2
POLITE_RATE = 3.0  # calls a second
POLITE_SECONDS = 8.0
ALLOWED_MORE_MS = 100.0  # than without a queue: 150 ms in all for a call of 50 ms
DEADLINE_SECONDS = 0.3
WARM_UP_SECONDS = 1.0
ATTEMPTS = 4
BUSY_MACHINE_MS = 1.4 * BUDGET_MS  # where calls of 50 ms take longer without any queue
FREE_CORES = 1.8  # that others leave: the server's two threads and the loops want more
SEEN = observation()


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


pytestmark = [
    pytest.mark.chaos,
    pytest.mark.skipif(not has_ipv6(), reason="needs IPv6 for two addresses"),
]


@dataclass
class Clients:
    """Two clients of a server with two slots.

    Attributes:
        greedy: of one address.
        polite: of another.
        busy_ms: time within which 95 % of calls end when there is one for each slot.
        capacity: calls a second that the server can answer.
    """

    greedy: grpc.aio.Channel
    polite: grpc.aio.Channel
    busy_ms: float
    capacity: float

    async def ask_politely(self) -> Load:
        call = select_move(self.polite, SEEN, BUDGET_MS)
        return await open_loop(call, POLITE_RATE, POLITE_SECONDS)

    async def check_polite(self, beside: str) -> None:
        """Check the mark; a machine that does other things may miss it once or twice."""
        times: list[float] = []
        others = OtherWork()
        for _ in range(ATTEMPTS):
            load = await self.ask_politely()
            times.append(load.milliseconds(0.95))
            worst = load.milliseconds(1.0)
            print(f"polite beside {beside}: p95 {times[-1]:.0f} ms, worst {worst:.0f} ms")
            print(f"others took {others.cores():.2f} cores")
            assert set(load.codes()) == {OK}
            if times[-1] <= self.busy_ms + ALLOWED_MORE_MS:
                return
        self.miss(times, others.cores())

    def miss(self, times: list[float], others: float) -> None:
        """Fail, unless this machine is shown to do too much else."""
        why = (
            f"p95 {times} ms, {self.busy_ms:.0f} ms without a queue, others take {others:.2f} cores"
        )
        if self.busy_ms > BUSY_MACHINE_MS or (psutil.cpu_count() or 1) - others < FREE_CORES:
            pytest.skip(f"this machine does too much else: {why}")
        pytest.fail(why)


class OtherWork:
    """Measures what the machine does besides this process and its children."""

    def __init__(self) -> None:
        self._start = time.perf_counter(), all_work() - own_work()

    def cores(self) -> float:
        """Return how many cores that took on average since the start."""
        seconds, work = self._start
        return (all_work() - own_work() - work) / (time.perf_counter() - seconds)


def all_work() -> float:
    """Return the processor seconds of all that has run here, and of what the host kept back."""
    times = psutil.cpu_times()
    return sum(times) - times.guest - times.guest_nice - times.idle - times.iowait


def own_work() -> float:
    """Return the processor seconds of this process and of its children."""
    here = psutil.Process()
    seconds = 0.0
    for process in (here, *here.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):  # it has ended meanwhile
            times = process.cpu_times()
            seconds += times.user + times.system + times.children_user + times.children_system
    return seconds


@asynccontextmanager
async def clients(folder: Path) -> AsyncIterator[Clients]:
    with server_process(folder, host="[::]", anonymous="player", slots=str(NUM_SLOTS)) as server:
        port = server.address.rpartition(":")[2]
        async with (
            grpc.aio.insecure_channel(f"127.0.0.1:{port}") as greedy,
            grpc.aio.insecure_channel(f"[::1]:{port}") as polite,
        ):
            call = select_move(greedy, SEEN, BUDGET_MS)
            await closed_loop(call, NUM_SLOTS, WARM_UP_SECONDS)
            busy = await closed_loop(call, NUM_SLOTS, 3.0)
            full = await closed_loop(call, 2 * NUM_SLOTS, 3.0)
            it = Clients(greedy, polite, busy.milliseconds(0.95), full.goodput)
            print(f"\nbusy {it.busy_ms:.0f} ms, capacity {it.capacity:.1f} calls/s")
            yield it


async def beside(
    work: Callable[[], Coroutine[object, object, object]], it: Clients, what: str
) -> None:
    """Let the polite client ask while the greedy one does its work."""
    task = asyncio.create_task(work())
    await asyncio.sleep(WARM_UP_SECONDS)
    await it.check_polite(what)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def all_of(calls: Iterable[Coroutine[object, object, object]]) -> None:
    """Await calls; a cancel ends them too."""
    async with asyncio.TaskGroup() as group:
        for each in calls:
            group.create_task(each)


async def test_a_flood_of_calls_is_not_felt_by_another_client(tmp_path: Path) -> None:
    async with clients(tmp_path) as it:
        call = select_move(it.greedy, SEEN, BUDGET_MS)
        await beside(
            lambda: open_loop(call, 8 * it.capacity, 4 * POLITE_SECONDS), it, "8 times the capacity"
        )


async def test_long_calls_are_not_felt_by_another_client(tmp_path: Path) -> None:
    async with clients(tmp_path) as it:
        call = select_move(it.greedy, SEEN, 60_000)
        await beside(lambda: all_of(sample(call) for _ in range(8)), it, "eight calls of 60 s")


async def test_streams_are_not_felt_by_another_client(tmp_path: Path) -> None:
    async with clients(tmp_path) as it:
        stub = AnalysisServiceStub(it.greedy)

        async def read() -> None:
            try:
                async for _ in stub.Analyze(pb.AnalyzeRequest(search=pb.Search(observation=SEEN))):
                    pass
            except grpc.aio.AioRpcError:
                pass

        await beside(lambda: all_of(read() for _ in range(500)), it, "500 streams")


async def test_bulk_calls_of_two_clients_share_the_slots(tmp_path: Path) -> None:
    async with clients(tmp_path) as it:
        greedy = [AnalysisServiceStub(it.greedy).Analyze(analysis()) for _ in range(4)]
        for stream in greedy[:2]:
            await stream.read()
        polite = AnalysisServiceStub(it.polite).Analyze(analysis())
        first = await asyncio.wait_for(polite.read(), 2)
        await asyncio.sleep(2)
        polite.cancel()
        assert not first.is_final
        for stream in greedy:
            stream.cancel()


async def test_goodput_stays_at_four_times_the_capacity(tmp_path: Path) -> None:
    async with clients(tmp_path) as it:
        call = select_move(it.greedy, SEEN, BUDGET_MS, DEADLINE_SECONDS)
        times: list[float] = []
        others = OtherWork()
        for _ in range(ATTEMPTS):
            load = await open_loop(call, 4 * it.capacity, 6.0)
            times.append(load.milliseconds(0.95))
            print(f"goodput {load.goodput / it.capacity:.0%} of the capacity, {load.codes()}")
            print(f"p50 {load.milliseconds(0.5):.0f} ms, p95 {times[-1]:.0f} ms")
            assert load.goodput >= 0.8 * it.capacity
            assert load.count("DEADLINE_EXCEEDED") <= 0.05 * len(load.samples)
            if times[-1] <= it.busy_ms + ALLOWED_MORE_MS:
                return
        it.miss(times, others.cores())


def analysis() -> pb.AnalyzeRequest:
    return pb.AnalyzeRequest(search=pb.Search(observation=SEEN))
