"""All services over HTTP: Connect, gRPC-Web and JSON, with the limits and errors of gRPC."""

from __future__ import annotations

import asyncio
import errno
import gzip
import hashlib
import json
import math
import os
import re
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
import structlog
from connectrpc.code import Code
from connectrpc.errors import ConnectError
from google.protobuf.descriptor_pool import Default
from google.protobuf.json_format import MessageToDict
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from pydantic import ValidationError

from kingmaker.server.app import SERVICES
from kingmaker.server.errors import TABLE
from kingmaker.server.listening import ListenError
from kingmaker.server.settings import ServerSettings
from kingmaker.server.web import acceptor, protocol
from kingmaker.server.web.plain import plain
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import types_pb2

from .support import Service, midgame, observation_of, position_of, seconds, serving, until
from .web_client import CLIENTS, WebClient, connected, http, post

ORIGIN = "https://games.example"


@pytest_asyncio.fixture
async def web() -> AsyncIterator[Service]:
    """A server with an HTTP port."""
    async with serving(slots=2, client_share=1.0, web="127.0.0.1:0", web_origins=ORIGIN) as running:
        yield running


def url_of(service: Service) -> str:
    assert service.server.url
    return service.server.url


def analysis(length: float = 60.0) -> dict[str, Any]:
    observation = observation_of(midgame())
    return {
        "search": {
            "observation": {"game": observation.game, "text": observation.text},
            "budget": {"time": f"{length}s"},
        },
        "reportInterval": "0.02s",
    }


def enveloped(fields: Any) -> bytes:
    body = json.dumps(fields).encode()
    return struct.pack(">BI", 0, len(body)) + body


def is_idle(service: Service) -> bool:
    return service.server.status().running == 0


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_call_has_the_answer_of_grpc(web: Service, kind: str) -> None:
    request = games_pb.ListMovesRequest(position=position_of(midgame()))
    answer = await WebClient(url_of(web), kind).call("GameService/ListMoves", request)
    assert answer == await web.games.ListMoves(request)


@pytest.mark.parametrize("kind", CLIENTS)
async def test_a_stream_comes_message_by_message(web: Service, kind: str) -> None:
    request = pb.AnalyzeRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=seconds(1))
    )
    request.report_interval.FromMilliseconds(100)
    await until(lambda: is_idle(web))
    stream = WebClient(url_of(web), kind).stream("AnalysisService/Analyze", request)
    num_running = 0
    finals = []
    async for message in stream:
        num_running += not is_idle(web)  # kept back, they would come when nothing runs
        finals.append(message.is_final)
    assert finals == [False] * (len(finals) - 1) + [True]
    assert len(finals) >= 3
    assert num_running >= 2


@pytest.mark.parametrize("kind", CLIENTS)
async def test_errors_keep_their_code_and_details(web: Service, kind: str) -> None:
    request = games_pb.StartGameRequest(game="chess")
    with pytest.raises(ConnectError) as refused:
        await WebClient(url_of(web), kind).call("GameService/StartGame", request)
    assert refused.value.code is Code.NOT_FOUND
    [info, bad] = refused.value.details
    assert error_details_pb2.ErrorInfo.FromString(info.message_bytes).reason == "UNKNOWN_GAME"
    violations = error_details_pb2.BadRequest.FromString(bad.message_bytes).field_violations
    assert [each.field for each in violations] == ["game"]


@pytest.mark.parametrize("kind", CLIENTS)
async def test_errors_of_streams_keep_their_details(web: Service, kind: str) -> None:
    request = pb.AnalyzeRequest(search=pb.Search(position=position_of(midgame()), seat=9))
    with pytest.raises(ConnectError) as refused:
        async for _ in WebClient(url_of(web), kind).stream("AnalysisService/Analyze", request):
            pass
    assert refused.value.code is Code.INVALID_ARGUMENT
    assert refused.value.details


async def test_json_can_be_posted_as_with_curl(web: Service) -> None:
    answer = await post(url_of(web), "GameService/StartGame", {"game": "tic_tac_toe"})
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    assert answer.json["node"] == {"kind": "NODE_KIND_DECISION", "seat": 1}


