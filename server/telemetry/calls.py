"""The record of a running call, for its log lines, its metrics, its span and its error.

Every call has an id. A caller may choose it (`x-request-id`), so that one id follows a request
through all the programs that it passes.
"""

from __future__ import annotations

import re
import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import getrandbits
from typing import TYPE_CHECKING

from ..identity import NOBODY, Caller, Headers

if TYPE_CHECKING:
    from opentelemetry.trace import Span

REQUEST_ID_KEY = "x-request-id"
ID_BITS = 64
WELL_FORMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,63}", re.ASCII)


@dataclass(slots=True)
class Call:
    """A call.

    Attributes:
        method: `/package.Service/Method`.
        request_id: of the caller, or a new one.
        peer: address of the connection.
        caller: its identity, once that is known.
        code: name of the gRPC code that it ends with.
        reason: of its refusal, as in `ErrorInfo`; empty: it was not refused.
        limit: that a refusal met, where the server is busy.
        game: of its search; empty: it has not searched.
        engine: of its search.
        simulations: of its search.
        waited: seconds that its search waited for slots.
        seconds: that it took, at its end.
        span: of its trace; None: it is not traced.
        start: time of its begin, of `time.perf_counter`.
    """

    method: str
    request_id: str
    peer: str
    caller: Caller = NOBODY
    code: str = "OK"
    reason: str = ""
    limit: str = ""
    game: str = ""
    engine: str = ""
    simulations: int = 0
    waited: float = 0.0
    seconds: float = 0.0
    span: Span | None = None
    start: float = field(default_factory=time.perf_counter)


CALL: ContextVar[Call | None] = ContextVar("call", default=None)
"""The running call; None outside of calls. What a call has begun keeps it, even after its end."""


def request_id_of(headers: Headers) -> str:
    """Return the id that the caller gave, if it is well-formed, or else a new one."""
    for key, value in headers:
        if key == REQUEST_ID_KEY and isinstance(value, str) and WELL_FORMED.fullmatch(value):
            return value
    return f"{getrandbits(ID_BITS):016x}"
