"""Playing strength in ten levels, for opponents; hints and analysis never use them.

A level below 10 has a *handicap*: it searches with fewer simulations, and it draws its move instead
of playing the best one. A move is likelier the more visits it has and the better its odds are. So
weak levels err like people: on moves that look good at first sight, which priors and short searches
prefer, often on moves that are nearly as good, seldom on moves that any search sees to lose at
once.

That is a policy with a temperature, as programs for Go draw their moves from visits (Silver et al.
2017, "Mastering the game of Go without human knowledge"; KataGo's `chosenMoveTemperature`), and as
people's choices depend on values that they estimate (McKelvey and Palfrey 1995, "Quantal Response
Equilibria for Normal Form Games"; Regan and Haworth 2011, "Intrinsic Chess Ratings"). Nets that
imitate people, as Maia does in chess, need records of their games, which new games don't have.

The cost of a handicap depends on the game, so `Game.handicaps` has one for each level, chosen for
even steps between levels; `kingmaker.benchmarks.levels` finds them, and docs/strength.md has the
measured steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.errors import check_integer
from kingmaker.cext.game import Game

from .analysis import Analysis, Budget, MoveAnalysis, check_analysis
from .draws import check_seed
from .plan import engine_for
from .position import Observation
from .run import Search, check_subject
from .tree_cache import TreeCache

MAX_LEVEL = 10
DRAW = 1  # separates the stream that draws a move from those of the search
LEVELS = range(1, MAX_LEVEL + 1)
LEAST_SIMULATIONS, MOST_SIMULATIONS = 20, 2000
"""Simulation caps of the largest handicap and of none."""
LEAST_TEMPERATURE, MOST_TEMPERATURE = 0.05, 20.0
"""Temperatures of no handicap, nearly always the best move, and of the largest, nearly random."""
LEAST_SHARE = 1e-6
"""Win shares closer to 0 or 1 count as this close: a proven win has finite odds."""
ODDS_WEIGHT = 4.0
"""Weight of the log odds where visits don't count, to separate good moves from bad ones more."""
CERTAIN_VISITS = 10
"""A move that has won in this many simulations, and lost in none, is as good as proven."""


@dataclass(frozen=True, slots=True)
class Level:
    """The weaknesses of a level, compared with the search at its full budget.

    Attributes:
        max_simulations: cap on the budget, in simulations of a tree search, or None.
        temperature: at which the move is drawn; 0: the move of the search.
    """

    max_simulations: int | None
    temperature: float


FULL_STRENGTH = Level(None, 0.0)


def handicapped(handicap: float) -> Level:
    """Return the level of a handicap, 0 to 1; cap and temperature change geometrically."""
    return Level(
        round(_between(MOST_SIMULATIONS, LEAST_SIMULATIONS, handicap)),
        _between(LEAST_TEMPERATURE, MOST_TEMPERATURE, handicap),
    )


def _between(none: float, largest: float, handicap: float) -> float:
    return float(none * (largest / none) ** handicap)


def level_of(game: Game, level: int) -> Level:
    """Return the definition of a level in a game.

    Raises:
        InputError: the level is not 1 to 10.
        TypeError: it is no number.
    """
    check_level(level)
    return FULL_STRENGTH if level == MAX_LEVEL else handicapped(game.handicaps[level - 1])


def check_level(level: int) -> None:
    """Check the number of a level.

    Raises:
        InputError: it is not 1 to 10.
        TypeError: it is no number.
    """
    check_integer("level", level, 1, MAX_LEVEL)


