"""What the server counts as things happen, for Prometheus; docs/operating.md lists all metrics.

No label has a value that a caller can make up: methods, games and engines are existing ones, and
all other labels have fixed values.
"""

from __future__ import annotations

from prometheus_client import (
    CollectorRegistry,
    Info,
    ProcessCollector,
    disable_created_metrics,
)

from kingmaker import __version__

from ..pool.slices import Effort
from .tallies import Count, Counter, Distribution, Histogram

CALL_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600)
WAIT_SECONDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600)
LAG_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128)
UNKNOWN = "/unknown/unknown"
"""Stands for all methods that do not exist."""
CLASSES = {False: "interactive", True: "bulk"}

disable_created_metrics()  # of each counter the time of its first use, as one more metric


class Metrics:
    """The counters of a server; on the event loop, but for `registry`.

    Attributes:
        registry: all metrics, for the thread that shows them.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("kingmaker_build", "The release.", registry=self.registry).info(
            {"version": __version__}
        )
        method = ("grpc_service", "grpc_method")
        self._started = self._counter("grpc_server_started", "Calls that have begun.", *method)
        self._handled = self._counter(
            "grpc_server_handled", "Calls that have ended.", *method, "grpc_code"
        )
        self._handling = self._histogram(
            "grpc_server_handling_seconds", "Time of a call.", CALL_SECONDS, *method
        )
        self._refusals = self._counter(
            "kingmaker_refusals", "Calls answered with an error.", "reason", "limit"
        )
        self._waits = self._histogram(
            "kingmaker_search_wait_seconds", "Wait of a search for slots.", WAIT_SECONDS, "class"
        )
        self._uses = self._histogram(
            "kingmaker_search_slot_seconds", "Time of a search on slots.", WAIT_SECONDS, "class"
        )
        kind = ("game", "engine")
        self._searches = self._counter("kingmaker_searches", "Searches that were answered.", *kind)
        self._simulations = self._counter("kingmaker_simulations", "Simulations.", *kind)
        self._nodes = self._counter("kingmaker_nodes", "Nodes of trees, or positions.", *kind)
        self._seconds = self._counter("kingmaker_search_seconds", "Time of searches.", *kind)
        self._depths = self._histogram("kingmaker_search_depth", "Depth in plies.", DEPTHS, *kind)
        self._lag = self._histogram(
            "kingmaker_event_loop_lag_seconds", "Delay of the event loop.", LAG_SECONDS
        )
        self._methods: dict[str, MethodMetrics] = {}
        self._of_class = {
            is_bulk: (self._waits.labels(name), self._uses.labels(name))
            for is_bulk, name in CLASSES.items()
        }
        self._of_kind: dict[tuple[str, str], _SearchMetrics] = {}

    def of_method(self, method: str) -> MethodMetrics:
        """Return the counters of a method, `/package.Service/Method`, that exists or `UNKNOWN`."""
        found = self._methods.get(method)
        if found is None:
            service, _, name = method.removeprefix("/").rpartition("/")
            found = self._methods[method] = MethodMetrics(
                self._started, self._handled, self._handling, service, name
            )
        return found

    def refused(self, reason: str, limit: str) -> None:
        """Count a call that is answered with an error.

        Args:
            reason: of its ErrorInfo.
            limit: the one that was reached, without the name of a client; empty: none.
        """
        self._refusals.labels(reason, limit).value += 1

    def left(self, is_bulk: bool, waited: float, used: float) -> None:
        """Count a search that has returned its slots for good, and its seconds without and on them.

        Args:
            is_bulk: its class.
            waited: seconds without slots.
            used: seconds on them.
        """
        waits, uses = self._of_class[is_bulk]
        waits.observe(waited)
        uses.observe(used)

    def searched(self, game: str, effort: Effort) -> None:
        """Count what an answered search has spent."""
        key = (game, effort.engine)
        found = self._of_kind.get(key)
        if found is None:
            found = self._of_kind[key] = _SearchMetrics(
                self._searches.labels(*key),
                self._simulations.labels(*key),
                self._nodes.labels(*key),
                self._seconds.labels(*key),
                self._depths.labels(*key),
            )
        found.count(effort)

    def lagged(self, seconds: float) -> None:
        """Record how late the event loop was."""
        self._lag.labels().observe(seconds)

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, self.registry)

    def _histogram(
        self, name: str, text: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(name, text, buckets, labels, self.registry)


class MethodMetrics:
    """The counters of one method, found once."""

    def __init__(
        self, started: Counter, handled: Counter, handling: Histogram, service: str, name: str
    ) -> None:
        self._started = started.labels(service, name)
        self._handling = handling.labels(service, name)
        self._ends = handled
        self._handled: dict[str, Count] = {}
        self._names = service, name

    def begin(self) -> None:
        """Count a call that begins."""
        self._started.value += 1

    def end(self, code: str, seconds: float) -> None:
        """Count a call that has ended, with the name of its code."""
        handled = self._handled.get(code)
        if handled is None:
            handled = self._handled[code] = self._ends.labels(*self._names, code)
        handled.value += 1
        self._handling.observe(seconds)


class _SearchMetrics:
    """The counters of one game and engine, found once."""

    def __init__(
        self,
        searches: Count,
        simulations: Count,
        nodes: Count,
        seconds: Count,
        depths: Distribution,
    ) -> None:
        self._searches = searches
        self._simulations = simulations
        self._nodes = nodes
        self._seconds = seconds
        self._depths = depths

    def count(self, effort: Effort) -> None:
        self._searches.value += 1
        self._simulations.value += effort.simulations
        self._nodes.value += effort.nodes
        self._seconds.value += effort.seconds
        self._depths.observe(effort.depth)
