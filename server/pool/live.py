"""A search as the event loop sees it, wherever it runs."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, Generic, Protocol, TypeVar

from .slices import Command, Effort, Event, Job, Message

Answer = TypeVar("Answer")


class Link(Protocol):
    """The way to a search."""

    def send(self, command: Command, job: Job[Any] | None = None) -> None:
        """Pass a command on."""

    def kill(self, why: str) -> None:
        """End the search by force, if that is possible; then `Live.fail` is called."""


class Host(Protocol):
    """Where searches run."""

    @property
    def is_isolated(self) -> bool:
        """Whether the crash of a search fails no call but its own."""

    @property
    def pids(self) -> list[int]:
        """The processes for searches, apart from this one."""

    @property
    def num_restarts(self) -> int:
        """How many of them had to be replaced so far."""

    async def start(self) -> None:
        """Get ready for searches."""

    def assign(self, live: Live[Any]) -> None:
        """Attach a link to a search, now or soon; only between `start` and `close`."""

    def close(self) -> None:
        """Return everything; what still runs is ended by force, if that is possible."""


class Live(Generic[Answer]):
    """A search that has begun, or is about to.

    Args:
        job: what to search.
        host: where.
        overrun_seconds: time beyond its budget, and to react to a command, after which it is ended
            by force.
        on_stop: called whenever it has stopped, with whether it has ended and returned its memory.

    Attributes:
        seconds: processor time of its run that has ended.
    """

    def __init__(
        self,
        job: Job[Answer],
        host: Host,
        overrun_seconds: float,
        on_stop: Callable[[bool], None],
    ) -> None:
        self._job = job
        self._host = host
        self._overrun_seconds = overrun_seconds
        self._on_stop = on_stop
        self._link: Link | None = None
        self._waiter: asyncio.Future[tuple[Answer, Effort | None] | None] | None = None
        self._asked: asyncio.Future[Answer] | None = None
        self._is_running = False
        self._is_ended = False
        self._failure: Exception | None = None  # while it was paused
        self._is_dropped = False
        self._is_pause_due = False
        self._early: list[Command] = []  # commands from before there was a link
        self._begun: float | None = None
        self._watchdog: asyncio.TimerHandle | None = None
        self._context = copy_context()  # of its call, for log lines
        self.seconds = 0.0

    def resume(self) -> asyncio.Future[tuple[Answer, Effort | None] | None]:
        """Begin or go on.

        Returns:
            The answer and what the search has spent; None if it has been paused.
        """
        self._waiter = asyncio.get_running_loop().create_future()
        if self._failure is None:
            self._go()
        else:
            self._raise(self._failure)
        return self._waiter

    def attach(self, link: Link) -> bool:
        """Begin the search over a link; False if nobody wants it any more."""
        if self._is_dropped:
            self._is_ended = True
            self._on_stop(True)
            return False
        self._link = link
        self._begun = time.monotonic()
        link.send(Command.BEGIN, self._job)
        self._watch(self._seconds_left() + self._overrun_seconds)
        for command in self._early:
            self._send(command)
        return True

    def pause(self) -> None:
        """Make the search return its slots soon, if it has only just got them too."""
        if self._link is not None and not self._is_running:
            self._is_pause_due = True
        else:
            self._send(Command.PAUSE)

    def ask(self) -> asyncio.Future[Answer]:
        """Ask for the answer so far; it comes while the search runs."""
        self._asked = asyncio.get_running_loop().create_future()
        if self._link is None:
            self._early.append(Command.ASK)
        elif not self._is_ended:
            self._link.send(Command.ASK)
        return self._asked

    def finish(self) -> None:
        """Make the search end with its current answer; it may have to be resumed for that."""
        self._send(Command.FINISH)

    def drop(self) -> None:
        """End the search, as nobody wants its answer; does nothing after its end."""
        if self._is_ended or self._is_dropped:
            return
        self._is_dropped = True
        self._send(Command.DROP)
        if not self._is_running:
            self._go()

    def seconds_left(self) -> float | None:
        """Return the rest of its time; None: unlimited."""
        return None if self._job.budget.milliseconds is None else self._seconds_left()

    def receive(self, message: Message) -> None:
        """Take a message of the runner."""
        event, value, seconds = message
        if event is Event.TOLD:
            _settle(self._asked, value)
            return
        if event is Event.FREED:
            self._on_stop(True)
            return
        self._stop()
        self.seconds = seconds
        if event is Event.PAUSED and self._is_dropped:
            self._go()
        elif event is Event.PAUSED:
            _settle(self._waiter, None)
            self._on_stop(False)
        else:
            self._is_ended = True
            if event is Event.DONE:
                _settle(self._waiter, value)
            else:
                self._raise(value)

    def fail(self, error: Exception) -> None:
        """End the search with an error: its link is gone."""
        self._stop()
        self._is_ended = True
        self._failure = error
        self._raise(error)
        self._on_stop(True)

    def _go(self) -> None:
        self._is_running = True
        if self._link is None:
            self._host.assign(self)
            return
        self._link.send(Command.RESUME)
        self._watch(max(self._seconds_left(), 0.0) + self._overrun_seconds)
        if self._is_pause_due:  # RESUME has put an end to earlier pauses
            self._is_pause_due = False
            self._send(Command.PAUSE)

    def _send(self, command: Command) -> None:
        if self._link is None:
            self._early.append(command)
        elif not self._is_ended:
            self._link.send(command)
            if self._is_running:
                self._watch(self._overrun_seconds)

    def _stop(self) -> None:
        self._is_running = False
        if self._watchdog is not None:
            self._watchdog.cancel()

    def _seconds_left(self) -> float:
        milliseconds = self._job.budget.milliseconds
        if milliseconds is None:
            return math.inf
        spent = 0.0 if self._begun is None else time.monotonic() - self._begun
        return milliseconds / 1000 - spent

    def _watch(self, seconds: float) -> None:
        """End the search by force if it has not stopped by then."""
        if seconds == math.inf:
            return
        loop = asyncio.get_running_loop()
        when = loop.time() + seconds
        if self._watchdog is not None:
            if not self._watchdog.cancelled() and self._watchdog.when() <= when:
                return
            self._watchdog.cancel()
        self._watchdog = loop.call_at(when, self._overrun, context=self._context)

    def _overrun(self) -> None:
        assert self._link is not None
        if self._is_running:
            self._link.kill(f"a search of {self._job.game_name} has overrun its time")

    def _raise(self, error: Exception) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_exception(error)


def _settle(future: asyncio.Future[Any] | None, value: Any) -> None:
    if future is not None and not future.done():
        future.set_result(value)
