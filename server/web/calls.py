"""Every method of our services as an endpoint of the Connect library, made from the descriptors.

The endpoints call the handlers of the gRPC server through the interceptors of the gRPC server.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial
from typing import Any

import grpc
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass

from .codecs import BinaryCodec, JsonCodec, JsonRequest
from .context import WebContext
from .unread import UnreadRequest, UnreadRequests

Handler = grpc.RpcMethodHandler
Data = bytes | JsonRequest | UnreadRequest
Find = Callable[[grpc.HandlerCallDetails], Awaitable["Handler[Any, Any] | None"]]


@dataclass(slots=True)
class Call:
    """What gRPC tells interceptors of a call."""

    method: str
    invocation_metadata: tuple[tuple[str, str | bytes], ...]


class Calls(ConnectASGIApplication[None]):
    """The methods of some services over HTTP.

    Args:
        services: their full names.
        handlers: of the gRPC server, in its order.
        interceptors: of the gRPC server, the outermost first.
        max_bytes: size limit of a request.

    Attributes:
        paths: of all methods.
        streams: those of methods that answer with a stream.
    """

    path = ""

    def __init__(
        self,
        services: Iterable[str],
        handlers: Sequence[grpc.GenericRpcHandler],
        interceptors: Sequence[grpc.aio.ServerInterceptor],
        max_bytes: int,
    ) -> None:
        self._find: Find = partial(_find, handlers)
        for interceptor in reversed(interceptors):
            self._find = partial(interceptor.intercept_service, self._find)
        methods = [
            method
            for service in services
            for method in Default().FindServiceByName(service).methods
        ]
        endpoints = {_path(method): self._endpoint(method) for method in methods}
        super().__init__(
            service=None,
            endpoints=lambda _: endpoints,
            interceptors=[UnreadRequests(self.refuse)],
            read_max_bytes=max_bytes,
            codecs=[BinaryCodec(), JsonCodec()],
        )
        self.paths = frozenset(endpoints)
        self.streams = frozenset(_path(each) for each in methods if each.server_streaming)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request; the library expects headers in UTF-8, HTTP allows any bytes."""
        if not all(value.isascii() for _, value in scope["headers"]):
            headers = [(name, _in_utf8(value)) for name, value in scope["headers"]]
            scope = {**scope, "headers": headers}
        await super().__call__(scope, receive, send)

    def _endpoint(self, method: MethodDescriptor) -> Any:
        path = _path(method)

        # The interceptor checks the size and reads the message, as it does over gRPC.
        async def unary(data: Data, call: RequestContext[Any, Any]) -> Any:
            context = WebContext(call)
            handler = await self._handler(path, context)
            return await handler.unary_unary(data, context)

        async def stream(data: Data, call: RequestContext[Any, Any]) -> AsyncGenerator[Any]:
            context = WebContext(call)
            handler = await self._handler(path, context)
            async with aclosing(handler.unary_stream(data, context)) as messages:
                async for message in messages:
                    yield message

        if method.server_streaming:
            return Endpoint.server_stream(_info(method, StreamType.SERVER_STREAM), stream)
        return Endpoint.unary(_info(method, StreamType.UNARY), unary)

    async def refuse(self, path: str, error: Exception, context: Any) -> None:
        """Refuse a request by the interceptors, which end it with `abort`.

        Args:
            path: of the call; it may be none.
            error: why, unless the caller may not know.
            context: of the call.
        """
        data = UnreadRequest(error)
        handler = await self._handler(path, context)
        if path not in self.paths:
            await anext(handler.stream_stream(data, context))
        elif path in self.streams:
            await anext(handler.unary_stream(data, context))
        else:
            await handler.unary_unary(data, context)

    async def _handler(self, path: str, context: Any) -> Any:
        return await self._find(Call(path, context.invocation_metadata()))


async def _find(
    handlers: Sequence[grpc.GenericRpcHandler], call: grpc.HandlerCallDetails
) -> Handler[Any, Any] | None:
    """Return the handler of a method; None if there is none."""
    found = (each.service(call) for each in handlers)
    return next((handler for handler in found if handler is not None), None)


def _in_utf8(header: bytes) -> bytes:
    """Return a header in UTF-8; what is not is Latin-1, as it was for long."""
    try:
        header.decode()
    except UnicodeDecodeError:
        return header.decode("latin-1").encode()
    return header


def _path(method: MethodDescriptor) -> str:
    return f"/{method.containing_service.full_name}/{method.name}"


def _info(method: MethodDescriptor, kind: StreamType) -> MethodInfo[Any, Any]:
    return MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kind,
    )
