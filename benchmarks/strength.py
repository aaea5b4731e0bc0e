"""The strength of one bot against another: mirrored games, the same deals in every seat.

    python -m kingmaker.benchmarks.strength --first ismcts --second greedy --games 200 --ms 50

A bot is an engine with options, `ismcts:playout=uniform:playout_plies=0`, or a level, `level:3`. It
plays the move of SelectMove: where the engine mixes, drawn from the policy by the seed. `cheat` is
`ismcts` with all cards visible, the yardstick of fair bots. A bot without a name, "", is the
default of its game. The options `simulations` and `ms` are a budget of its own,
`greedy:simulations=500`; with `reuse=on` each seat begins a search with the tree of its last one.
The standing after each deal goes to standard error. With `--python` the second bot is that of
another version, installed for this interpreter; moves and observations are lines of notation:

    python -m kingmaker.benchmarks.strength --first "" --second "" --python OTHER/bin/python --ms 50
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TextIO

import numpy as np

from kingmaker.cext.errors import InputError
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, Position, new_game
from kingmaker.search.record import observe_with_record
from kingmaker.search.run import Search
from kingmaker.search.tree_cache import TreeCache

from .measure import Figure, standard_error

MAX_PLIES = 20_000
PLAYER = """
import json, sys
import kingmaker
for line in sys.stdin:
    game, text, budget, engine, options, seed = json.loads(line)
    observation = kingmaker.parse_observation(game, text)
    budget = kingmaker.Budget(**budget)
    move, _ = kingmaker.select_move(observation, budget, engine=engine, options=options, seed=seed)
    print(move, flush=True)
"""
"""A bot in a process of its own, for any version with these names."""


@dataclass(frozen=True, slots=True)
class Cheat:
    """A bot that searches the true state: only what chance does later is hidden from it.

    Attributes:
        budget: of a move.
    """

    budget: Budget

    def __call__(self, position: Position, seed: int) -> str:
        """Return its move."""
        return (
            Search(
                position.observe(position.seat),
                self.budget,
                engine="ismcts",
                seed=seed,
                options={"observers": "single", "selection": "ucb"},
                worlds=[position],
                replies=False,
            )
            .run()
            .best_move
        )


FairBot = Callable[[Observation, int], str]
Bot = FairBot | Cheat


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The outcome of a match between two bots.

    Attributes:
        mean: mean result of the first bot in a game; by default its win share.
        standard_error: of `mean`, over groups of games with one deal.
        num_games: games played.
        num_plies: decisions of all games.
    """

    mean: float
    standard_error: float
    num_games: int
    num_plies: int


def make_bot(description: str, budget: Budget) -> FairBot:
    """Read `engine[:option=value...]` or `level:N`.

    Raises:
        InputError: no such engine, option or level, once it is to move.
    """
    name, *rest = description.split(":")
    if name == "level":
        return lambda observation, seed: select_move(
            observation, budget, level=int(rest[0]), seed=seed
        )[0]
    _, options, budget = read_engine(description, budget)
    caches: defaultdict[int, TreeCache] | None = None
    if options.pop("reuse", "off") == "on":
        caches = defaultdict(TreeCache)  # by seat
    return lambda observation, seed: select_move(
        observation,
        budget,
        engine=name,
        seed=seed,
        options=options,
        cache=None if caches is None else caches[observation.observer],
    )[0]


