"""Small questions to a view: who stands where, who may reach whom, what a pile holds."""

from fractions import Fraction
from typing import Any

from . import arena
from .arena import Space

View = dict[str, Any]

RANGES = {"sword": 2, "spear": 3, "bow": 4}  # R8.1
HEARTS_IN_PILE = {"sword": 3, "spear": 2, "bow": 1}  # of four cards (R9.1)


def standing(view: View) -> list[int]:
    """List the seats whose Knight is on the board, defeated ones included."""
    return [seat for seat, player in enumerate(view["players"], 1) if player["heart"] != "out"]


def space_of(view: View, seat: int) -> Space | None:
    """Return where a Knight stands; None if it is out or has no corner yet."""
    space = view["players"][seat - 1].get("space")
    return (space["q"], space["r"]) if space else None


def knight_on(view: View, space: Space) -> int | None:
    """Return the seat whose Knight stands on a space, if there is one."""
    return next((seat for seat in standing(view) if space_of(view, seat) == space), None)


def initiative(view: View) -> list[int]:
    """List all seats in the initiative order of the turn, also those that are out (section 2)."""
    num_seats = len(view["players"])
    first = (view["turn"] - 1) % num_seats
    return [(first + step) % num_seats + 1 for step in range(num_seats)]


def revealed(view: View, seat: int) -> str:
    """Return the token of a seat in the present slot; empty if the seat is out."""
    tracker = view["players"][seat - 1]["tracker"]
    return tracker[view["slot"] - 1] if tracker and view["slot"] else ""


def movers(view: View) -> list[int]:
    """List the seats that move in this slot."""
    return [seat for seat in standing(view) if revealed(view, seat) == "move"]


def is_attacker(view: View, seat: int) -> bool:
    """Tell whether the revealed token of a standing player is its weapon (R7.2)."""
    weapon = view["players"][seat - 1]["weapon"]
    return bool(weapon) and revealed(view, seat) == weapon


def gap(view: View, seat: int, other: int) -> int | None:
    """Return the distance of two Knights; None if one of them is not on the board."""
    start, end = space_of(view, seat), space_of(view, other)
    return arena.distance(view["options"], start, end) if start and end else None


def is_in_range(view: View, seat: int, other: int) -> bool:
    """Tell whether a seat may attack another one with its weapon (R8.1)."""
    distance = gap(view, seat, other)
    weapon = view["players"][seat - 1]["weapon"]
    return distance is not None and 1 <= distance <= RANGES.get(weapon, 0)


def in_range(view: View, seat: int) -> list[int]:
    """List the standing opponents that a seat may attack with its weapon (R8.3)."""
    return [other for other in standing(view) if is_in_range(view, seat, other)]


def choice_of(view: View, kind: str, seat: int) -> str | None:
    """Return what a seat has chosen, in a list of choices; None if it is not in the list."""
    return next((entry["choice"] for entry in view[kind] if entry["seat"] == seat), None)


def sharing(view: View) -> list[int]:
    """List the attackers that share their target with another one, by seat (R8.5)."""
    named = [entry["choice"] for entry in view["targets"]]
    return [entry["seat"] for entry in view["targets"] if named.count(entry["choice"]) > 1]


def is_up(view: View, seat: int) -> bool:
    """Tell whether the Inspiration of a seat can be used (R10.1)."""
    return bool(view["players"][seat - 1]["inspiration_up"])


def pile(
    view: View, attacker: int, target: int, attacker_uses: bool = False, target_uses: bool = False
) -> tuple[int, int]:
    """Return (hearts, shields) of the pile of a combat, with or without Inspirations (R9)."""
    hearts = HEARTS_IN_PILE[view["players"][attacker - 1]["weapon"]]
    is_defending = revealed(view, target) == "shield"
    sum_of_hearts = hearts - is_defending + attacker_uses - target_uses
    return max(0, sum_of_hearts), 4 - hearts + is_defending


def pile_now(view: View) -> tuple[int, int]:
    """Return the pile of the present combat, with the Inspirations that are known to be used."""
    combat = view["attacks"][0]
    return pile(
        view,
        combat["attacker"],
        combat["target"],
        view["attacker_inspiration"] == "yes",
        view["target_inspiration"] == "yes",
    )


def hit_chance(hearts: int, shields: int) -> Fraction:
    """Return how likely the attacker picks a heart from a pile (R9.5)."""
    return Fraction(hearts, hearts + shields)
