"""Runs searches on threads, each within its slots.

The event loop passes a search to a thread, where it runs without the GIL, unless it is shorter than
that takes (pace.py). When the caller disconnects the search is cancelled, and its slots are free as
soon as the thread notices the cancel, within a millisecond.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from kingmaker.search.analysis import Analysis
from kingmaker.search.run import Search

from ..errors import DrainingError
from ..settings import ServerSettings
from .admission import Admission, AdmissionStatus, Ticket
from .pace import STEP_MS, Pace, kind_of
from .workers import Workers

SLICE_SECONDS = 0.05  # length of a slice, after which a streamed search yields to interactive calls


class Timed(Protocol):
    """The part of a budget that a stream uses."""

    @property
    def milliseconds(self) -> float | None:
        """Wall-clock time that may be spent; None: no limit."""


Answer = TypeVar("Answer")
AnySearch = TypeVar("AnySearch", bound=Search)
Found = TypeVar("Found")
FoundOut = TypeVar("FoundOut", covariant=True)
Kind = TypeVar("Kind", bound="Resumable[Any]")


class Resumable(Protocol[FoundOut]):
    """A `Search` or a `Solver`."""

    @property
    def budget(self) -> Timed:
        """Its limits."""

    @property
    def is_finished(self) -> bool:
        """Whether the last step has ended it."""

    @property
    def seconds(self) -> float:
        """Wall-clock time from its begin to the end of its last step, pauses included."""

    def step(self, milliseconds: float) -> None:
        """Continue for this time, on one thread at a time."""

    def snapshot(self) -> FoundOut:
        """Build the answer after the last step."""

    def advance(self, milliseconds: float) -> FoundOut:
        """Make a step and build the answer."""

    def cancel(self) -> None:
        """End `step` within a millisecond; callable from any thread."""


class SearchPool:
    """The threads of a server, and the calls that wait for them.

    Every method with a `client` (its name or address) raises OverloadError if the queue is full or
    the client's quota is used up, and DrainingError while the server shuts down.

    Args:
        settings: of the server.
        share_of: returns the part of slots and queue that a client may use; None: `client_share`
            of the settings for all.
        charge: called with a client and the seconds of threads that it has used.
    """

    def __init__(
        self,
        settings: ServerSettings,
        share_of: Callable[[str], float] | None = None,
        charge: Callable[[str, float], None] = lambda client, seconds: None,
    ) -> None:
        self._admission = Admission(
            settings.slots,
            settings.interactive_queue,
            settings.bulk_queue,
            share_of or (lambda client: settings.client_share),
            charge,
        )
        # Work needs a slot first, so a thread is always free for it.
        self._workers = Workers(settings.slots, "search")
        self._pace = Pace()
        self._searches: set[Resumable[Any]] = set()
        self._is_finishing = False

    def status(self) -> AdmissionStatus:
        """Return the current load."""
        return self._admission.status()

    async def call(self, client: str, work: Callable[[], Answer]) -> Answer:
        """Run bulk work other than a search on a thread."""
        ticket = await self._admission.enter(client, is_bulk=True)
        return await self._submit(ticket, work)

    async def run(
        self,
        client: str,
        threads: int,
        make: Callable[[], AnySearch],
        finish: Callable[[AnySearch, Analysis], Answer],
        *,
        is_light: bool = True,
    ) -> Answer:
        """Run an interactive search to its end.

        Args:
            client: name or address of the caller.
            threads: threads of the search.
            make: creates the search, as soon as there are slots for it.
            finish: builds the answer from it, on the search's thread.
            is_light: whether `finish` takes about as long in all positions of a game, so that a
                short search may run on the event loop.
        """
        ticket = await self._admission.enter(client, threads=threads)
        search = self._make(ticket, make)
        kind = kind_of(search, finish.__qualname__) if is_light else None
        is_wanted = True

        def work(milliseconds: float) -> Answer | None:
            start = time.thread_time()
            try:
                search.step(milliseconds)
                if not search.is_finished:
                    return None
                if not is_wanted:
                    raise InterruptedError("the caller went away")
                return finish(search, search.snapshot())
            finally:
                self._pace.note(kind, time.thread_time() - start)

        try:
            answer = None
            if self._pace.is_short(kind):
                answer = self._work_here(ticket, partial(work, STEP_MS))
            if answer is None:
                answer = await self._submit(ticket, partial(work, math.inf))
            assert answer is not None
            return answer
        except asyncio.CancelledError:
            is_wanted = False
            search.cancel()
            raise
        finally:
            self._searches.discard(search)

    async def stream(
        self, client: str, threads: int, interval: float, make: Callable[[], Resumable[Found]]
    ) -> AsyncGenerator[tuple[Resumable[Found], Found]]:
        """Run a bulk search and yield its newest answer every `interval` seconds, and its last.

        The search doesn't wait for the iterator's consumer: it continues meanwhile, and builds
        an answer only when one is due. Close the iterator to end it sooner.
        """
        ticket = await self._admission.enter(client, is_bulk=True, threads=threads)
        search = self._make(ticket, make)
        view = _View(search, min(SLICE_SECONDS, interval / 2), self._admission)
        first = self._submit(ticket, view.advance)
        producer = asyncio.create_task(self._produce(ticket, view, first))
        try:
            loop = asyncio.get_running_loop()
            due = loop.time() + interval
            while True:
                await asyncio.wait({producer}, timeout=due - loop.time())
                if producer.done():
                    break
                newest = view.ask()
                await asyncio.wait({producer, newest}, return_when=asyncio.FIRST_COMPLETED)
                if producer.done():
                    break
                due = max(due + interval, loop.time())
                yield search, newest.result()
            yield search, await producer
        finally:
            search.cancel()
            producer.cancel()
            self._searches.discard(search)

    def finish_all(self) -> None:
        """End every search with its current answer, and refuse waiting calls."""
        self._is_finishing = True
        self._admission.close()
        for search in self._searches:
            search.cancel()

    def close(self) -> None:
        """End the threads; all searches must have been finished or cancelled."""
        self._workers.close()

    def _make(self, ticket: Ticket, make: Callable[[], Kind]) -> Kind:
        try:
            search = make()
        except BaseException:
            self._admission.leave(ticket)
            raise
        self._searches.add(search)
        if self._is_finishing:
            search.cancel()
        return search

    def _submit(self, ticket: Ticket, work: Callable[[], Answer]) -> asyncio.Future[Answer]:
        """Start work on a thread; its end returns the ticket, even if the result is not awaited."""
        loop = asyncio.get_running_loop()
        waiter: asyncio.Future[Answer] = loop.create_future()

        def run() -> None:
            try:
                finish = partial(waiter.set_result, work())
            except Exception as error:
                finish = partial(waiter.set_exception, error)
            loop.call_soon_threadsafe(settle, finish)

        def settle(finish: Callable[[], None]) -> None:
            self._admission.leave(ticket)
            if not waiter.done():  # the caller may have disconnected
                finish()

        self._workers.put(run)
        return waiter

    def _work_here(self, ticket: Ticket, work: Callable[[], Answer | None]) -> Answer | None:
        """Work on the event loop; its end returns the ticket, unless there is no answer yet."""
        answer = None
        try:
            answer = work()
        except BaseException:
            self._admission.leave(ticket)
            raise
        if answer is not None:
            self._admission.leave(ticket)
        return answer

    async def _produce(
        self, ticket: Ticket, view: _View[Found], first: asyncio.Future[Found | None]
    ) -> Found:
        """Advance a search to its end, with pauses for interactive calls."""
        last = await first
        while last is None:
            try:
                async with asyncio.timeout(_seconds_left(view.search)):
                    ticket = await self._admission.enter(
                        ticket.client, is_bulk=True, threads=ticket.threads, is_return=True
                    )
            except TimeoutError:
                # The pause outlasted the budget: the answer is the one before it. Building
                # it may take a while, so not on the event loop.
                return await asyncio.to_thread(view.search.advance, 0)
            except DrainingError:
                view.search.cancel()
                return await asyncio.to_thread(view.search.advance, 0)
            last = await self._submit(ticket, view.advance)
        return last


def _seconds_left(search: Resumable[Any]) -> float | None:
    """Return the remaining time of a search; None: unlimited."""
    milliseconds = search.budget.milliseconds
    return None if milliseconds is None else milliseconds / 1000 - search.seconds


class _View(Generic[Found]):
    """A search in slices, and the answers of it that are asked for."""

    def __init__(self, search: Resumable[Found], seconds: float, admission: Admission) -> None:
        self.search = search
        self._asked: asyncio.Future[Found] | None = None
        self._milliseconds = seconds * 1000
        self._admission = admission

    def ask(self) -> asyncio.Future[Found]:
        """Ask for the answer at the end of the running slice; not before the last one is there."""
        self._asked = asyncio.get_running_loop().create_future()
        return self._asked

    def advance(self) -> Found | None:
        """Search until the end, or until interactive calls wait (None); on a thread."""
        while True:
            self.search.step(self._milliseconds)
            if self.search.is_finished:
                return self.search.snapshot()
            if self._asked is not None:
                asked, self._asked = self._asked, None
                asked.get_loop().call_soon_threadsafe(_settle, asked, self.search.snapshot())
            if self._admission.is_interactive_waiting:
                return None


def _settle(asked: asyncio.Future[Found], found: Found) -> None:
    if not asked.done():
        asked.set_result(found)
