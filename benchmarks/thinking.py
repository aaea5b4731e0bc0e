"""Elo against time: what a bot wins by thinking ten times as long, in every game.

    python -m kingmaker.benchmarks.thinking --game chessault --minutes 20 --page docs/strength.md

The default of a game plays itself with 1, 10, 100 and 1,000 ms a move. Only neighbours meet: each
time against the tenth of it, in mirrored groups, one seat against all others. Times are processor
time, turned into simulations at the rate that the engine has in decisions of games by the playout
policy, so other work on the machine does not matter. All results are rated together, as those of a
ladder; the shortest time has 0 Elo.

The results are kept in `thinking.json` beside this file. A run adds its groups to those of earlier
ones with the same budgets, or begins anew with `--anew`, as after a change of a game's default.
With `--page` the section and its chart are written from all that is kept.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, process_time

import numpy as np
from matplotlib.axes import Axes

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.ladder.charts import COLORS, svg
from kingmaker.ladder.deals import mirrored_tasks
from kingmaker.ladder.model import Bot, TimeControl
from kingmaker.ladder.plan import DEFAULT_MAX_PLIES
from kingmaker.ladder.play import play
from kingmaker.ladder.ratings import rate
from kingmaker.ladder.results import Result, mirrored_groups
from kingmaker.search.analysis import Budget
from kingmaker.search.draws import digest
from kingmaker.search.position import Observation, new_game
from kingmaker.search.record import observe_with_record
from kingmaker.search.registry import ENGINES, default_engine
from kingmaker.search.run import Search

from .levels import fewest_seats
from .measure import standard_error

MILLISECONDS = (1, 10, 100, 1000)
NAMES = tuple(f"{each} ms" for each in MILLISECONDS)
STEPS = tuple(pairwise(NAMES))
PARTS = (0.1, 0.3, 0.6)  # of the time for each step: the longer the times, the longer a game
SIMULATIONS, NUM_DECISIONS = 2000, 16  # that the rate is measured with
CHOSEN = 0.2
"""Part of the decisions in a game by the playout policy that the rate is measured at."""
DIGITS = 2  # of a budget
MAX_GROUPS, LEAST_GROUPS = 1000, 2  # of a step: one has no error
KEPT = Path(__file__).with_name("thinking.json")
CHART = "pictures/thinking.svg"
CHART_HEIGHT = 4.5  # inches
TITLE = "## Elo against time\n"
TEXT = f"""{TITLE}
The default of each game against itself with a tenth of the time, in mirrored groups. Times are
processor time, turned into simulations (of `expectimax`: states) at the rate of the machine that
played, so other work on it did not matter. Ratings come from all games of a game together; 1 ms has
0 Elo. ± is a standard error.

![Elo against time]({CHART})

| game | seats | ms | simulations | games | won against a tenth | ± | Elo | ± |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
{{rows}}