async def test_calls_on_one_connection_follow_each_other_without_delay(web: Service) -> None:
    """Parts of an answer that wait for receipts take 40 ms a call, 0.8 s for these."""
    start = asyncio.get_running_loop().time()
    async with connected(url_of(web)) as connection:
        for _ in range(20):
            path = "/kingmaker.v1.GameService/ListGames"
            await connection.send("POST", path, b"{}", content_type="application/json")
            assert (await connection.answer()).status == 200
    assert asyncio.get_running_loop().time() - start < 0.5


async def test_details_of_errors_are_json_too(web: Service) -> None:
    position = {"game": "tic_tac_toe", "text": "ttt board=.../.../.x. node=play:p2"}
    fields = {"position": position, "moves": [{"text": "b1"}]}
    answer = await post(url_of(web), "GameService/ApplyMoves", fields)
    assert answer.status == 400
    assert answer.json["code"] == "failed_precondition"
    [info, _] = [each["debug"] for each in answer.json["details"]]
    assert info["metadata"]["field"] == "moves[0]"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"{", "Expecting property name"),
        (b"[]", "not an object"),
        (b"[" * 100_000, "recursion"),
        (b"\xff", "decode"),
    ],
)
async def test_json_that_is_no_message_is_refused_and_says_why(
    web: Service, body: bytes, why: str
) -> None:
    answer = await http(
        url_of(web),
        "POST",
        "/kingmaker.v1.GameService/StartGame",
        body,
        content_type="application/json",
    )
    assert answer.status == 400
    assert answer.json["details"][0]["debug"]["reason"] == "MALFORMED_REQUEST"
    assert why in answer.json["message"]


async def test_bytes_that_are_no_message_are_refused_as_over_grpc(web: Service) -> None:
    path = "/kingmaker.v1.GameService/StartGame"
    answer = await http(url_of(web), "POST", path, b"\xff", content_type="application/proto")
    assert answer.status == 400
    assert answer.json["details"][0]["debug"]["reason"] == "MALFORMED_REQUEST"


async def test_a_request_over_the_size_limit_is_refused() -> None:
    async with serving(web="127.0.0.1:0") as service:
        answer = await post(url_of(service), "GameService/StartGame", {"game": "x" * 70_000})
    assert answer.status == 429
    assert answer.json["code"] == "resource_exhausted"


async def test_json_over_the_size_limit_is_not_even_read(web: Service) -> None:
    path = "/kingmaker.v1.GameService/StartGame"
    answer = await http(url_of(web), "POST", path, b"{" * 300_000, content_type="application/json")
    assert answer.status == 429
    assert answer.json["details"][0]["debug"]["reason"] == "REQUEST_TOO_LARGE"


async def test_long_json_is_read_as_short_one_is(web: Service) -> None:
    fields = {"position": {"game": "tic_tac_toe"}, "moves": [{"text": "b2"}] * 3000}
    answer = await post(url_of(web), "GameService/ApplyMoves", fields)
    assert answer.status == 400
    assert "there may be at most 1000" in answer.json["message"]


