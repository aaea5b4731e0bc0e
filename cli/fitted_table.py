"""Tables that fit a terminal, however narrow it is.

Where a table is wider than the terminal, its headings and texts are wrapped between words, never
within numbers. Columns for which even that leaves no room stand beneath each row, with their
headings before them.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

GAP, NARROW_GAP = 4, 2
"""Characters between two columns, and between those of a table that would be too wide."""
LEAST_TEXT = 30
"""Characters from which on a column of longer texts is worth its place."""


class FittedTable:
    """Rows below their headings, or wrapped and partly beneath each other in a narrow terminal.

    Args:
        columns: the headings; without any there is no head. The cells of a column whose heading
            starts with `>` are right-aligned and never wrapped.
        rows: the cells of each, as plain text without markup.
    """

    def __init__(self, columns: Iterable[str], rows: Iterable[Iterable[str]]) -> None:
        named = list(columns)
        self._headings = [name.removeprefix(">") for name in named]
        self._are_right = [name.startswith(">") for name in named]
        self._rows = [list(row) for row in rows]

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType | Segment]:
        """Yield what rich shows; files and pipes have all of a row in one line."""
        widths = [max(map(cell_len, cells)) for cells in self._cells()]
        width = sum(widths) + GAP * len(widths)
        if width <= options.max_width or not console.is_terminal:
            table = self._table(self._rows, dict(enumerate(widths)), GAP)
            yield from console.render(table, options.update_width(width))
        else:
            yield from self._narrow(widths, options.max_width)

    def _cells(self) -> Iterator[Sequence[str]]:
        """Yield the heading and the cells of each column."""
        for number, heading in enumerate(self._headings):
            yield heading, *(row[number] for row in self._rows)

    def _narrow(self, full: Sequence[int], width: int) -> Iterator[RenderableType]:
        """Yield a table of the columns for which there is room, and the others beneath its rows."""
        wanted = [
            max((_longest_word(head), *map(cell_len, cells))) for head, *cells in self._cells()
        ]
        least = [
            most if is_right else min(most, max(LEAST_TEXT, *map(_longest_word, cells)))
            for most, is_right, cells in zip(wanted, self._are_right, self._cells(), strict=True)
        ]
        widths = {0: least[0]}  # of the columns that stand beside each other, by number
        spare = width - least[0] - NARROW_GAP
        for number in range(1, len(least)):
            if least[number] + NARROW_GAP <= spare:
                widths[number] = least[number]
                spare -= least[number] + NARROW_GAP
        for goals in (wanted, full):  # cells in one line come before headings in one line
            for number in widths:
                more = min(max(spare, 0), goals[number] - widths[number])
                widths[number] += more
                spare -= more
        if len(widths) == len(least) or not self._rows:
            yield self._table(self._rows, widths, NARROW_GAP)
            return
        for number, row in enumerate(self._rows):
            yield self._table([row], widths, NARROW_GAP, has_head=not number)
            if beneath := self._beneath(row, widths):
                yield Padding(Text(beneath, overflow="fold"), (0, 0, 0, GAP))

    def _beneath(self, row: Sequence[str], beside: Container[int]) -> str:
        """Return the cells with values of the other columns, each after its heading."""
        return "; ".join(
            f"{self._headings[number]} {cell}".strip()
            for number, cell in enumerate(row)
            if number not in beside and cell not in ("", "-")
        )

    def _table(
        self,
        rows: Iterable[Sequence[str]],
        widths: Mapping[int, int],
        gap: int,
        *,
        has_head: bool = True,
    ) -> Table:
        """Lay rows out by the columns that have a width."""
        has_head = has_head and any(self._headings)
        laid = Table(box=None, pad_edge=False, padding=(0, gap // 2), show_header=has_head)
        for number, width in widths.items():
            justify: Literal["left", "right"] = "right" if self._are_right[number] else "left"
            title = Text(self._headings[number], style="bold", justify=justify)
            laid.add_column(title, justify=justify, width=width, overflow="fold")
        for row in rows:
            laid.add_row(*(Text(row[number]) for number in widths))
        return laid


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split()), default=0)
