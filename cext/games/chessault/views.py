"""What the fields of a view come to: who decides, what may move, who is in check."""

from typing import Any

from .board import (
    LINE_ROW,
    SETUP_ROWS,
    Board,
    Figure,
    destinations,
    is_active,
    radius,
    touches,
)
from .names import END_OF_TURN, FILES, SACRIFICES, SETUP, TYPES

View = dict[str, Any]


def board_of(view: View) -> dict[str, Figure]:
    """Map occupied squares to figures."""
    return {figure["square"]: figure for figure in view["figures"]}


def figures_of(view: View, seat: int) -> list[Figure]:
    """List the figures of a seat that stand on the 80 squares."""
    return [figure for figure in view["figures"] if figure["seat"] == seat]


def asked_seat(view: View) -> int:
    """Return the seat that decides; 0 at the dice and at the end (R13.2)."""
    node, active = view["node"]["type"], int(view["active"])
    if node in ("dice", "end"):
        return 0
    if node == "promote" and view["action"] == END_OF_TURN:
        return 3 - active  # only Y's pawns come to their endzone there (R10.5)
    return active


def being_placed(view: View) -> str:
    """Return the type of the figure that is in no zone (R13.1); "" for none."""
    node = view["node"]
    if node["type"] == "sacrifice":
        return "queen"
    return str(node["figure"]) if node["type"] == "place" else ""


def movable(view: View) -> dict[str, list[str]]:
    """Map the squares of X's figures that may be moved after a roll to their destinations."""
    board = board_of(view)
    found = {
        figure["square"]: destinations(board, figure)
        for figure in figures_of(view, view["active"])
        if not figure["has_moved"]
    }
    return {square: reached for square, reached in found.items() if reached}


def movable_types(view: View) -> list[str]:
    """List M, the types that a roll can move (R6.1)."""
    board = board_of(view)
    types = {board[square]["type"] for square in movable(view)}
    return [kind for kind in TYPES if kind in types]


def placeable(view: View) -> list[str]:
    """List the free squares for a figure being placed (R4.3, R6.6)."""
    active, board = view["active"], board_of(view)
    rows = SETUP_ROWS[active] if view["action"] == SETUP else (LINE_ROW[active],)
    squares = [f"{file}{row}" for row in rows for file in FILES]
    return [square for square in squares if square not in board]


def sacrificeable(view: View) -> list[str]:
    """List the squares of X's figures that may be given for a queen (R4.5, R6.7)."""
    has_space = bool(placeable(view))
    return [
        figure["square"]
        for figure in figures_of(view, view["active"])
        if figure["type"] in SACRIFICES and (has_space or not is_active(figure["square"]))
    ]


def convertible(view: View, square: str) -> list[str]:
    """List the squares that a converter of X may mark (R9.12)."""
    board = board_of(view)
    marked = {mark["target"] for mark in view["marks"]}
    return [
        near
        for near in radius(square)
        if near in board
        and board[near]["seat"] != view["active"]
        and is_active(near)
        and near not in marked
    ]


def blast(view: View, square: str) -> list[Figure]:
    """List the figures that an explosion hits (R9.10)."""
    board = board_of(view)
    return [board[near] for near in radius(square) if near in board]


def king_of(view: View, seat: int) -> Figure | None:
    """Return the king of a seat, if it stands on the board."""
    kings = [figure for figure in figures_of(view, seat) if figure["type"] == "king"]
    return kings[0] if kings else None


def is_in_check(view: View, seat: int) -> bool:
    """Tell whether the king of a seat is in check (R7.8)."""
    king = king_of(view, seat)
    if king is None:
        return False
    board = board_of(view)
    return _is_attacked(board, king) or any(
        mark["target"] == king["square"] and touches(mark["converter"], king["square"])
        for mark in view["marks"]
    )


def _is_attacked(board: Board, king: Figure) -> bool:
    return any(
        king["square"] in destinations(board, figure)
        for figure in board.values()
        if figure["seat"] != king["seat"]
    )


def resolved(view: View, move: View) -> View:
    """Return the outcome that the faces of real dice come to (R12.5); other moves as they are."""
    if move["verb"] != "faces" or view["node"]["type"] != "dice":
        return move
    types = [kind for kind in movable_types(view) if kind in move["types"]]
    return {"verb": "dice", "types": types}
