"""What the service tests share: positions, servers and a reader of error details."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2
from numpy.random import SFC64

from kingmaker.search.analysis import Analysis, Budget
from kingmaker.search.position import Position, new_game
from kingmaker.search.run import Search
from kingmaker.server.app import RunningServer, running_server
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import AnalysisServiceStub
from kingmaker.v1.game_service_pb2_grpc import GameServiceStub

KINGDOM = "kingdom_coinquest"
DETAILS = {
    message.DESCRIPTOR.full_name: message
    for message in (
        error_details_pb2.ErrorInfo,
        error_details_pb2.BadRequest,
        error_details_pb2.PreconditionFailure,
        error_details_pb2.RetryInfo,
        error_details_pb2.QuotaFailure,
    )
}


@dataclass
class Service:
    """A running server and the stubs of a client."""

    server: RunningServer
    channel: grpc.aio.Channel
    games: Any
    analysis: Any


@asynccontextmanager
async def serving(**settings: Any) -> AsyncIterator[Service]:
    """Run a server in this event loop, with a client; searches are on threads unless said."""
    chosen = {"grace_seconds": 1.0, "log_level": "error", "isolation": False, **settings}
    async with (
        running_server(ServerSettings(port=0, **chosen)) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        yield service_of(server, channel)


def service_of(server: RunningServer, channel: grpc.aio.Channel) -> Service:
    """The stubs of a client."""
    return Service(server, channel, GameServiceStub(channel), AnalysisServiceStub(channel))


def midgame(game: str = KINGDOM, num_plies: int = 30, seed: int = 7, **options: int) -> Position:
    """Play random moves until a seat has several to choose from, after `num_plies` or more."""
    for attempt in range(seed, seed + 50):
        for position in _random_game(game, attempt, options):
            num_plies_left = num_plies - position.plies
            if num_plies_left <= 0 and len(position.here.legal_moves()) > 1:
                return position.here
    raise AssertionError(f"no game of {game} lasts {num_plies} plies")


@dataclass
class _Ply:
    plies: int
    here: Position


def _random_game(game: str, seed: int, options: dict[str, int]) -> Iterator[_Ply]:
    stream, choice = SFC64(seed), random.Random(seed)
    position, _ = new_game(game, options).settle(stream)
    plies = 0
    while not position.is_terminal:
        yield _Ply(plies, position)
        position, _ = position.apply(choice.choice(position.legal_moves())).settle(stream)
        plies += 1


def finished(game: str, seed: int = 3) -> Position:
    """Play a random game to its end."""
    *_, last = _random_game(game, seed, {})
    for token in last.here.legal_moves():
        after, _ = last.here.apply(token).settle(SFC64(seed))
        if after.is_terminal:
            return after
    return finished(game, seed + 1)


def position_of(position: Position) -> types_pb2.Position:
    return types_pb2.Position(game=position.game.name, text=position.text)


def observation_of(position: Position) -> types_pb2.Observation:
    """What the deciding seat sees."""
    observation = position.observe(position.seat)
    return types_pb2.Observation(game=position.game.name, text=observation.text)


def simulations(number: int) -> types_pb2.SearchBudget:
    return types_pb2.SearchBudget(simulations=number)


def seconds(number: float) -> types_pb2.SearchBudget:
    budget = types_pb2.SearchBudget()
    budget.time.FromMilliseconds(round(number * 1000))
    return budget


@dataclass
class Failure:
    """A failed call with its `google.rpc` details by name."""

    code: grpc.StatusCode
    message: str
    details: dict[str, Any]

    @property
    def info(self) -> Any:
        return self.details["ErrorInfo"]

    @property
    def fields(self) -> dict[str, str]:
        """Description of each field violation."""
        return {
            violation.field: violation.description
            for violation in self.details["BadRequest"].field_violations
        }


async def failure_of(call: Any) -> Failure:
    """Await a call, or read a stream, that must fail."""
    try:
        if hasattr(call, "__aiter__"):
            async for _ in call:
                pass
        else:
            await call
    except grpc.aio.AioRpcError as error:
        return failure(error)
    raise AssertionError("the call should have failed")


def failure(error: Any) -> Failure:
    """Read the details of a failed call of either kind of client."""
    details = {}
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            for packed in status_pb2.Status.FromString(value).details:
                name = packed.type_url.rpartition("/")[2]
                message = DETAILS[name]()
                packed.Unpack(message)
                details[name.rpartition(".")[2]] = message
    return Failure(error.code(), error.details(), details)


@dataclass(frozen=True)
class SearchTask:
    """A search as a job of its own, whose answer is its analysis."""

    search: Callable[[], Search]
    budget: Budget = field(default_factory=lambda: Budget(milliseconds=60_000))
    kind: str | None = None
    game_name: str = KINGDOM

    def begin(self) -> Search:
        return self.search()

    def answer(self, search: Search, found: Analysis) -> Any:
        return found

    def effort(self, found: Any) -> None:
        pass


async def until(is_true: Callable[[], bool], limit: float = 30.0) -> float:
    """Wait until something is true; returns the seconds that it took."""
    start = time.monotonic()
    while not is_true():
        assert time.monotonic() - start < limit, "it did not happen in time"
        await asyncio.sleep(0.001)
    return time.monotonic() - start
