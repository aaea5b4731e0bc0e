"""The error for what a line gets wrong, and the numbers that all fields share."""

import re

from kingmaker.cext.errors import InputError

SHOWN_CHARACTERS = 60  # of a wrong value in a message; lines may be of any length
NUMBER = re.compile(r"0|-?[1-9][0-9]{0,5}", re.ASCII)


def refusal(field: str, value: object, rule: str, wanted: str) -> InputError:
    """Return the error that says what would have been right."""
    text = str(value)
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."
    return InputError(f"{wanted}; got {shown!a}", field=field, value=shown, rule=rule)


def number(text: str, where: str, lowest: int, highest: int, rule: str) -> int:
    """Read a number that is written canonically (R13.6a) and in this range (`rule`)."""
    is_canonical = bool(NUMBER.fullmatch(text))
    if not is_canonical or not lowest <= int(text) <= highest:
        wanted = f"a number from {lowest} to {highest} is expected, without leading zeros"
        raise refusal(where, text, rule if is_canonical else "R13.6a", wanted)
    return int(text)
