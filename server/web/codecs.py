"""Requests and answers as bytes, for the Connect library.

Requests are passed on as the bytes that gRPC would have received, so that the handlers parse and
check them as they do over gRPC.
"""

from __future__ import annotations

import json
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from ..errors import MalformedRequestError
from .plain import plain

MAX_DEPTH = 50  # of nested JSON; our messages have 10 at most


class BinaryCodec:
    """Protocol buffers."""

    def name(self) -> str:
        """Return its name in content types."""
        return "proto"

    def encode(self, message: Message) -> bytes:
        """Write a message."""
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> bytes:
        """Return a request as it came."""
        return bytes(data)


class JsonCodec:
    """Protocol buffers as JSON; a field that does not exist is an error, as it had no effect."""

    def name(self) -> str:
        """Return its name in content types."""
        return "json"

    def encode(self, message: Message) -> bytes:
        """Write a message."""
        return json.dumps(plain(message), ensure_ascii=False, separators=(",", ":")).encode()

    def decode(
        self, data: bytes | bytearray, message_class: type[Message]
    ) -> bytes | MalformedRequestError:
        """Return a request as protocol buffers; no bytes are the empty one.

        What can't be read is an error in its place, as only a handler can answer with details.
        """
        try:
            fields: Any = json.loads(data) if data else {}
            if not isinstance(fields, dict):
                return MalformedRequestError("the request is JSON, but not an object")
            message = ParseDict(fields, message_class(), max_recursion_depth=MAX_DEPTH)
            return message.SerializeToString()
        except (ParseError, ValueError, RecursionError) as error:
            first, _, _ = str(error).partition("\n")
            return MalformedRequestError(f"the request is not a message in JSON: {first}")
