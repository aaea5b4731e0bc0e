"""Tasks on the workers of a Dask cluster.

When a worker is lost, the scheduler gives its tasks to others, up to its own setting
`distributed.scheduler.allowed-failures`; beyond it the task comes back as a run report. A task that
has just ended, but whose result has not been fetched, is repeated as well.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, Generic

from .executors import Closing, ExecutorError, Reserve, num_cores
from .model import Result, RunReport, TaskT, report_of, run_or_report

CONNECT_SECONDS = 15
LOOK_SECONDS = 1.0  # interval at which the workers are counted
MAX_IDLE_SECONDS = 60.0  # without any worker


class DaskExecutor(Closing, Generic[TaskT, Result]):
    """The workers of a Dask cluster, each with Kingmaker installed; needs `kingmaker[cluster]`.

    Each worker should have one thread, so that tasks don't compete for time. Workers are not
    watched: a task that hangs blocks its worker, one that crashes it breaks each time.

    Args:
        work: runs a task; a function that a process finds by its name.
        address: of the scheduler, such as `tcp://host:8786`; empty: a cluster of processes on this
            machine.
        num_workers: of the cluster on this machine; None: one for each core.

    Raises:
        ExecutorError: Dask is not installed, or no scheduler answers.
    """

    def __init__(
        self,
        work: Callable[[TaskT], Result],
        address: str = "",
        *,
        num_workers: int | None = None,
    ) -> None:
        try:
            import distributed
        except ModuleNotFoundError as error:
            raise ExecutorError(
                f"a cluster needs the package {error.name}: pip install 'kingmaker[cluster]'"
            ) from error
        self._distributed: Any = distributed
        self._work = work
        self._num_submitted = 0
        self._in_hand: dict[str, TaskT] = {}  # by Dask's key
        self._reserve = Reserve()
        self._cluster = None
        if not address:
            self._cluster = distributed.LocalCluster(
                n_workers=num_workers or num_cores(), threads_per_worker=1, dashboard_address=None
            )
        try:
            self._client = distributed.Client(
                self._cluster or address, timeout=CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:  # timeouts included
            raise ExecutorError(f"no Dask scheduler answers at {address}: {error}") from error
        self._done = self._collector()
        self._num_threads = 0
        self._looked = self._last_seen = monotonic()  # at the workers; that there was one
        self._count_threads()

    @property
    def capacity(self) -> int:
        """Number of tasks to have in hand; workers may join and leave.

        Raises:
            ExecutorError: the scheduler is gone, or all workers are, for a minute.
        """
        self._look()
        return max(self._num_threads, 1) * self._reserve.per_worker

    def submit(self, task: TaskT) -> None:
        """Submit a task to the cluster."""
        self._num_submitted += 1  # a repeated task is a new one for Dask
        key = f"{task.id}-{self._num_submitted}"
        self._in_hand[key] = task
        self._done.add(self._client.submit(run_or_report, self._work, task, key=key, pure=False))

    def completed(self, timeout_seconds: float) -> list[Result | RunReport]:
        """Wait for outcomes.

        Raises:
            ExecutorError: as with `capacity`.
        """
        self._look()
        done = self._done
        with done.thread_condition:
            done.thread_condition.wait_for(done.has_ready, timeout_seconds)
        outcomes = [self._outcome(future, value) for future, value in done.next_batch(block=False)]
        self._reserve.note(len(outcomes), max(self._num_threads, 1))
        return outcomes

    def cancel(self) -> None:
        """Drop all tasks; a worker finishes its current one, but the outcome is ignored."""
        futures = list(self._done.futures)
        self._done.clear()
        self._done = self._collector()
        self._in_hand.clear()
        if self._client.status == "running":
            self._client.cancel(futures, force=True)

    def close(self) -> None:
        """Leave the cluster, or end it if it was started here."""
        self.cancel()
        self._client.close(timeout=CONNECT_SECONDS)
        if self._cluster is not None:
            self._cluster.close()

    def _collector(self) -> Any:
        """Fetch results as soon as they are there: a worker that dies loses those that it has.

        Each is fetched by itself, on the event loop of the client. In a callback of its future a
        result whose worker has just died would be waited for, and with it all the others.
        """
        return self._distributed.as_completed(
            loop=self._client.loop, with_results=True, raise_errors=False
        )

    def _outcome(self, future: Any, value: Any) -> Result | RunReport:
        task = self._in_hand.pop(future.key)
        if future.status == "finished":
            outcome: Result | RunReport = value
            return outcome
        error = value[1] if isinstance(value, tuple) else value
        is_lost = type(error).__name__ in ("KilledWorker", "CommClosedError")
        kind = "error" if future.status == "error" and not is_lost else "worker_lost"
        return report_of(task, kind, f"{type(error).__name__}: {error}")

    def _look(self) -> None:
        """Count the workers now and then.

        Raises:
            ExecutorError: as with `capacity`.
        """
        now = monotonic()
        if now - self._looked < LOOK_SECONDS:
            return
        self._looked = now
        self._count_threads()
        if self._num_threads:
            self._last_seen = now
        elif now - self._last_seen > MAX_IDLE_SECONDS:
            raise ExecutorError(
                f"the Dask cluster has had no worker for {MAX_IDLE_SECONDS:.0f} s; start some"
            )

    def _count_threads(self) -> None:
        try:
            self._num_threads = sum(self._client.nthreads().values())
        except OSError as error:
            raise ExecutorError(f"the Dask scheduler is gone: {error}") from error
