"""What the choices of bots are worth against each other, as judged by long searches.

    python -m kingmaker.benchmarks.choices knaves_out --option players=2 --decisions 200
        --bot ismcts:simulations=600 --bot ismcts:simulations=6000

Each bot chooses a move in the same decisions, which come from games of `--play` against itself. The
position after each chosen move is searched by `--judge`, with as many seeds as `--judges`, for the
win share of the seat that chose. Printed is how much more the choices of each bot are worth on
average than those of the first one, with the standard error over decisions. That is far less noisy
than the results of games, but trusts the evaluation of the judge: a bot with the same evaluation
gains by being more thorough, not by being closer to the truth.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context

import numpy as np

from kingmaker.search.analysis import Budget
from kingmaker.search.position import Position, new_game
from kingmaker.search.run import Search

from .measure import standard_error
from .strength import make_bot, read_engine

EVERY = 7
"""One decision in so many of a game is taken: neighbours are too much alike."""
MOST_OF_A_GAME = 20
"""Decisions; some games are very long."""
NO_BUDGET = Budget(simulations=1)
"""Of bots that name none."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, and by which judge.

    Attributes:
        game: its name.
        options: of the game.
        play: the bot whose games the decisions come from.
        bots: those that choose, as in `strength`.
        judge: the engine that judges, as in `strength`.
        judges: its searches of each position, with different seeds.
    """

    game: str
    options: Mapping[str, str]
    play: str
    bots: Sequence[str]
    judge: str
    judges: int


def decisions(of: Comparison, seed: int) -> Iterator[Position]:
    """Play a game and yield some of its decisions between moves."""
    stream = np.random.SFC64(seed)
    bot = make_bot(of.play, NO_BUDGET)
    position, _ = new_game(of.game, of.options).settle(stream)
    number = seed  # games begin alike, so each takes others of its first decisions
    while not position.is_terminal and number < seed + EVERY * MOST_OF_A_GAME:
        moves = position.legal_moves()
        move = moves[0]
        if len(moves) > 1:
            number += 1
            if number % EVERY == 0:
                yield position
            move = bot(position.observe(position.seat), number)
        position, _ = position.apply(move).settle(stream)


def gains(of: Comparison, seed: int) -> list[list[float]]:
    """Return for some decisions of a game how much more each choice is worth than the first's."""
    bots = [make_bot(bot, NO_BUDGET) for bot in of.bots]
    found = []
    for number, position in enumerate(decisions(of, seed)):
        observation = position.observe(position.seat)
        chosen = [bot(observation, number + 1) for bot in bots]
        values = {move: _value(of, position, move) for move in set(chosen)}
        found.append([values[move] - values[chosen[0]] for move in chosen])
    return found


def _value(of: Comparison, position: Position, move: str) -> float:
    after = position.apply(move)
    if after.is_terminal:
        return after.returns()[position.seat - 1]
    observation = after.observe(position.seat)
    engine, options, budget = read_engine(of.judge, NO_BUDGET)
    return statistics.fmean(
        Search(observation, budget, engine=engine, seed=seed, options=options)
        .run()
        .values[position.seat - 1]
        for seed in range(1, of.judges + 1)
    )


def main() -> None:
    """Print a line for each bot, now and then while it runs and at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], help="key=value of the game")
    parser.add_argument("--bot", action="append", required=True, help="two or more")
    parser.add_argument("--play", default="ismcts:simulations=200")
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--judge", default="ismcts:simulations=20000")
    parser.add_argument("--judges", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args()
    options = dict(each.split("=", 1) for each in given.option)
    of = Comparison(given.game, options, given.play, given.bot, given.judge, given.judges)
    rows: list[list[float]] = []
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        seeds = count(given.seed)
        running = [pool.submit(gains, of, next(seeds)) for _ in range(given.jobs)]
        while len(rows) < given.decisions:
            rows += running.pop(0).result()
            if rows:
                write(given.bot, rows)
            running.append(pool.submit(gains, of, next(seeds)))
        pool.shutdown(cancel_futures=True)


def write(bots: Sequence[str], rows: Sequence[Sequence[float]]) -> None:
    """Print what has been found so far."""
    sys.stdout.write(f"{len(rows)} decisions\n")
    for bot, column in zip(bots, zip(*rows, strict=True), strict=True):
        error = standard_error(column) if len(column) > 1 else 0.0
        sys.stdout.write(f"  {statistics.fmean(column):+.5f} ± {error:.5f}  {bot}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