```text
python -m kingmaker.benchmarks.thinking --game chessault --minutes 20 --page docs/strength.md
```
"""


@dataclass(slots=True)
class Kept:
    """What has been played of a game.

    Attributes:
        budgets: simulations of each time of `MILLISECONDS`.
        groups: for each of `STEPS` its mirrored groups: the win share of the longer time from each
            seat.
    """

    budgets: list[int]
    groups: list[list[list[float]]] = field(default_factory=lambda: [[] for _ in STEPS])


def read(path: Path) -> dict[str, Kept]:
    """Read all that is kept, by game."""
    if not path.exists():
        return {}
    return {game: Kept(**each) for game, each in json.loads(path.read_text("utf-8")).items()}


def write(path: Path, kept: Mapping[str, Kept]) -> None:
    """Write all that is kept, a line for each game."""
    lines = [f"{json.dumps(game)}: {json.dumps(asdict(kept[game]))}" for game in sorted(kept)]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def budgets_of(kind: type[Game]) -> list[int]:
    """Measure how many simulations the default has in each time."""
    budget = Budget(simulations=SIMULATIONS * ENGINES[default_engine(kind())].exchange_rate)
    observations = list(_decisions(kind))
    simulations, began = 0, process_time()
    for observation in observations:
        simulations += Search(observation, budget, seed=1, replies=False).run().simulations
    in_a_millisecond = simulations / (1000 * (process_time() - began))
    return [_rounded(in_a_millisecond * each) for each in MILLISECONDS]


def _decisions(kind: type[Game]) -> Iterator[Observation]:
    """Yield what deciding seats see in games by the playout policy."""
    stream, chosen = np.random.SFC64(1), np.random.default_rng(1)
    found = 0
    while True:
        start = new_game(kind.name, fewest_seats(kind))
        position, tokens = start.settle(stream)
        while not position.is_terminal:
            if len(position.legal_moves()) > 1 and chosen.random() < CHOSEN:
                yield observe_with_record(start, tokens, position)
                found += 1
                if found == NUM_DECISIONS:
                    return
            move = position.game.move_text(position.game.policy_move(position.state, stream))
            position, drawn = position.apply(move).settle(stream)
            tokens += [move, *drawn]


def _rounded(number: float) -> int:
    return max(1, int(round(number, DIGITS - 1 - math.floor(math.log10(number)))))


def play_group(game: str, budgets: tuple[int, int], seed: int) -> list[float]:
    """Play a mirrored group; returns the win shares of the longer time, by rotation.

    Args:
        game: its name.
        budgets: simulations of the shorter and of the longer time.
        seed: of the deal, and of the bots' draws.
    """
    kind = GAMES[game]
    options = fewest_seats(kind)
    rules = kind(**options)
    engine = default_engine(rules)
    short, long = (Bot(str(each), f"{engine}:simulations={each}") for each in budgets)
    tasks = mirrored_tasks(
        rules,
        options,
        [long, *(short for _ in range(rules.num_seats - 1))],
        group="",
        deal_seed=digest("deal", seed),
        seed=digest("bots", seed),
        clock=TimeControl(),
        max_plies=DEFAULT_MAX_PLIES,
    )
    return [play(task).returns[task.bots.index(long)] for task in tasks]


def add_games(
    game: str,
    kept: Kept,
    minutes: float,
    *,
    times: Collection[int] = MILLISECONDS,
    max_groups: int = MAX_GROUPS,
    num_workers: int = 1,
) -> None:
    """Play groups for some minutes, and add them to what is kept.

    Args:
        game: its name.
        kept: of the game.
        minutes: for all steps together.
        times: of `MILLISECONDS`, those that play against their tenth.
        max_groups: most groups of a step.
        num_workers: processes.
    """
    begun = sum(map(len, kept.groups))
    steps = [step for step, time in enumerate(MILLISECONDS[1:]) if time in times]
    with ProcessPoolExecutor(num_workers, get_context("spawn")) as pool:
        for step in steps:
            part = PARTS[step] / sum(PARTS[each] for each in steps)
            end = monotonic() + 60 * minutes * part
            budgets = (kept.budgets[step], kept.budgets[step + 1])
            for first in range(0, max_groups, num_workers):
                seeds = [
                    digest(game, step, begun, number)
                    for number in range(first, min(first + num_workers, max_groups))
                ]
                kept.groups[step] += pool.map(
                    play_group, [game] * len(seeds), [budgets] * len(seeds), seeds
                )
                if monotonic() > end and len(kept.groups[step]) >= LEAST_GROUPS:
                    break
            sys.stderr.write(f"{game}, {STEPS[step][1]}: {len(kept.groups[step])} groups\n")


def ratings_of(kept: Kept) -> list[tuple[float, float]]:
    """Rate the times that have been played.

    Returns:
        The Elo of each above the shortest time, and its standard error.
    """
    results = []
    for (short, long), groups in zip(STEPS, kept.groups, strict=True):
        if len(groups) < LEAST_GROUPS:
            break
        for number, shares in enumerate(groups):
            num_seats = len(shares)
            for rotation, share in enumerate(shares):
                bots, returns = [short] * num_seats, [(1 - share) / (num_seats - 1)] * num_seats
                bots[-rotation], returns[-rotation] = long, share
                results.append(Result(f"{long} {number}", tuple(bots), tuple(returns)))
    if not results:
        return [(0.0, 0.0)]
    found = rate(mirrored_groups(results), anchor=NAMES[0])
    places = {each.bot: place for place, each in enumerate(found.ratings)}
    return [
        (found.ratings[places[name]].elo, found.errors[places[name]][places[NAMES[0]]])
        for name in NAMES
        if name in places
    ]


def section(kept: Mapping[str, Kept]) -> str:
    """Write the section of the page."""
    return TEXT.format(
        rows="\n".join(row for game in sorted(kept) for row in _rows(game, kept[game]))
    )


def _rows(game: str, kept: Kept) -> Iterator[str]:
    ratings = ratings_of(kept)
    for place, (time, budget) in enumerate(zip(MILLISECONDS, kept.budgets, strict=True)):
        title = f"{GAMES[game].title} | {new_game(game, fewest_seats(GAMES[game])).num_seats}"
        cells = [" | " if place else title, f"{time:,}", f"{budget:,}", *[""] * 5]
        if place and place < len(ratings):
            groups = kept.groups[place - 1]
            means = list(map(statistics.fmean, groups))
            cells[3:6] = [
                f"{sum(map(len, groups)):,}",
                f"{100 * statistics.fmean(means):.1f} %",
                f"{100 * standard_error(means):.1f}",
            ]
        if place < len(ratings):
            elo, elo_error = ratings[place]
            cells[6:] = [f"{elo:.0f}", f"{elo_error:.0f}" if place else ""]
        yield f"| {' | '.join(cells)} |"


def chart(kept: Mapping[str, Kept]) -> str:
    """Draw the ratings with their standard errors as SVG, a line for each game."""

    def draw(axes: Axes) -> None:
        for color, game in zip(COLORS, sorted(kept), strict=False):
            elos, errors = zip(*ratings_of(kept[game]), strict=True)
            axes.errorbar(
                MILLISECONDS[: len(elos)],
                elos,
                yerr=errors,
                color=color,
                marker="o",
                markersize=4,
                capsize=3,
                label=GAMES[game].title,
            )
        axes.set_xscale("log")
        axes.set_xticks(MILLISECONDS, [f"{each:,}" for each in MILLISECONDS])
        axes.set_xlabel("milliseconds a move")
        axes.set_ylabel("Elo")
        axes.legend(frameon=False)

    return svg(draw, CHART_HEIGHT)


def with_section(page: str, text: str) -> str:
    """Return the page with its section renewed, or added at the end."""
    before, _, rest = page.partition(TITLE)
    _, next_title, after = rest.partition("\n## ")
    return before.rstrip() + "\n\n" + text + next_title + after


def main() -> None:
    """Play, keep the results and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", choices=GAMES, help="may be repeated")
    parser.add_argument(
        "--time",
        action="append",
        type=int,
        choices=MILLISECONDS[1:],
        help="milliseconds that play against their tenth; may be repeated; default: all",
    )
    parser.add_argument("--minutes", type=float, default=20, help="for each game")
    parser.add_argument("--groups", type=int, default=MAX_GROUPS, help="most groups of a step")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--anew", action="store_true", help="forget what is kept of these games")
    parser.add_argument("--kept", type=Path, default=KEPT)
    parser.add_argument("--page", type=Path, help="to renew; without games it is only written anew")
    given = parser.parse_args()
    kept = read(given.kept)
    for game in given.game or ():
        if given.anew or game not in kept:
            kept[game] = Kept(budgets_of(GAMES[game]))
        add_games(
            game,
            kept[game],
            given.minutes,
            times=given.time or MILLISECONDS,
            max_groups=given.groups,
            num_workers=given.workers,
        )
        write(given.kept, kept)
    text = section(kept)
    if given.page is None:
        sys.stdout.write(text)
        return
    given.page.write_text(with_section(given.page.read_text("utf-8"), text), encoding="utf-8")
    given.page.with_name("pictures").joinpath(Path(CHART).name).write_text(chart(kept), "utf-8")


if __name__ == "__main__":
    main()
