"""The nets of the evaluation, by the number of seats; `benchmarks.chivalry_net` makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kingmaker.cext.net import Net

TWO, MORE = "two_seats.npz", "more_seats.npz"


def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None if the files have none."""
    return _load(TWO if num_seats == 2 else MORE)


@cache
def _load(name: str) -> Net | None:
    path = Path(__file__).with_name(name)
    return Net.load(path) if path.exists() else None
