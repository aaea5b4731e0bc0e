"""Requests to the HTTP port that are no calls: refused with a reason, counted, in the log."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import structlog

from kingmaker.server.errors import TABLE

from .support import Service, serving
from .web_client import ANALYZE, LIST, connected, http, post, url_of


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
    assert (refused["code"], refused["reason"]) == (row.code.name, reason)
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
