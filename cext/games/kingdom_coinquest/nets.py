"""The net of the evaluation with two seats; `benchmarks.evaluation_net` makes it.

With four seats one like it had a lower loss than the points, and won no more games.
"""

from __future__ import annotations

from pathlib import Path

from kingmaker.cext.net import Net
from kingmaker.cext.shipped_nets import shipped_net

SEATS = 2
PATH = Path(__file__).with_name("two_seats.npz")


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where points evaluate."""
    return shipped_net(PATH) if num_seats == SEATS else None
