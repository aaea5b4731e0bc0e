"""Positions, observations and moves of Hearts as text (section 4 of the rules page).

A *view* is the typed message as plain data (R4.5), with every field there.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from kingmaker.cext.errors import InputError
from kingmaker.cext.notation import field_values, observer_suffix

from .cards import CARDS, DIRECTIONS, HIDDEN, LETTERS, ORDER
from .validity import check_observation, check_position, refusal

View = dict[str, Any]

DEFAULT_OPTION = "random"
OPTION_HELP = {
    "pass": "the direction of the pass: random, none, left, across or right; default random (R1.2)"
}
SEATS = ("p1", "p2", "p3", "p4")
FIELDS = ("direction", *SEATS, "trick", "node")
OBSERVERS = {"@-": 0, "@p1": 1, "@p2": 2, "@p3": 3, "@p4": 4}
NODE = re.compile(r"direction|end|(deal|pass|play):p[1-4]")
POINTS = re.compile(r"[0-9]|1[0-9]|2[0-6]", re.ASCII)
SPELLINGS = (
    "a move is pass:<card> or play:<card>, an outcome deal:<card> or direction:none, left, across "
    "or right; a card is a rank of 23456789tjqka and a suit of cdhs"
)


def checked_options(given: Mapping[str, object]) -> dict[str, str]:
    """Return every option with its canonical value.

    Raises:
        InputError: an option is unknown or its value is not one of the rules page.
    """
    for option in given:
        if option != "pass":
            raise InputError(
                f"hearts has no option {option!r}; it has pass",
                field=f"options.{option}",
                value=str(given[option]),
            )
    value = str(given.get("pass", DEFAULT_OPTION))
    if value not in (DEFAULT_OPTION, *DIRECTIONS):
        raise refusal("options.pass", value, "R1.2", "pass is random, none, left, across or right")
    return {"pass": value}


# --- moves ----------------------------------------------------------------------------------------


def move_text(view: View) -> str:
    """Write the token of a move's view, which need not be valid."""
    return f"{view.get('verb', '')}:{view.get('direction') or view.get('card', '')}"


def parse_move(text: str) -> View:
    """Return the view of a token.

    Raises:
        InputError: the token is none of the spellings of R4.1.
    """
    verb, _, argument = text.partition(":")
    if verb == "direction" and argument in DIRECTIONS:
        return {"verb": verb, "direction": argument}
    if verb in ("deal", "pass", "play") and argument in ORDER:
        return {"verb": verb, "card": argument}
    if text in ("deal:?", "pass:?"):  # as another seat sees it; possible nowhere
        return {"verb": verb, "card": HIDDEN}
    raise refusal("move", text, "R4.1", SPELLINGS)


# --- lines ----------------------------------------------------------------------------------------


def view_text(view: View) -> str:
    """Write the line of a view, which need not be valid; what is absent counts as empty.

    Raises:
        InputError: the option has no such value; the line can't tell.
    """
    checked_options({"pass": view.get("pass") or DEFAULT_OPTION})
    tag = "hearts" + (f";pass={view['pass']}" if view.get("pass") else "")
    seats = [*view.get("seats", []), {}, {}, {}, {}]
    seats = seats[: max(len(SEATS), len(seats) - len(SEATS))]
    fields = [
        f"direction={view.get('direction') or '_'}",
        *(f"p{number}={_seat_text(seat)}" for number, seat in enumerate(seats, start=1)),
        f"trick={_list_text(view.get('trick', []))}",
        f"node={view.get('node', '')}",
    ]
    return " ".join([tag, *fields]) + observer_suffix(view)


def _seat_text(seat: View) -> str:
    cards = [_list_text(seat.get(part, [])) for part in ("hand", "played", "given")]
    return "/".join([*cards, seat.get("shown") or "-", str(seat.get("points", 0))])


def _list_text(cards: Sequence[str]) -> str:
    return ",".join(cards) or "-"


def parse_position(text: str) -> View:
    """Return the view of a position line.

    Raises:
        InputError: the line is not a valid position (R4.3).
    """
    view = _parse(text)
    check_position(view)
    return view


def parse_observation(text: str) -> View:
    """Return the view of an observation line.

    Raises:
        InputError: no valid position is consistent with the line (R4.4).
    """
    line, _, last = text.rpartition(" ")
    if last not in OBSERVERS:
        raise refusal(
            "observation", last, "R4.4", "the last field is @p1 to @p4, or @- for a spectator"
        )
    view = _parse(line) | {"observer": OBSERVERS[last]}
    check_observation(view)
    return view


def _parse(text: str) -> View:
    """Read the fields of a line as they are written (R4.2)."""
    tag = text.partition(" ")[0]
    option = tag.removeprefix("hearts;pass=") if ";" in tag else ""
    if tag != "hearts" and option not in DIRECTIONS:
        raise refusal(
            "tag", tag, "R4.2", "the tag is hearts, or hearts;pass=none, left, across or right"
        )
    direction, p1, p2, p3, p4, trick, node = field_values(text, tag, FIELDS, "R4.2")
    if direction not in ("_", *DIRECTIONS):
        raise refusal(
            "direction", direction, "R4.2", "a direction is none, left, across, right or _"
        )
    if not NODE.fullmatch(node):
        raise refusal("node", node, "R4.2", "a node is direction, deal:pN, pass:pN, play:pN or end")
    return {
        "pass": option,
        "direction": direction.strip("_"),
        "seats": [
            _parse_seat(name, seat) for name, seat in zip(SEATS, (p1, p2, p3, p4), strict=True)
        ],
        "trick": _parse_cards("trick", trick),
        "node": node,
    }


def _parse_seat(name: str, text: str) -> View:
    parts = text.split("/")
    if len(parts) != 5:
        raise refusal(name, text, "R4.2", "a seat is hand/played/given/shown/points")
    *cards, shown, points = parts
    letters = [letter for letter in LETTERS if letter in shown]
    if shown != ("".join(letters) or "-"):
        raise refusal(name, shown, "R4.2", f"shown is letters in the order {LETTERS}, or -")
    if not POINTS.fullmatch(points):
        raise refusal(name, points, "R4.2", "points are a number from 0 to 26")
    hand, played, given = (_parse_set(name, part) for part in cards)
    return {
        "hand": hand,
        "played": played,
        "given": given,
        "shown": shown.strip("-"),
        "points": int(points),
    }


def _parse_set(field: str, text: str) -> list[str]:
    """Read cards that must stand in card order, hidden ones last."""
    cards = _parse_cards(field, text)
    if cards != sorted(cards, key=lambda card: ORDER.get(card, len(CARDS))):
        raise refusal(field, text, "R4.2", "cards stand in card order, by suit c d h s and rank")
    return cards


def _parse_cards(field: str, text: str) -> list[str]:
    cards = [] if text == "-" else text.split(",")
    for card in cards:
        if card not in ORDER and card != HIDDEN:
            raise refusal(
                field, card, "R4.2", "a card is a rank of 23456789tjqka and a suit of cdhs"
            )
    return cards
