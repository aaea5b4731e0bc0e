"""What a client may use up: calls, search time, streams, places in the queue."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import structlog
from grpc_health.v1 import health_pb2, health_pb2_grpc

from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import (
    analysis_service_pb2_grpc,
    bot_service_pb2_grpc,
    match_service_pb2,
    review_service_pb2,
)
from kingmaker.v1 import bot_service_pb2 as bots_pb
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub
from kingmaker.v1.review_service_pb2_grpc import ReviewServiceStub

from .named_callers import connect, header, list_games, refused, search, table, write
from .support import failure_of, serving, until

CODE = grpc.StatusCode


async def test_the_slots_are_divided_by_the_shares_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "tokens.toml"
    shares = {"alice": "0.8", "bob": "0.1"}
    path.write_text("\n".join(table(name, ["player"], share=shares[name]) for name in shares))
    async with serving(slots=1, tokens=path) as service:

        async def simulations(name: str) -> int:
            request = pb.AnalyzeRequest(search=search(1.5).search)
            stream = service.analysis.Analyze(request, metadata=header(name))
            answers: list[pb.AnalyzeResponse] = [answer async for answer in stream]
            return answers[-1].report.simulations

        alice, bob = await asyncio.gather(*map(simulations, shares))
    assert alice > 2 * bob > 0


async def test_calls_are_counted_by_name(tokens: Path) -> None:
    write(tokens, table("alice", ["player"]) + table("bob", ["player"], calls_per_minute="5"))
    async with serving(tokens=tokens, calls_per_minute=2) as service:
        for name, number in (("alice", 2), ("bob", 5)):
            for _ in range(number):
                await list_games(service, *header(name))
            failed = await refused(service, *header(name))
            assert (failed.code, failed.info.reason) == (CODE.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
            assert failed.details["QuotaFailure"].violations[0].subject == f"client:{name}"
            wait = failed.details["RetryInfo"].retry_delay.ToMilliseconds() / 1000
            assert 0 < wait <= 60 / number


async def test_the_log_says_why_a_call_was_refused(tokens: Path) -> None:
    with structlog.testing.capture_logs() as lines:
        async with serving(tokens=tokens, calls_per_minute=1) as service:
            await list_games(service, *header("alice"))
            await refused(service, *header("alice"))
            await refused(service)
    calls = [line for line in lines if line["event"] == "call"]
    assert [(line.get("reason"), line.get("limit")) for line in calls] == [
        (None, None),
        ("QUOTA_EXCEEDED", "client"),
        ("UNAUTHENTICATED", None),
    ]


async def test_search_time_is_counted_after_it_was_used(tokens: Path) -> None:
    async with serving(tokens=tokens, search_seconds_per_minute=0.6, slots=2) as service:
        await service.analysis.SelectMove(search(0.1), metadata=header("alice"))
        await service.analysis.SelectMove(search(1.0), metadata=header("alice"))
        await until(lambda: service.server.status().running == 0)  # its time is known
        failed = await failure_of(
            service.analysis.SelectMove(search(0.1), metadata=header("alice"))
        )
        assert failed.info.reason == "QUOTA_EXCEEDED"
        assert failed.details["RetryInfo"].retry_delay.seconds > 10
        await list_games(service, *header("alice"))
        await service.analysis.SelectMove(search(0.1), metadata=header("bob"))


async def test_every_call_that_searches_is_refused_without_search_time(tokens: Path) -> None:
    async with serving(tokens=tokens, search_seconds_per_minute=0.01, slots=2) as service:
        await service.analysis.SelectMove(search(0.1), metadata=header("alice"))
        await until(lambda: service.server.status().running == 0)  # its time is known
        reviews: Any = ReviewServiceStub(service.channel)
        matches: Any = MatchServiceStub(service.channel)
        for call, request in (
            (service.analysis.SuggestMoves, pb.SuggestMovesRequest()),
            (reviews.ReviewGame, review_service_pb2.ReviewGameRequest()),
            (matches.GetMatchHint, match_service_pb2.GetMatchHintRequest()),
        ):
            failed = await failure_of(call(request, metadata=header("alice")))
            assert failed.info.reason == "QUOTA_EXCEEDED"


async def test_a_cancelled_search_counts_too(tokens: Path) -> None:
    async with serving(tokens=tokens, search_seconds_per_minute=0.2, slots=2) as service:
        call = service.analysis.SelectMove(search(60), metadata=header("alice"))
        await asyncio.sleep(0.5)
        call.cancel()
        await until(lambda: service.server.status().running == 0)
        failed = await failure_of(service.analysis.SelectMove(search(), metadata=header("alice")))
        assert failed.info.reason == "QUOTA_EXCEEDED"


async def test_open_streams_of_a_client_are_limited(tokens: Path) -> None:
    async with serving(tokens=tokens, max_client_streams=2, max_streams=3) as service:
        stub: Any = bot_service_pb2_grpc.BotServiceStub(service.channel)

        def begin(who: str, bot: str) -> Any:
            return stub.Connect(bots_pb.ConnectRequest(name=bot), metadata=header(who))

        streams = [(await connect(service, "rook", bot))[0] for bot in ("a", "b")]
        failed = await failure_of(begin("rook", "c"))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        assert failed.details["QuotaFailure"].violations[0].subject == "client:rook"
        await connect(service, "queen", "c")
        failed = await failure_of(begin("queen", "d"))
        assert failed.details["QuotaFailure"].violations[0].subject == "streams"
        streams[0].cancel()
        await asyncio.sleep(0.2)
        await connect(service, "rook", "d")


async def test_who_only_watches_the_health_is_counted_too() -> None:
    async with serving(max_client_streams=2) as service:
        health: Any = health_pb2_grpc.HealthStub(service.channel)
        for _ in range(2):
            watch = health.Watch(health_pb2.HealthCheckRequest())
            assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        failed = await failure_of(health.Watch(health_pb2.HealthCheckRequest()))
        assert failed.code is CODE.RESOURCE_EXHAUSTED
        await health.Check(health_pb2.HealthCheckRequest())


async def test_who_watches_the_health_takes_no_streams_from_others(tokens: Path) -> None:
    async with serving(tokens=tokens, anonymous="", max_streams=1) as service:
        health: Any = health_pb2_grpc.HealthStub(service.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        await connect(service, "rook", "a")


async def test_a_share_of_the_file_counts_in_place_of_the_usual_one(tokens: Path) -> None:
    write(tokens, table("alice", ["player"]) + table("bob", ["player"], share="1"))
    usual = {"slots": 1, "interactive_queue": 3, "client_share": 0.25}
    async with serving(tokens=tokens, **usual) as service:
        stubs = analysis_service_pb2_grpc.AnalysisServiceStub(service.channel)
        for name, places in (("alice", 1), ("bob", 3)):
            await until(lambda: service.server.status().running == 0)
            calls = [
                asyncio.ensure_future(failure_or_answer(stubs, search(0.3), name))
                for _ in range(places + 2)
            ]
            found = await asyncio.gather(*calls)
            assert found.count(CODE.OK) == 1 + places  # one has the slot


async def failure_or_answer(stub: Any, request: Any, name: str) -> grpc.StatusCode:
    try:
        await stub.SelectMove(request, metadata=header(name))
    except grpc.aio.AioRpcError as error:
        return error.code()
    return CODE.OK
