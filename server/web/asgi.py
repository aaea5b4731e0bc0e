"""A request that no endpoint of the Connect library answers, as our interceptors see it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NoReturn

import grpc
from connectrpc.code import Code
from google.rpc import status_pb2
from starlette.requests import Request
from starlette.responses import JSONResponse

from ..identity import peer_of
from ..interceptor import STATUS_KEY
from ..telemetry.calls import REQUEST_ID_KEY
from .context import CODES, retry_after

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

HTTP_STATUS = {
    Code.UNAUTHENTICATED: 401,
    Code.PERMISSION_DENIED: 403,
    Code.RESOURCE_EXHAUSTED: 429,
    Code.UNAVAILABLE: 503,
}
"""Of refusals; others are 400, faults of the server 500."""


class AsgiContext:
    """What interceptors use of gRPC's context.

    Attributes:
        request: of HTTP.
        status: of the answer; None: it has not begun.
        is_answered: whether the answer is complete.
    """

    def __init__(self, request: Request, send: Send) -> None:
        self.request, self._send = request, send
        self.status: int | None = None
        self.is_answered = False

    async def send(self, message: Any) -> None:
        """Send a part of the answer."""
        self.status = message.get("status", self.status)
        if message["type"] == "http.response.body":
            self.is_answered = not message.get("more_body")
        await self._send(message)

    def peer(self) -> str:
        """Return the address of the client, written as gRPC does."""
        return peer_of(*self.request.client or ("", 0))

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        """Return the headers of the request."""
        return tuple(self.request.headers.items())

    def auth_context(self) -> dict[str, list[bytes]]:
        """Return what TLS knows of the client: nothing."""
        return {}

    def time_remaining(self) -> float | None:
        """Return the seconds up to the deadline: there is none."""
        return None

    async def abort(
        self,
        code: grpc.StatusCode,
        details: str = "",
        trailing_metadata: tuple[tuple[str, Any], ...] = (),
    ) -> NoReturn:
        """End the request with an error."""
        raise RefusedError(CODES[code], details, dict(trailing_metadata)) from None


class RefusedError(Exception):
    """A refusal by the interceptors.

    Attributes:
        code: of the answer.
    """

    def __init__(self, code: Code, message: str, trailers: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.code = code
        self._trailers = trailers

    @property
    def headers(self) -> dict[str, str]:
        """Those of the answer."""
        found = {}
        if REQUEST_ID_KEY in self._trailers:
            found[REQUEST_ID_KEY] = self._trailers[REQUEST_ID_KEY]
        if self.code is Code.UNAUTHENTICATED:
            found["www-authenticate"] = "Bearer"
        status = status_pb2.Status.FromString(self._trailers.get(STATUS_KEY, b""))
        if seconds := retry_after(status):
            found["retry-after"] = seconds
        return found

    def answer(self) -> JSONResponse:
        """Return the refusal as an HTTP answer."""
        fault = 500 if self.code is Code.INTERNAL else 400
        body = {"code": self.code.value, "message": str(self)}
        return JSONResponse(body, HTTP_STATUS.get(self.code, fault), self.headers)
