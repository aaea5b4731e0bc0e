"""A Node client (@grpc/grpc-js with the .proto files), in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from kingmaker.cext.games import GAMES
from kingmaker.search.position import parse_observation, parse_position
from tests.server.process import ServerProcess

ROOT = Path(__file__).parents[2]
KINGDOM = "kingdom_coinquest"


def node_command(folder: Path, what: str = "the Node client") -> str:
    """Find node, or skip the test of something and say plainly what is missing."""
    node = shutil.which("node")
    why = ""
    if node is None:
        why = "node is not installed"
    elif not (folder / "node_modules").is_dir():
        why = "its packages are not installed: run `make node`"
    if why:
        pytest.skip(f"{what} is not tested: {why}")
    assert node is not None
    return node


def test_a_node_client_is_served(server: ServerProcess, here: Path) -> None:
    folder = here / "node"
    done = subprocess.run(
        [node_command(folder), "client.js", server.address, str(ROOT / "proto")],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    assert got["games"] == sorted(GAMES)
    assert len(got["events"]) == 6
    position = parse_position(KINGDOM, got["position"])
    assert [len(log) for log in got["logs"]] == [6, 6]
    own, rivals = (got["logs"][seat - 1] for seat in (position.seat, 3 - position.seat))
    draws = [move for kind, _, move in own if kind == "NODE_KIND_CHANCE"]
    assert len(draws) == 3
    assert "deal:?" not in draws
    assert [each for each in rivals if each[0] == "NODE_KIND_CHANCE"] == [
        ["NODE_KIND_CHANCE", position.seat, "deal:?"]
    ] * 3
    assert got["typed_turn"] == 1
    assert got["legal"] == position.legal_moves()
    seen = parse_observation(KINGDOM, got["observation"])
    assert seen == position.observe(position.seat)
    assert got["selected"] in got["legal"]
    assert got["selected"].startswith(got["selected_verb"])
    assert got["stop_reason"] == "STOP_REASON_SIMULATIONS"
    for move, explanation in got["suggestions"]:
        assert move in got["legal"]
        assert explanation.endswith(".")
    assert [each["is_final"] for each in got["streamed"]["snapshots"]] == [False] * 3
    assert got["streamed"]["code"] == "CANCELLED"
    failure = got["failure"]
    assert failure["code"] == "INVALID_ARGUMENT"
    assert failure["details"]["ErrorInfo"]["reason"] == "INVALID_FIELD"
    fields = [each["field"] for each in failure["details"]["BadRequest"]["field_violations"]]
    assert sorted(fields) == ["level", "search.seat"]
