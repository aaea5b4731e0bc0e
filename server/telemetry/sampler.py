"""Figures of the present: read from the parts of the server, on its event loop, twice a second.

The thread that shows metrics only sees what was read last, so it never looks at anything that the
event loop changes. Each tick also measures how late it is.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from .metrics import CLASSES, Metrics

TICK_SECONDS = 0.1
TICKS_PER_SAMPLE = 5
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

Source = Callable[[], Iterable[Metric]]


class Sampler:
    """Reads figures, and shows those that were read last.

    Args:
        metrics: that the figures join.
        sources: read them, on the event loop.
        worker_pids: returns the worker processes.
    """

    def __init__(
        self,
        metrics: Metrics,
        sources: Sequence[Source],
        worker_pids: Callable[[], Sequence[int]],
    ) -> None:
        self._metrics = metrics
        self._sources = sources
        self._worker_pids = worker_pids
        self._read: list[Metric] = []
        self._pids: Sequence[int] = ()
        self._due = time.monotonic()
        metrics.registry.register(self)

    async def run(self) -> None:
        """Read again and again."""
        self._due = time.monotonic()
        while True:
            self._sample()
            for _ in range(TICKS_PER_SAMPLE):
                self._due = time.monotonic() + TICK_SECONDS
                await asyncio.sleep(TICK_SECONDS)
                self._metrics.lagged(max(time.monotonic() - self._due, 0.0))

    def _sample(self) -> None:
        self._read = [metric for source in self._sources for metric in source()]
        self._pids = self._worker_pids()

    def collect(self) -> Iterator[Metric]:
        """Yield the figures; called by the thread that shows them."""
        yield from self._read
        yield gauge("kingmaker_workers", "Worker processes.", len(self._pids))
        yield gauge(
            "kingmaker_workers_resident_bytes",
            "Memory of the worker processes, shared pages once for each.",
            sum(map(_resident_bytes, self._pids)),
        )
        yield gauge(
            "kingmaker_event_loop_silence_seconds",
            "How late the event loop is at this moment.",
            max(time.monotonic() - self._due, 0.0),
        )


def gauge(name: str, text: str, value: float) -> Metric:
    """Return a figure that goes up and down."""
    return GaugeMetricFamily(name, text, value=value)


def counter(name: str, text: str, value: float) -> Metric:
    """Return a figure that goes up; its name ends with `_total` when it is shown."""
    return CounterMetricFamily(name, text, value=value)


def by_class(name: str, text: str, interactive: float, bulk: float) -> Metric:
    """Return a figure of both classes of searches."""
    family = GaugeMetricFamily(name, text, labels=["class"])
    family.add_metric([CLASSES[False]], interactive)
    family.add_metric([CLASSES[True]], bulk)
    return family


def _resident_bytes(pid: int) -> int:
    """Return the memory of a process; 0 if it has ended, or where there is no /proc."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return 0
