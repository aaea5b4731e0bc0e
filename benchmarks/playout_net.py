"""Makes the net that playouts end in, from games of the playout policy.

    python -m kingmaker.benchmarks.playout_net knaves_out 2 OUT.npz [--games 80000]
        [--playouts 12] [--share 0.4] [--hidden 32]

The policy plays against itself, and now and then some random moves disturb it. A cut playout ends
where its evaluation suits, in Knaves Out at the start of a turn, so the net learns from a part of
these states. The target is the mean result of so many playouts from there to the end of the game,
and the net learns what to add to the evaluation without one. At last `ismcts` with the net plays
mirrored games against itself without one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from numpy.random import SFC64, Generator, SeedSequence

from kingmaker.cext.net import Net
from kingmaker.search.self_play import Records
from kingmaker.training.fit import fit
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions

from .evaluation_net import CHANCE, SCORED, TERMINAL, Columns, Scored, carded, strength

GAMES = ("knaves_out",)
BATCH = 500
"""Games of a task."""
RANDOM_MOVES = 3
"""Most moves of a disturbance."""
SIMULATIONS = 1000
"""Of a move of the match."""


def played(plan: TrainingPlan, playouts: int, first: int) -> Records:
    """Play a batch of games and return a part of the states in which cut playouts end.

    Args:
        plan: for the game, the seed, the part of states and how often the policy is disturbed.
        playouts: of each state.
        first: number of the first game of the batch.
    """
    game, plain = (SCORED[plan.game](**plan.options) for _ in range(2))
    plain.use_net(None)
    found = Columns(plain)
    for number in range(min(BATCH, plan.games - first)):
        play_one(game, plan, playouts, first + number, number, found)
    return found.records()


def play_one(
    game: Scored, plan: TrainingPlan, playouts: int, seed: int, number: int, found: Columns
) -> None:
    """Play a game, and tell a part of its states with the results of their playouts."""
    stream = SFC64(SeedSequence(plan.seed, spawn_key=(seed,)))
    rng = Generator(stream)
    state = game.start_state()
    while True:
        state, _, _ = game.played_out(state, stream, 1)
        if game.node_of(state) == TERMINAL:
            break
        if rng.random() < plan.epsilon:
            state = disturbed(game, state, rng)
        elif rng.random() < plan.share:
            found.add(state, number)
            found.value(game.playouts(state, stream, playouts)[0])
    found.returns.append(game.returns_of(state))


def disturbed(game: Scored, state: bytes, rng: Generator) -> bytes:
    """Return the state after some random moves."""
    for _ in range(rng.integers(1, RANDOM_MOVES, endpoint=True)):
        node = game.node_of(state)
        if node == TERMINAL:
            break
        moves = [game.sample(state, rng.bit_generator)] if node == CHANCE else game.moves_of(state)
        state = game.after(state, moves[rng.integers(len(moves))])
    return state


def all_played(plan: TrainingPlan, playouts: int) -> Iterator[Records]:
    """Play all games, on all cores."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        yield from pool.map(partial(played, plan, playouts), range(0, plan.games, BATCH))


def main() -> None:
    """Play, fit, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("seats", type=int)
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=80_000)
    parser.add_argument("--playouts", type=int, default=12)
    parser.add_argument("--share", type=float, default=0.4)
    parser.add_argument("--hidden", type=int, default=32, help="units of the first layer")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    plan = TrainingPlan(
        given.game,
        {"players": str(given.seats)},
        seed=given.seed,
        games=given.games,
        epsilon=0.05,
        share=given.share,
        hidden1=given.hidden,
        has_policy=False,
        mix=1.0,
        epochs=given.epochs,
    )
    shards = list(all_played(plan, given.playouts))
    positions = Positions(shards, SCORED[plan.game](**plan.options).num_features, 1.0, adds=True)
    weights, losses = fit(positions, 0, plan, SeedSequence(plan.seed))
    net = carded(plan, {"playouts": given.playouts}, positions, weights, losses)
    sys.stdout.write(f"{net.card['data']} {losses}\n")
    sys.stdout.flush()
    found = strength(plan, SIMULATIONS, net)
    sys.stdout.write(f"{found}\n")
    Net({**net.card, "strength": [found]}, net.weights).save(given.out)


if __name__ == "__main__":
    main()
