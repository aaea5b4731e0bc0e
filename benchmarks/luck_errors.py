"""Whether the errors that reviews show for luck are those of the seeds.

    python -m kingmaker.benchmarks.luck_errors [--game GAME] [--spec BOT] [--effort EFFORT]

The luck of some games is measured with many seeds. Its spread is the standard deviation of the sum
over a game; *shown* is what a review gives as its error. Both are root mean squares over the games.
The 95 % intervals are those of single seeds around the mean of all.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence

import numpy as np

from kingmaker.review.games import PlayedGame
from kingmaker.review.luck import error_scale, luck_of, repeats_of, spans_of
from kingmaker.review.values import EFFORTS, Values, values_of

from .luck import games_of

NORMAL_95 = 1.96


def luck_and_error(game: PlayedGame, values: Values) -> tuple[np.ndarray, float]:
    """Return the luck of each seat in a game and its error, as a review finds them."""
    spans = spans_of(game)
    found = {span: luck_of(game, span, values) for span in spans}
    measured = [
        [found[span], *(luck_of(game, span, values.again(number)) for number in range(times))]
        for span, times in repeats_of(spans).items()
    ]
    error = math.hypot(*(each.luck_error for each in found.values()))
    luck = np.array([each.luck for each in found.values()]).sum(axis=0)
    return luck, error_scale(measured) * error


def spread_and_error(
    game: PlayedGame, effort: str, seeds: Sequence[int]
) -> tuple[float, float, float]:
    """Return the spread of the luck of a game, the error shown and the part that it covers."""
    found = [luck_and_error(game, values_of(game.start.game, effort, seed, "")) for seed in seeds]
    lucks, errors = np.array([luck for luck, _ in found]), np.array([error for _, error in found])
    # The mean is of the same seeds, so they are a little closer to it than to the true one.
    distances = np.abs(lucks - lucks.mean(axis=0)).max(axis=1) / math.sqrt(1 - 1 / len(seeds))
    return (
        float(lucks.std(axis=0, ddof=1).max()),
        float(np.sqrt(np.mean(errors**2))),
        float(np.mean(distances <= NORMAL_95 * errors)),
    )


def main() -> None:
    """Print a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="kingdom_coinquest")
    parser.add_argument("--spec", default="ismcts:simulations=100")
    parser.add_argument("--effort", choices=EFFORTS, default="quick")
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=16)
    asked = parser.parse_args()
    rows = np.array(
        [
            spread_and_error(game, asked.effort, range(asked.seeds))
            for game in games_of(asked.game, asked.spec, range(300, 300 + asked.games))
            if spans_of(game)
        ]
    )
    spread, shown = 100 * np.sqrt(np.mean(rows[:, :2] ** 2, axis=0))
    sys.stdout.write(
        f"{asked.game}, {asked.effort}, {len(rows)} games: spread {spread:.1f}, shown {shown:.1f} "
        f"points; 95 % intervals hold {100 * rows[:, 2].mean():.0f} %\n"
    )


if __name__ == "__main__":
    main()
