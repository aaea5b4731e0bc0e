"""Whether a long search keeps to its memory limit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from kingmaker.search.analysis import MEGABYTE, Budget
from kingmaker.search.position import new_game
from kingmaker.search.run import Search

from .measure import Figure

LIMIT_BYTES = 64 * MEGABYTE


def _resident_bytes(field: str) -> int:
    """Read VmRSS (now) or VmHWM (peak) of this process."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"no {field} in /proc/self/status")


def search_ratio(seconds: float) -> float:
    """Search for a time and return the growth of the resident memory over the limit."""
    position, _ = new_game("kingdom_coinquest").settle(np.random.SFC64(1))
    observation = position.observe(position.seat)
    Search(observation, Budget(simulations=100), seed=1).run()
    before = _resident_bytes("VmRSS")
    Search(observation, Budget(milliseconds=1000 * seconds, memory_bytes=LIMIT_BYTES), seed=1).run()
    return (_resident_bytes("VmHWM") - before) / LIMIT_BYTES


def measure(quick: bool) -> Mapping[str, Figure]:
    """Run the search in a separate process, so that nothing else adds to the peak."""
    seconds = 5 if quick else 60
    code = f"from kingmaker.benchmarks.memory import search_ratio; print(search_ratio({seconds}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {"memory.search_60s.ratio_to_limit": Figure(float(done.stdout))}
