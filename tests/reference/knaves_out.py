"""Knaves Out in plain Python, rule by rule from docs/rules/knaves_out.md.

Rule numbers (R9.5, D36) are those of the page. The parts: `knaves_out_cards` (cards, towers,
records), `..._board` (squares), `..._nodes`, `..._state` (options, pieces, players, printing),
`..._prices` and `..._targets` (what actions cost and need), `..._moves` (what is possible),
`..._turns`, `..._combat`, `..._movement`, `..._actions` and `..._play` (what it does),
`..._reading`, `..._validity` and `..._node_validity` (positions and observations),
`..._positions` (random positions for tests). All options of section 12 are covered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from .knaves_out_moves import chance_outcomes, legal_moves
from .knaves_out_play import new_state, play_token
from .knaves_out_reading import read_observation, read_position
from .knaves_out_state import State, read_options


@dataclass(frozen=True)
class Reference:
    """A state of Knaves Out."""

    state: State  # never changed

    @classmethod
    def new(cls, options: Mapping[str, str]) -> Reference:
        """Start a game (section 4, section 12)."""
        return cls(new_state(read_options(options)))

    @classmethod
    def parse(cls, text: str) -> Reference:
        """Read a position line (R14.2, R14.5)."""
        return cls(read_position(text))

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Check an observation line (R14.4) by building a position that it comes from."""
        read_observation(text)
        return text

    def text(self) -> str:
        """Print the position (R14.2)."""
        return self._text

    def node(self) -> str:
        """Say who is asked (section 5)."""
        node = self.state.node
        if node.name == "end":
            return "end"
        return f"p{node.seat}" if node.seat else "chance"

    def legal(self) -> list[str]:
        """List the legal moves in canonical order (R14.6)."""
        return list(self._legal)

    def chance(self) -> dict[str, Fraction]:
        """Give each outcome its probability (section 5)."""
        return chance_outcomes(self.state)

    def apply(self, token: str) -> Reference:
        """Make a move, or let an outcome happen (section 5)."""
        if token not in self._legal and token not in self.chance():
            raise ValueError(f"{token!r} is not possible now, at {self.state.node.text()}")
        state = self.state.copy()
        play_token(state, token)
        return Reference(state)

    def observe(self, seat: int) -> str:
        """Print the observation of a seat (R14.4)."""
        if not 0 <= seat <= self.state.options.players:
            raise ValueError(f"seat {seat} of a {self.state.options.players}-seat game")
        return self._observations[seat]

    def consistent(self, seat: int, position_text: str) -> bool:
        """R13.5."""
        seen = self.observe(seat)
        try:
            return read_position(position_text).observe(seat) == seen
        except ValueError:
            return False

    def returns(self) -> list[Fraction]:
        """Give the shares (R12)."""
        node = self.state.node
        if node.name != "end":
            raise ValueError("the game is not over")
        return [Fraction(node[f"p{seat}"]) for seat in self.state.players]

    # The differential tests ask for these several times at every node.

    @cached_property
    def _text(self) -> str:
        return self.state.text()

    @cached_property
    def _observations(self) -> list[str]:
        return self.state.observations()

    @cached_property
    def _legal(self) -> list[str]:
        return legal_moves(self.state)