async def test_json_of_strangers_is_not_even_read(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text("")
    async with serving(web="127.0.0.1:0", tokens=tokens, anonymous="") as service:
        path = "/kingmaker.v1.GameService/StartGame"
        answer = await http(url_of(service), "POST", path, b"{", content_type="application/json")
    assert answer.status == 401


LIST = "GameService/ListGames"
ANALYZE = "AnalysisService/Analyze"
BOMB = gzip.compress(bytes(10_000_000))


@pytest.mark.parametrize(
    ("path", "kind", "body", "headers", "reason"),
    [
        (LIST, "json", b" " * 2_000_000, {}, "REQUEST_TOO_LARGE"),
        (LIST, "json", BOMB, {"content_encoding": "gzip"}, "REQUEST_TOO_LARGE"),
        (LIST, "proto", BOMB, {"content_encoding": "gzip"}, "REQUEST_TOO_LARGE"),
        (LIST, "json", b"{}", {"content_encoding": "gzip"}, "MALFORMED_REQUEST"),
        (LIST, "json", b"{}", {"content_encoding": "lzw"}, "UNSUPPORTED_REQUEST"),
        (ANALYZE, "connect+json", b"\0\xff\0\0\0", {}, "REQUEST_TOO_LARGE"),
        (ANALYZE, "connect+json", b"\0\0\0\0\2{", {}, "MALFORMED_REQUEST"),
        (ANALYZE, "connect+json", b"\x80\0\0\0\2{}", {}, "MALFORMED_REQUEST"),
        (ANALYZE, "connect+json", b"\1\0\0\0\2{}", {}, "MALFORMED_REQUEST"),
        (ANALYZE, "connect+json", b"", {}, "UNSUPPORTED_REQUEST"),
        (ANALYZE, "connect+json", b"\0\0\0\0\2{}" * 2, {}, "UNSUPPORTED_REQUEST"),
        (LIST, "grpc-web+proto", b"\0\0\0\0\2", {}, "MALFORMED_REQUEST"),
    ],
)
async def test_requests_that_cant_be_read_are_in_log_and_metrics(
    path: str, kind: str, body: bytes, headers: dict[str, str], reason: str
) -> None:
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0") as service, connected(url_of(service)) as connection:
            await connection.send(
                "POST", f"/kingmaker.v1.{LIST}", b"{}", content_type="application/json"
            )
            await connection.send(
                "POST", f"/kingmaker.v1.{path}", body, content_type=f"application/{kind}", **headers
            )
            assert (await connection.answer()).status == 200
            answer = await connection.answer()
            read = service.server.metrics.registry.get_sample_value
            assert read("kingmaker_refusals_total", {"reason": reason, "limit": ""}) == 1
    good, refused = (line for line in logs if line["event"] == "call")
    assert (good["code"], refused["method"]) == ("OK", f"/kingmaker.v1.{path}")
    row = next(row for row in TABLE if row.reason == reason)
    assert refused["code"] == row.code.name
    assert refused["request"] == answer.headers["x-request-id"]


async def test_strangers_learn_nothing_of_what_cant_be_read(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text("")
    async with serving(web="127.0.0.1:0", tokens=tokens, anonymous="") as service:
        answer = await post(url_of(service), LIST, {}, content_encoding="lzw")
    assert answer.status == 401


@pytest.mark.parametrize(
    ("verb", "path", "headers", "status", "method"),
    [
        ("POST", f"/kingmaker.v1.{LIST}", {"content_type": "text/plain"}, 415, None),
        ("POST", f"/kingmaker.v1.{ANALYZE}", {"content_type": "application/json"}, 415, None),
        ("GET", f"/kingmaker.v1.{LIST}", {}, 405, None),
        ("POST", "/kingmaker.v1.GameService/Nothing", {}, 404, "unknown"),
        ("GET", "/nothing", {}, 404, "unknown"),
        ("PUT", "/index.html", {}, 405, "unknown"),
    ],
)
async def test_requests_that_are_no_calls_are_in_log_and_metrics(
    verb: str, path: str, headers: dict[str, str], status: int, method: str | None
) -> None:
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0") as service:
            answer = await http(url_of(service), verb, path, b"{}", x_request_id="mine", **headers)
            read = service.server.metrics.registry.get_sample_value
    assert answer.status == status
    [line] = (line for line in logs if line["event"] == "call")
    logged = "/unknown/unknown" if method == "unknown" else path  # may be a secret
    assert (line["method"], line["request"]) == (logged, "mine")
    assert line["peer"].startswith("ipv4:127.0.0.1:")
    assert line["client"] == "ipv4:127.0.0.1"
    service_name, _, name = (method or path).strip("/").rpartition("/")
    labels = {"grpc_service": service_name or "unknown", "grpc_method": name}
    assert read("grpc_server_handled_total", {**labels, "grpc_code": line["code"]}) == 1
    reason = {"INVALID_ARGUMENT": "MALFORMED_REQUEST", "UNIMPLEMENTED": "UNSUPPORTED_REQUEST"}
    assert read("kingmaker_refusals_total", {"reason": reason[line["code"]], "limit": ""}) == 1


async def test_strangers_and_wrong_forms_use_up_their_quota(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text("")
    async with serving(web="127.0.0.1:0", tokens=tokens, anonymous="") as service:
        answer = await post(url_of(service), LIST, {}, content_type="text/plain")
        assert (answer.status, answer.json["code"]) == (401, "unauthenticated")
    async with serving(web="127.0.0.1:0", calls_per_minute=1) as service:
        url = url_of(service)
        answers = [await post(url, LIST, {}, content_type="text/plain") for _ in range(2)]
        assert [answer.status for answer in answers] == [415, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1


@pytest.mark.parametrize("value", ["\xe9", "\xc3\xa9", "\xff"])
@pytest.mark.parametrize(
    ("name", "status"), [("user_agent", 200), ("x_request_id", 200), ("authorization", 401)]
)
async def test_headers_may_have_any_bytes(web: Service, name: str, status: int, value: str) -> None:
    async with connected(url_of(web)) as connection:
        line = f"{name.replace('_', '-')}: {value}\r\n".encode("latin-1")
        connection.writer.write(
            f"POST /kingmaker.v1.{LIST} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n".encode()
            + line
            + b"content-type: application/json\r\n\r\n{}"
        )
        assert (await connection.answer()).status == status


async def test_another_content_type_is_refused(web: Service) -> None:
    """A page of another origin could send plain text without asking."""
    answer = await post(
        url_of(web), "GameService/StartGame", {"game": "hearts"}, content_type="text/plain"
    )
    assert answer.status == 415


async def test_the_deadline_of_the_header_ends_a_search() -> None:
    request = pb.AnalyzeRequest(search=pb.Search(observation=observation_of(midgame())))
    async with serving(web="127.0.0.1:0", deadline_margin_seconds=0.5) as service:
        stream = WebClient(url_of(service), "connect").stream(
            "AnalysisService/Analyze", request, timeout_ms=1000
        )
        answers = [each async for each in stream]
    assert answers[-1].report.stop_reason == types_pb2.STOP_REASON_DEADLINE


async def seconds_to_end(web: Service, *, is_stream: bool) -> float:
    """Close the connection of a search of a minute; returns the seconds until it has ended."""
    async with connected(url_of(web)) as connection:
        if is_stream:
            body, kind = enveloped(analysis()), "application/connect+json"
        else:
            body, kind = json.dumps({"search": analysis()["search"]}).encode(), "application/json"
        method = "Analyze" if is_stream else "EvaluatePosition"
        path = f"/kingmaker.v1.AnalysisService/{method}"
        await connection.send("POST", path, body, content_type=kind)
        if is_stream:
            assert (await connection.head())[0] == 200
            for _ in range(3):
                assert b'"isFinal"' not in await connection.chunk()
        await until(lambda: not is_idle(web))
    return await until(lambda: is_idle(web), limit=30)


@pytest.mark.parametrize("is_stream", [True, False])
async def test_closing_the_connection_ends_the_search(web: Service, is_stream: bool) -> None:
    assert await seconds_to_end(web, is_stream=is_stream) < 30


@pytest.mark.slow
@pytest.mark.parametrize("is_stream", [True, False])
async def test_a_search_ends_50_ms_after_its_connection(web: Service, is_stream: bool) -> None:
    """The best of ten, as other programs may hold this one up."""
    assert min([await seconds_to_end(web, is_stream=is_stream) for _ in range(10)]) < 0.05


async def test_a_reader_that_stalls_gets_the_newest_not_a_queue(web: Service) -> None:
    """The handler waits for the reader, as over gRPC, so that nothing piles up here."""
    async with connected(url_of(web)) as connection:
        await connection.send(
            "POST",
            "/kingmaker.v1.AnalysisService/Analyze",
            enveloped(analysis(0.5)),
            content_type="application/connect+json",
        )
        await until(lambda: not is_idle(web))
        await until(lambda: is_idle(web), limit=20)
        other = await post(url_of(web), "GameService/ListGames", {})
        assert other.status == 200


@pytest.mark.parametrize(
    ("settings", "most"), [({"max_client_streams": 1}, 2), ({"max_streams": 2}, 4)]
)
async def test_connections_are_limited(settings: dict[str, Any], most: int) -> None:
    async with serving(web="127.0.0.1:0", **settings) as web:
        async with AsyncExitStack() as stack:
            for _ in range(most):
                each = await stack.enter_async_context(connected(url_of(web)))
                await each.send("GET", "/")
                assert (await each.answer()).status == 200
            more = await stack.enter_async_context(connected(url_of(web)))
            assert await asyncio.wait_for(more.reader.read(), 5) == b""
        await asyncio.sleep(0.5)  # until the server has seen that they are closed
        assert (await post(url_of(web), "GameService/ListGames", {})).status == 200


async def test_connections_are_accepted_again_after_an_error_of_the_system(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()
    accept, errors = loop.sock_accept, [OSError(errno.EMFILE, os.strerror(errno.EMFILE))]

    async def failing(listener: socket.socket) -> Any:
        if errors:
            raise errors.pop()
        return await accept(listener)

    monkeypatch.setattr(loop, "sock_accept", failing)
    monkeypatch.setattr(acceptor, "RETRY_SECONDS", 0.01)
    with structlog.testing.capture_logs() as lines:
        async with serving(web="127.0.0.1:0") as web:
            assert (await post(url_of(web), "GameService/ListGames", {})).status == 200
    assert ("connection not accepted", "Too many open files") in [
        (line["event"], line.get("why")) for line in lines
    ]


async def test_a_trusted_proxy_may_have_many_connections() -> None:
    trusting = {"trusted_proxies": "127.0.0.1", "anonymous": "player", "max_client_streams": 1}
    async with serving(web="127.0.0.1:0", **trusting) as web, AsyncExitStack() as stack:
        for _ in range(5):
            each = await stack.enter_async_context(connected(url_of(web)))
            await each.send("GET", "/")
            assert (await each.answer()).status == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"POST /kingmaker.v1.GameService/ListGames HTTP/1.1\r\nhost: here\r\nx-slow: ",
        b"GET / HTTP/1.1\r\nhost: here\r\n\r\nGET / HTTP/1.1\r\n",  # the second one of a connection
        b"POST /kingmaker.v1.GameService/ListGames HTTP/1.1\r\nhost: here\r\n"
        b"content-type: application/json\r\ncontent-length: 100000\r\n\r\n{",
    ],
    ids=["nothing", "header", "second", "body"],
)
async def test_a_request_that_comes_byte_by_byte_is_cut_off(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.5)
    async with serving(slots=1, web="127.0.0.1:0") as web:
        address = urlsplit(url_of(web))
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(sent)
        answer = asyncio.create_task(reader.read())
        for _ in range(1000):
            if answer.done():
                break
            if sent:
                writer.write(b"a")
            await asyncio.sleep(0.02)
        assert answer.done(), "the connection is still open"
        writer.close()


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        (b"no HTTP\r\n\r\n", "Invalid HTTP request received."),
        (b"GET /" + b"a" * 1_000_000, "The head of a request is longer than 131072 bytes."),
        (b"GET / HTTP/1.1\r\n", "a request takes more than 0.5 s"),
    ],
    ids=["no HTTP", "long", "slow"],
)
async def test_a_connection_that_brings_no_request_is_in_the_log(
    sent: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.5)
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0") as web, connected(url_of(web)) as connection:
            connection.writer.write(sent)
            port = connection.writer.get_extra_info("sockname")[1]
            with suppress(ConnectionResetError):  # before all of it is read
                await connection.reader.read()
    [line] = (line for line in logs if "peer" in line)
    expected = {"event": "connection closed", "peer": f"ipv4:127.0.0.1:{port}", "why": why}
    assert line == {**expected, "log_level": "info"}


async def test_a_connection_that_is_kept_for_later_is_not_in_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0") as web, connected(url_of(web)) as silent:
            assert await silent.reader.read() == b""
    assert not [line for line in logs if "peer" in line]


POST = b"POST /kingmaker.v1.GameService/ListGames HTTP/1.1\r\nhost: here\r\n"
CHUNKED = POST + b"content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    ("sent", "again"),
    [
        (b"GET /", b"a" * 1000),
        (POST + b"x-long: ", b"a" * 1000),
        (POST, b"x-many: " + b"a" * 990 + b"\r\n"),
        (CHUNKED + b"0\r\n", b"x-many: " + b"a" * 990 + b"\r\n"),
        (CHUNKED, b"1;" + b"a" * 990 + b"\r\n \r\n"),
        (b"GET / HTTP/1.1\r\nhost: here\r\n\r\nGET / HTTP/1.1\r\n", b"x-many: here\r\n" * 80),
    ],
    ids=["path", "header", "headers", "trailers", "chunks", "second"],
)
async def test_a_head_without_end_is_cut_off(web: Service, sent: bytes, again: bytes) -> None:
    async with connected(url_of(web)) as connection:
        connection.writer.write(sent)
        answer = asyncio.create_task(connection.reader.read())
        for _ in range(1000):
            if answer.done():
                break
            connection.writer.write(again)
            await asyncio.sleep(0.001)
        assert answer.done(), "the connection is still open"
        answer.exception()  # the end may be a reset


