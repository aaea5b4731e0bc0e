"""One difference between two states, in words."""

from typing import NamedTuple


class Change(NamedTuple):
    """A difference that concerns one seat, see `Game.changes`.

    Attributes:
        text: a clause with its own subject, such as "p2 drops from 20 to 12 health".
        gain: approximate gain of the seat, in win shares; negative for a loss.
    """

    text: str
    gain: float
