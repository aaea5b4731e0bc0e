"""Variance reduction by mirrored deals.

The variance of a bot's mean win share, per game, is compared over three ways to play the same bots:

- *single* games: each with its own deal and random seats;
- *alternated* games: each with its own deal, and every bot has every seat equally often;
- *mirrored* groups: as alternated, and all games of a group have the same deal.

All three can be estimated from the results of mirrored groups. Games of different groups are
independent: all pairs of such games give an unbiased variance of single games, and the pairs in
which the bot has the same seat that of alternated games. Only groups of the same bots are compared,
and each set of bots is weighted by its degrees of freedom. (With more than two seats the bots may
sit in different orders; the effect of the order is counted against mirroring.)
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .results import MirroredGroup, Result

NO_VARIANCE = 1e-12  # up to rounding
NUM_PARTS = 20  # of the groups, for the error of the reduction


@dataclass(frozen=True, slots=True)
class VarianceSaved:
    """Variance of a bot's win share in each way to play, in squared shares per game.

    Attributes:
        single: of single games.
        alternated: with alternated seats, new deals.
        mirrored: of mirrored groups: variance of the group's mean, times its games.
        num_groups: groups compared; 0: no two groups had the same bots, all other fields are nan.
        saved_error: standard error of `saved`, by leaving parts of the groups out in turn; nan with
            fewer than `NUM_PARTS` groups.
    """

    single: float
    alternated: float
    mirrored: float
    num_groups: int
    saved_error: float = math.nan

    @property
    def saved(self) -> float:
        """Variance reduction against single games, as a part of it; negative: an increase."""
        return _part(self.single - self.mirrored, self.single)

    @property
    def saved_by_seats(self) -> float:
        """Part of `saved` that alternated seats alone give."""
        return _part(self.single - self.alternated, self.single)

    @property
    def saved_by_deals(self) -> float:
        """Part of `saved` that the common deal adds."""
        return _part(self.alternated - self.mirrored, self.single)

    @property
    def games_worth(self) -> float:
        """Single games that are as informative as a mirrored one; infinite if `mirrored` is 0."""
        if abs(self.single) < NO_VARIANCE:  # single games have no variance either
            return 1.0
        return self.single / self.mirrored if self.mirrored > 0 else math.inf


def _part(saved: float, single: float) -> float:
    """Return the reduction; 0 if there is no variance to reduce."""
    return 0.0 if abs(single) < NO_VARIANCE else saved / single


def variance_saved(groups: Iterable[MirroredGroup]) -> VarianceSaved:
    """Estimate the variances, pooled over all bots and tables, and the error of the reduction."""
    groups = sorted(groups, key=lambda group: group.name)
    found = _estimate(groups)
    if len(groups) < NUM_PARTS or not found.num_groups:
        return found
    # The jackknife: parts of the groups are left out in turn.
    without = np.array(
        [
            _estimate([group for i, group in enumerate(groups) if i % NUM_PARTS != part]).saved
            for part in range(NUM_PARTS)
        ]
    )
    error = math.sqrt((NUM_PARTS - 1) * without.var())
    return replace(found, saved_error=error)


def _estimate(groups: Iterable[MirroredGroup]) -> VarianceSaved:
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
