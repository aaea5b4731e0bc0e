"""The cards of Code of Chivalry, and the ways to play them (R1, R8, R12.1, R12.2, R13.2)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

# R1.1 in card order. The counts of minstrel and monk are options (R1.2).
DECK_TABLE = [
    ("peasant", "p", 24),
    ("soldier", "s", 16),
    ("knight", "k", 9),
    ("king", "g", 3),
    ("ninja", "n", 5),
    ("dragon", "d", 3),
    ("archer", "a", 6),
    ("castle", "c", 6),
    ("ladder", "l", 6),
    ("catapult", "u", 2),
    ("herald", "h", 2),
    ("merchant", "m", 2),
    ("traitor", "t", 2),
    ("highwayman", "w", 3),
    ("princess", "r", 2),
    ("executioner", "x", 2),
    ("jester", "j", 2),
    ("minstrel", "i", 0),
    ("monk", "o", 0),
]
CARDS = [card for card, _, _ in DECK_TABLE]
PLACES = {card: place for place, card in enumerate(CARDS)}
LETTERS = {card: letter for card, letter, _ in DECK_TABLE}
CARD_OF_LETTER = {letter: card for card, letter, _ in DECK_TABLE}
STRENGTHS = {"peasant": 1, "soldier": 2, "knight": 3, "king": 4}

# The roles of each kind of play, in the order of R12.2 (fortify: R3.6, special: R7).
ATTACK_ROLES = [*STRENGTHS, "ninja", "dragon", "archer", "ladder", "catapult"]
FORTIFY_ROLES = ["castle", "archer", "minstrel"]
SPECIAL_ROLES = ["herald", "merchant", "monk"]

MULTISET = re.compile(f"([{''.join(CARD_OF_LETTER)}])([0-9]*)")
REVOLT = re.compile("(p([0-9]*))?(P([0-9]*))?")  # R13.2: peasants before jesters

Cards = Counter[str]  # a multiset of physical cards, by name


def refuse(field: str, rule: str, reason: str) -> NoReturn:
    """Raise the error of text that is not valid."""
    raise ValueError(f"{field}: {reason} ({rule})")


def in_order(cards: Cards) -> list[str]:
    """List the types of a multiset in card order."""
    return sorted([card for card, count in cards.items() if count], key=PLACES.__getitem__)


def counted(letter: str, count: int) -> str:
    """Print a letter with its count, which is left out if it is 1 (R13.2)."""
    if count == 0:
        return ""
    return letter if count == 1 else f"{letter}{count}"


def cards_text(cards: Cards) -> str:
    """Print a multiset (R13.2)."""
    return "".join(counted(LETTERS[card], cards[card]) for card in in_order(cards)) or "-"


def read_cards(field: str, text: str) -> Cards:
    """Read a multiset (R13.2); whether it is canonical is seen by printing it."""
    cards: Cards = Counter()
    if text == "-":
        return cards
    if not re.fullmatch(f"({MULTISET.pattern})+", text):
        refuse(field, "R13.2", f"{text!r} is not a multiset of cards")
    for letter, count in MULTISET.findall(text):
        cards[CARD_OF_LETTER[letter]] += int(count or 1)
    return cards


@dataclass(frozen=True)
class Play:
    """A card, or the cards of a revolt, with the role that they play (R4.3, R8.1)."""

    role: str
    cards: Cards  # physical; never changed

    def card(self) -> str:
        """Give the physical card; not for a revolt of several."""
        [card] = self.cards.elements()
        return card

    def strength(self) -> int:
        """R4.3."""
        return self.cards.total() if self.role == "peasant" else STRENGTHS[self.role]

    def token(self) -> str:
        """Print as part of a move (R12.1)."""
        num_peasants, num_jesters = self.cards["peasant"], self.cards["jester"]
        if self.cards.total() == 1:
            return f"jester={self.role}" if num_jesters else self.role
        revolt = f"peasant*{num_peasants}"
        return f"{revolt}+jester*{num_jesters}" if num_jesters else revolt

    def text(self) -> str:
        """Print as the attack card of a position (R13.2)."""
        num_jesters = self.cards["jester"]
        if self.role == "peasant":
            return counted("p", self.cards["peasant"]) + counted("P", num_jesters)
        return role_letter(self.role, self.card())


def role_letter(role: str, card: str) -> str:
    """Print one card in a role: the role's letter, a capital if it is a jester (R13.2)."""
    return LETTERS[role].upper() if card == "jester" else LETTERS[role]


def read_role_letter(field: str, letter: str) -> tuple[str, str]:
    """Read what `role_letter` prints.

    Returns:
        The role and the physical card.
    """
    role = CARD_OF_LETTER.get(letter.lower())
    if role is None or role == "jester":
        refuse(field, "R13.2", f"{letter!r} is not the letter of a role")
    return role, "jester" if letter.isupper() else role


def read_attack_card(text: str) -> Play:
    """Read the attack card of a position (R13.2)."""
    match = REVOLT.fullmatch(text)
    if text and match:
        peasants = int(match[2] or 1) if match[1] else 0
        jesters = int(match[4] or 1) if match[3] else 0
        return Play("peasant", Counter(peasant=peasants, jester=jesters))
    role, card = read_role_letter("node", text)
    return Play(role, Counter([card]))


def read_play(token: str) -> Play:
    """Read what `Play.token` prints; only for tokens that are known to be right."""
    if token.startswith("jester="):
        return Play(token.removeprefix("jester="), Counter(["jester"]))
    cards: Cards = Counter()
    for part in token.split("+"):
        card, _, count = part.partition("*")
        cards[card] += int(count or 1)
    role = next(iter(cards))  # `peasant` stands first in a revolt
    return Play(role, cards)


def plays(hand: Cards, roles: Sequence[str]) -> list[Play]:
    """List all ways to play cards of a hand in some roles, in the order of R12.2."""
    found = []
    for role in roles:
        if role == "peasant":
            sizes = range(1, hand["peasant"] + 1)
            found += [Play(role, Counter(peasant=size)) for size in sizes]
        elif hand[role]:
            found.append(Play(role, Counter([role])))
    if hand["jester"]:
        found += [Play(role, Counter(["jester"])) for role in roles]
    if "peasant" in roles:
        found += mixed_revolts(hand)
    return found


def mixed_revolts(hand: Cards) -> list[Play]:
    """List the revolts of two and more with a jester, by jesters, then by peasants (R12.2)."""
    return [
        Play("peasant", Counter(peasant=num_peasants, jester=num_jesters))
        for num_jesters in range(1, hand["jester"] + 1)
        for num_peasants in range(hand["peasant"] + 1)
        if num_peasants + num_jesters >= 2
    ]
