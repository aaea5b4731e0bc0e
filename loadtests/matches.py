"""Many matches of bots at once, and one match that many watch.

First bots play: how many events are stored a second, how much memory of the server a match takes,
and how long a person waits for an answer meanwhile. Then two people play while others watch: how
long it takes until the last of them has seen a move. Server and watchers share the processors.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from typing import Any

import grpc

from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .open_loop import Load, sample
from .server import Running

MATCH_FLAGS = [
    *("--max-client-matches", "10000", "--max-client-streams", "5000", "--max-streams", "5000"),
    *("--max-watchers", "5000"),
]
CREATES_AT_ONCE = 20
POLITE_SECONDS = 0.1  # between the calls of a person
STREAMS_OF_CHANNEL = 100
WATCHED_GAME, WATCHED_MOVES = "connect_four", 20
MAX_POLITE_MS = 2000  # 99th percentile of GetMatch while the bots play
MAX_SEEN_MS = 5000  # from a move until the last watcher has seen it


@dataclass(frozen=True, slots=True)
class Bots:
    """The matches of bots.

    Attributes:
        number: at once.
        game: its name.
        bot: settings of each seat.
        seconds: of measuring.
    """

    number: int
    game: str
    bot: str
    seconds: float


def play_and_watch(bots: Bots, num_watchers: int, database: str, running: Running) -> int:
    """Print the measurements; returns the exit code, 0 if the marks are met."""
    watched = asyncio.run(_watch(num_watchers, running))
    played = asyncio.run(_play(bots, database, running))
    marks = {
        f"a move is seen by {num_watchers} watchers within {watched[-1]:.0f} ms; at most "
        f"{MAX_SEEN_MS}": watched[-1] <= MAX_SEEN_MS,
        f"GetMatch p99 {played.milliseconds(0.99):.0f} ms beside {bots.number} matches; at most "
        f"{MAX_POLITE_MS}": played.milliseconds(0.99) <= MAX_POLITE_MS,
    }
    for text, is_met in marks.items():
        _print(f"{'pass' if is_met else 'FAIL'}: {text}")
    return 0 if all(marks.values()) else 1


async def _play(bots: Bots, database: str, running: Running) -> Load:
    """Let bots play; returns the calls of a person meanwhile."""
    async with _stub(running) as stub:
        polite = await _create(stub, WATCHED_GAME, "", "")
        before = running.megabytes
        start = time.perf_counter()
        room = asyncio.Semaphore(CREATES_AT_ONCE)

        async def begin() -> str:
            async with room:
                return await _create(stub, bots.game, bots.bot, bots.bot)

        await asyncio.gather(*(begin() for _ in range(bots.number)))
        created = time.perf_counter() - start
        _print(f"{bots.number} matches of {bots.game}, {bots.bot}: created in {created:.1f} s")
        first, cpu, start = _events(database), running.cpu_seconds, time.perf_counter()
        request = pb.GetMatchRequest(match_id=polite)
        samples = []
        while (seconds := time.perf_counter() - start) < bots.seconds:
            samples.append(await sample(lambda: stub.GetMatch(request)))
            await asyncio.sleep(POLITE_SECONDS)
        used = running.cpu_seconds - cpu
        last = _events(database)
        num_events = sum(last) - sum(first)
        grown = 1024 * (running.megabytes - before) / bots.number
    _print(
        f"{num_events / seconds:.0f} events/s stored for {seconds:.0f} s, for each of which the "
        f"server itself used {1000 * used / max(num_events, 1):.2f} ms of a processor; "
        f"{len(last)} matches go on, with {min(last, default=0)} to {max(last, default=0)} events; "
        f"{grown:.0f} kB of the server for each"
    )
    return Load(samples, seconds)


async def _watch(number: int, running: Running) -> list[float]:
    """Play a match before watchers; returns the sorted milliseconds until all had seen a move."""
    async with _stub(running) as stub:
        match_id = await _create(stub, WATCHED_GAME, "", "")
        tokens = []
        for name in ("Ann", "Ben"):
            request = pb.JoinMatchRequest(match_id=match_id, name=name)
            tokens.append((await stub.JoinMatch(request)).token)
        before = running.megabytes
        seen = _Seen(number)
        channels = [
            grpc.aio.insecure_channel(running.address, [("grpc.use_local_subchannel_pool", 1)])
            for _ in range(0, number, STREAMS_OF_CHANNEL)
        ]
        watchers = [
            asyncio.create_task(_follow(channels[i // STREAMS_OF_CHANNEL], match_id, seen))
            for i in range(number)
        ]
        view = (await stub.GetMatch(pb.GetMatchRequest(match_id=match_id))).view
        await seen.all_have(view.status.num_events)
        grown = 1024 * (running.megabytes - before) / max(number, 1)
        times = []
        for turn in range(WATCHED_MOVES):
            move = pb.PlayMoveRequest(
                match_id=match_id,
                token=tokens[turn % 2],
                after_event=view.status.num_events,
                move=types_pb2.Move(text="abef"[turn // 2 % 4]),
            )
            start = time.perf_counter()
            view = (await stub.PlayMove(move)).view
            await seen.all_have(view.status.num_events)
            times.append(1000 * (time.perf_counter() - start))
            if view.status.phase == pb.MATCH_PHASE_ENDED:
                break
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
        for channel in channels:
            await channel.close()
    times.sort()
    _print(
        f"{number} watchers: a move is seen by all within {times[len(times) // 2]:.0f} ms (median "
        f"of {len(times)}), {times[-1]:.0f} at most; {grown:.0f} kB of the server for each"
    )
    return times


class _Seen:
    """What watchers have seen.

    Args:
        number: of watchers.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._counts: dict[int, int] = {}  # events seen -> watchers who have seen as many
        self._changed = asyncio.Event()

    def note(self, num_events: int) -> None:
        """Count a watcher."""
        self._counts[num_events] = self._counts.get(num_events, 0) + 1
        if self._counts[num_events] == self._number:
            self._changed.set()

    async def all_have(self, num_events: int) -> None:
        """Wait until all have seen as many events."""
        while self._counts.get(num_events, 0) < self._number:
            self._changed.clear()
            await self._changed.wait()


async def _follow(channel: grpc.aio.Channel, match_id: str, seen: _Seen) -> None:
    stub: Any = MatchServiceStub(channel)
    after = 0
    async for answer in stub.WatchMatch(pb.WatchMatchRequest(match_id=match_id)):
        for event in answer.view.events:
            assert event.number == after + 1
            after = event.number
        if answer.view.events:
            seen.note(after)


async def _create(stub: Any, game: str, *bots: str) -> str:
    request = pb.CreateMatchRequest(
        options=pb.MatchOptions(game=game), seats=[pb.NewSeat(bot=bot) for bot in bots]
    )
    return str((await stub.CreateMatch(request)).status.match_id)


def _events(database: str) -> list[int]:
    """Count the events of each match that bots play; pages of a list would change meanwhile."""
    query = "SELECT num_events FROM matches WHERE phase = 'playing' AND needs_driver"
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute(query)]


@asynccontextmanager
async def _stub(running: Running) -> AsyncIterator[Any]:
    async with grpc.aio.insecure_channel(running.address) as channel:
        yield MatchServiceStub(channel)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
