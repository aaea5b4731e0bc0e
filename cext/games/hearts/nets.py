"""The factors of the playout policy, which `benchmarks.playout_policy` finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.shipped_nets import shipped_factors

PATH = Path(__file__).with_name("policy.npz")


def policy_factors() -> NDArray[np.float32]:
    """Return the factors by row (policy_rows.pxd)."""
    return shipped_factors(PATH)
