"""Tic-tac-toe in plain Python, from docs/rules/tic_tac_toe.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

SQUARES = [file + rank for rank in "123" for file in "abc"]  # R3.1: canonical order
LINES = [  # R1.4
    *[[file + rank for file in "abc"] for rank in "123"],
    *[[file + rank for rank in "123"] for file in "abc"],
    ["a1", "b2", "c3"],
    ["a3", "b2", "c1"],
]


@dataclass(frozen=True)
class Reference:
    """A state of tic-tac-toe: one of `.xo` per square, in the order of SQUARES."""

    board: str

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game; there are no options (section 4)."""
        if options:
            raise ValueError(f"{next(iter(options))}: the game has no options (section 4)")
        return cls("." * 9)

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R3.3)."""
        fields = text.split(" ")
        if len(fields) != 3 or fields[0] != "ttt" or not fields[1].startswith("board="):
            raise ValueError(f"line: {text!r} is not ttt board=... node=... (R3.3a)")
        ranks = fields[1][len("board=") :].split("/")
        if len(ranks) != 3 or any(len(rank) != 3 or set(rank) - set(".xo") for rank in ranks):
            raise ValueError(f"board: {fields[1]!r} is not three ranks of three (R3.3a)")
        state = cls("".join(reversed(ranks)))
        surplus = state.board.count("x") - state.board.count("o")
        if surplus not in (0, 1):
            raise ValueError("board: the numbers of x and o do not fit (R3.3b)")
        if (state.has_line("x") and surplus != 1) or (state.has_line("o") and surplus != 0):
            raise ValueError("board: a mark was set after a line was complete (R3.3c)")
        if state.text() != text:
            raise ValueError(f"node: {fields[2]!r} is not the implied one (R3.3d)")
        return state

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
        ranks = "/".join([self.board[6:9], self.board[3:6], self.board[0:3]])
        node = "end" if self.node() == "end" else f"play:{self.node()}"
        return f"ttt board={ranks} node={node}"

    def has_line(self, mark: str) -> bool:
        """R1.4."""
        filled = {
            square for square, found in zip(SQUARES, self.board, strict=True) if found == mark
        }
        return any(filled.issuperset(line) for line in LINES)

    def node(self) -> str:
        """Say who is asked (R1.1, R1.5, R1.6)."""
        if self.has_line("x") or self.has_line("o") or "." not in self.board:
            return "end"
        return "p1" if self.board.count("x") == self.board.count("o") else "p2"

    def legal(self) -> list[str]:
        """List the empty squares (R1.3)."""
        if self.node() == "end":
            return []
        return [square for square, mark in zip(SQUARES, self.board, strict=True) if mark == "."]

    def chance(self) -> dict[str, Fraction]:
        """There is no chance (R1.7)."""
        return {}

    def apply(self, token: str) -> Reference:
        """Mark a square."""
        if token not in self.legal():
            raise ValueError(f"{token!r} is not possible in {self.text()}")
        index = SQUARES.index(token)
        mark = "x" if self.node() == "p1" else "o"
        return Reference(self.board[:index] + mark + self.board[index + 1 :])

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
        if self.has_line("x"):
            return [Fraction(1), Fraction(0)]
        if self.has_line("o"):
            return [Fraction(0), Fraction(1)]
        return [Fraction(1, 2), Fraction(1, 2)]
