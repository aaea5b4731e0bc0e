"""The tools for agents at the HTTP port, with the identity, limits and log of every other call.

A request of the Model Context Protocol passes the interceptor as if it were a unary call named
`AGENTS`. Tools that search take slots as calls do, on threads of this process.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from typing import Any

import grpc
from starlette.requests import ClientDisconnect, Request

from kingmaker.agents.coach import MAX_SECONDS
from kingmaker.agents.play import Rules
from kingmaker.agents.server import make_server
from kingmaker.cext.errors import StateError

from ..errors import DrainingError, ForbiddenError, OverloadError
from ..identity import CALLER
from ..limits import LARGE_REQUEST_BYTES
from ..pool.lines import Claim
from ..pool.searches import SearchPool
from ..roles import AGENTS
from ..settings import ServerSettings
from .asgi import AsgiContext, Receive, RefusedError, Scope, Send
from .calls import Call

REFUSALS = (HTTPStatus.FORBIDDEN, HTTPStatus.MISDIRECTED_REQUEST)
"""By the library: the origin or the host of the request is not allowed."""


class AgentCalls:
    """An ASGI application: the tools for agents, behind the interceptors.

    Args:
        settings: with `web` and `mcp` set.
        interceptors: of the gRPC server.
        pool: for slots.

    Raises:
        InputError: the key of seals is malformed.
    """

    def __init__(
        self,
        settings: ServerSettings,
        interceptors: Sequence[grpc.aio.ServerInterceptor],
        pool: SearchPool,
    ) -> None:
        usual = Rules()
        memory = min(usual.max_memory_bytes, settings.max_memory_bytes)
        rules = Rules(
            max_ms=min(usual.max_ms, 1000 * settings.max_seconds),
            max_simulations=min(usual.max_simulations, settings.max_simulations),
            max_memory_bytes=memory,
        )
        server = make_server(
            rules,
            keys=tuple(key for key in settings.mcp_key.split(",") if key),
            turn=partial(_turn, pool, settings.queue_seconds, memory),
        )
        # On loopback addresses it refuses requests that browsers make for other sites.
        self._tools: Any = server.streamable_http_app(
            streamable_http_path=AGENTS,
            stateless_http=True,
            json_response=True,
            host=settings.web_address[0],
        )
        self._manager = server.session_manager
        self._find = self._handler
        for interceptor in reversed(interceptors):
            self._find = partial(interceptor.intercept_service, self._find)
        self._started, self._stopping = asyncio.Event(), asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Get ready for requests."""
        self._running = asyncio.create_task(self._run())
        await self._started.wait()

    async def stop(self) -> None:
        """End all requests."""
        self._stopping.set()
        if self._running is not None:
            await self._running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        request = Request(scope, receive)
        try:
            body = await _body(request, LARGE_REQUEST_BYTES[AGENTS])
        except ClientDisconnect:
            return
        context = AsgiContext(request, send)
        handler = await self._find(Call(AGENTS, context.invocation_metadata()))
        try:
            await handler.unary_unary(body, context)
        except RefusedError as refused:
            if context.status is None:
                await refused.answer()(scope, receive, send)

    async def _run(self) -> None:
        # In a task of its own, as a task group must end in the task in which it began.
        async with self._manager.run():
            self._started.set()
            await self._stopping.wait()

    async def _handler(self, _: Any) -> Any:
        return grpc.unary_unary_rpc_method_handler(self._answer, request_deserializer=bytes)

    async def _answer(self, body: bytes, context: AsgiContext) -> None:
        messages = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Any:
            return messages.pop() if messages else await context.request.receive()

        await self._tools(context.request.scope, receive, context.send)
        if context.status in REFUSALS:
            raise ForbiddenError("the host or the origin of the request is not one that may call")


async def _body(request: Request, most: int) -> bytes:
    """Read a request up to a byte more than it may have, by which the interceptor refuses it."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            return bytes(body[: most + 1])
    return bytes(body)


@asynccontextmanager
async def _turn(pool: SearchPool, patience: float, memory_bytes: int) -> AsyncIterator[None]:
    """Wait for a slot of the running call's client.

    Raises:
        StateError: there is none in time.
    """
    claim = Claim(
        CALLER.get().client, seconds=MAX_SECONDS, patience=patience, memory_bytes=memory_bytes
    )
    try:
        async with pool.hold(claim):
            yield
    except (OverloadError, DrainingError) as error:
        raise StateError(str(error)) from None