@pytest.mark.parametrize("chunk", [0, 16], ids=["whole", "in-small-chunks"])
async def test_a_long_body_is_no_head(web: Service, chunk: int) -> None:
    """It is read to its end before it is refused as no record of a game."""
    body = enveloped({"record": "a" * (8 * protocol.MAX_HEAD_BYTES)})
    path, kind = "/kingmaker.v1.ReviewService/ReviewGame", "application/connect+json"
    if chunk:
        parts = [body[i : i + chunk] for i in range(0, len(body), chunk)]
        body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in [*parts, b""])
    async with connected(url_of(web)) as connection:
        if chunk:
            head = f"POST {path} HTTP/1.1\r\nhost: here\r\ncontent-type: {kind}\r\n"
            connection.writer.write(f"{head}transfer-encoding: chunked\r\n\r\n".encode() + body)
        else:
            await connection.send("POST", path, body, content_type=kind)
        assert (await connection.head())[0] == 200
        assert b"line 1: 'aaa" in await connection.chunk()


async def test_a_few_requests_may_wait_for_the_answer_to_an_earlier_one(web: Service) -> None:
    async with connected(url_of(web)) as connection:
        for _ in range(protocol.MAX_PIPELINED):
            await connection.send("GET", "/")
        for _ in range(protocol.MAX_PIPELINED):
            assert (await connection.answer()).status == 200


