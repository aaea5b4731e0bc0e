"""Clients of a full server: refusals, calls that end early, and searches that give way."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub

from .support import Service, failure_of, midgame, observation_of, seconds, serving, until


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
    async with serving(slots=1, interactive_queue=2, client_share=0.5) as service:
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


async def test_open_analyses_of_a_client_do_not_stop_its_moves() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        seen = observation_of(midgame())
        search = pb.Search(observation=seen, budget=seconds(20))
        streams = [service.analysis.Analyze(pb.AnalyzeRequest(search=search)) for _ in range(4)]
        readers = [asyncio.create_task(anext(aiter(stream))) for stream in streams]
        await until(lambda: service.server.status().live == 2)
        for _ in range(5):
            played = await service.analysis.SelectMove(
                pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=seconds(0.05))),
                timeout=3,
            )
            assert played.report.simulations > 0
        await until(lambda: service.server.status().live == 2)  # the analyses go on
        for stream in streams:
            stream.cancel()
        await asyncio.gather(*readers, return_exceptions=True)


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
