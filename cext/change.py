"""Differences between two states, in words."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from .words import result_name

Told = tuple[str, float]
"""A clause about a player, as in `Change`, and its gain for that player."""


class Change(NamedTuple):
    """A difference that concerns one seat, see `Game.changes`.

    Attributes:
        text: a clause with its own subject, such as "p2 drops from 20 to 12 health".
        gain: approximate gain of the seat, in win shares; negative for a loss.
    """

    text: str
    gain: float


def part_of_gain(player: int, seat: int, num_seats: int) -> float:
    """Return which part of a player's gain `seat` gains: the rivals lose it together.

    Seats count from 1; 0 is a spectator, who gains nothing.
    """
    if seat == 0:
        return 0.0
    return 1.0 if player == seat else -1 / (num_seats - 1)


def changes_of_players(
    told: Iterable[Iterable[Told]], seat: int, num_seats: int, unit: float = 1.0
) -> list[Change]:
    """Return what is told of each player, in the order of seats, as changes for `seat`.

    Gains are told in units of so many win shares; `seat` as for `part_of_gain`.
    """
    found = []
    for player, clauses in enumerate(told, 1):
        part = part_of_gain(player, seat, num_seats)
        found += [Change(text, round(gain * unit * part, 4) + 0.0) for text, gain in clauses]
    return found


def change_of_result(winners: Collection[int], seat: int) -> Change:
    """Return the end of a game, whose winners share the win equally, as a change for `seat`."""
    gain = 0.0 if seat == 0 else 1 / len(winners) if seat in winners else -1.0
    return Change(result_name(winners), gain)


def weightiest_first(changes: Iterable[Change]) -> list[Change]:
    """Sort changes by the size of their gain, the largest first."""
    return sorted(changes, key=lambda change: -abs(change.gain))
