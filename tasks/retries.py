"""Tasks that broke and are to be run again."""

from __future__ import annotations

import heapq
from itertools import count
from time import monotonic
from typing import Generic

from .model import CONTRACT_BROKEN, TaskT

RETRY_SECONDS = (0.0, 1.0, 10.0)
"""Delay before a task is run again, for the first, second and third time."""
MAX_ATTEMPTS = 1 + len(RETRY_SECONDS)
MAX_FAULTS = 25
"""Faults in a row, with no task finished between them, that end a run. A large cluster may lose
many workers at once, so its limit is at least its number of tasks in hand."""


class Retries(Generic[TaskT]):
    """The tasks that broke, by the time at which they are due again."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, TaskT]] = []
        self._numbers = count()  # breaks ties in the heap, as tasks can't be compared

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, task: TaskT, num_faults: int, kind: str) -> bool:
        """Keep a task for later; False: that can't help, or it broke `MAX_ATTEMPTS` times.

        Args:
            task: that broke.
            num_faults: how often.
            kind: of the latest run report.
        """
        if kind == CONTRACT_BROKEN or num_faults >= MAX_ATTEMPTS:
            return False
        due = monotonic() + RETRY_SECONDS[num_faults - 1]
        heapq.heappush(self._heap, (due, next(self._numbers), task))
        return True

    def pop_due(self) -> TaskT | None:
        """Take a task that is due; None: there is none."""
        if self._heap and self._heap[0][0] <= monotonic():
            return heapq.heappop(self._heap)[2]
        return None
