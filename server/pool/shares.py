"""The slot time that each client has used, which decides whose call is next.

Virtual time as in the Completely Fair Scheduler: who has used least is next. A client that comes,
or comes back, starts where the least of the others stands, minus a credit: it can't save up idle
time, and one that asks now and then is served before those that always ask. What a client has used
too much stays known while others are active, so that going away and coming back wins nothing.

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
        seconds: slot seconds, up to the last change of `slots`.
        slots: that it holds now.
        since: time of that change.
    """

    seconds: float
    slots: int = 0
    since: float = 0.0

    def at(self, now: float) -> float:
        return self.seconds + self.slots * (now - self.since)


class Shares:
    """The use of slots by client; times are of one monotonic clock, in seconds."""

    def __init__(self) -> None:
        self._usages: dict[str, _Usage] = {}
        self._claims: Counter[str] = Counter()  # calls running or waiting

    @property
    def num_clients(self) -> int:
        """Clients with calls."""
        return len(self._claims)

    def begin(self, client: str, now: float) -> None:
        """Count a call of a client."""
        if client not in self._claims:
            least = min((self._usages[each].at(now) for each in self._claims), default=0.0)
            usage = self._usages.setdefault(client, _Usage(0.0))
            usage.seconds = max(usage.seconds, least - CREDIT_SECONDS)
        self._claims[client] += 1

    def end(self, client: str, now: float) -> None:
        """Forget a call of a client."""
        self._claims[client] -= 1
        if self._claims[client]:
            return
        del self._claims[client]
        if not self._claims:
            self._usages.clear()  # nobody is left who could be wronged
        elif len(self._usages) > MAX_REMEMBERED + len(self._claims):
            self._forget(now)

    def hold(self, client: str, slots: int, now: float) -> None:
        """Count slots that a client gets, or with a negative number returns."""
        usage = self._usages[client]
        usage.seconds, usage.since = usage.at(now), now
        usage.slots += slots

    def used(self, client: str, now: float) -> float:
        """Return the virtual time of a client with calls; only differences mean anything."""
        return self._usages[client].at(now)

    def slots(self, client: str) -> int:
        """Return how many slots a client with calls holds."""
        return self._usages[client].slots

    def _forget(self, now: float) -> None:
        """Forget the clients that are not active, but those with the largest debts."""
        idle = [each for each in self._usages if each not in self._claims]
        idle.sort(key=lambda each: self._usages[each].seconds)
        for client in idle[: len(idle) // 2]:
            del self._usages[client]
