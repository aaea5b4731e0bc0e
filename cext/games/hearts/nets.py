"""The factors of the playout policy, which `benchmarks.playout_policy` finds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PATH = Path(__file__).with_name("policy.npz")


@cache
def policy_factors() -> NDArray[np.float32]:
    """Return the factors by row (policy_rows.pxd)."""
    with np.load(PATH) as policy:
        factors: NDArray[np.float32] = policy["factors"]
        return factors
