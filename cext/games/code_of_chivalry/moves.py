"""Tokens of moves and chance outcomes <-> their typed views <-> their numbers (R12.1).

A view has the keys of the proto message CodeOfChivalryMove that its verb needs. state.pxd says how
a number is packed.
"""

import re
from typing import Any

from .cards import (
    CARD_INDEX,
    CARDS,
    FORTIFICATIONS,
    HIDDEN,
    OTHER_ATTACKS,
    OTHER_RESPONSES,
    ROLES,
    SPECIALS,
    STRENGTHS,
)
from .refusals import refusal

View = dict[str, Any]

SEATS = {f"p{seat}": seat for seat in range(1, 7)}
REVOLT = re.compile(r"peasant\*([0-9]|[1-9][0-9])(?:\+jester\*([1-9]|[1-9][0-9]))?", re.ASCII)
MOST_PEASANTS, MOST_JESTERS = 24, 2  # in a deck
PLAIN = {  # what each verb plays without a jester's help
    "attack": (*STRENGTHS, *OTHER_ATTACKS),
    "respond": (*STRENGTHS, *OTHER_RESPONSES),
    "fortify": FORTIFICATIONS,
    "special": SPECIALS,
    "rob": ("highwayman",),
}
DISGUISED = {**PLAIN, "attack": tuple(ROLES), "respond": tuple(ROLES)}  # `jester=ROLE`
CARD_VERBS = ("deal", "draw", "take", "discard", "show", "give")
UNSEEN_VERBS = ("deal", "draw", "take", "show", "give")  # R11.1
PAYMENTS = ("gem", "cards")
NOTATION_HELP = (
    "a move is attack:p<k>:<play>, fortify:<card>, special:herald, special:monk, "
    "special:merchant:p<k>, discard:<card>, end, respond:<play>, pass, rob:highwayman, "
    "show:<card>, choose:p<k>, tax:gem, tax:cards or give:<card>; a play is a card, peasant*<k>, "
    "or peasant*<k>+jester*<j>; jester=<card> plays a jester as that card; an outcome is "
    "deal:<card>, draw:<card> or take:<card>"
)

VERBS = (  # by number; the tax has one for each payment
    "deal",
    "draw",
    "take",
    "attack",
    "fortify",
    "special",
    "discard",
    "end",
    "respond",
    "pass",
    "rob",
    "show",
    "choose",
    "tax",
    "tax",
    "give",
)
TAX_GEM = VERBS.index("tax")
HIDDEN_CARD = 31


# --- tokens -----------------------------------------------------------------------------------


def move_text(move: View) -> str:
    """Write the token of a move's view; what is absent counts as empty."""
    verb: str = move.get("verb", "")
    seat = f"p{move.get('seat', 0)}"
    if verb == "attack":
        return f"attack:{seat}:{_play_text(move)}"
    if verb == "special" and move.get("role") == "merchant":
        return f"special:{_play_text(move)}:{seat}"
    if verb in PLAIN:
        return f"{verb}:{_play_text(move)}"
    if verb == "choose":
        return f"choose:{seat}"
    if verb == "tax":
        return f"tax:{move.get('payment', '')}"
    return f"{verb}:{move.get('card', '')}" if verb in CARD_VERBS else verb


def _play_text(move: View) -> str:
    role = move.get("role", "")
    num_jesters = move.get("num_jesters", 0)
    num_cards = move.get("num_cards", 0) or int(not num_jesters)
    if (num_cards, num_jesters) == (1, 0):
        return str(role)
    if (num_cards, num_jesters) == (0, 1):
        return f"jester={role}"
    return f"{role}*{num_cards}" + (f"+jester*{num_jesters}" if num_jesters else "")


