"""Calibrate the playing levels of a game: find handicaps whose strengths are evenly spaced.

    python -m kingmaker.benchmarks.levels --game connect_four

Bots with handicaps from 1 to 0, and one at full strength, play each other in mirrored groups and
are rated, as in a ladder: games between neighbours alone would hide the advantage of a bot that
never blunders. The rating between measured handicaps is interpolated linearly; where it would rise
with the handicap, by chance, neighbours are pooled. From full strength, which is level 10, the
other levels go down in equal steps: `STEP_ELO`, or less if even the largest handicap leaves a bot
stronger. All bots are limited by simulations, so the result depends on the seed and not on the
machine.
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
HANDICAPS = (1.0, 0.8, *(step / 20 for step in range(13, -1, -1)))
"""The measured handicaps, far apart where play is nearly random."""
STEP_ELO = 150.0
NUM_GROUPS = 12
FULL = "full"


class _HandicappedBot:
    """A search with a handicap, which is in the name of the bot."""

    def __init__(self, bot: Bot, game: Game) -> None:
        rate = ENGINES[default_engine(game)].exchange_rate
        self._budget = Budget(simulations=FULL_SIMULATIONS * rate)
        self._level: Level = FULL_STRENGTH if bot.name == FULL else handicapped(float(bot.name))

    def select(
        self, observation: Observation, left_ms: float | None, think_ms: float | None, seed: int
    ) -> str:
        """Search, unless there is only one legal move."""
        moves = observation.legal_moves()
        if len(moves) == 1:
            return moves[0]
        return select_move(observation, self._budget, level=self._level, seed=seed)[0]

    def close(self) -> None:
        """Do nothing: a search holds no resources."""


def fewest_seats(game: type[Game]) -> dict[str, str]:
    """Return the options for the fewest seats of a game."""
    return {"players": str(min(game.seat_counts))} if len(game.seat_counts) > 1 else {}


def _result(task: GameTask) -> Result:
    return Result.of(play(task, _HandicappedBot))


def tables(num_bots: int, num_seats: int) -> list[tuple[int, ...]]:
    """List the pairings: every bot meets each other one.

    With more than two seats a bot meets copies of the other one: any number of seats is then a
    comparison of two bots.
    """
    return [(i, *(j,) * (num_seats - 1)) for i, j in combinations(range(num_bots), 2)]


def measure(
    kind: type[Game], num_groups: int = NUM_GROUPS, seed: int = 1, num_workers: int = 1
) -> dict[str, Rating]:
    """Play and rate all handicaps, with the fewest possible seats; bot -> its rating."""
    options = fewest_seats(kind)
    game = kind(**options)
    names = [*map(str, HANDICAPS), FULL]
    tasks = []
    for table in tables(len(names), game.num_seats):
        for number in range(num_groups):
            tasks += mirrored_tasks(
                game,
                options,
                [Bot(names[i], names[i]) for i in table],
                group=f"{table} {number}",
                deal_seed=digest("deal", seed, table, number),
                seed=digest("bots", seed, table, number),
                clock=TimeControl(),
                max_plies=DEFAULT_MAX_PLIES,
            )
    with ProcessPoolExecutor(num_workers, get_context("spawn")) as pool:
        # Strong bots are slow: started first, they don't occupy a single worker at the end.
        results = list(pool.map(_result, reversed(tasks)))
    return {each.bot: each for each in rate(mirrored_groups(results), anchor=FULL).ratings}


def evenly_spaced(elos: Sequence[float]) -> tuple[list[float], float]:
    """Return the handicaps of levels 1 to 9, and the step between them in Elo.

    Args:
        elos: of `HANDICAPS` and of full strength.
    """
    rising: NDArray[np.float64] = isotonic_regression(np.asarray(elos)).x
    step = min(STEP_ELO, (rising[-1] - rising[0]) / (len(LEVELS) - 1))
    wanted = [rising[-1] - step * (LEVELS[-1] - level) for level in LEVELS[:-1]]
    # Any handicap of pooled neighbours would do, and interpolation needs one.
    strict = rising[:-1] + np.arange(len(HANDICAPS)) * 1e-6
    return [round(float(each), 2) for each in np.interp(wanted, strict, HANDICAPS)], float(step)


def main() -> None:
    """Calibrate one game and print its handicaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", required=True, choices=GAMES)
    parser.add_argument("--groups", type=int, default=NUM_GROUPS, help="of every two bots")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    ratings = measure(GAMES[given.game], given.groups, given.seed, given.workers)
    for name in [*map(str, HANDICAPS), FULL]:
        each = ratings[name]
        sys.stdout.write(f"{name:5} {each.elo:6.0f}  {each.low:6.0f} to {each.high:6.0f}\n")
    handicaps, step = evenly_spaced([ratings[name].elo for name in [*map(str, HANDICAPS), FULL]])
    sys.stdout.write(f"handicaps = {tuple(handicaps)}  # steps of {step:.0f} Elo\n")


if __name__ == "__main__":
    main()
