"""The options of Chessault (section 15 of the rules page).

Options come as text (of a new game, of a position's tag) and are *values* in views: `supply` as
text, `max_turns` as int.
"""

from collections.abc import Mapping
from typing import Any

from kingmaker.cext.errors import InputError

from .names import Counts
from .refusals import is_number

Values = dict[str, Any]

DEFAULTS = {"supply": "standard", "max_turns": "400"}
HELP = {
    "supply": "figures of each side: standard (2 queens, 2 rooks, 2 bishops, 2 knights, 8 pawns) "
    "or double (2 queens, 4 rooks, 4 bishops, 4 knights, 16 pawns); default standard (R2.4)",
    "max_turns": "turns of both players together before the game is a draw, 1 to 10000; "
    "default 400 (R10.7)",
}
SUPPLIES: dict[str, Counts] = {  # R2.4
    "standard": {"king": 1, "queen": 2, "rook": 2, "bishop": 2, "knight": 2, "pawn": 8},
    "double": {"king": 1, "queen": 2, "rook": 4, "bishop": 4, "knight": 4, "pawn": 16},
}
MOST_TURNS = 10_000


def checked(given: Mapping[str, str | int], field: str = "options") -> dict[str, str]:
    """Return every option with its value, in documented order.

    Args:
        given: option -> value; the others have their defaults.
        field: where the options stand, for errors.

    Raises:
        InputError: an option is unknown or its value is not one of section 15.
    """
    for option, value in given.items():
        if option not in HELP:
            raise InputError(
                f"chessault has no option {option[:20]!r}; it has {', '.join(HELP)}",
                field=f"{field}.{option[:20]}",
                value=str(value)[:20],
                rule="section 15",
            )
    options = DEFAULTS | {option: str(value) for option, value in given.items()}
    if options["supply"] not in SUPPLIES:
        wanted = f"one of {', '.join(SUPPLIES)}"
        raise _refusal("supply", options["supply"], "R2.4", wanted, field)
    turns = options["max_turns"]
    if not is_number(turns) or not 1 <= int(turns) <= MOST_TURNS:
        wanted = f"a number from 1 to {MOST_TURNS}, without leading zeros"
        raise _refusal("max_turns", turns, "R10.7", wanted, field)
    return options


def _refusal(option: str, text: str, rule: str, wanted: str, field: str) -> InputError:
    return InputError(
        f"{option} is {wanted}; got {text[:20]!a}",
        field=f"{field}.{option}",
        value=text[:20],
        rule=rule,
    )


# --- values and the tag -----------------------------------------------------------------------


def values(options: Mapping[str, str]) -> Values:
    """Return checked options as they stand in a view."""
    return {"supply": options["supply"], "max_turns": int(options["max_turns"])}


def texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the options of a view as text; what is absent, 0 or empty has its default.

    Raises:
        InputError: a value is not one of section 15.
    """
    return checked({option: values.get(option) or usual for option, usual in DEFAULTS.items()})


def tag(options: Mapping[str, str]) -> str:
    """Write the first field of a line: `chs` and what differs from its default."""
    changed = [f"{key}={options[key]}" for key in DEFAULTS if options[key] != DEFAULTS[key]]
    return ";".join(["chs", *changed])


def supply(values: Mapping[str, Any]) -> Counts:
    """Return the figures of each side (R2.4)."""
    return SUPPLIES[values["supply"]]
