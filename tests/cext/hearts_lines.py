"""Position lines of Hearts late in a game, from the few cards that matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SUITS, RANKS = "cdhs", "23456789tjqka"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
DIRECTIONS = ["none", "left", "across", "right"]


def points_of(card: str) -> int:
    return 13 if card == "qs" else int(card[1] == "h")


def in_order(cards: Sequence[str]) -> str:
    return ",".join(sorted(cards, key=DECK.index)) or "-"


def late_position(
    hands: Sequence[str],
    node: str,
    *,
    trick: str = "",
    shown: Sequence[str] = ("", "", "", ""),
    direction: str = "none",
    given: Mapping[int, str] | None = None,
) -> str:
    """Write a valid position line with the cards that are not named in the played ones.

    Args:
        hands: the cards of each seat, such as "2c qs".
        node: such as "play:p3"; tells whose the cards of the trick are.
        trick: its cards in order.
        shown: the letters of each seat.
        direction: of the pass.
        given: what a seat (from 1) has given and is still in its receiver's hand; the other
            given cards are played ones.
    """
    in_hand = [hand.split() for hand in hands]
    rest = [c for c in DECK if c not in sum(in_hand, trick.split())]
    played = [rest[seat::4] for seat in range(4)]
    points = [sum(map(points_of, rest)), 0, 0, 0]
    seats = []
    for seat in range(4):
        receiver = (seat + DIRECTIONS.index(direction)) % 4
        gave = (given or {}).get(seat + 1, "").split()
        gave += played[receiver][: 3 - len(gave)] if direction != "none" else []
        cards = "/".join(map(in_order, (in_hand[seat], played[seat], gave)))
        seats.append(f"p{seat + 1}={cards}/{shown[seat] or '-'}/{points[seat]}")
    ordered = ",".join(trick.split()) or "-"
    return f"hearts direction={direction} {' '.join(seats)} trick={ordered} node={node}"
