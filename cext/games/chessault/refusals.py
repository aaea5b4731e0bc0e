"""The error for what a line gets wrong, and the numbers that all fields share."""

from collections.abc import Iterable, Mapping

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


def refuse_unused(view: Mapping[str, object], used: Iterable[str], name: str, at: str = "") -> None:
    """Refuse a typed view with a value in a field that it does not use.

    Args:
        view: a node or a move.
        used: the fields that it has.
        name: what it is, for the error.
        at: the path of its fields.
    """
    for field, value in view.items():
        if value and field not in used:
            raise refusal(f"{at}{field}", value, FORM, f"{name} has no {field}")


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
