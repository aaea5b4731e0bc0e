"""Slots, queues, shares and the order in which calls get their turn."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

import grpc
import pytest

from kingmaker.server.errors import DrainingError, OverloadError
from kingmaker.server.pool.admission import Admission, Ticket
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub

from .support import Service, failure_of, midgame, observation_of, seconds, serving, until


def admission(
    slots: int = 1, interactive: int = 10, bulk: int = 10, share: float = 1.0
) -> Admission:
    return Admission(slots, interactive, bulk, lambda client: share, lambda client, seconds: None)


async def start(entering: Coroutine[Any, Any, Ticket]) -> asyncio.Task[Ticket]:
    """Let a call get as far as it can without waiting for others."""
    task = asyncio.create_task(entering)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    return task


async def settle() -> None:
    for _ in range(3):
        await asyncio.sleep(0)


async def test_interactive_calls_go_before_bulk_ones() -> None:
    gate = admission()
    held = await gate.enter("a")
    bulk = await start(gate.enter("a", is_bulk=True))
    interactive = await start(gate.enter("a"))
    gate.leave(held)
    await settle()
    assert interactive.done()
    assert not bulk.done()
    gate.leave(await interactive)
    await settle()
    assert bulk.done()


async def test_the_client_with_the_fewest_slots_is_next() -> None:
    gate = admission(slots=2)
    first, second = await gate.enter("greedy"), await gate.enter("greedy")
    greedy = await start(gate.enter("greedy"))
    modest = await start(gate.enter("modest"))
    gate.leave(first)
    await settle()
    assert modest.done()
    assert not greedy.done()
    gate.leave(second)
    await settle()
    assert greedy.done()


async def test_among_equals_the_longest_waiting_is_next() -> None:
    gate = admission()
    held = await gate.enter("z")
    waiting = [await start(gate.enter(client)) for client in "abc"]
    gate.leave(held)
    for expected in range(3):
        await settle()
        assert [task.done() for task in waiting] == [i <= expected for i in range(3)]
        gate.leave(await waiting[expected])


async def test_nobody_waits_behind_all_that_another_client_sent_before() -> None:
    gate = admission()
    held = await gate.enter("busy")
    busy = [await start(gate.enter("busy")) for _ in range(3)]
    late = await start(gate.enter("late"))
    order = [busy[0], late, busy[1], busy[2]]
    gate.leave(held)
    for expected in range(4):
        await settle()
        assert [task.done() for task in order] == [i <= expected for i in range(4)]
        gate.leave(await order[expected])


async def test_a_search_with_two_threads_takes_two_slots() -> None:
    gate = admission(slots=2)
    held = await gate.enter("a")
    wide = await start(gate.enter("a", threads=2))
    narrow = await start(gate.enter("a"))
    await settle()
    assert not wide.done()
    assert not narrow.done(), "it must not overtake who came before"
    gate.leave(held)
    await settle()
    assert wide.done()
    assert not narrow.done()
    assert gate.status().running == 2


async def test_a_full_queue_refuses_at_once() -> None:
    gate = admission(interactive=1)
    await gate.enter("a")
    await start(gate.enter("b"))
    with pytest.raises(OverloadError, match="1 interactive calls wait") as caught:
        await gate.enter("c")
    assert 0.05 <= caught.value.retry_seconds <= 10
    assert gate.status().refused == 1


async def test_a_client_gets_no_more_than_its_share() -> None:
    gate = admission(slots=2, interactive=2, share=0.5)
    await gate.enter("a")
    await gate.enter("a")
    with pytest.raises(OverloadError, match="a has 2 calls"):
        await gate.enter("a")
    await start(gate.enter("b"))
    assert gate.status().waiting_interactive == 1


async def test_who_gives_up_waiting_frees_his_place() -> None:
    gate = admission(interactive=1)
    held = await gate.enter("a")
    waiting = await start(gate.enter("b"))
    waiting.cancel()
    await settle()
    assert gate.status().waiting_interactive == 0
    gate.leave(held)
    assert gate.status().running == 0
    gate.leave(await gate.enter("c"))


async def test_who_gives_up_when_his_turn_comes_frees_the_slot() -> None:
    gate = admission()
    held = await gate.enter("a")
    waiting = await start(gate.enter("b"))
    gate.leave(held)
    waiting.cancel()
    await settle()
    assert waiting.cancelled()
    assert gate.status().running == 0


async def test_who_had_given_way_is_first_of_his_queue_and_never_refused() -> None:
    gate = admission(bulk=1, share=0.5)
    held = await gate.enter("z")
    later = await start(gate.enter("a", is_bulk=True))
    back = await start(gate.enter("z", is_bulk=True, is_return=True))
    gate.leave(held)
    await settle()
    assert back.done()
    assert not later.done()


async def test_closing_sends_away_who_waits_and_who_comes() -> None:
    gate = admission()
    held = await gate.enter("a")
    waiting = await start(gate.enter("b"))
    gate.close()
    await settle()
    with pytest.raises(DrainingError):
        await waiting
    with pytest.raises(DrainingError):
        await gate.enter("c")
    gate.leave(held)
    assert gate.status().running == 0


async def test_the_status_says_how_long_the_oldest_waits() -> None:
    gate = admission()
    await gate.enter("a")
    assert gate.status().oldest_seconds == 0
    await start(gate.enter("b"))
    await asyncio.sleep(0.02)
    assert 0.01 < gate.status().oldest_seconds < 5


def long_search(service: Service, **fields: Any) -> Any:
    request = pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=seconds(30), **fields)
    )
    return service.analysis.SelectMove(request)


async def test_a_full_server_answers_resource_exhausted_with_retry_info() -> None:
    async with serving(slots=1, interactive_queue=1, client_share=1.0) as service:
        calls = [long_search(service)]
        await until(lambda: service.server.status().running == 1)
        calls.append(long_search(service))
        await until(lambda: service.server.status().waiting_interactive == 1)
        failed = await asyncio.wait_for(failure_of(long_search(service)), 2)
        assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert failed.info.reason == "SERVER_BUSY"
        assert failed.details["RetryInfo"].retry_delay.ToMilliseconds() >= 50
        [violation] = failed.details["QuotaFailure"].violations
        assert violation.subject == "queue:interactive"
        for call in calls:
            call.cancel()


async def test_a_client_over_its_share_is_reported_so() -> None:
    async with serving(slots=1, interactive_queue=3, client_share=0.5) as service:
        calls = [long_search(service), long_search(service)]
        await until(lambda: service.server.status().waiting_interactive == 1)
        failed = await failure_of(long_search(service))
        assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        [violation] = failed.details["QuotaFailure"].violations
        assert violation.subject == "client:ipv4:127.0.0.1"
        for call in calls:
            call.cancel()


async def test_a_cancelled_call_frees_its_slot_at_once() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        for _ in range(5):
            call = long_search(service)
            await until(lambda: service.server.status().running == 1)
            call.cancel()
            # Milliseconds on an idle machine; the bound is for a busy one.
            assert await until(lambda: service.server.status().running == 0) < 0.5


async def test_a_caller_that_hangs_up_frees_its_slot() -> None:
    async with serving(slots=1) as service:
        channel = grpc.aio.insecure_channel(service.server.address)
        call = AnalysisServiceStub(channel).SelectMove(
            pb.SelectMoveRequest(
                search=pb.Search(observation=observation_of(midgame()), budget=seconds(30))
            )
        )
        await until(lambda: service.server.status().running == 1)
        await channel.close()
        assert await until(lambda: service.server.status().running == 0) < 0.5
        assert call.done()


async def test_a_cancelled_call_leaves_the_queue_at_once() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        first = long_search(service)
        await until(lambda: service.server.status().running == 1)
        second = long_search(service)
        await until(lambda: service.server.status().waiting_interactive == 1)
        second.cancel()
        assert await until(lambda: service.server.status().waiting_interactive == 0) < 0.5
        assert service.server.status().running == 1
        first.cancel()


async def test_a_running_analysis_lets_a_player_go_first() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        seen = observation_of(midgame())
        stream = service.analysis.Analyze(
            pb.AnalyzeRequest(search=pb.Search(observation=seen, budget=seconds(1.2)))
        )
        reader = aiter(stream)
        before = await anext(reader)
        played = await asyncio.wait_for(
            service.analysis.SelectMove(
                pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=seconds(0.05)))
            ),
            timeout=1,
        )
        assert played.report.simulations > 0
        rest = [answer async for answer in reader]
        assert rest[-1].is_final
        assert rest[-1].report.simulations > before.report.simulations
        assert rest[-1].report.stop_reason == types_pb2.STOP_REASON_TIME
