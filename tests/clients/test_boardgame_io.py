"""The bots for boardgame.io of `examples/`, in matches that Node plays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .test_node import ROOT, node_command

FOLDER = ROOT / "examples" / "boardgame_io"


@pytest.mark.slow
@pytest.mark.timeout(300)  # six matches and the start of a server
def test_matches_on_boardgame_io_are_played_to_their_ends() -> None:
    node = node_command(FOLDER, "the example for boardgame.io")
    done = subprocess.run(
        [node, "--test", "bot.test.js"],
        cwd=FOLDER,
        env={**os.environ, "KINGMAKER": str(Path(sys.executable).with_name("kingmaker"))},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
