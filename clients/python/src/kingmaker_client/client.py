"""A connection to a Kingmaker server, with the calls that most programs need."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Self, TypeVar

import grpc
from google.protobuf.duration_pb2 import Duration

from .errors import KingmakerError, error_of
from .v1.analysis_service_pb2 import (
    AnalyzeRequest,
    AnalyzeResponse,
    Search,
    SelectMoveRequest,
    SelectMoveResponse,
    SuggestMovesRequest,
    SuggestMovesResponse,
)
from .v1.analysis_service_pb2_grpc import AnalysisServiceStub
from .v1.batch_service_pb2_grpc import BatchServiceStub
from .v1.bot_service_pb2_grpc import BotServiceStub
from .v1.game_service_pb2 import (
    ApplyMovesRequest,
    ApplyMovesResponse,
    GameSummary,
    LegalMove,
    ListGamesRequest,
    ListMovesRequest,
    ObserveRequest,
    StartGameRequest,
    StartGameResponse,
)
from .v1.game_service_pb2_grpc import GameServiceStub
from .v1.ladder_service_pb2_grpc import LadderServiceStub
from .v1.match_service_pb2 import JoinMatchRequest, JoinMatchResponse
from .v1.match_service_pb2_grpc import MatchServiceStub
from .v1.review_service_pb2_grpc import ReviewServiceStub
from .v1.types_pb2 import Move, Observation, Position, SearchBudget

Request = TypeVar("Request")
Response = TypeVar("Response")

KEY_BYTES = 24
RECONNECT_SECONDS = 0.5


class Client:
    """A connection to a server; threads may share it.

    Every method raises `KingmakerError`. Calls that the server asks to repeat later, as its queue
    is full or it is shutting down, are repeated when it says, as long as their time lasts.

    Args:
        address: host and port.
        credentials: of TLS, as `grpc.ssl_channel_credentials()`; None: not encrypted.
        token: sent with every call, for servers that ask for one.
        timeout: seconds for a call, all its repetitions included.

    Attributes:
        games: all calls about rules.
        analysis: all calls that search.
        bots: all calls about connected bots.
        ladders: all calls about ladders.
        batches: all calls about batches.
        matches: all calls about matches that the server keeps.
        reviews: all calls about reviews of games.
    """

    def __init__(
        self,
        address: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        token: str = "",
        timeout: float = 30.0,
    ) -> None:
        if credentials is None:
            self._channel = grpc.insecure_channel(address)
        else:
            self._channel = grpc.secure_channel(address, credentials)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._timeout = timeout
        self.games = GameServiceStub(self._channel)
        self.analysis = AnalysisServiceStub(self._channel)
        self.bots = BotServiceStub(self._channel)
        self.ladders = LadderServiceStub(self._channel)
        self.batches = BatchServiceStub(self._channel)
        self.matches = MatchServiceStub(self._channel)
        self.reviews = ReviewServiceStub(self._channel)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; calls that are under way end with CANCELLED."""
        self._channel.close()

    def call(
        self,
        method: grpc.UnaryUnaryMultiCallable[Request, Response],
        request: Request,
        *,
        timeout: float | None = None,
    ) -> Response:
        """Make any call with one answer: `client.call(client.games.GetGame, request)`."""
        end = time.monotonic() + (self._timeout if timeout is None else timeout)
        while True:
            left = end - time.monotonic()
            try:
                return method(request, timeout=left, metadata=self._metadata)
            except grpc.RpcError as raw:
                error = error_of(raw)
                wait = error.retry_seconds
                if wait is None or time.monotonic() + wait >= end:
                    raise error from None
            time.sleep(wait)

    def stream(
        self,
        method: grpc.UnaryStreamMultiCallable[Request, Response],
        request: Request,
        *,
        timeout: float | None = None,
    ) -> Iterator[Response]:
        """Make any call that answers with a stream; leaving the loop cancels it."""
        seconds = self._timeout if timeout is None else timeout
        call = method(request, timeout=seconds, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise error_of(error) from None
        finally:
            call.cancel()

    def list_games(self) -> list[GameSummary]:
        """List the games."""
        found: list[GameSummary] = []
        request = ListGamesRequest()
        while True:
            page = self.call(self.games.ListGames, request)
            found += page.games
            if not page.next_page_token:
                return found
            request = ListGamesRequest(page_token=page.next_page_token)

    def start(
        self,
        game: str,
        options: Mapping[str, str] | None = None,
        *,
        seed: int | None = None,
        viewers: Iterable[int] = (),
    ) -> StartGameResponse:
        """Start a game and draw its first outcomes.

        Args:
            game: its name.
            options: others than the defaults.
            seed: of all outcomes; None: the server draws one, which the answer has.
            viewers: seats whose views of what happened are wanted.
        """
        request = StartGameRequest(
            game=game, options=options or {}, seed=seed, settle=True, viewers=viewers
        )
        return self.call(self.games.StartGame, request)

    def observe(self, position: Position, seat: int) -> Observation:
        """Return what a seat (0: a spectator) sees of a position."""
        request = ObserveRequest(position=position, seat=seat)
        return self.call(self.games.Observe, request).observation

    def legal_moves(self, source: Position | Observation) -> list[LegalMove]:
        """List the legal moves with a description each; empty unless a seat decides."""
        if isinstance(source, Position):
            request = ListMovesRequest(position=source)
        else:
            request = ListMovesRequest(observation=source)
        return list(self.call(self.games.ListMoves, request).moves)

    def play(
        self,
        position: Position,
        moves: Iterable[Move | str],
        *,
        seed: int,
        viewers: Iterable[int] = (),
    ) -> ApplyMovesResponse:
        """Apply moves and draw the outcomes between and after them.

        Args:
            position: the full state, which the players must not see.
            moves: messages, or their notation.
            seed: that of the game, which `start` returned.
            viewers: as in `start`.
        """
        listed = [Move(text=move) if isinstance(move, str) else move for move in moves]
        request = ApplyMovesRequest(position=position, moves=listed, seed=seed, viewers=viewers)
        return self.call(self.games.ApplyMoves, request)

    def select_move(
        self, observation: Observation, *, level: int = 10, budget_ms: float = 100
    ) -> SelectMoveResponse:
        """Return a bot's move.

        Args:
            observation: what the seat to decide sees.
            level: 1 to 10.
            budget_ms: time to search.
        """
        search = Search(observation=observation, budget=_budget(budget_ms))
        return self.call(self.analysis.SelectMove, SelectMoveRequest(search=search, level=level))

    def hint(
        self, observation: Observation, *, top: int = 3, budget_ms: float = 1000
    ) -> SuggestMovesResponse:
        """Return the best moves with reasons, for the seat to decide."""
        search = Search(observation=observation, budget=_budget(budget_ms))
        return self.call(self.analysis.SuggestMoves, SuggestMovesRequest(search=search, top=top))

    def analyze(
        self, observation: Observation, *, budget_ms: float = 10_000, report_ms: float = 200
    ) -> Iterator[AnalyzeResponse]:
        """Yield snapshots of a search every `report_ms`, the last with `is_final`."""
        search = Search(observation=observation, budget=_budget(budget_ms))
        request = AnalyzeRequest(search=search, report_interval=_duration(report_ms))
        timeout = max(self._timeout, budget_ms / 1000 + 5)
        return self.stream(self.analysis.Analyze, request, timeout=timeout)

    def join_match(
        self, match_id: str, name: str, *, seat: int = 0, key: str = ""
    ) -> JoinMatchResponse:
        """Take a seat of a match; if the connection is lost, ask again and get the same seat.

        Args:
            match_id: of the match.
            name: of the player.
            seat: 1..n; 0: the first that is open.
            key: a secret of 16 to 64 random characters, to make the same call again later; empty:
                one is drawn for this call.
        """
        key = key or secrets.token_urlsafe(KEY_BYTES)
        request = JoinMatchRequest(match_id=match_id, name=name, seat=seat, key=key)
        end = time.monotonic() + self._timeout
        while True:
            try:
                return self.call(self.matches.JoinMatch, request, timeout=end - time.monotonic())
            except KingmakerError as error:
                is_lost = error.code is grpc.StatusCode.UNAVAILABLE and not error.reason
                if not is_lost or time.monotonic() + RECONNECT_SECONDS >= end:
                    raise
            time.sleep(RECONNECT_SECONDS)


def _budget(milliseconds: float) -> SearchBudget:
    return SearchBudget(time=_duration(milliseconds))


def _duration(milliseconds: float) -> Duration:
    seconds, rest = divmod(milliseconds, 1000)
    return Duration(seconds=int(seconds), nanos=int(rest * 1e6))
