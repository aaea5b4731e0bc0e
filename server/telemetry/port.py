"""The port where Prometheus reads the metrics: a thread, so that it holds up no calls."""

from __future__ import annotations

import asyncio

from prometheus_client import start_http_server

from ..listening import ListenError
from ..settings import ServerSettings
from .metrics import Metrics


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
        try:
            self._server, self._thread = start_http_server(port, host, metrics.registry)
        except (OSError, OverflowError):
            raise ListenError(host, port) from None
        shown = f"[{host}]" if ":" in host else host
        self.url = f"http://{shown}:{self._server.server_port}/metrics"

    async def stop(self) -> None:
        """Close the port."""
        await asyncio.to_thread(self._server.shutdown)
        self._server.server_close()
