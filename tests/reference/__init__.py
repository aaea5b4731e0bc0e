"""Reference models: every game once more in plain Python, written from its rules page alone.

They share no code with the engine and are clear rather than fast. The differential tests drive
both side by side, and the scenario blocks of `docs/rules/*.md` run against both.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Protocol

from kingmaker.cext.games import GAMES


class RuleModel(Protocol):
    """A state of one game; immutable, so that `apply` gives a new one.

    Moves and chance outcomes are tokens, positions and observations are lines of text, both as
    the game's rules page defines them. Seats are 1..n, 0 is a spectator.
    """

    @classmethod
    def new(cls, options: Mapping[str, str]) -> RuleModel:
        """Start a game; the options are the texts of the scenario line `new key=value ...`.

        Raises:
            ValueError: if the page refuses a game with these options.
        """

    @classmethod
    def parse(cls, text: str) -> RuleModel:
        """Read a position line.

        Raises:
            ValueError: if it is not a valid position; the message names the field and the rule.
        """

    @classmethod
    def parse_observation(cls, text: str) -> str:
        """Give back a valid observation line unchanged.

        Raises:
            ValueError: if no valid position is consistent with it.
        """

    def text(self) -> str:
        """Print the canonical position line."""

    def node(self) -> str:
        """Say who is asked: `p1`..`p4`, `chance` or `end`."""

    def legal(self) -> list[str]:
        """List the legal moves in canonical order; empty unless this is a decision node."""

    def chance(self) -> dict[str, Fraction]:
        """Give each outcome its probability, in canonical order; empty unless a chance node."""

    def apply(self, token: str) -> RuleModel:
        """Make a move, or let an outcome happen.

        Raises:
            ValueError: if the token is neither a legal move nor an outcome now.
        """

    def observe(self, seat: int) -> str:
        """Print what a seat sees now (0: a spectator).

        Raises:
            ValueError: if the game has no such seat.
        """

    def consistent(self, seat: int, position_text: str) -> bool:
        """Tell whether a position fits what `seat` sees now; never so for an invalid one."""

    def returns(self) -> list[Fraction]:
        """Give the share of the win of each seat, seat 1 first; they add up to 1.

        Raises:
            ValueError: if the game is not over.
        """


REFERENCES: dict[str, type[RuleModel]] = {
    name: import_module(f".{name}", __name__).Reference for name in GAMES
}
