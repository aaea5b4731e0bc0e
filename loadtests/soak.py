"""`python -m loadtests.soak`: does a server stay as it is under load for a long time?

Starts `kingmaker serve` and keeps it about half busy with all calls that search, on all games, and
with clients that come and go. After a warm-up it compares memory, open files, threads and latency
of the first and the last part of the run. The exit code is 0 if nothing has grown.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
from numpy.random import SFC64

from kingmaker.cext.games import GAMES
from kingmaker.search.position import Position, new_game
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

from .server import server

MAX_SLOPE = 0.2  # megabytes a minute
MAX_MORE_FILES = 3  # connections of the moment
MAX_DRIFT = 1.25  # median latency of the last part, in those of the first
WARM_UP_SHARE = 1 / 3
SAMPLE_SECONDS = 5.0
RATE = 12.0  # calls a second
CALLS_PER_CLIENT = 50  # after which a client goes away
POSITIONS_PER_GAME = 40
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Reading:
    """A server at one moment.

    Attributes:
        minutes: since the start of the run.
        server_mb: resident memory of the server itself.
        workers_mb: memory of a process below it on average, of shared pages its part.
        files: open files of the server.
        threads: of the server.
        latency_ms: median of the short calls since the last reading.
    """

    minutes: float
    server_mb: float
    workers_mb: float
    files: int
    threads: int
    latency_ms: float


def main() -> int:
    """Run the soak; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m loadtests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--serve", default="", help="more flags of kingmaker serve")
    arguments = parser.parse_args()
    with server(*arguments.serve.split()) as running:
        readings = asyncio.run(_soak(running.address, running.process.pid, arguments.minutes))
        running.process.terminate()
        ended = running.process.wait(30)
    return judge(readings) or ended


async def _soak(address: str, pid: int, minutes: float) -> list[Reading]:
    """Keep the server busy, and read what it uses."""
    start = time.monotonic()
    latencies: list[float] = []
    readings: list[Reading] = []
    players = [asyncio.create_task(_play(address, seed, latencies)) for seed in range(4)]
    try:
        while (seconds := time.monotonic() - start) < 60 * minutes:
            await asyncio.sleep(SAMPLE_SECONDS)
            for player in players:
                if player.done():
                    player.result()
            if latencies:
                readings.append(_read(pid, seconds / 60, latencies))
                _print(readings[-1])
                latencies.clear()
    finally:
        for player in players:
            player.cancel()
        await asyncio.gather(*players, return_exceptions=True)
    return readings


async def _play(address: str, seed: int, latencies: list[float]) -> None:
    """Call in random order; every so often as a new client."""
    choice = random.Random(seed)
    positions = [each for game in GAMES for each in _positions(game, choice)]
    while True:
        async with _client(address) as (analysis, games):
            for _ in range(CALLS_PER_CLIENT):
                position = choice.choice(positions)
                await _call(choice, position, analysis, games, latencies)
                await asyncio.sleep(choice.expovariate(RATE / 4))


@asynccontextmanager
async def _client(address: str) -> AsyncIterator[tuple[AnalysisServiceStub, GameServiceStub]]:
    own = [("grpc.use_local_subchannel_pool", 1)]
    async with grpc.aio.insecure_channel(address, own) as channel:
        yield AnalysisServiceStub(channel), GameServiceStub(channel)


