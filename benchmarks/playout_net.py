"""Makes the net that playouts end in, from results of the playout policy.

    python -m kingmaker.benchmarks.playout_net knaves_out 2 OUT.npz [--games 40000]
        [--share 0.4] [--searched 4000] [--simulations 30] [--playouts 12] [--match 200]

The policy plays games against itself, with occasional random moves, and a net is fitted to them.
With this net `ismcts` plays more games with few simulations, as a search reaches states that the
policy never would, and the net is fitted again to all games. A cut playout ends where its
evaluation suits, in Knaves Out at the start of a turn, so the net learns from such states of these
games. Some of these get a Dark Tower besides, as few games have one that was called with a plan.
The target is the mean result of so many playouts from there to the end of the game, and the net
learns what to add to the evaluation without one. At last `ismcts` with the net plays games against
itself without one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence

from kingmaker.cext.errors import InputError
from kingmaker.cext.net import Net
from kingmaker.search.position import CHANCE, TERMINAL, parse_position
from kingmaker.search.self_play import Records
from kingmaker.training.fit import fit
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions

from .evaluation_net import (
    SCORED,
    Columns,
    Scored,
    carded,
    play_one,
    strength,
)

GAMES, SEATS = ("knaves_out",), (2, 4)
"""Those with a net that adds to what playouts end in; that of four seats is for three to eight."""
BATCH = 250
"""Games of a task."""
RANDOM_MOVES, MOVES_BEFORE = 3, 6
"""Most moves of a disturbance, and of the policy before it."""
TOWERS, NEAR = 0.2, 3
"""Part of the starts of turns that are recorded with a Dark Tower, too; steps from a soldier."""
FILES = "abcdefgh"
MOSTLY = 0.7
"""How often a Dark Tower is put near a soldier, if its Chosen One has any."""
SOLDIER = re.compile(r"(?<=[Pp])\d[a-h][1-8]")
"""Squares of pawns and unpawns in a line of the notation."""
LEAST_SEEN = 100
"""Features that fewer seats have say nothing: their weights would be those of the first draw."""
SIMULATIONS = 200
"""Of a move of the match."""


class Starts:
    """Records the starts of turns of games, with the results of their playouts.

    Args:
        game: with the policy that plays them out.
        playouts: of each state.
    """

    def __init__(self, game: Scored, playouts: int) -> None:
        plain = type(game)(**game.options)
        plain.use_net(None)
        self.columns = Columns(plain)
        self.returns = self.columns.returns
        self._game = game
        self._playouts = playouts
        self._stream = SFC64()
        self._turn = 0

    def begin(self, stream: SFC64) -> None:
        """Begin a game; playouts draw from the stream."""
        self._stream = stream
        self._turn = 0

    def add(self, state: bytes, number: int) -> None:
        """Record a state of a game, if it is the start of a turn."""
        before, self._turn = self._turn, self._game.view(state)["turn"]
        if self._turn > before and self._game.node_of(state) != TERMINAL:
            self.record(state, number)

    def record(self, state: bytes, number: int) -> None:
        """Record the start of a turn."""
        self.columns.add(state, number)
        self.columns.value(self._game.playouts(state, self._stream, self._playouts)[0])

    def value(self, shares: object) -> None:
        """The value of a search is not needed."""


def searched(
    plan: TrainingPlan, path: Path, playouts: int, simulations: int, first: int
) -> Records:
    """Play a batch of games of `ismcts` with a net and return the starts of their turns."""
    game = SCORED[plan.game](**plan.options)
    game.use_net(Net.load(path))
    found = Starts(game, playouts)
    for number in range(first, min(first + BATCH, plan.games)):
        found.begin(SFC64(SeedSequence(plan.seed, spawn_key=(number, 1))))
        play_one(game, plan, simulations, first, number - first, found)
    return found.columns.records()


def played(plan: TrainingPlan, playouts: int, first: int) -> Records:
    """Play a batch of games of the policy and return a part of the starts of their turns.

    Args:
        plan: for the game, the seed, the part of states and how often the policy is disturbed.
        playouts: of each state.
        first: number of the first game of the batch.
    """
    game = SCORED[plan.game](**plan.options)
    found = Starts(game, playouts)
    for number in range(first, min(first + BATCH, plan.games)):
        follow(game, plan, number, number - first, found)
    return found.columns.records()


def follow(game: Scored, plan: TrainingPlan, seed: int, number: int, found: Starts) -> None:
    """Play a game of the policy, and tell a part of the starts of its turns."""
    stream = SFC64(SeedSequence(plan.seed, spawn_key=(seed,)))
    rng = Generator(stream)
    found.begin(stream)
    state = game.start_state()
    while True:
        state, _, _ = game.played_out(state, stream, 1)
        if game.node_of(state) == TERMINAL:
            break
        if rng.random() < plan.epsilon:
            state = disturbed(game, state, rng)
        elif rng.random() < plan.share:
            found.record(state, number)
            tower = with_dark_tower(game, state, rng) if rng.random() < TOWERS else None
            if tower is not None:
                found.record(tower, number)
    found.returns.append(game.returns_of(state))


def disturbed(game: Scored, state: bytes, rng: Generator) -> bytes:
    """Return the state after some moves of the policy and some random ones."""
    by_policy = rng.integers(MOVES_BEFORE, endpoint=True)
    left = by_policy + rng.integers(1, RANDOM_MOVES, endpoint=True)
    while left and (node := game.node_of(state)) != TERMINAL:
        if node == CHANCE:
            move = game.sample(state, rng.bit_generator)
        elif by_policy > 0:
            move = game.policy_move(state, rng.bit_generator)
        else:
            moves = game.moves_of(state)
            move = moves[rng.integers(len(moves))]
        if node != CHANCE:
            by_policy -= 1
            left -= 1
        state = game.after(state, move)
    return state


def with_dark_tower(game: Scored, state: bytes, rng: Generator) -> bytes | None:
    """Return a state with a Dark Tower, mostly near a soldier of its Chosen One.

    One that is called takes checkers from its caller's pieces, so that few of them have a chance.
    None: there is one, the place is taken, or the seat has too few checkers.
    """
    line = game.text(state)
    if "D=-" not in line:
        return None
    living = [seat for seat, share in enumerate(game.evaluation_of(state), 1) if share > 0]
    chosen, enemy = rng.choice(living, 2, replace=False)
    own = re.search(rf" p{chosen}:\S*", line)
    soldiers = [] if own is None else SOLDIER.findall(own[0])
    board, file, rank = int(rng.choice(living)), int(rng.integers(8)), int(rng.integers(8))
    if soldiers and rng.random() < MOSTLY:
        name = soldiers[rng.integers(len(soldiers))]
        board = int(name[0])
        file = FILES.index(name[1]) + int(rng.integers(-NEAR, NEAR + 1))
        rank = int(name[2]) - 1 + int(rng.integers(-NEAR, NEAR + 1))
    if not (0 <= file < 8 and 0 <= rank < 8):
        return None
    checkers = rng.integers(1, 11)
    red = rng.integers(checkers + 1)
    tower = f"D={board}{FILES[file]}{rank + 1}.p{chosen}>p{enemy}.r{red}b{checkers - red}"
    try:
        return parse_position(game.name, line.replace("D=-", tower)).state
    except InputError:
        return None


def all_played(play: Callable[[int], Records], games: int) -> Iterator[Records]:
    """Play all games, on all cores."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        yield from pool.map(play, range(0, games, BATCH))


