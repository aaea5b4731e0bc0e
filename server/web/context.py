"""A call over HTTP as our handlers and interceptors see it: the part of gRPC's context they use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any, NoReturn

import grpc
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.request import RequestContext
from google.protobuf.descriptor_pool import Default
from google.protobuf.json_format import MessageToJson
from google.protobuf.message_factory import GetMessageClass
from google.rpc import status_pb2
from protobuf.wkt import Any as AnyMessage
from protobuf.wkt import Struct

from ..interceptor import STATUS_KEY

CODES: dict[grpc.StatusCode, Code] = {
    code: Code[code.name.replace("CANCELLED", "CANCELED")]
    for code in grpc.StatusCode
    if code is not grpc.StatusCode.OK
}


class WebContext:
    """The context of a call; it has what our servicers and interceptors use of gRPC's.

    Args:
        call: the same as the Connect library sees it.
    """

    def __init__(self, call: RequestContext[Any, Any]) -> None:
        self._call = call
        self._written: asyncio.Queue[Any] = asyncio.Queue()
        self._is_read = asyncio.Semaphore(0)

    def peer(self) -> str:
        """Return the address of the client, written as gRPC does."""
        host, _, port = (self._call.client_address or "").rpartition(":")
        return f"ipv6:%5B{host}%5D:{port}" if ":" in host else f"ipv4:{host}:{port}"

    def time_remaining(self) -> float | None:
        """Return the seconds up to the deadline; None: there is none."""
        milliseconds = self._call.timeout_ms
        return None if milliseconds is None else milliseconds / 1000

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        """Return the headers of the request."""
        return tuple(self._call.request_headers.allitems())

    def auth_context(self) -> dict[str, list[bytes]]:
        """Return what TLS knows of the client: nothing."""
        return {}

    async def abort(
        self,
        code: grpc.StatusCode,
        details: str = "",
        trailing_metadata: tuple[tuple[str, bytes], ...] = (),
    ) -> NoReturn:
        """End the call with an error; its `google.rpc` details are in the trailing metadata."""
        status = status_pb2.Status.FromString(dict(trailing_metadata).get(STATUS_KEY, b""))
        raise ConnectError(
            CODES[code], details, [_Detail(each) for each in status.details]
        ) from None

    async def write(self, message: Any) -> None:
        """Send a message of a stream; returns when the one before it has been sent."""
        self._written.put_nowait(message)
        await self._is_read.acquire()

    async def answers(self, work: Any) -> AsyncIterator[Any]:
        """Yield what a handler of a stream writes; it ends with the iterator.

        Args:
            work: the handler's coroutine.
        """
        task = asyncio.ensure_future(work)
        task.add_done_callback(lambda _: self._written.put_nowait(None))
        try:
            while (message := await self._written.get()) is not None:
                yield message
                self._is_read.release()
            await task
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError, ConnectError):
                await task


class _Detail(ErrorDetail):
    """A detail of an error; clients that speak JSON get it as JSON too, as `debug`."""

    def __init__(self, packed: Any) -> None:
        super().__init__(AnyMessage(type_url=packed.type_url, value=packed.value))
        name = packed.type_url.rpartition("/")[2]
        kind = GetMessageClass(Default().FindMessageTypeByName(name))
        self._plain = Struct.from_json(MessageToJson(kind.FromString(packed.value)))

    def value(self, *_: Any) -> Any:
        """Return it as plain data."""
        return self._plain
