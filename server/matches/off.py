"""MatchService of a server that keeps no matches, which loads none of their modules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from kingmaker.v1 import match_service_pb2_grpc

from ..errors import MatchesOffError

WHY = (
    "this server keeps no matches; its operator enables them with the package kingmaker[ladder] "
    "and a setting: `kingmaker serve --matches matches.sqlite`"
)


async def _refuse(self: Any, request: Any, context: Any) -> Any:
    raise MatchesOffError(WHY)


async def _refuse_stream(self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
    raise MatchesOffError(WHY)
    yield  # makes the method a stream


class MatchesOffServicer(match_service_pb2_grpc.MatchServiceServicer):
    """Refuses every call; see match_service.proto."""

    CreateMatch = JoinMatch = GetMatch = PlayMove = GetMatchHint = TakeBack = OfferDraw = _refuse
    AnswerOffer = ResignMatch = ReplacePlayer = ListMatches = GetMatchRecord = _refuse
    WatchMatch = _refuse_stream
