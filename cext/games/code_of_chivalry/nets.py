"""What was learned: nets of the evaluation and of priors, and the factors of the playout policy.

`benchmarks.chivalry_net` makes the net of the evaluation, for three seats and more. With two seats
one like it won no more than the weights at equal time. `benchmarks.playout_policy` makes the
factors, and `benchmarks.prior_net` the net that corrects them in priors, for two seats. With four
seats one like it made the search weaker.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_factors, shipped_net

LEAST_SEATS = 3
PATH = Path(__file__).with_name("four_seats.npz")
TWO_SEATS, MORE_SEATS = (
    Path(__file__).with_name(f"{number}_seats_policy.npz") for number in ("two", "more")
)
PRIORS = Path(__file__).with_name("two_seats_priors.npz")


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where weights evaluate."""
    return shipped_net(PATH) if num_seats >= LEAST_SEATS else None


def policy_factors(num_seats: int) -> NDArray[np.float32]:
    """Return the factors of the playout policy, by row (policy_rows.pxd)."""
    return shipped_factors(TWO_SEATS if num_seats == 2 else MORE_SEATS)


def prior_net_for(num_seats: int) -> Net | None:
    """Return the net that corrects the policy in priors; None where nothing does."""
    return shipped_net(PRIORS) if num_seats == 2 else None
