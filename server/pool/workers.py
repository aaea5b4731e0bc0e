"""Threads that start small pieces of work with little delay."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from threading import Thread


class Workers:
    """Threads that run pieces of work in the order of arrival.

    They sleep on a pipe: writing to it releases the GIL at the moment that wakes a thread, which
    then begins at once. A queue's lock would wake it while the caller still holds the GIL, only to
    sleep again; that, and an executor's futures, would cost as much as a small search.

    Args:
        num_threads: number of threads.
        name: prefix of the threads' names, before their number.
    """

    def __init__(self, num_threads: int, name: str) -> None:
        self._work: deque[Callable[[], None] | None] = deque()
        self._read_end, self._write_end = os.pipe()
        self._threads = [
            Thread(target=self._serve, name=f"{name}-{i}", daemon=True) for i in range(num_threads)
        ]
        for thread in self._threads:
            thread.start()

    def put(self, work: Callable[[], None]) -> None:
        """Run `work` on a thread; it must not raise."""
        self._wake(work)

    def close(self) -> None:
        """Wait until all work is done, and end the threads; does nothing the second time."""
        if not self._threads:
            return
        for _ in self._threads:
            self._wake(None)
        for thread in self._threads:
            thread.join()
        self._threads.clear()
        os.close(self._read_end)
        os.close(self._write_end)

    def _wake(self, work: Callable[[], None] | None) -> None:
        self._work.append(work)
        os.write(self._write_end, b"w")

    def _serve(self) -> None:
        while os.read(self._read_end, 1):
            work = self._work.popleft()
            if work is None:
                return
            work()
            del work  # and with it the search tree, before waiting for more
