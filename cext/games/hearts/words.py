"""Hearts in words: moves, why one is refused, differences between two states, a picture of one.

Works on the views of notation.py; players are called p1 to p4, cards by their names.
"""

from typing import Any

from kingmaker.cext.change import Change

from .cards import HIDDEN, SUIT_NAMES, SUITS, TWO_OF_CLUBS, card_name, points_of

View = dict[str, Any]
Reason = tuple[str, str]

SHARE_OF_A_POINT = 1 / 78


def describe_move(view: View, move: View) -> str:
    """Say what a move or outcome does, to complete "p1 can ..."; an empty view tells nothing."""
    verb = move["verb"]
    if verb == "direction":
        side = move["direction"]
        return "keep all cards" if side == "none" else f"let the cards be passed {_way(side)}"
    name = card_name(move["card"])
    if verb == "deal":
        seat = view.get("node", "").partition(":")[2]
        return f"deal {name}" + (f" to {seat}" if seat else "")
    if verb == "pass":
        return f"set {name} aside to pass it on"
    if not view:
        return f"play {name}"
    trick = view["trick"]
    if not trick:
        return f"lead {name}"
    return f"{'follow with' if move['card'][1] == trick[0][1] else 'throw'} {name}"


def _way(direction: str) -> str:
    return direction if direction == "across" else f"to the {direction}"


# --- illegal moves --------------------------------------------------------------------------------


def why_illegal(view: View, move: View) -> Reason:
    """Say why a well-formed move is not possible now: (sentence, rule number)."""
    kind, _, seat = view["node"].partition(":")
    if kind == "end":
        return ("the game is over", "R1.8")
    if move["verb"] != kind:
        return (
            {
                "direction": "the direction of the pass is drawn now",
                "deal": "a card is being dealt now",
                "pass": f"{seat} sets cards aside now",
                "play": f"{seat} plays a card now",
            }[kind],
            {"direction": "R1.2", "deal": "R1.3", "pass": "R1.4", "play": "R1.5"}[kind],
        )
    if move["card"] == HIDDEN:
        return ("the card must be named", "R4.1")
    if kind == "deal":
        return (f"{card_name(move['card'])} is dealt already", "R1.3")
    hand = view["seats"][int(seat[1]) - 1]["hand"]
    if move["card"] not in hand and HIDDEN not in hand:
        return (
            f"{card_name(move['card'])} is not in the hand",
            "R1.4" if kind == "pass" else "R1.7",
        )
    return _why_no_play(view, move["card"], hand)


def _why_no_play(view: View, card: str, hand: list[str]) -> Reason:
    """Say why a card in the hand can't be played (R1.7)."""
    trick = view["trick"]
    if trick and card[1] != trick[0][1] and any(other[1] == trick[0][1] for other in hand):
        return (f"the seat has {SUIT_NAMES[trick[0][1]]} and must follow suit", "R1.7")
    if trick and points_of(card):
        return ("points are not played in the first trick while there is something else", "R1.7")
    if not trick and card[1] == "h":
        return ("hearts are not broken yet", "R1.7")
    if not trick and TWO_OF_CLUBS in hand:
        return ("the two of clubs leads to the first trick", "R1.7")
    return ("it is not among the legal moves", "R1.7")


# --- differences ----------------------------------------------------------------------------------


def changes(before: View, after: View, number: int) -> list[Change]:
    """Say what differs for a seat (from 1), the weightiest first."""
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
    return sorted(found, key=lambda change: -abs(change.gain))


def _is_broken(view: View) -> bool:
    cards = [*view["trick"], *(card for seat in view["seats"] for card in seat["played"])]
    return any(points_of(card) for card in cards)


def _received(view: View, number: int) -> list[str]:
    """The cards that a seat has got in the pass and still holds."""
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
