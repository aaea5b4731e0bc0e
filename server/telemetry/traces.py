"""A span for each call, by the API of OpenTelemetry.

Without that package, or as long as nobody has set a provider of traces, there are none, and calls
pay nothing. The trace of a caller goes on here (`traceparent`).
"""

from __future__ import annotations

from ..identity import Headers
from .calls import Call

try:
    from opentelemetry import propagate, trace
except ModuleNotFoundError:  # the extra `tracing` is not installed
    HAS_API = False
else:
    HAS_API = True

# Of a server, by the semantic conventions of OpenTelemetry; others are mistakes of the caller.
FAULTS = frozenset(
    {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}
)


class Traces:
    """Writes spans with the provider that was set when it was made.

    Attributes:
        are_written: whether there is one.
    """

    def __init__(self) -> None:
        self._tracer: trace.Tracer | None = None
        if HAS_API:
            provider = trace.get_tracer_provider()
            if not isinstance(provider, trace.ProxyTracerProvider | trace.NoOpTracerProvider):
                self._tracer = provider.get_tracer("kingmaker")
        self.are_written = self._tracer is not None

    def begin(self, call: Call, headers: Headers) -> None:
        """Begin the span of a call."""
        if self._tracer is None:
            return
        carrier = {key: value for key, value in headers if isinstance(value, str)}
        span = self._tracer.start_span(
            call.method.removeprefix("/"),
            context=propagate.extract(carrier),
            kind=trace.SpanKind.SERVER,
        )
        if span.is_recording():
            call.span = span

    def end(self, call: Call) -> None:
        """End the span of a call with what is known of it now."""
        span = call.span
        if span is None:
            return
        span.set_attributes(
            {
                "rpc.system.name": "grpc",
                "rpc.method": call.method.removeprefix("/"),
                "rpc.response.status_code": call.code,
                "kingmaker.request_id": call.request_id,
            }
        )
        if call.game:
            span.set_attributes(
                {
                    "kingmaker.game": call.game,
                    "kingmaker.engine": call.engine,
                    "kingmaker.simulations": call.simulations,
                    "kingmaker.wait_seconds": call.waited,
                }
            )
        if call.code in FAULTS:
            span.set_status(trace.Status(trace.StatusCode.ERROR, call.code))
        span.end()


def trace_id(call: Call) -> str | None:
    """Return the id of the trace of a call, for its log line; None: it is not traced."""
    if call.span is None:
        return None
    return trace.format_trace_id(call.span.get_span_context().trace_id)
