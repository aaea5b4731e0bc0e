"""Limits of requests, checked before anything is parsed or converted."""

from __future__ import annotations

import asyncio
from collections.abc import Sized
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

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

TEXT_FACTOR = 4  # so much longer than its protocol buffer may a request in JSON be
SMALL_TEXT_BYTES = 8 << 10  # read at once; more would hold up other calls

MAX_OPTIONS = 64  # of a game or an engine; real ones have at most a dozen


_reader = ThreadPoolExecutor(1, "long requests")


class TextRequest(Protocol):
    """A request as text, which is not read yet."""

    def __len__(self) -> int:
        """Return its length in bytes."""

    def message(self) -> Any:
        """Read it.

        Raises:
            MalformedRequestError: it is no message of its type.
        """


def parse_request(method: str, read: Any, data: bytes) -> Any:
    """Parse the bytes of a request.

    Args:
        method: of the call, `/package.Service/Method`.
        read: parses a message.
        data: its bytes.

    Raises:
        RequestTooLargeError: there are more than this method takes; none of them is parsed.
        MalformedRequestError: they are no message of the method's type.
    """
    if len(data) > (limit := LARGE_REQUEST_BYTES.get(method, REQUEST_BYTES)):
        raise _too_large(len(data), limit)
    try:
        return read(data)
    except Exception:
        raise MalformedRequestError(
            "the request is not a message of this method's type; see the .proto files"
        ) from None


async def read_text_request(method: str, data: TextRequest) -> Any:
    """Read a request that is no protocol buffer; a long one on a thread, one after the other.

    Raises:
        RequestTooLargeError: it has more bytes than this method takes, or its message has.
        MalformedRequestError: it is no message of the method's type.
    """
    limit = LARGE_REQUEST_BYTES.get(method, REQUEST_BYTES)
    if len(data) > TEXT_FACTOR * limit:
        raise _too_large(len(data), TEXT_FACTOR * limit)
    if len(data) <= SMALL_TEXT_BYTES:
        message = data.message()
    else:
        message = await asyncio.get_running_loop().run_in_executor(_reader, data.message)
    if (size := message.ByteSize()) > limit:
        raise _too_large(size, limit)
    return message


def _too_large(number: int, limit: int) -> RequestTooLargeError:
    return RequestTooLargeError(f"the request has {number} bytes; this call takes at most {limit}")


def check_count(items: Sized, limit: int, what: str) -> None:
    """Check the length of a list or map, before its items are looked at.

    Raises:
        InputError: it has more than `limit` items.
    """
    if len(items) > limit:
        raise InputError(
            f"there are {len(items)} {what}; there may be at most {limit}", value=str(len(items))
        )
