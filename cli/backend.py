"""Where a game at the terminal runs: the rules, the deal, the bots' moves and the hints.

`LocalBackend` runs it in this process, `RemoteBackend` (remote.py) on a server. Both work on full
positions, which `kingmaker play` keeps; `play` also decides what the person may see.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kingmaker.search.analysis import Budget
from kingmaker.search.draws import settle_by_seed
from kingmaker.search.hints import explain
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.run import analyze


@dataclass(frozen=True, slots=True)
class Advice:
    """A suggested move with a sentence about it.

    Attributes:
        move: its token.
        value: the mover's win share; None if the search has hardly examined the move.
        probability: of playing it.
        text: the sentence.
    """

    move: str
    value: float | None
    probability: float
    text: str


class Backend(Protocol):
    """The operations that `play` needs."""

    def start(self, game: str, options: Mapping[str, str]) -> Position:
        """Return the start of a game, before its first chance outcomes."""

    def proceed(self, position: Position, *moves: str) -> list[str]:
        """Apply moves, and draw the chance outcomes that follow.

        Returns:
            Tokens of the moves and outcomes, in order, up to the next decision or the end.
        """

    def select(self, observation: Observation, level: int) -> str:
        """Choose a move for the observer, whose decision it is."""

    def advise(self, observation: Observation, top: int) -> list[Advice]:
        """Suggest the `top` best moves to the observer, whose decision it is."""


class LocalBackend:
    """Runs the game in this process.

    Args:
        milliseconds: of a search.
        seed: of the outcomes of chance.
        bots_seed: of all searches.
    """

    def __init__(self, milliseconds: float, seed: int, bots_seed: int) -> None:
        self._budget = Budget(milliseconds)
        self._seed = seed
        self._bots = np.random.default_rng(bots_seed)

    def start(self, game: str, options: Mapping[str, str]) -> Position:
        """Start a game."""
        return new_game(game, options)

    def proceed(self, position: Position, *moves: str) -> list[str]:
        """Apply moves, and draw the chance outcomes that follow."""
        _, drawn = settle_by_seed(position.apply(*moves), self._seed)
        return [*moves, *drawn]

    def select(self, observation: Observation, level: int) -> str:
        """Choose a move."""
        seed = int(self._bots.integers(2**63))
        move, _ = select_move(observation, self._budget, level=level, seed=seed)
        return move

    def advise(self, observation: Observation, top: int) -> list[Advice]:
        """Suggest moves."""
        seed = int(self._bots.integers(2**63))
        analysis = analyze(observation, self._budget, seed=seed, all_moves=True)
        seat = observation.observer
        return [
            Advice(
                each.analysis.move,
                each.analysis.values[seat - 1] if each.analysis.is_examined else None,
                probability,
                each.text,
            )
            for each, probability in zip(
                explain(observation, analysis, top), analysis.policy, strict=False
            )
        ]
