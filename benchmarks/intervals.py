"""How often the 95 % intervals of ratings contain the true difference, by simulation.

    python -m kingmaker.benchmarks.intervals [--trials N]

Two bots of a known difference play mirrored groups of independent games; a part of them is drawn.
The table has the part of the trials whose interval contains that difference, for mixes with hardly
a draw and with hardly anything else, few groups and many, and a bot that wins nearly everything.
"""

from __future__ import annotations

import argparse
import math
import sys
from typing import NamedTuple

import numpy as np

from kingmaker.ladder.ratings import rate
from kingmaker.ladder.results import MirroredGroup, Result, mirrored_groups
from kingmaker.ladder.sprt import expected_share

RESAMPLES = 200


class Mix(NamedTuple):
    """A simulated pair of bots.

    Attributes:
        elo: how much the first is better.
        draws: part of the games that is drawn.
        num_groups: groups that they play.
    """

    elo: float
    draws: float
    num_groups: int


MIXES = (
    Mix(0, 0.0, 10),
    Mix(0, 0.5, 10),
    Mix(100, 0.2, 10),
    Mix(100, 0.0, 30),
    Mix(200, 0.2, 30),
    Mix(20, 0.9, 20),
    Mix(0, 0.97, 40),
    Mix(5, 0.97, 40),
    Mix(10, 0.95, 40),
    Mix(10, 0.97, 200),
    Mix(400, 0.0, 40),
    Mix(600, 0.0, 40),
    Mix(600, 0.03, 40),
    Mix(200, 0.3, 200),
)


def simulated(mix: Mix, rng: np.random.Generator) -> list[MirroredGroup]:
    """Play the groups of a mix."""
    wins = expected_share(mix.elo) - mix.draws / 2
    results = []
    for number in range(mix.num_groups):
        for bots in (("a", "b"), ("b", "a")):
            point = rng.random()
            share = 1.0 if point < wins else 0.5 if point < wins + mix.draws else 0.0
            returns = (share, 1 - share) if bots[0] == "a" else (1 - share, share)
            results.append(Result(f"{number:05}", bots, returns))
    return mirrored_groups(results)


def coverage(mix: Mix, trials: int, seed: int = 1) -> float:
    """Return the part of the trials whose interval contains the true difference."""
    rng = np.random.default_rng(seed)
    num_covered = 0
    for trial in range(trials):
        groups = simulated(mix, rng)
        found = rate(groups, anchor="b", num_resamples=RESAMPLES, seed=trial)
        [rating] = [each for each in found.ratings if each.bot == "a"]
        num_covered += rating.low <= mix.elo <= rating.high
    return num_covered / trials


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=400)
    trials = parser.parse_args().trials
    lines = ["| difference | draws | groups | intervals that hold |", "|---|---|---|---|"]
    for mix in MIXES:
        held = coverage(mix, trials)
        error = 100 * math.sqrt(held * (1 - held) / trials)
        lines.append(
            f"| {mix.elo:g} Elo | {100 * mix.draws:g} % | {mix.num_groups} "
            f"| {100 * held:.1f} ± {error:.1f} % |"
        )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
