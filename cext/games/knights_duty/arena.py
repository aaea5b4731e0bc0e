"""Spaces, directions, distances and corners of the two arenas (R2)."""

from collections.abc import Iterator, Mapping
from typing import Any

Space = tuple[int, int]  # q, r

HEX_DIRECTIONS = {  # R2.2
    "ne": (1, -1),
    "e": (1, 0),
    "se": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (0, -1),
}
SQUARE_DIRECTIONS = {  # R2.6
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}
HIGH_GROUND: Space = (0, 0)  # R2.5


def is_hex(options: Mapping[str, Any]) -> bool:
    """Tell whether the arena of these options (of a view) is hexagonal."""
    return bool(options["arena"] == "hex")


def directions(options: Mapping[str, Any]) -> dict[str, Space]:
    """Return what each direction adds to a space, in canonical order (R13.2)."""
    return HEX_DIRECTIONS if is_hex(options) else SQUARE_DIRECTIONS


def exists(options: Mapping[str, Any], space: Space) -> bool:
    """Tell whether the arena has this space."""
    return distance(options, HIGH_GROUND, space) <= int(options["radius"])


def distance(options: Mapping[str, Any], start: Space, end: Space) -> int:
    """Count the steps from space to space (R2.3, R2.6)."""
    dq, dr = end[0] - start[0], end[1] - start[1]
    straight = max(abs(dq), abs(dr))
    return max(straight, abs(dq + dr)) if is_hex(options) else straight


def neighbour(options: Mapping[str, Any], space: Space, direction: str) -> Space | None:
    """Return the space that lies in a direction; None if that leaves the arena."""
    dq, dr = directions(options)[direction]
    found = space[0] + dq, space[1] + dr
    return found if exists(options, found) else None


def corners(options: Mapping[str, Any]) -> list[Space]:
    """Return the corners clockwise, c0 first (R2.4, R2.6)."""
    radius = int(options["radius"])
    ways = directions(options)
    names = ways if is_hex(options) else ("ne", "se", "sw", "nw")
    return [(radius * ways[name][0], radius * ways[name][1]) for name in names]


def rows(options: Mapping[str, Any]) -> Iterator[list[Space]]:
    """List the spaces row by row, from the top and from the left."""
    radius = int(options["radius"])
    across = range(-radius, radius + 1)
    for r in across:
        yield [(q, r) for q in across if exists(options, (q, r))]
