"""Tokens of moves and chance outcomes <-> their typed views <-> their numbers (section 13).

A view has the keys of the proto message ChessaultMove that its verb needs. state.pxd says how a
number is packed. `faces:ppk` is no outcome of a node: it is how the three faces of real dice may be
handed in, to be reduced to one (R12.5).
"""

from typing import Any

from .names import (
    ABILITIES,
    LETTERS,
    SQUARE_INDEX,
    SQUARES,
    TYPE_OF_LETTER,
    TYPES,
)
from .refusals import FORM, refusal, refuse_unused

View = dict[str, Any]

VERBS = (  # by number
    "deploy",
    "buy",
    "done",
    "place",
    "sacrifice",
    "roll",
    "pass",
    "recruit",
    "resurrect",
    "king",
    "move",
    "promote",
    "keep",
    "hold",
    "explode",
    "convert",
    "dice",
    "faces",
)
TYPE_VERBS = ("deploy", "buy", "recruit", "resurrect", "promote")
SQUARE_VERBS = ("place", "sacrifice", "convert")
PLAIN_VERBS = ("done", "roll", "pass", "hold", "explode")
STEP_VERBS = ("king", "move")
NUM_DICE = 3
NOTATION_HELP = (
    "a move is deploy:<t>, buy:<t>, done, place:<sq>, sacrifice:<sq>, roll, pass, recruit:<t>, "
    "resurrect:<t>, king:<sq>-<sq>, move:<sq>-<sq>, promote:<t>, keep:protect, keep:explode, "
    "keep:convert, hold, explode or convert:<sq>, with a type t of p n b r q k and a square a0 to "
    "h9; an outcome is dice: and the rolled types that can move, in the order pnbrqk, or dice:-; "
    "three real dice may be given as faces:<t><t><t>"
)


# --- tokens -----------------------------------------------------------------------------------


def move_text(move: View) -> str:
    """Write the token of a move's view; what is absent counts as empty.

    Raises:
        InputError: a field is set that its verb does not have, which no token would show.
    """
    verb: str = move.get("verb", "")
    refuse_unused(move, ("verb", *_arguments(verb)), verb)
    if verb in TYPE_VERBS:
        return f"{verb}:{_letter(move.get('type', ''))}"
    if verb in SQUARE_VERBS:
        return f"{verb}:{move.get('square', '')}"
    if verb in STEP_VERBS:
        return f"{verb}:{move.get('source', '')}-{move.get('target', '')}"
    if verb == "keep":
        return f"keep:{move.get('ability', '')}"
    if verb in ("dice", "faces"):
        return f"{verb}:{''.join(map(_letter, move.get('types', []))) or '-'}"
    return verb if verb in PLAIN_VERBS else f"({verb})"


def _arguments(verb: str) -> tuple[str, ...]:
    """Name the fields that a verb has in a view."""
    if verb in TYPE_VERBS:
        return ("type",)
    if verb in SQUARE_VERBS:
        return ("square",)
    if verb in STEP_VERBS:
        return ("source", "target")
    if verb == "keep":
        return ("ability",)
    return ("types",) if verb in ("dice", "faces") else ()


def _letter(kind: str) -> str:
    return LETTERS.get(kind, f"({kind})")


def parse_move(text: str) -> View:
    """Return the view of a token.

    Raises:
        InputError: the token is none of the spellings of section 13.
    """
    verb, _, argument = text.partition(":")
    if text in PLAIN_VERBS:
        return {"verb": verb}
    if verb in TYPE_VERBS and argument in TYPE_OF_LETTER:
        return {"verb": verb, "type": TYPE_OF_LETTER[argument]}
    if verb in SQUARE_VERBS and argument in SQUARE_INDEX:
        return {"verb": verb, "square": argument}
    if verb in STEP_VERBS:
        source, _, target = argument.partition("-")
        if source in SQUARE_INDEX and target in SQUARE_INDEX:
            return {"verb": verb, "source": source, "target": target}
    if verb == "keep" and argument in ABILITIES:
        return {"verb": verb, "ability": argument}
    if verb == "dice":
        return {"verb": verb, "types": _rolled(argument, text)}
    if verb == "faces":
        return {"verb": verb, "types": _faces(argument, text)}
    raise refusal("move", text, FORM, NOTATION_HELP)


def _rolled(letters: str, token: str) -> list[str]:
    types = [kind for kind in TYPES if LETTERS[kind] in letters]
    if letters != ("".join(LETTERS[kind] for kind in types) or "-") or len(types) > NUM_DICE:
        wanted = (
            "dice: is followed by at most three letters, once each in the order pnbrqk, or by -; "
            "three faces as they fell are faces: and three letters"
        )
        raise refusal("move", token, "R12.4", wanted)
    return types


def _faces(letters: str, token: str) -> list[str]:
    if len(letters) != NUM_DICE or not all(letter in TYPE_OF_LETTER for letter in letters):
        wanted = "faces: is followed by the three faces of the dice, letters of pnbrqk in any order"
        raise refusal("move", token, "R12.5", wanted)
    return [TYPE_OF_LETTER[letter] for letter in letters]


# --- numbers ----------------------------------------------------------------------------------


def number(move: View) -> int:
    """Pack the view of a well-formed move as state.pxd says."""
    verb: str = move["verb"]
    return VERBS.index(verb) | _argument(verb, move) << 8


def _argument(verb: str, move: View) -> int:
    if verb in TYPE_VERBS:
        return 1 + TYPES.index(move["type"])
    if verb in SQUARE_VERBS:
        return SQUARE_INDEX[move["square"]]
    if verb in STEP_VERBS:
        return SQUARE_INDEX[move["source"]] | SQUARE_INDEX[move["target"]] << 8
    if verb == "keep":
        return 1 + ABILITIES.index(move["ability"])
    numbers = [1 + TYPES.index(kind) for kind in move.get("types", [])]
    if verb == "faces":
        return sum(number << 8 * die for die, number in enumerate(numbers))
    return sum(1 << number for number in numbers)


def view(packed: int) -> View:
    """Unpack a move as state.pxd says."""
    verb, first, second, third = (packed >> shift & 255 for shift in (0, 8, 16, 24))
    name = VERBS[verb]
    if name in TYPE_VERBS:
        return {"verb": name, "type": TYPES[first - 1]}
    if name in SQUARE_VERBS:
        return {"verb": name, "square": SQUARES[first]}
    if name in STEP_VERBS:
        return {"verb": name, "source": SQUARES[first], "target": SQUARES[second]}
    if name == "keep":
        return {"verb": name, "ability": ABILITIES[first - 1]}
    if name == "dice":
        return {"verb": name, "types": [kind for i, kind in enumerate(TYPES, 1) if first >> i & 1]}
    if name == "faces":
        return {"verb": name, "types": [TYPES[face - 1] for face in (first, second, third)]}
    return {"verb": name}