async def test_too_many_requests_that_wait_for_an_answer_are_cut_off(web: Service) -> None:
    async with connected(url_of(web)) as connection:
        connection.writer.write(b"GET / HTTP/1.1\r\nhost: here\r\n\r\n" * 1000)
        with suppress(ConnectionError):
            answers = await asyncio.wait_for(connection.reader.read(), 10)
            assert answers.count(b"HTTP/1.1 200") <= protocol.MAX_PIPELINED


async def test_a_long_stream_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "REQUEST_SECONDS", 0.2)
    async with serving(slots=1, client_share=1.0, web="127.0.0.1:0") as web:
        request = pb.AnalyzeRequest(
            search=pb.Search(observation=observation_of(midgame()), budget=seconds(1))
        )
        stream = WebClient(url_of(web), "connect").stream("AnalysisService/Analyze", request)
        assert [message.is_final async for message in stream][-1]


async def test_calls_of_both_ports_are_of_one_client_and_in_one_log() -> None:
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0", log_level="info") as service:
            await post(url_of(service), "GameService/ListGames", {})
            await service.games.ListGames(games_pb.ListGamesRequest())
    calls = [line for line in logs if line["event"] == "call"]
    assert [line["code"] for line in calls] == ["OK", "OK"]
    first, second = (line["peer"].rpartition(":")[0] for line in calls)
    assert first == second == "ipv4:127.0.0.1"


