"""Rows of the tables that lay out the features of games; see feature_blocks.pxd."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Row(NamedTuple):
    """A block: the names of its features and, for a thermometer, how many of them hold by value.

    `num_held` begins with the value `least`; values beyond both ends count as the ends.
    """

    names: list[str]
    least: int = 0
    num_held: tuple[int, ...] = (0,)


def at_least(text: str, *levels: int, unit: int = 1) -> Row:
    """Thermometer of a number: `{}` in the text stands for each of some ascending levels.

    The levels are multiples of a unit, and the number is marked in units, rounded down.
    """
    values = range(levels[0] // unit - 1, levels[-1] // unit + 1)
    held = tuple(sum(value >= level // unit for level in levels) for value in values)
    return Row([text.format(level) for level in levels], values[0], held)


def at_most(text: str, *levels: int) -> Row:
    """Thermometer of a number of which more features hold the smaller it is; levels descend."""
    values = range(levels[-1], levels[0] + 2)
    held = tuple(sum(value <= level for level in levels) for value in values)
    return Row([text.format(level) for level in levels], values[0], held)


def each(text: str, names: Iterable[object]) -> Row:
    """Set: `{}` in the text stands for the name of each member."""
    return Row([text.format(name) for name in names])


def prefixed(text: str, rows: Mapping[int, Row], first: int) -> dict[int, Row]:
    """Return the rows for one of several seats or suits, with its text before each name.

    The numbers of the blocks begin with `first`.
    """
    return {
        first + number: row._replace(names=[f"{text}: {name}" for name in row.names])
        for number, row in rows.items()
    }
