"""Runs tasks on an executor, stores their results, and repeats tasks that broke.

Tasks with a result are not run again, and of equal tasks one is run: a batch that was killed is
continued by the same call. Results are stored before they are reported.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic

from kingmaker.ladder.words import one_line
from kingmaker.tasks.executors import Executor, ExecutorError
from kingmaker.tasks.model import RunReport, TaskT
from kingmaker.tasks.retries import MAX_FAULTS, Retries
from kingmaker.tasks.stopping import stop_signals

from .results import Results
from .tasks import TaskResult

POLL_SECONDS = 0.2  # longest delay until a signal is noticed


class BatchError(Exception):
    """The batch can't continue; its results are kept, and it can be run again."""


@dataclass(slots=True)
class Progress:
    """The progress of a batch.

    Attributes:
        total: different tasks.
        num_known: of them, had a result before.
        num_done: have one now, those included.
        num_running: submitted, of which some may wait for a worker.
        faults: of the infrastructure, of all tasks.
        failures: why tasks were given up, by task id: the last run report of each.
    """

    total: int
    num_known: int
    num_done: int = 0
    num_running: int = 0
    faults: int = 0
    failures: dict[str, RunReport] = field(default_factory=dict)


Watch = Callable[[Progress], None]


def run_batch(
    tasks: Iterable[TaskT],
    executor: Executor[TaskT, TaskResult],
    results: Results,
    *,
    watch: Watch | None = None,
    stop: threading.Event | None = None,
) -> tuple[Progress, str]:
    """Run the tasks that have no result until all are done, or SIGINT, SIGTERM or `stop` comes.

    Args:
        tasks: to run, in this order.
        executor: runs them; must have none in hand.
        results: where results are stored.
        watch: called with the progress, in this thread: at the start, after results are stored,
            and at the end.
        stop: stops the batch when set, by any thread.

    Returns:
        The progress, and what stopped it; "" if all is done, apart from `Progress.failures`.

    Raises:
        BatchError: the executor fails, or all tasks break.
        StoreError: the database can't be read or written; reported results are stored.
    """
    batch = _Batch(tasks, executor, results, watch or (lambda progress: None))
    with stop_signals() as received:

        def why_stop() -> str:
            if received:
                return f"stopped by {received[0]}"
            return "stopped" if stop is not None and stop.is_set() else ""

        try:
            return batch.run(why_stop)
        except ExecutorError as error:
            raise BatchError(str(error)) from error
        finally:
            executor.cancel()


class _Batch(Generic[TaskT]):
    """One run of a batch."""

    def __init__(
        self,
        tasks: Iterable[TaskT],
        executor: Executor[TaskT, TaskResult],
        results: Results,
        watch: Watch,
    ) -> None:
        different = {task.id: task for task in tasks}
        known = results.known(list(different))
        self._executor = executor
        self._results = results
        self._watch = watch
        self._tasks = iter([task for key, task in different.items() if key not in known])
        self._progress = Progress(len(different), len(known), len(known))
        self._running: dict[str, TaskT] = {}
        self._retries: Retries[TaskT] = Retries()
        self._num_faults: defaultdict[str, int] = defaultdict(int)  # of each task
        self._faults_in_row = 0

    def run(self, why_stop: Callable[[], str]) -> tuple[Progress, str]:
        self._tell()
        while self._is_unfinished():
            if why := why_stop():
                return self._progress, why
            self._hand_out()
            outcomes = self._executor.completed(POLL_SECONDS)
            self._store([each for each in outcomes if isinstance(each, TaskResult)])
            if not why_stop():  # the signal may have killed the workers as well
                for outcome in outcomes:
                    if isinstance(outcome, RunReport):
                        self._mend(outcome)
            if outcomes:
                self._tell()
        return self._progress, ""

    def _is_unfinished(self) -> bool:
        progress = self._progress
        return progress.num_done + len(progress.failures) < progress.total

    def _hand_out(self) -> None:
        """Fill the executor up with tasks."""
        for _ in range(self._executor.capacity - len(self._running)):
            task = self._retries.pop_due() or next(self._tasks, None)
            if task is None:
                return
            self._running[task.id] = task
            self._executor.submit(task)

    def _store(self, results: list[TaskResult]) -> None:
        """Store results, then count them."""
        if not results:
            return
        self._results.add(results)
        self._faults_in_row = 0
        self._progress.num_done += len(results)
        for result in results:
            del self._running[result.task_id]

    def _mend(self, report: RunReport) -> None:
        """Run a task again, or give it up."""
        task = self._running.pop(report.task_id)
        self._progress.faults += 1
        self._num_faults[task.id] += 1
        if not self._retries.add(task, self._num_faults[task.id], report.kind):
            self._progress.failures[task.id] = report
        self._faults_in_row += 1
        if self._faults_in_row >= max(MAX_FAULTS, self._executor.capacity):
            raise BatchError(f"{self._faults_in_row} faults in a row: {one_line(report.detail)}")

    def _tell(self) -> None:
        self._progress.num_running = len(self._running)
        self._watch(self._progress)
