"""Runs searches within their slots, on threads or in worker processes.

A search whose slots are due to others is paused and goes on later (admission.py). One that is
shorter than the way to a thread and back runs on the event loop (pace.py). When the caller
disconnects the search is dropped, and its slots are free within a millisecond.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

from kingmaker.cext.games import GAMES

from ..errors import DrainingError
from ..settings import ServerSettings
from ..telemetry.calls import CALL
from ..telemetry.metrics import Metrics
from .admission import Admission, AdmissionStatus
from .lines import Claim, Ticket
from .live import Host, Live
from .pace import STEP_MS, Pace
from .processes import ProcessHost
from .slices import Effort, Job
from .threads import ThreadHost

ALIVE_SECONDS = 20.0  # longest silence of a stream

Answer = TypeVar("Answer")


class SearchPool:
    """The searches of a server, and the calls that wait for them.

    Every method with a `Claim` raises OverloadError if the call can't be served in time or too many
    wait, and DrainingError while the server shuts down.

    Args:
        settings: of the server.
        share_of: returns the part of slots and queue that a client may use; None: `client_share`
            of the settings for all.
        charge: called with a client and the seconds of threads that it has used.
        metrics: that count searches; None: nobody looks at them.
    """

    def __init__(
        self,
        settings: ServerSettings,
        share_of: Callable[[str], float] | None = None,
        charge: Callable[[str, float], None] = lambda client, seconds: None,
        metrics: Metrics | None = None,
    ) -> None:
        self._metrics = metrics or Metrics()
        self._settings = settings
        self._admission = Admission(
            settings.slots,
            settings.interactive_queue,
            settings.bulk_queue,
            share_of or (lambda client: settings.client_share),
            charge,
            settings.total_memory_bytes,
            settings.client_share,
        )
        self._host: Host = (
            ProcessHost(settings.slots) if settings.isolation else ThreadHost(settings.slots)
        )
        self._pace = Pace()
        self._lives: set[Live[Any]] = set()
        self._is_finishing = False

    async def start(self) -> None:
        """Get ready for searches."""
        await self._host.start()

    def status(self) -> AdmissionStatus:
        """Return the current load."""
        return self._admission.status()

    @property
    def worker_pids(self) -> list[int]:
        """The worker processes."""
        return self._host.pids

    @property
    def num_restarts(self) -> int:
        """Workers that had to be replaced so far."""
        return self._host.num_restarts

    async def run(self, claim: Claim, make: Callable[[], Job[Answer]]) -> Answer:
        """Run a search to its end.

        Args:
            claim: what it asks of the slots.
            make: says what to search, as soon as there are slots for it.
        """
        if self._admission.is_free(claim):
            job = make()
            kind = job.kind
            if self._may_run_here(job, kind):
                here = self._run_here(claim, job, kind)
                if here is not None:
                    return here
        ticket = await self._admission.enter(claim)
        job = self._make(ticket, make)
        live = self._begin(ticket, job)
        try:
            answer, effort = await self._produce(ticket, live)
        finally:
            live.drop()
        self._pace.note(job.kind, live.seconds)
        self._note(job, effort, ticket.waited)
        return answer

    async def stream(
        self, claim: Claim, interval: float, make: Callable[[], Job[Answer]]
    ) -> AsyncGenerator[Answer]:
        """Run a search and yield its newest answer every `interval` seconds, and its last.

        The search doesn't wait for the iterator's consumer: it continues meanwhile, and builds
        an answer only when one is due. While it gives way to others it yields the same one again
        from time to time: silence would look like a lost connection. Close the iterator to end it
        sooner.
        """
        ticket = await self._admission.enter(claim)
        job = self._make(ticket, make)
        live = self._begin(ticket, job)
        producer = asyncio.create_task(self._produce(ticket, live))
        try:
            loop = asyncio.get_running_loop()
            due = loop.time() + interval
            last: Answer | None = None
            while True:
                await asyncio.wait({producer}, timeout=due - loop.time())
                if producer.done():
                    break
                newest = live.ask()
                both: set[asyncio.Future[Any]] = {producer, newest}
                while True:
                    done, _ = await asyncio.wait(
                        both, timeout=ALIVE_SECONDS, return_when=asyncio.FIRST_COMPLETED
                    )
                    if done:
                        break
                    if last is not None:
                        yield last
                if producer.done():
                    break
                due = max(due + interval, loop.time())
                last = newest.result()
                yield last
            answer, effort = await producer
            self._note(job, effort, ticket.waited)
            yield answer
        finally:
            producer.cancel()
            live.drop()

    @asynccontextmanager
    async def hold(self, claim: Claim) -> AsyncIterator[None]:
        """Hold slots for work that the block does elsewhere, and that can't be paused."""
        ticket = await self._admission.enter(claim)
        ticket.on_pause = _go_on
        try:
            yield
        finally:
            self._admission.leave(ticket)

    def finish_all(self) -> None:
        """End every search with its current answer, and refuse waiting calls."""
        self._is_finishing = True
        self._admission.close()
        for live in list(self._lives):
            live.finish()

    def close(self) -> None:
        """End the threads or processes; searches that still run have no answer."""
        self._host.close()

    def _make(self, ticket: Ticket, make: Callable[[], Job[Answer]]) -> Job[Answer]:
        try:
            return make()
        except BaseException:
            self._leave(ticket)
            raise

    def _leave(self, ticket: Ticket) -> None:
        self._admission.leave(ticket)
        self._metrics.left(ticket.claim.is_bulk, ticket.waited, ticket.used)

    def _note(self, job: Job[Any], effort: Effort | None, waited: float) -> None:
        """Count a search that has an answer, and say what it was in the record of its call."""
        if effort is None:
            return
        game = job.game_name
        self._metrics.searched(game, effort)
        call = CALL.get()
        if call is not None:
            call.game, call.engine = game, effort.engine
            call.simulations, call.waited = effort.simulations, waited

    def _begin(self, ticket: Ticket, job: Job[Answer]) -> Live[Answer]:
        """Prepare a search; whenever it stops it returns its slots, even if nobody awaits it."""

        def stopped(is_ended: bool) -> None:
            if is_ended:
                self._lives.discard(live)
                self._leave(ticket)
            else:
                self._admission.rest(ticket)

        live = Live(job, self._host, self._settings.overrun_seconds, stopped)
        ticket.on_pause = live.pause
        self._lives.add(live)
        if self._is_finishing:
            live.finish()
        return live

    async def _produce(self, ticket: Ticket, live: Live[Answer]) -> tuple[Answer, Effort | None]:
        """Advance a search to its end, with pauses for others; returns what it has spent, too."""
        outcome = await live.resume()
        while outcome is None:
            try:
                async with asyncio.timeout(live.seconds_left()):
                    await self._admission.enter_again(ticket)
            except (TimeoutError, DrainingError):
                # It ends without slots: all that is left to do is to build the answer.
                if self._is_finishing:
                    live.finish()
            outcome = await live.resume()
        return outcome

    def _may_run_here(self, job: Job[Any], kind: str | None) -> bool:
        """Whether a search is short, and its game can't crash the server."""
        return self._pace.is_short(kind) and (not self._host.is_isolated or job.game_name in GAMES)

    def _run_here(self, claim: Claim, job: Job[Answer], kind: str | None) -> Answer | None:
        """Search on the event loop; None if it takes too long and has to start over elsewhere."""
        start = time.thread_time()
        is_over = True
        try:
            search = job.begin()
            search.step(STEP_MS)
            is_over = search.is_finished
            if not is_over:
                return None
            found = search.snapshot()
            answer = job.answer(search, found)
        finally:
            seconds = time.thread_time() - start
            self._pace.note(kind, seconds)
            if is_over:
                self._admission.note(claim, seconds)
                self._metrics.left(claim.is_bulk, 0.0, seconds)
        self._note(job, job.effort(found), 0.0)
        return answer


def _go_on() -> None:
    """Keep the slots when they are asked for."""
