"""Hearts in words: moves, differences between two states, a picture of one.

Works on the views of notation.py; players are called p1 to p4, cards by their names.
"""

from typing import Any

from kingmaker.cext.change import Change, weightiest_first

from .cards import HIDDEN, SUIT_NAMES, SUITS, card_name

View = dict[str, Any]

SHARE_OF_A_POINT = 1 / 78


def describe_move(view: View, move: View) -> str:
    """Describe a move or outcome in words that complete "p1 can ..."."""
    kind, seat = view["node"]["type"], view["node"]["seat"]
    if move["verb"] == kind == "deal":
        return f"{describe_anywhere(move)} to p{seat}"
    if move["verb"] != "play":
        return describe_anywhere(move)
    trick = view["trick"]
    suit = move["card"][1]
    verb = "lead" if not trick else "follow with" if suit == trick[0][1] else "throw"
    return f"{verb} {card_name(move['card'])}"


def describe_anywhere(move: View) -> str:
    """Describe a move or outcome in words that hold in every state."""
    if move["verb"] == "direction":
        side = move["direction"]
        return "keep all cards" if side == "none" else f"let the cards be passed {_way(side)}"
    name = card_name(move["card"])
    return f"set {name} aside to pass it on" if move["verb"] == "pass" else f"{move['verb']} {name}"


def _way(direction: str) -> str:
    return direction if direction == "across" else f"to the {direction}"


# --- differences ----------------------------------------------------------------------------------


def changes(before: View, after: View, number: int) -> list[Change]:
    """List the changes for a seat (from 1), the weightiest first."""
    found = []
    for seat, (old, new) in enumerate(zip(before["seats"], after["seats"], strict=True), start=1):
        taken = new["points"] - old["points"]
        if taken > 0:
            found.append(
                Change(
                    f"p{seat} takes {taken} point" + "s" * (taken != 1),
                    (-taken if seat == number else taken / 3) * SHARE_OF_A_POINT,
                )
            )
        found += [
            Change(f"p{seat} has no more {SUIT_NAMES[suit]}", 0.0)
            for suit in SUITS
            if suit in new["shown"] and suit not in old["shown"]
        ]
    if _is_broken(after) and not _is_broken(before):
        found.append(Change("hearts are broken", 0.0))
    received = _received(after, number) if not _received(before, number) else []
    if received and before["node"] != after["node"]:
        found.append(Change(f"p{number} gets {', '.join(map(card_name, received))}", 0.0))
    return weightiest_first(found)


def _is_broken(view: View) -> bool:
    cards = [*view["trick"], *(card for seat in view["seats"] for card in seat["played"])]
    return any(card[1] == "h" or card == "qs" for card in cards)


def _received(view: View, number: int) -> list[str]:
    """The cards that a seat received in the pass and still holds."""
    hand = set(view["seats"][number - 1]["hand"])
    given = [card for seat in view["seats"] for card in seat["given"]]
    return [card for card in given if card in hand]


# --- pictures -------------------------------------------------------------------------------------


def render(view: View) -> str:
    """Draw a state or observation as plain text: a line for each seat, the trick, the pass."""
    lines = [
        f"p{number} {_hand_text(seat['hand'])}   points {seat['points']}"
        for number, seat in enumerate(view["seats"], start=1)
    ]
    lines += [
        f"p{number} gave {' '.join(seat['given'])}"
        for number, seat in enumerate(view["seats"], start=1)
        if set(seat["given"]) - {HIDDEN}
    ]
    trick = " ".join(view["trick"]) or "-"
    lines.append(
        f"pass {view['direction'] or '-'}   trick {trick}   "
        + ("hearts are broken" if _is_broken(view) else "hearts are not broken")
    )
    return "\n".join(lines)


def _hand_text(hand: list[str]) -> str:
    """Write a hand suit by suit, high cards first: `c KT4  d -  h A  s Q  ??`."""
    suits = [
        f"{suit} {''.join(card[0] for card in reversed(hand) if card[1:] == suit).upper() or '-'}"
        for suit in SUITS
    ]
    hidden = "?" * hand.count(HIDDEN)
    return "  ".join(suits) + (f"  {hidden}" if hidden else "")
