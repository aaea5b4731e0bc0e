"""The node field of a line <-> its typed view (section 13)."""

from typing import Any

from kingmaker.cext.errors import InputError

from .names import (
    ABILITIES,
    ABILITY_LETTERS,
    LETTERS,
    SQUARE_INDEX,
    TYPE_OF_LETTER,
    TYPES,
)
from .refusals import FORM, refusal, refuse_unused

View = dict[str, Any]

PLAIN_NODES = ("setup", "sacrifice", "action", "dice")
RESULTS = {1: "p1", 2: "p2", 0: "draw"}  # by winner
FORMS = (
    "a node is setup, place:t, sacrifice, action, dice, move:T, promote:sq, keep:sq:kinds, "
    "activate:sq, end:p1, end:p2 or end:draw; T is letters in the order pnbrqk, kinds are letters "
    "in the order pxc"
)


ARGUMENTS = {  # of a view, by type
    "place": ("figure",),
    "move": ("types",),
    "promote": ("square",),
    "activate": ("square",),
    "keep": ("square", "kinds"),
    "end": ("winner",),
}


def node_text(node: View) -> str:
    """Write a node; what is none no line may hold.

    Raises:
        InputError: a field is set that its type does not have, which no line would show.
    """
    kind = node.get("type", "")
    square = node.get("square", "")
    refuse_unused(node, ("type", *ARGUMENTS.get(kind, ())), f"the node {kind}", "node.")
    if kind in PLAIN_NODES:
        return str(kind)
    if kind == "place":
        return f"place:{_letter(node.get('figure', ''))}"
    if kind == "move":
        return f"move:{''.join(map(_letter, node.get('types', [])))}"
    if kind in ("promote", "activate"):
        return f"{kind}:{square}"
    if kind == "keep":
        kinds = [ABILITY_LETTERS.get(each, f"({each})") for each in node.get("kinds", [])]
        return f"keep:{square}:{''.join(kinds)}"
    if kind == "end":
        return f"end:{RESULTS.get(node.get('winner', 0), '()')}"
    return f"({kind})"


def _letter(kind: str) -> str:
    return LETTERS.get(kind, f"({kind})")


def parse_node(text: str, where: str) -> View:
    """Return the view of a node field.

    Raises:
        InputError: it is not written as in section 13.
    """
    kind, *arguments = text.split(":")
    if text in PLAIN_NODES:
        return {"type": kind}
    if kind == "keep" and len(arguments) == 2 and arguments[0] in SQUARE_INDEX:
        return {"type": kind, "square": arguments[0], "kinds": _kinds(arguments[1], text, where)}
    if len(arguments) != 1:
        raise _unknown(text, where)
    [argument] = arguments
    if kind == "place" and argument in TYPE_OF_LETTER:
        return {"type": kind, "figure": TYPE_OF_LETTER[argument]}
    if kind == "move":
        return {"type": kind, "types": _types(argument, text, where)}
    if kind in ("promote", "activate") and argument in SQUARE_INDEX:
        return {"type": kind, "square": argument}
    if kind == "end" and argument in RESULTS.values():
        winners = {result: winner for winner, result in RESULTS.items()}
        return {"type": kind, "winner": winners[argument]}
    raise _unknown(text, where)


def _types(letters: str, text: str, where: str) -> list[str]:
    types = [kind for kind in TYPES if LETTERS[kind] in letters]
    if not types or "".join(LETTERS[kind] for kind in types) != letters:
        raise _unknown(text, where)
    return types


def _kinds(letters: str, text: str, where: str) -> list[str]:
    kinds = [kind for kind in ABILITIES if ABILITY_LETTERS[kind] in letters]
    if not kinds or letters != "".join(ABILITY_LETTERS[kind] for kind in kinds):
        raise _unknown(text, where)
    return kinds


def _unknown(text: str, where: str) -> InputError:
    return refusal(where, text, FORM, FORMS)
