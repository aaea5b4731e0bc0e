"""Boards, squares and what is adjacent in Knaves Out (R2, R3.2, R3.3)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

SIZE = 8
FILES = "abcdefgh"
NUM_CONTACTS = 3  # R3.3

Point = tuple[int, int]

# Section 4: lower left corners and kings by number of players.
FIXED_BOARDS: dict[int, tuple[Point, ...]] = {
    2: ((0, 0), (8, 0)),
    3: ((0, 0), (8, 0), (4, 8)),
    4: ((0, 0), (8, 0), (8, 8), (0, 8)),
    5: ((0, 0), (8, 0), (16, 0), (12, 8), (4, 8)),
    6: ((0, 0), (8, 0), (16, 0), (16, 8), (8, 8), (0, 8)),
    7: ((0, 0), (8, 0), (16, 0), (24, 0), (20, 8), (12, 8), (4, 8)),
    8: ((0, 0), (8, 0), (16, 0), (24, 0), (24, 8), (16, 8), (8, 8), (0, 8)),
}
FIXED_KINGS = {
    2: "1c4 2f5",
    3: "1c3 2f3 3d6",
    4: "1c3 2f3 3f6 4c6",
    5: "1c3 2d3 3f3 4e6 5d6",
    6: "1c3 2d3 3f3 4f6 5e6 6c6",
    7: "1c3 2d3 3e3 4f3 5e6 6d6 7d6",
    8: "1c3 2d3 3e3 4f3 5f6 6e6 7d6 8c6",
}


def board_of(square: str) -> int:
    """Give the board that a square lies on."""
    return int(square[0])


def squares_of(board: int) -> list[str]:
    """List the squares of a board in square order."""
    return [f"{board}{file}{rank}" for file in FILES for rank in range(1, SIZE + 1)]


class World:
    """The adjacency of the placed boards; square names sort in square order."""

    def __init__(self, corners: tuple[Point | None, ...], island: int) -> None:
        self.points: dict[str, Point] = {}
        for board, corner in enumerate(corners, start=1):
            if corner:
                for index, square in enumerate(squares_of(board)):
                    self.points[square] = (corner[0] + index // SIZE, corner[1] + index % SIZE)
        self.squares = list(self.points)
        at = {point: square for square, point in self.points.items()}
        self.neighbours: dict[str, list[str]] = {}
        self.coast: list[str] = []
        for square, (x, y) in self.points.items():
            touching = [
                at[x + dx, y + dy]
                for dx in (-1, 0, 1)
                for dy in (-1, 0, 1)
                if (dx or dy) and (x + dx, y + dy) in at
            ]
            # R2.2: an island touches no other board.
            near = sorted(
                other
                for other in touching
                if other[0] == square[0] or island not in (board_of(other), board_of(square))
            )
            self.neighbours[square] = near
            if len(near) < SIZE:  # R2.3, of 8 neighbours
                self.coast.append(square)
        self.is_coastal = frozenset(self.coast)
        self.near = {square: frozenset(near) for square, near in self.neighbours.items()}


@lru_cache(maxsize=200)
def world_of(corners: tuple[Point | None, ...], island: int) -> World:
    """Give the world of these boards; island 0 means none."""
    return World(corners, island)


def overlap(one: Point, other: Point) -> bool:
    """Tell whether two boards overlap."""
    return abs(one[0] - other[0]) < SIZE and abs(one[1] - other[1]) < SIZE


def num_contacts(corner: Point, placed: Iterable[Point]) -> int:
    """Count the squares of a board that share a side with a square of a placed one (R3.3)."""
    x, y = corner
    touching: set[Point] = set()
    for other_x, other_y in placed:
        across = range(max(x, other_x), min(x, other_x) + SIZE)  # columns of both
        up = range(max(y, other_y), min(y, other_y) + SIZE)
        if abs(y - other_y) == SIZE:
            touching.update((column, y if other_y < y else y + SIZE - 1) for column in across)
        if abs(x - other_x) == SIZE:
            touching.update((x if other_x < x else x + SIZE - 1, row) for row in up)
    return len(touching)


def can_place(corner: Point, placed: list[Point]) -> bool:
    """R3.3."""
    return (
        not any(overlap(corner, other) for other in placed)
        and num_contacts(corner, placed) >= NUM_CONTACTS
    )


def places(placed: list[Point]) -> list[Point]:
    """List the legal corners of the next board, by x, then y."""
    near = {
        (x + dx, y + dy)
        for x, y in placed
        for dx in range(-SIZE, SIZE + 1)
        for dy in range(-SIZE, SIZE + 1)
        if SIZE in (abs(dx), abs(dy))
    }
    return sorted(corner for corner in near if can_place(corner, placed))
