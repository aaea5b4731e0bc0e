"""A client of a server with ladders, which runs in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest

from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .process import ServerProcess, server_process
from .support import Failure, failure

NAME = "spring"
RANDOM = ("a=random", "b=random", "c=random")


def plan_of(*bots: str, **fields: Any) -> pb.LadderPlan:
    """A plan of bots that are written `NAME=SPEC`."""
    named = [bot.split("=", 1) for bot in bots or RANDOM]
    return pb.LadderPlan(
        **{
            "game": "tic_tac_toe",
            "bots": [pb.LadderBot(name=name, spec=spec) for name, spec in named],
            **fields,
        }
    )


@dataclass
class Client:
    """A server in another process, and a stub to call it."""

    server: ServerProcess
    stub: Any
    database: str

    def start(self, name: str, plan: pb.LadderPlan) -> Any:
        return self.stub.StartLadder(pb.StartLadderRequest(name=name, plan=plan)).status

    def resume(self, name: str) -> Any:
        return self.stub.ResumeLadder(pb.ResumeLadderRequest(name=name)).status

    def stop(self, name: str) -> Any:
        return self.stub.StopLadder(pb.StopLadderRequest(name=name)).status

    def watch(self, name: str) -> Iterator[pb.LadderStatus]:
        return (answer.status for answer in self.stub.WatchLadder(pb.WatchLadderRequest(name=name)))

    def watch_until(self, name: str, num_games: int) -> None:
        """Wait until so many games are stored."""
        assert any(status.num_games >= num_games for status in self.watch(name))

    def state(self, name: str) -> Any:
        [status] = [
            each
            for each in self.stub.ListLadders(pb.ListLaddersRequest()).ladders
            if each.name == name
        ]
        return status.state

    def games(self, **fields: Any) -> list[pb.LadderGame]:
        request = pb.ListLadderGamesRequest(**{"name": NAME, **fields})
        return [answer.game for answer in self.stub.ListLadderGames(request)]

    def export(self, **fields: Any) -> list[str]:
        request = pb.ExportLadderGamesRequest(**{"name": NAME, **fields})
        return [answer.record for answer in self.stub.ExportLadderGames(request)]


@contextmanager
def client_of(folder: Path) -> Iterator[Client]:
    """Run a server with ladders until the end of the block."""
    database = str(folder / "ladder.sqlite")
    with (
        server_process(
            folder, ladders=database, ladder_workers="1", bot_addresses="127.0.0.1:9, tarpit:*"
        ) as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        yield Client(server, LadderServiceStub(channel), database)


def refused(call: Callable[[], Any]) -> Failure:
    """Make a call that must fail."""
    with pytest.raises(grpc.RpcError) as caught:
        call()
    return failure(caught.value)
