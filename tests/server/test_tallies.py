"""Counters and histograms without locks: shown exactly as those of prometheus_client."""

from __future__ import annotations

import prometheus_client
import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics import exposition

from kingmaker.server.telemetry.tallies import Counter, Histogram

BOUNDS = (0.001, 0.25, 1, 60)
VALUES = (0, 0.001, 0.0010001, 0.3, 1, 60, 60.5, 1e9)


@pytest.mark.parametrize("show", [prometheus_client.generate_latest, exposition.generate_latest])
def test_they_are_shown_as_those_of_the_library(show: object) -> None:
    assert callable(show)
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    for label in ("a", 'with "quotes"'):
        _count_with_both(ours, theirs, label)
    Counter("alone", "One number.", (), ours).labels().value += 2
    prometheus_client.Counter("alone", "One number.", registry=theirs).inc(2)
    Histogram("unused", "Nothing yet.", BOUNDS, (), ours)
    prometheus_client.Histogram("unused", "Nothing yet.", buckets=BOUNDS, registry=theirs)
    assert show(ours) == show(theirs)


def _count_with_both(ours: CollectorRegistry, theirs: CollectorRegistry, label: str) -> None:
    name = f"metric_{len(label)}"
    counter = Counter(f"{name}_calls", "Some calls.", ("kind",), ours)
    histogram = Histogram(f"{name}_seconds", "Their time.", BOUNDS, ("kind",), ours)
    their_counter = prometheus_client.Counter(
        f"{name}_calls", "Some calls.", ["kind"], registry=theirs
    )
    their_histogram = prometheus_client.Histogram(
        f"{name}_seconds", "Their time.", ["kind"], buckets=BOUNDS, registry=theirs
    )
    for value in VALUES:
        counter.labels(label).value += value
        histogram.labels(label).observe(value)
        their_counter.labels(label).inc(value)
        their_histogram.labels(label).observe(value)
