"""Chessault in plain Python, rule by rule from docs/rules/chessault.md.

Rule numbers (R9.4, D27) are those of the page. The parts: `chessault_board` (squares and
figures), `..._state` (options, nodes, printing), `..._moves` (what is possible), `..._play` (what
it does), `..._reading` and `..._validity` (positions). Everybody sees everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .chessault_board import SEATS, refuse
from .chessault_moves import chance_outcomes, legal_moves
from .chessault_play import new_state, play_token
from .chessault_reading import read_position
from .chessault_state import End, State, node_text, read_options

OBSERVERS = {0: "@-", **{seat: f"@p{seat}" for seat in SEATS}}


@dataclass(frozen=True)
class Reference:
    """A state of Chessault."""

    state: State  # never changed

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (R4.1, section 15)."""
        return cls(new_state(read_options(options)))

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (section 13)."""
        return cls(read_position(text))

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line (R13.5)."""
        position, _, observer = text.rpartition(" ")
        if observer not in OBSERVERS.values():
            refuse("@", "R13.5", f"{observer!r} is not @p1, @p2 or @-")
        read_position(position)
        return text

    def text(self) -> str:
        """Print the position (section 13)."""
        return self._text

    def node(self) -> str:
        """Say who is asked (section 5, R13.2)."""
        if isinstance(self.state.node, End):
            return "end"
        seat = self.state.decider()
        return f"p{seat}" if seat else "chance"

    def legal(self) -> list[str]:
        """List the legal moves in canonical order (R13.6)."""
        return list(self._legal)

    def chance(self) -> dict[str, Fraction]:
        """Give each outcome its probability (R12)."""
        return chance_outcomes(self.state)

    def apply(self, token: str) -> Reference:
        """Make a move, or let an outcome happen."""
        if token not in self._legal and token not in self.chance():
            raise ValueError(f"{token!r} is not possible now, at {node_text(self.state.node)}")
        state = self.state.copy()
        play_token(state, token)
        return Reference(state)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R13.5)."""
        if seat not in OBSERVERS:
            raise ValueError(f"seat {seat} of a 2-seat game")
        return f"{self.text()} {OBSERVERS[seat]}"

    def consistent(self, seat: int, position_text: str) -> bool:
        """R14.2."""
        seen = self.observe(seat)
        try:
            return Reference.parse(position_text).observe(seat) == seen
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R11.5)."""
        node = self.state.node
        if not isinstance(node, End):
            raise ValueError("the game is not over")
        if node.winner is None:
            return [Fraction(1, 2)] * len(SEATS)
        return [Fraction(int(seat == node.winner)) for seat in SEATS]

    # The differential tests ask for these several times at every node.

    @cached_property
    def _text(self) -> str:
        return self.state.text()

    @cached_property
    def _legal(self) -> list[str]:
        return legal_moves(self.state)
