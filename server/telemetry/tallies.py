"""Counters and histograms that only the event loop changes, so that they need no locks.

Those of prometheus_client take a lock for each of their numbers: fourteen in a call with a short
search, which take longer than the search itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

from prometheus_client import CollectorRegistry, Metric
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.utils import floatToGoString

Child = TypeVar("Child", "Count", "Distribution")


class Count:
    """A number that grows.

    Attributes:
        value: the number.
    """

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value = 0.0


class Distribution:
    """How often values were in each bucket.

    Args:
        bounds: the largest value of each bucket but the last one, which has no bound.

    Attributes:
        counts: of each bucket, that of larger values last.
        total: sum of all values.
    """

    __slots__ = ("_bounds", "counts", "total")

    def __init__(self, bounds: Sequence[float]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self._bounds, value)] += 1
        self.total += value


class _Family(Generic[Child]):
    """A metric: what its children, one for each set of labels, have counted.

    A metric without labels is shown from the start on, with labels as soon as it has a child.
    """

    def __init__(
        self, name: str, text: str, labels: Sequence[str], registry: CollectorRegistry
    ) -> None:
        self._name = name
        self._text = text
        self._labels = labels
        self._children: dict[tuple[str, ...], Child] = {}
        if not labels:
            self.labels()
        registry.register(self)

    def labels(self, *values: str) -> Child:
        """Return the child with these values of the labels."""
        child = self._children.get(values)
        if child is None:
            child = self._children[values] = self._new()
        return child

    def collect(self) -> Iterator[Metric]:
        """Show the metric; called on any thread."""
        raise NotImplementedError

    def _new(self) -> Child:
        raise NotImplementedError


class Counter(_Family[Count]):
    """A metric of numbers that grow.

    Args:
        name: of the metric, without `_total`.
        text: what it counts.
        labels: their names.
        registry: that shows it.
    """

    def collect(self) -> Iterator[Metric]:
        """Show the metric; called on any thread."""
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for values, child in self._children.copy().items():
            family.add_metric(values, child.value)
        yield family

    def _new(self) -> Count:
        return Count()


class Histogram(_Family[Distribution]):
    """A metric of values in buckets.

    Args:
        name: of the metric.
        text: what it observes.
        bounds: the largest value of each bucket but the last one.
        labels: their names.
        registry: that shows it.
    """

    def __init__(
        self,
        name: str,
        text: str,
        bounds: Sequence[float],
        labels: Sequence[str],
        registry: CollectorRegistry,
    ) -> None:
        self._bounds = bounds
        super().__init__(name, text, labels, registry)

    def collect(self) -> Iterator[Metric]:
        """Show the metric; called on any thread."""
        family = HistogramMetricFamily(self._name, self._text, labels=self._labels)
        names = [floatToGoString(bound) for bound in (*self._bounds, float("inf"))]
        for values, child in self._children.copy().items():
            buckets = list(zip(names, accumulate(child.counts.copy()), strict=True))
            family.add_metric(values, buckets, child.total)
        yield family

    def _new(self) -> Distribution:
        return Distribution(self._bounds)
