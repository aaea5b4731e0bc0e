"""Places for thinking bots, divided fairly between the creators of matches.

Without this limit bots would fill the queues of admission, and people would be refused.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """A number of places, of which each client has some at most; on the event loop.

    A free place goes to the client who has waited longest since it got one.

    Args:
        places: in all.
        places_of_client: most of one client.

    Attributes:
        num_free: places that nobody has.
    """

    def __init__(self, places: int, places_of_client: int) -> None:
        self.num_free = places
        self._places_of_client = places_of_client
        self._taken: Counter[str] = Counter()
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def place(self, client: str) -> AsyncIterator[None]:
        """Wait for a place, and keep it to the end of the block."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        self._admit()
        try:
            await turn
            yield
        finally:
            if turn.done() and not turn.cancelled():
                self._leave(client)
            else:
                self._forget(client, turn)

    def _admit(self) -> None:
        """Give free places to the clients whose turn it is."""
        while self.num_free:
            client = next((each for each in self._waiting if self._may_enter(each)), None)
            if client is None:
                return
            turn = self._waiting[client].popleft()
            self._waiting.move_to_end(client)
            if not self._waiting[client]:
                del self._waiting[client]
            if not turn.cancelled():
                turn.set_result(None)
                self.num_free -= 1
                self._taken[client] += 1

    def _may_enter(self, client: str) -> bool:
        return self._taken[client] < self._places_of_client

    def _leave(self, client: str) -> None:
        self.num_free += 1
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]
        self._admit()

    def _forget(self, client: str, turn: asyncio.Future[None]) -> None:
        """Forget clients that no longer wait."""
        turns = self._waiting.get(client)
        if turns is not None and turn in turns:
            turns.remove(turn)
            if not turns:
                del self._waiting[client]
