"""Connections to the HTTP port: how many there may be, how long they last, what cuts them off."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from contextlib import AsyncExitStack, suppress
from typing import Any
from urllib.parse import urlsplit

import pytest
import structlog

from kingmaker.server.web import acceptor, protocol
from kingmaker.v1 import analysis_service_pb2 as pb

from .support import Service, midgame, observation_of, seconds, serving
from .web_client import WebClient, connected, enveloped, post, url_of


async def test_calls_on_one_connection_follow_each_other_without_delay(web: Service) -> None:
    """Parts of an answer that wait for receipts take 40 ms a call, 0.8 s for these."""
    start = asyncio.get_running_loop().time()
    async with connected(url_of(web)) as connection:
        for _ in range(20):
            path = "/kingmaker.v1.GameService/ListGames"
            await connection.send("POST", path, b"{}", content_type="application/json")
            assert (await connection.answer()).status == 200
    assert asyncio.get_running_loop().time() - start < 0.5


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
