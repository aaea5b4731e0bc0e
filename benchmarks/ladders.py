"""Rate the built-in engines and levels on every game, and write the page of ratings.

    python -m kingmaker.benchmarks.ladders --minutes 20 --page docs/strength.md

Every game has its own ladder, played for its part of the time; unused time goes to the next ones.
On a page that exists, the head and the tables of the played games are renewed; what else it says
stays, and so do the tables of other games. All bots are limited by simulations, so that their
strength does not depend on the machine; only the number of games does.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from time import monotonic

from kingmaker.cext.game import Game
from kingmaker.cext.games import GAMES
from kingmaker.ladder.coordinator import begin_ladder, run_ladder
from kingmaker.ladder.executors import GameExecutor, play_here
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.report import Section, write_markdown
from kingmaker.ladder.store import Store
from kingmaker.ladder.summary import Summary, read_summary
from kingmaker.search.levels import LEVELS
from kingmaker.search.registry import ENGINES, default_engine

from .levels import FULL_SIMULATIONS, fewest_seats

MINUTES = 18.0
MAX_GROUPS = 1200
"""Most groups of a ladder, so that all ladders fit into the time; precise steps need more."""
SEED = 1
CHEAP_FIRST = sorted(
    GAMES, key=lambda name: (len(GAMES[name].seat_counts), GAMES[name]().max_moves)
)
"""Games by the approximate length of one: time that a short one leaves goes to the others."""
BUDGETS = (100, 500, 2000)  # simulations of the tree search
FLAT_SIMULATIONS = 500
RATINGS = re.compile(r"\A.*?^\| bot \|[^\n]*\n(\|[^\n]*\n?)*", re.DOTALL | re.MULTILINE)
"""A section up to the end of its table of ratings."""
HEAD = """# Strength

Ratings of the engines and levels in every game. `make ladder` plays these ladders and renews their
tables on this page.

All bots meet in mirrored groups: one deal, every rotation of the seats. Ratings are
maximum-likelihood fits over complete groups, with intervals of 95 % by bootstrap over groups;
`random` has 0 Elo. Bots are limited by simulations: `level n` is the level with a budget of
{simulations:,} simulations{others}, of which levels below
10 use a part. [Ladders](ladder.md) has details.

A level below 10 has fewer simulations and samples its move with a temperature: a move is likelier
the more simulations tried it and the better its odds are. So it errs like people, on moves that
look good at first sight. Level 1 is meant to win three games in four against random play or, where
luck leaves less room, to stand two fifths of the way to level 10; the levels in between are meant
to be evenly spaced. The measured steps, with standard errors, are under each
game.

