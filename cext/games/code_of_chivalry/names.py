"""Names of nodes and cards for sentences."""

from collections.abc import Mapping

NODE_NAMES = {
    "deal": "the deal",
    "draw": "the draw",
    "main": "the choice of the turn",
    "fortify": "the fortifying",
    "attack": "the attack",
    "respond": "the answer to an attack card",
    "rob": "the chance to rob the gems in flight",
    "show": "the laying of cards for the herald",
    "choose": "the choice among the laid cards",
    "take": "the merchant's picking of cards",
    "tax": "the choice of the monk's tax",
    "give": "the giving of cards to the monk's player",
    "over": "the end",
}


PLURALS = {"highwayman": "highwaymen", "princess": "princesses"}  # the others take an s


def plural(card: str) -> str:
    """Name a card in the plural."""
    return PLURALS.get(card, f"{card}s")


def a_card(card: str, count: int = 1) -> str:
    """Name copies of a card: `a soldier`, `an archer`, `3 peasants`."""
    if count != 1:
        return f"{count} {plural(card)}"
    return f"{'an' if card[0] in 'ae' else 'a'} {card}"


def gems_that_win(count: int) -> str:
    """Say how many gems win: `1 gem wins`, `8 gems win`."""
    return "1 gem wins" if count == 1 else f"{count} gems win"


def cards_name(cards: Mapping[str, int]) -> str:
    """Name a multiset: `2 peasants, a king`."""
    return ", ".join(a_card(card, count) for card, count in cards.items()) or "nothing"
