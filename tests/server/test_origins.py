"""Which pages of other origins may call the HTTP port, and whose calls they are."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
import structlog
from pydantic import ValidationError

from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import game_service_pb2 as games_pb

from .support import Service, serving
from .web_client import ORIGIN, http, post, url_of


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
