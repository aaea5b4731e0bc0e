"""Admission of searches: slots, queues and refusals.

There is one slot for each search thread. A call without a free slot waits in one of two queues:
interactive calls (a person waits for a move) are served before bulk ones, and within a queue the
client with the fewest running searches is next; clients with equally many take turns, so that no
client waits behind all earlier calls of another one. A call is refused at once if its queue is full
or its client has used up its quota.

Everything here runs on the event loop, so no locks are needed.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import DrainingError, OverloadError

MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.05, 10.0
SMOOTHING = 0.2  # weight of the latest search in the mean time that a slot is held


@dataclass(frozen=True, slots=True)
class AdmissionStatus:
    """The load of the server.

    Attributes:
        slots: number of search threads.
        running: taken slots.
        waiting_interactive: interactive calls in the queue.
        waiting_bulk: bulk calls in the queue.
        oldest_seconds: waiting time of the oldest call in a queue; 0 if none waits.
        refused: calls refused so far.
        admitted: calls admitted so far.
    """

    slots: int
    running: int
    waiting_interactive: int
    waiting_bulk: int
    oldest_seconds: float
    refused: int
    admitted: int


@dataclass(slots=True, eq=False)
class Ticket:
    """A call's claim on slots.

    Attributes:
        client: name or address of the caller.
        threads: number of slots.
        is_bulk: whether interactive calls go first.
        since: start of its waiting, later the time of its admission; monotonic seconds.
        rank: its place in the queue among clients with equally many running searches.
        turn: done when it is its turn; None if it never had to wait.
    """

    client: str
    threads: int
    is_bulk: bool
    since: float
    rank: int = 0
    turn: asyncio.Future[None] | None = field(default=None)


class Admission:
    """The slots of a server and the queues before them.

    Args:
        slots: number of search threads.
        interactive_queue: interactive calls that may wait.
        bulk_queue: bulk calls that may wait.
        share_of: returns the part of slots and queue that a client may use, in (0, 1].
        charge: called with a client and the seconds of threads that it has used.
    """

    def __init__(
        self,
        slots: int,
        interactive_queue: int,
        bulk_queue: int,
        share_of: Callable[[str], float],
        charge: Callable[[str, float], None],
    ) -> None:
        self._slots = slots
        self._free = slots
        self._capacity = {False: interactive_queue, True: bulk_queue}
        self._share_of = share_of
        self._charge = charge
        self._waiting: dict[bool, list[Ticket]] = {False: [], True: []}
        self._running: Counter[str] = Counter()
        self._claims: Counter[tuple[str, bool]] = Counter()
        # Start-time fair queueing: the calls of a client have the ranks 1, 2, ... after the rank
        # that is being served at its arrival.
        self._rank = 0
        self._last_rank: dict[str, int] = {}
        self._mean_seconds = 0.1
        self._refused = 0
        self._admitted = 0
        self._is_closed = False

    async def enter(
        self, client: str, *, is_bulk: bool = False, threads: int = 1, is_return: bool = False
    ) -> Ticket:
        """Wait for free slots; every ticket must be returned with `leave`.

        Args:
            client: name or address of the caller.
            is_bulk: whether interactive calls go first.
            threads: slots wanted, at most all there are.
            is_return: whether the call had yielded its slots: then it is the first of its queue,
                and never refused because the queue is full.

        Raises:
            OverloadError: the queue is full, or the client's quota is used up.
            DrainingError: the server shuts down.
        """
        ticket = Ticket(client, min(threads, self._slots), is_bulk, time.monotonic())
        if self._is_closed:
            raise DrainingError("the server shuts down")
        must_wait = self._must_wait(ticket)
        if not is_return:
            if must_wait:
                self._check_queue(ticket)
            self._check_share(ticket)
        self._claims[client, is_bulk] += 1
        try:
            if must_wait:
                await self._wait(ticket, is_first=is_return)
            else:
                self._take(ticket)
        except BaseException:
            self._forget_claim(ticket)
            raise
        self._admitted += not is_return
        return ticket

    def leave(self, ticket: Ticket) -> None:
        """Return the slots of a ticket."""
        held = time.monotonic() - ticket.since
        self._mean_seconds += SMOOTHING * (held - self._mean_seconds)
        self._charge(ticket.client, held * ticket.threads)
        self._release(ticket)
        self._forget_claim(ticket)

    @property
    def is_interactive_waiting(self) -> bool:
        """Whether bulk calls should yield; may be read from any thread."""
        return bool(self._waiting[False])

    def close(self) -> None:
        """Refuse all waiting and all new calls."""
        self._is_closed = True
        for queue in self._waiting.values():
            for ticket in queue:
                if ticket.turn is not None and not ticket.turn.done():
                    ticket.turn.set_exception(DrainingError("the server shuts down"))
            queue.clear()

    def status(self) -> AdmissionStatus:
        """Return the current load."""
        waiting = [*self._waiting[False], *self._waiting[True]]
        now = time.monotonic()
        oldest = min((ticket.since for ticket in waiting), default=now)
        return AdmissionStatus(
            slots=self._slots,
            running=self._slots - self._free,
            waiting_interactive=len(self._waiting[False]),
            waiting_bulk=len(self._waiting[True]),
            oldest_seconds=now - oldest,
            refused=self._refused,
            admitted=self._admitted,
        )

    def _check_share(self, ticket: Ticket) -> None:
        places = self._slots + self._capacity[ticket.is_bulk]
        limit = max(1, math.ceil(self._share_of(ticket.client) * places))
        if self._claims[ticket.client, ticket.is_bulk] >= limit:
            self._refused += 1
            raise OverloadError(
                f"{ticket.client} has {limit} calls running or waiting, which is its limit; wait "
                "for one of them",
                f"client:{ticket.client}",
                self._retry_seconds(),
            )

    def _check_queue(self, ticket: Ticket) -> None:
        capacity = self._capacity[ticket.is_bulk]
        if len(self._waiting[ticket.is_bulk]) >= capacity:
            self._refused += 1
            kind = "bulk" if ticket.is_bulk else "interactive"
            raise OverloadError(
                f"all {self._slots} slots are taken and {capacity} {kind} calls wait already; "
                "retry later",
                f"queue:{kind}",
                self._retry_seconds(),
            )

    def _retry_seconds(self) -> float:
        ahead = sum(map(len, self._waiting.values())) + 1
        seconds = self._mean_seconds * ahead / self._slots
        return min(max(seconds, MIN_RETRY_SECONDS), MAX_RETRY_SECONDS)

    def _must_wait(self, ticket: Ticket) -> bool:
        somebody_first = self._waiting[False] or (ticket.is_bulk and self._waiting[True])
        return bool(somebody_first) or self._free < ticket.threads

    async def _wait(self, ticket: Ticket, *, is_first: bool) -> None:
        """Wait in the queue until `ticket` has its slots."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ticket.turn = turn
        ticket.since = time.monotonic()
        queue = self._waiting[ticket.is_bulk]
        if not is_first:
            ticket.rank = max(self._rank, self._last_rank.get(ticket.client, 0)) + 1
            self._last_rank[ticket.client] = ticket.rank
        queue.insert(0 if is_first else len(queue), ticket)
        self._admit_waiting()
        try:
            await turn
        except BaseException:
            if ticket in queue:
                queue.remove(ticket)
            elif turn.done() and not turn.cancelled() and turn.exception() is None:
                self._release(ticket)  # its turn came at the same moment as the cancel
            self._admit_waiting()
            raise

    def _admit_waiting(self) -> None:
        for queue in (self._waiting[False], self._waiting[True]):
            while queue:
                ticket = min(queue, key=lambda each: (self._running[each.client], each.rank))
                if ticket.threads > self._free:
                    return  # later calls must not overtake it
                queue.remove(ticket)
                self._rank = max(self._rank, ticket.rank)
                self._take(ticket)
                if ticket.turn is not None and not ticket.turn.done():
                    ticket.turn.set_result(None)
                else:
                    self._release(ticket, admit=False)

    def _take(self, ticket: Ticket) -> None:
        self._free -= ticket.threads
        self._running[ticket.client] += ticket.threads
        ticket.since = time.monotonic()

    def _release(self, ticket: Ticket, *, admit: bool = True) -> None:
        self._free += ticket.threads
        self._running[ticket.client] -= ticket.threads
        if not self._running[ticket.client]:
            del self._running[ticket.client]
        if admit:
            self._admit_waiting()

    def _forget_claim(self, ticket: Ticket) -> None:
        key = ticket.client, ticket.is_bulk
        self._claims[key] -= 1
        if not self._claims[key]:
            del self._claims[key]
            if (ticket.client, not ticket.is_bulk) not in self._claims:
                self._last_rank.pop(ticket.client, None)
