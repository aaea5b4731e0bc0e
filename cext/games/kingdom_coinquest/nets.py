"""What was learned: the nets of the evaluation and the factors of the playout policy.

`benchmarks.evaluation_net` makes the nets, `benchmarks.playout_policy` the factors.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_factors, shipped_net

WORDS = {2: "two", 3: "three", 4: "four"}
NETS, POLICIES = (
    {number: Path(__file__).with_name(f"{word}_seats{end}.npz") for number, word in WORDS.items()}
    for end in ("", "_policy")
)


def net_for(num_seats: int) -> Net:
    """Return the net for a number of seats."""
    return shipped_net(NETS[num_seats])


def policy_factors(num_seats: int) -> NDArray[np.float32]:
    """Return the factors of the playout policy, by row (policy_rows.pxd)."""
    return shipped_factors(POLICIES[num_seats])
