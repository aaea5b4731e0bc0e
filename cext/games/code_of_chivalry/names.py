"""Names of cards, nodes and the numbers of reasons in sentences."""

from collections.abc import Mapping

from kingmaker.cext.reasons import Numbers, seat_name, seat_number

from .cards import CARDS

NODE_NAMES = (  # by `Phase`
    "the deal",
    "the draw",
    "the choice of the turn",
    "the fortifying",
    "the attack",
    "the answer to an attack card",
    "the chance to rob the gems in flight",
    "the laying of cards for the herald",
    "the choice among the laid cards",
    "the merchant's picking of cards",
    "the choice of the monk's tax",
    "the giving of cards to the monk's player",
)
PLURALS = {"highwayman": "highwaymen", "princess": "princesses"}  # the others take an s
PUBLIC = 6  # of state.pxd


def plural(card: str) -> str:
    """Name a card in the plural."""
    return PLURALS.get(card, f"{card}s")


def a_card(card: str, count: int = 1) -> str:
    """Name copies of a card: `a soldier`, `an archer`, `3 peasants`."""
    if count != 1:
        return f"{count} {plural(card)}"
    return f"{'an' if card[0] in 'ae' else 'a'} {card}"


def gems_that_win(count: int) -> str:
    """Write the number of gems to win: `1 gem wins`, `8 gems win`."""
    return "1 gem wins" if count == 1 else f"{count} gems win"


def cards_name(cards: Mapping[str, int]) -> str:
    """Name a multiset: `2 peasants, a king`."""
    return ", ".join(a_card(card, count) for card, count in cards.items()) or "nothing"


def copies(number: int) -> str:
    """Name copies of a card, from a code with the card in bits 0-7 and the number above."""
    return a_card(CARDS[number & 255], number >> 8)


NUMBERS = Numbers(
    name=CARDS.__getitem__,
    card=lambda card: a_card(CARDS[card]),
    copies=copies,
    held=lambda number: f"only {copies(number)}" if number >> 8 else f"no {CARDS[number]}",
    node=NODE_NAMES.__getitem__,
    knower=lambda row: "everybody" if row == PUBLIC else seat_name(row),
    viewer=lambda row: "0" if row == PUBLIC else seat_number(row),
    asked=("seat", "seller").__getitem__,
    hand=("hand", "num_hidden").__getitem__,
    pile=("draw", "num_draw").__getitem__,
)
"""Numbers of reasons; `hand` and `pile` are fields, by whether the cards are hidden, `asked` is one
by whether cards are taken."""
