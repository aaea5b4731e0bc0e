"""The standings of ladders, computed no more often than they change, and one at a time."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from kingmaker.ladder.records import LadderState
from kingmaker.v1 import ladder_service_pb2 as pb

from .clerk import Stamp, stamp_of
from .messages import status_message
from .runs import Ladders

MAX_KEPT = 32  # ladders
MIN_AGE_SECONDS = 2.0
AGE_FACTOR = 5.0
"""While a ladder is played its standings may be old: by `MIN_AGE_SECONDS`, or by this times as long
as it takes to compute them. So they take a sixth of a core, however many callers ask."""


def _leave_out_superiority(answer: pb.GetLadderResponse) -> None:
    for rating in answer.ratings:
        rating.ClearField("superiority")


LARGE: tuple[Callable[[pb.GetLadderResponse], None], ...] = (
    lambda answer: answer.ClearField("summary_json"),
    _leave_out_superiority,
    lambda answer: answer.ClearField("cross_table"),
)
"""Leave out what grows with the square of the number of bots, in this order: gRPC would refuse to
send an answer that is too large, and so all of it."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Standings of a ladder.

    Attributes:
        stamp: of the stored data that they are computed from.
        figures: the answer, without the status.
        good_until: while the ladder is played, monotonic seconds.
    """

    stamp: Stamp
    figures: pb.GetLadderResponse
    good_until: float

    def is_good(self, stamp: Stamp) -> bool:
        """Whether they will do while the stored data have this stamp."""
        is_played = stamp[0] is LadderState.RUNNING
        return self.stamp == stamp or (is_played and time.monotonic() < self.good_until)


def fit(answer: pb.GetLadderResponse, max_bytes: int) -> None:
    """Leave out parts of an answer until it is no larger, or nothing is left to leave out."""
    for leave_out in LARGE:
        if answer.ByteSize() <= max_bytes:
            return
        leave_out(answer)


class StandingsCache:
    """The latest standings of some ladders; used on the event loop.

    Args:
        ladders: of a database.
        max_bytes: size limit of an answer.
    """

    def __init__(self, ladders: Ladders, max_bytes: int) -> None:
        self._ladders = ladders
        self._max_bytes = max_bytes
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._running: dict[str, asyncio.Task[_Kept]] = {}
        self._turn = asyncio.Lock()  # of the threads for the database only one waits for standings

    async def answer(self, name: str) -> pb.GetLadderResponse:
        """Return the standings of a ladder, with its status of now.

        Raises:
            RequestError: there is no such ladder, or its game or a bot is not installed.
        """
        look = await self._ladders.look(name)
        stamp = await self._ladders.read(name, stamp_of)
        kept = self._kept.get(name)
        if kept is None or not kept.is_good(stamp):
            kept = await self._compute(name)
            if not kept.is_good(stamp):  # that was begun before the ladder ended
                kept = await self._compute(name)
        answer = pb.GetLadderResponse()
        answer.CopyFrom(kept.figures)
        answer.status.CopyFrom(status_message(look))
        fit(answer, self._max_bytes)
        return answer

    async def _compute(self, name: str) -> _Kept:
        """Compute standings, once for all who wait for them, even if those have gone meanwhile."""
        task = self._running.get(name)
        if task is None:
            task = self._running[name] = asyncio.create_task(self._compute_now(name))
            task.add_done_callback(lambda task: self._forget(name, task))
        return await asyncio.shield(task)

    async def _compute_now(self, name: str) -> _Kept:
        async with self._turn:
            start = time.monotonic()
            stamp, data = await self._ladders.standings(name)
            figures = pb.GetLadderResponse.FromString(data)
            now = time.monotonic()
            age = max(MIN_AGE_SECONDS, AGE_FACTOR * (now - start))
            kept = self._kept[name] = _Kept(stamp, figures, now + age)
            self._kept.move_to_end(name)
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
            return kept

    def _forget(self, name: str, task: asyncio.Task[_Kept]) -> None:
        del self._running[name]
        if not task.cancelled():
            task.exception()  # those who wait have it; perhaps nobody does
