"""Clients without rules play games of eight seats to their end, in Python and in Node."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kingmaker.search.position import new_game
from tests.server.process import ServerProcess

from .test_node import ROOT, node_command

GAME = "knaves_out"
OPTIONS = {"players": "8", "max_turns": "240"}
"""30 turns for each seat: without the limit a game takes four times as long, 4,000 decisions."""
LEVEL = "5"


def check(command: list[str], folder: Path) -> None:
    """Play a game by a client, and replay what it was told by the rules."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    got: dict[str, Any] = json.loads(done.stdout)
    position = new_game(GAME, OPTIONS)
    for token in got["told"]:
        position = position.apply(token)
    assert position.is_terminal
    assert position.returns() == pytest.approx(got["returns"])
    assert got["decisions"] > 500


@pytest.mark.slow
@pytest.mark.timeout(320)
def test_eight_bots_play_a_game_over_a_python_client(server: ServerProcess, here: Path) -> None:
    arguments = [server.address, GAME, json.dumps(OPTIONS), LEVEL]
    check([sys.executable, str(here / "whole_game.py"), *arguments], here)


@pytest.mark.slow
@pytest.mark.timeout(320)
def test_eight_bots_play_a_game_over_a_node_client(server: ServerProcess, here: Path) -> None:
    arguments = [server.address, str(ROOT / "proto"), GAME, json.dumps(OPTIONS), LEVEL]
    folder = here / "node"
    check([node_command(folder), "whole_game.js", *arguments], folder)
