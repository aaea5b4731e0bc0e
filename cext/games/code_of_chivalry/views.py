"""What the fields of a view come to: who decides, how many cards, what wins."""

from typing import Any

from .cards import Cards, total

View = dict[str, Any]


def asked_seat(view: View) -> int:
    """Return the seat that decides; 0 at chance nodes and at the end."""
    node = view["node"]
    if node["type"] in ("main", "fortify", "attack", "choose"):
        return int(view["active"])
    if node["type"] in ("respond", "rob", "show", "tax", "give"):
        return int(node["seat"])
    return 0


def num_cards(view: View, seat: int) -> int:
    """Count the cards in a hand, seen or not."""
    player = view["players"][seat - 1]
    return total(player["hand"]) + int(player["num_hidden"])


def rivals(view: View) -> list[int]:
    """List the rivals of the active player, clockwise from its left."""
    num_seats, active = len(view["players"]), view["active"]
    return [(active + step - 1) % num_seats + 1 for step in range(1, num_seats)]


def is_hidden(view: View, seat: int) -> bool:
    """Tell whether the hand of a seat is one that the observer does not see."""
    return view.get("observer") not in (None, seat)


def target(view: View) -> int:
    """Return the gems needed to win now (R9.1)."""
    values = view["options"]
    lowered = values["target_gems"] - values["reshuffle_step"] * view["reshuffles"]
    return int(max(values["target_floor"], lowered))


def known_of(view: View, holder: int) -> Cards:
    """Return the row that the observer of an observation has of a hand."""
    rows = [row for row in view["known"] if row["holder"] == holder]
    cards: Cards = rows[-1]["cards"] if rows else {}  # rows of seats come after those of `*`
    return cards
