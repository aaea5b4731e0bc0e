"""Measures what the net of an evaluation brings: truer win shares, and wins.

    python -m kingmaker.benchmarks.net_gain knaves_out 2 [--games 900] [--simulations 1000]
        [--match-games 0] [--milliseconds 10]

Games are played without the net. In three decisions of each the search runs with and without it,
and the log loss of its win share for the seat to move is computed by the result: the lower, the
truer. These games must be others than those that the net has learned from, so their seed differs
from that of `evaluation_net`. A match of the two follows, if it has games, on an idle machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, Position
from kingmaker.training.plan import TrainingPlan

from .evaluation_net import SCORED, Scored, play_one
from .measure import standard_error
from .strength import FairBot, play_match

SEED = 1_000
SIMULATIONS = 200
"""Of a move of the games."""
DECISIONS = 3
"""Of a game, which are searched."""
LEAST_SHARE = 1e-3
"""Shares closer to 0 or 1 count as this close."""


@dataclass(slots=True)
class _Decisions:
    """The states of a game in which a seat decides, and its returns."""

    game: Scored
    states: list[bytes] = field(default_factory=list)
    returns: list[list[float]] = field(default_factory=list)

    def add(self, state: bytes, number: int) -> None:
        if self.game.node_of(state) >= 0:
            self.states.append(state)

    def value(self, shares: object) -> None:
        """The value of a search is not needed."""


def games_of(name: str, options: Mapping[str, str]) -> tuple[Scored, Scored]:
    """Return a game with its net and without."""
    game, plain = (SCORED[name](**options) for _ in range(2))
    plain.use_net(None)
    return game, plain


def losses_of(plan: TrainingPlan, simulations: int, number: int) -> list[tuple[float, float]]:
    """Play a game; return the losses of some decisions, with the net and without."""
    game, plain = games_of(plan.game, plan.options)
    found = _Decisions(plain)
    play_one(plain, plan, SIMULATIONS, number, 0, found)
    rng = Generator(PCG64(SeedSequence(plan.seed, spawn_key=(number, 1))))
    count = min(DECISIONS, len(found.states))
    losses = []
    for index in rng.choice(len(found.states), count, replace=False):
        state = found.states[index]
        seat = plain.node_of(state)
        result = found.returns[0][seat]
        shares = np.clip(
            [_share(each, state, seat, simulations) for each in (game, plain)],
            LEAST_SHARE,
            1 - LEAST_SHARE,
        )
        with_net, without = -(result * np.log(shares) + (1 - result) * np.log(1 - shares))
        losses.append((float(with_net), float(without)))
    return losses


def _share(game: Scored, state: bytes, seat: int, simulations: int) -> float:
    observation = Position(game, state).observe(seat + 1)
    _, analysis = select_move(observation, Budget(simulations=simulations), seed=1)
    return analysis.moves[0].values[seat]


def calibration(plan: TrainingPlan, simulations: int) -> str:
    """Compare the losses in all games, played on all cores."""
    numbers = range(plan.games)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = [
            np.array(losses)
            for losses in pool.map(
                losses_of, [plan] * plan.games, [simulations] * plan.games, numbers, chunksize=5
            )
            if losses
        ]
    gains = [float((losses[:, 1] - losses[:, 0]).mean()) for losses in found]
    with_net, without = np.concatenate(found).mean(axis=0)
    return (
        f"log loss of win shares, {simulations} simulations, {sum(map(len, found))} decisions: "
        f"{with_net:.4f} with the net, {without:.4f} without; "
        f"gain {statistics.fmean(gains):.4f} ± {standard_error(gains):.4f}"
    )


def match(plan: TrainingPlan, num_games: int, milliseconds: float) -> str:
    """Play the default with the net against the one without."""

    def bot(game: Scored) -> FairBot:
        return lambda observation, seed: select_move(
            Observation(game, observation.state), Budget(milliseconds=milliseconds), seed=seed
        )[0]

    game, plain = games_of(plan.game, plan.options)
    found = play_match(plan.game, dict(plan.options), bot(game), bot(plain), num_games, plan.seed)
    return (
        f"with {milliseconds:g} ms a move the net wins {100 * found.mean:.1f} ± "
        f"{100 * found.standard_error:.1f} % of {found.num_games} games"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=SCORED)
    parser.add_argument("seats", type=int)
    parser.add_argument("--games", type=int, default=900)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--match-games", type=int, default=0)
    parser.add_argument("--milliseconds", type=float, default=10)
    given = parser.parse_args()
    plan = TrainingPlan(
        given.game, {"players": str(given.seats)}, seed=SEED, games=given.games, share=1.0
    )
    sys.stdout.write(f"{calibration(plan, given.simulations)}\n")
    if given.match_games:
        sys.stdout.write(f"{match(plan, given.match_games, given.milliseconds)}\n")


if __name__ == "__main__":
    main()
