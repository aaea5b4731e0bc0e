"""The options of Code of Chivalry (section 12 of the rules page).

Options come as text (of a new game, of a position's tag) and are *values* in views: seats and
numbers as int, `auto_pass` as text.
"""

from collections.abc import Mapping
from typing import Any

from kingmaker.cext.errors import InputError

from .cards import BASE_COUNTS, Cards

Values = dict[str, Any]

HELP = {
    "players": "2 to 6 seats; default 4 (R1.4)",
    "first_player": "the seat that begins, p1 to p6; default p1 (R2.4)",
    "minstrels": "minstrels in the deck, 0 to 4; default 0, with deck=stretch 2 (R1.2, D35)",
    "monks": "monks in the deck, 0 to 4; default 0, with deck=stretch 2 (R1.2, D35)",
    "start_gems": "gems of each seat at the start, together at most 30; default 5; with two "
    "players 6, or 5 with two_player=plain (R2.1, D2)",
    "target_gems": "gems that win, more than start_gems and at most all; default 10; with two "
    "players 12, or 10 with two_player=plain (R9.1, D2)",
    "reshuffle_step": "by how much a reshuffle lowers the gems that win, 0 to 3; default 1 (R9.1)",
    "target_floor": "the fewest gems that win, 1 to target_gems; default 1 (R9.1)",
    "turn_limit": "turns of all players together before the game ends, 1 to 100000; "
    "default 300 (R9.6)",
    "auto_pass": "who is asked without a choice: public (whom the others can't rule out), off "
    "(everybody), private (nobody; that leaks); default public (R10.3)",
    "deck": "short for minstrels and monks: base (0, 0) or stretch (2, 2); default base "
    "(section 12)",
    "two_player": "short for start_gems and target_gems with two players: published (6, 12) or "
    "plain (5, 10); default published (section 12)",
}
RANGES = {  # lowest, highest, rule; what else holds is in _check_gems
    "players": (2, 6, "R1.4"),
    "minstrels": (0, 4, "R1.2"),
    "monks": (0, 4, "R1.2"),
    "start_gems": (1, 15, "R2.1"),
    "target_gems": (2, 30, "R9.1"),
    "reshuffle_step": (0, 3, "R9.1"),
    "target_floor": (1, 30, "R9.1"),
    "turn_limit": (1, 100_000, "R9.6"),
}
CHOICES = {  # values, rule
    "auto_pass": (("public", "off", "private"), "R10.3"),
    "deck": (("base", "stretch"), "D35"),
    "two_player": (("published", "plain"), "D2"),
}
SHORTHANDS = {  # options of a new game only, and what each sets
    "deck": "minstrels and monks",
    "two_player": "start_gems and target_gems",
}
NUM_GEMS = 30  # R1.3


def defaults(num_players: int, deck: str = "base", two_player: str = "published") -> dict[str, str]:
    """Return every option at its default for this number of players, in documented order."""
    stretch = "2" if deck == "stretch" else "0"
    is_published_pair = num_players == 2 and two_player == "published"
    return {
        "players": str(num_players),
        "first_player": "p1",
        "minstrels": stretch,
        "monks": stretch,
        "start_gems": "6" if is_published_pair else "5",
        "target_gems": "12" if is_published_pair else "10",
        "reshuffle_step": "1",
        "target_floor": "1",
        "turn_limit": "300",
        "auto_pass": "public",
    }


def checked(given: Mapping[str, str | int], field: str = "options") -> dict[str, str]:
    """Return every option with its value; shorthands are replaced by what they set.

    Args:
        given: option -> value; the others have their defaults.
        field: where the options stand, for errors.

    Raises:
        InputError: an option is unknown or its value is not one of section 12.
    """
    for option, value in given.items():
        if option not in HELP:
            raise InputError(
                f"code_of_chivalry has no option {option[:20]!r}; it has {', '.join(HELP)}",
                field=f"{field}.{option[:20]}",
                value=str(value)[:20],
                rule="section 12",
            )
    texts = {option: str(value) for option, value in given.items()}
    shorthands = {key: texts.pop(key) for key in SHORTHANDS if key in texts}
    for option, text in shorthands.items():
        _check_choice(option, text, field)
    num_players = _number("players", texts.get("players", "4"), field)
    options = defaults(num_players, **shorthands) | texts
    for option in RANGES:
        _number(option, options[option], field)
    _check_choice("auto_pass", options["auto_pass"], field)
    _check_first_player(options["first_player"], num_players, field)
    _check_gems(options, num_players, field)
    return options


def _number(option: str, text: str, field: str) -> int:
    lowest, highest, rule = RANGES[option]
    is_number = len(text) <= 6 and text.isascii() and text.isdigit() and str(int(text)) == text
    if not is_number or not lowest <= int(text) <= highest:
        raise _refusal(option, text, rule, f"a number from {lowest} to {highest}", field)
    return int(text)


def _check_choice(option: str, text: str, field: str) -> None:
    choices, rule = CHOICES[option]
    if text not in choices:
        raise _refusal(option, text, rule, f"one of {', '.join(choices)}", field)


def _check_first_player(text: str, num_players: int, field: str) -> None:
    if text not in [f"p{seat}" for seat in range(1, num_players + 1)]:
        raise _refusal("first_player", text, "R2.4", f"a seat, p1 to p{num_players}", field)


def _check_gems(options: dict[str, str], num_players: int, field: str) -> None:
    start, target = int(options["start_gems"]), int(options["target_gems"])
    most = num_players * start
    if most > NUM_GEMS:
        wanted = f"at most {NUM_GEMS // num_players} with {num_players} players and 30 gems"
        raise _refusal("start_gems", str(start), "R2.1", wanted, field)
    if not start < target <= most:
        wanted = f"a number from {start + 1} to {most}, more than the start and at most all gems"
        raise _refusal("target_gems", str(target), "R9.1", wanted, field)
    if int(options["target_floor"]) > target:
        wanted = f"a number from 1 to {target}, the gems that win"
        raise _refusal("target_floor", options["target_floor"], "R9.1", wanted, field)


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
    return {
        option: text if option == "auto_pass" else int(text.removeprefix("p"))
        for option, text in options.items()
    }


def texts(values: Mapping[str, Any], num_players: int) -> dict[str, str]:
    """Return the options of a view as text; what is absent or empty has its default.

    Args:
        values: the options of a view.
        num_players: seats of the view, for one that does not say `players`.
    """
    given = {
        option: f"p{value}" if option == "first_player" else str(value)
        for option, value in values.items()
        if value or (option == "reshuffle_step" and value is not None)
    }
    return defaults(int(values.get("players") or num_players)) | given


def tag(options: Mapping[str, str]) -> str:
    """Write the first field of a line: what differs from its default (R13.1)."""
    usual = defaults(int(options["players"])) | {"players": "4"}
    changed = [f"{key}={options[key]}" for key in usual if options[key] != usual[key]]
    return ";".join(["coc", *changed])


def deck(values: Mapping[str, Any]) -> Cards:
    """Return the whole deck of a game (R1.1, R1.2)."""
    counts = BASE_COUNTS | {"minstrel": values["minstrels"], "monk": values["monks"]}
    return {card: count for card, count in counts.items() if count}
