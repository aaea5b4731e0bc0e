"""Messages as bytes and back, for the Connect library.

What can't be read becomes a `MalformedRequestError`, which the interceptor turns into an answer
with details and a log line, as over gRPC.
"""

from __future__ import annotations

import json
from typing import Any, TypeVar

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import DecodeError, Message

from ..errors import MalformedRequestError
from .plain import plain

Kind = TypeVar("Kind", bound=Message)
MAX_DEPTH = 50  # of nested JSON; our messages have 10 at most


class BinaryCodec:
    """Protocol buffers."""

    def name(self) -> str:
        """Return its name in content types."""
        return "proto"

    def encode(self, message: Message) -> bytes:
        """Write a message."""
        return message.SerializeToString()

    def decode(
        self, data: bytes | bytearray, message_class: type[Kind]
    ) -> Kind | MalformedRequestError:
        """Read a message."""
        try:
            return message_class.FromString(bytes(data))
        except DecodeError:
            return MalformedRequestError(
                "the request is not a message of this method's type; see the .proto files"
            )


class JsonCodec:
    """Protocol buffers as JSON; a field that does not exist is an error, as it had no effect."""

    def name(self) -> str:
        """Return its name in content types."""
        return "json"

    def encode(self, message: Message) -> bytes:
        """Write a message."""
        return json.dumps(plain(message), ensure_ascii=False, separators=(",", ":")).encode()

    def decode(
        self, data: bytes | bytearray, message_class: type[Kind]
    ) -> Kind | MalformedRequestError:
        """Read a message; no bytes are the empty one."""
        try:
            fields: Any = json.loads(data) if data else {}
            if not isinstance(fields, dict):
                return MalformedRequestError("the request is JSON, but not an object")
            return ParseDict(fields, message_class(), max_recursion_depth=MAX_DEPTH)
        except (ParseError, ValueError, RecursionError) as error:
            first, _, _ = str(error).partition("\n")
            return MalformedRequestError(f"the request is not a message in JSON: {first}")
