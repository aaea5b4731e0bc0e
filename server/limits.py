"""Limits of requests, checked before anything is parsed or converted."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

from kingmaker.cext.errors import InputError

from .errors import MalformedRequestError, RequestTooLargeError
from .roles import AGENTS

REQUEST_BYTES = 64 << 10
LARGE_REQUEST_BYTES = {
    "/kingmaker.v1.BatchService/CreateBatch": 1152 << 10,  # 1000 tasks of some hundred characters
    "/kingmaker.v1.GameService/ApplyMoves": 256 << 10,  # 1000 moves, as messages and as text
    "/kingmaker.v1.LadderService/StartLadder": 256 << 10,  # 1000 bots
    "/kingmaker.v1.ReviewService/ReviewGame": 1152 << 10,  # a record of 2**20 characters
    AGENTS: 1152 << 10,  # the same
}
"""Size limits of the calls that need more than `REQUEST_BYTES`."""
MAX_REQUEST_BYTES = max(REQUEST_BYTES, *LARGE_REQUEST_BYTES.values())

MAX_OPTIONS = 64  # of a game or an engine; real ones have at most a dozen


def parse_request(method: str, read: Any, data: bytes | MalformedRequestError) -> Any:
    """Parse the bytes of a request.

    Args:
        method: of the call, `/package.Service/Method`.
        read: parses a message.
        data: its bytes; over HTTP perhaps why its JSON is no message.

    Raises:
        RequestTooLargeError: there are more than this method takes; none of them is parsed.
        MalformedRequestError: they are no message of the method's type.
    """
    if isinstance(data, MalformedRequestError):
        raise data
    limit = LARGE_REQUEST_BYTES.get(method, REQUEST_BYTES)
    if len(data) > limit:
        raise RequestTooLargeError(
            f"the request has {len(data)} bytes; this call takes at most {limit}"
        )
    try:
        return read(data)
    except Exception:
        raise MalformedRequestError(
            "the request is not a message of this method's type; see the .proto files"
        ) from None


def check_count(items: Sized, limit: int, what: str) -> None:
    """Check the length of a list or map, before its items are looked at.

    Raises:
        InputError: it has more than `limit` items.
    """
    if len(items) > limit:
        raise InputError(
            f"there are {len(items)} {what}; there may be at most {limit}", value=str(len(items))
        )
