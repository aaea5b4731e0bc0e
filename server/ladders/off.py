"""LadderService of a server without ladders, which loads none of their modules."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from kingmaker.v1 import ladder_service_pb2_grpc

from ..errors import LaddersOffError

WHY = (
    "this server has no ladders; its operator enables them with the setting ladders: "
    "`kingmaker serve --ladders ladder.sqlite`"
)


async def _refuse(self: Any, request: Any, context: Any) -> Any:
    raise LaddersOffError(WHY)


async def _refuse_stream(self: Any, request: Any, context: Any) -> AsyncIterator[Any]:
    raise LaddersOffError(WHY)
    yield  # makes the method a stream


class LaddersOffServicer(ladder_service_pb2_grpc.LadderServiceServicer):
    """Refuses every call; see ladder_service.proto."""

    StartLadder = ResumeLadder = StopLadder = GetLadder = ListLadders = _refuse
    WatchLadder = ListLadderGames = ExportLadderGames = _refuse_stream
