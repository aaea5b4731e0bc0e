"""Games that a race for the best bot needs, and how often its pick is wrong, by simulation.

    python -m kingmaker.benchmarks.best [--trials N]

The race ends by itself, with a stated error. It is compared with a round robin of equal error,
whose length must be chosen beforehand: so long that the bot with the best score is within the
margin of the best one in as many trials, in the hardest case, when one bot is exactly the margin
ahead of all others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import NamedTuple

import numpy as np

from kingmaker.ladder.race import Race
from kingmaker.ladder.sprt import expected_share

ERROR = 0.05
MAX_GROUPS = 50_000
TOURNAMENTS = 2000
"""Simulated round robins of a length."""


class Field(NamedTuple):
    """Simulated bots.

    Attributes:
        elos: their strengths.
        draws: part of the games that is drawn, if the bots are not too different for that.
        margin: of the race, in Elo.
    """

    elos: tuple[float, ...]
    draws: float = 0.2
    margin: float = 20.0


FIELDS = {
    "one far ahead": Field((*[0.0] * 7, 100.0)),
    "one ahead": Field((*[0.0] * 7, 40.0)),
    "spread": Field((0.0, -30.0, -60.0, -90.0, -120.0, -180.0, -240.0, -300.0)),
    "all equal": Field((0.0,) * 8),
}


class Outcome(NamedTuple):
    """How a race ended.

    Attributes:
        num_groups: that it took.
        lost_elo: by how much the pick is worse than the best.
        deficit: that it stated.
        meetings: groups of each bot.
    """

    num_groups: int
    lost_elo: float
    deficit: float
    meetings: Counter[str]


def race_of(field: Field, seed: int, error: float = ERROR) -> Outcome:
    """Run a race."""
    names = [f"b{place}" for place in range(len(field.elos))]
    race = Race(names, margin=field.margin, error=error, seed=seed)
    rng = np.random.default_rng(seed)
    meetings: Counter[str] = Counter()
    index = 0
    while not race.is_decided and index < MAX_GROUPS:
        bots = race.group(index).bots
        one, other = (field.elos[int(bot[1:])] for bot in bots)
        share = _share(one - other, field.draws, rng)
        race.finish(bots, share)
        race.count(bots, share)
        meetings.update(bots)
        index += 1
    status = race.status()
    lost = max(field.elos) - field.elos[int(status.pick[1:])]
    return Outcome(index, lost, status.deficit, meetings)


def _share(elo: float, draws: float, rng: np.random.Generator) -> float:
    """Play a group of two games; returns the mean share of the first bot."""
    expected = expected_share(elo)
    drawn = min(draws, 2 * min(expected, 1 - expected))
    wins = expected - drawn / 2
    points = rng.random(2)
    return float(np.where(points < wins, 1.0, np.where(points < wins + drawn, 0.5, 0.0)).mean())


def round_robin_groups(field: Field) -> int:
    """Return the groups of a round robin that picks a bot ahead by the margin as surely."""
    number = len(field.elos)
    rng = np.random.default_rng(1)
    low, high = 1, 1 << 14
    while low < high:
        rounds = (low + high) // 2
        if _is_found(rounds, number, field, rng) >= 1 - ERROR:
            high = rounds
        else:
            low = rounds + 1
    return low * number * (number - 1) // 2


def _is_found(rounds: int, number: int, field: Field, rng: np.random.Generator) -> float:
    """Return how often bot 0, the margin ahead of the others, has the best score."""
    scores = np.zeros((TOURNAMENTS, number))
    for one in range(number):
        for other in range(one + 1, number):
            expected = expected_share(field.margin if one == 0 else 0.0)
            variance = expected * (1 - expected) - field.draws / 4
            points = rng.normal(expected, (variance / (2 * rounds)) ** 0.5, TOURNAMENTS)
            scores[:, one] += points
            scores[:, other] += 1 - points
    return float((scores[:, 1:].max(axis=1) < scores[:, 0]).mean())


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=50)
    trials = parser.parse_args().trials
    lines = [
        "| 8 bots | groups of the race | of a round robin | wrong picks |",
        "|---|---|---|---|",
    ]
    for name, field in FIELDS.items():
        races = [race_of(field, seed) for seed in range(trials)]
        groups = np.array([race.num_groups for race in races])
        wrong = sum(race.lost_elo > field.margin for race in races)
        lines.append(
            f"| {name} | {groups.mean():,.0f} ± {groups.std(ddof=1) / trials**0.5:,.0f} "
            f"| {round_robin_groups(field):,} | {wrong} of {trials} |"
        )
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
