"""Bots at the table: each gets what its seat sees and answers with a move.

A bot is started for one game and closed after it. What it does wrong is a `BotFault` and loses the
game; what is not its fault is an `InfrastructureError`, and the game is played again.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NoReturn, Protocol

import grpc

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game
from kingmaker.search.levels import MAX_LEVEL, select_move
from kingmaker.search.position import Observation
from kingmaker.v1 import (
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    game_service_pb2,
    game_service_pb2_grpc,
    types_pb2,
)

from .model import Bot, Cause, RunReport
from .specs import Spec, parse_spec

START_SECONDS = 10.0  # for a server to answer at all
GRACE_SECONDS = 30.0  # on top of a search's own time, where there is no clock
UNLIMITED_SECONDS = 3600.0  # for a move of any number of simulations, where there is no clock
# A search is told to end so much before the clock does: it starts and stops, and is asked from
# afar. Whoever is shorter of time than that searches for as long as it takes to look.
LOCAL_MARGIN_MS, REMOTE_MARGIN_MS = 10.0, 25.0
MARGIN_PART = 0.05
MIN_SEARCH_MS = 0.1
DETAILS_KEY = "grpc-status-details-bin"  # there if a server has refused, and not if none is there
REFUSALS = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.UNIMPLEMENTED,
)


class BotFault(Exception):
    """A bot has lost its game other than by the rules.

    Attributes:
        cause: `CRASHED`, `TIMED_OUT` or `ILLEGAL`.
    """

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause = cause
        self.detail = detail


class InfrastructureError(Exception):
    """A game could not be played, through no fault of a bot.

    Attributes:
        kind: as in `RunReport`.
        detail: what happened, in a sentence.
    """

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(kind, detail)
        self.kind = kind
        self.detail = detail

    def report(self, task_id: str) -> RunReport:
        """Return the run report of a game that ended so."""
        return RunReport(task_id, self.kind, self.detail, datetime.now(UTC).isoformat())


class SeatedBot(Protocol):
    """A bot in one game."""

    def select(self, observation: Observation, left_ms: float | None, seed: int) -> str:
        """Choose a move.

        Args:
            observation: what its seat sees, who is to decide.
            left_ms: how long it may think; None: no limit.
            seed: decides its random choices.

        Raises:
            BotFault: it failed; any other exception but the next counts as a crash, too.
            InfrastructureError: it could not be asked.
        """

    def close(self) -> None:
        """Let it go; the game is over."""


StartBot = Callable[[Bot, Game], SeatedBot]


def start_bot(bot: Bot, game: Game) -> SeatedBot:
    """Start a bot by its spec.

    Raises:
        InfrastructureError: it did not start: the spec is wrong or does not go with the game, its
            server does not answer or plays by other rules.
    """
    try:
        spec = parse_spec(bot.spec)
        spec.check_game(game)
    except InputError as error:
        raise InfrastructureError("bot_did_not_start", f"{bot.name}: {error}") from error
    return RemoteBot(spec, game) if spec.address else EngineBot(spec)


class EngineBot:
    """A search in this process.

    Args:
        spec: without an address.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def select(self, observation: Observation, left_ms: float | None, seed: int) -> str:
        """Search, if there is a choice."""
        legal_moves = observation.legal_moves()
        if len(legal_moves) == 1:
            return legal_moves[0]
        spec = self._spec
        move, _ = select_move(
            observation,
            spec.budget(_search_ms(left_ms, LOCAL_MARGIN_MS)),
            level=spec.level or MAX_LEVEL,
            engine=spec.engine,
            seed=seed,
            threads=spec.threads,
            options=dict(spec.options),
        )
        return move

    def close(self) -> None:
        """Nothing is left of a search."""


class RemoteBot:
    """A search on a server of ours at another address: `AnalysisService.SelectMove`.

    Args:
        spec: with the address.
        game: what is played.

    Raises:
        InfrastructureError: the server does not answer or plays by other rules.
    """

    def __init__(self, spec: Spec, game: Game) -> None:
        self._spec = spec
        self._channel = grpc.insecure_channel(spec.address)
        self._analysis = analysis_service_pb2_grpc.AnalysisServiceStub(self._channel)
        try:
            self._check_rules(game)
        except BaseException:
            self.close()
            raise

    def select(self, observation: Observation, left_ms: float | None, seed: int) -> str:
        """Ask the server, with the clock as the deadline of the call."""
        seconds = self._patience_seconds(left_ms)
        try:
            answer = self._analysis.SelectMove(
                self._request(observation, left_ms, seed), timeout=seconds
            )
        except grpc.RpcError as error:
            self._blame(error, seconds)
        return str(answer.move.text)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def _check_rules(self, game: Game) -> None:
        games = game_service_pb2_grpc.GameServiceStub(self._channel)
        request = game_service_pb2.GetGameRequest(game=game.name)
        try:
            found = games.GetGame(request, timeout=START_SECONDS).summary.rules_version
        except grpc.RpcError as error:
            raise self._failure("bot_did_not_start", error) from error
        if found != game.rules_version:
            raise InfrastructureError(
                "bot_did_not_start",
                f"{self._spec.address} plays {game.name} by rules version {found}; "
                f"this is version {game.rules_version}",
            )

    def _request(
        self, observation: Observation, left_ms: float | None, seed: int
    ) -> analysis_service_pb2.SelectMoveRequest:
        spec = self._spec
        budget = spec.budget(_search_ms(left_ms, REMOTE_MARGIN_MS))
        message = types_pb2.SearchBudget(
            simulations=budget.simulations, memory_bytes=budget.memory_bytes
        )
        if budget.milliseconds is not None:
            message.time.FromMicroseconds(round(budget.milliseconds * 1000))
        return analysis_service_pb2.SelectMoveRequest(
            observation=types_pb2.Observation(game=observation.game.name, text=observation.text),
            budget=message,
            seed=seed,
            threads=spec.threads,
            engine=spec.engine,
            engine_options=dict(spec.options),
            level=spec.level,
        )

    def _patience_seconds(self, left_ms: float | None) -> float:
        if left_ms is not None:
            return left_ms / 1000
        if self._spec.time_ms is not None:
            return self._spec.time_ms / 1000 + GRACE_SECONDS
        return UNLIMITED_SECONDS

    def _blame(self, error: grpc.RpcError, seconds: float) -> NoReturn:
        """Raise what a failed call means for the game."""
        code = error.code()
        is_refused = any(each.key == DETAILS_KEY for each in error.trailing_metadata() or ())
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            raise BotFault(Cause.TIMED_OUT, f"no answer within {seconds:.3f} s") from error
        if code in REFUSALS:
            raise self._failure("bot_did_not_start", error) from error
        is_busy = code is grpc.StatusCode.RESOURCE_EXHAUSTED
        if is_busy or (code is grpc.StatusCode.UNAVAILABLE and is_refused):
            raise self._failure("error", error) from error
        raise BotFault(Cause.CRASHED, f"{code.name}: {error.details()}") from error

    def _failure(self, kind: str, error: grpc.RpcError) -> InfrastructureError:
        detail = f"{self._spec.address} answered {error.code().name}: {error.details()}"
        return InfrastructureError(kind, detail)


def _search_ms(left_ms: float | None, margin_ms: float) -> float | None:
    """Return how long a search may take with so much time on the clock."""
    if left_ms is None:
        return None
    return max(left_ms - margin_ms - left_ms * MARGIN_PART, MIN_SEARCH_MS)
