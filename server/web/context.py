"""A call over HTTP as our handlers and interceptors see it: the part of gRPC's context they use."""

from __future__ import annotations

from typing import Any, NoReturn

import grpc
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.request import RequestContext
from google.protobuf.descriptor_pool import Default
from google.protobuf.json_format import MessageToJson
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from protobuf.wkt import Any as AnyMessage
from protobuf.wkt import Struct

from ..identity import peer_of
from ..interceptor import STATUS_KEY
from ..telemetry.calls import REQUEST_ID_KEY

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

    def peer(self) -> str:
        """Return the address of the client, written as gRPC does."""
        host, _, port = (self._call.client_address or "").rpartition(":")
        return peer_of(host, port)

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
        trailing_metadata: tuple[tuple[str, Any], ...] = (),
    ) -> NoReturn:
        """End the call with an error; its `google.rpc` details are in the trailing metadata."""
        trailers = dict(trailing_metadata)
        if REQUEST_ID_KEY in trailers:
            self._call.response_headers[REQUEST_ID_KEY] = trailers[REQUEST_ID_KEY]
        status = status_pb2.Status.FromString(trailers.get(STATUS_KEY, b""))
        if seconds := retry_after(status):
            self._call.response_headers["retry-after"] = seconds
        raise ConnectError(
            CODES[code], details, [_Detail(each) for each in status.details]
        ) from None


def retry_after(status: status_pb2.Status) -> str:
    """Return the header of the same name of a refused call, in whole seconds; "": it has none."""
    retry = error_details_pb2.RetryInfo()
    for detail in status.details:
        if detail.Unpack(retry):
            return str(retry.retry_delay.ToMilliseconds() // 1000 + 1)
    return ""


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
