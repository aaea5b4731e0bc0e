"""Python clients, synchronous and asyncio, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from kingmaker.search.position import parse_observation, parse_position
from tests.server.process import ServerProcess


def run(script: Path, address: str) -> Any:
    done = subprocess.run(
        [sys.executable, str(script), address],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_synchronous_client_is_served(server: ServerProcess, here: Path) -> None:
    got = run(here / "sync_client.py", server.address)
    position = parse_position("kingdom_coinquest", got["position"])
    assert got["legal"] == position.legal_moves()
    seen = parse_observation("kingdom_coinquest", got["observation"])
    assert seen == position.observe(position.seat)
    assert got["selected"] in got["legal"]
    assert all(got["explanations"])
    assert got["snapshots"] == sorted(got["snapshots"])
    assert got["ended"] == "CANCELLED"
    assert got["failure"] == {"code": "INVALID_ARGUMENT", "details": ["ErrorInfo", "BadRequest"]}


def test_an_asyncio_client_is_served(server: ServerProcess, here: Path) -> None:
    got = run(here / "asyncio_client.py", server.address)
    assert len(got["games"]) == 4
    for game in got["games"]:
        assert game["moves"]
        assert game["log"][1] == [2, "deal a hidden card to p2"]
        assert len([seat for seat, _ in game["log"] if seat]) == 2 + len(game["moves"])
        assert abs(sum(game["returns"]) - 1) < 1e-9
    assert got["analysis"] == {"finals": [False] * 3, "code": "CANCELLED"}
