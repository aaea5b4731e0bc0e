"""Where figures may go: areas, destinations and radius (sections 1, 7 and 9 of the rules page).

A *board* maps occupied squares to the figures of a view.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from .names import FILES, SQUARE_INDEX

Figure = dict[str, Any]
Board = Mapping[str, Figure]

AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)
STRAIGHT = ((0, -1), (-1, 0), (1, 0), (0, 1))
DIAGONAL = ((-1, -1), (1, -1), (-1, 1), (1, 1))
JUMPS = ((-1, -2), (1, -2), (-2, -1), (2, -1), (-2, 1), (2, 1), (-1, 2), (1, 2))
STEPS = {"king": AROUND, "knight": JUMPS}
LINES = {"bishop": DIAGONAL, "rook": STRAIGHT, "queen": AROUND}

LINE_ROW = {1: 0, 2: 9}  # by seat
END_ROW = {1: 8, 2: 1}
SETUP_ROWS = {1: (1, 2), 2: (7, 8)}
FORWARD = {1: 1, 2: -1}


def row_of(square: str) -> int:
    """Return the row, 0 to 9."""
    return int(square[1])


def is_active(square: str) -> bool:
    """Tell whether a figure there is active, not on a recruitment line."""
    return 1 <= row_of(square) <= 8


def shifted(square: str, x: int, y: int) -> str:
    """Return the square `x` files and `y` rows on; "" beyond rows 0 and 9 or files a and h."""
    file, row = FILES.index(square[0]) + x, row_of(square) + y
    return f"{FILES[file]}{row}" if 0 <= file < 8 and 0 <= row <= 9 else ""


def radius(square: str) -> list[str]:
    """List the squares that touch this one, rows 0 and 9 included, in square order."""
    return [near for x, y in AROUND if (near := shifted(square, x, y))]


def touches(square: str, other: str) -> bool:
    """Tell whether two squares touch by side or corner."""
    return bool(square) and other in radius(square)


def is_in_area(origin: str, square: str) -> bool:
    """Tell whether a figure on `origin` may stand on or pass `square` (R7.1)."""
    if not square or not is_active(square):
        return False
    if is_active(origin):
        return True
    is_same_side = (origin[0] < "e") == (square[0] < "e")
    return is_same_side and (row_of(square) <= 4) == (row_of(origin) == 0)


def destinations(board: Board, figure: Figure) -> list[str]:
    """List the legal destinations of a figure in square order (R7.1 to R7.5)."""
    return sorted(_reached(board, figure), key=lambda square: SQUARE_INDEX[square])


def _reached(board: Board, figure: Figure) -> Iterator[str]:
    kind = figure["type"]
    if kind == "pawn":
        return _pawn_reached(board, figure)
    if kind in STEPS:
        return _stepped(board, figure)
    return _slid(board, figure)


def _stepped(board: Board, figure: Figure) -> Iterator[str]:
    for x, y in STEPS[figure["type"]]:
        square = shifted(figure["square"], x, y)
        if is_in_area(figure["square"], square) and not is_own(board, figure, square):
            yield square


def _slid(board: Board, figure: Figure) -> Iterator[str]:
    for x, y in LINES[figure["type"]]:
        square = shifted(figure["square"], x, y)
        while is_in_area(figure["square"], square) and not is_own(board, figure, square):
            yield square
            square = "" if square in board else shifted(square, x, y)


def _pawn_reached(board: Board, figure: Figure) -> Iterator[str]:
    origin, forward = figure["square"], FORWARD[figure["seat"]]
    for x in (-1, 1):
        square = shifted(origin, x, forward)
        if is_in_area(origin, square) and square in board and not is_own(board, figure, square):
            yield square
    for steps in (1, 2) if figure["is_fresh"] else (1,):
        square = shifted(origin, 0, steps * forward)
        if not is_in_area(origin, square) or square in board:
            return
        yield square


def is_own(board: Board, figure: Figure, square: str) -> bool:
    """Tell whether a figure of the same side stands on a square."""
    return square in board and bool(board[square]["seat"] == figure["seat"])
