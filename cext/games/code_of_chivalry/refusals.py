"""The error for what a line gets wrong, and the numbers and seats that all fields share."""

from kingmaker.cext.errors import InputError

SHOWN_CHARACTERS = 60  # of a wrong value in a message; lines may be of any length


def refusal(field: str, value: object, rule: str, wanted: str) -> InputError:
    """Return the error that says what would have been right."""
    text = str(value)
    shown = text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "..."
    return InputError(f"{wanted}; got {shown!a}", field=field, value=shown, rule=rule)


def number(text: str, where: str, lowest: int, highest: int, rule: str) -> int:
    """Read a number without sign and leading zeros (R13.1) of this range (`rule`)."""
    well_written = (
        0 < len(text) <= 6 and text.isascii() and text.isdigit() and (text[0] != "0" or text == "0")
    )
    if not well_written or not lowest <= int(text) <= highest:
        raise refusal(
            where,
            text,
            rule if well_written else "R13.1",
            f"a number from {lowest} to {highest} is expected, without sign or leading zeros"
            if lowest != highest
            else f"the number is {lowest} here",
        )
    return int(text)


def seat_number(text: str, where: str, num_seats: int, rule: str = "R13.1") -> int:
    """Read a seat of the game."""
    if len(text) != 2 or text[0] != "p" or text[1] not in "123456"[:num_seats]:
        raise refusal(where, text, rule, f"a seat is one of p1 to p{num_seats}")
    return int(text[1])