Without a level `SelectMove` plays at 10, all that its budget gives; `kingmaker play` and
`ask_bot` of the [tools for language models](agents.md) at 5; the lobby of the
[page](matches.md#the-page) offers 3, and so plays a bot that takes the place of a person
(`ReplacePlayer`).

"""


def full_simulations(game: Game) -> int:
    """Return the budget of a game's levels, in simulations of its default engine."""
    return FULL_SIMULATIONS * ENGINES[default_engine(game)].exchange_rate


def head() -> str:
    """Write the top of the page, with the budget of the levels in every game."""
    games = [kind() for kind in GAMES.values()]
    others = [
        f" ({full_simulations(game):,} of `{default_engine(game)}` in {game.title})"
        for game in games
        if full_simulations(game) != FULL_SIMULATIONS
    ]
    return HEAD.format(simulations=FULL_SIMULATIONS, others="".join(others))


def bots(game: Game) -> list[str]:
    """List the bots of a game's ladder, as specs with names."""
    engine = ENGINES["ismcts" if game.is_hidden else "mcts"]
    full = full_simulations(game)
    return [
        "random",
        f"greedy=greedy:simulations={FLAT_SIMULATIONS}",
        f"flat {FLAT_SIMULATIONS}=flat:simulations={FLAT_SIMULATIONS}",
        *(f"{engine.name} {each}={engine.name}:simulations={each}" for each in BUDGETS),
        *(f"level {level}=level:{level},simulations={full}" for level in LEVELS),
    ]


def rate_game(
    name: str,
    store: Store,
    executor: GameExecutor,
    seconds: float,
    *,
    max_groups: int = MAX_GROUPS,
    seed: int = SEED,
) -> Summary:
    """Play a game's ladder for some time, with the fewest possible seats, and rate its bots."""
    plan = LadderPlan.of(
        game=name,
        options=fewest_seats(GAMES[name]),
        bots=bots(GAMES[name]()),
        num_groups=max_groups,
        seed=seed,
        anchor="random",
    )
    ladder = begin_ladder(store, name, plan)
    stop = threading.Event()
    timer = threading.Timer(seconds, stop.set)
    timer.start()
    try:
        run_ladder(ladder, executor, stop=stop)
    finally:
        timer.cancel()
    return read_summary(ladder)


def level_note(summary: Summary) -> str:
    """Format the steps between the levels in Markdown."""
    standings = summary.standings
    place = {each.bot: i for i, each in enumerate(standings.ratings)}
    places = [place[f"level {level}"] for level in LEVELS if f"level {level}" in place]
    steps = [
        f"{standings.ratings[above].elo - standings.ratings[below].elo:+.0f} "
        f"± {standings.errors[above][below]:.0f}"
        for below, above in pairwise(places)
    ]
    return f"From level to level: {', '.join(steps)} Elo." if steps else ""


def play_all(
    names: Sequence[str],
    minutes: float,
    num_workers: int | None,
    max_groups: int = MAX_GROUPS,
    seed: int = SEED,
) -> list[Section]:
    """Play the ladders of some games within a total time; the last ones get the remaining time."""
    end = monotonic() + 60 * minutes
    sections = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Store(f"{folder}/strength.sqlite") as store,
        play_here(num_workers) as executor,
    ):
        for index, name in enumerate(names):
            seconds = (end - monotonic()) / (len(names) - index)
            summary = rate_game(name, store, executor, seconds, max_groups=max_groups, seed=seed)
            sections[name] = Section(GAMES[name].title, summary, level_note(summary))
            sys.stderr.write(f"{name}: {summary.num_games} games\n")
    return [sections[name] for name in sorted(names)]


def renewed(page: str, sections: Sequence[Section]) -> str:
    """Return a page with a new head and the sections of some ladders renewed or added.

    A section is renewed from its title to the end of its ratings; the text after them stays.
    """
    _, *old = re.split(r"^(?=## )", page, flags=re.MULTILINE)
    for section in sections:
        title = f"## {section.title}\n"
        text = write_markdown([section]).strip() + "\n"
        places = [i for i, each in enumerate(old) if each.startswith(title)]
        if places:
            rest = RATINGS.sub("", old[places[0]], count=1).removeprefix(title).strip()
            old[places[0]] = f"{text}\n{rest}\n\n" if rest else f"{text}\n"
        else:
            old.append(f"{text}\n")
    return (head() + "".join(old)).rstrip() + "\n"


def main() -> None:
    """Play all ladders and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", action="append", help="only this game; may be repeated")
    parser.add_argument(
        "--minutes", type=float, default=MINUTES, help="minutes for all games together"
    )
    parser.add_argument("--workers", type=int, help="worker processes; default: one for each core")
    parser.add_argument("--groups", type=int, default=MAX_GROUPS, help="most groups of a game")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--page", type=Path, help="output file; default: stdout")
    given = parser.parse_args()
    sections = play_all(
        given.game or CHEAP_FIRST, given.minutes, given.workers, given.groups, given.seed
    )
    if given.page is None:
        sys.stdout.write(renewed("", sections))
        return
    page = given.page.read_text(encoding="utf-8") if given.page.exists() else ""
    given.page.write_text(renewed(page, sections), encoding="utf-8")


if __name__ == "__main__":
    main()
