"""The net of what playouts end in with two seats; `benchmarks.evaluation_net` makes it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kingmaker.cext.net import Net

SEATS = 2
PATH = Path(__file__).with_name("two_seats.npz")


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where weights alone evaluate."""
    return _loaded() if num_seats == SEATS else None


@cache
def _loaded() -> Net:
    return Net.load(PATH)
