"""The calls of one client that wait, and the order in which they are served."""

from __future__ import annotations

import asyncio
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
    """

    def __init__(self) -> None:
        self.tickets: list[Ticket] = []
        self.is_overloaded = False

    @property
    def num_new(self) -> int:
        """Number of calls that have not begun."""
        return sum(not each.is_live for each in self.tickets)

    def ordered(self) -> list[Ticket]:
        """List the tickets, the next one first."""
        if len(self.tickets) < 2:
            return self.tickets
        direction = -1 if self.is_overloaded else 1
        return sorted(
            self.tickets,
            key=lambda each: (turns(each.used), not each.is_live, direction * each.rank),
        )

    def expendable(self) -> Ticket | None:
        """Return the ticket to refuse if one must be; None if all have begun."""
        fresh = [each for each in self.tickets if not each.is_live]
        if not fresh:
            return None
        pick = min if self.is_overloaded else max
        return pick(fresh, key=lambda each: each.rank)


def turns(seconds: float) -> int:
    """Return the number of whole turns in the slot time of a call."""
    return int(seconds / TURN_SECONDS)
