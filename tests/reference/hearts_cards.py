"""Cards and seats of Hearts, and how their parts of a line are read and printed (section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

SUITS, RANKS = "cdhs", "23456789tjqka"  # R1.1: in card order; ranks from low to high
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
POINTS = {card: 1 for card in CARDS if card[1] == "h"} | {"qs": 13}
ALL_POINTS = 26
SEATS = (1, 2, 3, 4)
HAND_CARDS, GIVEN_CARDS = 13, 3
NONE, RANDOM, NOT_DRAWN = "none", "random", "_"
PASS_STEPS = {"left": 1, "across": 2, "right": 3}  # R1.2: clockwise from giver to receiver
DIRECTIONS = (NONE, *PASS_STEPS)
TAGS = {RANDOM: "hearts"} | {pass_: f"hearts;pass={pass_}" for pass_ in DIRECTIONS}  # section 5
FIELDS = ("direction", "p1", "p2", "p3", "p4", "trick", "node")  # R4.2
LETTERS = "cdhsq"  # R4.2
NODES = ("direction", "end", *(f"{kind}:p{n}" for kind in ("deal", "pass", "play") for n in SEATS))
OBSERVERS = {"@-": 0} | {f"@p{seat}": seat for seat in SEATS}
HIDDEN = "?"
NO_CARDS: frozenset[str] = frozenset()


def suit_of(card: str) -> str:
    """Give the letter of the suit."""
    return card[1]


def in_order(cards: AbstractSet[str]) -> list[str]:
    """List cards in card order (R1.1)."""
    return sorted(cards, key=CARDS.index)


def points_of(cards: AbstractSet[str]) -> int:
    """R1.1."""
    return sum(POINTS.get(card, 0) for card in cards)


def clockwise(seat: int, steps: int) -> int:
    """Give the seat so many steps on; backwards if negative."""
    return (seat - 1 + steps) % len(SEATS) + 1


def shown_by(card: str, led: str, is_first_trick: bool, is_broken: bool) -> set[str]:
    """Give the letters that a play adds (R3.5); of the leader, card and led one are the same."""
    letters = set()
    if card == led and suit_of(card) == "h" and not is_broken:
        letters |= {"c", "d", "s"}
    if suit_of(card) != suit_of(led):
        letters.add(suit_of(led))
        if is_first_trick and card in POINTS:
            letters |= {"c", "d", "q"}
    return letters


def is_excluded(card: str, letters: AbstractSet[str]) -> bool:
    """Tell whether a seat with these letters cannot hold a card (R3.5)."""
    suit = suit_of(card)
    return suit in letters or (suit == "s" and card != "qs" and "q" in letters)


def cards_text(cards: AbstractSet[str], seen: AbstractSet[str]) -> str:
    """Print a set of cards: first those that are seen, then a `?` for each other (R4.2, R4.4)."""
    return ",".join(in_order(cards & seen) + [HIDDEN] * len(cards - seen)) or "-"


def letters_text(letters: AbstractSet[str]) -> str:
    """Print the letters of what is shown (R4.2)."""
    return "".join(letter for letter in LETTERS if letter in letters) or "-"


def read_list(name: str, text: str) -> tuple[str, ...]:
    """Read cards in any order; the name is that of the field, for the message."""
    cards = () if text == "-" else tuple(text.split(","))
    for card in cards:
        if card not in CARDS:
            raise ValueError(f"{name}: {card!r} is not a card (R4.3a)")
    return cards


def read_set(name: str, text: str) -> frozenset[str]:
    """Read a set of cards, which is in card order."""
    cards = frozenset(read_list(name, text))
    if cards_text(cards, seen=cards) != text:
        raise ValueError(f"{name}: {text!r} is not in card order, or a card is twice (R4.3a)")
    return cards


def read_letters(name: str, text: str) -> frozenset[str]:
    """Read the letters of what is shown."""
    letters = frozenset(LETTERS) & frozenset(text)
    if letters_text(letters) != text:
        raise ValueError(f"{name}: {text!r} is not of the letters {LETTERS}, in order (R4.3a)")
    return letters


def read_points(name: str, text: str) -> int:
    """Read the points taken."""
    if text not in map(str, range(ALL_POINTS + 1)):
        raise ValueError(f"{name}: {text!r} is not 0 to {ALL_POINTS} points (R4.3a)")
    return int(text)


def split_line(line: str) -> tuple[str, dict[str, str]]:
    """Split a line into its tag and its fields."""
    tag, *fields = line.split(" ")
    if len(fields) != len(FIELDS):
        raise ValueError(f"line: {line!r} has not the fields {', '.join(FIELDS)} (R4.3a)")
    values = {}
    for name, field in zip(FIELDS, fields, strict=True):
        if not field.startswith(f"{name}="):
            raise ValueError(f"{name}: the field is not where it belongs (R4.3a)")
        values[name] = field[len(name) + 1 :]
    return tag, values


def split_seat(name: str, text: str) -> list[str]:
    """Split the field of a seat."""
    parts = text.split("/")
    if len(parts) != 5:
        raise ValueError(f"{name}: not <hand>/<played>/<given>/<shown>/<points> (R4.3a)")
    return parts


def without_hidden(text: str) -> tuple[str, int]:
    """Take the `?` out of the text of a set of cards, and count them."""
    cards = text.split(",")
    seen = [card for card in cards if card != HIDDEN]
    return ",".join(seen) or "-", len(cards) - len(seen)


def divide(cards: Sequence[str], places: Sequence[AbstractSet[str]]) -> list[str]:
    """Put a card into every place, by augmenting paths; some cards may be left over.

    Args:
        cards: what can be put there, each once.
        places: of each place the letters that its card must obey.

    Returns:
        The card of each place.

    Raises:
        ValueError: if this cannot be done.
    """
    place_of: dict[str, int] = {}

    def find_card(place: int, tried: set[str]) -> bool:
        for card in cards:
            if card in tried or is_excluded(card, places[place]):
                continue
            tried.add(card)
            if card not in place_of or find_card(place_of[card], tried):
                place_of[card] = place
                return True
        return False

    if not all(find_card(place, set()) for place in range(len(places))):
        raise ValueError("line: the unseen cards do not fit the hidden places (R4.4)")
    return sorted(place_of, key=place_of.__getitem__)


@dataclass(frozen=True)
class Seat:
    """What a position says of one seat (R4.2)."""

    hand: frozenset[str] = NO_CARDS
    played: frozenset[str] = NO_CARDS  # to finished tricks
    given: frozenset[str] = NO_CARDS  # or set aside
    shown: frozenset[str] = frozenset()
    points: int = 0

    @classmethod
    def read(cls, name: str, text: str) -> Seat:
        """Read the field of a seat (R4.3a)."""
        hand, played, given, shown, points = split_seat(name, text)
        return cls(
            read_set(name, hand),
            read_set(name, played),
            read_set(name, given),
            read_letters(name, shown),
            read_points(name, points),
        )

    def text(self, seen_in_hand: AbstractSet[str], seen_given: AbstractSet[str]) -> str:
        """Print the field, with a `?` for each card that is not seen."""
        parts = [
            cards_text(self.hand, seen_in_hand),
            cards_text(self.played, self.played),
            cards_text(self.given, seen_given),
            letters_text(self.shown),
            str(self.points),
        ]
        return "/".join(parts)
