"""One difference between two states, in words."""

from typing import NamedTuple


class Change(NamedTuple):
    """What differs for one seat, see `Game.changes`.

    Attributes:
        text: a clause with its own subject, such as "p2 drops from 20 to 12 health".
        gain: how good that is for the seat, in rough units of the win share; < 0 is bad.
    """

    text: str
    gain: float