async def _call(
    choice: random.Random,
    position: Position,
    analysis: AnalysisServiceStub,
    games: GameServiceStub,
    latencies: list[float],
) -> None:
    """Make one of the calls; a server that is full for a moment may refuse it."""
    game = position.game.name
    seen = types_pb2.Observation(game=game, text=position.observe(position.seat).text)
    here = types_pb2.Position(game=game, text=position.text)
    search = pb.Search(observation=seen, budget=types_pb2.SearchBudget())
    kind = choice.randrange(10)
    try:
        if kind < 4:
            search.budget.simulations = choice.choice((1, 20, 200))
            start = time.perf_counter()
            await analysis.SelectMove(pb.SelectMoveRequest(search=search))
            latencies.append(1000 * (time.perf_counter() - start))
            return
        search.budget.time.FromMilliseconds(50)
        if kind < 6:
            await analysis.SuggestMoves(pb.SuggestMovesRequest(search=search))
        elif kind < 7:
            await analysis.SampleWorlds(pb.SampleWorldsRequest(observation=seen, count=5))
        elif kind < 9:
            move = types_pb2.Move(text=choice.choice(position.legal_moves()))
            await games.ApplyMoves(games_pb.ApplyMovesRequest(position=here, moves=[move]))
        else:
            stream = analysis.Analyze(pb.AnalyzeRequest(search=pb.Search(observation=seen)))
            for _ in range(2):
                await stream.read()
            stream.cancel()
    except grpc.aio.AioRpcError as error:
        if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
            raise


def _positions(game: str, choice: random.Random) -> Iterator[Position]:
    """Yield positions with a decision, of random games."""
    stream, found = SFC64(choice.getrandbits(32)), 0
    while True:
        position, _ = new_game(game).settle(stream)
        while not position.is_terminal:
            if choice.random() < 0.1:
                yield position
                found += 1
                if found == POSITIONS_PER_GAME:
                    return
            position, _ = position.apply(choice.choice(position.legal_moves())).settle(stream)


def _read(pid: int, minutes: float, latencies: Sequence[float]) -> Reading:
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
    )
    workers = _descendants(pid)
    return Reading(
        minutes=minutes,
        server_mb=int(status["VmRSS"].split()[0]) / 1024,
        workers_mb=sum(map(_shared_out_mb, workers)) / max(len(workers), 1),
        files=len(os.listdir(f"/proc/{pid}/fd")),
        threads=int(status["Threads"]),
        latency_ms=statistics.median(latencies),
    )


def _shared_out_mb(pid: int) -> float:
    """Return the memory of a process, of shared pages its part."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has just ended
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _descendants(pid: int) -> list[int]:
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    found = [int(child) for child in children]
    return found + [each for child in found for each in _descendants(child)]


def _print(reading: Reading) -> None:
    sys.stdout.write(
        f"{reading.minutes:6.2f} min  server {reading.server_mb:7.2f} MB  "
        f"a worker {reading.workers_mb:7.2f} MB  {reading.files} files  "
        f"{reading.threads} threads  {reading.latency_ms:6.2f} ms\n"
    )
    sys.stdout.flush()


def judge(readings: Sequence[Reading]) -> int:
    """Compare the readings after the warm-up with the marks."""
    warm = readings[round(WARM_UP_SHARE * len(readings)) :]
    first, last = warm[: len(warm) // 3], warm[-(len(warm) // 3) :]
    times = [each.minutes for each in warm]
    marks = []
    for name, sizes in (
        ("server", [each.server_mb for each in warm]),
        ("a worker", [each.workers_mb for each in warm]),
    ):
        slope = statistics.linear_regression(times, sizes).slope
        marks.append((slope < MAX_SLOPE, f"memory of {name} {slope:+.2f} MB/min"))
    more_files = _median(last, "files") - _median(first, "files")
    marks.append((more_files <= MAX_MORE_FILES, f"open files {more_files:+g}"))
    more_threads = _median(last, "threads") - _median(first, "threads")
    marks.append((more_threads <= 0, f"threads {more_threads:+g}"))
    drift = _median(last, "latency_ms") / _median(first, "latency_ms")
    marks.append((drift <= MAX_DRIFT, f"latency times {drift:.2f}"))
    for is_met, text in marks:
        sys.stdout.write(f"{'pass' if is_met else 'FAIL'}: {text}\n")
    return 0 if all(is_met for is_met, _ in marks) else 1


def _median(readings: Sequence[Reading], field: str) -> float:
    return float(statistics.median(getattr(each, field) for each in readings))


if __name__ == "__main__":
    sys.exit(main())
