"""Nets and policies that ship with games, loaded once a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.net import Net


@cache
def shipped_net(path: Path) -> Net:
    """Return the net of a file."""
    return Net.load(path)


@cache
def shipped_factors(path: Path) -> NDArray[np.float32]:
    """Return the factors of a playout policy, by row, of a file of `benchmarks.playout_policy`."""
    with np.load(path) as policy:
        factors: NDArray[np.float32] = policy["factors"]
        return factors
