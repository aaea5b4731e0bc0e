"""Machine instructions counted by callgrind, which unlike times don't depend on the load.

A whole Python process is counted twice, with different numbers of nodes to search; start-up and
table are in both counts, so the difference is the cost of the additional nodes.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from tempfile import TemporaryDirectory

from .measure import Figure

FEW_NODES, MANY_NODES = 500_000, 2_500_000


def expectimax(game: str, quick: bool) -> Mapping[str, Figure]:
    """Count instructions per state of expectimax; {} if valgrind is not installed."""
    if shutil.which("valgrind") is None:
        return {}
    many = MANY_NODES // 5 if quick else MANY_NODES
    few = FEW_NODES // 5 if quick else FEW_NODES
    search = f"from kingmaker.benchmarks.works import search_{game} as search; search({{}})"
    difference = _instructions(search.format(many)) - _instructions(search.format(few))
    return {f"{game}.expectimax.instructions_per_node": Figure(difference / (many - few))}


def _instructions(code: str) -> int:
    """Count the instructions of a Python process that runs this."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [
                *("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"),
                *(sys.executable, "-c", code),
            ],
            capture_output=True,
            text=True,
            check=True,
        )
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found is not None, done.stderr
    return int(found[1])
