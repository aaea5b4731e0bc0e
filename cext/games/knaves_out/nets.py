"""What was learned for two seats: the net of what playouts end in, and the policy's factors.

`benchmarks.evaluation_net` makes the net, `benchmarks.playout_policy` the factors.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_net

SEATS = 2
"""With more seats weights alone evaluate, and the policy is made by hand."""
NET = Path(__file__).with_name("two_seats.npz")
POLICY = Path(__file__).with_name("policy.npz")


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where weights alone evaluate."""
    return shipped_net(NET) if num_seats == SEATS else None


@cache
def shipped_factors() -> NDArray[np.float32]:
    """Return the factors of the playout policy, by row (policy_rows.pxd)."""
    with np.load(POLICY) as policy:
        factors: NDArray[np.float32] = policy["factors"]
        return factors
