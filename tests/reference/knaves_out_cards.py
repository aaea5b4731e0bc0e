"""Cards, towers and knowledge records of Knaves Out (R1.2, R5, R13.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

RANKS = "a23456789tjqk"
SUITS = "cdhs"
JOKER = "jo"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
CANONICAL = {card: index for index, card in enumerate([*CARDS, JOKER])}  # R1.2
NUM_JOKERS = 2
FULL = len(RANKS)  # section 1: level of a tower that takes no more
TOWERS = "jqka"
COURT = "jqk"
ACE_OF_SPADES = "as"
RED, BLACK = "red", "black"

# The effects that can be devoured, in the order of R7; each lies under its own base (R6.7).
EFFECTS = {
    "lich": "k",
    "ladyluck": "q",
    "motorhead": "j",
    "crimson": "k",
    "sha": "j",
    "icequeen": "q",
}
SUIT_COURTS = {"h": "heart", "d": "diamond", "c": "club", "s": "spade"}

Record = tuple[int, int]  # mask of cards, least number of cards of the hand outside of it (R13.4)


def refuse(field: str, rule: str, reason: str) -> NoReturn:
    """Refuse a line: every error of the model names a field and a rule."""
    raise ValueError(f"{field}: {reason} ({rule})")


def sorted_cards(cards: Iterable[str]) -> tuple[str, ...]:
    """Bring cards into canonical order."""
    return tuple(sorted(cards, key=CANONICAL.__getitem__))


def rank_number(card: str) -> int:
    """Give the number of a card's rank, 1 to 13."""
    return RANKS.index(card[0]) + 1


def colour_of(card: str) -> str:
    """Give the colour of a card, a Joker has none."""
    return RED if card[1] in "dh" else BLACK


def remaining(cards: Iterable[str]) -> list[str]:
    """List what is left of the 54 cards of a player, in canonical order."""
    gone, num_jokers = set(), NUM_JOKERS
    for card in cards:
        gone.add(card)
        num_jokers -= card == JOKER
    return [card for card in CARDS if card not in gone] + [JOKER] * num_jokers


# Towers


def loose(entry: str) -> list[str]:
    """Give the cards of a stack entry: the card, and the Joker under it."""
    return [entry[:2], JOKER] if entry.endswith("*") else [entry[:2]]


@dataclass(frozen=True)
class Tower:
    """A base with what lies on it and under it."""

    base: str
    has_joker: bool = False
    devoured: tuple[tuple[str, tuple[str, ...]], ...] = ()  # effect and cards, in order of EFFECTS
    stack: tuple[str, ...] = ()  # bottom to top, a card with a Joker under it as `2d*`

    @property
    def height(self) -> int:
        """Count the stack cards."""
        return len(self.stack)

    @property
    def level(self) -> int:
        """Give the rank number of the last card (section 1)."""
        return len(self.stack) + self.first_rank() - 1

    def first_rank(self) -> int:
        """Give the rank number with which the stack begins (R5.4)."""
        return 2 if self.base == ACE_OF_SPADES else 1

    def takes(self, card: str) -> bool:
        """Tell whether a card has the next rank (R5.3)."""
        return self.level < FULL and rank_number(card) == self.level + 1

    def num_payable(self, colour: str | None) -> int:
        """Count the cards that can be spent from the top, those of a colour if one is asked."""
        if colour is None:
            return len(self.stack)
        number = 0
        while number < len(self.stack) and colour_of(self.stack[-1 - number]) == colour:
            number += 1
        return number

    def stack_cards(self) -> list[str]:
        """List the cards of the stack with their Jokers."""
        return [card for entry in self.stack for card in loose(entry)]

    def cards(self) -> list[str]:
        """List all cards of the tower, those under the base too (R5.8)."""
        base = [self.base, JOKER] if self.has_joker else [self.base]
        under = [card for _, cards in self.devoured for card in cards]
        return base + under + self.stack_cards()

    def text(self) -> str:
        """Print the tower (R14.2)."""
        under = "".join(f"({code}.{''.join(cards)})" for code, cards in self.devoured)
        return self.base + "*" * self.has_joker + under + "=" + "".join(self.stack)


def with_effect(tower: Tower, code: str) -> Tower:
    """Devour the stack of a tower (R6.7)."""
    devoured = [*tower.devoured, (code, tuple(tower.stack_cards()))]
    devoured.sort(key=lambda pair: list(EFFECTS).index(pair[0]))
    return Tower(tower.base, tower.has_joker, tuple(devoured))


# Knowledge records (R13.4)


def mask_of(cards: Iterable[str]) -> int:
    """Give the bits of the cards, Jokers left out."""
    return sum(1 << CANONICAL[card] for card in set(cards) if card != JOKER)


def is_in(mask: int, card: str) -> bool:
    """Tell whether a card is in a mask; a Joker never is."""
    return card != JOKER and bool(mask >> CANONICAL[card] & 1)


def after_shuffle(
    records: Iterable[Record], discard: Iterable[str], hand_size: int
) -> tuple[Record, ...]:
    """R13.4 (a)."""
    mask = mask_of(discard)
    known = [(old | mask, floor) for old, floor in records]
    if hand_size:
        known.append((mask, hand_size))
    return without_idle(known)


def after_leaving(records: Iterable[Record], cards: Iterable[str]) -> tuple[Record, ...]:
    """R13.4 (b)."""
    gone = list(cards)
    return without_idle(
        (mask, floor - sum(not is_in(mask, card) for card in gone)) for mask, floor in records
    )


def without_idle(records: Iterable[Record]) -> tuple[Record, ...]:
    """R13.4 (c)."""
    kept: list[Record] = []
    for mask, floor in records:
        if floor > (kept[-1][1] if kept else 0):
            kept.append((mask, floor))
    return tuple(kept)


def num_outside(mask: int, cards: Iterable[str]) -> int:
    """Count the cards that are not in a mask."""
    return sum(not is_in(mask, card) for card in cards)
