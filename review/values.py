"""Expected win shares of a full state: the source of the values around chance nodes.

A value is that of a search on what a seat sees, also where another seat is to move. At a chance
node it is the mean of the values after the outcomes, so that values and luck fit together.

In games that need mixed policies a short search has not found its policy yet, and its values depend
on the seat that searches. There a value is the mean of playouts of the full state, which explain
more of the results in less time (docs/review.md has the figures).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError, check_text, shown
from kingmaker.cext.game import Game
from kingmaker.search.analysis import LEAST_ERROR_OF_DEPTH, Analysis, Budget
from kingmaker.search.draws import check_seed, digest, uniform
from kingmaker.search.plan import check_engine
from kingmaker.search.position import Observation, Position
from kingmaker.search.registry import ENGINES, default_engine
from kingmaker.search.run import Search

Array = NDArray[np.float64]

PLAYOUTS_PER_SIMULATION = 2
"""A playout takes less time than a simulation of a search."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long a review thinks, in simulations of a tree search.

    Attributes:
        decision: of the first pass over each decision.
        deep: of the second pass.
        value: of each value around a chance node.
        outcomes: of a chance node that are all valued, if it has no more.
        samples: of more outcomes, or of those of several chance nodes in a row.
    """

    decision: int
    deep: int
    value: int
    outcomes: int
    samples: int


EFFORTS = {
    "quick": Effort(decision=400, deep=2_000, value=100, outcomes=4, samples=4),
    "standard": Effort(decision=1_500, deep=12_000, value=400, outcomes=64, samples=8),
    "deep": Effort(decision=10_000, deep=100_000, value=2_000, outcomes=64, samples=16),
}


@dataclass(frozen=True, slots=True)
class Value:
    """Expected win shares with a standard error.

    Attributes:
        shares: of every seat, `[num_seats]`.
        error: standard error, of the seat with the largest one.
    """

    shares: Array
    error: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """An outcome of a chance node.

    Attributes:
        after: the position after it.
        probability: of it.
        value: of that position.
    """

    after: Position
    probability: float
    value: Value


def values_of(game: Game, effort: str, seed: int, engine: str) -> Values:
    """Return the values of positions of a game.

    Args:
        game: the rules.
        effort: name in `EFFORTS`.
        seed: of everything random, 0 to 2**63 - 1.
        engine: that searches; empty: the default of the game.

    Raises:
        InputError: an argument is out of range, or the engine does not suit the game.
        TypeError: an argument is of a wrong kind.
    """
    check_text("effort", effort, f"one of {', '.join(EFFORTS)}")
    if effort not in EFFORTS:
        raise InputError(
            f"there is no effort {shown(effort)!r}; they are {', '.join(EFFORTS)}",
            field="effort",
            value=shown(effort),
        )
    check_seed(seed)
    info, _ = check_engine(game, engine, {})
    if not info.does_search:
        raise InputError(
            f"engine is {engine!r}, which values no moves; those that do are "
            f"{', '.join(name for name, each in ENGINES.items() if each.does_search)}",
            field="engine",
            value=engine,
        )
    return Values(engine, EFFORTS[effort], seed)


class Values:
    """Values of positions.

    Args:
        engine: name of the engine; empty: the default of the game.
        effort: of the review.
        seed: of everything random.
    """

    def __init__(self, engine: str, effort: Effort, seed: int) -> None:
        self.engine = engine
        self.effort = effort
        self.seed = seed

    def budget(self, observation: Observation, simulations: int) -> Budget:
        """Return the budget of an engine that is worth a number of simulations of a tree search."""
        info = ENGINES.get(self.engine or default_engine(observation.game))
        # The search refuses an engine that does not exist.
        return Budget(simulations=simulations * (info.exchange_rate if info else 1))

    def search(
        self, observation: Observation, simulations: int, *key: object, judges_all: bool = False
    ) -> Analysis:
        """Search what a seat sees; `key` tells searches of one observation apart."""
        return Search(
            observation,
            self.budget(observation, simulations),
            engine=self.engine,
            seed=digest("review", self.seed, *key),
            all_moves=judges_all,
            replies=judges_all,
        ).run()

    def value(self, position: Position, viewer: int | None, *key: object) -> Value:
        """Return the value of a position that is no chance node, as a seat sees it.

        Args:
            position: to value.
            viewer: the seat, 0 for a spectator; None: the one that decides there.
            key: of the random streams.
        """
        if position.is_terminal:
            return Value(np.array(position.returns()), 0.0)
        if position.game.needs_mixing:
            return self._played_out(position, *key)
        observation = position.observe(position.seat if viewer is None else viewer)
        analysis = self.search(observation, self.effort.value, *key)
        return Value(np.array(analysis.values), error_of(analysis))

    def _played_out(self, position: Position, *key: object) -> Value:
        """Return the mean of playouts, in which every seat sees only what is its own."""
        stream = np.random.SFC64(digest("review", self.seed, "playouts", *key))
        number = PLAYOUTS_PER_SIMULATION * self.effort.value
        shares, _ = position.game.playouts(position.state, stream, number)
        return Value(np.array(shares), 0.5 / math.sqrt(number))

    def mean(self, position: Position, viewer: int | None, *key: object) -> Value:
        """Return the mean value over what chance does next, or the value if nothing."""
        if not position.is_chance:
            return self.value(position, viewer, *key)
        known = self.outcomes(position, viewer, *key)
        if known is not None:
            return mean_of([each.value for each in known], [each.probability for each in known])
        return sample_mean([self.value(end, viewer, *key) for end in self._drawn(position, *key)])

    def outcomes(
        self, position: Position, viewer: int | None, *key: object
    ) -> list[Outcome] | None:
        """Value all outcomes of a chance node; None if they are too many, or chance goes on."""
        game = position.game
        outcomes = game.outcomes_of(position.state)
        if len(outcomes) > self.effort.outcomes:
            return None
        nexts = [Position(game, game.after(position.state, each)) for each, _ in outcomes]
        if any(each.is_chance for each in nexts):
            return None
        return [
            Outcome(after, probability, self.value(after, viewer, *key))
            for after, (_, probability) in zip(nexts, outcomes, strict=True)
        ]

    def again(self, number: int) -> Values:
        """Return the same values with other draws."""
        return Values(self.engine, self.effort, digest("review", self.seed, "again", number))

    def _drawn(self, position: Position, *key: object) -> list[Position]:
        """Draw positions that chance may lead to, all with the same weight.

        The points that draw the first outcome are evenly spaced: each outcome keeps its
        probability, and the mean is more exact.
        """
        game, samples = position.game, self.effort.samples
        shift = uniform("review", self.seed, "shift", *key)
        stream = np.random.SFC64(digest("review", self.seed, "outcomes", *key))
        ends = []
        for sample in range(samples):
            outcome = game.outcome_at(position.state, (sample + shift) / samples)
            first = Position(game, game.after(position.state, outcome))
            ends.append(first.settle(stream)[0])
        return ends


def mean_of(values: Sequence[Value], weights: Sequence[float]) -> Value:
    """Return the mean of values that are weighted by their probabilities."""
    mean = np.average([value.shares for value in values], axis=0, weights=weights)
    errors = (weight * value.error for weight, value in zip(weights, values, strict=True))
    return Value(mean, math.hypot(*errors))


def sample_mean(values: Sequence[Value]) -> Value:
    """Return the mean of a sample, with the error of sampling, which that of the values is in."""
    shares = np.array([value.shares for value in values])
    if len(values) == 1:
        return values[0]
    error = float(shares.std(axis=0, ddof=1).max()) / math.sqrt(len(values))
    return Value(shares.mean(axis=0), error)


def error_of(analysis: Analysis) -> float:
    """Return the standard error of the value of an analysis.

    Where the searching seat is not to move, that of the mean of as many results of 0 or 1.
    """
    if analysis.is_exact:
        return 0.0
    if ENGINES[analysis.engine].is_by_depth:
        return LEAST_ERROR_OF_DEPTH
    if analysis.moves:
        return analysis.moves[0].standard_error
    return 0.5 / math.sqrt(max(analysis.simulations, 1))
