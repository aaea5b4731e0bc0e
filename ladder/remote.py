"""Remote bots: searches on a Kingmaker server, and programs connected to one."""

from __future__ import annotations

import math
import secrets
from functools import cache
from threading import Event
from time import monotonic
from typing import Any, NoReturn

import grpc

from kingmaker.cext.game import Game
from kingmaker.search.analysis import Budget
from kingmaker.search.position import Observation
from kingmaker.tasks.model import InfrastructureError
from kingmaker.v1 import (
    analysis_service_pb2,
    analysis_service_pb2_grpc,
    bot_service_pb2,
    bot_service_pb2_grpc,
    game_service_pb2,
    game_service_pb2_grpc,
    types_pb2,
)

from .channel import open_channel
from .model import Cause
from .seats import BotFault, TimedMove, search_ms
from .specs import Spec

START_SECONDS = 10.0  # for a first answer of a server
GRACE_SECONDS = 30.0  # on top of a search's own time, without a clock
UNLIMITED_SECONDS = 3600.0  # for a move of any number of simulations, without a clock
CONNECT_SECONDS = 10.0  # for a program, or its server, to return
POLL_SECONDS = 0.2  # between tries, and until the end of the waiting is noticed
WAIT_SECONDS = 3000.0  # for a connected program to have room for a question, and to answer it
# A remote search ends this long before the clock, for the way of the answer.
MARGIN_MS = 25.0
OPTIONS = [
    ("grpc.keepalive_time_ms", 60_000),  # to notice the loss of a machine
    ("grpc.initial_reconnect_backoff_ms", 100),  # a server that returns is used at once
    ("grpc.max_reconnect_backoff_ms", 1000),
]
DETAILS_KEY = (
    "grpc-status-details-bin"  # present if a server has refused, absent if no server was reached
)
REFUSALS = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.UNIMPLEMENTED,
)


class _NotYetError(InfrastructureError):
    """The bot did not start, but may be available soon, after a restart."""


class Patience:
    """How long bots may take to start.

    Args:
        seconds: for all of them together, from now on.
        stop: cuts the waiting short when set, by any thread.
    """

    def __init__(self, seconds: float = math.inf, stop: Event | None = None) -> None:
        self._deadline = monotonic() + seconds
        self._stop = Event() if stop is None else stop

    def call(self, method: Any, request: Any) -> Any:
        """Call a server, and return its answer.

        Raises:
            grpc.RpcError: it has refused, or did not answer in time.
            InfrastructureError: the waiting was cut short.
        """
        seconds = min(START_SECONDS, max(self._deadline - monotonic(), POLL_SECONDS))
        call = method.future(request, timeout=seconds)
        while True:
            try:
                return call.result(timeout=POLL_SECONDS)
            except grpc.FutureTimeoutError:
                if self._stop.is_set():
                    call.cancel()
                    raise InfrastructureError("bot_did_not_start", "stopped") from None

    def pause(self) -> bool:
        """Wait for a moment; False if there is no time left for another try."""
        self._stop.wait(POLL_SECONDS)
        return not self._stop.is_set() and monotonic() < self._deadline


@cache
def _channel(address: str) -> grpc.Channel:
    """Return the connection of this process to a server, for all bots and games there.

    It reconnects by itself, and ends with the process.
    """
    return open_channel(address, OPTIONS)


class _Server:
    """A Kingmaker server, reached over the connection that all its bots share.

    Args:
        address: of the server.
        game: to be played there.
        patience: for its answers.

    Raises:
        InfrastructureError: the server does not answer or has another rules version.
    """

    def __init__(self, address: str, game: Game, patience: Patience) -> None:
        self.address = address
        self.channel = _channel(address)
        self._check_rules(game, patience)

    def failure(self, kind: str, error: grpc.RpcError) -> InfrastructureError:
        """Describe a failed call."""
        is_away = error.code() is grpc.StatusCode.UNAVAILABLE
        return (_NotYetError if is_away else InfrastructureError)(
            kind, f"{self.address} answered {error.code().name}: {error.details()}"
        )

    def _check_rules(self, game: Game, patience: Patience) -> None:
        games = game_service_pb2_grpc.GameServiceStub(self.channel)
        request = game_service_pb2.GetGameRequest(game=game.name)
        try:
            found = patience.call(games.GetGame, request).summary.rules_version
        except grpc.RpcError as error:
            raise self.failure("bot_did_not_start", error) from error
        if found != game.rules_version:
            raise InfrastructureError(
                "bot_did_not_start",
                f"{self.address} has rules version {found} of {game.name}; "
                f"this is version {game.rules_version}",
            )


