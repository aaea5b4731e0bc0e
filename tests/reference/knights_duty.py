"""A Knight's Duty in plain Python, rule by rule from docs/rules/knights_duty.md.

Rule numbers (R6.3, D14) are those of the page. The parts: `knights_duty_state` (options, arena,
Knights, printing), `..._moves` (what is possible, and who gets where), `..._play` (the machine),
`..._reading` and `..._validity` (positions and observations). All options of section 16 are
covered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .knights_duty_moves import chance_outcomes, legal_moves
from .knights_duty_play import new_state, play_token
from .knights_duty_reading import read_observation, read_position
from .knights_duty_state import State, read_options


@dataclass(frozen=True)
class Reference:
    """A state of A Knight's Duty."""

    state: State  # never changed

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (R3, section 16)."""
        return cls(new_state(read_options(options)))

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R13.6)."""
        return cls(read_position(text))

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line (R13.5) by building a position that it comes from."""
        read_observation(text)
        return text

    def text(self) -> str:
        """Print the position (R13.3)."""
        return self.state.text()

    def node(self) -> str:
        """Say who is asked (section 6)."""
        if self.state.stage == "draw":
            return "chance"
        return "end" if self.state.stage == "end" else f"p{self.state.actor}"

    def legal(self) -> list[str]:
        """List the legal moves in canonical order (R13.2)."""
        return legal_moves(self.state)

    def chance(self) -> dict[str, Fraction]:
        """Give each outcome its probability (R9.5)."""
        return chance_outcomes(self.state)

    def apply(self, token: str) -> Reference:
        """Make a move, or let an outcome happen (R13.1)."""
        if token not in self.legal() and token not in self.chance():
            stage = f"{self.state.slot}.{self.state.stage}"
            raise ValueError(f"{token!r} is not possible now, at {stage} (R13.1)")
        state = self.state.copy()
        play_token(state, token)
        return Reference(state)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R13.5)."""
        if not 0 <= seat <= self.state.options.players:
            raise ValueError(f"seat {seat} of a {self.state.options.players}-seat game")
        return self.state.observe(seat)

    def consistent(self, seat: int, position_text: str) -> bool:
        """R12.5."""
        observation = self.observe(seat)
        try:
            other = Reference.parse(position_text)
            return other.observe(seat) == observation
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R11)."""
        if self.state.stage != "end":
            raise ValueError("the game is not over")
        return list(self.state.shares)
