"""The HTTP port of the service: its listener, its routes, and the headers of its answers.

uvicorn runs in the event loop of the gRPC server, without signal handlers and log files of its own.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Sequence
from functools import cache, partial
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from stat import S_ISDIR
from typing import TYPE_CHECKING, Any

import grpc
import uvicorn
from connectrpc.code import Code
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..limits import MAX_REQUEST_BYTES
from ..listening import ListenError
from ..roles import AGENTS
from ..settings import ServerSettings
from ..telemetry.calls import REQUEST_ID_KEY
from ..tls import tls_context
from .acceptor import Acceptor
from .asgi import AsgiContext, Receive, RefusedError, Scope, Send
from .calls import Calls
from .form import Fault, form_fault, no_call
from .openapi import openapi
from .protocol import Connections, Protocol
from .unread import ERRORS

if TYPE_CHECKING:
    from .agents import AgentCalls

DRAINED = RefusedError(Code.UNAVAILABLE, "the server shuts down and breaks off this request", {})
MISSES = (HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED)  # no file of the page is meant
SUFFIXES = frozenset({".html", ".css", ".js", ".svg"})
BACKLOG = 128  # connections that wait to be accepted
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
PAGE_HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),  # asks again each time, and is told that nothing has changed
]
CONNECT_HEADERS = [
    *("authorization", "connect-protocol-version", "connect-timeout-ms", "content-type"),
    *("grpc-timeout", "x-grpc-web", "x-user-agent"),
    *(REQUEST_ID_KEY, "traceparent", "tracestate"),
]
EXPOSED_HEADERS = [
    *("grpc-status", "grpc-message", "grpc-status-details-bin"),
    *("retry-after", REQUEST_ID_KEY),
]


class Door:
    """The HTTP port of a server.

    Args:
        settings: with `web` set.
        services: full names of the services.
        handlers: of the gRPC server.
        interceptors: of the gRPC server.
        agents: the tools for agents; None: there are none.

    Attributes:
        url: where it listens, with the real port.

    Raises:
        ListenError: the address can't be bound.
        InputError: a file of TLS can't be used.
    """

    def __init__(
        self,
        settings: ServerSettings,
        services: Sequence[str],
        handlers: Sequence[grpc.GenericRpcHandler],
        interceptors: Sequence[grpc.aio.ServerInterceptor],
        agents: AgentCalls | None = None,
    ) -> None:
        self._agents = agents
        calls = Calls(services, handlers, interceptors, MAX_REQUEST_BYTES)
        self._tls = tls_context(settings)
        self._socket = _listen(*settings.web_address)
        host, port = self._socket.getsockname()[:2]
        scheme = "http" if self._tls is None else "https"
        self.url = f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"
        self._server = uvicorn.Server(
            uvicorn.Config(
                _application(calls, agents, tuple(services), settings.origins),
                lifespan="off",
                ws="none",  # an upgraded connection would count for ever
                http=Protocol,
                log_config=None,
                log_level="error",  # protocol.py logs what it warns of, with the peer
                access_log=False,
                server_header=False,
                proxy_headers=False,  # server/identity.py reads them
            )
        )
        self._connections = Connections(settings)
        self._acceptor: Acceptor | None = None
        self._clock: asyncio.Task[None] | None = None
        self._stopping: asyncio.Future[None] | None = None

    async def start(self) -> None:
        """Start to accept calls."""
        if self._agents is not None:
            await self._agents.start()
        server, config = self._server, self._server.config
        config.load()
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[])  # the acceptor has it
        self._acceptor = Acceptor(
            self._socket,
            self._connections,
            self._tls,
            partial(Protocol, config=config, server_state=server.server_state, app_state={}),
        )
        self._clock = asyncio.create_task(self._tell_the_date())

    async def stop(self, seconds: float) -> None:
        """Close the port; calls that run after `seconds` are cancelled. A second stop joins it."""
        if self._stopping is None:
            self._stopping = asyncio.ensure_future(self._stop(seconds))
        await asyncio.shield(self._stopping)

    async def _stop(self, seconds: float) -> None:
        if self._clock is not None:
            self._clock.cancel()
        if self._acceptor is not None:
            await self._acceptor.stop()
        self.close()
        await self._finish(seconds)
        if self._agents is not None:
            await self._agents.stop()

    async def _tell_the_date(self) -> None:
        """Renew the date of answers, all that uvicorn's main loop would do for us."""
        while True:
            await self._server.on_tick(0)
            await asyncio.sleep(1)

    async def _finish(self, seconds: float) -> None:
        """Wait until requests are answered and connections closed, and cancel what takes longer.

        uvicorn's own shutdown looks only every tenth of a second, and first after one.
        """
        state = self._server.server_state
        ends: list[asyncio.Task[Any]] = [*state.tasks]
        connections: list[Any] = [*state.connections]  # each a `Protocol`
        for connection in connections:
            connection.shutdown()
            ends.append(asyncio.create_task(connection.closed.wait()))
        if ends:
            _, late = await asyncio.wait(ends, timeout=seconds)
            for task in late:
                task.cancel()

    def close(self) -> None:
        """Close the port, which has not answered yet or no longer does."""
        self._socket.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server(
            (host, port),
            family=family,
            backlog=BACKLOG,
            dualstack_ipv6=host == "::" and socket.has_dualstack_ipv6(),
        )
    except (OSError, OverflowError):
        raise ListenError(host, port) from None
    # Connections inherit it, and asyncio sets it only on sockets that name their protocol. Without
    # it the second part of an answer waits 40 ms for the receipt of the first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _application(
    calls: Calls, agents: AgentCalls | None, services: tuple[str, ...], origins: Sequence[str]
) -> Any:
    """Build the application: calls, tools for agents, the OpenAPI document, the page."""
    site = _site(services)
    any_calls: Any = calls

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        context = AsgiContext(Request(scope), send)
        try:
            await answer(context, receive)
        except asyncio.CancelledError:  # at the end of a drain; uvicorn would log it as our error
            if context.status is None:
                await DRAINED.answer()(scope, receive, send)
            elif not context.is_answered:
                raise

    async def answer(context: AsgiContext, receive: Receive) -> None:
        scope, send = context.request.scope, context.send
        if agents is not None and scope["path"] == AGENTS:
            await agents(scope, receive, send)
        elif (fault := _fault(scope, calls)) is not None:
            refused = await _refused(context, calls, fault)
            await refused(scope, receive, send)
        elif scope["path"] in calls.paths:
            await any_calls(scope, receive, send)
        else:
            await site(scope, receive, send)
            if context.status in MISSES:
                await _refused(context, calls, no_call(scope["path"], calls.paths))

    if not origins:
        return application
    return CORSMiddleware(
        application,
        allow_origins=origins,
        allow_methods=["GET", "POST"],
        allow_headers=CONNECT_HEADERS,
        expose_headers=EXPOSED_HEADERS,
        max_age=3600,
    )


