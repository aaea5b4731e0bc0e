"""The tools for agents at the HTTP port: who may use them, how much, and what else runs."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import structlog
from pydantic import ValidationError

from kingmaker.server.settings import ServerSettings

from .named_callers import header, table
from .support import Service, serving, until
from .web_client import connected

pytest.importorskip("mcp")

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "list_games", "arguments": {}},
}
ACCEPT = "application/json, text/event-stream"


@asynccontextmanager
async def mounted(**settings: Any) -> AsyncIterator[Service]:
    async with serving(web="127.0.0.1:0", mcp=True, **settings) as service:
        yield service


def address(service: Service) -> str:
    assert service.server.url
    return f"{service.server.url}/mcp"


@asynccontextmanager
async def agent(service: Service, who: str = "") -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=dict(header(who)), timeout=30) as http,
        Client(streamable_http_client(address(service), http_client=http)) as client,
    ):
        yield client


async def posted(service: Service, body: bytes, **headers: str) -> Any:
    assert service.server.url
    async with connected(service.server.url) as connection:
        headers = {"content_type": "application/json", "accept": ACCEPT, **headers}
        await connection.send("POST", "/mcp", body, **headers)
        return await connection.answer()


async def use(client: Client, tool: str, /, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    assert answer.structured_content is not None
    return answer.structured_content


async def test_the_tools_are_off_unless_they_are_asked_for() -> None:
    async with serving(web="127.0.0.1:0") as service:
        assert (await posted(service, b"{}")).status in (404, 405)


def test_the_tools_need_the_http_port() -> None:
    with pytest.raises(ValidationError, match="mcp needs web"):
        ServerSettings(mcp=True)


async def test_an_agent_plays_beside_other_callers() -> None:
    async with mounted() as service, agent(service) as client:
        game = await use(client, "start", name="leduc_poker")
        played = await use(client, "play", game=game["game"], move="call")
        assert (await use(client, "ask_bot", game=played["game"], simulations=10))["events"]


async def test_only_players_use_the_tools(tmp_path: Path) -> None:
    tokens = tmp_path / "tokens.toml"
    tokens.write_text(table("alice", ["player"]) + table("rook", ["bot"]))
    body = json.dumps(CALL).encode()
    async with mounted(tokens=tokens) as service:
        nobody = await posted(service, body)
        assert (nobody.status, nobody.headers["www-authenticate"]) == (401, "Bearer")
        assert "needs a token of the role" in nobody.json["message"]
        wrong = await posted(service, body, authorization="Bearer guess")
        assert (wrong.status, wrong.json["code"]) == (401, "unauthenticated")
        assert (await posted(service, body, **dict(header("rook")))).status == 403
        async with agent(service, "alice") as client:
            assert await use(client, "list_games")


async def test_calls_of_agents_count() -> None:
    body = json.dumps(CALL).encode()
    async with mounted(calls_per_minute=2) as service:
        answers = [await posted(service, body) for _ in range(4)]
        assert [each.status == 429 for each in answers] == [False, False, True, True]
        assert int(answers[-1].headers["retry-after"]) >= 1


async def test_too_large_a_request_is_refused_unread() -> None:
    async with mounted() as service:
        answer = await posted(service, b"x" * (1200 << 10))
        assert answer.status in (400, 429)
        assert "takes at most" in answer.json["message"]


async def test_searches_of_agents_take_slots_and_end_their_quota() -> None:
    async with mounted(slots=1, search_seconds_per_minute=1.0) as service:
        async with agent(service) as client:
            game = (await use(client, "start", name="leduc_poker"))["game"]
            searching = asyncio.create_task(use(client, "analyze", subject=game, milliseconds=1500))
            await until(lambda: service.server.status().running == 1)
            await searching
            assert service.server.status().running == 0
        answer = await posted(service, json.dumps(CALL).encode())
        assert answer.status == 429


@pytest.mark.slow
async def test_an_agent_is_told_that_no_slot_is_free() -> None:
    async with (
        mounted(slots=1, queue_seconds=0.05) as service,
        agent(service) as first,
        agent(service) as second,
    ):
        game = (await use(first, "start", name="leduc_poker"))["game"]
        searching = asyncio.create_task(use(first, "analyze", subject=game, milliseconds=2000))
        await until(lambda: service.server.status().running == 1)
        refused = await second.call_tool("hint", {"subject": game})
        assert refused.is_error
        assert "slot" in str(refused.content)
        await searching


async def test_on_a_loopback_address_another_host_name_is_refused() -> None:
    """A page could give its own name that address, to call what it may not reach."""
    with structlog.testing.capture_logs() as logs:
        async with mounted() as service:
            answer = await posted(service, json.dumps(CALL).encode())
            assert (answer.status, answer.body) == (421, b"Invalid Host header")
            read = service.server.metrics.registry.get_sample_value
            assert read("kingmaker_refusals_total", {"reason": "NOT_ALLOWED", "limit": ""}) == 1
    [call] = (line for line in logs if line["event"] == "call")
    assert call["code"] == "PERMISSION_DENIED"


async def test_seals_outlive_the_server_with_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    from cryptography.fernet import Fernet

    monkeypatch.setitem(os.environ, "KINGMAKER_MCP_KEY", Fernet.generate_key().decode())
    async with mounted() as service, agent(service) as client:
        game = (await use(client, "start", name="leduc_poker"))["game"]
    async with mounted() as service, agent(service) as client:
        assert (await use(client, "observe", game=game))["your_turn"]
