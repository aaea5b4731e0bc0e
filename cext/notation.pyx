# cython: boundscheck=True, wraparound=True
"""Lines of games with typed views: fields in a fixed order, numbers, lists, the observer."""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple, TypeVar

from kingmaker.cext.errors import refusal, shown
from kingmaker.cext.options import Options

NODE = re.compile("([a-z]+):p([1-8])", re.ASCII)
NUMBER = re.compile(r"0|-?[1-9][0-9]{0,8}", re.ASCII)
SEAT = re.compile("p[0-9]", re.ASCII)
NOTHING = "-"
Meaning = TypeVar("Meaning")
NO_FIELDS: Mapping[str, str] = {}
OBSERVER_WANTED = "an observation ends with @p and the number of a seat, or with @- for a spectator"


class Line(NamedTuple):
    """The parts of a line as text; the game interprets them.

    Attributes:
        kind: position or observation.
        options: option -> value, from the tag.
        values: values of the fields, in order.
        observer: part of the view, see `read_observer`.
    """

    kind: str
    options: dict[str, str]
    values: list[str]
    observer: dict[str, int]


def read_line(
    text: str,
    tag: str,
    names: Sequence[str],
    rules: tuple[str, str],
    options: Options | None = None,
    *,
    has_labels: bool = True,
) -> Line:
    """Split the line `tag[;option=value...] name=value ... [@observer]`.

    Args:
        text: the line.
        tag: tag of the game.
        names: names of the fields, in order.
        rules: numbers of the rules on the lines of positions and of observations, for errors.
        options: the options that the tag may have.
        has_labels: whether the fields are written `name=value`; else only `value`.

    Raises:
        InputError: another tag or option, or other fields than `names` in this order.
    """
    first, *fields = text.split(" ")
    rule, observer_rule = rules
    observer = read_observer(fields, observer_rule) if fields else {}
    kind = "observation" if observer else "position"
    if len(fields) != len(names):
        wanted = f"after {tag} come the {len(names)} fields {', '.join(names)}, not {len(fields)}"
        raise refusal(kind, text, rule, wanted)
    given = read_tag(first, tag, options, kind, rule)
    if has_labels:
        for name, field in zip(names, fields, strict=True):
            if not field.startswith(f"{name}="):
                raise refusal(kind, field, rule, f"{name}=... is expected here")
        fields = [field.partition("=")[2] for field in fields]
    return Line(kind, given, fields, observer)


def read_tag(text: str, tag: str, options: Options | None, kind: str, rule: str) -> dict[str, str]:
    """Return the options in the first field of a line, `tag[;option=value...]`.

    Raises:
        InputError: another tag, or an option that the line of this game cannot have.
    """
    if text == tag:
        return {}
    name, *items = text.split(";")
    if name != tag or not all("=" in item for item in items) or (items and not options):
        known = ", then ;option=value for each other value than its default" if options else ""
        wanted = f"the line begins with {tag}{known}"
        raise refusal(f"{kind}.options" if options else kind, text, rule, wanted)
    values = dict(item.split("=", 1) for item in items)
    for option, value in values.items():
        if options and option not in options.told:
            raise options.unknown(option, value, f"{kind}.options", options.told, rule)
    return values


class PlainNotation:
    """Lines and tokens of a game with fields written literally, and a node; a move is one word.

    Args:
        tag: tag of the game.
        names: names of the fields, in order.
        rules: see `read_line`.
        move: the field of a move.
    """

    def __init__(self, tag: str, names: Sequence[str], rules: tuple[str, str], move: str) -> None:
        self._tag = tag
        self._names = names
        self._rules = rules
        self._move = move

    def read_position(self, text: str) -> dict[str, object]:
        """Return the view of a line."""
        line = read_line(text, self._tag, self._names, self._rules)
        view = dict(zip(self._names, line.values, strict=True))
        return {**view, "node": read_node(view["node"]), **line.observer}

    def write_position(self, view: Mapping[str, Any]) -> str:
        """Write the line of a view."""
        texts = {**view, "node": write_node(view["node"])}
        fields = [f"{name}={texts[name]}" for name in self._names]
        return " ".join([self._tag, *fields]) + observer_suffix(view)

    def read_move(self, text: str) -> dict[str, str]:
        """Return the view of a token."""
        return {self._move: text}

    def write_move(self, view: Mapping[str, str]) -> str:
        """Write the token of a move."""
        return view[self._move]


def read_verb(text: str) -> dict[str, str]:
    """Return the view of a token that is a verb, or `<verb>:<card>`."""
    verb, _, card = text.partition(":")
    return {"verb": verb, "card": card}


