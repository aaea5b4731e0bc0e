"""The cards of Code of Chivalry: names, letters, counts, roles, and multisets as text (R1, R13.2).

A *multiset* is a dict from card name to number of copies, at least 1, in card order.
"""

from collections.abc import Iterable, Mapping

Cards = dict[str, int]

BASE_COUNTS = {  # in card order (R1.1); minstrels and monks are options (R1.2)
    "peasant": 24,
    "soldier": 16,
    "knight": 9,
    "king": 3,
    "ninja": 5,
    "dragon": 3,
    "archer": 6,
    "castle": 6,
    "ladder": 6,
    "catapult": 2,
    "herald": 2,
    "merchant": 2,
    "traitor": 2,
    "highwayman": 3,
    "princess": 2,
    "executioner": 2,
    "jester": 2,
    "minstrel": 0,
    "monk": 0,
}
CARDS = list(BASE_COUNTS)
CARD_INDEX = {card: index for index, card in enumerate(CARDS)}
LETTERS = dict(zip(CARDS, "pskgndacluhmtwrxjio", strict=True))
CARD_OF_LETTER = {letter: card for card, letter in LETTERS.items()}
ROLES = [card for card in CARDS if card != "jester"]

STRENGTHS = {"peasant": 1, "soldier": 2, "knight": 3, "king": 4}
OTHER_ATTACKS = ("ninja", "dragon", "archer", "ladder", "catapult")
OTHER_RESPONSES = ("traitor", "princess", "executioner", "minstrel")
FORTIFICATIONS = ("castle", "archer", "minstrel")
SPECIALS = ("herald", "merchant", "monk")

HIDDEN = "?"


def total(cards: Mapping[str, int]) -> int:
    """Count the cards of a multiset."""
    return sum(cards.values())


def added(parts: Iterable[Mapping[str, int]]) -> Cards:
    """Join multisets to one."""
    counts = dict.fromkeys(CARDS, 0)
    for part in parts:
        for card, count in part.items():
            counts[card] += count
    return {card: count for card, count in counts.items() if count}


def contains(whole: Mapping[str, int], part: Mapping[str, int]) -> bool:
    """Tell whether `part` lies within `whole`."""
    return all(whole.get(card, 0) >= count for card, count in part.items())


def cards_text(cards: Mapping[str, int]) -> str:
    """Write a multiset (R13.2); what is none, such as a count below 0, no line may hold."""
    unknown = [card for card in cards if card not in CARD_INDEX]
    letters = [
        LETTERS[card] + ("" if cards[card] == 1 else str(cards[card]))
        for card in CARDS
        if cards.get(card)
    ]
    return "".join(letters + [f"({card})" for card in unknown]) or "-"
