"""Playing strength in ten levels, for opponents; hints and analysis never use them.

A level below 10 searches with fewer simulations and misjudges: to the value of each move is added
noise of a fixed size, drawn once from the seed and the move. It never plays at random: a win or
loss that the search is sure of is seen at every level, and large differences outweigh the noise.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from kingmaker.cext.errors import InputError

from .analysis import Analysis, Budget, MoveAnalysis
from .engine import Search
from .position import Observation

MAX_LEVEL = 10
DRAW = 1  # sets the stream that a mixed policy is drawn with apart from those of the search
LEVELS = range(1, MAX_LEVEL + 1)


@dataclass(frozen=True, slots=True)
class Level:
    """How a level is weaker than the search at its full budget.

    Attributes:
        max_simulations: cap on the budget, or None.
        noise: standard deviation of the misjudgement of a move, in win shares.
    """

    max_simulations: int | None
    noise: float


SETTINGS: dict[int, Level] = {
    1: Level(30, 0.25),
    2: Level(40, 0.18),
    3: Level(60, 0.12),
    4: Level(90, 0.08),
    5: Level(150, 0.05),
    6: Level(300, 0.03),
    7: Level(700, 0.015),
    8: Level(2000, 0.0),
    9: Level(6000, 0.0),
    10: Level(None, 0.0),
}


class LevelSearch(Search):
    """A `Search` that plays at a level; `choose` says which move.

    Args:
        observation: what the searching seat sees, who must be to decide.
        budget: what it may spend; lower levels spend less.
        level: 1, which a beginner can beat, to 10, the full strength of the budget.
        engine: as in `Search`.
        seed: as in `Search`.
        threads: as in `Search`.
        options: as in `Search`.

    Raises:
        InputError: an argument is out of range.
        StateError: the observer is not to decide.
    """

    def __init__(
        self,
        observation: Observation,
        budget: Budget,
        *,
        level: int = MAX_LEVEL,
        engine: str = "",
        seed: int | None = None,
        threads: int = 1,
        options: Mapping[str, str | int | float] | None = None,
    ) -> None:
        if level not in SETTINGS:
            raise InputError(
                f"level is {level}; it must be 1 to {MAX_LEVEL}", field="level", value=str(level)
            )
        observation.check_own_decision()
        self.level = SETTINGS[level]
        cap = self.level.max_simulations
        if cap is not None:
            budget = replace(budget, simulations=min(cap, budget.simulations or cap))
        super().__init__(
            observation, budget, engine=engine, seed=seed, threads=threads, options=options
        )

    def choose(self, analysis: Analysis) -> str:
        """Return the token of the move that the level plays on this analysis."""
        best = analysis.moves[0]
        is_won = best.is_exact and best.values[self.observation.seat - 1] >= 1
        if self.does_mix and not self.level.noise:
            return self._drawn(analysis)
        if is_won or not self.level.noise:
            return analysis.best_move
        return max(analysis.moves, key=self._misjudged).move

    def _drawn(self, analysis: Analysis) -> str:
        """Draw from the policy; the seed decides."""
        stream = np.random.Generator(np.random.SFC64([self.seed, DRAW]))
        return str(stream.choice([move.move for move in analysis.moves], p=analysis.policy))

    def _misjudged(self, move: MoveAnalysis) -> float:
        value = move.values[self.observation.seat - 1]
        if move.is_exact:
            return value if value > 0 else -math.inf
        if move.visits == 0:
            return -1.0
        digest = hashlib.blake2b(f"{self.seed} {move.move}".encode(), digest_size=8).digest()
        noise = np.random.Generator(np.random.SFC64(int.from_bytes(digest))).standard_normal()
        return value + self.level.noise * float(noise)


def select_move(
    observation: Observation,
    budget: Budget,
    *,
    level: int = MAX_LEVEL,
    engine: str = "",
    seed: int | None = None,
    threads: int = 1,
    options: Mapping[str, str | int | float] | None = None,
) -> tuple[str, Analysis]:
    """Return the move that a level plays and the analysis behind it; as in `LevelSearch`."""
    search = LevelSearch(
        observation,
        budget,
        level=level,
        engine=engine,
        seed=seed,
        threads=threads,
        options=options,
    )
    analysis = search.run()
    return search.choose(analysis), analysis
