"""Words that the games share: numbers of things, seats, results, tables of players."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest

GAP = "   "
"""Between the columns of a table."""
WIDEST = 10_000
"""Columns of a picture that may be as wide as it is."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """Count things: `1 card`, `3 cards`, `2 histories` if that is the plural."""
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def joined(names: Iterable[str], word: str = "and") -> str:
    """Join at least one name: `a`, `a and b`, `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} {word} {last}" if first else last


def seats_name(seats: Collection[int]) -> str:
    """Name seats, counted from 1: `p1`, `p1 and p3`, `p1, p2 and p3`; `nobody`."""
    return joined(f"p{seat}" for seat in seats) if seats else "nobody"


def result_name(winners: Collection[int]) -> str:
    """Name the result of winners, counted from 1: `p2 wins`, `p1 and p3 share the win`."""
    return f"{seats_name(winners)} {'wins' if len(winners) == 1 else 'share the win'}"


def hidden_cards_change(name: str, more: int) -> str:
    """Tell that a player holds more hidden cards, or fewer: `p1 holds 2 hidden cards fewer`."""
    return f"{name} holds {counted(abs(more), 'hidden card')} {'more' if more > 0 else 'fewer'}"


def observer_lines(view: Mapping[str, int]) -> list[str]:
    """Return the last line of an observation's picture, `as p1 sees it`; nothing for a state."""
    if "observer" not in view:
        return []
    observer = f"p{view['observer']}" if view["observer"] else "a spectator"
    return [f"as {observer} sees it"]


def columns(
    titles: Sequence[str], players: Iterable[Sequence[Sequence[str]]], width: int = WIDEST
) -> list[str]:
    """Write a table with a column for each player, or several if one would be too wide.

    Args:
        titles: of the rows.
        players: the cells of each player from top to bottom, each as its lines.
        width: that tables with more than one player do not exceed.
    """
    first = [[title] for title in titles]
    tables: list[list[Sequence[Sequence[str]]]] = [[first]]
    for player in players:
        wider = [*tables[-1], player]
        if len(wider) > 2 and sum(map(_width, wider)) + len(GAP) * (len(wider) - 1) > width:
            tables.append([first])
        tables[-1].append(player)
    head, *others = map(_table, tables)
    return [*head, *(line for table in others for line in ("", *table))]


def _width(part: Sequence[Sequence[str]]) -> int:
    return max(len(text) for cell in part for text in cell)


def _table(parts: Sequence[Sequence[Sequence[str]]]) -> list[str]:
    widths = list(map(_width, parts))
    return [
        GAP.join(map(str.ljust, texts, widths)).rstrip()
        for cells in zip(*parts, strict=True)
        for texts in zip_longest(*cells, fillvalue="")
    ]
