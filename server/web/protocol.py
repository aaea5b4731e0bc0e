"""HTTP connections that don't wait for ever for a request.

uvicorn limits the time between requests, not that of one: whoever sends a byte now and then would
keep a connection for good, and enough of them all that the server may open.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

REQUEST_SECONDS = 30.0
"""From the connection, or the first byte of a later request, to the last byte of the request."""


class Protocol(HttpToolsProtocol):
    """Closes connections whose request is not complete in time."""

    _clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)  # type: ignore[arg-type]
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_clock()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Begin to wait for the rest of a later request."""
        super().on_message_begin()
        if self._clock is None:
            self._start_clock()

    def on_message_complete(self) -> None:
        """Stop waiting."""
        self._stop_clock()
        super().on_message_complete()

    def _start_clock(self) -> None:
        self._clock = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
