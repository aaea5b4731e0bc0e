"""The calls of one client that wait, and the order in which they are served."""

from __future__ import annotations

import asyncio
from bisect import insort
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

TURN_SECONDS = 1.0
"""Slot time after which a call lets other calls of its own client go first."""


class Claim(NamedTuple):
    """What a call asks of the slots.

    Attributes:
        client: identity of the caller.
        threads: number of slots.
        is_bulk: whether interactive calls go first.
        seconds: slot time that it may use, at most.
        patience: seconds that it can wait and still be answered in time.
        memory_bytes: of its search, as long as that lives.
    """

    client: str
    threads: int = 1
    is_bulk: bool = False
    seconds: float = 1.0
    patience: float = 10.0
    memory_bytes: int = 0


@dataclass(slots=True, eq=False)
class Ticket:
    """A call's claim on slots.

    Attributes:
        claim: what it asks.
        rank: in the order of arrival.
        since: start of its waiting or, if it holds slots, of holding them; monotonic seconds.
        waited: time without slots, up to the last turn.
        used: slot time of earlier turns, per thread.
        is_holding: whether it holds slots.
        is_live: whether its search has begun, and so its memory is taken.
        is_asked: whether it has been asked to return its slots.
        turn: done when it gets slots; None while it doesn't wait.
        timer: ends its patience.
        on_pause: asks its search to return the slots soon; None: it has not begun yet.
    """

    claim: Claim
    rank: int
    since: float
    waited: float = 0.0
    used: float = 0.0
    is_holding: bool = False
    is_live: bool = False
    is_asked: bool = False
    turn: asyncio.Future[None] | None = None
    timer: asyncio.TimerHandle | None = None
    on_pause: Callable[[], None] | None = None

    def used_at(self, now: float) -> float:
        """Return the slot time used so far, per thread."""
        return self.used + (now - self.since if self.is_holding else 0.0)

    def patience_at(self, now: float) -> float:
        """Return the seconds that it can still wait."""
        return self.claim.patience - (now - self.since)


class Line:
    """The waiting calls of one client and class.

    They are served in the order of arrival until a new one would have to wait for half of its
    patience. From then on, until nobody waits, the newest is first: those at the end are lost
    anyway, and to serve them first would make every call late (adaptive LIFO; Maurer 2015, "Fail
    at Scale", ACM Queue 13(8)).
    Calls that have begun go before those that have not, and calls that have had many turns last.
    All is kept up to date, as a flood asks for it with every call.

    Attributes:
        tickets: the next one first; to be changed by `add` and `remove` only.
        num_new: number of calls that have not begun.
    """

    def __init__(self) -> None:
        self.tickets: list[Ticket] = []
        self.num_new = 0
        self._claims: Counter[tuple[int, float]] = Counter()  # threads and seconds of calls
        self._is_overloaded = False

    @property
    def is_overloaded(self) -> bool:
        """Whether the newest call is first."""
        return self._is_overloaded

    @is_overloaded.setter
    def is_overloaded(self, is_overloaded: bool) -> None:
        if is_overloaded is not self._is_overloaded:
            self._is_overloaded = is_overloaded
            self.tickets.sort(key=self._order)

    def add(self, ticket: Ticket) -> None:
        """Take in a call that begins to wait."""
        insort(self.tickets, ticket, key=self._order)
        self.num_new += not ticket.is_live
        self._claims[ticket.claim.threads, ticket.claim.seconds] += 1

    def remove(self, ticket: Ticket) -> None:
        """Let a call go.

        Raises:
            ValueError: it does not wait here.
        """
        self.tickets.remove(ticket)
        self.num_new -= not ticket.is_live
        kind = (ticket.claim.threads, ticket.claim.seconds)
        self._claims[kind] -= 1
        if not self._claims[kind]:
            del self._claims[kind]

    def work(self, most: float) -> float:
        """Return the slot seconds that the calls ask for, each thread of them `most` at most."""
        return sum(
            number * threads * min(seconds, most)
            for (threads, seconds), number in self._claims.items()
        )

    def expendable(self) -> Ticket | None:
        """Return the ticket to refuse if one must be; None if all have begun."""
        return next((each for each in reversed(self.tickets) if not each.is_live), None)

    def _order(self, ticket: Ticket) -> tuple[int, bool, int]:
        rank = -ticket.rank if self._is_overloaded else ticket.rank
        return turns(ticket.used), not ticket.is_live, rank


def turns(seconds: float) -> int:
    """Return the number of whole turns in the slot time of a call."""
    return int(seconds / TURN_SECONDS)
