"""What was learned: the net of the evaluation with two seats and the factors of the playout policy.

`benchmarks.evaluation_net` makes the net. With four seats one like it had a lower loss than the
points, and won no more games. `benchmarks.playout_policy` makes the factors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_factors, shipped_net

SEATS = 2
PATH = Path(__file__).with_name("two_seats.npz")
POLICIES = {
    number: Path(__file__).with_name(f"{word}_seats_policy.npz")
    for number, word in ((2, "two"), (3, "three"), (4, "four"))
}


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where points evaluate."""
    return shipped_net(PATH) if num_seats == SEATS else None


def policy_factors(num_seats: int) -> NDArray[np.float32]:
    """Return the factors of the playout policy, by row (policy_rows.pxd)."""
    return shipped_factors(POLICIES[num_seats])
