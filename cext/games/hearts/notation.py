"""Lines and tokens of Hearts (section 4 of the rules page); a *view* is a typed message (R4.5).

line.pyx writes lines, and reads those that have no error.
"""

from collections.abc import Mapping
from typing import Any

from kingmaker.cext.notation import (
    read_line,
    read_list,
    read_node,
    read_number,
    read_parts,
)

from .cards import OPTIONS

View = Mapping[str, Any]

FIELDS = ("direction", "p1", "p2", "p3", "p4", "trick", "node")


def read_position(text: str) -> View:
    """Read the fields of a line as they are written (R4.2, R4.4)."""
    line = read_line(text, "hearts", FIELDS, ("R4.2", "R4.4"), OPTIONS)
    direction, *seats, trick, node = line.values
    kind = "observation" if line.observer else "position"
    return {
        "options": line.options,
        "direction": "" if direction == "_" else direction,
        "seats": [read_seat(seat, f"{kind}.seats[{i}]") for i, seat in enumerate(seats)],
        "trick": read_list(trick),
        "node": read_node(node),
        **line.observer,
    }


def read_seat(text: str, path: str) -> View:
    """Read `hand/played/given/shown/points`."""
    wanted = "a seat is hand/played/given/shown/points"
    hand, played, given, shown, points = read_parts(text, "/", 5, path, "R4.2", wanted)
    return {
        "hand": read_list(hand),
        "played": read_list(played),
        "given": read_list(given),
        "shown": "" if shown == "-" else shown,
        "points": read_number(points, f"{path}.points", "R4.2"),
    }


def read_move(text: str) -> View:
    """Read a token (R4.1)."""
    verb, _, argument = text.partition(":")
    return {"verb": verb, "direction" if verb == "direction" else "card": argument}


def write_move(view: View) -> str:
    """Write the token of a move."""
    return f"{view['verb']}:{view.get('direction') or view['card']}"
