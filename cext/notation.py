"""Parts of the one-line notation that the games share: fields in a fixed order and the observer."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

from kingmaker.cext.errors import InputError, refusal, shown


def refuse_options(game: str, options: Mapping[str, object]) -> None:
    """Refuse every option, for a game that has none.

    Raises:
        InputError: if there is an option.
    """
    for option, value in options.items():
        raise InputError(
            f"{game} has no option {option!r}; it has none at all",
            field=f"options.{option}",
            value=str(value),
        )


def field_values(text: str, tag: str, names: Sequence[str], rule: str) -> list[str]:
    """Return the values of the line `tag name=value ...` of a game without options.

    Raises:
        InputError: another tag, or other fields than `names` in this order.
    """
    first, *fields = text.split(" ")
    if first != tag:
        raise InputError(
            f"the tag is {tag}, without options, not {first!r}", field="tag", value=first, rule=rule
        )
    if len(fields) != len(names):
        raise InputError(
            f"after {tag} come the {len(names)} fields {', '.join(names)}, not {len(fields)}",
            field="position",
            value=text,
            rule=rule,
        )
    for name, field in zip(names, fields, strict=True):
        if not field.startswith(f"{name}="):
            raise InputError(
                f"{name}=... is expected in the place of {field!r}",
                field=name,
                value=field,
                rule=rule,
            )
    return [field.partition("=")[2] for field in fields]


def split_observer(text: str, rule: str) -> tuple[str, int]:
    """Split the observation line of a two-seat game into (position part, observer).

    The observer counts from 1; 0 is a spectator.

    Raises:
        InputError: the last field is not an observer.
    """
    line, _, last = text.rpartition(" ")
    observers = ("@-", "@p1", "@p2")
    if last not in observers:
        raise InputError(
            "the last field of an observation is @p1, @p2 or @- (a spectator)",
            field="observation",
            value=text,
            rule=rule,
        )
    return line, observers.index(last)


def observer_suffix(view: Mapping[str, object]) -> str:
    """Write the last field of an observation's view; nothing for a position's."""
    if "observer" not in view:
        return ""
    return f" @p{view['observer']}" if view["observer"] else " @-"


def check_node(given: str, implied: str, rule: str) -> None:
    """Refuse a node that is not the one that the rest of the line implies.

    Raises:
        InputError: if they differ.
    """
    if given != implied:
        raise InputError(
            f"the node of this position is {implied}, not {given!r}",
            field="node",
            value=given,
            rule=rule,
        )


# --- lines of games with typed views --------------------------------------------------------------

NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
NOTHING = "-"
OBSERVER_WANTED = "an observation ends with @p and the number of a seat, or with @- for a spectator"


def read_observer(fields: list[str], rule: str) -> dict[str, int]:
    """Take the last field off if it is `@p<seat>` or `@-`; return it as a part of the view.

    Returns:
        The observer from 1, 0 for a spectator; nothing for a position.

    Raises:
        InputError: the last field begins with @ and is no observer.
    """
    if not fields[-1].startswith("@"):
        return {}
    last = fields.pop()
    if last == "@-":
        return {"observer": 0}
    if not re.fullmatch("@p[1-8]", last, re.ASCII):
        raise refusal("observation.observer", last, rule, OBSERVER_WANTED)
    return {"observer": int(last[2])}


def read_number(text: str, field: str, rule: str) -> int:
    """Return the number that a text is; its range is for the reader of the view.

    Raises:
        InputError: it is none. (That `07` is written `7` is found when the line is written again.)
    """
    if not NUMBER.fullmatch(text):
        raise refusal(field, text, rule, "a number is expected, without sign or leading zeros")
    return int(text)


def read_list(text: str, separator: str = ",") -> list[str]:
    """Split a list; `-` is the empty one."""
    return [] if text == NOTHING else text.split(separator)


def write_list(items: Iterable[str], separator: str = ",") -> str:
    """Join a list; the empty one is `-`."""
    return separator.join(items) or NOTHING


def check_written(
    text: str, canonical: str, kind: str, rule: str, paths: Sequence[str] = ()
) -> None:
    """Refuse a line that is not written as its state is.

    Args:
        text: the line as given.
        canonical: the line of its state.
        kind: position or observation.
        rule: of the rules page.
        paths: of a line whose fields have no labels: of each, the path below `kind`; `[]` stands
            for the index of a part between slashes (`players[].stock` of `K1/k1`).

    Raises:
        InputError: names the first field that differs and how it is written.
    """
    if text == canonical:
        return
    pairs = zip_longest(text.split(" "), canonical.split(" "), paths, fillvalue="")
    for given, right, path in pairs:
        if given != right:
            label = right.partition("=")[0]
            name = label if "=" in right and given.startswith(f"{label}=") else path
            if "[]" in name:
                parts = zip(given.split("/"), right.split("/"), strict=False)
                index = next((i for i, (one, other) in enumerate(parts) if one != other), 0)
                name = name.replace("[]", f"[{index}]")
            raise refusal(
                f"{kind}.{name}" if name else kind,
                given,
                rule,
                f"this is written {shown(right)} here",
            )
