"""The field NODE of a line of Knaves Out <-> the typed node (R14.2, R14.3)."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from kingmaker.cext.errors import refusal
from kingmaker.cext.notation import read_number

from .names import BUILT_LETTERS, KINDS_OF_STAGE, STAGES, View
from .tokens import BUILDINGS, SOLDIER_LETTERS, SOLDIERS, read_move, write_move

FORM = "R14.3"
NODE = re.compile(r"([a-z]+)@(-|p[1-8])(?:\{(.*)\})?")
CHANCE = ("first", "draw", "taint", "roll", "reroll")
PRICE = re.compile("([jqka])([0-9]{1,2})")
ROLES = {"main": False, "counter": True}
FLAGS = {"0": False, "1": True}


class Key(NamedTuple):
    """A key of a context: its name in a line, its field, and the form of its value."""

    key: str
    field: str
    form: str = "number"


ATTACK = (Key("a", "attacker", "text"), Key("t", "target", "text"), Key("b", "is_last", "flag"))
ROLE = Key("r", "is_counter", "role")
ROLL = (
    *(*ATTACK, ROLE),
    *(Key("n", "num_dice"), Key("d", "faces", "faces"), Key("u", "is_upper", "flag")),
)
KIND = Key("k", "kind", "text")
CHECKERS = (Key("r", "red"), Key("b", "black"))
SQUARE = Key("p", "square", "text")
ENEMY = Key("e", "enemy", "seat")
KEYS: Mapping[str, tuple[Key, ...]] = {  # by type; the kind adds further ones
    "under": (Key("n", "number"),),
    "fuel": (Key("t", "tower", "text"), Key("r", "rank", "text")),
    "draw": (Key("p", "seat", "seat"), Key("w", "is_wind", "flag")),
    "waive": (
        *(Key("act", "action", "move"), Key("v", "prices", "prices"), Key("left", "left")),
        Key("col", "colour", "colour"),
    ),
    "place": (KIND,),
    "target": (Key("o", "square", "text"),),
    "find": (KIND,),
    "charm": (SQUARE, Key("left", "left"), Key("first", "is_first", "flag")),
    "taint": (KIND,),
    "mix": (KIND,),
    "sac": (KIND,),
    "insight": ATTACK,
    "parlay": (*ATTACK, ROLE),
    "roll": ROLL,
    "lionheart": ROLL,
    "reroll": (*ROLL, Key("by", "roller", "seat")),
    "redirect": (KIND, Key("on", "square", "text"), Key("dmg", "damage")),
}
KEYS_OF_KIND: Mapping[tuple[str, str], tuple[Key, ...]] = {
    ("place", "build"): (Key("b", "building", "building"),),
    ("place", "failed"): (SQUARE,),
    ("place", "land"): (Key("s", "landing", "soldier"),),
    ("place", "ivory"): CHECKERS,
    ("place", "dark"): CHECKERS,
    ("find", "tax"): (Key("t", "tower", "text"),),
    ("find", "servant"): (Key("left", "left"),),
    ("taint", "charm"): (SQUARE,),
    ("mix", "dark"): (ENEMY,),
    ("sac", "ivory"): CHECKERS,
    ("sac", "dark"): (ENEMY, *CHECKERS),
    ("redirect", "attack"): (*ATTACK, ROLE, Key("th", "thorns")),
    ("redirect", "thorns"): (*ATTACK, ROLE, Key("th", "thorns")),
    ("redirect", "hazard"): (Key("step", "step", "move"),),
}


def keys_of(node: View) -> tuple[Key, ...]:
    """List the keys of a node by its type and kind, in the order of R14.3."""
    kind = node["type"]
    return (*KEYS.get(kind, ()), *KEYS_OF_KIND.get((kind, node.get("kind", "")), ()))


# --- reading ------------------------------------------------------------------------------------


def read_node(text: str, path: str, active: int, players: list[View]) -> View:
    """Read a node; dice get the seat that rolls, which a line does not name.

    Raises:
        InputError: the text breaks the grammar of R14.2 or R14.3.
    """
    found = NODE.fullmatch(text)
    if not found or found[1] not in STAGES:
        wanted = f"a node is one of {', '.join(STAGES)}, then @ with a seat or -, then its context"
        raise refusal(path, text, "R14.2", wanted)
    kind, seat, context = found.groups()
    if (seat == "-") != (kind in (*CHANCE, "end")):
        who = "@-" if seat != "-" else "@ and the seat that is asked"
        raise refusal(path, text, "R14.2", f"{kind} is followed by {who}")
    node: View = {"type": kind, "seat": 0 if seat == "-" else int(seat[1])}
    items = [] if context is None else [item.partition("=") for item in context.split(",")]
    if kind == "end":
        keys = tuple(Key(f"p{number}", "", "text") for number in range(1, len(players) + 1))
        node["shares"] = [value for _, _, value in items]
    else:
        keys = _read_keys(node, items, text, path)
    if [key for key, _, _ in items] != [key.key for key in keys] or context == "":
        form = ",".join(f"{key.key}=" for key in keys)
        wanted = f"this node has the context {{{form}}}" if keys else "this node has no context"
        raise refusal(path, text, FORM, wanted)
    if kind in CHANCE and kind not in ("first", "draw"):
        is_counter = node.get("is_counter", False)
        node["seat"] = _owner_of(node["target"], players) if is_counter else active
    return node


def _read_keys(
    node: View, items: list[tuple[str, str, str]], text: str, path: str
) -> tuple[Key, ...]:
    """Read the keys of a context into the node; return those that it should have."""
    kinds = KINDS_OF_STAGE.get(node["type"], ())
    if kinds:
        node["kind"] = items[0][2] if items else ""
        if node["kind"] not in kinds:
            raise refusal(f"{path}.kind", text, FORM, f"k is one of {', '.join(kinds)}")
    keys = keys_of(node)
    for key, (_, _, value) in zip(keys, items, strict=False):
        node[key.field] = _read_value(key, value, f"{path}.{key.field}")
    return keys


def _read_value(key: Key, text: str, path: str) -> Any:
    if key.form == "number":
        return read_number(text, path, FORM)
    reader = READERS.get(key.form)
    value = text if reader is None else reader(text)
    if value is None:
        raise refusal(path, text, FORM, f"{key.key} is {WANTED[key.form]}")
    return value


def _read_seat(text: str) -> int | None:
    return int(text[1]) if re.fullmatch("p[1-8]", text) else None


def _read_faces(text: str) -> list[int] | None:
    return [int(face) for face in text] if re.fullmatch("[1-6]*", text) else None


def _read_prices(text: str) -> list[View] | None:
    found = PRICE.findall(text)
    if "".join(tower + price for tower, price in found) != text:
        return None
    return [{"tower": tower, "price": int(price)} for tower, price in found]


def _read_soldier(text: str) -> View | None:
    if not re.fullmatch("[pu][0-9]", text):
        return None
    return {"kind": SOLDIERS[text[0]], "checkers": int(text[1])}


def _read_pending(text: str) -> View | None:
    """Read an action, or a step that waits for its damage."""
    verb, *squares = text.split(".")
    if verb in ("move", "sail"):
        return read_move(f"{verb}:{'-'.join(squares)}")
    return read_move(f"act:{text.replace('.', ':')}")


READERS: Mapping[str, Callable[[str], Any]] = {
    "seat": _read_seat,
    "flag": FLAGS.get,
    "role": ROLES.get,
    "colour": {"-": "", "red": "red", "black": "black"}.get,
    "building": BUILDINGS.get,
    "faces": _read_faces,
    "prices": _read_prices,
    "soldier": _read_soldier,
    "move": _read_pending,
}
WANTED = {
    "seat": "a seat p1 to p8",
    "flag": "0 or 1",
    "role": "main or counter",
    "colour": "red, black or -",
    "building": "r, n or b",
    "faces": "the faces so far, digits 1 to 6",
    "prices": "towers of jqka, each with its price",
    "soldier": "p or u and the number of checkers",
    "move": "an action with its arguments, or a step",
}


def _owner_of(square: str, players: list[View]) -> int:
    """Return the seat whose piece stands on a square; 0 if there is none."""
    return next(
        (
            seat
            for seat, player in enumerate(players, 1)
            for piece in player["pieces"]
            if piece["square"] == square
        ),
        0,
    )


# --- writing ------------------------------------------------------------------------------------


def node_text(node: View) -> str:
    """Write a valid node."""
    kind = node["type"]
    seat = "-" if kind in (*CHANCE, "end") else f"p{node['seat']}"
    if kind == "end":
        items = [f"p{number}={share}" for number, share in enumerate(node["shares"], 1)]
    else:
        items = [f"{key.key}={_value_text(key, node[key.field])}" for key in keys_of(node)]
    return f"{kind}@{seat}" + (f"{{{','.join(items)}}}" if items else "")


def _value_text(key: Key, value: Any) -> str:
    writer = WRITERS.get(key.form, str)
    return writer(value)


def _pending_text(move: View) -> str:
    return write_move(move).removeprefix("act:").replace(":", ".").replace("-", ".")


WRITERS: Mapping[str, Callable[[Any], str]] = {
    "seat": lambda seat: f"p{seat}",
    "flag": lambda value: str(int(value)),
    "role": lambda value: "counter" if value else "main",
    "colour": lambda value: value or "-",
    "building": lambda value: BUILT_LETTERS[value],
    "faces": lambda value: "".join(map(str, value)),
    "prices": lambda value: "".join(f"{each['tower']}{each['price']}" for each in value),
    "soldier": lambda value: f"{SOLDIER_LETTERS[value['kind']]}{value['checkers']}",
    "move": _pending_text,
}


def shares_of(winners: list[int], seats: int) -> list[str]:
    """Write the share of each seat when the winners (from 1) share the win equally."""
    share = str(Fraction(1, len(winners)))
    return [share if seat in winners else "0" for seat in range(1, seats + 1)]
