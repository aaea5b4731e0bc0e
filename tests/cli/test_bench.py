"""`kingmaker bench` as a user runs it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

from .conftest import Command


def test_bench_writes_flat_numbers(kingmaker: Command, tmp_path: Path) -> None:
    figures = tmp_path / "figures.json"
    done = kingmaker(
        *("bench", "--quick", "--only", "connect_four.playouts"),
        *("--json", str(figures)),
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(figures.read_text())
    peer = {"connect_four.playouts.vs_open_spiel"} if find_spec("pyspiel") else set()
    assert set(found) == {"connect_four.playouts_per_s"} | peer
    assert all(value > 0 for value in found.values())
    assert all(f"\n{name} = " in f"\n{done.stderr}" for name in found)
