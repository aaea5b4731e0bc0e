"""Interceptor of every call: refusal while draining, errors, one log line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
import structlog

from .errors import (
    DrainingError,
    ForbiddenError,
    OverloadError,
    Refusal,
    UnauthenticatedError,
    refusal,
)
from .gate import Gate
from .identity import NOBODY, Caller
from .limits import parse_request
from .logs import timestamp

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

HEALTH_CHECK = "/grpc.health.v1.Health/Check"
HEALTH_WATCH = "/grpc.health.v1.Health/Watch"
REFUSALS = (UnauthenticatedError, ForbiddenError, OverloadError)
LOG_SECONDS = 0.1  # longest delay of a log line
STATUS_KEY = "grpc-status-details-bin"

log = structlog.get_logger()


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps the handlers of our services; it is the outermost interceptor.

    Health checks are for everybody, only the number of those that watch is limited; reflection is
    for those who may call at all.

    Args:
        gate: decides who may call what.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._handlers: dict[str, Handler] = {}
        self._num_running = 0
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._is_draining = False
        # Log lines are written in batches: a single write costs as much as a small search.
        self._ended: list[tuple[str, str, float, str, str, float]] = []

    def start_draining(self) -> None:
        """Refuse all calls from now on; running calls continue."""
        self._is_draining = True

    def flush_log(self) -> None:
        """Write the log lines of the calls that have ended."""
        ended, self._ended = self._ended, []
        for method, code, seconds, peer, client, when in ended:
            log.info(
                "call",
                method=method,
                code=code,
                ms=round(seconds * 1000, 2),
                peer=peer,
                client=client,
                timestamp=timestamp(when),
            )

    async def wait_idle(self, seconds: float) -> bool:
        """Wait until no call runs; False if that takes longer than `seconds`."""
        try:
            await asyncio.wait_for(self._is_idle.wait(), max(seconds, 0))
        except TimeoutError:
            return False
        return True

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        """Return the wrapped handler of a method; None if there is no such method."""
        method = handler_call_details.method
        handler = self._handlers.get(method)
        if handler is None:
            handler = await continuation(handler_call_details)
            if handler is None or method == HEALTH_CHECK:
                return handler
            handler = self._handlers[method] = self._wrap(method, handler)
        return handler

    def _wrap(self, method: str, handler: Handler) -> Handler:
        if handler.request_streaming:
            return grpc.stream_stream_rpc_method_handler(
                self._reflection(method, handler.stream_stream),
                request_deserializer=handler.request_deserializer,
                response_serializer=handler.response_serializer,
            )
        if method == HEALTH_WATCH:
            return grpc.unary_stream_rpc_method_handler(
                self._health_watch(method, handler.unary_stream),
                request_deserializer=handler.request_deserializer,
                response_serializer=handler.response_serializer,
            )
        # Without a deserializer, so that callers and requests are checked before they are parsed.
        if handler.response_streaming:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(method, handler.request_deserializer, handler.unary_stream),
                response_serializer=handler.response_serializer,
            )
        return grpc.unary_unary_rpc_method_handler(
            self._unary(method, handler.request_deserializer, handler.unary_unary),
            response_serializer=handler.response_serializer,
        )

    def _unary(self, method: str, read: Any, inner: Any) -> Any:
        async def call(data: bytes, context: Context) -> Any:
            start, caller = self._begin(), NOBODY
            outcome = "OK"
            try:
                self._check_open()
                caller = self._gate.identify(context)
                self._gate.check(caller, method)
                return await inner(parse_request(method, read, data), context)
            except asyncio.CancelledError:
                outcome = _why_cancelled(context)
                raise
            except Exception as error:
                answer = _refusal(error, method)
                outcome = answer.code.name
            finally:
                self._end(method, start, outcome, caller, context)
            abort = _abort(context, answer)
            # gRPC keeps the exception of `abort` in the context. This frame is part of its
            # traceback, and would make a cycle that keeps the request in memory.
            del data, context
            return await abort

        return call

    def _stream(self, method: str, read: Any, inner: Any) -> Any:
        async def call(data: bytes, context: Context) -> None:
            start, caller = self._begin(), NOBODY
            outcome = "OK"
            try:
                self._check_open()
                caller = self._gate.identify(context)
                self._gate.check(caller, method)
                request = parse_request(method, read, data)
                # Closed at once when the caller disconnects, which ends the search.
                with self._gate.stream(caller):
                    async with aclosing(inner(request, context)) as answers:
                        async for answer in answers:
                            await context.write(answer)
                return
            except asyncio.CancelledError:
                outcome = _why_cancelled(context)
                raise
            except Exception as error:
                refused = _refusal(error, method)
                outcome = refused.code.name
            finally:
                self._end(method, start, outcome, caller, context)
            abort = _abort(context, refused)
            del data, context  # as above
            await abort

        return call

    def _reflection(self, method: str, inner: Any) -> Any:
        async def call(requests: Any, context: Context) -> None:
            try:
                caller = self._gate.identify(context)
                self._gate.check(caller, method)
                with self._gate.stream(caller):
                    async for answer in inner(requests, context):
                        await context.write(answer)
            except REFUSALS as error:
                await _abort(context, _refusal(error, method))

        return call

    def _health_watch(self, method: str, inner: Any) -> Any:
        async def call(request: Any, context: Context) -> None:
            try:
                with self._gate.stream(self._gate.passer_by(context)):
                    await inner(request, context)
            except REFUSALS as error:
                await _abort(context, _refusal(error, method))

        return call

    def _check_open(self) -> None:
        if self._is_draining:
            raise DrainingError("the server shuts down and takes no new calls")

    def _begin(self) -> float:
        self._num_running += 1
        self._is_idle.clear()
        return time.perf_counter()

    def _end(
        self, method: str, start: float, outcome: str, caller: Caller, context: Context
    ) -> None:
        self._num_running -= 1
        if not self._num_running:
            self._is_idle.set()
        if not self._ended:
            asyncio.get_running_loop().call_later(LOG_SECONDS, self.flush_log)
        seconds = time.perf_counter() - start
        peer = context.peer()
        self._ended.append((method, outcome, seconds, peer, caller.client, time.time()))


def _refusal(error: Exception, method: str) -> Refusal:
    """Map an error to an answer; details of an internal error go only to the log."""
    answer = refusal(error)
    if answer.code is grpc.StatusCode.INTERNAL:
        log.error("fault", method=method, exc_info=error)
    return answer


def _abort(context: Context, refused: Refusal) -> Awaitable[None]:
    """Begin to answer with an error; to be awaited."""
    return context.abort(refused.code, refused.message, ((STATUS_KEY, refused.trailer),))


def _why_cancelled(context: Context) -> str:
    remaining: float | None = context.time_remaining()
    return "DEADLINE_EXCEEDED" if remaining is not None and remaining <= 0 else "CANCELLED"
