"""Luck-adjusted results over many games: the same mean with less variance.

The sum of the luck of a game has the mean 0 (`luck`), so that the result less any multiple of it
keeps its mean: a control variate. A multiple other than 1 helps where the values are too timid or
too bold; it is fitted to other games than those it adjusts, so that the mean stays unbiased.

Sources: Zinkevich et al. 2006, "Optimal Unbiased Estimators for Evaluating Agent Performance";
Burch et al. 2018, "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
Information Games", of which this is the part for chance; Montgomery 2000, "Variance Reduction", for
the same in backgammon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kingmaker.cext.errors import InputError

from .games import PlayedGame
from .luck import luck_of, spans_of
from .model import Shares
from .values import EFFORTS, Values

FOLDS = 10
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The mean result of games, as it is and adjusted for luck.

    Attributes:
        num_games: that it is of.
        mean: of the results.
        error: its standard error.
        adjusted: mean of the adjusted results.
        adjusted_error: its standard error.
        multiple: mean multiple of the luck that was subtracted.
        variance_left: variance of an adjusted result as a part of that of a result; nan if all
            results are equal.
    """

    num_games: int
    mean: float
    error: float
    adjusted: float
    adjusted_error: float
    multiple: float
    variance_left: float


def luck_of_game(game: PlayedGame, effort: str, seed: int, engine: str = "") -> Shares:
    """Return the luck of each seat in a game, without a review of its decisions."""
    values = Values(engine, EFFORTS[effort], seed)
    luck = np.zeros(game.num_seats)
    for span in spans_of(game):
        luck += luck_of(game, span, values).luck
    return tuple(luck.tolist())


def adjusted(results: ArrayLike, luck: ArrayLike) -> Adjusted:
    """Adjust the results of independent games for luck.

    Args:
        results: win share in each game, `[num_games]`.
        luck: of the same seat or player, `[num_games]`.

    Raises:
        InputError: fewer than two games.
    """
    wins, lucks = np.array(results, dtype=float), np.array(luck, dtype=float)
    number = len(wins)
    if number < 2:
        raise InputError(f"{number} games are too few to adjust; give two or more", field="games")
    multiples = _multiples(wins, lucks)
    less = wins - multiples * lucks
    variance = wins.var(ddof=1)
    return Adjusted(
        num_games=number,
        mean=float(wins.mean()),
        error=math.sqrt(variance / number),
        adjusted=float(less.mean()),
        adjusted_error=math.sqrt(less.var(ddof=1) / number),
        multiple=float(multiples.mean()),
        variance_left=float(less.var(ddof=1) / variance) if variance > 0 else math.nan,
    )


def _multiples(wins: Array, lucks: Array) -> Array:
    """Fit the multiple for each game to the games of the other folds; 1 with too few games."""
    number = len(wins)
    folds = np.arange(number) % min(FOLDS, number)
    multiples = np.ones(number)
    if number < 2 * FOLDS:
        return multiples
    for fold in range(FOLDS):
        others = folds != fold
        covariance = np.cov(wins[others], lucks[others])
        if covariance[1, 1] > 0:
            multiples[~others] = covariance[0, 1] / covariance[1, 1]
    return multiples
