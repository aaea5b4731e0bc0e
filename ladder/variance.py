"""How much luck mirrored deals take out of a result.

Compared is the variance of a bot's mean share, per game, in three ways to play the same bots:

- *single* games, each with a deal of its own and seats drawn at random;
- *alternated* games: each with a deal of its own, but every bot has every seat equally often;
- *mirrored* groups: the same, and all games of a group share one deal.

The results of mirrored groups hold all three. Games of different groups are independent, so pairs
of those tell the variance of single games without bias, and pairs in which the bot has the same
seat that of alternated ones. Compared are only groups of the same bots, each set of bots by its
degrees of freedom. (Of more than two seats these may sit in another order; what that makes out is
counted against mirroring.)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .results import MirroredGroup, Result

NO_VARIANCE = 1e-12  # but for rounding


@dataclass(frozen=True, slots=True)
class VarianceSaved:
    """Variance of a bot's share in each way to play, in squared shares per game.

    Attributes:
        single: of single games.
        alternated: with alternated seats, new deals.
        mirrored: of mirrored groups: variance of the group's mean, times its games.
        num_groups: that were compared; 0: no two groups had the same bots, all else is nan.
    """

    single: float
    alternated: float
    mirrored: float
    num_groups: int

    @property
    def saved(self) -> float:
        """Part of the variance of single games that mirrored groups save; negative: they add."""
        return _part(self.single - self.mirrored, self.single)

    @property
    def saved_by_seats(self) -> float:
        """Part of `saved` that alternated seats alone would save."""
        return _part(self.single - self.alternated, self.single)

    @property
    def saved_by_deals(self) -> float:
        """Part of `saved` that is due to the shared deal."""
        return _part(self.alternated - self.mirrored, self.single)

    @property
    def games_worth(self) -> float:
        """How many single games one mirrored game is worth; infinite if no luck is left."""
        if abs(self.single) < NO_VARIANCE:  # nor was there any
            return 1.0
        return self.single / self.mirrored if self.mirrored > 0 else math.inf


def _part(saved: float, single: float) -> float:
    """Games without any variance have none to save."""
    return 0.0 if abs(single) < NO_VARIANCE else saved / single


def variance_saved(groups: Iterable[MirroredGroup]) -> VarianceSaved:
    """Measure the variance that mirrored deals save, pooled over all bots and tables."""
    replications: defaultdict[tuple[str, ...], list[MirroredGroup]] = defaultdict(list)
    for group in groups:
        replications[tuple(sorted(group.seating))].append(group)
    variances, weights, num_groups = [], [], 0
    for bots in sorted(replications):
        same = sorted(replications[bots], key=lambda group: group.name)
        if len(same) < 2:
            continue
        num_groups += len(same)
        for bot in sorted(set(bots)):
            variances.append(_variances(_shares(same, bot)))
            weights.append(len(same) - 1)
    if not variances:
        return VarianceSaved(math.nan, math.nan, math.nan, 0)
    single, alternated, mirrored = np.average(variances, axis=0, weights=weights).tolist()
    return VarianceSaved(single, alternated, mirrored, num_groups)


def _shares(groups: list[MirroredGroup], bot: str) -> NDArray[np.float64]:
    """Return the bot's share in each game by its seat, `[num_groups, num_rotations]`."""

    def seats(game: Result) -> list[int]:
        return [seat for seat, name in enumerate(game.bots) if name == bot]

    return np.array(
        [[game.share(bot) for game in sorted(group.games, key=seats)] for group in groups]
    )


def _variances(shares: NDArray[np.float64]) -> tuple[float, float, float]:
    """Estimate (single, alternated, mirrored) without bias from `[num_groups, num_rotations]`."""
    num_groups, num_rotations = shares.shape
    # Half the mean squared difference of two games, over all pairs from different groups.
    sums = shares.sum(axis=1)
    products = sums.sum() ** 2 - (sums**2).sum()
    num_products = num_groups * (num_groups - 1) * num_rotations**2
    single = (shares**2).mean() - products / num_products
    alternated = shares.var(axis=0, ddof=1).mean()
    mirrored = num_rotations * shares.mean(axis=1).var(ddof=1)
    return float(single), float(alternated), float(mirrored)
