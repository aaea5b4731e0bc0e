"""Interceptor of every call: refusal while draining, errors, one log line, metrics, a span."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from typing import Any, TypeAlias

import grpc
import structlog

from kingmaker.cext.errors import shown
from kingmaker.ladder.errors import StoreError

from .deadlines import Deadline
from .errors import (
    DrainingError,
    ForbiddenError,
    MalformedRequestError,
    OverloadError,
    Refusal,
    RequestTooLargeError,
    UnauthenticatedError,
    UnsupportedRequestError,
    refusal,
)
from .gate import Gate
from .identity import Context, Headers
from .limits import TextRequest, parse_request, read_text_request
from .logs import timestamp
from .telemetry.calls import CALL, REQUEST_ID_KEY, Call, request_id_of
from .telemetry.metrics import UNKNOWN, MethodMetrics, Metrics
from .telemetry.traces import Traces, trace_id

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"

HEALTH_CHECKS = ("/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/List")
HEALTH_WATCH = "/grpc.health.v1.Health/Watch"
REFUSALS = (
    *(UnauthenticatedError, ForbiddenError, OverloadError),
    *(RequestTooLargeError, MalformedRequestError),
)
LOG_SECONDS = 0.1  # longest delay of a log line
STATUS_KEY = "grpc-status-details-bin"

log = structlog.get_logger()


class Intercepted(grpc.GenericRpcHandler):
    """Finds the wrapped handlers of methods.

    As `grpc.aio` does with interceptors, but that makes two coroutines to find one in each call.

    Args:
        interceptor: that wraps them.
        handlers: to find them with.
    """

    def __init__(
        self, interceptor: CallInterceptor, handlers: Sequence[grpc.GenericRpcHandler]
    ) -> None:
        self._wrapped = interceptor.handlers
        self._wrap = interceptor.wrapped
        self._handlers = handlers

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        """Return the wrapped handler of a method, also of one that does not exist."""
        method = handler_call_details.method
        handler = self._wrapped.get(method)
        if handler is None:
            found = (each.service(handler_call_details) for each in self._handlers)
            first = next((each for each in found if each is not None), None)
            handler = self._wrap(method, first)
        return handler


class CallInterceptor(grpc.aio.ServerInterceptor):
    """Wraps the handlers of our services; interceptors of others may stand outside of it.

    Health checks are for everybody, only the number of those that watch is limited; reflection is
    for those who may call at all.

    Args:
        gate: decides who may call what.
        metrics: of the server.
        traces: of the server.

    Attributes:
        handlers: of the methods that were called, wrapped.
    """

    def __init__(self, gate: Gate, metrics: Metrics, traces: Traces) -> None:
        self._gate = gate
        self._metrics = metrics
        self._traces = traces
        self.handlers: dict[str, Handler] = {}
        self._num_running = 0
        self._idle: asyncio.Event | None = None  # for which `wait_idle` waits
        self._is_draining = False
        self._last_begin = 0.0
        # Log lines are written in batches: a single write costs as much as a small search.
        self._ended: list[tuple[Call, float]] = []

    def start_draining(self) -> None:
        """Refuse all calls from now on; running calls continue."""
        self._is_draining = True

    def flush_log(self) -> None:
        """Write the log lines of the calls that have ended."""
        ended, self._ended = self._ended, []
        write = log.bind().info
        for call, when in ended:
            more = {"reason": call.reason, "limit": call.limit, "trace": trace_id(call)}
            write(
                "call",
                method=call.method,
                code=call.code,
                ms=round(call.seconds * 1000, 2),
                peer=call.peer,
                client=call.caller.client,
                request=call.request_id,
                timestamp=timestamp(when),
                **{name: value for name, value in more.items() if value},
            )

    async def wait_idle(self, seconds: float) -> bool:
        """Wait until no call runs; False if that takes longer than `seconds`."""
        if not self._num_running:
            return True
        self._idle = asyncio.Event()
        try:
            await asyncio.wait_for(self._idle.wait(), max(seconds, 0))
        except TimeoutError:
            return False
        return True

    async def wait_quiet(self, seconds: float, limit: float) -> None:
        """Wait until no call has come for so many seconds, from now on, but not beyond a limit."""
        start = now = time.perf_counter()
        while (rest := max(start, self._last_begin) + seconds - now) > 0 and now < start + limit:
            await asyncio.sleep(min(rest, start + limit - now))
            now = time.perf_counter()

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Return the wrapped handler of a method, also of one that does not exist."""
        method = handler_call_details.method
        handler = self.handlers.get(method)
        return handler or self.wrapped(method, await continuation(handler_call_details))

    def wrapped(self, method: str, handler: Handler | None) -> Handler:
        """Return a handler, wrapped for all calls of its method; None: there is no such method."""
        if handler is None:  # kept for one call, as callers could name methods without end
            return grpc.stream_stream_rpc_method_handler(self._no_method(shown(method)))
        return self.handlers.setdefault(method, self._wrap(method, handler))

    def _wrap(self, method: str, handler: Handler) -> Handler:
        if handler.request_streaming:
            return grpc.stream_stream_rpc_method_handler(
                self._reflection(method, handler.stream_stream),
                request_deserializer=handler.request_deserializer,
                response_serializer=handler.response_serializer,
            )
        # Without a deserializer, so that callers and requests are checked before they are parsed.
        if method in HEALTH_CHECKS:
            return grpc.unary_unary_rpc_method_handler(
                self._health_check(method, handler.request_deserializer, handler.unary_unary),
                response_serializer=handler.response_serializer,
            )
        if method == HEALTH_WATCH:
            return grpc.unary_stream_rpc_method_handler(
                self._health_watch(method, handler.request_deserializer, handler.unary_stream),
                response_serializer=handler.response_serializer,
            )
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
        metrics = self._metrics.of_method(method)

        async def handle(data: bytes | TextRequest, context: Context) -> Any:
            headers = context.invocation_metadata() or ()
            call = self._begin(method, metrics, headers, context)
            deadline = Deadline(context)
            try:
                self._check(call, headers, context)
                if isinstance(data, bytes):
                    request = parse_request(method, read, data)
                else:
                    request = await read_text_request(method, data)
                return await inner(request, context)
            except asyncio.CancelledError:
                call.code = _why_cancelled(deadline)
                raise
            except Exception as error:
                refused = self._refuse(call, error)
            finally:
                self._end(call, metrics)
            abort = _abort(context, refused, call.request_id)
            # gRPC keeps the exception of `abort` in the context. This frame is part of its
            # traceback, and would make a cycle that keeps the request in memory.
            del data, context
            return await abort

        return handle

    # A generator, not a coroutine that writes to the context: what others' interceptors expect.
    def _stream(self, method: str, read: Any, inner: Any) -> Any:
        metrics = self._metrics.of_method(method)

        async def handle(data: bytes | TextRequest, context: Context) -> AsyncGenerator[Any]:
            headers = context.invocation_metadata() or ()
            call = self._begin(method, metrics, headers, context)
            deadline = Deadline(context)
            try:
                self._check(call, headers, context)
                if isinstance(data, bytes):
                    request = parse_request(method, read, data)
                else:
                    request = await read_text_request(method, data)
                # Closed at once when the caller disconnects, which ends the search.
                with self._gate.stream(call.caller):
                    async with aclosing(inner(request, context)) as answers:
                        async for answer in answers:
                            yield answer
                return
            except (asyncio.CancelledError, GeneratorExit):
                call.code = _why_cancelled(deadline)
                raise
            except Exception as error:
                refused = self._refuse(call, error)
            finally:
                self._end(call, metrics)
            abort = _abort(context, refused, call.request_id)
            del data, context  # as above
            await abort

        return handle

    def _reflection(self, method: str, inner: Any) -> Any:
        async def handle(requests: Any, context: Context) -> AsyncGenerator[Any]:
            try:
                caller = self._gate.identify(
                    context, context.invocation_metadata() or (), str(context.peer())
                )
                self._gate.check(caller, method)
                with self._gate.stream(caller):
                    async for answer in inner(requests, context):
                        yield answer
            except REFUSALS as error:
                await _abort(context, refusal(error))

        return handle

    def _no_method(self, method: str) -> Any:
        """Refuse a call to a method that does not exist, whatever it sends."""

        async def handle(_: Any, context: Context) -> AsyncGenerator[Any]:
            headers = context.invocation_metadata() or ()
            metrics = self._metrics.of_method(UNKNOWN)
            # Not its name, in which a caller may have put a secret: logs are read by others.
            call = self._begin(UNKNOWN, metrics, headers, context)
            try:
                self._identify(call, headers, context)
                raise UnsupportedRequestError(f"there is no call {method}")
            except Exception as error:
                refused = self._refuse(call, error)
            finally:
                self._end(call, metrics)
            await _abort(context, refused, call.request_id)
            yield  # never: of the same kind as the other handlers of streams

        return handle

    # Probes come all the time, so they are neither logged nor counted, and hold up no drain.
    def _health_check(self, method: str, read: Any, inner: Any) -> Any:
        async def handle(data: bytes, context: Context) -> Any:
            try:
                return await inner(parse_request(method, read, data), context)
            except REFUSALS as error:
                refused = refusal(error)
            abort = _abort(context, refused)
            del data, context  # as above
            return await abort

        return handle

    def _health_watch(self, method: str, read: Any, inner: Any) -> Any:
        async def handle(data: bytes, context: Context) -> AsyncGenerator[Any]:
            try:
                request = parse_request(method, read, data)
                with self._gate.health_stream(context):
                    async with aclosing(inner(request, context)) as answers:
                        async for answer in answers:
                            yield answer
                return
            except REFUSALS as error:
                refused = refusal(error)
            abort = _abort(context, refused)
            del data, context  # as above
            await abort

        return handle

    def _begin(
        self, method: str, metrics: MethodMetrics, headers: Headers, context: Context
    ) -> Call:
        """Count a call, and make it known as `CALL`."""
        self._num_running += 1
        call = Call(method, request_id_of(headers), str(context.peer()))
        CALL.set(call)
        self._last_begin = call.start
        metrics.begin()
        if self._traces.are_written and method in self.handlers:  # no name that a caller chose
            self._traces.begin(call, headers)
        return call

    def _check(self, call: Call, headers: Headers, context: Context) -> None:
        """Find out who calls, and check that they may."""
        self._identify(call, headers, context)
        self._gate.check(call.caller, call.method)

    def _identify(self, call: Call, headers: Headers, context: Context) -> None:
        """Find out who calls, unless the server takes no new calls."""
        if self._is_draining:
            raise DrainingError("the server shuts down and takes no new calls")
        call.caller = self._gate.identify(context, headers, call.peer)

    def _refuse(self, call: Call, error: Exception) -> Refusal:
        """Map an error to an answer; details of an internal error go only to the log."""
        answer = refusal(error, call.request_id)
        call.code, call.reason = answer.code.name, answer.reason
        call.limit = error.limit if isinstance(error, OverloadError) else ""
        self._metrics.refused(answer.reason, call.limit)
        if answer.code is grpc.StatusCode.INTERNAL:
            log.error("fault", method=call.method, exc_info=error)
        elif isinstance(error, StoreError):  # of which callers are told less
            log.warning("database failed", method=call.method, why=str(error))
        return answer

    def _end(self, call: Call, metrics: MethodMetrics) -> None:
        self._num_running -= 1
        if self._idle is not None and not self._num_running:
            self._idle.set()
        if not self._ended:
            asyncio.get_running_loop().call_later(LOG_SECONDS, self.flush_log)
        call.seconds = time.perf_counter() - call.start
        metrics.end(call.code, call.seconds)
        if call.span is not None:
            self._traces.end(call)
        self._ended.append((call, time.time()))


def _abort(context: Context, refused: Refusal, request_id: str = "") -> Awaitable[None]:
    """Begin to answer with an error; to be awaited."""
    trailers: list[tuple[str, str | bytes]] = [(STATUS_KEY, refused.trailer)]
    if request_id:
        trailers.append((REQUEST_ID_KEY, request_id))
    return context.abort(refused.code, refused.message, tuple(trailers))


def _why_cancelled(deadline: Deadline) -> str:
    return "DEADLINE_EXCEEDED" if deadline.has_passed() else "CANCELLED"
