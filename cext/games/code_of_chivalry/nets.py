"""The net of the evaluation with four seats and more; `benchmarks.chivalry_net` makes it.

With two seats one like it won no more than the weights at equal time, and with three it was not
better even without regard to time.
"""

from __future__ import annotations

from pathlib import Path

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_net

LEAST_SEATS = 4
PATH = Path(__file__).with_name("four_seats.npz")


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where weights evaluate."""
    return shipped_net(PATH) if num_seats >= LEAST_SEATS else None
