"""Requests and answers as bytes, for the Connect library.

Requests are passed on unread, so that callers and sizes are checked first, as they are over gRPC.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message

from ..errors import MalformedRequestError, RequestError
from .faults import fault_of, half_character
from .plain import plain

MAX_DEPTH = 50  # of nested JSON; our messages have 10 at most
HALF_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")  # an escape of half of a character in UTF-16


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

    def decode(self, data: bytes | bytearray, message_class: type[Message]) -> JsonRequest:
        """Return a request to be read later."""
        return JsonRequest(bytes(data), message_class)


@dataclass(frozen=True, slots=True)
class JsonRequest:
    """A request in JSON that is not read yet; no bytes are the empty message."""

    data: bytes
    kind: type[Message]

    def __len__(self) -> int:
        """Return its length in bytes."""
        return len(self.data)

    def message(self) -> Message:
        """Read it.

        Raises:
            RequestError: a field is wrong.
            MalformedRequestError: it is no object, or too deep.
        """
        try:
            fields: Any = json.loads(self.data.decode("utf-8-sig")) if self.data else {}
            if isinstance(fields, dict):
                return self._parsed(fields)
            why = "it is JSON, but not an object"
        except (ParseError, ValueError, RecursionError) as error:
            why, _, _ = str(error).partition("\n")
        raise MalformedRequestError(f"the request is not a message in JSON: {why}")

    def _parsed(self, fields: dict[str, Any]) -> Message:
        if HALF_ESCAPE.search(self.data) and (half := half_character(fields)) is not None:
            raise RequestError([half])
        try:
            return ParseDict(fields, self.kind(), max_recursion_depth=MAX_DEPTH)
        except ParseError:
            fault = fault_of(fields, self.kind)
            if fault is None:
                raise
        raise RequestError([fault])