async def test_a_trusted_proxy_tells_the_address_of_the_client() -> None:
    trusting = {"trusted_proxies": "127.0.0.1", "anonymous": "player"}
    with structlog.testing.capture_logs() as logs:
        async with serving(web="127.0.0.1:0", **trusting) as service:
            await post(url_of(service), "GameService/ListGames", {}, x_forwarded_for="192.0.2.7")
        async with serving(web="127.0.0.1:0") as service:
            await post(url_of(service), "GameService/ListGames", {}, x_forwarded_for="192.0.2.7")
    trusted, untrusted = (line["client"] for line in logs if line["event"] == "call")
    assert trusted == "proxied:192.0.2.7"
    assert untrusted == "ipv4:127.0.0.1"


async def test_the_token_of_the_header_names_the_caller(tmp_path: Path) -> None:
    file = tmp_path / "tokens.toml"
    digest = hashlib.sha256(b"a secret").hexdigest()
    file.write_text(f'[alice]\nsha256 = "{digest}"\nroles = ["player"]\ncalls_per_minute = 1\n')
    async with serving(web="127.0.0.1:0", tokens=file) as service:
        url = url_of(service)
        for header, status, code in (
            ({}, 401, "unauthenticated"),
            ({"authorization": "Bearer wrong"}, 401, "unauthenticated"),
            ({"authorization": "Bearer a secret"}, 200, None),
            ({"authorization": "Bearer a secret"}, 429, "resource_exhausted"),
        ):
            answer = await post(url, "GameService/ListGames", {}, **header)
            assert (answer.status, answer.json.get("code")) == (status, code)
        assert 0 < int(answer.headers["retry-after"]) <= 60
        assert re.fullmatch(
            r"alice may make 1 calls a minute; retry in \d+\.\d s", answer.json["message"]
        )


