"""Tasks in processes of this machine.

Workers are spawned processes, each with a pipe and a thread of its own that waits for it: a worker
that is killed costs only its current task, is noticed at once (the pipe ends), and is replaced.
Python's own pool and loky, which is built like it, lose all their tasks when one process dies, as
their workers share their queues.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Generic, Protocol, TypeVar

from kingmaker.cext.errors import InputError

from .executors import Closing, ExecutorError, Reserve, num_cores
from .model import Result, RunReport, Task, TaskT, report_of, run_or_report
from .stopping import held_signals, ignore_interrupts

CONTEXT = multiprocessing.get_context("spawn")
WATCH_SECONDS = 1.0  # interval of the check for tasks that hang

TaskIn = TypeVar("TaskIn", bound=Task, contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)


class Watch(Protocol[TaskIn, ResultOut]):
    """Observes the task of a worker from another process, through shared memory.

    It is made by the process that starts the worker, and sent to it.
    """

    def enter(self) -> None:
        """Make it known to the tasks of this process, a worker."""

    def begin(self) -> None:
        """Forget the task before."""

    def is_overdue(self) -> bool:
        """Whether the task hangs, so that the worker is to be killed."""

    def hung(self, task: TaskIn) -> ResultOut | RunReport:
        """Return the outcome of a task that was overdue; its worker is dead."""

    def lost(self, task: TaskIn, report: RunReport, exit_code: int) -> ResultOut | RunReport:
        """Return the outcome of a task whose worker died by itself.

        Args:
            task: of the worker.
            report: of the loss.
            exit_code: of the worker; negative: minus the number of a signal.
        """


class Unwatched:
    """Watches nothing; tasks may take any time."""

    def enter(self) -> None:
        """Do nothing."""

    def begin(self) -> None:
        """Do nothing."""

    def is_overdue(self) -> bool:
        """Return False."""
        return False

    def hung(self, task: Task) -> RunReport:
        """Report the task."""
        return report_of(task, "worker_lost", "it hung, and its worker was killed")

    def lost(self, task: Task, report: RunReport, exit_code: int) -> RunReport:
        """Return the report."""
        return report


class _Outcomes(Generic[Result]):
    """Queue of outcomes, from the threads to the caller, valid up to the next `cancel`."""

    def __init__(self) -> None:
        self.round = 0
        self._queue: SimpleQueue[tuple[int, Result | RunReport]] = SimpleQueue()

    def put(self, round_: int, outcome: Result | RunReport) -> None:
        """Add the outcome of a task that was submitted in a round."""
        self._queue.put((round_, outcome))

    def take(self, timeout_seconds: float) -> list[Result | RunReport]:
        """Wait for one outcome, and take all of this round."""
        found = []
        try:
            found.append(self._queue.get(timeout=timeout_seconds))
            while True:
                found.append(self._queue.get_nowait())
        except Empty:
            return [outcome for round_, outcome in found if round_ == self.round]


class LocalExecutor(Closing, Generic[TaskT, Result]):
    """Spawned processes of this machine.

    Args:
        work: runs a task; a function that a process finds by its name.
        num_workers: processes; None: one for each core that this process may use.
        watch: makes the watch of a worker.

    Raises:
        ExecutorError: this is a worker that reads the script that started it, as spawned processes
            do, and the script starts workers without asking for its name.
        InputError: `num_workers` is below 1.
    """

    def __init__(
        self,
        work: Callable[[TaskT], Result],
        num_workers: int | None = None,
        watch: Callable[[], Watch[TaskT, Result]] = Unwatched,
    ) -> None:
        # The flag by which multiprocessing itself refuses to start a process; here that would be
        # seen by a thread only, and the script would wait for it.
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            raise ExecutorError(
                "a worker reads the script that started it, which would start workers again; "
                'put what the script does under `if __name__ == "__main__":`'
            )
        num_workers = num_cores() if num_workers is None else num_workers
        if num_workers < 1:
            raise InputError(
                f"num_workers is {num_workers}; give 1 or more",
                field="num_workers",
                value=str(num_workers),
            )
        self._outcomes: _Outcomes[Result] = _Outcomes()
        self._tasks: SimpleQueue[tuple[int, TaskT] | None] = SimpleQueue()
        self._reserve = Reserve()
        self.workers = [
            Worker(self._tasks, self._outcomes, work, watch()) for _ in range(num_workers)
        ]
        for worker in self.workers:
            worker.start()

    @property
    def capacity(self) -> int:
        """Number of tasks to have in hand."""
        return len(self.workers) * self._reserve.per_worker

    def submit(self, task: TaskT) -> None:
        """Queue a task for the first free worker."""
        self._tasks.put((self._outcomes.round, task))

    def completed(self, timeout_seconds: float) -> list[Result | RunReport]:
        """Wait for outcomes."""
        outcomes = self._outcomes.take(timeout_seconds)
        self._reserve.note(len(outcomes), len(self.workers))
        return outcomes

    def cancel(self) -> None:
        """Kill the workers that are busy, and replace them."""
        self._outcomes.round += 1
        for worker in self.workers:
            worker.cancel()

    def close(self) -> None:
        """Kill all workers."""
        self.cancel()
        for _ in self.workers:
            self._tasks.put(None)
        for worker in self.workers:
            worker.join()


class Worker(Thread, Generic[TaskT, Result]):
    """A process that runs one task at a time, and the thread that waits for it.

    The process is started for its first task, so that each failure to start is the run report of a
    task.

    Args:
        tasks: queue of tasks; None ends the thread.
        outcomes: queue of their outcomes.
        work: runs a task.
        watch: of the process.

    Attributes:
        process: the present one; None: there is none.
    """

    def __init__(
        self,
        tasks: SimpleQueue[tuple[int, TaskT] | None],
        outcomes: _Outcomes[Result],
        work: Callable[[TaskT], Result],
        watch: Watch[TaskT, Result],
    ) -> None:
        super().__init__(daemon=True)
        self.process: SpawnProcess | None = None
        self._tasks = tasks
        self._outcomes = outcomes
        self._work = work
        self._watch = watch
        self._connection: Connection | None = None
        self._lock = Lock()  # of the next two
        self._is_busy = False
        self._is_cancelled = False

    def run(self) -> None:
        """Run tasks until None comes from the queue."""
        while (item := self._tasks.get()) is not None:
            round_, task = item
            with self._lock:
                self._is_busy = round_ == self._outcomes.round
            if self._is_busy:
                self._outcomes.put(round_, self._outcome(task))
        self._bury()

    def cancel(self) -> None:
        """Abort the current task, if any; called by another thread."""
        with self._lock:
            if self._is_busy:
                self._is_cancelled = True
                if self.process is not None:
                    self.process.kill()

    def _outcome(self, task: TaskT) -> Result | RunReport:
        self._watch.begin()
        outcome = run_or_report(self._send, task)  # also if the task or its result can't be sent
        with self._lock:
            self._is_busy = False
            if self._is_cancelled:  # the process may have finished the task, but it is killed
                self._is_cancelled = False
                self._bury()
        return outcome

    def _send(self, task: TaskT) -> Result | RunReport:
        """Have the process run a task."""
        try:
            connection = self._connection or self._start()
            connection.send(task)
            return self._wait(connection, task)
        except (EOFError, OSError):
            return self._loss(task)

    def _wait(self, connection: Connection, task: TaskT) -> Result | RunReport:
        """Wait for the end of a task, or until it hangs; it does not if its process is stopped."""
        while not connection.poll(WATCH_SECONDS):
            if self._watch.is_overdue():
                is_stopped = self._stands_still()
                self._kill()
                if is_stopped:
                    return report_of(task, "paused", "its worker was stopped")
                return self._watch.hung(task)
        outcome: Result | RunReport = connection.recv()
        return outcome

    def _loss(self, task: TaskT) -> Result | RunReport:
        """Return the outcome of a task whose process is gone."""
        exit_code = self._bury()
        report = report_of(task, "worker_lost", f"its worker {ending_of(exit_code)}")
        return report if exit_code is None else self._watch.lost(task, report, exit_code)

    def _kill(self) -> None:
        if self.process is not None:
            self.process.kill()
        self._bury()

    def _stands_still(self) -> bool:
        """Whether the process is stopped, as by Ctrl-Z; False where the system does not say."""
        if self.process is None:
            return False
        try:
            state = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return False
        return state[0] in "Tt"

    def _start(self) -> Connection:
        """Start the process."""
        ours, its = CONTEXT.Pipe()
        process = CONTEXT.Process(target=_serve, args=(its, self._work, self._watch), daemon=True)
        with its, held_signals():  # otherwise the pipe would not end with the process
            process.start()
        with self._lock:
            self.process, self._connection = process, ours
            if self._is_cancelled:
                process.kill()
        return ours

    def _bury(self) -> int | None:
        """End the process, if it hasn't; returns its exit code, None if it was never started."""
        process, connection = self.process, self._connection
        self.process = self._connection = None
        if process is None or connection is None:
            return None
        connection.close()  # which ends a process that waits for a task
        process.join(timeout=1)
        process.kill()
        process.join()
        return process.exitcode


def _serve(
    connection: Connection, work: Callable[[TaskT], Result], watch: Watch[TaskT, Result]
) -> None:
    """Run the tasks that arrive; the main function of a worker."""
    ignore_interrupts()
    watch.enter()
    Thread(target=end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent process is gone
        while True:
            connection.send(run_or_report(work, connection.recv()))


def end_with_parent() -> None:
    """End this process, in the middle of its work, when the one that started it is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def ending_of(exit_code: int | None) -> str:
    """Describe how a process ended."""
    if exit_code is None:
        return "could not be started"
    if exit_code >= 0:
        return f"ended with code {exit_code}"
    name = signal.Signals(-exit_code).name
    # Linux sends this signal when memory runs out; the sender is unknown.
    hint = ", perhaps for lack of memory" if name == "SIGKILL" else ""
    return f"was killed by {name}{hint}"
