"""Code of Chivalry in plain Python, rule by rule from docs/rules/code_of_chivalry.md.

Rule numbers (R5.4, D26) are those of the page. The parts: `code_of_chivalry_cards` (cards and
plays), `..._state` (options, nodes, knowledge, printing), `..._moves` (what is possible),
`..._play` (what it does), `..._reading` and `..._validity` (positions), `..._observations` (what
seats see). All options of section 12 are covered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .code_of_chivalry_moves import asked_seat, chance_outcomes, legal_moves
from .code_of_chivalry_observations import is_consistent, read_observation
from .code_of_chivalry_play import new_state, play_token
from .code_of_chivalry_reading import read_position
from .code_of_chivalry_state import Over, State, read_options


@dataclass(frozen=True)
class Reference:
    """A state of Code of Chivalry."""

    state: State  # never changed

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (R2, section 12)."""
        return cls(new_state(read_options(options)))

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R13)."""
        return cls(read_position(text))

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line (R14) by building a position that it comes from."""
        read_observation(text)
        return text

    def text(self) -> str:
        """Print the position (R13.1)."""
        return self.state.text()

    def node(self) -> str:
        """Say who is asked (section 5.1)."""
        if isinstance(self.state.node, Over):
            return "end"
        seat = asked_seat(self.state)
        return f"p{seat}" if seat else "chance"

    def legal(self) -> list[str]:
        """List the legal moves in canonical order (R12.2)."""
        return legal_moves(self.state)

    def chance(self) -> dict[str, Fraction]:
        """Give each outcome its probability (section 7)."""
        return chance_outcomes(self.state)

    def apply(self, token: str) -> Reference:
        """Make a move, or let an outcome happen (R12.1)."""
        if token not in self.legal() and token not in self.chance():
            node = self.state.text_fields(None)[7]
            raise ValueError(f"{token!r} is not possible now, at {node} (R12.1)")
        state = self.state.copy()
        play_token(state, token)
        return Reference(state)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R14)."""
        self._check_observer(seat)
        return self.state.observe(seat)

    def consistent(self, seat: int, position_text: str) -> bool:
        """R11.4."""
        self._check_observer(seat)
        try:
            other = read_position(position_text)
        except ValueError:
            return False
        return is_consistent(self.state, seat, other)

    def returns(self) -> list[Fraction]:
        """Give the shares (R9.7)."""
        node = self.state.node
        if not isinstance(node, Over):
            raise ValueError("the game is not over")
        share = Fraction(1, len(node.winners))
        return [share if seat in node.winners else Fraction(0) for seat in self.state.seats()]

    def _check_observer(self, seat: int) -> None:
        if not 0 <= seat <= len(self.state.players):
            raise ValueError(f"seat {seat} of a {len(self.state.players)}-seat game")
