"""Parts of the one-line notation that the games share: fields in a fixed order and the observer."""

from collections.abc import Mapping, Sequence

from kingmaker.cext.errors import InputError


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
