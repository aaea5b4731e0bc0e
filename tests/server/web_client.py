"""Clients of the HTTP port: Connect and gRPC-Web by their library, JSON by hand."""

from __future__ import annotations

import asyncio
import json
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from connectrpc.client import ConnectClient
from connectrpc.compat import google_protobuf_binary_codec, google_protobuf_json_codec
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.protocol import ProtocolType
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

from .support import Service, midgame, observation_of

ORIGIN = "https://games.example"
LIST = "GameService/ListGames"
ANALYZE = "AnalysisService/Analyze"
CLIENTS = {
    "connect+json": (ProtocolType.CONNECT, google_protobuf_json_codec()),
    "connect": (ProtocolType.CONNECT, google_protobuf_binary_codec()),
    "grpc-web": (ProtocolType.GRPC_WEB, google_protobuf_binary_codec()),
}


def method_info(path: str) -> MethodInfo[Any, Any]:
    """Describe a method, such as `GameService/ListGames`."""
    service, _, name = path.partition("/")
    method = Default().FindServiceByName(f"kingmaker.v1.{service}").methods_by_name[name]
    return MethodInfo(
        name=name,
        service_name=f"kingmaker.v1.{service}",
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if method.server_streaming else StreamType.UNARY,
    )


class WebClient:
    """A client of one of the protocols."""

    def __init__(self, url: str, kind: str) -> None:
        protocol, codec = CLIENTS[kind]
        self._client = ConnectClient(url, codec=codec, protocol=protocol)

    async def call(self, path: str, request: Any, timeout_ms: int | None = None) -> Any:
        return await self._client.execute_unary(
            request=request, method=method_info(path), timeout_ms=timeout_ms
        )

    def stream(self, path: str, request: Any, timeout_ms: int | None = None) -> AsyncIterator[Any]:
        return self._client.execute_server_stream(
            request=request, method=method_info(path), timeout_ms=timeout_ms
        )


@dataclass
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Connection:
    """A TCP connection to the port."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> None:
        lines = [f"{method} {path} HTTP/1.1", "host: test", f"content-length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        await self.writer.drain()

    async def head(self) -> tuple[int, dict[str, str]]:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        pairs = (line.partition(": ") for line in head[1:] if line)
        return int(head[0].split()[1]), {name.lower(): value for name, _, value in pairs}

    async def answer(self) -> Answer:
        status, headers = await self.head()
        if headers.get("transfer-encoding") != "chunked":
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
            return Answer(status, headers, body)
        body = b""
        while chunk := await self.chunk():
            body += chunk
        return Answer(status, headers, body)

    async def chunk(self) -> bytes:
        """Read a chunk of an answer without a length."""
        size = int(await self.reader.readline(), 16)
        return (await self.reader.readexactly(size + 2))[:-2]


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Connection]:
    """Open a connection; it is closed at the end of the block."""
    host, _, port = url.removeprefix("http://").rpartition(":")
    reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
    try:
        yield Connection(reader, writer)
    finally:
        writer.close()


async def http(url: str, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
    """Make a request on a connection of its own."""
    async with connected(url) as connection:
        await connection.send(method, path, body, **headers)
        return await connection.answer()


async def post(url: str, path: str, fields: Any, **headers: str) -> Answer:
    """Call a method as curl does, with JSON."""
    headers = {"content_type": "application/json", **headers}
    return await http(url, "POST", f"/kingmaker.v1.{path}", json.dumps(fields).encode(), **headers)


def url_of(service: Service) -> str:
    """Where its HTTP port listens."""
    assert service.server.url
    return service.server.url


def analysis(length: float = 60.0) -> dict[str, Any]:
    """Ask in JSON for an analysis of so many seconds, reported every 20 ms."""
    observation = observation_of(midgame())
    return {
        "search": {
            "observation": {"game": observation.game, "text": observation.text},
            "budget": {"time": f"{length}s"},
        },
        "reportInterval": "0.02s",
    }


def enveloped(fields: Any) -> bytes:
    """Fields as the one message of a Connect stream."""
    body = json.dumps(fields).encode()
    return struct.pack(">BI", 0, len(body)) + body
