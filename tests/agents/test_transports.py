"""The official client plays whole games over both transports, and never sees a hidden card."""

from __future__ import annotations

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from kingmaker.cext.games import GAMES

pytest.importorskip("mcp")

from cryptography.fernet import Fernet
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from kingmaker.agents.seals import Sealer

COMMAND = str(Path(sys.executable).with_name("kingmaker"))
KEY = Fernet.generate_key().decode()
MAX_CALLS = 3000
every_transport = pytest.mark.parametrize("transport", ["stdio", "http", "mounted"])


@pytest.fixture(scope="module")
def mounted() -> Iterator[str]:
    """Serve the tools beside all services; returns the address."""
    command = [COMMAND, "serve", "--port", "0", "--web", "127.0.0.1:0", "--mcp", "true", "--json"]
    environment = {**os.environ, "KINGMAKER_MCP_KEY": KEY}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield f"{json.loads(process.stdout.readline())['url']}/mcp"
        process.terminate()


@pytest.fixture(scope="module")
def http() -> Iterator[str]:
    """Serve HTTP on a free port; returns the address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [COMMAND, "mcp", "--http", f"127.0.0.1:{port}"]
    environment = {**os.environ, "KINGMAKER_MCP_KEY": KEY}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
        process.terminate()


@asynccontextmanager
async def connected(transport: str, request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    if transport != "stdio":
        async with Client(request.getfixturevalue(transport)) as client:
            yield client
    else:
        environment = {**os.environ, "KINGMAKER_MCP_KEY": KEY}
        server = StdioServerParameters(command=COMMAND, args=["mcp"], env=environment)
        async with Client(server) as client:
            yield client


async def call(client: Client, tool: str, /, **arguments: Any) -> Any:
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    content = answer.structured_content
    assert content is not None
    return content["result"] if list(content) == ["result"] else content


def check_view(view: dict[str, Any]) -> None:
    """Compare what the agent was told with the true position, which only the key opens."""
    match = Sealer((KEY,), seconds=3600).open(view["game"])
    seen = match.position.observe(view["seat"])
    assert view["seat"] in match.seats
    assert view["observation"] == seen.text
    assert view["board"] == seen.render()


async def play(client: Client, name: str, seat: int) -> list[float]:
    """Play random legal moves at a seat, and let bots have the others."""
    rng = random.Random(name)
    view = await call(client, "start", name=name, seats=[seat])
    for _ in range(MAX_CALLS):
        check_view(view)
        if view["to_move"] == "end":
            shares: list[float] = view["win_shares"]
            return shares
        if view["your_turn"]:
            moves = await call(client, "legal_moves", game=view["game"])
            move = rng.choice(moves)["move"]
            view = await call(client, "play", game=view["game"], move=move)
        else:
            view = await call(client, "ask_bot", game=view["game"], level=1, simulations=5)
    raise AssertionError(f"{name} has not ended")


@every_transport
async def test_a_scripted_agent_plays_a_game(
    transport: str, request: pytest.FixtureRequest
) -> None:
    async with connected(transport, request) as client:
        shares = await play(client, "leduc_poker", seat=2)
        assert sum(shares) == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.timeout(600)
@every_transport
async def test_a_scripted_agent_plays_whole_games_of_all_games(
    transport: str, request: pytest.FixtureRequest
) -> None:
    async with connected(transport, request) as client:
        for name, kind in GAMES.items():
            shares = await play(client, name, seat=1)
            assert len(shares) in kind.seat_counts
            assert sum(shares) == pytest.approx(1)


def test_a_wrong_address_is_refused() -> None:
    done = subprocess.run([COMMAND, "mcp", "--http", "8000"], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == "error: '8000' is not HOST:PORT, as 127.0.0.1:8000\n"
