"""The port where Prometheus reads the metrics: threads, so that it holds up no calls."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from threading import Lock, Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client.exposition import ThreadingWSGIServer, make_wsgi_app

from ..listening import ListenError
from ..settings import ServerSettings
from .metrics import Metrics

MAX_READERS = 16  # connections; a new one more ends the oldest
READ_SECONDS = 10.0  # longest silence of a reader


class MetricsPort:
    """The port; it answers from the start on.

    Args:
        settings: with `metrics` set.
        metrics: to show.

    Attributes:
        url: of the metrics, with the real port.

    Raises:
        ListenError: the address can't be bound.
    """

    def __init__(self, settings: ServerSettings, metrics: Metrics) -> None:
        host, port = settings.metrics_address
        application = make_wsgi_app(metrics.registry)
        try:
            self._server = make_server(host, port, application, _Server, MetricsHandler)
        except (OSError, OverflowError):
            raise ListenError(host, port) from None
        Thread(target=self._server.serve_forever, name="metrics", daemon=True).start()
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{self._server.server_port}/metrics"

    async def stop(self) -> None:
        """Close the port, without holding up the event loop."""
        await asyncio.to_thread(self._server.shutdown)
        self.close()

    def close(self) -> None:
        """Close the port."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingWSGIServer):
    """A thread for each connection, up to a limit."""

    request_queue_size = 128  # connections that come at once

    def __init__(self, address: tuple[str, int], handler: type[WSGIRequestHandler]) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self._readers: dict[socket.socket, None] = {}  # the oldest first
        self._lock = Lock()
        super().__init__(address, handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer a request on a thread."""
        with self._lock:
            if len(self._readers) >= MAX_READERS:
                oldest = next(iter(self._readers))
                del self._readers[oldest]
                with suppress(OSError):  # the client was faster
                    oldest.shutdown(socket.SHUT_RDWR)  # which ends its thread
            self._readers[request] = None
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """End a connection."""
        with self._lock:
            self._readers.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a reader that has gone, or was too slow."""


class MetricsHandler(WSGIRequestHandler):
    """Writes no log lines, and does not wait for ever."""

    timeout = READ_SECONDS

    def log_message(self, *args: Any) -> None:
        """Write nothing."""
