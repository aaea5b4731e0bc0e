"""Which steps are legal and which of the chosen ones come to nothing (R6), on views."""

from collections import Counter
from typing import Any

from . import arena
from .arena import Space
from .views import knight_on, movers, space_of

View = dict[str, Any]


def destination(view: View, seat: int, choice: str) -> Space | None:
    """Return where a step leads; None if it leaves the arena or the Knight is nowhere."""
    space = space_of(view, seat)
    if space is None or choice == "stay":
        return space
    return arena.neighbour(view["options"], space, choice)


def is_legal_step(view: View, seat: int, choice: str) -> bool:
    """Tell whether a mover may choose `stay` or a direction (R6.2)."""
    if choice == "stay":
        return True
    if choice not in arena.directions(view["options"]):
        return False
    space = destination(view, seat, choice)
    if space is None:
        return False
    blocker = knight_on(view, space)
    return blocker is None or blocker in movers(view)


def contenders(view: View) -> dict[int, Space]:
    """Return who is asked for a claim, and for which space (R6.3, R6.4); all steps are known."""
    goals = _moves(view)
    if view["options"]["swap"] == "block":
        goals = _without_exchanges(view, goals)
    goals = _without_blocked(view, goals)
    counts = Counter(goals.values())
    return {seat: space for seat, space in goals.items() if counts[space] > 1}


def _moves(view: View) -> dict[int, Space]:
    """Map each Knight that tries to leave its space to where it goes."""
    chosen = {entry["seat"]: entry["choice"] for entry in view["steps"]}
    goals = {
        seat: destination(view, seat, choice) for seat, choice in chosen.items() if choice != "stay"
    }
    return {seat: space for seat, space in goals.items() if space is not None}


def _without_exchanges(view: View, goals: dict[int, Space]) -> dict[int, Space]:
    """Strike out pairs of moves that exchange two Knights."""
    starts = {space_of(view, seat): seat for seat in goals}
    return {
        seat: space
        for seat, space in goals.items()
        if goals.get(starts.get(space, 0)) != space_of(view, seat)
    }


def _without_blocked(view: View, goals: dict[int, Space]) -> dict[int, Space]:
    """Strike out moves to Knights that do not leave, until nothing changes."""
    while True:
        left = {
            seat: space
            for seat, space in goals.items()
            if (other := knight_on(view, space)) is None or other in goals
        }
        if left == goals:
            return left
        goals = left
