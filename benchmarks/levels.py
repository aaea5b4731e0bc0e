"""Calibrate the playing levels of a game: find handicaps whose strengths are evenly spaced.

    python -m kingmaker.benchmarks.levels --game connect_four

A random bot, bots with handicaps from 1 to 0 and one at full strength, in this order, play each
other in mirrored groups and are rated, as in a ladder: each meets the next `REACH` ones, as games
between neighbours alone would hide the advantage of a bot that never blunders. The rating between
measured handicaps is interpolated linearly; where it would rise with the handicap, by chance,
neighbours are pooled. Full strength is level 10. Level 1 is `LEAST_ELO` above random play, which is
three wins in four, or `LEAST_PART` of the way to full strength where that is less; the levels
between them are evenly spaced. All bots are limited by simulations, so the result depends on the
seed and not on the machine.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, GameTask, TimeControl
from kingmaker.ladder.plan import DEFAULT_MAX_PLIES
from kingmaker.ladder.play import play
from kingmaker.ladder.ratings import Rating, rate
from kingmaker.ladder.results import Result, mirrored_groups
from kingmaker.search.analysis import Budget
from kingmaker.search.draws import digest
from kingmaker.search.levels import (
    FULL_STRENGTH,
    LEVELS,
    MOST_SIMULATIONS,
    Level,
    handicapped,
    select_move,
)
from kingmaker.search.position import Observation
from kingmaker.search.registry import ENGINES, default_engine

FULL_SIMULATIONS = 2 * MOST_SIMULATIONS
"""Budget of level 10 in simulations; users choose their own."""
HANDICAPS = (1.0, 0.9, *(step / 20 for step in range(16, 8, -1)), 0.4, 0.3, 0.2, 0.1, 0.0)
"""The measured handicaps, far apart where strength hardly changes."""
REACH = 4
LEAST_ELO, LEAST_PART = 200.0, 0.4
NUM_GROUPS = 8
RANDOM, FULL = "random", "full"
NAMES = (RANDOM, *map(str, HANDICAPS), FULL)


class _HandicappedBot:
    """A search with a handicap, which is in the name of the bot."""

    def __init__(self, bot: Bot, game: Game) -> None:
        rate = ENGINES[default_engine(game)].exchange_rate
        self._budget = Budget(simulations=FULL_SIMULATIONS * rate)
        self._engine = RANDOM if bot.name == RANDOM else ""
        self._level: Level = (
            FULL_STRENGTH if bot.name in (RANDOM, FULL) else handicapped(float(bot.name))
        )

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str:
        """Search, unless there is only one legal move."""
        moves = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        move, _ = select_move(
            observation, self._budget, level=self._level, engine=self._engine, seed=seed
        )
        return move

    def close(self) -> None:
        """Do nothing: a search holds no resources."""


def fewest_seats(game: type[Game]) -> dict[str, str]:
    """Return the options for the fewest seats of a game."""
    return {"players": str(min(game.seat_counts))} if len(game.seat_counts) > 1 else {}


def _result(task: GameTask) -> Result:
    return Result.of(play(task, _HandicappedBot))


def tables(num_bots: int, num_seats: int) -> list[tuple[int, ...]]:
    """List the pairings: every bot meets the next `REACH` ones.

    With more than two seats a bot meets copies of the other one: any number of seats is then a
    comparison of two bots.
    """
    return [
        (i, *(j,) * (num_seats - 1)) for i, j in combinations(range(num_bots), 2) if j - i <= REACH
    ]


def measure(
    kind: type[Game], num_groups: int = NUM_GROUPS, seed: int = 1, num_workers: int = 1
) -> dict[str, Rating]:
    """Play and rate all handicaps, with the fewest possible seats; bot -> its rating."""
    options = fewest_seats(kind)
    game = kind(**options)
    tasks = []
    for table in tables(len(NAMES), game.num_seats):
        for number in range(num_groups):
            tasks += mirrored_tasks(
                game,
                options,
                [Bot(NAMES[i], NAMES[i]) for i in table],
                group=f"{table} {number}",
                deal_seed=digest("deal", seed, table, number),
                seed=digest("bots", seed, table, number),
                clock=TimeControl(),
                max_plies=DEFAULT_MAX_PLIES,
            )
    with ProcessPoolExecutor(num_workers, get_context("spawn")) as pool:
        # Strong bots are slow: started first, they don't occupy a single worker at the end.
        results = list(pool.map(_result, reversed(tasks)))
    return {each.bot: each for each in rate(mirrored_groups(results), anchor=RANDOM).ratings}


def evenly_spaced(elos: Sequence[float]) -> tuple[list[float], float]:
    """Return the handicaps of levels 1 to 9, and the step between them in Elo.

    Args:
        elos: of `NAMES`.
    """
    rising: NDArray[np.float64] = isotonic_regression(np.asarray(elos)).x
    room = float(rising[-1] - rising[0])
    lowest = float(rising[0]) + min(LEAST_ELO, LEAST_PART * room)
    wanted, step = np.linspace(lowest, rising[-1], len(LEVELS), retstep=True)
    # Any handicap of pooled neighbours would do, and interpolation needs one.
    strict = rising[1:-1] + np.arange(len(HANDICAPS)) * 1e-6
    return [round(float(each), 2) for each in np.interp(wanted[:-1], strict, HANDICAPS)], float(
        step
    )


def main() -> None:
    """Calibrate one game and print its handicaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True, choices=GAMES)
    parser.add_argument("--groups", type=int, default=NUM_GROUPS, help="of every two bots")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    ratings = measure(GAMES[given.game], given.groups, given.seed, given.workers)
    for name in NAMES:
        each = ratings[name]
        sys.stdout.write(f"{name:6} {each.elo:6.0f}  {each.low:6.0f} to {each.high:6.0f}\n")
    handicaps, step = evenly_spaced([ratings[name].elo for name in NAMES])
    sys.stdout.write(f"handicaps = {tuple(handicaps)}  # steps of {step:.0f} Elo\n")


if __name__ == "__main__":
    main()
