"""A game at the terminal that runs on a server; see backend.py."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

import grpc
import numpy as np
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from kingmaker.ladder.channel import open_channel
from kingmaker.ladder.remote import observation_message
from kingmaker.search.position import Observation, Position, parse_position
from kingmaker.v1 import (
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    game_service_pb2,
    game_service_pb2_grpc,
    types_pb2,
)

from .backend import Advice
from .output import complain

WAITED_FOR = ("QUOTA_EXCEEDED", "SERVER_BUSY")  # reasons of refusals that pass
LEAST_WAIT_SECONDS = 0.5
ANSWER_SECONDS = 10.0  # on top of a search's own time


class RemoteBackend:
    """Runs the game on a server; every method raises `grpc.RpcError` when a call fails.

    A call that is refused for a quota or a full queue waits as long as the server says, and is made
    again.

    Args:
        address: of the server.
        milliseconds: of a search.
        seed: of the outcomes of chance.
        bots_seed: of the bots' searches.
    """

    def __init__(self, address: str, milliseconds: float, seed: int, bots_seed: int) -> None:
        channel = open_channel(address)
        self._games = game_service_pb2_grpc.GameServiceStub(channel)
        self._analysis = analysis_service_pb2_grpc.AnalysisServiceStub(channel)
        self._milliseconds = milliseconds
        self._timeout = milliseconds / 1000 + ANSWER_SECONDS
        self._seed = seed
        self._bots = np.random.default_rng(bots_seed)

    def start(self, game: str, options: Mapping[str, str]) -> Position:
        """Start a game."""
        request = game_service_pb2.StartGameRequest(game=game, options=options)
        answer = self._answer(self._games.StartGame, request)
        return parse_position(game, answer.position.text)

    def proceed(self, position: Position, *moves: str) -> list[str]:
        """Apply moves, and draw the chance outcomes that follow."""
        answer = self._answer(
            self._games.ApplyMoves,
            game_service_pb2.ApplyMovesRequest(
                position=types_pb2.Position(game=position.game.name, text=position.text),
                moves=[types_pb2.Move(text=move) for move in moves],
                seed=self._seed,
            ),
        )
        return [event.move.text for event in answer.events]

    def select(self, observation: Observation, level: int) -> str:
        """Choose a move."""
        answer = self._answer(
            self._analysis.SelectMove,
            analysis_service_pb2.SelectMoveRequest(
                search=analysis_service_pb2.Search(
                    observation=observation_message(observation),
                    budget=self._budget(),
                    seed=int(self._bots.integers(2**63)),
                ),
                level=level,
            ),
        )
        return str(answer.move.text)

    def advise(self, observation: Observation, top: int) -> list[Advice]:
        """Suggest moves."""
        answer = self._answer(
            self._analysis.SuggestMoves,
            analysis_service_pb2.SuggestMovesRequest(
                search=analysis_service_pb2.Search(
                    observation=observation_message(observation), budget=self._budget()
                ),
                top=top,
            ),
        )
        seat = observation.observer
        return [
            Advice(
                each.analysis.move.text,
                each.analysis.values[seat - 1] if each.analysis.is_examined else None,
                each.analysis.probability,
                each.explanation,
            )
            for each in answer.suggestions
        ]

    def _answer(self, call: Callable[..., Any], request: object) -> Any:
        """Make a call, and make it again while the server says when to."""
        while True:
            try:
                return call(request, timeout=self._timeout)
            except grpc.RpcError as error:
                seconds = _seconds_to_wait(error)
                if seconds is None:
                    raise
                complain(f"{error.details()}; waiting {math.ceil(seconds)} s", kind="note")
            time.sleep(seconds)

    def _budget(self) -> types_pb2.SearchBudget:
        time = Duration()
        time.FromMicroseconds(round(self._milliseconds * 1000))
        return types_pb2.SearchBudget(time=time)


def _seconds_to_wait(error: grpc.RpcError) -> float | None:
    """Return when to make a call again that asked for too much for now; None: for another fault."""
    if error.code() is not grpc.StatusCode.RESOURCE_EXHAUSTED:
        return None
    status = rpc_status.from_call(error)
    reason, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    for packed in status.details if status else ():
        _ = packed.Unpack(reason) or packed.Unpack(retry)
    if reason.reason not in WAITED_FOR or not retry.HasField("retry_delay"):
        return None
    return max(LEAST_WAIT_SECONDS, float(retry.retry_delay.ToMilliseconds() / 1000))
