"""Squares and figures of Chessault (sections 1 and 2 of docs/rules/chessault.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NoReturn

WHITE, BLACK = 1, 2  # D1
SEATS = (WHITE, BLACK)

FILES = "abcdefgh"
NUM_ROWS = 10
SQUARES = [file + str(row) for row in range(NUM_ROWS) for file in FILES]  # the order of R13.6

KINDS = "pnbrqk"  # the order of dice (R12.4)
BOUGHT_KINDS = "qrbnp"  # in the order of moves (R13.6)
SACRIFICED_KINDS = "nbrq"  # R6.7
PROMOTED_KINDS = "qrbn"  # R8.6, in the order of moves
PRICES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 7}  # R6.6
SUPPLIES = {  # R2.4
    "standard": {"k": 1, "q": 2, "r": 2, "b": 2, "n": 2, "p": 8},
    "double": {"k": 1, "q": 2, "r": 4, "b": 4, "n": 4, "p": 16},
}

ABILITIES = ("protect", "explode", "convert")
TOKENS = {"protect": 5, "explode": 3, "convert": 3}  # R2.5
FIELDS = {  # R2.2
    **dict.fromkeys(["a1", "h1", "c3", "f3", "c6", "f6", "a8", "h8"], "explode"),
    **dict.fromkeys(["b2", "g2", "d4", "e4", "d5", "e5", "b7", "g7"], "convert"),
}

# Rows, by seat
LINE = {WHITE: 0, BLACK: 9}
FORWARD = {WHITE: 1, BLACK: -1}
SETUP_ZONE = {WHITE: (1, 2), BLACK: (7, 8)}
ENDZONE = {WHITE: 8, BLACK: 1}
OWN_HALF = {WHITE: range(1, 5), BLACK: range(5, 9)}
BOARD_ROWS = range(1, 9)


def refuse(field: str, rule: str, reason: str) -> NoReturn:
    """Raise the error of text that is not valid."""
    raise ValueError(f"{field}: {reason} ({rule})")


@dataclass(frozen=True)
class Figure:
    """A chess man on one of the 80 squares."""

    kind: str  # a letter of KINDS
    owner: int
    ability: str = ""  # one of ABILITIES, or none
    is_fresh: bool = False  # R7.5
    has_moved: bool = False  # in this turn


def enemy_of(seat: int) -> int:
    """Give the other seat."""
    return BLACK if seat == WHITE else WHITE


def row_of(square: str) -> int:
    """Give the row of a square."""
    return int(square[1])


def is_on_board(square: str) -> bool:
    """Tell whether figures there are active, not recruited."""
    return row_of(square) in BOARD_ROWS


@cache
def neighbour(square: str, right: int, up: int) -> str | None:
    """Give the square so many files and rows away, None outside rows 0-9."""
    file, row = FILES.index(square[0]) + right, row_of(square) + up
    if file not in range(len(FILES)) or row not in range(NUM_ROWS):
        return None
    return FILES[file] + str(row)


@cache
def radius(square: str) -> tuple[str, ...]:
    """Give the squares that touch a square, rows 0 and 9 included, in square order."""
    steps = [(right, up) for up in (-1, 0, 1) for right in (-1, 0, 1) if right or up]
    return tuple(near for step in steps if (near := neighbour(square, *step)))


@cache
def area(square: str) -> frozenset[str]:
    """Give the squares that a figure may enter from a square (R7.1)."""
    if is_on_board(square):
        return frozenset(other for other in SQUARES if is_on_board(other))
    files = "abcd" if square[0] in "abcd" else "efgh"
    rows = OWN_HALF[WHITE if row_of(square) == LINE[WHITE] else BLACK]
    return frozenset(file + str(row) for file in files for row in rows)


def other_half(square: str, seat: int) -> bool:
    """Tell whether a square of the board lies in the other half of a seat."""
    return row_of(square) in OWN_HALF[enemy_of(seat)]
