"""Tokens of moves and chance outcomes <-> their typed views <-> their numbers (R13.1).

A view has the keys of the proto message KnightsDutyMove: `verb`, and as `choice` what stands
behind the colon. state.pxd says how a number is packed.
"""

from typing import Any

from .names import HIDDEN
from .refusals import refusal

View = dict[str, Any]

CHOICES = {  # verb, by number -> its choices, by number
    "clan": ("c0", "c1", "c2", "c3", "c4", "c5"),
    "place": ("", "sword", "spear", "bow", "shield", "parry", "move", "empty"),
    "step": ("", "stay", "n", "ne", "e", "se", "s", "sw", "w", "nw"),
    "claim": ("", "yes", "no"),
    "target": ("", "p1", "p2", "p3", "p4", "p5", "p6", "none"),
    "order": ("", "first", "wait"),
    "inspire": ("", "yes", "no"),
    "draw": ("", "heart", "shield"),
}
VERBS = tuple(CHOICES)
UNSEEN_VERBS = ("place", "step", "claim", "target", "order", "inspire")  # R12.1, R12.3
HIDDEN_NUMBER = 15
NOTATION_HELP = (
    "a move is clan:c<k>, place:sword, spear, bow, shield, parry, move or empty, step:stay or a "
    "direction (hex: ne e se sw w nw, square also n and s), claim:yes or no, target:p<k> or none, "
    "order:first or wait, inspire:yes or no; an outcome is draw:heart or draw:shield"
)


def move_text(move: View) -> str:
    """Write the token of a move's view; what is absent counts as empty."""
    return f"{move.get('verb', '')}:{move.get('choice', '')}"


def parse_move(text: str) -> View:
    """Return the view of a token.

    Raises:
        InputError: the token is none of the spellings of R13.1.
    """
    verb, _, choice = text.partition(":")
    is_unseen = verb in UNSEEN_VERBS and choice == HIDDEN  # as another seat sees it; never legal
    if not is_unseen and not (choice and choice in CHOICES.get(verb, ())):
        raise refusal("move", text, "R13.1", NOTATION_HELP)
    return {"verb": verb, "choice": choice}


def number(move: View) -> int:
    """Pack the view of a well-formed move as state.pxd says."""
    verb, choice = move["verb"], move["choice"]
    value = HIDDEN_NUMBER if choice == HIDDEN else CHOICES[verb].index(choice)
    return VERBS.index(verb) << 4 | value


def view(packed: int) -> View:
    """Unpack a move as state.pxd says."""
    verb, value = VERBS[packed >> 4], packed & 15
    return {"verb": verb, "choice": HIDDEN if value == HIDDEN_NUMBER else CHOICES[verb][value]}