def fitted(plan: TrainingPlan, effort: Mapping[str, int], shards: Sequence[Records]) -> Net:
    """Fit a net to all positions and tell its losses."""
    num_features = SCORED[plan.game](**plan.options).num_features
    positions = Positions(shards, num_features, plan.mix, adds=True)
    weights, losses = fit(positions, 0, plan, SeedSequence(plan.seed))
    seen = sum(np.bincount(each.features, minlength=num_features) for each in shards)
    weights["w1"][seen < LEAST_SEEN] = 0
    net = carded(plan, effort, positions, weights, losses)
    sys.stdout.write(f"{net.card['data']} {losses}\n")
    sys.stdout.flush()
    return net


def main() -> None:
    """Play, fit, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("seats", type=int, choices=SEATS)
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=40_000, help="of the policy")
    parser.add_argument("--share", type=float, default=0.4, help="of the starts of their turns")
    parser.add_argument("--searched", type=int, default=4000, help="games of `ismcts`")
    parser.add_argument("--simulations", type=int, default=30, help="of a move of these")
    parser.add_argument("--playouts", type=int, default=12, help="of a state")
    parser.add_argument("--match", type=int, default=200, help="games at the end")
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
        has_policy=False,
        mix=1.0,
        epochs=given.epochs,
    )
    shards = list(all_played(partial(played, plan, given.playouts), given.games))
    effort = {"playouts": given.playouts}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "net.npz"
        fitted(plan, effort, shards).save(path)
        others = replace(plan, games=given.searched, share=1.0, seed=given.seed + 1)
        play = partial(searched, others, path, given.playouts, given.simulations)
        shards += all_played(play, given.searched)
    effort |= {"searched": given.searched, "simulations": given.simulations}
    net = fitted(plan, effort, shards)
    found = strength(plan, SIMULATIONS, net, given.match)
    sys.stdout.write(f"{found}\n")
    Net({**net.card, "strength": [found]}, net.weights).save(given.out)


if __name__ == "__main__":
    main()