def parse_move(text: str) -> View:
    """Return the view of a token.

    Raises:
        InputError: the token is none of the spellings of R12.1.
    """
    verb, _, argument = text.partition(":")
    if text in ("end", "pass"):
        return {"verb": verb}
    if verb in CARD_VERBS and argument in CARD_INDEX:
        return {"verb": verb, "card": argument}
    if verb in UNSEEN_VERBS and argument == HIDDEN:  # as another seat sees it; possible nowhere
        return {"verb": verb, "card": HIDDEN}
    if verb == "choose" and argument in SEATS:
        return {"verb": verb, "seat": SEATS[argument]}
    if verb == "tax" and argument in PAYMENTS:
        return {"verb": verb, "payment": argument}
    if verb == "attack":
        seat, _, play = argument.partition(":")
        if seat in SEATS:
            return {"verb": verb, "seat": SEATS[seat], **_parse_play(verb, play, text)}
    if verb == "special":
        play, colon, seat = argument.partition(":")
        view = {"verb": verb, **_parse_play(verb, play, text)}
        if view["role"] != "merchant" and not colon:
            return view
        if view["role"] == "merchant" and seat in SEATS:
            return view | {"seat": SEATS[seat]}
    if verb in ("fortify", "respond", "rob"):
        return {"verb": verb, **_parse_play(verb, argument, text)}
    raise refusal("move", text, "R12.1", NOTATION_HELP)


def _parse_play(verb: str, text: str, token: str) -> View:
    if text in PLAIN[verb]:
        return {"role": text, "num_cards": 1, "num_jesters": 0}
    if text == "jester=jester":
        wanted = "a jester plays another card than itself, such as jester=king"
        raise refusal("move", token, "R8.1", wanted)
    if text[:7] == "jester=" and text[7:] in DISGUISED[verb]:
        return {"role": text[7:], "num_cards": 0, "num_jesters": 1}
    if verb in ("attack", "respond") and (found := REVOLT.fullmatch(text)):
        return _revolt(int(found[1]), int(found[2] or "0"), token)
    raise refusal("move", token, "R12.1", NOTATION_HELP)


def _revolt(num_peasants: int, num_jesters: int, token: str) -> View:
    if num_peasants > MOST_PEASANTS or num_jesters > MOST_JESTERS or num_peasants + num_jesters < 2:
        wanted = (
            f"peasant*<k>+jester*<j> is two cards or more, at most {MOST_PEASANTS} peasants and "
            f"{MOST_JESTERS} jesters; one alone is peasant or jester=peasant"
        )
        raise refusal("move", token, "R12.1", wanted)
    return {"role": "peasant", "num_cards": num_peasants, "num_jesters": num_jesters}


# --- numbers ----------------------------------------------------------------------------------


def number(move: View) -> int:
    """Pack the view of a well-formed move as state.pxd says."""
    verb: str = move["verb"]
    code = VERBS.index(verb) + (move.get("payment") == "cards")
    name = move.get("role") or move.get("card")
    card = HIDDEN_CARD if name == HIDDEN else CARD_INDEX[name] if name else 0
    seat = move["seat"] - 1 if "seat" in move else 0
    peasants = move["num_cards"] if name == "peasant" and "role" in move else 0
    return code | card << 8 | seat << 16 | peasants << 24 | int(move.get("num_jesters", 0)) << 29


def view(packed: int) -> View:
    """Unpack a move as state.pxd says."""
    code, card, seat = packed & 255, packed >> 8 & 255, (packed >> 16 & 255) + 1
    peasants, num_jesters = packed >> 24 & 31, packed >> 29
    verb = VERBS[code]
    if verb in CARD_VERBS:
        return {"verb": verb, "card": HIDDEN if card == HIDDEN_CARD else CARDS[card]}
    if verb == "tax":
        return {"verb": verb, "payment": PAYMENTS[code - TAX_GEM]}
    if verb == "choose":
        return {"verb": verb, "seat": seat}
    if verb not in PLAIN:
        return {"verb": verb}
    role = CARDS[card]
    is_revolt = role == "peasant"
    play = {"role": role, "num_cards": peasants if is_revolt else 1 - num_jesters}
    found = {"verb": verb, **play, "num_jesters": num_jesters}
    has_seat = verb == "attack" or (verb, role) == ("special", "merchant")
    return found | {"seat": seat} if has_seat else found
