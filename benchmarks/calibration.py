"""Compares the win shares that searches find with the results of the games.

    python -m kingmaker.benchmarks.calibration knights_duty --option players=2 [--games 300]
        [--simulations 200] [--seed 1]

The default plays games against itself. In each decision of several moves the win share that the
search finds for the seat to move is recorded, besides what that seat wins in the end. A line for
all decisions and one for each range of win shares tell the means of both, and their difference with
its standard error over games.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, repeat

import numpy as np
from numpy.random import SFC64, SeedSequence
from numpy.typing import NDArray

from kingmaker.cext.games import GAMES
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import new_game
from kingmaker.search.record import observe_with_record

BOUNDS = (0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.0)
"""Of the ranges of win shares; the last one contains its end."""

Decisions = NDArray[np.float64]
"""A row for each decision of a game: the win share that was found, and what was won."""


def decisions_of(
    game: str, options: Mapping[str, str], simulations: int, seed: int, number: int
) -> Decisions:
    """Play a game of the default against itself."""
    stream = SFC64(SeedSequence(seed, spawn_key=(number,)))
    seeds = np.random.Generator(stream)
    start = new_game(game, options)
    position, tokens = start.settle(stream)
    found: list[tuple[float, int]] = []
    while not position.is_terminal:
        observation = observe_with_record(start, tokens, position)
        [token, *others] = position.legal_moves()
        if others:
            chosen = int(seeds.integers(2**62))
            token, analysis = select_move(observation, Budget(simulations=simulations), seed=chosen)
            found.append((analysis.values[position.seat - 1], position.seat))
        position, drawn = position.apply(token).settle(stream)
        tokens += [token, *drawn]
    returns = position.returns()
    return np.array([(share, returns[seat - 1]) for share, seat in found]).reshape(-1, 2)


def summary(games: Sequence[Decisions], low: float, high: float) -> str:
    """Compare win shares from `low` to below `high` with results; "" if a game at most has any."""
    parts = [each[(low <= each[:, 0]) & (each[:, 0] < high)] for each in games]
    parts = [each for each in parts if len(each)]
    if len(parts) < 2:
        return ""
    found, won = np.concatenate(parts).mean(axis=0)
    number = sum(map(len, parts))
    rests = [float((each[:, 0] - each[:, 1] - found + won).sum()) for each in parts]
    error = float(np.sqrt(np.square(rests).sum())) / number
    return (
        f"{number:7} decisions: found {100 * found:5.1f} %, won {100 * won:5.1f} %, "
        f"difference {100 * (found - won):+5.1f} ± {100 * error:.1f}"
    )


def table(games: Sequence[Decisions]) -> Iterator[str]:
    """Write a line for all decisions and one for each range of win shares."""
    yield f"{'all':10}{summary(games, 0.0, np.inf)}"
    for low, high in pairwise(BOUNDS):
        name = f"{100 * low:.0f} to {100 * high:.0f}"
        yield f"{name:10}{summary(games, low, high if high < 1 else np.inf)}"


def main() -> None:
    """Play on all cores and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--option", action="append", default=[], help="of the game: name=value")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--simulations", type=int, default=200, help="of a move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options = dict(each.split("=", 1) for each in given.option)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        fixed = (given.game, options, given.simulations, given.seed)
        games = list(pool.map(decisions_of, *map(repeat, fixed), range(given.games)))
    sys.stdout.write("\n".join(table(games)) + "\n")


if __name__ == "__main__":
    main()
