"""Connect four in plain Python, from docs/rules/connect_four.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

COLUMNS = "abcdefg"
NUM_ROWS = 6
DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]  # R1.4, as steps of column and row


@dataclass(frozen=True)
class Reference:
    """A state of connect four: the discs of each column from the bottom up."""

    columns: tuple[str, ...]

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game; there are no options (section 4)."""
        if options:
            raise ValueError(f"{next(iter(options))}: the game has no options (section 4)")
        return cls(("",) * len(COLUMNS))

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R3.3)."""
        fields = text.split(" ")
        if len(fields) != 3 or fields[0] != "c4" or not fields[1].startswith("board="):
            raise ValueError(f"line: {text!r} is not c4 board=... node=... (R3.3a)")
        rows = fields[1][len("board=") :].split("/")
        if len(rows) != NUM_ROWS or any(len(row) != 7 or set(row) - set(".xo") for row in rows):
            raise ValueError(f"board: {fields[1]!r} is not six rows of seven (R3.3a)")
        columns = ["".join(column).rstrip(".") for column in zip(*reversed(rows), strict=True)]
        if any("." in column for column in columns):
            raise ValueError("board: a disc floats (R3.3b)")
        state = cls(tuple(columns))
        state.check_discs()
        if state.text() != text:
            raise ValueError(f"node: {fields[2]!r} is not the implied one (R3.3f)")
        return state

    def check_discs(self) -> None:
        """Refuse what R3.3 (c) to (e) forbid."""
        surplus = self.count("x") - self.count("o")
        if surplus not in (0, 1):
            raise ValueError("board: the numbers of x and o do not fit (R3.3c)")
        for mark, winning_surplus in (("x", 1), ("o", 0)):
            if not self.has_four(mark):
                continue
            if surplus != winning_surplus:  # (also refuses two winners: both can't fit)
                raise ValueError("board: a disc was played after a four (R3.3d)")
            if not any(
                column.endswith(mark) and not self.without_top(index).has_four(mark)
                for index, column in enumerate(self.columns)
            ):
                raise ValueError(f"board: no last move explains the fours of {mark} (R3.3e)")

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line (R3.4)."""
        position, _, observer = text.rpartition(" ")
        if observer not in ("@p1", "@p2", "@-"):
            raise ValueError(f"@: {observer!r} is not @p1, @p2 or @- (R3.4)")
        cls.parse(position)
        return text

    def text(self) -> str:
        """Print the position (R3.2)."""
        filled = [column.ljust(NUM_ROWS, ".") for column in self.columns]
        rows = ["".join(column[row] for column in filled) for row in reversed(range(NUM_ROWS))]
        node = "end" if self.node() == "end" else f"play:{self.node()}"
        return f"c4 board={'/'.join(rows)} node={node}"

    def count(self, mark: str) -> int:
        """Count the discs of a side."""
        return sum(column.count(mark) for column in self.columns)

    def without_top(self, index: int) -> Reference:
        """Take the topmost disc of a column away."""
        columns = list(self.columns)
        columns[index] = columns[index][:-1]
        return Reference(tuple(columns))

    def has_four(self, mark: str) -> bool:
        """R1.4."""
        discs = {
            (index, row)
            for index, column in enumerate(self.columns)
            for row, found in enumerate(column)
            if found == mark
        }
        return any(
            all((index + right * step, row + up * step) in discs for step in range(4))
            for index, row in discs
            for right, up in DIRECTIONS
        )

    def node(self) -> str:
        """Say who is asked (R1.1, R1.5, R1.6)."""
        return self._node

    @cached_property
    def _node(self) -> str:  # asked for several times at every node
        is_full = all(len(column) == NUM_ROWS for column in self.columns)
        if self.has_four("x") or self.has_four("o") or is_full:
            return "end"
        return "p1" if self.count("x") == self.count("o") else "p2"

    def legal(self) -> list[str]:
        """List the columns that are not full (R1.3)."""
        if self.node() == "end":
            return []
        pairs = zip(COLUMNS, self.columns, strict=True)
        return [name for name, column in pairs if len(column) < NUM_ROWS]

    def chance(self) -> dict[str, Fraction]:
        """There is no chance (R1.7)."""
        return {}

    def apply(self, token: str) -> Reference:
        """Drop a disc."""
        if token not in self.legal():
            raise ValueError(f"{token!r} is not possible in {self.text()}")
        columns = list(self.columns)
        columns[COLUMNS.index(token)] += "x" if self.node() == "p1" else "o"
        return Reference(tuple(columns))

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R3.4)."""
        if seat not in (0, 1, 2):
            raise ValueError(f"seat {seat} of a 2-seat game")
        return self.text() + (f" @p{seat}" if seat else " @-")

    def consistent(self, seat: int, position_text: str) -> bool:
        """Tell whether a position fits the observation."""
        try:
            return Reference.parse(position_text).observe(seat) == self.observe(seat)
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R1.5, R1.6)."""
        if self.node() != "end":
            raise ValueError("the game is not over")
        if self.has_four("x"):
            return [Fraction(1), Fraction(0)]
        if self.has_four("o"):
            return [Fraction(0), Fraction(1)]
        return [Fraction(1, 2), Fraction(1, 2)]
