"""Makes a net for the evaluation of a game whose terms are features.

    python -m kingmaker.benchmarks.evaluation_net kingdom_coinquest 2 OUT.npz [--games 3000]
        [--rounds 2] [--simulations 300] [--mix 0.7]

In each round `ismcts` plays games against itself, by the evaluation without a net in the first one
and by the net so far in the others. The net is fitted to part of the positions of all games so far.
The target is a mean of the result and of the value that the next search finds: thousands of games
alone have too few results for a net. At last `ismcts` with the net plays mirrored games against
itself with the evaluation that the first round had.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Protocol

import numpy as np
from numpy.random import SFC64, Generator, SeedSequence

from kingmaker.cext.games.code_of_chivalry.game import QuietChivalry
from kingmaker.cext.games.kingdom_coinquest.game import ScoredCoinquest
from kingmaker.cext.games.knaves_out.game import ScoredKnaves
from kingmaker.cext.net import Net
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import CHANCE, TERMINAL, Observation, Position
from kingmaker.search.self_play import Records
from kingmaker.training.fit import Losses, Weights, fit
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions
from kingmaker.training.rounds import commit

from .strength import FairBot, play_match

Scored = QuietChivalry | ScoredCoinquest | ScoredKnaves
SCORED: Mapping[str, type[Scored]] = {
    "code_of_chivalry": QuietChivalry,
    "kingdom_coinquest": ScoredCoinquest,
    "knaves_out": ScoredKnaves,
}
"""Games -> those with the terms of their evaluation as features."""
GAMES = ("code_of_chivalry", "kingdom_coinquest")
"""Games of this command; `playout_net` makes the net of Knaves Out."""
VARIANTS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "code_of_chivalry": ({}, {}, {}, {"deck": "stretch"}),  # with minstrels and monks
}
"""Options of the batches of a game, in turn."""
BATCH = 50
"""Games of a task."""
NUM_GAMES = 200
"""Of the match at the end."""


@dataclass(slots=True)
class Columns:
    """The positions recorded so far, as in `Records`; `plain` is the game without a net."""

    plain: Scored
    features: list[int] = field(default_factory=list)
    num_active: list[list[int]] = field(default_factory=list)
    games: list[int] = field(default_factory=list)
    values: list[Sequence[float]] = field(default_factory=list)
    heuristics: list[list[float]] = field(default_factory=list)
    returns: list[list[float]] = field(default_factory=list)

    def add(self, state: bytes, number: int) -> None:
        """Record a position, unless its terms don't count."""
        active = [self.plain.features_of(state, seat) for seat in range(self.plain.num_seats)]
        if not any(active):
            return
        self.features += [row for each in active for row in each]
        self.num_active.append([len(each) for each in active])
        self.games.append(number)
        self.heuristics.append(self.plain.evaluation_of(state))

    def value(self, shares: Sequence[float]) -> None:
        """Give a value to the positions since the last one."""
        self.values += [shares] * (len(self.games) - len(self.values))

    def records(self) -> Records:
        """Return them as arrays, without actions."""
        none = np.zeros(len(self.games), dtype=np.int16)
        return Records(
            features=np.array(self.features, dtype=np.int16),
            num_active=np.array(self.num_active, dtype=np.int16),
            games=np.array(self.games, dtype=np.int32),
            seats=none.astype(np.int8),
            actions=np.zeros(0, dtype=np.int32),
            num_actions=none,
            chosen=none,
            values=np.array(self.values, dtype=np.float32),
            heuristics=np.array(self.heuristics, dtype=np.float32),
            returns=np.array(self.returns, dtype=np.float32),
        )


