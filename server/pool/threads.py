"""Searches on threads of this process."""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from threading import Thread
from typing import Any

from .live import Live
from .slices import Command, Job, Message, Runner

JOIN_SECONDS = 1.0


class Threads:
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
        """Run `work` on a thread; it must not raise. Does nothing after `close`."""
        if self._threads:  # else the number of the pipe may be that of another file by now
            self._wake(work)

    def close(self, seconds: float = JOIN_SECONDS) -> None:
        """End the threads after their work; does nothing the second time.

        One that does not end in time, in an endless loop of a game, is left behind.
        """
        if not self._threads:
            return
        for _ in self._threads:
            self._wake(None)
        end = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(end - time.monotonic(), 0))
        if not any(thread.is_alive() for thread in self._threads):
            os.close(self._read_end)
            os.close(self._write_end)
        self._threads.clear()

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


class ThreadHost:
    """Runs searches on threads.

    What a game does wrong there it does to the whole server; for games that one trusts.

    Args:
        slots: number of searches that run at the same time.
    """

    is_isolated = False
    num_restarts = 0

    def __init__(self, slots: int) -> None:
        # Work needs a slot first, so a thread is free for it; the one more is for searches whose
        # time has ended in a pause, to build their answers.
        self._threads = Threads(slots + 1, "search")

    @property
    def pids(self) -> list[int]:
        """None."""
        return []

    async def start(self) -> None:
        """Do nothing: the threads wait already."""

    def assign(self, live: Live[Any]) -> None:
        """Begin a search."""
        live.attach(_ThreadLink(self._threads, live))

    def close(self) -> None:
        """End the threads; all searches must have been ended."""
        self._threads.close()


class _ThreadLink:
    """The way from the event loop to a search on a thread, and back."""

    def __init__(self, threads: Threads, live: Live[Any]) -> None:
        loop = asyncio.get_running_loop()

        def post(message: Message) -> None:
            loop.call_soon_threadsafe(live.receive, message)

        self._runner = Runner(threads.put, post)

    def send(self, command: Command, job: Job[Any] | None = None) -> None:
        """Pass a command on."""
        self._runner.do(command, job)

    def kill(self, why: str) -> None:
        """Do nothing: a thread can't be ended from outside."""
