"""Playing strength in ten levels, for opponents; hints and analysis never use them.

A level below 10 has a *handicap*: it searches with fewer simulations and misjudges moves. Noise of
a fixed size, drawn from the seed and the move, is added to the value of each move. Proven wins and
losses are not affected, except that large handicaps overlook some of them: at the largest one play
is close to random, as some games need the whole range for ten levels.

The cost of a handicap depends on the game, so `Game.handicaps` has one for each level, chosen for
even steps between levels; `kingmaker.benchmarks.levels` finds them, and docs/strength.md has the
measured steps.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from kingmaker.cext.errors import InputError
from kingmaker.cext.game import Game

from .analysis import Analysis, Budget, MoveAnalysis
from .position import Observation
from .registry import ENGINES, default_engine
from .run import Search

MAX_LEVEL = 10
DRAW = 1  # separates the stream that draws from a mixed policy from those of the search
LEVELS = range(1, MAX_LEVEL + 1)
LEAST_SIMULATIONS, MOST_SIMULATIONS = 20, 2000
"""Simulation caps of the largest handicap and of none."""
MOST_NOISE = 4.0
"""Noise of the largest handicap, in win shares: far larger than differences between moves."""


@dataclass(frozen=True, slots=True)
class Level:
    """The weaknesses of a level, compared with the search at its full budget.

    Attributes:
        max_simulations: cap on the budget, in simulations of a tree search, or None.
        noise: standard deviation of the error in a move's value, in win shares.
        oversight: probability of overlooking a move's proven win or loss.
    """

    max_simulations: int | None
    noise: float
    oversight: float


FULL_STRENGTH = Level(None, 0.0, 0.0)


def handicapped(handicap: float) -> Level:
    """Return the level of a handicap, 0 to 1.

    The cap falls geometrically. The noise grows with the fourth power, so that small handicaps only
    confuse good moves with each other; only large handicaps have oversights.
    """
    ratio = LEAST_SIMULATIONS / MOST_SIMULATIONS
    return Level(round(MOST_SIMULATIONS * ratio**handicap), MOST_NOISE * handicap**4, handicap**8)


def level_of(game: Game, level: int) -> Level:
    """Return the definition of a level in a game.

    Raises:
        InputError: the level is not 1 to 10.
    """
    if level not in LEVELS:
        raise InputError(
            f"level is {level}; it must be 1 to {MAX_LEVEL}", field="level", value=str(level)
        )
    return FULL_STRENGTH if level == MAX_LEVEL else handicapped(game.handicaps[level - 1])


def level_budget(game: Game, budget: Budget, level: Level, engine: str = "") -> Budget:
    """Return the budget that a level uses of the given one."""
    cap = level.max_simulations
    info = ENGINES.get(engine or default_engine(game))
    if cap is None or info is None:
        return budget
    cap *= info.exchange_rate
    return replace(budget, simulations=min(cap, budget.simulations or cap))


class LevelSearch(Search):
    """A `Search` that plays at a level; `choose` returns its move. It lists no replies.

    Args:
        observation: of the searching seat, which must be to decide.
        budget: limits of the search; lower levels use less.
        level: 1, which a beginner can beat, to 10, the full strength of the budget; or a `Level`.
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
        level: int | Level = MAX_LEVEL,
        engine: str = "",
        seed: int | None = None,
        threads: int = 1,
        options: Mapping[str, str | int | float] | None = None,
    ) -> None:
        game = observation.game
        self.level = level if isinstance(level, Level) else level_of(game, level)
        observation.check_own_decision()
        super().__init__(
            observation,
            level_budget(game, budget, self.level, engine),
            engine=engine,
            seed=seed,
            threads=threads,
            options=options,
            replies=False,
        )

    def choose(self, analysis: Analysis) -> str:
        """Return the token of the move that the level plays on this analysis."""
        if self.level.noise:
            return max(analysis.moves, key=self._misjudged).move
        return self._drawn(analysis) if self.does_mix else analysis.best_move

    def _drawn(self, analysis: Analysis) -> str:
        """Draw a move from the policy, by the seed."""
        stream = np.random.Generator(np.random.SFC64([self.seed, DRAW]))
        return str(stream.choice([move.move for move in analysis.moves], p=analysis.policy))

    def _misjudged(self, move: MoveAnalysis) -> float:
        value = move.values[self.observation.seat - 1] if move.is_examined else 0.0
        digest = hashlib.blake2b(f"{self.seed} {move.move}".encode(), digest_size=8).digest()
        random = np.random.Generator(np.random.SFC64(int.from_bytes(digest)))
        if move.is_exact and value in (0, 1) and random.random() >= self.level.oversight:
            return math.inf if value else -math.inf
        return value + self.level.noise * float(random.standard_normal())


def select_move(
    observation: Observation,
    budget: Budget,
    *,
    level: int | Level = MAX_LEVEL,
    engine: str = "",
    seed: int | None = None,
    threads: int = 1,
    options: Mapping[str, str | int | float] | None = None,
) -> tuple[str, Analysis]:
    """Return the move of a level and its analysis; arguments and errors as in `LevelSearch`.

    The analysis lists no replies.
    """
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


def choose_move(
    observation: Observation,
    budget: Budget,
    *,
    seed: int,
    level: int | Level = MAX_LEVEL,
    engine: str = "",
    threads: int = 1,
    options: Mapping[str, str | int | float] | None = None,
) -> str:
    """Return only the move of `select_move`, which is faster for engines that don't search."""
    info = ENGINES.get(engine)
    if info is not None and info.choose is not None and level == MAX_LEVEL:
        return info.choose(observation.legal_moves(), seed)
    move, _ = select_move(
        observation,
        budget,
        level=level,
        engine=engine,
        seed=seed,
        threads=threads,
        options=options,
    )
    return move