def write_verb(view: Mapping[str, str]) -> str:
    """Write the token of a view with a verb and optionally a card."""
    return f"{view['verb']}:{view['card']}" if view["card"] else view["verb"]


def read_observer(fields: list[str], rule: str) -> dict[str, int]:
    """Remove the last field if it is `@p<seat>` or `@-`; return it as a part of the view.

    Returns:
        The observer from 1, 0 for a spectator; empty for a position.

    Raises:
        InputError: the last field begins with @ and is not an observer.
    """
    if not fields[-1].startswith("@"):
        return {}
    last = fields.pop()
    if last == "@-":
        return {"observer": 0}
    if not re.fullmatch("@p[1-8]", last, re.ASCII):
        raise refusal("observation.observer", last, rule, OBSERVER_WANTED)
    return {"observer": int(last[2])}


def observer_suffix(view: Mapping[str, object]) -> str:
    """Write the last field of an observation's view; nothing for a position."""
    if "observer" not in view:
        return ""
    return f" @p{view['observer']}" if view["observer"] else " @-"


cpdef read_number(str text, str field, str rule):
    """Return the number in a text; the reader of the view checks its range.

    Raises:
        InputError: the text is not a number.
    """
    if not NUMBER.fullmatch(text):
        raise refusal(
            field, text, rule,
            "a number of at most nine digits is expected, without sign or leading zeros")
    return int(text)


def read_seat(text: str, field: str, rule: str) -> int:
    """Return a seat, counted from 1; the reader of the view checks that the game has it.

    Raises:
        InputError: the text is no seat.
    """
    if not SEAT.fullmatch(text):
        raise refusal(field, text, rule, "a seat is p1, p2, ...")
    return int(text[1])


def read_node(text: str) -> dict[str, str | int]:
    """Return the view of a node, `<type>:p<seat>` or `<type>`; its reader checks the type."""
    found = NODE.fullmatch(text)
    return {"type": found[1], "seat": int(found[2])} if found else {"type": text, "seat": 0}


def write_node(node: Mapping[str, object]) -> str:
    """Write a node of `read_node`."""
    return f"{node['type']}:p{node['seat']}" if node["seat"] else str(node["type"])


def read_word(text: str, words: Mapping[str, Meaning], field: str, rule: str) -> Meaning:
    """Return what a word or letter stands for.

    Raises:
        InputError: the text is none of the words.
    """
    if text not in words:
        raise refusal(field, text, rule, f"one of {', '.join(words)} is expected")
    return words[text]


def read_parts(
    text: str, separator: str, number: int, field: str, rule: str, wanted: str
) -> list[str]:
    """Split a text into so many parts; `wanted` describes them.

    Raises:
        InputError: there are more or fewer.
    """
    parts = text.split(separator)
    if len(parts) != number:
        raise refusal(field, text, rule, wanted)
    return parts


cpdef list read_list(str text, str separator=","):
    """Split a list; `-` is the empty list."""
    return [] if text == NOTHING else text.split(separator)


cpdef str write_list(items, str separator=","):
    """Join a list; the empty list is `-`."""
    return separator.join(items) or NOTHING


def check_written(
    text: str, canonical: str, kind: str, rule: str, fields: Mapping[str, str] = NO_FIELDS
) -> None:
    """Refuse a line that is not the canonical line of its state.

    Args:
        text: the line.
        canonical: the line that its state is written as.
        kind: position or observation.
        rule: number of the rule on the form of lines.
        fields: for lines whose fields have no labels: path of each below `kind` -> rule of its
            form. `[]` is the index of a part between slashes (`players[].stock` of `K1/k1`).

    Raises:
        InputError: names the first field that differs and its canonical form.
    """
    if text == canonical:
        return
    pairs = zip_longest(text.split(" "), canonical.split(" "), fields, fillvalue="")
    for given, right, path in pairs:
        if given != right:
            label = right.partition("=")[0]
            is_labelled = label.isidentifier() and given.startswith(f"{label}=")
            name = path if fields else label if is_labelled else "options" * (";" in given + right)
            if "[]" in name:
                parts = zip(given.split("/"), right.split("/"), strict=False)
                index = next((i for i, (one, other) in enumerate(parts) if one != other), 0)
                name = name.replace("[]", f"[{index}]")
            where = f"{kind}.{name}" if name else kind
            wanted = f"this is written {shown(right)} here"
            raise refusal(where, given, fields.get(path, rule), wanted)
