"""Where a game at the terminal runs: the rules, the deal, the bots' moves and the hints.

`LocalBackend` runs it in this process, `RemoteBackend` on a server. Both work on full positions,
which `kingmaker play` keeps; `play` also decides what the person may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from google.protobuf.duration_pb2 import Duration

from kingmaker.ladder.channel import open_channel
from kingmaker.search.analysis import Budget
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.hints import explain
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, Position, new_game, parse_position
from kingmaker.search.run import analyze
from kingmaker.v1 import (
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    game_service_pb2,
    game_service_pb2_grpc,
    types_pb2,
)

ANSWER_SECONDS = 10.0  # on top of a search's own time


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggested move with a sentence about it.

    Attributes:
        move: its token.
        value: the mover's win share; None if the search has hardly examined the move.
        probability: of playing it.
        text: the sentence.
    """

    move: str
    value: float | None
    probability: float
    text: str


class Backend(Protocol):
    """The operations that `play` needs."""

    def start(self, game: str, options: Mapping[str, str]) -> Position:
        """Return the start of a game, before its first chance outcomes."""

    def proceed(self, position: Position, *moves: str) -> list[str]:
        """Apply moves, and draw the chance outcomes that follow.

        Returns:
            Tokens of the moves and outcomes, in order, up to the next decision or the end.
        """

    def select(self, observation: Observation, level: int) -> str:
        """Choose a move for the observer, whose decision it is."""

    def advise(self, observation: Observation, top: int) -> list[Advice]:
        """Suggest the `top` best moves to the observer, whose decision it is."""


class LocalBackend:
    """Runs the game in this process."""

    def __init__(self, milliseconds: float, seed: int) -> None:
        self._budget = Budget(milliseconds)
        self._seed = seed
        self._bots = np.random.default_rng(seed)

    def start(self, game: str, options: Mapping[str, str]) -> Position:
        """Start a game."""
        return new_game(game, options)

    def proceed(self, position: Position, *moves: str) -> list[str]:
        """Apply moves, and draw the chance outcomes that follow."""
        _, drawn = settle_by_seed(position.apply(*moves), self._seed)
        return [*moves, *drawn]

    def select(self, observation: Observation, level: int) -> str:
        """Choose a move."""
        seed = int(self._bots.integers(2**63))
        move, _ = select_move(observation, self._budget, level=level, seed=seed)
        return move

    def advise(self, observation: Observation, top: int) -> list[Advice]:
        """Suggest moves."""
        seed = int(self._bots.integers(2**63))
        analysis = analyze(observation, self._budget, seed=seed, all_moves=True)
        seat = observation.observer
        return [
            Advice(
                each.analysis.move,
                each.analysis.values[seat - 1] if each.analysis.is_examined else None,
                probability,
                each.text,
            )
            for each, probability in zip(
                explain(observation, analysis, top), analysis.policy, strict=False
            )
        ]


class RemoteBackend:
    """Runs the game on a server; every method raises `grpc.RpcError` when a call fails."""

    def __init__(self, address: str, milliseconds: float, seed: int) -> None:
        channel = open_channel(address)
        self._games = game_service_pb2_grpc.GameServiceStub(channel)
        self._analysis = analysis_service_pb2_grpc.AnalysisServiceStub(channel)
        self._milliseconds = milliseconds
        self._timeout = milliseconds / 1000 + ANSWER_SECONDS
        self._seed = seed
        self._bots = np.random.default_rng(seed)

    def start(self, game: str, options: Mapping[str, str]) -> Position:
        """Start a game."""
        answer = self._games.StartGame(
            game_service_pb2.StartGameRequest(game=game, options=options), timeout=self._timeout
        )
        return parse_position(game, answer.position.text)

    def proceed(self, position: Position, *moves: str) -> list[str]:
        """Apply moves, and draw the chance outcomes that follow."""
        answer = self._games.ApplyMoves(
            game_service_pb2.ApplyMovesRequest(
                position=types_pb2.Position(game=position.game.name, text=position.text),
                moves=[types_pb2.Move(text=move) for move in moves],
                seed=self._seed,
            ),
            timeout=self._timeout,
        )
        return [event.move.text for event in answer.events]

    def select(self, observation: Observation, level: int) -> str:
        """Choose a move."""
        answer = self._analysis.SelectMove(
            analysis_service_pb2.SelectMoveRequest(
                search=analysis_service_pb2.Search(
                    observation=_message(observation),
                    budget=self._budget(),
                    seed=int(self._bots.integers(2**63)),
                ),
                level=level,
            ),
            timeout=self._timeout,
        )
        return str(answer.move.text)

    def advise(self, observation: Observation, top: int) -> list[Advice]:
        """Suggest moves."""
        answer = self._analysis.SuggestMoves(
            analysis_service_pb2.SuggestMovesRequest(
                search=analysis_service_pb2.Search(
                    observation=_message(observation), budget=self._budget()
                ),
                top=top,
            ),
            timeout=self._timeout,
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

    def _budget(self) -> types_pb2.SearchBudget:
        time = Duration()
        time.FromMicroseconds(round(self._milliseconds * 1000))
        return types_pb2.SearchBudget(time=time)


def _message(observation: Observation) -> types_pb2.Observation:
    return types_pb2.Observation(game=observation.game.name, text=observation.text)
