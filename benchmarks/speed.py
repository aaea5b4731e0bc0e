"""Figures other than rates of one thread: cancelling a search, and two threads."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

from kingmaker.cext.rng import Seed
from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.engine_options import check_options
from kingmaker.search.ismcts import IsmctsSearcher
from kingmaker.search.registry import ENGINES
from kingmaker.search.run import Search

from .measure import Figure, median
from .positions import kingdom_coinquest_middle


def cancel(quick: bool) -> Mapping[str, Figure]:
    """Measure from the cancel of a search in one thread to the end of its loop in another."""
    position = kingdom_coinquest_middle(2)
    observation = position.observe(position.seat)
    options = check_options(ENGINES["ismcts"], position.game, {})
    searchers = (
        IsmctsSearcher(position.game, observation.state, Seed(i), options, 64 * MEGABYTE)
        for i in range(10 if quick else 100)
    )
    return {"cancel.median_ms": median(1000 * _seconds_to_end(each) for each in searchers)}


def _seconds_to_end(searcher: IsmctsSearcher) -> float:
    ends: list[float] = []

    def run() -> None:
        searcher.run(0, 0)
        ends.append(time.perf_counter())

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.01)
    start = time.perf_counter()
    searcher.cancel()
    thread.join()
    return ends[0] - start


def threads(quick: bool) -> Mapping[str, Figure]:
    """Measure simulations a second of search, two threads against one, in turn."""
    position = kingdom_coinquest_middle(2)
    observation = position.observe(position.seat)
    budget = Budget(milliseconds=300 if quick else 700)

    def rate(seed: int, num_threads: int) -> float:
        found = Search(observation, budget, seed=seed, threads=num_threads).run()
        return found.simulations / found.seconds

    return {
        "threads.speedup_2": median(
            rate(seed, 2) / rate(seed, 1) for seed in range(3 if quick else 9)
        )
    }
