"""Spans of calls, the trace of the caller, and interceptors of others around ours."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from opentelemetry import trace
from opentelemetry.instrumentation.grpc import GrpcAioInstrumentorServer
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from kingmaker.server.telemetry.calls import Call
from kingmaker.server.telemetry.traces import Traces, trace_id
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb

from .support import (
    KINGDOM,
    Service,
    failure_of,
    midgame,
    observation_of,
    seconds,
    serving,
    simulations,
    until,
)
from .web_client import post

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
METADATA = [("traceparent", f"00-{TRACE}-{PARENT}-01"), ("x-request-id", "mine")]
SELECT = "kingmaker.v1.AnalysisService/SelectMove"


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemorySpanExporter]:
    """What the servers of a test write."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    yield exporter
    provider.shutdown()


def ours(spans: InMemorySpanExporter) -> list[ReadableSpan]:
    scopes = ((span, span.instrumentation_scope) for span in spans.get_finished_spans())
    return [span for span, scope in scopes if scope is not None and scope.name == "kingmaker"]


def search(budget: Any) -> pb.Search:
    return pb.Search(observation=observation_of(midgame()), budget=budget)


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


async def test_a_call_has_a_span_within_the_trace_of_the_caller(
    spans: InMemorySpanExporter,
) -> None:
    async with serving(slots=2) as service:
        request = pb.SelectMoveRequest(search=search(simulations(300)))
        await service.analysis.SelectMove(request, metadata=METADATA)
        await until(lambda: bool(ours(spans)))
    [span] = ours(spans)
    assert (span.name, span.kind) == (SELECT, SpanKind.SERVER)
    assert span.context is not None
    assert span.parent is not None
    assert trace.format_trace_id(span.context.trace_id) == TRACE
    assert trace.format_span_id(span.parent.span_id) == PARENT
    found = attributes(span)
    assert found.pop("kingmaker.wait_seconds") >= 0
    assert found == {
        "rpc.system.name": "grpc",
        "rpc.method": SELECT,
        "rpc.response.status_code": "OK",
        "kingmaker.request_id": "mine",
        "kingmaker.game": KINGDOM,
        "kingmaker.engine": "ismcts",
        "kingmaker.simulations": 300,
    }


async def test_spans_of_failed_calls_have_their_code(spans: InMemorySpanExporter) -> None:
    async with serving(slots=2, web="127.0.0.1:0") as service:
        await failure_of(service.games.StartGame(games_pb.StartGameRequest(game="chess")))
        other = {"game": "go"}
        url = str(service.server.url)
        await post(url, "GameService/StartGame", other, traceparent=METADATA[0][1])
        await until(lambda: len(ours(spans)) == 2)
    grpc_span, http_span = ours(spans)
    codes = [attributes(span)["rpc.response.status_code"] for span in (grpc_span, http_span)]
    assert codes == ["NOT_FOUND", "NOT_FOUND"]
    assert grpc_span.status.status_code is StatusCode.UNSET  # the caller's mistake
    assert http_span.parent is not None
    assert trace.format_trace_id(http_span.parent.trace_id) == TRACE


async def test_the_span_of_a_stream_lasts_as_long(spans: InMemorySpanExporter) -> None:
    async with serving(slots=2) as service:
        request = pb.AnalyzeRequest(search=search(seconds(0.3)))
        last = [answer async for answer in service.analysis.Analyze(request)][-1]
        await until(lambda: bool(ours(spans)))
    [span] = ours(spans)
    assert attributes(span)["kingmaker.simulations"] == last.report.simulations
    assert span.end_time is not None
    assert span.start_time is not None
    assert span.end_time - span.start_time > 0.25e9


def test_without_a_provider_there_are_no_spans() -> None:
    traces, call = Traces(), Call("/a/b", "mine", "peer")
    traces.begin(call, METADATA)
    traces.end(call)
    assert call.span is None
    assert trace_id(call) is None


@pytest.fixture
def instrumented(spans: InMemorySpanExporter) -> Iterator[InMemorySpanExporter]:
    """Servers of the test have OpenTelemetry's interceptor outside of ours."""
    instrumentor = GrpcAioInstrumentorServer()
    instrumentor.instrument(tracer_provider=trace.get_tracer_provider())
    yield spans
    instrumentor.uninstrument()


def theirs(spans: InMemorySpanExporter) -> list[ReadableSpan]:
    return [span for span in spans.get_finished_spans() if span not in ours(spans)]


async def test_an_interceptor_of_others_can_stand_outside(
    instrumented: InMemorySpanExporter,
) -> None:
    async with serving(slots=2) as service:
        await service.analysis.SelectMove(
            pb.SelectMoveRequest(search=search(simulations(5))), metadata=METADATA
        )
        request = pb.AnalyzeRequest(search=search(seconds(0.2)))
        answers = [answer async for answer in service.analysis.Analyze(request)]
        assert answers[-1].is_final
        wrong = pb.AnalyzeRequest(search=pb.Search(engine="none"))
        assert (await failure_of(service.analysis.Analyze(wrong))).fields
        await failure_of(service.games.StartGame(games_pb.StartGameRequest(game="chess")))
        await until(lambda: len(theirs(instrumented)) == 4)
    codes = [attributes(span)["rpc.grpc.status_code"] for span in theirs(instrumented)]
    assert codes == [0, 0, 3, 5]
    assert len(ours(instrumented)) == 4


async def test_the_health_is_watched_through_it(instrumented: InMemorySpanExporter) -> None:
    async with serving() as service:
        stub: Any = health_pb2_grpc.HealthStub(service.channel)
        watch = stub.Watch(health_pb2.HealthCheckRequest())
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
        watch.cancel()
        await until(lambda: len(theirs(instrumented)) == 1)


async def test_a_caller_who_leaves_ends_the_search_through_it_too(
    instrumented: InMemorySpanExporter,
) -> None:
    async with serving(slots=1) as service:
        stream = service.analysis.Analyze(pb.AnalyzeRequest(search=search(seconds(60))))
        await stream.read()
        stream.cancel()
        await until(lambda: _is_idle(service))
        await until(lambda: bool(ours(instrumented)))
    [span] = ours(instrumented)
    assert attributes(span)["rpc.response.status_code"] == "CANCELLED"


async def test_a_caller_who_reads_nothing_and_leaves_ends_the_search(
    instrumented: InMemorySpanExporter,
) -> None:
    """The interceptor is not at work then: it waits for gRPC to write what it has yielded."""
    async with serving(slots=1) as service:
        request = pb.AnalyzeRequest(search=search(seconds(60)))
        request.report_interval.FromMilliseconds(20)
        stream = service.analysis.Analyze(request)
        await until(lambda: not _is_idle(service))
        await asyncio.sleep(0.5)
        stream.cancel()
        await until(lambda: _is_idle(service))


def _is_idle(service: Service) -> bool:
    return service.server.status().live == 0
