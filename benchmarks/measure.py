"""Parts of measurements: timed work, its timings, and figures read from them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Work:
    """Work that can be timed repeatedly.

    Attributes:
        run: does the work once, the same at each call.
        units: amount of work of one run, by unit: `{"playouts": 500, "plies": 100_100}`.
    """

    run: Callable[[], object]
    units: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Timings:
    """The timings of a work.

    Attributes:
        seconds: CPU seconds of one run of the work, `[num_rounds]`; each round was a
            separate process.
        units: as in `Work`.
    """

    seconds: Sequence[float]
    units: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Figure:
    """One result.

    Attributes:
        value: of the figure.
        spread: its standard deviation over what was measured several times, or, where its
            description says so, its standard error; None if it was measured once or is a count.
    """

    value: float
    spread: float | None = None


Formula = Callable[[Timings, Timings | None], Figure | None]
"""Reads a figure from the timings of our work and the peer's; None if it needs an absent peer."""


def median(samples: Iterable[float]) -> Figure:
    """Summarize samples by the median, which is robust against outliers from other work."""
    found = list(samples)
    return Figure(statistics.median(found), statistics.stdev(found) if len(found) > 1 else None)


def standard_error(samples: Sequence[float]) -> float:
    """Return the standard error of the mean of two or more samples."""
    return statistics.stdev(samples) / math.sqrt(len(samples))


def per_second(unit: str) -> Formula:
    """Read the units done in a CPU second."""
    return lambda ours, _: median(ours.units[unit] / seconds for seconds in ours.seconds)


def seconds_per(unit: str, *, scale: float = 1.0) -> Formula:
    """Read the CPU seconds per unit, times `scale`: 1e9 for nanoseconds."""
    return lambda ours, _: median(scale * seconds / ours.units[unit] for seconds in ours.seconds)


def count(unit: str, *, per: str) -> Formula:
    """Read the number of one unit per other unit."""
    return lambda ours, _: Figure(ours.units[unit] / ours.units[per])


def speedup(unit: str) -> Formula:
    """Read our rate over the peer's, round by round, as the load of a round affects both."""

    def read(ours: Timings, theirs: Timings | None) -> Figure | None:
        if theirs is None:
            return None
        share = ours.units[unit] / theirs.units[unit]
        return median(
            share * their_seconds / our_seconds
            for our_seconds, their_seconds in zip(ours.seconds, theirs.seconds, strict=True)
        )

    return read
