"""Tokens of moves and chance outcomes <-> their typed views (R12.1).

A view has the keys of the proto message KingdomCoinquestMove that its verb needs.
"""

from typing import Any

from .cards import CARD_INDEX, SUITS
from .validity import refusal

View = dict[str, Any]

UNITS = ("knight", "peasant")
SEATS = {f"p{seat}": seat for seat in range(1, 5)}
SPELLINGS = (
    "a move is one of draw:forge, draw:grave, draw:salvage:<card>, pass, prep:<card>, "
    "prep:<lead>+<partner>, equip:<unit>, attack:p<k>, queen:<card>, queen:<card>+<card>, "
    "ace:<card>:<unit>, ace:<card>+<card>:<unit>, hold, discard:<card>, salvage:<card>, scrap; "
    "an outcome is king:<suit> or deal:<card>"
)


def move_text(move: View) -> str:
    """Write the token of a move's view; what is absent counts as empty."""
    verb: str = move.get("verb", "")
    cards = "+".join(card for card in (move.get("card"), move.get("partner")) if card)
    if verb == "king":
        return f"king:{move.get('suit', '')}"
    if verb == "equip":
        return f"equip:{move.get('unit', '')}"
    if verb == "attack":
        return f"attack:p{move.get('seat', 0)}"
    if verb == "ace":
        return f"ace:{cards}:{move.get('unit', '')}"
    parts = (verb, move.get("source"), cards)
    return ":".join(part for part in parts if part)


def parse_move(text: str) -> View:
    """Return the view of a token.

    Raises:
        InputError: the token is none of the spellings of R12.1.
    """
    verb, _, argument = text.partition(":")
    if text in ("pass", "hold", "scrap"):
        return {"verb": verb}
    if text in ("draw:forge", "draw:grave"):
        return {"verb": verb, "source": argument}
    if verb == "draw" and argument[:8] == "salvage:" and argument[8:] in CARD_INDEX:
        return {"verb": verb, "source": "salvage", "card": argument[8:]}
    if verb in ("deal", "discard", "salvage") and argument in CARD_INDEX:
        return {"verb": verb, "card": argument}
    if text == "deal:?":  # as another seat sees it; possible nowhere
        return {"verb": verb, "card": "?"}
    if verb == "king" and len(argument) == 1 and argument in SUITS:
        return {"verb": verb, "suit": argument}
    if verb == "equip" and argument in UNITS:
        return {"verb": verb, "unit": argument}
    if verb == "attack" and argument in SEATS:
        return {"verb": verb, "seat": SEATS[argument]}
    if verb in ("prep", "queen"):
        return {"verb": verb} | _parse_cards(argument, text, is_ordered=verb == "queen")
    cards, _, unit = argument.partition(":")
    if verb == "ace" and unit in UNITS:
        return {"verb": verb} | _parse_cards(cards, text, is_ordered=True) | {"unit": unit}
    raise refusal("move", text, "R12.1", SPELLINGS)


def _parse_cards(text: str, token: str, *, is_ordered: bool) -> View:
    """Read one card, or a lead and its partner."""
    lead, plus, partner = text.partition("+")
    if lead not in CARD_INDEX or bool(plus) != (partner in CARD_INDEX):
        raise refusal("move", token, "R12.1", SPELLINGS)
    if not plus:
        return {"card": lead}
    if lead == partner or (is_ordered and CARD_INDEX[lead] > CARD_INDEX[partner]):
        raise refusal(
            "move",
            token,
            "R12.1",
            "a pair is two different cards, of queens and aces the first in card order first",
        )
    return {"card": lead, "partner": partner}
