"""The bot for boardgame.io of the examples, in games of boardgame.io."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.server.process import server_process

from .test_node import node_command


@pytest.mark.slow
def test_a_bot_of_boardgame_io_asks_the_server_and_never_loses(here: Path, tmp_path: Path) -> None:
    folder = here / "node"
    node = node_command(folder)
    if not (folder / "node_modules" / "boardgame.io").is_dir():
        pytest.skip("boardgame.io is not installed: run `make node`")
    with server_process(tmp_path, 0, web="127.0.0.1:0") as server:
        url = server.wait_for_line("listening")["url"]
        done = subprocess.run(
            [node, "boardgame_io.js", url],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    ends = json.loads(done.stdout)
    assert len(ends) == 2
    for end in ends:
        assert end.get("winner") == "1" or end.get("isDraw")
        assert end["cells"].count("1") >= 3
