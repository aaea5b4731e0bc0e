"""The value of a record: how much likelier it makes the true world, and how much a bot wins by it.

    python -m kingmaker.benchmarks.beliefs --game hearts --games 20 --simulations 200
    python -m kingmaker.benchmarks.beliefs --game hearts --games 400 --ms 20 --match

Games are played by bots that search. At some of their decisions the true world and others that fit
are weighed (`kingmaker.search.worlds.weigh_worlds`). The figure is the *true state sampling ratio*:
the weight of the true world over the mean weight of those drawn by the determinizer, i.e. how much
more often than by chance it is drawn. With `--match` a bot that searches in worlds drawn by their
weights has each seat once with each deal, against bots that search in worlds drawn by the
determinizer.

Source: Solinas, Rebstock and Buro 2019, "Improving Search with Supervised Learning in Trick-Based
Card Games" (the ratio).
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from kingmaker.search.analysis import Budget
from kingmaker.search.games import game_type
from kingmaker.search.levels import select_move
from kingmaker.search.position import new_game
from kingmaker.search.record import Record, RivalPolicy, Seen, seen_at
from kingmaker.search.run import Search
from kingmaker.search.worlds import (
    believed_worlds,
    policy_of_rivals,
    sample_worlds,
    weigh_worlds,
)

from .measure import standard_error

MAX_PLIES = 20_000
SINGLE = {"observers": "single", "selection": "ucb"}


@dataclass(frozen=True, slots=True)
class Ratio:
    """The true state sampling ratio over decisions.

    Attributes:
        mean: over decisions.
        standard_error: of the mean.
        median: over decisions.
        geometric: geometric mean over decisions; below 1 the likelihood is trusted too much.
        better: part of the decisions at which the true world weighs more than the mean.
        found: part of the worlds of which a past was found.
        num_decisions: at which it was measured.
        milliseconds: to weigh the worlds of a decision.
    """

    mean: float
    standard_error: float
    median: float
    geometric: float
    better: float
    num_decisions: int
    milliseconds: float


class Table:
    """A running game, with what each seat has seen of it.

    Attributes:
        position: where it stands.
    """

    def __init__(self, game: str, options: dict[str, str], deal_seed: int) -> None:
        self.position = new_game(game, options)
        self._deal = np.random.SFC64(deal_seed)
        self._seen: list[list[Seen]] = [[] for _ in range(self.position.num_seats)]
        self._settle()

    def record(self, seat: int) -> Record:
        """Return what a seat has seen."""
        return Record(tuple(self._seen[seat - 1]), self.position.game.options)

    def apply(self, token: str) -> None:
        """Make a move, and draw what chance does then."""
        self._note(token)
        self._settle()

    def _settle(self) -> None:
        while self.position.is_chance:
            self._note(self.position.sample_outcome(self._deal))

    def _note(self, token: str) -> None:
        for seat, seen in enumerate(self._seen, start=1):
            seen.append(seen_at(self.position, token, seat))
        self.position = self.position.apply(token)


def ratios(
    game: str,
    options: dict[str, str],
    policies: Sequence[RivalPolicy],
    *,
    num_games: int,
    num_worlds: int,
    part: float,
    engine: str,
    budget: Budget,
    seed: int,
) -> list[Ratio]:
    """Measure the ratio in games of searching bots, for each policy at the same decisions.

    Args:
        game: name of the game.
        options: of the game.
        policies: of rivals, as they are assumed to be.
        num_games: to play.
        num_worlds: weighed at a decision, besides the true one.
        part: of the decisions at which it is measured.
        engine: of all bots.
        budget: of a move.
        seed: of everything.
    """
    stream = np.random.Generator(np.random.SFC64(seed))
    found: list[list[float]] = [[] for _ in policies]
    seconds = [0.0] * len(policies)
    for _ in range(num_games):
        table = Table(game, options, int(stream.integers(2**62)))
        for _ in range(MAX_PLIES):
            position = table.position
            if position.is_terminal:
                break
            moves = position.legal_moves()
            move = moves[0]
            if len(moves) > 1:
                observation = position.observe(position.seat)
                move, _ = select_move(
                    observation, budget, engine=engine, seed=int(stream.integers(2**62))
                )
                if stream.random() < part:
                    seen = observation.with_record(table.record(position.seat))
                    draws = int(stream.integers(2**62))
                    worlds = [position, *sample_worlds(seen, num_worlds, draws)]
                    for index, policy in enumerate(policies):
                        began = time.process_time()
                        true, *others = weigh_worlds(seen, worlds, draws, policy)
                        seconds[index] += time.process_time() - began
                        found[index].append(true / statistics.fmean(others))
            table.apply(move)
    return [
        Ratio(
            statistics.fmean(each),
            standard_error(each),
            statistics.median(each),
            statistics.geometric_mean(each),
            statistics.fmean(ratio > 1 for ratio in each),
            len(each),
            1000 * spent / len(each),
        )
        for each, spent in zip(found, seconds, strict=True)
    ]


def match(
    game: str,
    options: dict[str, str],
    policy: RivalPolicy | None,
    *,
    num_games: int,
    num_worlds: int,
    budget: Budget,
    seed: int,
) -> tuple[float, float, int]:
    """Play a bot that weighs worlds against bots that don't, in mirrored games.

    The time to weigh them is part of a budget of time. `policy` None: the bot searches as many
    worlds, unweighted.

    Returns:
        Its mean win share, the standard error, and the number of games.
    """
    num_seats = new_game(game, options).num_seats
    means = []
    for group in range(max(2, math.ceil(num_games / num_seats))):
        total = 0.0
        for seat in range(1, num_seats + 1):
            table = Table(game, options, seed * 1_000_003 + group)
            seeds = np.random.Generator(np.random.SFC64([seed, group, seat]))
            while not table.position.is_terminal:
                moves = table.position.legal_moves()
                move = moves[0]
                if len(moves) > 1:
                    number = int(seeds.integers(2**62))
                    move = _choose(table, seat, policy, num_worlds, budget, number)
                table.apply(move)
            total += table.position.returns()[seat - 1]
        means.append(total / num_seats)
    return statistics.fmean(means), standard_error(means), len(means) * num_seats


def _choose(
    table: Table, seat: int, policy: RivalPolicy | None, num_worlds: int, budget: Budget, seed: int
) -> str:
    observation = table.position.observe(table.position.seat)
    worlds = None
    if table.position.seat == seat:
        began = time.monotonic()
        if policy is None:
            worlds = sample_worlds(observation, num_worlds, seed)
        else:
            seen = observation.with_record(table.record(seat))
            worlds = believed_worlds(seen, num_worlds, seed, policy)
        if budget.milliseconds is not None:
            spent = (time.monotonic() - began) * 1000
            budget = replace(budget, milliseconds=max(1.0, budget.milliseconds - spent))
    search = Search(
        observation,
        budget,
        engine="ismcts",
        seed=seed,
        options=SINGLE,
        worlds=worlds,
        replies=False,
    )
    return search.run().best_move


def _policies(given: argparse.Namespace) -> list[RivalPolicy]:
    own = policy_of_rivals(game_type(given.game)())
    return [
        RivalPolicy(temperature, floor, power, pasts)
        for pasts in given.pasts
        for temperature in given.temperature or [own.temperature]
        for floor in given.floor
        for power in given.power or [own.power]
    ]


def main() -> None:
    """Print the figures as lines of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", required=True)
    parser.add_argument("--option", action="append", default=[], help="key=value of the game")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--worlds", type=int, default=100, help="weighed at a decision")
    parser.add_argument("--part", type=float, default=0.2, help="of the decisions")
    parser.add_argument("--engine", default="", help="of the bots; empty: the game's default")
    parser.add_argument("--simulations", type=int, default=None, help="simulations per move")
    parser.add_argument("--ms", type=float, default=None, help="milliseconds per move")
    parser.add_argument("--temperature", type=float, nargs="+", help="by default the game's")
    parser.add_argument("--floor", type=float, nargs="+", default=[0.2])
    parser.add_argument("--power", type=float, nargs="+", help="by default the game's")
    parser.add_argument("--pasts", type=int, nargs="+", default=[8])
    parser.add_argument("--match", action="store_true", help="play for the win instead")
    parser.add_argument("--unweighted", action="store_true", help="with --match: equal weights")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options = dict(part.split("=", 1) for part in given.option)
    budget = Budget(given.ms, given.simulations)
    policies = _policies(given)
    if given.match:
        for policy in policies:
            share, error, games = match(
                given.game,
                options,
                None if given.unweighted else policy,
                num_games=given.games,
                num_worlds=given.worlds,
                budget=budget,
                seed=given.seed,
            )
            _print(policy, {"share": share, "standard_error": error, "games": games})
        return
    found = ratios(
        given.game,
        options,
        policies,
        num_games=given.games,
        num_worlds=given.worlds,
        part=given.part,
        engine=given.engine,
        budget=budget,
        seed=given.seed,
    )
    for policy, ratio in zip(policies, found, strict=True):
        _print(policy, {name: getattr(ratio, name) for name in Ratio.__slots__})


def _print(policy: RivalPolicy, figures: dict[str, float]) -> None:
    line = {
        "temperature": policy.temperature,
        "floor": policy.floor,
        "power": policy.power,
        "pasts": policy.pasts,
        **{name: round(value, 4) for name, value in figures.items()},
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