def _fault(scope: Scope, calls: Calls) -> Fault | None:
    """Find out why a request is no call; None: it is one, or for a file of the page."""
    path, method = scope["path"], scope["method"]
    if path in calls.paths:
        is_stream = path in calls.streams
        return form_fault(path, method, Headers(scope=scope), is_stream=is_stream)
    return no_call(path, calls.paths) if method == "POST" else None


async def _refused(context: AsgiContext, calls: Calls, fault: Fault) -> JSONResponse:
    """Refuse a request by the interceptors, which log and count it, in the form of Connect."""
    path, error = context.request.scope["path"], ERRORS[fault.code](fault.message)
    try:
        await calls.refuse(path, error, context)
    except RefusedError as refused:
        if refused.code is not fault.code:  # the caller may not know more
            return refused.answer()
        headers = {**fault.headers, **refused.headers}
    body = {"code": fault.code.value, "message": fault.message}
    return JSONResponse(body, fault.status, headers)


def _site(services: tuple[str, ...]) -> Starlette:
    async def document(_: Request) -> Response:
        return JSONResponse(_openapi(services))

    return Starlette(
        routes=[
            Route("/openapi.json", document),
            Mount("/", _Files(directory=str(files("kingmaker.web")), html=True)),
        ],
        middleware=[Middleware(GZipMiddleware), Middleware(_PageHeaders)],
    )


class _Files(StaticFiles):
    """The files of the page, without what else lies in its folder, as it is a package, too."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        full, found = super().lookup_path(path)
        name = Path(full)
        is_served = name.suffix in SUFFIXES or name.stem == "LICENSE"
        is_folder = found is not None and S_ISDIR(found.st_mode)  # which stands for its index.html
        return (full, found) if is_served or is_folder else ("", None)


_openapi = cache(openapi)


class _PageHeaders:
    """Adds the headers of a page that runs no code but its own."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_more(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *PAGE_HEADERS]
            await send(message)

        await self._inner(scope, receive, send_more)