def played(plan: TrainingPlan, simulations: int, first: int, path: Path | None) -> Records:
    """Play a batch of games and return a part of their positions.

    Args:
        plan: for the game, the seed, the random moves and the part of positions.
        simulations: of a move.
        first: number of the first game of the batch.
        path: of the net that evaluates; None: the evaluation without one.
    """
    variants = VARIANTS.get(plan.game, ({},))
    game, plain = (
        SCORED[plan.game](**plan.options, **variants[first // BATCH % len(variants)])
        for _ in range(2)
    )
    game.use_net(None if path is None else Net.load(path))
    plain.use_net(None)
    found = Columns(plain)
    for number in range(BATCH):
        play_one(game, plan, simulations, first, number, found)
    return found.records()


class Recorder(Protocol):
    """An observer of a game that is played."""

    returns: list[list[float]]

    def add(self, state: bytes, number: int) -> None:
        """Take a state of a game."""

    def value(self, shares: Sequence[float]) -> None:
        """Take the value that a search has found."""


def play_one(
    game: Scored,
    plan: TrainingPlan,
    simulations: int,
    first: int,
    number: int,
    found: Recorder,
) -> None:
    """Play a game, and report a part of its states, the values of its searches and its returns."""
    stream = SFC64(SeedSequence(plan.seed, spawn_key=(first + number,)))
    rng = Generator(stream)
    state = game.start_state()
    while (node := game.node_of(state)) != TERMINAL:
        if rng.random() < plan.share:
            found.add(state, number)
        if node == CHANCE:
            state = game.after(state, game.sample(state, stream))
            continue
        moves = game.moves_of(state)
        if len(moves) == 1 or rng.random() < plan.epsilon:
            move = moves[rng.integers(len(moves))]
        else:
            token, analysis = select_move(
                Position(game, state).observe(node + 1),
                Budget(simulations=simulations),
                seed=int(rng.integers(2**62)),
            )
            found.value(analysis.moves[0].values)
            move = game.parse_move(token)
        state = game.after(state, move)
    found.returns.append(game.returns_of(state))
    found.value(found.returns[-1])


def all_played(
    plan: TrainingPlan, simulations: int, number: int, net: Net | None
) -> Iterator[Records]:
    """Play the games of a round, on all cores."""
    first = plan.games * number
    spawn = multiprocessing.get_context("spawn")
    with TemporaryDirectory() as folder, ProcessPoolExecutor(os.cpu_count(), spawn) as pool:
        path = None
        if net is not None:
            path = Path(folder) / "net.npz"
            net.save(path)
        batches = range(first, first + plan.games, BATCH)
        tasks = [pool.submit(played, plan, simulations, batch, path) for batch in batches]
        for task in tasks:
            yield task.result()


def strength(plan: TrainingPlan, simulations: int, net: Net, games: int) -> dict[str, Any]:
    """Play the net against the evaluation without one, with equal simulations."""

    def bot(evaluation: Net | None) -> FairBot:
        game = SCORED[plan.game](**plan.options)
        game.use_net(evaluation)
        return lambda observation, seed: select_move(
            Observation(game, observation.state), Budget(simulations=simulations), seed=seed
        )[0]

    found = play_match(plan.game, dict(plan.options), bot(net), bot(None), games, plan.seed)
    return {
        "rival": "without a net",
        "simulations": simulations,
        "share": found.mean,
        "error": found.standard_error,
        "games": found.num_games,
    }


def carded(
    plan: TrainingPlan,
    effort: Mapping[str, int],
    positions: Positions,
    weights: Weights,
    losses: Losses,
) -> Net:
    """Return a net with its card; `effort` is what each target took."""
    return Net(
        {
            "game": plan.game,
            "seats": int(plan.options["players"]),
            "features": "terms.pxd",
            "data": {"games": positions.num_games, "positions": len(positions), **effort},
            "losses": asdict(losses),
            "plan": asdict(plan),
            "seed": plan.seed,
            "version": version("kingmaker"),
            "commit": commit(),
        },
        weights,
    )


def main() -> None:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("seats", type=int)
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--simulations", type=int, default=300)
    parser.add_argument("--mix", type=float, default=0.7, help="weight of the search's value")
    parser.add_argument("--share", type=float, default=0.2)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    plan = TrainingPlan(
        given.game,
        {"players": str(given.seats)},
        seed=given.seed,
        games=-(-given.games // BATCH) * BATCH,
        share=given.share,
        has_policy=False,
        mix=given.mix,
        epochs=given.epochs,
    )
    num_features = SCORED[given.game](**plan.options).num_features
    net: Net | None = None
    shards: list[Records] = []
    for number in range(given.rounds):
        shards += all_played(plan, given.simulations, number, net)
        positions = Positions(shards, num_features, plan.mix)
        weights, losses = fit(positions, 0, plan, SeedSequence(plan.seed, spawn_key=(number,)))
        net = carded(plan, {"simulations": given.simulations}, positions, weights, losses)
        sys.stdout.write(f"round {number + 1}: {net.card['data']} {losses}\n")
        sys.stdout.flush()
    assert net is not None
    found = strength(plan, given.simulations, net, NUM_GAMES)
    sys.stdout.write(f"{found}\n")
    Net({**net.card, "strength": [found]}, net.weights).save(given.out)


if __name__ == "__main__":
    main()
