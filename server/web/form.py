"""The form of a request over HTTP, its method and headers, and what is wrong with it.

The Connect library refuses a wrong form too, but with an empty body, or without what is right.
"""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from kingmaker.cext.errors import quoted, shown

UNARY_TYPES = ("application/json", "application/proto")
STREAM_TYPES = ("application/connect+json", "application/connect+proto")
WEB_TYPES = tuple(f"application/grpc-web{codec}" for codec in ("", "+proto", "+json"))
PAGE = "docs/matches.md"
MAX_DIGITS = 10  # of a time, by the protocol


def form_fault(path: str, method: str, headers: Headers, *, is_stream: bool) -> JSONResponse | None:
    """Refuse a request for a call that the call does not take; None: its form is right.

    Args:
        path: of the call.
        method: of HTTP.
        headers: of the request.
        is_stream: whether the call answers with a stream.
    """
    name = path.rpartition("/")[2]
    right = STREAM_TYPES if is_stream else UNARY_TYPES
    what = f"{name} is a stream" if is_stream else f"{name} has one answer"
    if method != "POST":
        message = f"{what}: POST it as {right[0]}; got {shown(method)}; see {PAGE}"
        return _refused("unimplemented", message, HTTPStatus.METHOD_NOT_ALLOWED, {"allow": "POST"})
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    if given in right:
        return _time_fault(headers.get("connect-timeout-ms", ""))
    if given in WEB_TYPES:
        return None
    got = f"got {shown(given)}" if given else "there is no content type"
    return _refused(
        "invalid_argument",
        f"{what}: send {right[0]}; {got}; see {PAGE}",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        {"accept-post": ", ".join(right)},
    )


def _time_fault(text: str) -> JSONResponse | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    if is_number or not text:
        return None
    return _refused(
        "invalid_argument",
        f"connect-timeout-ms is {quoted(text)}; it must be a whole number of milliseconds with at "
        f"most {MAX_DIGITS} digits, such as 5000",
        HTTPStatus.BAD_REQUEST,
    )


def _refused(
    code: str, message: str, status: HTTPStatus, headers: dict[str, str] | None = None
) -> JSONResponse:
    return JSONResponse({"code": code, "message": message}, status, headers)
