"""Admission of searches: slots, their fair division, waiting and refusals.

There is one slot for each search thread. Interactive calls (a person waits for a move) go before
bulk ones. Within a class the client that has used the least slot time for its share is next
(shares.py), and among its calls the one that its line says (lines.py). A call that holds a slot
longer than a quantum is asked to return it when somebody waits whose turn it is; its search is
paused and gets slots again later.

The queue is bounded by time: a call that can't expect a slot while its answer would still be in
time is refused at once. It is bounded by number and by the memory of searches that have begun, too.

Everything here runs on the event loop, so no locks are needed.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import DrainingError, OverloadError
from ..settings import KEPT_SHARE, MIB
from .lines import TURN_SECONDS, Claim, Line, Ticket, turns
from .shares import Shares
from .slices import SLICE_MS

QUANTUM_SECONDS = 0.05  # least time of a call on a slot before another client's call gets it
LIVE_PER_SLOT = 2  # searches of one client and class that may have begun, for each slot
MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.05, 10.0
OVERLOAD_SHARE = 0.5  # part of a new call's patience that it may expect to wait in order
SMOOTHING = 0.1  # weight of the latest call in the mean slot time of its class
FIRST_MEAN_SECONDS = 0.1
CLASSES = (False, True)  # interactive, bulk
LATER = ", or with a later deadline"
LESS_MEMORY = ", or with less memory_bytes"


class Lack(NamedTuple):
    """What a search lacks to begin.

    Attributes:
        why: in words.
        subject: of the refusal.
        remedy: what else than a retry may help, as the end of a sentence.
    """

    why: str
    subject: str
    remedy: str


@dataclass(frozen=True, slots=True)
class AdmissionStatus:
    """The load of the server.

    Attributes:
        slots: number of search threads.
        running: taken slots.
        waiting_interactive: interactive calls in the queue.
        waiting_bulk: bulk calls in the queue.
        interactive_seconds: waiting time of the oldest interactive call; 0 if none waits.
        bulk_seconds: that of the oldest bulk call.
        refused: calls refused so far.
        live: searches that have begun and not ended, paused ones included.
        memory_bytes: that they may use.
    """

    slots: int
    running: int
    waiting_interactive: int
    waiting_bulk: int
    interactive_seconds: float
    bulk_seconds: float
    refused: int
    live: int
    memory_bytes: int


class Admission:
    """The slots of a server and the queues before them.

    Args:
        slots: number of search threads.
        interactive_queue: interactive calls that may wait.
        bulk_queue: bulk calls that may wait.
        share_of: returns the part of a queue that a client may use, in (0, 1], and of the memory
            for more than one search; clients that always want more get slots in proportion to it.
        charge: called with a client and the seconds of threads that it has used.
        memory_bytes: of all searches that have begun, together.
        usual_share: of most clients.
    """

    def __init__(
        self,
        slots: int,
        interactive_queue: int,
        bulk_queue: int,
        share_of: Callable[[str], float],
        charge: Callable[[str, float], None],
        memory_bytes: int,
        usual_share: float = 1.0,
    ) -> None:
        self._slots = slots
        self._free = slots
        self._capacity = {False: interactive_queue, True: bulk_queue}
        self._share_of = share_of
        self._usual_share = usual_share
        self._charge = charge
        self._lines: dict[bool, dict[str, Line]] = {False: {}, True: {}}
        self._num_waiting = {False: 0, True: 0}
        self._holding: set[Ticket] = set()
        self._live: Counter[tuple[str, bool]] = Counter()  # by client and class
        self._held_bytes: Counter[str] = Counter()  # by client, of searches that have begun
        self._free_bytes = self._memory_bytes = memory_bytes
        self._shares = Shares()
        self._mean_seconds = dict.fromkeys(CLASSES, FIRST_MEAN_SECONDS)
        self._timer: asyncio.TimerHandle | None = None
        self._num_tickets = 0
        self._refused = 0
        self._is_closed = False

    async def enter(self, claim: Claim) -> Ticket:
        """Wait for free slots; every ticket must be returned with `leave`.

        Raises:
            OverloadError: the call can't be served in time, or too many wait.
            DrainingError: the server shuts down.
        """
        if self._is_closed:
            raise DrainingError("the server shuts down")
        now = time.monotonic()
        self._num_tickets += 1
        ticket = Ticket(claim, self._num_tickets, now)
        self._shares.begin(claim.client, now, self._weight(claim.client))
        try:
            if self.is_free(claim):
                self._take(ticket, now)
            else:
                await self._wait_first(ticket, now)
        except BaseException:
            self._remove(ticket)
            self._end(ticket)
            self._admit()  # it may have been cancelled at its turn, and its memory is free now
            raise
        return ticket

    def is_free(self, claim: Claim) -> bool:
        """Whether a call would get its slots at once, as nobody waits for them."""
        return (
            not (self._num_waiting[False] or self._num_waiting[True] or self._is_closed)
            and claim.threads <= self._free
            and self._lack(claim) is None
        )

    def note(self, claim: Claim, seconds: float) -> None:
        """Count a call that had its slots while nothing else could happen on the event loop."""
        self._note_seconds(claim, seconds)
        self._charge(claim.client, claim.threads * seconds)
        if self._shares.num_clients:  # else no client competes for slots
            now = time.monotonic()
            self._shares.begin(claim.client, now, self._weight(claim.client))
            self._shares.add(claim.client, claim.threads * seconds)
            self._shares.end(claim.client, now)

    async def enter_again(self, ticket: Ticket) -> None:
        """Wait for slots after `rest`, or for `leave`; never refused.

        Raises:
            DrainingError: the server shuts down.
        """
        if self._is_closed:
            raise DrainingError("the server shuts down")
        if not ticket.is_live:  # it has ended at the moment of its pause
            return
        ticket.since = time.monotonic()
        self._add(ticket)
        await self._turn(ticket)

    def rest(self, ticket: Ticket) -> None:
        """Return the slots of a ticket; its search is paused."""
        self._release(ticket)
        self._admit()

    def leave(self, ticket: Ticket) -> None:
        """Return a ticket; its search has ended, maybe by itself while it waited for slots."""
        if ticket.is_holding:
            self._release(ticket)
        self._remove(ticket)
        if ticket.turn is not None and not ticket.turn.done():
            ticket.turn.set_result(None)
        self._note_seconds(ticket.claim, ticket.used)
        self._end(ticket)
        self._admit()

    def close(self) -> None:
        """Refuse all waiting and all new calls."""
        self._is_closed = True
        for ticket in [each for is_bulk in CLASSES for each in self._waiting(is_bulk)]:
            self._remove(ticket)
            _fail(ticket, DrainingError("the server shuts down"))
        if self._timer is not None:
            self._timer.cancel()

    def status(self) -> AdmissionStatus:
        """Return the current load."""
        now = time.monotonic()
        interactive, bulk = (
            now - min((each.since for each in self._waiting(is_bulk)), default=now)
            for is_bulk in CLASSES
        )
        return AdmissionStatus(
            slots=self._slots,
            running=self._slots - self._free,
            waiting_interactive=self._num_waiting[False],
            waiting_bulk=self._num_waiting[True],
            interactive_seconds=interactive,
            bulk_seconds=bulk,
            refused=self._refused,
            live=sum(self._live.values()),
            memory_bytes=self._memory_bytes - self._free_bytes,
        )

    async def _wait_first(self, ticket: Ticket, now: float) -> None:
        """Queue a new call, or refuse it or another one for it, and wait for its turn."""
        line = self._line(ticket)
        if self._expected_seconds(ticket, line, now) > OVERLOAD_SHARE * ticket.claim.patience:
            line.is_overloaded = bool(line.tickets)
        seconds = self._expected_seconds(ticket, line, now)
        if seconds > ticket.claim.patience:
            raise self._late(ticket.claim, _expected(seconds))
        self._make_room(ticket, line)
        ticket.timer = asyncio.get_running_loop().call_later(
            ticket.claim.patience, self._end_patience, ticket
        )
        self._add(ticket)
        line = self._line(ticket)  # a new one if its only ticket was displaced
        if line.is_overloaded:
            self._refuse_late(line, now)
        try:
            await self._turn(ticket)
        finally:
            ticket.timer.cancel()

    async def _turn(self, ticket: Ticket) -> None:
        """Wait until a ticket in the queue has its slots."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        ticket.turn = turn
        self._admit()
        try:
            await turn
        except BaseException:
            if ticket.is_holding:  # its turn came at the same moment as the cancel
                self._release(ticket)
            else:
                self._remove(ticket)
            self._admit()
            raise
        finally:
            ticket.turn = None

    def _expected_seconds(self, ticket: Ticket, line: Line, now: float) -> float:
        """Estimate how long a new call would wait in its line."""
        ahead = 0.0 if line.is_overloaded else line.work(self._turn_seconds(ticket.claim.is_bulk))
        return self._until_free(ticket, now) + min(
            ahead * self._rivalry(ticket.claim), self._work(ticket.claim.is_bulk) / self._slots
        )

    def _until_free(self, ticket: Ticket, now: float) -> float:
        """Estimate the time until running calls end or return their slots."""
        if self._free >= ticket.claim.threads:
            return 0.0
        seconds = 0.0
        for each in self._holding:
            own = each.claim.client == ticket.claim.client
            turn = (TURN_SECONDS if own else QUANTUM_SECONDS) - (now - each.since)
            left = min(self._left(each, now), max(turn, SLICE_MS / 1000))
            seconds += each.claim.threads * left
        return seconds / self._slots

    def _left(self, ticket: Ticket, now: float) -> float:
        """Estimate the rest of a running call: what calls take, or as long as it runs already."""
        used, mean = ticket.used_at(now), self._mean_seconds[ticket.claim.is_bulk]
        return min(max(ticket.claim.seconds - used, 0.0), max(mean - used, used))

    def _rivalry(self, claim: Claim) -> float:
        """Return the seconds in which a client gets a slot second while the others wait too."""
        clients = {each.claim.client for each in self._holding}
        for is_bulk in _classes_before(claim.is_bulk):
            clients.update(self._lines[is_bulk])
        clients.add(claim.client)
        return sum(map(self._weight, clients)) / self._weight(claim.client) / self._slots

    def _weight(self, client: str) -> float:
        """Return the part of the slots that a client gets, compared with most clients."""
        return self._share_of(client) / self._usual_share

    def _work(self, is_bulk: bool) -> float:
        """Estimate the slot seconds of all that wait and go before a new call of a class."""
        return sum(
            line.work(self._turn_seconds(each))
            for each in _classes_before(is_bulk)
            for line in self._lines[each].values()
        )

    def _turn_seconds(self, is_bulk: bool) -> float:
        """Estimate the time to the end of a call's turn, if the call doesn't ask for less."""
        return min(self._mean_seconds[is_bulk], TURN_SECONDS)

    def _make_room(self, ticket: Ticket, line: Line) -> None:
        """Refuse a call, the new one or another, if too many wait."""
        is_bulk = ticket.claim.is_bulk
        capacity = self._capacity[is_bulk]
        limit = math.ceil(self._share_of(ticket.claim.client) * capacity)
        if sum(each.num_new for each in self._lines[is_bulk].values()) >= capacity:
            kind = "bulk" if is_bulk else "interactive"
            subject = f"queue:{kind}"
            why = f"all {self._slots} slots are taken and {capacity} {kind} calls wait already"
            longest = max(self._lines[is_bulk].values(), key=_num_new, default=line)
            line = longest if longest.num_new > line.num_new + 1 else line
        elif line.num_new >= limit:
            subject = f"client:{ticket.claim.client}"
            why = f"{ticket.claim.client} has {limit} calls waiting, which is its limit"
        else:
            return
        error = OverloadError(f"{why}; retry later", subject, self._retry_seconds(is_bulk))
        displaced = line.expendable()
        is_own = line is self._lines[is_bulk].get(ticket.claim.client)
        self._refused += 1
        if displaced is None or (is_own and not line.is_overloaded) or not line.tickets:
            line.is_overloaded = bool(line.tickets)
            raise error
        line.is_overloaded = True
        self._remove(displaced)
        _fail(displaced, error)

    def _refuse_late(self, line: Line, now: float) -> None:
        """Refuse those at the end of a line who can't be served in time any more."""
        first = line.tickets[0]
        until_free = self._until_free(first, now)
        rivalry = self._rivalry(first.claim)
        all_work = self._work(first.claim.is_bulk) / self._slots
        most = self._turn_seconds(first.claim.is_bulk)
        ahead = 0.0
        for each in line.tickets.copy():
            seconds = until_free + min(ahead * rivalry, all_work)
            is_new = not each.is_live and each.turn is not None
            if is_new and seconds > each.patience_at(now):
                self._remove(each)
                _fail(each, self._late(each.claim, _expected(seconds)))
            else:
                ahead += each.claim.threads * min(each.claim.seconds, most)

    def _end_patience(self, ticket: Ticket) -> None:
        """Refuse a call that has waited too long."""
        if ticket.turn is not None and not ticket.turn.done():
            self._line(ticket).is_overloaded = True
            self._remove(ticket)
            waited = f"{time.monotonic() - ticket.since:.2f} s"
            if lack := self._lack(ticket.claim):
                _fail(ticket, self._late(ticket.claim, f"{lack.why} after {waited}", lack))
            else:
                _fail(ticket, self._late(ticket.claim, f"no slot was free for {waited}"))

    def _late(self, claim: Claim, why: str, lack: Lack | None = None) -> OverloadError:
        self._refused += 1
        subject, remedy = (lack.subject, lack.remedy) if lack else ("deadline", LATER)
        return OverloadError(
            f"{why}, which is too late for this call; retry later{remedy}",
            subject,
            self._retry_seconds(claim.is_bulk),
        )

    def _retry_seconds(self, is_bulk: bool) -> float:
        """Return the time in which those who wait now will be served."""
        seconds = (self._mean_seconds[is_bulk] + self._work(is_bulk)) / self._slots
        return min(max(seconds, MIN_RETRY_SECONDS), MAX_RETRY_SECONDS)

    def _waiting(self, is_bulk: bool) -> Iterator[Ticket]:
        for line in self._lines[is_bulk].values():
            yield from line.tickets

    def _line(self, ticket: Ticket) -> Line:
        return self._lines[ticket.claim.is_bulk].get(ticket.claim.client) or Line()

    def _add(self, ticket: Ticket) -> None:
        claim = ticket.claim
        self._lines[claim.is_bulk].setdefault(claim.client, Line()).add(ticket)
        self._num_waiting[claim.is_bulk] += 1

    def _remove(self, ticket: Ticket) -> None:
        """Take a ticket out of its line, if it is still there."""
        claim = ticket.claim
        line = self._lines[claim.is_bulk].get(claim.client)
        if line is None or ticket not in line.tickets:
            return
        line.remove(ticket)
        self._num_waiting[claim.is_bulk] -= 1
        if not line.tickets:
            del self._lines[claim.is_bulk][claim.client]

    def _admit(self) -> None:
        """Give free slots to those whose turn it is, and ask for more for the next one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_closed or not any(self._num_waiting.values()):
            return
        now = time.monotonic()
        while (ticket := self._next(now)) is not None:
            if ticket.claim.threads > self._free:
                self._ask_for_slots(ticket, now)
                return  # later calls must not overtake it
            self._remove(ticket)
            self._take(ticket, now)
            assert ticket.turn is not None
            ticket.turn.set_result(None)

    def _next(self, now: float) -> Ticket | None:
        """Return the ticket whose turn it is, of those that could begin."""
        for is_bulk in CLASSES:
            clients = sorted(
                self._lines[is_bulk].items(), key=lambda each: self._shares.used(each[0], now)
            )
            for _, line in clients:
                for ticket in line.tickets:
                    is_waiting = ticket.turn is not None and not ticket.turn.done()
                    if is_waiting and (ticket.is_live or self._lack(ticket.claim) is None):
                        return ticket
        return None

    def _note_seconds(self, claim: Claim, seconds: float) -> None:
        mean = self._mean_seconds[claim.is_bulk]
        self._mean_seconds[claim.is_bulk] = mean + SMOOTHING * (seconds - mean)

    def _lack(self, claim: Claim) -> Lack | None:
        """Say what another search lacks to begin, slots aside; None: nothing.

        Bulk searches last long, so they must not delay interactive ones, not even those of the
        same client. Nor must one client take the memory of all: beyond one search of
        a class it has a share.
        """
        num_live = self._live[claim.client, claim.is_bulk]
        if num_live >= LIVE_PER_SLOT * self._slots:
            why = f"{claim.client} had as many searches as a client may begin"
            return Lack(why, f"client:{claim.client}", "")
        free_bytes = self._free_bytes
        most = self._share_of(claim.client) * self._memory_bytes
        if claim.is_bulk and self._live:
            free_bytes -= int(KEPT_SHARE * self._memory_bytes)
            most *= 1 - KEPT_SHARE
        if not claim.memory_bytes:
            return None
        if num_live and self._held_bytes[claim.client] + claim.memory_bytes > most:
            why = f"{claim.client} had as much memory as a client may use"
            return Lack(why, "memory", LESS_MEMORY)
        if claim.memory_bytes > free_bytes:
            why = f"{claim.memory_bytes / MIB:.0f} MiB of memory were not free"
            return Lack(why, "memory", LESS_MEMORY)
        return None

    def _ask_for_slots(self, waiting: Ticket, now: float) -> None:
        """Ask running calls to return slots for the next one, now or when they may be asked."""
        wanted = waiting.claim.threads - self._free
        wanted -= sum(each.claim.threads for each in self._holding if each.is_asked)
        running = [each for each in self._holding if not each.is_asked]
        dues = sorted(
            (self._seconds_until_due(each, waiting, now), each.rank, each) for each in running
        )
        for seconds, _, each in dues:
            if wanted <= 0:
                return
            if seconds > 0:
                if seconds < math.inf:
                    loop = asyncio.get_running_loop()
                    self._timer = loop.call_later(seconds, self._admit)
                return
            each.is_asked = True
            assert each.on_pause is not None
            each.on_pause()
            wanted -= each.claim.threads

    def _seconds_until_due(self, running: Ticket, waiting: Ticket, now: float) -> float:
        """Return when a running call has to return its slots for a waiting one."""
        if running.on_pause is None:  # it has got its slots at this moment
            return SLICE_MS / 1000
        mine, other = running.claim, waiting.claim
        if mine.is_bulk != other.is_bulk:
            return 0.0 if mine.is_bulk else math.inf
        if mine.client == other.client:
            return (turns(waiting.used) + 1) * TURN_SECONDS - running.used_at(now)
        ahead = self._shares.used(mine.client, now) - self._shares.used(other.client, now)
        gain = self._shares.rate(mine.client) - self._shares.rate(other.client)
        until_fair = QUANTUM_SECONDS - ahead
        if until_fair > 0:
            until_fair = until_fair / gain if gain > 0 else math.inf
        return max(QUANTUM_SECONDS - (now - running.since), until_fair)

    def _take(self, ticket: Ticket, now: float) -> None:
        claim = ticket.claim
        if not ticket.is_live:
            ticket.is_live = True
            self._live[claim.client, claim.is_bulk] += 1
            self._held_bytes[claim.client] += claim.memory_bytes
            self._free_bytes -= claim.memory_bytes
        self._free -= claim.threads
        self._shares.hold(claim.client, claim.threads, now)
        self._holding.add(ticket)
        ticket.waited += now - ticket.since
        ticket.since = now
        ticket.is_holding, ticket.is_asked = True, False

    def _release(self, ticket: Ticket) -> None:
        claim, now = ticket.claim, time.monotonic()
        self._charge(claim.client, claim.threads * (now - ticket.since))
        ticket.used = ticket.used_at(now)
        ticket.is_holding = False
        self._holding.discard(ticket)
        self._free += claim.threads
        self._shares.hold(claim.client, -claim.threads, now)

    def _end(self, ticket: Ticket) -> None:
        """Forget a ticket without slots."""
        claim = ticket.claim
        if ticket.is_live:
            ticket.is_live = False
            self._free_bytes += claim.memory_bytes
            self._held_bytes[claim.client] -= claim.memory_bytes
            if not self._held_bytes[claim.client]:
                del self._held_bytes[claim.client]
            self._live[claim.client, claim.is_bulk] -= 1
            if not self._live[claim.client, claim.is_bulk]:
                del self._live[claim.client, claim.is_bulk]
        self._shares.end(claim.client, time.monotonic())


def _classes_before(is_bulk: bool) -> tuple[bool, ...]:
    """List the classes whose waiting calls may be served before a call."""
    return CLASSES if is_bulk else CLASSES[:1]


def _expected(seconds: float) -> str:
    return f"no slot is expected for {seconds:.2f} s"


def _num_new(line: Line) -> int:
    return line.num_new


def _fail(ticket: Ticket, error: Exception) -> None:
    if ticket.turn is not None and not ticket.turn.done():
        ticket.turn.set_exception(error)
