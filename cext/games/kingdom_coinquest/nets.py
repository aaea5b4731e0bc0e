"""The nets of the evaluation; `benchmarks.evaluation_net` makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from kingmaker.cext.net import Net

SEATS: tuple[int, ...] = ()
"""Numbers of seats with a net."""


def path_of(num_seats: int) -> Path:
    """Return where the net for a number of seats is."""
    return Path(__file__).with_name(f"{num_seats}_seats.npz")


@cache
def net_for(num_seats: int) -> Net | None:
    """Return the net for a number of seats; None where points evaluate."""
    return Net.load(path_of(num_seats)) if num_seats in SEATS else None
