"""How much of the variance of results luck explains, by reviews of many games of one bot.

    python -m kingmaker.benchmarks.luck [--game GAME] [--spec BOT] [--games N]

The bot plays itself, each game with another deal. The table has the variance that is left once
results are adjusted for luck, with its standard error, and the mean result of seat 1 before and
after, by searched values, by learned ones, and by both (docs/review.md). 1,000 games of Kingdom
Coinquest take 25 minutes of processor time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from time import process_time

import numpy as np

from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, TimeControl
from kingmaker.ladder.play import play
from kingmaker.review.adjust import FOLDS, adjusted, luck_of_game
from kingmaker.review.games import PlayedGame, of_record
from kingmaker.review.learned import learned_luck
from kingmaker.review.players import LEAST_DEALS
from kingmaker.search.position import new_game

EFFORT = "standard"
MAX_PLIES = 5000
SPREAD = 7919
"""Seeds of deals are so far apart, as far as the seeds of games are not."""


def games_of(name: str, spec: str, seeds: range) -> Iterator[PlayedGame]:
    """Play a game of a bot against itself for each seed."""
    rules = new_game(name).game
    bots = [Bot(f"bot {seat}", spec) for seat in range(1, rules.num_seats + 1)]
    for seed in seeds:
        first, *_ = mirrored_tasks(
            rules,
            {},
            bots,
            group=str(seed),
            deal_seed=SPREAD * seed + 1,
            seed=seed,
            clock=TimeControl(),
            max_plies=MAX_PLIES,
        )
        yield of_record(play(first))


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kingdom_coinquest")
    parser.add_argument("--spec", default="ismcts:simulations=1000")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=50_000, help="of the first game")
    asked = parser.parse_args()
    if asked.games < LEAST_DEALS:
        parser.error(f"values are learned from {LEAST_DEALS} games on")
    seeds = range(asked.seed, asked.seed + asked.games)
    games = list(games_of(asked.game, asked.spec, seeds))
    results = [game.returns[0] for game in games]
    began = process_time()
    searched = np.array(
        [luck_of_game(game, EFFORT, seed)[0] for game, seed in zip(games, seeds, strict=True)]
    )
    between = process_time()
    learned = learned_luck(games, [at % FOLDS for at in range(len(games))], 1)[:, :, 0]
    ended = process_time()
    seconds = (between - began, ended - between, ended - began)
    kinds = {"searched": (searched,), "learned": (learned,), "both": (searched, learned)}
    print_line(
        "values", "variance left", "mean of seat 1", "adjusted mean", "processor time of a game"
    )
    print_line(*["---"] * 5)
    for (kind, variates), spent in zip(kinds.items(), seconds, strict=True):
        found = adjusted(results, *variates)
        print_line(
            kind,
            f"{100 * found.variance_left:.1f} ± {100 * found.variance_error:.1f} %",
            f"{100 * found.mean:.1f} ± {100 * found.error:.1f} %",
            f"{100 * found.adjusted:.1f} ± {100 * found.adjusted_error:.1f} %",
            f"{spent / len(games):.2f} s",
        )


def print_line(*cells: str) -> None:
    """Print a row of the table."""
    sys.stdout.write(f"| {' | '.join(cells)} |\n")


if __name__ == "__main__":
    main()
