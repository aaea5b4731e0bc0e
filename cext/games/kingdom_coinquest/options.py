"""The options of Kingdom Coinquest (section 13 of the rules page)."""

from kingmaker.cext.errors import InputError

from .cards import DEFAULT_TURN_LIMIT, SUITS

DEFAULTS = {
    "players": "2",
    "kings": "random",
    "health": "20",
    "turn_limit": str(DEFAULT_TURN_LIMIT),
    "ace_strike": "0",
}
HELP = {
    "players": "2, 3 or 4 seats; default 2 (R3.1)",
    "kings": "random, or a different suit letter of hsdc for each seat, such as hs; "
    "default random (R3.2)",
    "health": "health at the start, 1 to 99; default 20 (R3.3)",
    "turn_limit": "turns of all players together before the game ends, 1 to 9999; "
    "default 600 (R4.5, R10.5)",
    "ace_strike": "1: a resurrected weapon may strike at once, 0: from the next turn; "
    "default 0 (R6.9)",
}
RANGES = {  # lowest, highest, rule
    "players": (2, 4, "R3.1"),
    "health": (1, 99, "R3.3"),
    "turn_limit": (1, 9999, "R4.5"),
    "ace_strike": (0, 1, "R6.9"),
}


def checked(given: dict[str, str | int]) -> dict[str, str]:
    """Return every option with its canonical value.

    Raises:
        InputError: an option is unknown or its value is not one of the rules page.
    """
    for option, value in given.items():
        if option not in DEFAULTS:
            raise InputError(
                f"kingdom_coinquest has no option {option!r}; it has {', '.join(DEFAULTS)}",
                field=f"options.{option}",
                value=str(value),
            )
    options = DEFAULTS | {option: str(value) for option, value in given.items()}
    for option, (lowest, highest, rule) in RANGES.items():
        text = options[option]
        is_number = len(text) <= 4 and text.isascii() and text.isdigit()
        if not is_number or str(int(text)) != text or not lowest <= int(text) <= highest:
            raise InputError(
                f"{option} is a number from {lowest} to {highest}, not {text[:20]!r}",
                field=f"options.{option}",
                value=text,
                rule=rule,
            )
    _check_kings(options["kings"], int(options["players"]))
    return options


def _check_kings(text: str, num_players: int) -> None:
    if text == "random":
        return
    if len(text) != num_players or not set(text) <= set(SUITS) or len(set(text)) != len(text):
        raise InputError(
            f"kings is random or {num_players} different letters of {SUITS}, one for each seat, "
            f"not {text[:20]!r}",
            field="options.kings",
            value=text,
            rule="R3.2",
        )