class RemoteBot:
    """A search on a Kingmaker server at another address: `AnalysisService.SelectMove`.

    Args:
        spec: with the address.
        game: to be played.
        patience: for its start.

    Raises:
        InfrastructureError: the server does not answer or has another rules version.
    """

    def __init__(self, spec: Spec, game: Game, patience: Patience) -> None:
        self._spec = spec
        self._server = _Server(spec.address, game, patience)
        self._analysis = analysis_service_pb2_grpc.AnalysisServiceStub(self._server.channel)

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str:
        """Call the server, with the clock as the deadline of the call."""
        seconds = self._patience_seconds(left_ms)
        try:
            budget = self._spec.budget(search_ms(left_ms, think_ms, MARGIN_MS))
            request = self._request(observation, budget, seed)
            answer = self._analysis.SelectMove(request, timeout=seconds)
        except grpc.RpcError as error:
            self._blame(error, seconds)
        return str(answer.move.text)

    def close(self) -> None:
        """Do nothing: the connection stays for the next game."""

    def _request(
        self, observation: Observation, budget: Budget, seed: int
    ) -> analysis_service_pb2.SelectMoveRequest:
        spec = self._spec
        message = types_pb2.SearchBudget(
            simulations=budget.simulations, memory_bytes=budget.memory_bytes
        )
        if budget.milliseconds is not None:
            message.time.FromMicroseconds(round(budget.milliseconds * 1000))
        return analysis_service_pb2.SelectMoveRequest(
            search=analysis_service_pb2.Search(
                observation=observation_message(observation),
                budget=message,
                seed=seed,
                threads=spec.threads,
                engine=spec.engine,
                engine_options=dict(spec.options),
            ),
            level=spec.level,
        )

    def _patience_seconds(self, left_ms: float | None) -> float:
        if left_ms is not None:
            return left_ms / 1000
        if self._spec.time_ms is not None:
            return self._spec.time_ms / 1000 + GRACE_SECONDS
        return UNLIMITED_SECONDS

    def _blame(self, error: grpc.RpcError, seconds: float) -> NoReturn:
        """Raise the error that a failed call means for the game."""
        code = error.code()
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            raise BotFault(Cause.TIMED_OUT, f"no answer within {seconds:.3f} s") from error
        if code in REFUSALS:
            raise self._server.failure("bot_did_not_start", error) from error
        is_busy = code is grpc.StatusCode.RESOURCE_EXHAUSTED
        if is_busy or (code is grpc.StatusCode.UNAVAILABLE and _is_refused(error)):
            raise self._server.failure("error", error) from error
        raise BotFault(Cause.CRASHED, f"{code.name}: {error.details()}") from error


class ExternalBot:
    """A program connected to a Kingmaker server: `BotService.AskBot`.

    That server measures its thinking time, from the question on the program's stream to the answer;
    the wait while the program is busy with other games does not count.

    Args:
        spec: with address and name.
        game: to be played.
        patience: for its start, of which an absent program or server gets `CONNECT_SECONDS`.

    Raises:
        InfrastructureError: the server does not answer or has another rules version, or the program
            is not connected to it or does not play this game.
    """

    def __init__(self, spec: Spec, game: Game, patience: Patience) -> None:
        self._spec = spec
        self._game_id = secrets.token_hex(8)  # reveals nothing of the deal, as the task's id might
        deadline = monotonic() + CONNECT_SECONDS
        while True:
            try:
                self._connect(game, patience)
                return
            except _NotYetError:
                if monotonic() > deadline or not patience.pause():
                    raise

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> TimedMove:
        """Ask the program for a move."""
        request = bot_service_pb2.AskBotRequest(
            bot=self._spec.bot,
            game_id=self._game_id,
            observation=observation_message(observation),
            seed=seed,
        )
        if left_ms is not None:
            request.time_left.FromMicroseconds(max(round(left_ms * 1000), 1))
        try:
            answer = self._bots.AskBot(request, timeout=WAIT_SECONDS)
        except grpc.RpcError as error:
            self._blame(error)
        return TimedMove(answer.move.text, answer.thinking.ToNanoseconds() / 1e6)

    def close(self) -> None:
        """Do nothing: the connection stays for the next game, and the program's own too."""

    def _connect(self, game: Game, patience: Patience) -> None:
        self._server = _Server(self._spec.address, game, patience)
        self._bots = bot_service_pb2_grpc.BotServiceStub(self._server.channel)
        self._check_connected(game.name, patience)

    def _check_connected(self, game: str, patience: Patience) -> None:
        request = bot_service_pb2.ListBotsRequest()
        try:
            answer = patience.call(self._bots.ListBots, request)
        except grpc.RpcError as error:
            raise self._server.failure("bot_did_not_start", error) from error
        games = {bot.name: bot.games for bot in answer.bots}
        name, address = self._spec.bot, self._spec.address
        if name not in games:
            raise _NotYetError(
                "bot_did_not_start",
                f"no bot {name} is connected to {address}; those that are: "
                f"{', '.join(games) or 'none'}",
            )
        if games[name] and game not in games[name]:
            raise InfrastructureError(
                "bot_did_not_start",
                f"bot {name} does not play {game}; it plays {', '.join(games[name])}",
            )

    def _blame(self, error: grpc.RpcError) -> NoReturn:
        """Raise the error of a failed call; failures of the server are not the bot's."""
        code = error.code()
        if code is grpc.StatusCode.DEADLINE_EXCEEDED and _is_refused(error):
            raise BotFault(Cause.TIMED_OUT, str(error.details())) from error
        if code is grpc.StatusCode.ABORTED and _is_refused(error):
            raise BotFault(Cause.CRASHED, str(error.details())) from error
        kind = "bot_did_not_start" if code in REFUSALS else "error"
        raise self._server.failure(kind, error) from error


def _is_refused(error: grpc.RpcError) -> bool:
    """Whether the error comes from a Kingmaker server, not from the network."""
    return any(each.key == DETAILS_KEY for each in error.trailing_metadata() or ())


def observation_message(observation: Observation) -> types_pb2.Observation:
    """Write an observation as a line, with its record."""
    message = types_pb2.Observation(game=observation.game.name, text=observation.text)
    if observation.record is not None:
        record = observation.record
        message.record.seen.extend(
            types_pb2.SeenMove(seat=seat, move=types_pb2.Move(text=move))
            for seat, move in record.seen
        )
        message.record.options.update({name: str(value) for name, value in record.options.items()})
    return message
