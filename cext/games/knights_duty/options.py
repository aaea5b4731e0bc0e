"""The options of A Knight's Duty (section 16 of the rules page).

Options come as text (of a new game, of a position's first field) and are *values* in views:
`players`, `radius` and `turn_limit` as int, the others as text.
"""

from collections.abc import Mapping
from typing import Any

from kingmaker.cext.errors import InputError

Values = dict[str, Any]

DEFAULTS = {  # in documented order
    "players": "2",
    "arena": "hex",
    "radius": "4",
    "clans": "auto",
    "empty_slots": "on",
    "agreements": "on",
    "swap": "allow",
    "inspire": "hidden",
    "turn_limit": "60",
}
HELP = {
    "players": "2 to 6 seats, in a square arena 2 to 4; default 2 (R1.1)",
    "arena": "hex, or square with eight directions; default hex (R2.1, R2.6)",
    "radius": "spaces from the centre to the edge, 3 to 6; default 4 (R2.1)",
    "clans": "corners at the start: auto, or choose in seat order; default auto (R3.1, R3.2)",
    "empty_slots": "whether a slot may be left empty, on or off; default on (R4.6)",
    "agreements": "whether contested spaces and shared targets are asked about, on or off; "
    "default on (R6.4, R8.6)",
    "swap": "whether two Knights may exchange spaces, allow or block; default allow (R6.3)",
    "inspire": "whether the attacker's Inspiration is hidden from the target, hidden or open; "
    "default hidden (R9.3)",
    "turn_limit": "turns after which those who stand draw, 1 to 1000; default 60 (R11.4)",
}
RANGES = {  # lowest, highest, rule
    "players": (2, 6, "R1.1"),
    "radius": (3, 6, "R2.1"),
    "turn_limit": (1, 1000, "R11.4"),
}
CHOICES = {  # values, rule
    "arena": (("hex", "square"), "R2.6"),
    "clans": (("auto", "choose"), "R3.2"),
    "empty_slots": (("on", "off"), "R4.6"),
    "agreements": (("on", "off"), "R6.4"),
    "swap": (("allow", "block"), "R6.3"),
    "inspire": (("hidden", "open"), "R9.3"),
}
MOST_PLAYERS_SQUARE = 4  # one for each corner (D3)


def checked(given: Mapping[str, str | int], field: str = "options") -> dict[str, str]:
    """Return every option with its value as text, in documented order.

    Args:
        given: option -> value; the others have their defaults.
        field: where the options stand, for errors.

    Raises:
        InputError: an option is unknown or its value is not one of section 16.
    """
    for option, value in given.items():
        if option not in DEFAULTS:
            raise InputError(
                f"knights_duty has no option {option[:20]!r}; it has {', '.join(DEFAULTS)}",
                field=f"{field}.{option[:20]}",
                value=str(value)[:20],
                rule="section 16",
            )
    options = DEFAULTS | {option: str(value) for option, value in given.items()}
    for option, (lowest, highest, rule) in RANGES.items():
        if not _is_number(options[option], lowest, highest):
            wanted = f"a number from {lowest} to {highest}"
            raise _refusal(option, options[option], rule, wanted, field)
    for option, (values, rule) in CHOICES.items():
        if options[option] not in values:
            raise _refusal(option, options[option], rule, f"one of {', '.join(values)}", field)
    if options["arena"] == "square" and int(options["players"]) > MOST_PLAYERS_SQUARE:
        wanted = f"at most {MOST_PLAYERS_SQUARE} in a square arena"
        raise _refusal("players", options["players"], "R1.1", wanted, field)
    return options


def _is_number(text: str, lowest: int, highest: int) -> bool:
    """Tell whether a text is a number of this range without sign and leading zeros."""
    is_number = len(text) <= 4 and text.isascii() and text.isdigit() and str(int(text)) == text
    return is_number and lowest <= int(text) <= highest


def _refusal(option: str, text: str, rule: str, wanted: str, field: str) -> InputError:
    return InputError(
        f"{option} is {wanted}; got {text[:20]!a}",
        field=f"{field}.{option}",
        value=text[:20],
        rule=rule,
    )


def values(options: Mapping[str, str]) -> Values:
    """Return checked options as they stand in a view."""
    return {option: int(text) if option in RANGES else text for option, text in options.items()}


def texts(values: Mapping[str, Any], num_players: int) -> dict[str, str]:
    """Return the options of a view as text; what is absent, zero or empty has its default.

    Args:
        values: the options of a view.
        num_players: seats of the view, for one that does not say `players`.
    """
    given = {option: str(value) for option, value in values.items() if value}
    return DEFAULTS | {"players": str(num_players)} | given


def tag(options: Mapping[str, str]) -> str:
    """Write the first field of a line: what differs from its default, never `players` (R13.3)."""
    changed = [
        f"{option}={options[option]}"
        for option, usual in DEFAULTS.items()
        if option != "players" and options[option] != usual
    ]
    return ";".join(["kd", *changed])
