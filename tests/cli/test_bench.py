"""`kingmaker bench` as a user runs it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from kingmaker.benchmarks.catalogue import ABOUT

from .conftest import Command


@pytest.mark.slow
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


def test_bench_lists_its_figures_and_measures_nothing(kingmaker: Command) -> None:
    done = kingmaker("bench", "--list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == list(ABOUT)
    some = kingmaker("bench", "--list", "--only", "connect_four.playouts")
    assert [line.split()[:2] for line in some.stdout.splitlines()[1:]] == [
        ["connect_four.playouts_per_s", "always"],
        ["connect_four.playouts.vs_open_spiel", "always"],
    ]
    assert not some.stderr


def test_a_prefix_of_no_figure_is_refused_with_the_way_to_the_list(kingmaker: Command) -> None:
    done = kingmaker("bench", "--only", "x")
    assert done.returncode == 2
    assert "`kingmaker bench --list` lists all" in done.stderr
