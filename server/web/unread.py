"""Refusals of requests that the Connect library can't read, by the interceptor of all calls.

The library reads a request before it calls an endpoint. What it refuses by itself would be in no
log, metric or quota.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from connectrpc.code import Code
from connectrpc.errors import ConnectError
from connectrpc.interceptor import MetadataInterceptor
from connectrpc.request import RequestContext

from ..errors import MalformedRequestError, RequestTooLargeError, UnsupportedRequestError
from ..telemetry.calls import CALL
from .context import WebContext

ERRORS = {
    Code.RESOURCE_EXHAUSTED: RequestTooLargeError,
    Code.INVALID_ARGUMENT: MalformedRequestError,
    Code.INTERNAL: MalformedRequestError,  # compressed, but its header does not say how
    Code.UNIMPLEMENTED: UnsupportedRequestError,
}
"""By the code of the library; others are no refusals."""


@dataclass(frozen=True, slots=True)
class UnreadRequest:
    """A request that can't be read.

    Attributes:
        error: why.
    """

    error: Exception

    def __len__(self) -> int:
        """Return zero, as none of it is kept."""
        return 0

    def message(self) -> NoReturn:
        """Raise the error."""
        raise self.error


class UnreadRequests(MetadataInterceptor[None]):
    """Refuses unread requests as if they had arrived.

    Args:
        refuse: ends a call, by its path, with an error.
    """

    def __init__(self, refuse: Callable[[str, Exception, WebContext], Awaitable[None]]) -> None:
        self._refuse = refuse

    async def on_start(self, ctx: RequestContext[Any, Any]) -> None:
        """Forget the earlier call of the connection."""
        CALL.set(None)

    async def on_end(
        self, token: None, ctx: RequestContext[Any, Any], error: Exception | None, /
    ) -> None:
        """Replace an error from before the call.

        Raises:
            ConnectError: the interceptor's.
        """
        if CALL.get() is None and isinstance(error, ConnectError) and error.code in ERRORS:
            path = f"/{ctx.method.service_name}/{ctx.method.name}"
            await self._refuse(path, ERRORS[error.code](error.message), WebContext(ctx))
