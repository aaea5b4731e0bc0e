"""Luck-adjusted results over many games: the same mean with less variance.

The sum of the luck of a game has the mean 0 (`luck`), so that the result less any multiple of it
keeps its mean: a control variate. A multiple other than 1 helps where the values are too timid or
too bold; it is fitted to other games than those it adjusts, so that the mean stays unbiased.

The values may be those of searches (`luck_of_game`) or learned from other games (`learned`). The
two know different things, so that both together explain more of the results than either alone.

A bot that searches chooses at random as well. Where its policy is known it can be asked again, with
other seeds: the value after the move that it played, less the mean value after the moves that it
then plays, has the mean 0 too, as all of them are draws from one policy. That is the luck of its
*choices*, another control variate.

Sources: Zinkevich et al. 2006, "Optimal Unbiased Estimators for Evaluating Agent Performance";
Burch et al. 2018, "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
Information Games", of which this is the part for chance, and that for known policies by samples of
them; Montgomery 2000, "Variance Reduction", for the same in backgammon.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kingmaker.cext.errors import InputError
from kingmaker.cext.words import counted
from kingmaker.ladder.bots import SeatedBot, start_bot
from kingmaker.search.draws import digest

from .decisions import is_forced
from .games import PlayedGame
from .luck import luck_of, spans_of
from .model import Shares
from .values import Values, values_of

FOLDS = 5
"""Parts of the games; what is used for one of them is fitted to the others."""
LEAST_FITTED = 20
"""Games from which on multiples are fitted."""
REPEATS = 6
"""Moves that a bot is asked for again at each of its choices."""
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
        multiples: mean multiple of each control variate that was subtracted.
        variance_left: variance of an adjusted result as a part of that of a result; nan if all
            results are equal.
        variance_error: its standard error; nan with too few games.
    """

    num_games: int
    mean: float
    error: float
    adjusted: float
    adjusted_error: float
    multiples: tuple[float, ...]
    variance_left: float
    variance_error: float


def luck_of_game(game: PlayedGame, effort: str, seed: int, engine: str = "") -> Shares:
    """Return the luck of each seat in a game, without a review of its decisions.

    Raises:
        InputError: as in `values_of`.
    """
    values = values_of(game.start.game, effort, seed, engine)
    luck = np.zeros(game.num_seats)
    for span in spans_of(game):
        luck += luck_of(game, span, values).luck
    return tuple(luck.tolist())


def choices_of_game(game: PlayedGame, effort: str, seed: int, engine: str = "") -> Shares:
    """Return the luck of each seat in the bots' own choices, by asking them again.

    Raises:
        InputError: the bots are not known, or their choices depend on time, or as in `values_of`.
    """
    if not game.bots:
        raise InputError(
            "the bots can't be asked again; choices need records of bots of this process with a "
            "budget of simulations, without a clock",
            field="choices",
            value=game.name,
        )
    values = values_of(game.start.game, effort, seed, engine)
    bots = [start_bot(bot, game.start.game) for bot in game.bots]
    luck = np.zeros(game.num_seats)
    with ExitStack() as stack:
        for bot in bots:
            stack.callback(bot.close)
        for ply, position in enumerate(game.positions[:-1]):
            if not position.is_chance and not is_forced(position):
                luck += _choice(game, ply, bots[position.seat - 1], values)
    return tuple(luck.tolist())


def _choice(game: PlayedGame, ply: int, bot: SeatedBot, values: Values) -> Array:
    """Return the value after a move less the mean after the moves of the bot asked again."""
    position = game.positions[ply]
    observation = game.observe(ply)
    moves = []
    for number in range(REPEATS):
        seed = digest("review", values.seed, "choice", ply, number)
        answer = bot.select(observation, None, None, seed)
        moves.append(position.resolve(answer if isinstance(answer, str) else answer.token))
    played = position.resolve(game.tokens[ply])
    if set(moves) == {played}:
        return np.zeros(game.num_seats)
    shares = {
        move: values.mean(position.apply(move), None, "choice", ply).shares
        for move in {played, *moves}
    }
    change: Array = shares[played] - np.mean([shares[move] for move in moves], axis=0)
    return change


def adjusted(
    results: ArrayLike, *variates: ArrayLike, folds: Sequence[int] | None = None
) -> Adjusted:
    """Adjust the results of independent games for luck.

    Args:
        results: win share in each game, `[num_games]`.
        variates: of the same seat or player, such as the luck and that of the choices, each
            `[num_games]`; or `[num_games, FOLDS]`, as known to each fold, if it was learned from
            the results of other games (`learned`).
        folds: fold of each game, 0 to `FOLDS - 1`; None: they take turns.

    Raises:
        InputError: fewer than two games, or a variate has another number of games or is no number.
    """
    wins = np.array(results, dtype=float)
    number = len(wins)
    if number < 2:
        raise InputError(
            f"{counted(number, 'game')} is too few to adjust; give two or more", field="games"
        )
    each_fold = np.array(range(number) if folds is None else folds) % FOLDS
    for numbers in (wins, *(np.array(each, dtype=float) for each in variates)):
        if len(numbers) != number or not np.isfinite(numbers).all():
            raise InputError(
                f"a variate is {counted(len(numbers), 'number')} for {counted(number, 'game')}; "
                "give one for each, none of them nan",
                field="variates",
            )
    known = np.stack([_as_known(np.array(each, dtype=float)) for each in variates], axis=2)
    lucks = known[np.arange(number), each_fold]
    multiples = _multiples(wins, known, each_fold)
    less = wins - (multiples * lucks).sum(axis=1)
    variance = wins.var(ddof=1)
    return Adjusted(
        num_games=number,
        mean=float(wins.mean()),
        error=math.sqrt(variance / number),
        adjusted=float(less.mean()),
        adjusted_error=math.sqrt(less.var(ddof=1) / number),
        multiples=tuple(multiples.mean(axis=0).tolist()),
        variance_left=float(less.var(ddof=1) / variance) if variance > 0 else math.nan,
        variance_error=_variance_error(wins, less),
    )


def _as_known(variate: Array) -> Array:
    """Return a variate as known to each fold, `[num_games, FOLDS]`."""
    return variate if variate.ndim == 2 else np.repeat(variate[:, np.newaxis], FOLDS, axis=1)


def _multiples(wins: Array, known: Array, folds: NDArray[np.int64]) -> Array:
    """Fit the multiples for each game to the games of the other folds; 1 with too few games.

    Args:
        wins: `[num_games]`.
        known: variates as known to each fold, `[num_games, FOLDS, num_variates]`.
        folds: of each game.
    """
    multiples = np.ones((len(wins), known.shape[2]))
    if len(wins) < LEAST_FITTED:
        return multiples
    for fold in range(FOLDS):
        others = folds != fold
        lucks = known[others, fold]
        centred = lucks - lucks.mean(axis=0)
        if centred.any():
            fitted = np.linalg.lstsq(centred, wins[others] - wins[others].mean(), rcond=None)[0]
            multiples[~others] = fitted
    return multiples


def _variance_error(wins: Array, less: Array) -> float:
    """Return the standard error of the part of the variance that is left, by the delta method."""
    number = len(wins)
    variance = wins.var()
    if variance == 0 or number < LEAST_FITTED:
        return math.nan
    part = less.var() / variance
    gaps = (less - less.mean()) ** 2 - part * (wins - wins.mean()) ** 2
    return float(gaps.std(ddof=1) / variance / math.sqrt(number))
