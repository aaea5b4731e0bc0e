"""What was learned: the nets of what playouts end in, and the factors of the policies.

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
TWO_SEATS_POLICY, MORE_SEATS_POLICY = (
    Path(__file__).with_name(f"{number}_seats_policy.npz") for number in ("two", "more")
)


def net_for(num_seats: int) -> Net:
    """Return the net for a number of seats."""
    return shipped_net(TWO_SEATS if num_seats == 2 else MORE_SEATS)


def policy_factors(num_seats: int) -> NDArray[np.float32]:
    """Return the factors of the policy, by row (policy_rows.pxd)."""
    return shipped_factors(TWO_SEATS_POLICY if num_seats == 2 else MORE_SEATS_POLICY)