async def test_anonymous_callers_of_an_open_http_port_are_refused() -> None:
    with pytest.raises(ValidationError, match="nobody could call"):
        ServerSettings(web="0.0.0.0:0")


async def test_pages_of_listed_origins_may_call(web: Service) -> None:
    asked = {
        "origin": ORIGIN,
        "access_control_request_method": "POST",
        "access_control_request_headers": "content-type,connect-timeout-ms,authorization",
    }
    path = "/kingmaker.v1.GameService/ListGames"
    allowed = await http(url_of(web), "OPTIONS", path, b"", **asked)
    assert allowed.status == 200
    assert allowed.headers["access-control-allow-origin"] == ORIGIN
    refused = await http(
        url_of(web), "OPTIONS", path, b"", **{**asked, "origin": "https://evil.example"}
    )
    assert refused.status == 400
    answer = await post(url_of(web), "GameService/ListGames", {}, origin=ORIGIN)
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert "grpc-status-details-bin" in answer.headers["access-control-expose-headers"]


async def test_pages_of_all_origins_may_call_if_the_setting_says_so() -> None:
    async with serving(web="127.0.0.1:0", web_origins="*") as service:
        answer = await post(url_of(service), "GameService/ListGames", {}, origin=ORIGIN)
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_without_listed_origins_no_page_may_call() -> None:
    async with serving(web="127.0.0.1:0") as service:
        answer = await post(url_of(service), "GameService/ListGames", {}, origin=ORIGIN)
    assert "access-control-allow-origin" not in answer.headers


async def test_the_openapi_document_has_every_method_with_its_comment(web: Service) -> None:
    document = (await http(url_of(web), "GET", "/openapi.json")).json
    assert {path.split("/")[1] for path in document["paths"]} == set(SERVICES)
    for path in document["paths"].values():
        assert path["post"]["summary"]
    schemas = document["components"]["schemas"]
    assert "Milliseconds" not in schemas
    for schema in schemas.values():
        assert schema["description"]
    options = schemas["StartGameRequest"]["properties"]["options"]
    assert options["additionalProperties"] == {"type": "string"}
    text = json.dumps(document)
    for word in text.split('"$ref": "#/components/schemas/')[1:]:
        assert word.partition('"')[0] in schemas


async def test_an_answer_fits_its_schema(web: Service) -> None:
    """Walks the answer beside the schema, as generated clients do."""
    schemas = (await http(url_of(web), "GET", "/openapi.json")).json["components"]["schemas"]
    observation = observation_of(midgame())
    fields = {
        "observation": {"game": observation.game, "text": observation.text},
        "budget": {"simulations": "200"},
    }
    answer = await post(url_of(web), "AnalysisService/SuggestMoves", {"search": fields})
    assert answer.status == 200
    check(answer.json, {"$ref": "#/components/schemas/SuggestMovesResponse"}, schemas)


def check(value: Any, schema: Any, schemas: Any) -> None:
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    kind = schema["type"]
    if kind == "number":
        assert isinstance(value, int | float)
    else:
        assert isinstance(
            value, tuple(kinds[each] for each in ([kind] if isinstance(kind, str) else kind))
        )
    if isinstance(value, list):
        for each in value:
            check(each, schema["items"], schemas)
    elif isinstance(value, dict):
        for name, each in value.items():
            check(
                each,
                schema.get("properties", {}).get(name) or schema["additionalProperties"],
                schemas,
            )
    elif "enum" in schema:
        assert value in schema["enum"]


