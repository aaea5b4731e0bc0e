"""Standard health checking.

Every service that the settings do not leave out is SERVING from the start of the server to its
drain.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_health.v1 import health_pb2 as pb
from grpc_health.v1 import health_pb2_grpc

from .identity import Context


class HealthServicer(health_pb2_grpc.HealthServicer):  # type: ignore[misc]  # ships without types
    """grpc.health.v1.Health.

    Not gRPC's own: there a watcher that reads nothing keeps the lock that others, and the drain,
    wait for. Watch is a generator here, as the streams of our own services are.

    Args:
        services: full names of all services of the server.
    """

    def __init__(self, services: Iterable[str]) -> None:
        self._services = frozenset(("", *services))
        self._off: frozenset[str] = frozenset()
        self._is_serving = False
        self._changed = asyncio.Event()

    def turn_off(self, services: Iterable[str]) -> None:
        """Say that calls of some services are not taken, as the settings leave them out."""
        self._off = frozenset(services)

    def set_serving(self, is_serving: bool) -> None:
        """Say whether calls are taken, to those who watch too."""
        self._is_serving = is_serving
        self._changed.set()
        self._changed = asyncio.Event()

    async def Check(self, request: pb.HealthCheckRequest, context: Context) -> Any:
        """Return the status of a service."""
        if request.service not in self._services:
            await context.abort(grpc.StatusCode.NOT_FOUND, "there is no such service")
        return pb.HealthCheckResponse(status=self._status(request.service))

    async def List(self, request: Any, context: Context) -> Any:
        """Return the status of each service."""
        statuses = {
            name: pb.HealthCheckResponse(status=self._status(name)) for name in self._services
        }
        return pb.HealthListResponse(statuses=statuses)

    async def Watch(self, request: pb.HealthCheckRequest, context: Context) -> AsyncIterator[Any]:
        """Stream the status of a service, now and whenever it changes, until the caller leaves."""
        last = None
        while True:
            changed, status = self._changed, self._status(request.service)
            if status != last:
                yield pb.HealthCheckResponse(status=status)
                last = status
            else:
                await changed.wait()

    def _status(self, service: str) -> Any:
        if service not in self._services:
            return pb.HealthCheckResponse.SERVICE_UNKNOWN
        if self._is_serving and service not in self._off:
            return pb.HealthCheckResponse.SERVING
        return pb.HealthCheckResponse.NOT_SERVING
