"""Limits of HTTP connections: their number, and the time and the memory to receive a request.

uvicorn limits the time between requests, not the time of one request: a client that sends a byte
now and then would keep a connection for good, and enough such clients all connections that the
server may open. Nor does it limit the head of a request, or the requests that wait for the answer
to an earlier one.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from typing import Any

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from ..identity import household, is_among, peer_of
from ..settings import ServerSettings

REQUEST_SECONDS = 30.0
"""From the connection, or the first byte of a later request, to the last byte of the request.

The handshake of TLS is part of it.
"""
MAX_HEAD_BYTES = 128 << 10
"""Of a request without its body: first line, headers, trailers, and what sizes of chunks take more
than the chunks themselves."""
MAX_PIPELINED = 32
"""Requests of a connection that wait for the answer to an earlier one."""


log = structlog.get_logger()


def closed(address: tuple[Any, ...], why: str) -> None:
    """Log that a connection is closed before any call of it could be."""
    log.info("connection closed", peer=peer_of(*address[:2]), why=why)


class Connections:
    """Open connections by client.

    Args:
        settings: of the server. Each stream takes a connection, and as many may be idle; a trusted
            proxy may have as many as all clients together.
    """

    def __init__(self, settings: ServerSettings) -> None:
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self._total_limit = 2 * settings.max_streams
        if files != resource.RLIM_INFINITY:
            self._total_limit = min(self._total_limit, files // 2)
        self._limit = 2 * settings.max_client_streams
        self._proxies = settings.proxies
        self._open: Counter[str] = Counter()

    def add(self, host: str) -> bool:
        """Count a connection from a host; False: there are too many, and it does not count."""
        client = household(host) or host
        is_full = self._open.total() >= self._total_limit
        if is_full or (self._open[client] >= self._limit and not is_among(host, self._proxies)):
            return False
        self._open[client] += 1
        return True

    def remove(self, host: str) -> None:
        """Count a connection no more."""
        client = household(host) or host
        self._open[client] -= 1
        if not self._open[client]:
            del self._open[client]


class Protocol(HttpToolsProtocol):
    """Closes connections whose requests are too slow or too large.

    Args:
        arguments: of uvicorn.

    Attributes:
        closed: whether the connection has been.
    """

    _clock: asyncio.TimerHandle | None = None
    _has_begun = False  # this request
    _head_bytes = 0  # of this request, without the part of the head that came with its first byte

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.closed = asyncio.Event()
        self._accepted = self.loop.time()  # before the handshake of TLS

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._start_clock(self._accepted)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_clock()
        self.closed.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request, or of several."""
        self._head_bytes += len(data)
        super().data_received(data)
        if self._head_bytes > MAX_HEAD_BYTES and not self.transport.is_closing():
            self.send_400_response(f"The head of a request is longer than {MAX_HEAD_BYTES} bytes.")

    def send_400_response(self, msg: str) -> None:
        """Refuse what can't be read; never in the middle of the answer to an earlier request."""
        closed(self.client or ("", 0), msg)
        if self.cycle is None or self.cycle.response_complete:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def on_message_begin(self) -> None:
        """Begin to wait for the rest of a later request."""
        super().on_message_begin()
        self._has_begun = True
        self._head_bytes = 0
        if self._clock is None:
            self._start_clock(self.loop.time())

    def on_headers_complete(self) -> None:
        """Begin with the request, or let it wait for the answer to an earlier one."""
        if len(self.pipeline) >= MAX_PIPELINED:
            raise ValueError(f"more than {MAX_PIPELINED} requests wait")  # ends the reading
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of the body."""
        # As much again for the size of the chunk; what small sizes leave is no room for trailers.
        self._head_bytes = max(self._head_bytes - 2 * len(body), -MAX_HEAD_BYTES)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop waiting."""
        self._stop_clock()
        self._has_begun = False
        super().on_message_complete()

    def _start_clock(self, begin: float) -> None:
        self._clock = self.loop.call_at(begin + REQUEST_SECONDS, self._give_up)

    def _give_up(self) -> None:
        if self._has_begun:  # else it was kept for a request that may come
            closed(self.client or ("", 0), f"a request takes more than {REQUEST_SECONDS:g} s")
        if self.transport.get_write_buffer_size():  # of the answer to an earlier request
            self.transport.close()
        else:  # TLS would wait 30 s more for the client's close_notify
            self.transport.abort()

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
