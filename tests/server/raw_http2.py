"""Just enough of HTTP/2 for clients that gRPC's own would never be."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, SETTINGS = 0, 1, 4
END_STREAM, END_HEADERS = 1, 4
INITIAL_WINDOW_SIZE = 4


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def headers(stream: int, method: str) -> bytes:
    """The headers of a call, each as a literal."""
    fields = {
        ":method": "POST",
        ":scheme": "http",
        ":path": method,
        ":authority": "localhost",
        "te": "trailers",
        "content-type": "application/grpc",
    }
    block = b"".join(b"\x00" + literal(name) + literal(value) for name, value in fields.items())
    return frame(HEADERS, END_HEADERS, stream, block)


def literal(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()


def call(stream: int, method: str, message: bytes = b"") -> bytes:
    """A whole call."""
    body = struct.pack(">BI", 0, len(message)) + message
    return headers(stream, method) + frame(DATA, END_STREAM, stream, body)


@contextmanager
def connection(address: str, window: int = 65_535) -> Iterator[socket.socket]:
    """A connection whose streams take so many bytes at first."""
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as opened:
        settings = struct.pack(">HI", INITIAL_WINDOW_SIZE, window)
        opened.sendall(PREFACE + frame(SETTINGS, 0, 0, settings))
        yield opened
