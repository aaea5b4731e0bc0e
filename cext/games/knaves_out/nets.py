"""What was learned: the nets of what playouts end in, and the factors of the policy.

`benchmarks.playout_net` makes the nets, `benchmarks.playout_policy` the factors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_factors, shipped_net

TWO_SEATS, MORE_SEATS = (
    Path(__file__).with_name(f"{number}_seats.npz") for number in ("two", "more")
)
POLICY = Path(__file__).with_name("policy.npz")
"""Of two seats. It serves more seats better than one of theirs, see docs/training.md."""


def net_for(num_seats: int) -> Net:
    """Return the net for a number of seats."""
    return shipped_net(TWO_SEATS if num_seats == 2 else MORE_SEATS)


def policy_factors() -> NDArray[np.float32]:
    """Return the factors of the playout policy, by row (policy_rows.pxd)."""
    return shipped_factors(POLICY)
