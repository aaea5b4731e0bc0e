"""The slot time that each client has used, which decides whose call is next.

Virtual time as in the Completely Fair Scheduler: the client that has used least for its weight is
next, so that clients that always want more get slots in proportion to their weights. A client that
comes, or comes back, starts where the least of the others stands, minus a credit: it can't save up
idle time, and one that asks now and then is served before those that always ask. What a client has
used too much stays known while others are active, so that going away and coming back wins nothing.

Sources: Goyal, Vin and Cheng 1996, "Start-Time Fair Queuing"; the Linux kernel's documentation,
scheduler/sched-design-CFS.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

CREDIT_SECONDS = 0.1
MAX_REMEMBERED = 1024  # clients that are not active


@dataclass(slots=True)
class _Usage:
    """What one client has used.

    Attributes:
        seconds: virtual time: slot seconds by weight, up to the last change of `slots` or `weight`.
        weight: of the client.
        slots: that it holds now.
        since: time of that change.
    """

    seconds: float
    weight: float = 1.0
    slots: int = 0
    since: float = 0.0

    @property
    def rate(self) -> float:
        return self.slots / self.weight

    def at(self, now: float) -> float:
        return self.seconds + self.rate * (now - self.since)

    def settle(self, now: float) -> None:
        self.seconds, self.since = self.at(now), now


class Shares:
    """The use of slots by client; times are of one monotonic clock, in seconds."""

    def __init__(self) -> None:
        self._usages: dict[str, _Usage] = {}
        self._claims: Counter[str] = Counter()  # calls running or waiting

    @property
    def num_clients(self) -> int:
        """Clients with calls."""
        return len(self._claims)

    def begin(self, client: str, now: float, weight: float = 1.0) -> None:
        """Count a call of a client, whose weight is this from now on."""
        if client not in self._claims:
            least = min((self._usages[each].at(now) for each in self._claims), default=0.0)
            usage = self._usages.setdefault(client, _Usage(0.0))
            usage.seconds = max(usage.seconds, least - CREDIT_SECONDS)
        usage = self._usages[client]
        usage.settle(now)
        usage.weight = weight
        self._claims[client] += 1

    def end(self, client: str, now: float) -> None:
        """Forget a call of a client."""
        self._claims[client] -= 1
        if self._claims[client]:
            return
        del self._claims[client]
        if not self._claims:
            self._usages.clear()  # no client competes for slots any more
        elif len(self._usages) > MAX_REMEMBERED + len(self._claims):
            self._forget()

    def hold(self, client: str, slots: int, now: float) -> None:
        """Count slots that a client gets, or with a negative number returns."""
        usage = self._usages[client]
        usage.settle(now)
        usage.slots += slots

    def add(self, client: str, seconds: float) -> None:
        """Count slot seconds that a client with calls has used besides."""
        usage = self._usages[client]
        usage.seconds += seconds / usage.weight

    def used(self, client: str, now: float) -> float:
        """Return the virtual time of a client with calls; only differences mean anything."""
        return self._usages[client].at(now)

    def rate(self, client: str) -> float:
        """Return how fast the virtual time of a client with calls goes: its slots by its weight."""
        return self._usages[client].rate

    def _forget(self) -> None:
        """Forget the clients that are not active, but those with the largest debts."""
        idle = [each for each in self._usages if each not in self._claims]
        idle.sort(key=lambda each: self._usages[each].seconds)
        for client in idle[: len(idle) // 2]:
            del self._usages[client]
