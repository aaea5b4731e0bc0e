"""Batches on processes of this machine: what a task costs beside its work, and two workers.

The workers are started and have their modules before anything is measured. Rounds with one and two
workers alternate, so that other load of the machine affects both; it still lowers the speed-up, as
two workers then have less than two cores.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from kingmaker.batch.results import Results
from kingmaker.batch.run import run_batch
from kingmaker.batch.tasks import TaskResult, analysis_task, run
from kingmaker.ladder.store import Store
from kingmaker.tasks.local import LocalExecutor
from kingmaker.tasks.model import TaskT

from .measure import Figure, median
from .positions import kingdom_coinquest_middle

NUM_EMPTY, QUICK_NUM_EMPTY = 10_000, 2000
NUM_SEARCHES, QUICK_NUM_SEARCHES = 240, 10  # of 60 the last alone costs a percent of two workers
SIMULATIONS = 20_000
ROUNDS, QUICK_ROUNDS = 5, 2

FIGURES: Mapping[str, str] = {
    "batch.empty_tasks_per_s": "tasks without work a second, two workers, results stored in "
    "SQLite, wall clock",
    "batch.coordinator_us_per_task": "processor time of the process that hands them out and stores "
    "their results",
    "batch.speedup_2": f"searches of {SIMULATIONS:,} simulations a second of two workers against "
    "one, wall clock",
}


@dataclass(frozen=True, slots=True)
class Empty:
    """A task without work.

    Attributes:
        number: that tells it from others.
    """

    number: int

    @property
    def id(self) -> str:
        """The key of its result."""
        return f"{self.number:032x}"


def nothing(task: Empty) -> TaskResult:
    """Do nothing."""
    return TaskResult(task.id, "{}")


def measure(quick: bool) -> Mapping[str, Figure]:
    """Measure all figures."""
    return {**_measure_empty(quick), **_measure_speedup(quick)}


def _measure_empty(quick: bool) -> Mapping[str, Figure]:
    number = QUICK_NUM_EMPTY if quick else NUM_EMPTY
    rates, costs = [], []
    with LocalExecutor(nothing, 2) as executor:
        _time([Empty(i) for i in range(200)], executor)
        for round_ in range(QUICK_ROUNDS if quick else ROUNDS):
            tasks = [Empty(number * round_ + i) for i in range(number)]
            began = time.process_time()
            rates.append(number / _time(tasks, executor))
            costs.append(1e6 * (time.process_time() - began) / number)
    return {
        "batch.empty_tasks_per_s": median(rates),
        "batch.coordinator_us_per_task": median(costs),
    }


def _measure_speedup(quick: bool) -> Mapping[str, Figure]:
    position = kingdom_coinquest_middle(2)
    observation = position.observe(position.seat)
    number = QUICK_NUM_SEARCHES if quick else NUM_SEARCHES
    tasks = [analysis_task(observation, simulations=SIMULATIONS, seed=i) for i in range(number)]
    speedups = []
    with ExitStack() as stack:
        executors = [stack.enter_context(LocalExecutor(run, workers)) for workers in (1, 2)]
        for executor in executors:
            _time(tasks[:8], executor)
        for _ in range(QUICK_ROUNDS if quick else ROUNDS):
            one, two = (_time(tasks, executor) for executor in executors)
            speedups.append(one / two)
    return {"batch.speedup_2": median(speedups)}


def _time(tasks: Sequence[TaskT], executor: LocalExecutor[TaskT, TaskResult]) -> float:
    with _results() as results:
        began = time.perf_counter()
        run_batch(tasks, executor, results)
        return time.perf_counter() - began


@contextmanager
def _results() -> Iterator[Results]:
    """Open an empty database."""
    with TemporaryDirectory() as folder, Store(str(Path(folder, "batch.sqlite"))) as store:
        yield Results(store)
