"""A match in the memory of a server: its state, its events, and its watchers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from kingmaker.ladder.errors import NewerVersionError
from kingmaker.ladder.match_store import StoredEvent, StoredMatch

from .messages import Teller, tell_all
from .model import BotTurn, MatchState, read_options


class Live:
    """A match in memory.

    Args:
        match: what is stored of it besides events.
        events: all of them.

    Attributes:
        match: the same.
        state: after the last event that is stored.
        lock: held while events are appended.
        changed: set at the next change, and then another one.
        is_driven: whether this server lets its bots think and watches its clocks.
        used: when it was last needed, monotonic seconds.
        thinking: lets the bot think that is to move; None: no bot is.
        thinking_about: what it thinks about.
        alarm: for the end of a clock.
        lost: why this server can't go on with it; None: it can.

    Raises:
        InputError: its game is not installed any more.
        NewerVersionError: it has what only a newer version knows.
    """

    def __init__(self, match: StoredMatch, events: Iterable[StoredEvent]) -> None:
        self.match = match
        self.state = MatchState.begin(read_options(match.game, match.options))
        self.lock = asyncio.Lock()
        self.changed = asyncio.Event()
        self.is_driven = False
        self.used = time.monotonic()
        self.thinking: asyncio.Task[None] | None = None
        self.thinking_about: BotTurn | None = None
        self.alarm: asyncio.TimerHandle | None = None
        self.lost: NewerVersionError | None = None
        self.events: list[StoredEvent] = []
        self._tellers: dict[int, Teller] = {}
        self._num_watchers = 0
        for event in events:
            self.state.apply(event)
            self.events.append(event)

    @property
    def last_at(self) -> float:
        """When the last event happened, seconds since 1970."""
        return self.events[-1].at if self.events else self.match.created

    @property
    def is_watched(self) -> bool:
        """Whether anybody watches."""
        return self._num_watchers > 0

    def extend(self, events: Iterable[StoredEvent], state: MatchState | None = None) -> None:
        """Add events that are stored, and wake the watchers.

        Args:
            events: the next ones.
            state: after them; None: it is computed.

        Raises:
            NewerVersionError: one is of a newer version; those before it are added.
        """
        for event in events:
            if state is None:
                self.state.apply(event)
            self.events.append(event)
            for teller in self._tellers.values():
                teller.tell(event)
        self.state = state or self.state
        self.wake()

    def wake(self) -> None:
        """Wake the watchers."""
        self.changed.set()
        self.changed = asyncio.Event()

    @contextmanager
    def watched(self, viewer: int) -> Iterator[Teller]:
        """Tell a viewer of all events, up to the end of the block."""
        self._num_watchers += 1
        try:
            yield self.tell(viewer)
        finally:
            self._num_watchers -= 1
            self.used = time.monotonic()

    def tell(self, viewer: int) -> Teller:
        """Tell a viewer of all events, these and those to come."""
        teller = self._tellers.get(viewer)
        if teller is None:
            teller = self._tellers[viewer] = tell_all(self.state.start, viewer, self.events)
        return teller

    def forget(self) -> None:
        """Forget what was told, to save memory; nobody may be watching."""
        self._tellers.clear()