def filled(descriptor: Any, depth: int = 0) -> Any:
    """Make a message with something in every field, of a oneof in the last one."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            getattr(message, field.name)["one"] = 1 if kind.fields[1].cpp_type != 9 else "two"
        elif kind is not None:
            if depth < 4:
                below = [filled(kind, depth + 1)] if field.is_repeated else filled(kind, depth + 1)
                merge(message, field, below)
        else:
            value = {9: "x\u2028", 7: True, 5: 1.5, 8: 1}.get(field.cpp_type, 999_999_999)
            merge(message, field, [value, value] if field.is_repeated else value)
    return message


def merge(message: Any, field: Any, value: Any) -> None:
    if field.is_repeated:
        getattr(message, field.name).extend(value)
    elif field.message_type is not None:
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


@pytest.mark.parametrize("service", SERVICES)
def test_json_of_every_answer_is_that_of_protobuf(service: str) -> None:
    for method in Default().FindServiceByName(service).methods:
        message = filled(method.output_type)
        assert plain(message) == MessageToDict(message)
        empty = GetMessageClass(method.output_type)()
        assert plain(empty) == MessageToDict(empty) == {}


@pytest.mark.parametrize("value", [0.1, 2.0, -1e300, math.inf, -math.inf, math.nan])
def test_numbers_that_json_lacks_are_texts(value: float) -> None:
    message = types_pb2.Node(returns=[value])
    assert plain(message) == MessageToDict(message)


async def test_a_port_that_is_taken_is_an_error(web: Service) -> None:
    with pytest.raises(ListenError, match="another program"):
        async with serving(web=url_of(web).removeprefix("http://")):
            pass


async def test_draining_refuses_calls_of_the_port_and_closes_it() -> None:
    async with serving(web="127.0.0.1:0") as service:
        url = url_of(service)
        async with connected(url) as connection:
            await connection.send(
                "POST",
                "/kingmaker.v1.AnalysisService/Analyze",
                enveloped(analysis()),
                content_type="application/connect+json",
            )
            await connection.head()
            drain = asyncio.create_task(service.server.drain())
            await asyncio.sleep(0.05)
            refused = await post(url, "GameService/ListGames", {})
            last = b""
            while b'"isFinal"' not in last:
                last = await connection.chunk()
            await drain
        assert refused.json["code"] == "unavailable"
        with pytest.raises(OSError):
            await http(url, "GET", "/openapi.json")


@pytest.mark.parametrize(
    ("path", "status"),
    [(f"/kingmaker.v1.{LIST}", 499), (f"/kingmaker.v1.{ANALYZE}", 200), ("/mcp", 503)],
)
async def test_a_drain_breaks_off_requests_that_do_not_arrive(
    path: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncExitStack() as stack:
        async with serving(web="127.0.0.1:0", mcp=True, grace_seconds=0.2) as service:
            connection = await stack.enter_async_context(connected(url_of(service)))
            kind = "application/connect+json" if path.endswith("Analyze") else "application/json"
            head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\n"
            connection.writer.write(f"{head}content-length: 10\r\n\r\n{{".encode())
            await asyncio.sleep(0.1)  # until it is being read
        answer = await connection.answer()
    assert answer.status == status
    assert not [record for record in caplog.records if record.exc_info]


async def test_a_match_is_played_over_http_alone(web: Service) -> None:
    """Without a setting, matches last as long as the server."""
    fields = {"options": {"game": "tic_tac_toe"}, "seats": [{}, {"bot": "random"}]}
    created = await post(url_of(web), "MatchService/CreateMatch", fields)
    match_id = created.json["status"]["matchId"]
    joined = await post(
        url_of(web), "MatchService/JoinMatch", {"matchId": match_id, "name": "<b>Ann</b>"}
    )
    token, view = joined.json["token"], joined.json["view"]
    seen = view["status"]["numEvents"]
    async with connected(url_of(web)) as connection:
        await connection.send(
            "POST",
            "/kingmaker.v1.MatchService/WatchMatch",
            enveloped({"matchId": match_id, "token": token, "afterEvent": seen}),
            content_type="application/connect+json",
        )
        assert (await connection.head())[0] == 200
        while view["status"]["phase"] != "MATCH_PHASE_ENDED":
            if view.get("moves"):
                move = {"text": view["moves"][0]["move"]["text"]}
                play = {"matchId": match_id, "token": token, "afterEvent": seen, "move": move}
                assert (await post(url_of(web), "MatchService/PlayMove", play)).status == 200
            view = json.loads((await connection.chunk())[5:])["view"]
            for event in view.get("events", []):
                assert event["number"] == seen + 1
                seen = event["number"]
    assert sum(view["status"]["result"]["returns"]) == 1
