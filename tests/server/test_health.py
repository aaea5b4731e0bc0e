"""Standard health checking and reflection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from .raw_http2 import call, connection
from .support import Service, failure_of, serving

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING
SERVICES = [
    "kingmaker.v1.AnalysisService",
    "kingmaker.v1.BatchService",
    "kingmaker.v1.BotService",
    "kingmaker.v1.GameService",
    "kingmaker.v1.LadderService",
    "kingmaker.v1.MatchService",
    "kingmaker.v1.ReviewService",
]
HEALTH, REFLECTION = "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"


OFF = {"kingmaker.v1.BatchService", "kingmaker.v1.LadderService", "kingmaker.v1.MatchService"}


@pytest.mark.parametrize("name", ["", *SERVICES])
async def test_every_service_that_is_on_is_healthy(service: Service, name: str) -> None:
    """The settings of this server leave ladders, matches and batches out."""
    stub: Any = health_pb2_grpc.HealthStub(service.channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
    assert answer.status == (NOT_SERVING if name in OFF else SERVING)


async def test_services_that_the_settings_turn_on_are_healthy(tmp_path: Path) -> None:
    files = {name: str(tmp_path / name) for name in ("ladders", "matches", "batches")}
    async with serving(**files) as service:
        stub: Any = health_pb2_grpc.HealthStub(service.channel)
        answer = await stub.List(health_pb2.HealthListRequest())
        assert {each.status for each in answer.statuses.values()} == {SERVING}


async def test_the_health_of_an_unknown_service_is_not_found(service: Service) -> None:
    stub: Any = health_pb2_grpc.HealthStub(service.channel)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Check(health_pb2.HealthCheckRequest(service="chess"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def test_the_health_of_all_services_is_listed(service: Service) -> None:
    stub: Any = health_pb2_grpc.HealthStub(service.channel)
    answer = await stub.List(health_pb2.HealthListRequest())
    assert set(answer.statuses) == {"", *SERVICES}
    assert {name for name, each in answer.statuses.items() if each.status == SERVING} == {
        "",
        *SERVICES,
    } - OFF


async def test_who_watches_is_reported_that_the_server_drains() -> None:
    async with serving() as service:
        stub: Any = health_pb2_grpc.HealthStub(service.channel)
        watch = aiter(stub.Watch(health_pb2.HealthCheckRequest()))
        assert (await anext(watch)).status == SERVING
        draining = asyncio.create_task(service.server.drain())
        assert (await anext(watch)).status == NOT_SERVING
        await draining


async def test_who_watches_an_unknown_service_is_reported_so() -> None:
    async with serving() as service:
        stub: Any = health_pb2_grpc.HealthStub(service.channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest(service="chess"))
        answer = await watch.read()
        assert answer.status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


async def test_a_watcher_that_reads_nothing_holds_up_nobody() -> None:
    """Nor the drain: its answer can't be sent, as its stream takes no bytes."""
    async with serving(grace_seconds=5.0) as service:
        with connection(service.server.address, window=0) as stalled:
            stalled.sendall(call(1, "/grpc.health.v1.Health/Watch"))
            await asyncio.sleep(0.3)
            stub: Any = health_pb2_grpc.HealthStub(service.channel)
            watch = stub.Watch(health_pb2.HealthCheckRequest())
            assert (await asyncio.wait_for(watch.read(), 5)).status == SERVING
            draining = asyncio.create_task(service.server.drain())
            assert (await asyncio.wait_for(watch.read(), 5)).status == NOT_SERVING
            await asyncio.wait_for(draining, 10)


@pytest.mark.parametrize("method", ["Check", "Watch"])
async def test_a_large_request_is_refused_unread(service: Service, method: str) -> None:
    start: Any = service.channel.unary_stream(f"/grpc.health.v1.Health/{method}")
    failed = await failure_of(start(b"\xff" * 70_000))
    assert failed.info.reason == "REQUEST_TOO_LARGE"


async def reflect(
    service: Service, request: reflection_pb2.ServerReflectionRequest
) -> reflection_pb2.ServerReflectionResponse:
    async def requests() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
        yield request

    stub: Any = reflection_pb2_grpc.ServerReflectionStub(service.channel)
    return await anext(aiter(stub.ServerReflectionInfo(requests())))


async def test_reflection_lists_all_services(service: Service) -> None:
    answer = await reflect(service, reflection_pb2.ServerReflectionRequest(list_services=""))
    found = [each.name for each in answer.list_services_response.service]
    assert found == sorted([*SERVICES, HEALTH, REFLECTION])


@pytest.mark.parametrize("name", [*SERVICES, HEALTH])
async def test_reflection_describes_every_service(service: Service, name: str) -> None:
    request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=name)
    answer = await reflect(service, request)
    files = [
        FileDescriptorProto.FromString(data)
        for data in answer.file_descriptor_response.file_descriptor_proto
    ]
    assert name.rpartition(".")[2] in [each.name for file in files for each in file.service]
