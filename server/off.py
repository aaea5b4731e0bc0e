"""Services that a server does not have: calls are refused, and no module of them is loaded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

from google.protobuf.descriptor import ServiceDescriptor

from .errors import BatchesOffError, LaddersOffError, MatchesOffError

WHY: dict[type[Exception], str] = {
    LaddersOffError: "this server has no ladders; its operator enables them with the setting "
    "ladders: `kingmaker serve --ladders ladder.sqlite`",
    MatchesOffError: "this server keeps no matches; its operator enables them with the package "
    "kingmaker[ladder] and a setting: `kingmaker serve --matches matches.sqlite`",
    BatchesOffError: "this server runs no batches; its operator enables them with the setting "
    "batches: `kingmaker serve --batches batches.sqlite`",
}


def off(service: ServiceDescriptor, error: type[Exception]) -> Any:
    """Return a servicer that refuses all methods of a service.

    Args:
        service: whose methods it has.
        error: one of `WHY`.
    """

    async def refuse(request: Any, context: Any) -> Any:
        raise error(WHY[error])

    async def refuse_stream(request: Any, context: Any) -> AsyncIterator[Any]:
        raise error(WHY[error])
        yield  # makes the method a stream

    return SimpleNamespace(
        **{
            method.name: refuse_stream if method.server_streaming else refuse
            for method in service.methods
        }
    )
