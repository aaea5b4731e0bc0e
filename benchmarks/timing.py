"""Fair timing: CPU seconds of this thread, rivals in turn, medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def rates(works: dict[str, Callable[[], int]], rounds: int) -> dict[str, float]:
    """Measure the rate of each piece of work; they take turns, so that noise meets all.

    Args:
        works: name -> a callable that does some work and returns how many units of it.
        rounds: how often each is timed, after one untimed run.

    Returns:
        name -> median units per CPU second.
    """
    found: dict[str, list[float]] = {name: [] for name in works}
    for i in range(rounds + 1):
        for name, work in works.items():
            start = time.thread_time()
            units = work()
            seconds = time.thread_time() - start
            if i:
                found[name].append(units / seconds)
    return {name: statistics.median(each) for name, each in found.items()}
