"""The form of a request over HTTP, its method and headers, and what is wrong with it.

The Connect library refuses a wrong form too, but with an empty body, or without what is right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from connectrpc.code import Code
from starlette.datastructures import Headers

from kingmaker.cext.errors import closest, quoted, shown

UNARY_TYPES = ("application/json", "application/proto")
STREAM_TYPES = ("application/connect+json", "application/connect+proto")
WEB_TYPES = tuple(f"application/grpc-web{codec}" for codec in ("", "+proto", "+json"))
PAGE = "docs/matches.md"
MAX_DIGITS = 10  # of a time, by the protocol


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the form of a request.

    Attributes:
        code: of the answer.
        message: of the answer.
        status: of HTTP.
        headers: of the answer.
    """

    code: Code
    message: str
    status: HTTPStatus
    headers: Mapping[str, str] = field(default_factory=dict)


def no_call(path: str, paths: Collection[str]) -> Fault:
    """Describe a path that is none of some calls."""
    names = {each.rpartition("/")[2]: each for each in paths}
    likely = closest(path, paths) or names.get(closest(path.rpartition("/")[2], names), "")
    meant = f"; did you mean {likely}?" if likely else "; /openapi.json has all calls"
    message = f"there is no call {shown(path)}{meant}"
    return Fault(Code.UNIMPLEMENTED, message, HTTPStatus.NOT_FOUND)


def form_fault(path: str, method: str, headers: Headers, *, is_stream: bool) -> Fault | None:
    """Find out why a call does not take a request; None: its form is right.

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
        return Fault(Code.UNIMPLEMENTED, message, HTTPStatus.METHOD_NOT_ALLOWED, {"allow": "POST"})
    given = headers.get("content-type", "").partition(";")[0].strip().lower()
    if given in right:
        return _time_fault(headers.get("connect-timeout-ms", ""))
    if given in WEB_TYPES:
        return None
    got = f"got {shown(given)}" if given else "there is no content type"
    return Fault(
        Code.INVALID_ARGUMENT,
        f"{what}: send {right[0]}; {got}; see {PAGE}",
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        {"accept-post": ", ".join(right)},
    )


def _time_fault(text: str) -> Fault | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS
    if is_number or not text:
        return None
    return Fault(
        Code.INVALID_ARGUMENT,
        f"connect-timeout-ms is {quoted(text)}; it must be a whole number of milliseconds with at "
        f"most {MAX_DIGITS} digits, such as 5000",
        HTTPStatus.BAD_REQUEST,
    )