def level_budget(game: Game, budget: Budget, level: Level, engine: str = "") -> Budget:
    """Return the budget that a level uses of the given one.

    Raises:
        InputError: there is no such engine.
        TypeError: its name is no text.
    """
    cap = level.max_simulations
    if cap is None:
        return budget
    cap *= engine_for(game, engine).exchange_rate
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
        cache: as in `Search`.

    Raises:
        InputError: an argument is out of range.
        StateError: the observer is not to decide.
        TypeError: as in `Search`.
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
        cache: TreeCache | None = None,
    ) -> None:
        check_subject(observation, budget)
        game = observation.game
        self.level = level if isinstance(level, Level) else level_of(game, level)
        observation.check_own_decision()
        if self.level.max_simulations is not None:
            budget = level_budget(game, budget, self.level, engine)
        super().__init__(
            observation,
            budget,
            engine=engine,
            seed=seed,
            threads=threads,
            options=options,
            replies=False,
            cache=cache,
        )

    def choose(self, analysis: Analysis) -> str:
        """Return the token of the move that the level plays on this analysis.

        Raises:
            InputError: the analysis has other moves than those that are legal here.
            TypeError: it is no analysis.
        """
        check_analysis(analysis, self.observation.legal_moves())
        if not (self.level.temperature or self.plan.does_mix):
            return analysis.best_move
        stream = np.random.Generator(np.random.SFC64([self.seed, DRAW]))
        moves = [move.move for move in analysis.moves]
        return str(stream.choice(moves, p=self.policy(analysis)))

    def policy(self, analysis: Analysis) -> tuple[float, ...]:
        """Return the probability of playing each move of an analysis, in its order.

        The policy of a search that mixes is flattened towards equal probabilities. Another search
        has none, so that its moves have weights: their odds of winning, times their visits if it
        searches good moves more than bad ones, else to the power of `ODDS_WEIGHT`. One more visit
        stands for what they have not seen, and wins an equal share, or as much as the best move if
        that is less.

        Raises:
            InputError: the analysis has other moves than those that are legal here.
            TypeError: it is no analysis.
        """
        check_analysis(analysis, self.observation.legal_moves())
        temperature = self.level.temperature
        if not temperature:
            return analysis.policy
        if self.does_mix:
            weights = np.log1p(np.multiply(analysis.policy, analysis.simulations))
            temperature += 1
        else:
            weights = self._log_odds(analysis)
            if self.engine.ranks_by_value:
                weights *= ODDS_WEIGHT
            else:
                weights += np.log1p([move.visits for move in analysis.moves])
        shares = np.exp((weights - weights.max()) / temperature)
        return tuple((shares / shares.sum()).tolist())

    def _log_odds(self, analysis: Analysis) -> NDArray[np.float64]:
        seat = self.observation.seat - 1
        unseen = min(analysis.values[seat], 1 / len(analysis.values))
        found = [_share(move, seat, unseen) for move in analysis.moves]
        shares = np.clip(found, LEAST_SHARE, 1 - LEAST_SHARE)
        odds: NDArray[np.float64] = np.log(shares / (1 - shares))
        return odds


def _share(move: MoveAnalysis, seat: int, unseen: float) -> float:
    share = move.values[seat]
    if move.is_exact or (share == 1 and move.visits >= CERTAIN_VISITS):
        return share
    return share + (unseen - share) / (move.visits + 1)


def select_move(
    observation: Observation,
    budget: Budget,
    *,
    level: int | Level = MAX_LEVEL,
    engine: str = "",
    seed: int | None = None,
    threads: int = 1,
    options: Mapping[str, str | int | float] | None = None,
    cache: TreeCache | None = None,
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
        cache=cache,
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
    cache: TreeCache | None = None,
) -> str:
    """Return only the move of `select_move`, which is faster for engines that don't search."""
    check_subject(observation, budget)
    check_seed(seed)
    info = engine_for(observation.game, engine)
    if info.choose is not None and isinstance(level, int) and level == MAX_LEVEL:
        return info.choose(observation.legal_moves(), seed)
    move, _ = select_move(
        observation,
        budget,
        level=level,
        engine=engine,
        seed=seed,
        threads=threads,
        options=options,
        cache=cache,
    )
    return move
