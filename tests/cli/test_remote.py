"""A game at the terminal that a server runs: it waits, and tells what its seat has seen."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc
import numpy as np
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from kingmaker.cli.remote import RemoteBackend
from kingmaker.ladder import remote
from kingmaker.search.position import Observation, new_game
from kingmaker.search.record import observe_with_record
from kingmaker.server import convert
from kingmaker.server.convert import read_observation
from kingmaker.v1 import analysis_service_pb2 as analysis_pb
from kingmaker.v1 import game_service_pb2 as pb
from kingmaker.v1 import types_pb2
from kingmaker.v1.analysis_service_pb2_grpc import (
    AnalysisServiceServicer,
    add_AnalysisServiceServicer_to_server,
)
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


class Asked(AnalysisServiceServicer):
    """Plays the first move, and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[Observation] = []

    def SelectMove(
        self, request: analysis_pb.SelectMoveRequest, context: Any
    ) -> analysis_pb.SelectMoveResponse:
        """Play the first move."""
        self.seen.append(read_observation(request.search.observation))
        return analysis_pb.SelectMoveResponse(
            move=types_pb2.Move(text=self.seen[-1].legal_moves()[0])
        )


@contextmanager
def served(games: BusyGames, asked: Asked | None = None) -> Iterator[RemoteBackend]:
    server = grpc.server(ThreadPoolExecutor(1))
    add_GameServiceServicer_to_server(games, server)
    add_AnalysisServiceServicer_to_server(asked or Asked(), server)
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


def test_programs_and_other_servers_get_the_record_of_a_game_that_uses_it() -> None:
    start = new_game("hearts", {"pass": "none"})
    position, tokens = start.settle(np.random.SFC64(1))
    for _ in range(9):
        move = position.legal_moves()[0]
        position, tokens = position.apply(move), [*tokens, move]
    seen, asked = observe_with_record(start, tokens, position), Asked()
    with served(BusyGames(0), asked) as backend:
        assert backend.select(seen, 10) == position.legal_moves()[0]
    assert asked.seen == [seen]
    assert asked.seen[0].record == seen.record
    assert seen.record is not None
    assert len(seen.record.seen) == len(tokens)
    assert read_observation(convert.observation_message(seen)).record == seen.record
    assert read_observation(remote.observation_message(seen)).record == seen.record
