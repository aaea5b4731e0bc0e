"""Tokens of moves and outcomes of Knaves Out <-> typed views (section 5, R7, R14.1).

A view is keyed like the message KnavesOutMove. Reading checks the grammar only.
"""

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import read_number, read_seat

from .names import ACTION_ARGUMENTS, BUILT_LETTERS, JOKER, MOVE_ARGUMENTS, View

MOVES = (
    "first:p<n>, board:<x>,<y>, king:<sq>, court:<card>, under:j, under:q, under:k or under:none, "
    "fuel:<card>:<tower>, shuffle, keep, draw:<card>, play:<card>:<tower>, joker:<card>:<tower>, "
    "act:<code> and what it needs, move:<sq>-<sq>, sail:<sq>, land:p<c> or land:u<c>, "
    "attack:<sq>-<sq>, last:<sq>-<sq>, ivory, dark:p<n>, end_turn, waive:<tower>, "
    "find:<card>:<tower>, skip, at:<sq>, on:<sq>, step:<sq>, stop, die:<face>, red:<i>, "
    "from:<sq>, insight:<sq>, pass, parlay, reroll:<face>, redir:<sq>, take, discard_hand or "
    "keep_hand; a square <sq> is 1a1 to 8h8, a card its rank a23456789tjqk and suit cdhs, a tower "
    "j, q, k or a"
)
ACTION_FORMS = (
    "after act: come hail or marry with :<card> or :jo:<card>, build with :r, :n or :b, sway or "
    "majesty with :p<n>, force with :p<n>:<tower>, infight with :<tower>-<tower>, parlay with "
    ":<tower> or :-, balance with :<sq>-<sq>, fortify, charm, execute, knight, taint, surge, "
    "failed, cherry or castle with :<sq>, or the code of another action alone"
)
PAIRS = {"board": ",", "move": "-", "attack": "-", "last": "-", "infight": "-", "balance": "-"}
BUILDINGS = {letter: kind for kind, letter in BUILT_LETTERS.items()}
SOLDIERS = {"p": "pawn", "u": "unpawn"}
SOLDIER_LETTERS = {kind: letter for letter, kind in SOLDIERS.items()}
NO_TOWER = {"under": "none", "parlay": "-"}  # how a missing tower is spelled


def read_move(token: str) -> View:
    """Return the view of a token.

    Raises:
        InputError: the token breaks the grammar.
    """
    verb, *parts = token.split(":")
    if verb == "act" and parts:
        return _read_action(token, *parts)
    names = MOVE_ARGUMENTS.get(verb, ())
    return {"verb": verb, **_read_parts(token, verb, names, parts, f"a move is {MOVES}")}


def _read_action(token: str, code: str, *parts: str) -> View:
    view: View = {"verb": "act", "action": code}
    given = [*parts]
    if code in ("hail", "marry") and given[:1] == [JOKER]:
        view["by_joker"] = True
        del given[0]
    names = ACTION_ARGUMENTS.get(code, ())
    return view | _read_parts(token, code, names, given, ACTION_FORMS)


def _read_parts(
    token: str, word: str, names: tuple[str, ...], parts: list[str], wanted: str
) -> View:
    """Read the arguments of a verb or action."""
    if word in PAIRS and len(parts) == 1:
        parts = parts[0].rsplit(PAIRS[word], 1)
    if word == "land" and len(parts) == 1:
        parts = [SOLDIERS.get(parts[0][:1], parts[0][:1]), parts[0][1:]]
    if len(parts) != len(names):
        raise refusal("move", token, "R14.1", wanted)
    return {name: _read_part(word, name, part) for name, part in zip(names, parts, strict=True)}


def _read_part(word: str, name: str, text: str) -> int | str:
    if name in ("x", "y", "checkers", "face", "red"):
        return read_number(text, f"move.{name}", "R14.1")
    if name == "seat":
        return read_seat(text, "move.seat", "R14.1")
    if name == "building":
        return BUILDINGS.get(text, text)
    if name == "tower" and NO_TOWER.get(word) == text:
        return ""
    return text


def write_move(view: View) -> str:
    """Write the token of a valid view."""
    verb = str(view["verb"])
    if verb != "act":
        return verb + _arguments_text(verb, MOVE_ARGUMENTS[verb], view)
    code = view["action"]
    joker = f":{JOKER}" if view.get("by_joker") else ""
    return f"act:{code}{joker}" + _arguments_text(code, ACTION_ARGUMENTS.get(code, ()), view)


def _arguments_text(word: str, names: tuple[str, ...], view: View) -> str:
    texts = [_argument_text(word, name, view[name]) for name in names]
    separator = "" if word == "land" else PAIRS.get(word, ":")
    return f":{separator.join(texts)}" if texts else ""


def _argument_text(word: str, name: str, value: object) -> str:
    if name == "seat":
        return f"p{value}"
    if name == "soldier":
        return SOLDIER_LETTERS[str(value)]
    if name == "building":
        return BUILT_LETTERS[str(value)]
    return str(value) or NO_TOWER[word]
