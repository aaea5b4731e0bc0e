"""The error for what a line gets wrong, and the numbers that all fields share."""

from kingmaker.cext.errors import InputError

FORM = "section 13"
"""Where the page says how lines and tokens are written."""

MOST = 999_999
SHOWN_CHARACTERS = 60  # of a wrong value in a message; lines may be of any length


def refusal(field: str, value: object, rule: str, wanted: str) -> InputError:
    """Return the error that says what would have been right."""
    text = str(value)
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."
    return InputError(f"{wanted}; got {shown!a}", field=field, value=shown, rule=rule)


def is_number(text: str) -> bool:
    """Tell whether this is a number without sign or leading zeros, of at most `MOST`."""
    is_digits = 0 < len(text) <= 6 and text.isascii() and text.isdigit()
    return is_digits and (text[0] != "0" or text == "0")


def number(text: str, where: str) -> int:
    """Read a number of a line."""
    if not is_number(text):
        wanted = f"a number from 0 to {MOST} is expected, without sign or leading zeros"
        raise refusal(where, text, FORM, wanted)
    return int(text)
