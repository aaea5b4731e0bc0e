"""Standard health checking and reflection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from .support import Service, serving

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


@pytest.mark.parametrize("name", ["", *SERVICES])
async def test_every_service_is_healthy(service: Service, name: str) -> None:
    stub: Any = health_pb2_grpc.HealthStub(service.channel)
    answer = await stub.Check(health_pb2.HealthCheckRequest(service=name))
    assert answer.status == SERVING


async def test_the_health_of_an_unknown_service_is_not_found(service: Service) -> None:
    stub: Any = health_pb2_grpc.HealthStub(service.channel)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stub.Check(health_pb2.HealthCheckRequest(service="chess"))
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND


async def test_who_watches_is_reported_that_the_server_drains() -> None:
    async with serving() as service:
        stub: Any = health_pb2_grpc.HealthStub(service.channel)
        watch = aiter(stub.Watch(health_pb2.HealthCheckRequest()))
        assert (await anext(watch)).status == SERVING
        draining = asyncio.create_task(service.server.drain())
        assert (await anext(watch)).status == NOT_SERVING
        await draining


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
