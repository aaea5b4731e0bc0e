"""Executors: where tasks are run.

An executor takes tasks and returns the outcome of each, in the order of completion: a result, or a
run report if the infrastructure failed. It never repeats a task; that is up to the caller, who
keeps the ledger. `local` runs tasks in processes of this machine, `cluster` on Dask.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Protocol, Self, TypeVar

from .model import RunReport, Task

IN_HAND_PER_WORKER = 4  # one that runs, and some to run while results are being stored
MAX_IN_HAND_PER_WORKER = 64  # limit for tasks that are faster than the disk that stores them

TaskIn = TypeVar("TaskIn", bound=Task, contravariant=True)
Result = TypeVar("Result")


class ExecutorError(Exception):
    """The executor can't run tasks."""


class Executor(Protocol[TaskIn, Result]):
    """Runs tasks; for use by one thread."""

    @property
    def capacity(self) -> int:
        """Number of tasks to have in hand: those that run, and some in reserve.

        Raises:
            ExecutorError: nothing can be run any more.
        """

    def submit(self, task: TaskIn) -> None:
        """Queue a task."""

    def completed(self, timeout_seconds: float) -> list[Result | RunReport]:
        """Wait for outcomes; each is returned once.

        Returns:
            All outcomes so far; none at the end of the time, or sometimes earlier.

        Raises:
            ExecutorError: nothing can be run any more.
        """

    def cancel(self) -> None:
        """Drop all tasks in hand; they have no outcomes."""


class Reserve:
    """The number of tasks to have in hand, which grows if they are run faster than stored.

    Attributes:
        per_worker: for each worker.
    """

    def __init__(self) -> None:
        self.per_worker = IN_HAND_PER_WORKER

    def note(self, num_outcomes: int, num_workers: int) -> None:
        """Take note of the outcomes that came while the last ones were stored."""
        if num_outcomes > num_workers * self.per_worker / 2:
            self.per_worker = min(2 * self.per_worker, MAX_IN_HAND_PER_WORKER)


class Closing(ABC):
    """A context manager that closes itself."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """Drop all tasks and end all workers started here."""


def num_cores() -> int:
    """Count the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
