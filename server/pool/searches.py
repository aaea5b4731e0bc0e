"""Running searches on threads, each within the slots that it was given.

The event loop never searches: it hands a search to a thread, where it runs without the GIL, and
goes on. When the caller goes away the search is cancelled, and its slots are free as soon as the
thread has noticed, within a millisecond.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from kingmaker.search.analysis import Analysis, StopReason
from kingmaker.search.run import Search

from ..errors import DrainingError
from ..settings import ServerSettings
from .admission import Admission, AdmissionStatus, Ticket
from .workers import Workers

SLICE_SECONDS = 0.05  # how long a streamed search runs before it lets interactive calls go first


class Timed(Protocol):
    """What a stream needs to know of a budget."""

    @property
    def milliseconds(self) -> float | None:
        """Wall-clock time that may be spent; None: no limit."""


class Snapshot(Protocol):
    """What a stream needs to know of an answer."""

    @property
    def stop_reason(self) -> StopReason | None:
        """None while there is more to do."""

    @property
    def seconds(self) -> float:
        """Wall-clock time since it began, pauses included."""


Answer = TypeVar("Answer")
AnySearch = TypeVar("AnySearch", bound=Search)
Found = TypeVar("Found", bound=Snapshot)
FoundOut = TypeVar("FoundOut", bound=Snapshot, covariant=True)
Kind = TypeVar("Kind", bound="Resumable[Any]")


class Resumable(Protocol[FoundOut]):
    """What can be streamed: a `Search` or a `Solver`."""

    @property
    def budget(self) -> Timed:
        """What it may spend."""

    def advance(self, milliseconds: float) -> FoundOut:
        """Go on for so long, on one thread at a time."""

    def cancel(self) -> None:
        """End `advance` within a millisecond; from any thread."""


class SearchPool:
    """The threads of a server, and the calls that wait for them.

    Every method that takes a `client` (his address) raises OverloadError if the queue is full or
    the client has its share, and DrainingError while the server shuts down.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._admission = Admission(
            settings.slots,
            settings.interactive_queue,
            settings.bulk_queue,
            settings.client_share,
        )
        # Nothing gets there without a slot, so that there is always a thread free for it.
        self._workers = Workers(settings.slots, "search")
        self._searches: set[Resumable[Any]] = set()
        self._is_finishing = False

    def status(self) -> AdmissionStatus:
        """Say how full it is now."""
        return self._admission.status()

    async def call(self, client: str, work: Callable[[], Answer]) -> Answer:
        """Do bulk work that is no search on a thread."""
        ticket = await self._admission.enter(client, is_bulk=True)
        return await self._submit(ticket, work)

    async def run(
        self,
        client: str,
        threads: int,
        make: Callable[[], AnySearch],
        finish: Callable[[AnySearch, Analysis], Answer],
    ) -> Answer:
        """Run an interactive search to its end.

        Args:
            client: address of the caller.
            threads: threads of the search.
            make: makes the search, as soon as there are slots for it.
            finish: makes the answer from it, on the search's thread.
        """
        ticket = await self._admission.enter(client, threads=threads)
        search = self._make(ticket, make)
        is_wanted = True

        def work() -> Answer:
            analysis = search.run()
            if not is_wanted:
                raise InterruptedError("the caller went away")
            return finish(search, analysis)

        try:
            return await self._submit(ticket, work)
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

        The search doesn't wait for who iterates: it goes on meanwhile, and what it found in
        between is skipped. Close the iterator to end it sooner.
        """
        ticket = await self._admission.enter(client, is_bulk=True, threads=threads)
        search = self._make(ticket, make)
        view = _View(search, min(SLICE_SECONDS, interval / 2), self._admission)
        first = self._submit(ticket, view.advance)
        producer = asyncio.create_task(self._produce(ticket, view, first))
        try:
            loop = asyncio.get_running_loop()
            due = loop.time() + interval
            shown: Found | None = None
            while not producer.done():
                await asyncio.wait({producer}, timeout=due - loop.time())
                due = max(due + interval, loop.time())
                newest = view.newest
                if producer.done() or newest is None or newest == shown:
                    continue
                if newest.stop_reason is None:  # the end is told by the producer, and once
                    shown = newest
                    yield search, newest
            yield search, await producer
        finally:
            search.cancel()
            producer.cancel()
            self._searches.discard(search)

    def finish_all(self) -> None:
        """Tell every search to answer with what it has, and send away who waits."""
        self._is_finishing = True
        self._admission.close()
        for search in self._searches:
            search.cancel()

    def close(self) -> None:
        """End the threads; all searches must have been told to finish."""
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
        """Begin work on a thread; its end gives the ticket back, also if nobody awaits it."""
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
            if not waiter.done():  # the caller may have gone away
                finish()

        self._workers.put(run)
        return waiter

    async def _produce(
        self, ticket: Ticket, view: _View[Found], first: asyncio.Future[Found]
    ) -> Found:
        """Advance a search to its end, with pauses for interactive calls."""
        found = await first
        while found.stop_reason is None:
            try:
                async with asyncio.timeout(_seconds_left(view.search, found)):
                    ticket = await self._admission.enter(
                        ticket.client, is_bulk=True, threads=ticket.threads, is_return=True
                    )
            except TimeoutError:
                # The pause outlasted the budget: what was found before it is the answer. Putting
                # it together may take a while, so not on the event loop.
                return await asyncio.to_thread(view.search.advance, 0)
            except DrainingError:
                view.search.cancel()
                return await asyncio.to_thread(view.search.advance, 0)
            found = await self._submit(ticket, view.advance)
        return found


def _seconds_left(search: Resumable[Found], found: Found) -> float | None:
    """Say how long a search may still take after `found`; None: as long as it likes."""
    milliseconds = search.budget.milliseconds
    return None if milliseconds is None else milliseconds / 1000 - found.seconds


class _View(Generic[Found]):
    """A search in slices and the newest answer of it."""

    def __init__(self, search: Resumable[Found], seconds: float, admission: Admission) -> None:
        self.search = search
        self.newest: Found | None = None
        self._milliseconds = seconds * 1000
        self._admission = admission

    def advance(self) -> Found:
        """Search until the end, or until interactive calls wait; on a thread."""
        while True:
            self.newest = found = self.search.advance(self._milliseconds)
            if found.stop_reason is not None or self._admission.is_interactive_waiting:
                return found
