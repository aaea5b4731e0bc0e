"""The nodes of Knaves Out and their context (section 5, R14.3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .knaves_out_cards import refuse

ATTACK = ["a", "t", "b", "r"]
DICE = [*ATTACK, "n", "d", "u"]
CHANCE = ("first", "draw", "taint", "roll", "reroll")
SETUP = ("first", "board", "king", "courtj", "courtq", "courtk", "under", "fuel")

# Context keys by name of the node, and by k where there is one.
KEYS: dict[str, list[str]] = {
    **{key: [] for key in ("first", "main", "keep", "shuffle", "board", "king")},
    **{key: [] for key in ("courtj", "courtq", "courtk")},
    "under": ["n"],
    "fuel": ["t", "r"],
    "draw": ["p", "w"],
    "waive": ["act", "v", "left", "col"],
    "place:train": ["k"],
    "place:raise": ["k"],
    "place:build": ["k", "b"],
    "place:failed": ["k", "p"],
    "place:land": ["k", "s"],
    "place:ivory": ["k", "r", "b"],
    "place:dark": ["k", "r", "b"],
    "target": ["o"],
    "find:tax": ["k", "t"],
    "find:servant": ["k", "left"],
    "charm": ["p", "left", "first"],
    "taint:poison": ["k"],
    "taint:charm": ["k", "p"],
    "mix:ivory": ["k"],
    "mix:dark": ["k", "e"],
    "sac:ivory": ["k", "r", "b"],
    "sac:dark": ["k", "e", "r", "b"],
    "insight": ["a", "t", "b"],
    "parlay": ATTACK,
    "roll": DICE,
    "lionheart": DICE,
    "reroll": [*DICE, "by"],
    "redirect:attack": ["k", "on", "dmg", *ATTACK, "th"],
    "redirect:thorns": ["k", "on", "dmg", *ATTACK, "th"],
    "redirect:execute": ["k", "on", "dmg"],
    "redirect:hazard": ["k", "on", "dmg", "step"],
}
SQUARE, SEAT, BIT = "[1-8][a-h][1-8]", "p[1-8]", "[01]"

# How each value is written; `place:build` and `place:dark` have another b than attacks.
VALUES: dict[str, str] = {
    **dict.fromkeys(("a", "t", "o", "on"), SQUARE),
    **dict.fromkeys(("w", "first", "u", "b"), BIT),
    **dict.fromkeys(("left", "dmg", "n"), "[1-9]"),
    "th": "[0-9]",
    "e": SEAT,
    "by": SEAT,
    "p": SQUARE,
    "k": "[a-z]+",
    "r": "main|counter",
    "d": "[1-6]{0,5}",
    "act": f"[a-z]+(\\.{SQUARE}|\\.{SEAT}\\.[jqka])?",
    "v": "(j[0-9]+)?(q[0-9]+)?(k[0-9]+)?(a[0-9]+)?",
    "col": "red|black|-",
    "s": "[pu][0-4]",
    "step": f"move\\.{SQUARE}\\.{SQUARE}|sail\\.{SQUARE}",
    "place:build b": "[rnb]",
    "place:ivory r": "10|[0-9]",
    "place:ivory b": "10|[0-9]",
    "place:dark r": "10|[0-9]",
    "place:dark b": "10|[0-9]",
    "sac:ivory r": "[0-9]",
    "sac:ivory b": "[0-9]",
    "sac:dark r": "[0-9]",
    "sac:dark b": "[0-9]",
    "find:tax t": "[jqka]",
    "fuel t": "[jqk]",
    "fuel r": "[a23]",
    "draw p": SEAT,
}
SHARE = "0|1|1/[2-8]"
NODE = re.compile(r"([a-z]+)@(-|p[1-8])(?:\{([^{}]*)\})?")


@dataclass(frozen=True)
class Node:
    """Whom the machine asks what; the values of the context are the texts that are printed."""

    name: str
    seat: int  # 0 at chance nodes and at the end
    context: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.context[key]

    def number(self, key: str) -> int:
        """Give a number of the context."""
        return int(self.context[key])

    def seat_of(self, key: str) -> int:
        """Give a seat of the context."""
        return int(self.context[key][1:])

    def text(self) -> str:
        """Print the NODE field."""
        seat = f"p{self.seat}" if self.seat else "-"
        values = ",".join(f"{key}={value}" for key, value in self.context.items())
        return f"{self.name}@{seat}" + (f"{{{values}}}" if values else "")


def keys_of(name: str, context: Mapping[str, str]) -> list[str] | None:
    """List the keys of a node in order, None if there is no such node."""
    return KEYS.get(name, KEYS.get(f"{name}:{context.get('k')}"))


def node_of(name: str, seat: int, context: Mapping[str, str | int] | None = None) -> Node:
    """Make a node out of at least the values that it needs."""
    values = {key: str(value) for key, value in (context or {}).items()}
    keys = keys_of(name, values)
    assert keys is not None, (name, context)
    return Node(name, seat, {key: values[key] for key in keys})


def read_node(text: str, num_seats: int) -> Node:
    """Read the NODE field."""
    match = NODE.fullmatch(text)
    if not match:
        refuse("node", "R14.2", f"{text!r} is not a node")
    name, seat_text, values = match.groups()
    seat = 0 if seat_text == "-" else int(seat_text[1:])
    context: dict[str, str] = {}
    for part in values.split(",") if values else []:
        key, equals, value = part.partition("=")
        if not equals or key in context:
            refuse("node", "R14.3", f"{part!r} is no context")
        context[key] = value
    if name == "end":
        check_shares(context, num_seats)
    else:
        check_context(name, context)
    if (seat == 0) != (name == "end" or name in CHANCE) or seat > num_seats:
        refuse("node", "section 5", f"{text!r} asks a wrong seat")
    return Node(name, seat, context)


def check_shares(context: Mapping[str, str], num_seats: int) -> None:
    """Check the context of the end."""
    if list(context) != [f"p{seat}" for seat in range(1, num_seats + 1)]:
        refuse("node", "R14.3", "the end has one share for each seat")
    for value in context.values():
        if not re.fullmatch(SHARE, value):
            refuse("node", "R14.3", f"{value!r} is no share")


def check_context(name: str, context: Mapping[str, str]) -> None:
    """Check keys and values of another node."""
    keys = keys_of(name, context)
    if keys is None or list(context) != keys:
        refuse("node", "R14.3", f"{name} with context {','.join(context)}")
    path = f"{name}:{context['k']}" if "k" in context else name
    for key, value in context.items():
        if not re.fullmatch(VALUES.get(f"{path} {key}", VALUES[key]), value):
            refuse("node", "R14.3", f"{value!r} is no value of {key}")
