"""A game at the terminal waits for a server that has no room for it, and goes on."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from kingmaker.cli.remote import RemoteBackend
from kingmaker.search.position import new_game
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.game_service_pb2_grpc import (
    GameServiceServicer,
    add_GameServiceServicer_to_server,
)


class BusyGames(GameServiceServicer):
    """Refuses the first calls.

    Args:
        num_refused: how many.
        details: of the refusals.
    """

    def __init__(self, num_refused: int, *details: Any) -> None:
        self.num_left = num_refused
        self._details = details

    def StartGame(self, request: pb.StartGameRequest, context: Any) -> pb.StartGameResponse:
        """Start a game, or refuse it."""
        if self.num_left:
            self.num_left -= 1
            status = status_pb2.Status(
                code=grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], message="the quota is used up"
            )
            for detail in self._details:
                packed = Packed()
                packed.Pack(detail)
                status.details.append(packed)
            context.abort_with_status(rpc_status.to_status(status))
        text = new_game(request.game).text
        return pb.StartGameResponse(position=types_pb2.Position(game=request.game, text=text))


@contextmanager
def served(games: BusyGames) -> Iterator[RemoteBackend]:
    server = grpc.server(ThreadPoolExecutor(1))
    add_GameServiceServicer_to_server(games, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    yield RemoteBackend(f"127.0.0.1:{port}", 10.0, 0, 0)
    server.stop(None)


def test_a_call_over_the_quota_waits_as_the_server_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    retry = error_details_pb2.RetryInfo(retry_delay=Duration(nanos=30_000_000))
    games = BusyGames(2, error_details_pb2.ErrorInfo(reason="QUOTA_EXCEEDED"), retry)
    with served(games) as backend:
        assert backend.start("tic_tac_toe", {}) == new_game("tic_tac_toe")
    assert games.num_left == 0
    assert capsys.readouterr().err == "note: the quota is used up; waiting 1 s\n" * 2


def test_a_call_that_can_not_be_made_later_either_fails() -> None:
    with served(BusyGames(1)) as backend, pytest.raises(grpc.RpcError, match="the quota"):
        backend.start("tic_tac_toe", {})