def make_other_version(description: str, budget: Budget, python: str) -> FairBot:
    """Start a bot, `engine[:option=value...]`, of the version that an interpreter has installed."""
    name, options, budget = read_engine(description, budget)
    limits = {"milliseconds": budget.milliseconds, "simulations": budget.simulations}
    process = subprocess.Popen(
        [python, "-c", PLAYER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )

    def move(observation: Observation, seed: int) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        asked = (observation.game.name, observation.text, limits, name, options, seed)
        process.stdin.write(json.dumps(asked) + "\n")
        answer = process.stdout.readline().rstrip("\n")
        if not answer:
            raise RuntimeError(f"{python} ended at {observation.text}")
        return answer

    return move


def play_game(
    game: str, options: dict[str, str], bots: list[Bot], deal_seed: int, seed: int
) -> tuple[Position, int]:
    """Play one game; what the bots draw never changes the deal.

    Returns:
        The position at the end, and the number of decisions.
    """
    deal = np.random.SFC64(deal_seed)
    seeds = np.random.Generator(np.random.SFC64(seed))
    start = new_game(game, options)
    position, tokens = start.settle(deal)
    plies = 0
    while not position.is_terminal and plies < MAX_PLIES:
        moves = position.legal_moves()
        move = moves[0]
        if len(moves) > 1:  # otherwise there is only one legal move
            bot, seat_seed = bots[position.seat - 1], int(seeds.integers(2**62))
            if isinstance(bot, Cheat):
                move = bot(position, seat_seed)
            else:
                move = bot(observe_with_record(start, tokens, position), seat_seed)
        position, drawn = position.apply(move).settle(deal)
        tokens += [move, *drawn]
        plies += 1
    return position, plies


def play_match(
    game: str,
    options: dict[str, str],
    first: Bot,
    second: Bot,
    num_games: int,
    seed: int,
    results: Callable[[Position], Sequence[float]] = Position.returns,
    watch: Callable[[MatchResult], None] = lambda standing: None,
) -> MatchResult:
    """Play groups of games: in each the first bot has every seat once, with the same deal.

    The second bot has all other seats. `num_games` is rounded up to whole groups, at least two.
    `results` returns the result of each seat at the end of a game. From the second group on `watch`
    is called after each one.
    """
    num_seats = new_game(game, options).num_seats
    means: list[float] = []
    num_plies = 0

    def standing() -> MatchResult:
        return MatchResult(
            statistics.fmean(means), standard_error(means), len(means) * num_seats, num_plies
        )

    for group in range(max(2, math.ceil(num_games / num_seats))):
        total = 0.0
        for seat in range(num_seats):
            bots = [first if each == seat else second for each in range(num_seats)]
            end, plies = play_game(
                game, options, bots, seed * 1_000_003 + group, seed * 7919 + group * 31 + seat
            )
            total += results(end)[seat]
            num_plies += plies
        means.append(total / num_seats)
        if len(means) > 1:
            watch(standing())
    return standing()


MATCHES: dict[str, tuple[str, str]] = {
    "ismcts.vs_greedy": ("ismcts", "greedy"),
    "ismcts.vs_random": ("ismcts", "random"),
    "policy.vs_uniform": ("ismcts", "ismcts:playout=uniform:playout_plies=0"),
}
"""Claims about strength: name -> the bots, of which the first should win."""

HEARTS_MATCHES: dict[str, tuple[str, str]] = {
    "hearts.ismcts.vs_depth_1.points": ("ismcts", "ismcts:max_depth=1"),
    "hearts.ismcts.depth_1_vs_tree.points": ("ismcts:max_depth=1", "ismcts"),
}
"""Matches on the benefit of a tree: figure -> the bot of one seat, and that of the three others."""


def measure(name: str, quick: bool) -> Mapping[str, Figure]:
    """Play one of `MATCHES` in mirrored games, 50 ms a move."""
    first, second = MATCHES[name]
    budget = Budget(milliseconds=50)
    result = play_match(
        "kingdom_coinquest",
        {},
        make_bot(first, budget),
        make_bot(second, budget),
        20 if quick else 200,
        seed=1,
    )
    return {f"strength.kingdom_coinquest.{name}": Figure(result.mean, result.standard_error)}


def measure_hearts(name: str, quick: bool) -> Mapping[str, Figure]:
    """Play one of `HEARTS_MATCHES`, 1,000 simulations a move; takes minutes if not quick."""
    first, second = HEARTS_MATCHES[name]
    budget = Budget(simulations=1000)
    result = play_match(
        "hearts",
        {},
        make_bot(first, budget),
        make_bot(second, budget),
        40 if quick else 3200,
        seed=1,
        results=_points_below_mean,
    )
    return {name: Figure(result.mean, result.standard_error)}


def _points_below_mean(end: Position) -> list[float]:
    """Return how far the hearts score of each seat is below the mean of the four.

    The mean is 6.5, but 19.5 when a seat has shot the moon. Measured from 6.5 throughout, bots that
    shoot it often would make each other look worse than they are.
    """
    scores = [seat.get("points", 0) for seat in end.view["seats"]]
    if max(scores) == 26:
        scores = [26 - each for each in scores]
    return [statistics.fmean(scores) - each for each in scores]


def _options(parts: Sequence[str]) -> dict[str, str]:
    for part in parts:
        if "=" not in part:
            raise InputError(f"{part!r} is no option; write name=value", field="option", value=part)
    return dict(part.split("=", 1) for part in parts)


def read_engine(description: str, budget: Budget) -> tuple[str, dict[str, str], Budget]:
    """Read `engine[:option=value...]`: its name, its options and its budget, else the given one."""
    name, *parts = description.split(":")
    options = _options(parts)
    simulations, milliseconds = options.pop("simulations", None), options.pop("ms", None)
    if simulations is not None or milliseconds is not None:
        budget = Budget(
            None if milliseconds is None else float(milliseconds),
            None if simulations is None else int(simulations),
        )
    return name, options, budget


def _read_bot(description: str, budget: Budget, python: str | None = None) -> Bot:
    if python is not None:
        return make_other_version(description, budget, python)
    if description.split(":")[0] != "cheat":
        return make_bot(description, budget)
    _, options, budget = read_engine(description, budget)
    if options:
        raise InputError(
            f"cheat takes simulations and ms only, not {', '.join(options)}",
            field="bot",
            value=description,
        )
    return Cheat(budget)


def main() -> None:
    """Play one match and print the result as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="kingdom_coinquest")
    parser.add_argument("--option", action="append", default=[], help="key=value of the game")
    parser.add_argument("--first", required=True)
    parser.add_argument("--second", required=True)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--ms", type=float, default=None, help="milliseconds per move")
    parser.add_argument("--simulations", type=int, default=None, help="simulations per move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--python", help="interpreter whose version of the program plays `second`")
    given = parser.parse_args()

    def write(result: MatchResult, stream: TextIO) -> None:
        line = {
            "first": given.first,
            "second": given.second,
            "share": round(result.mean, 4),
            "standard_error": round(result.standard_error, 4),
            "games": result.num_games,
            "plies_per_game": round(result.num_plies / result.num_games, 1),
        }
        print(json.dumps(line), file=stream, flush=True)

    try:
        budget = Budget(given.ms, given.simulations)
        result = play_match(
            given.game,
            _options(given.option),
            _read_bot(given.first, budget),
            _read_bot(given.second, budget, given.python),
            num_games=given.games,
            seed=given.seed,
            watch=lambda standing: write(standing, sys.stderr),
        )
    except InputError as error:
        parser.error(str(error))
    write(result, sys.stdout)


if __name__ == "__main__":
    main()
