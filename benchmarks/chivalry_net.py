"""Makes a net for the evaluation of Code of Chivalry; the one that ships is for four seats.

    python -m kingmaker.benchmarks.chivalry_net SEATS OUT.npz [--games 40000] [--rounds 3]

In each round greedy players play games, by the evaluation without a net in the first one and by the
net so far in the others; one game in four has a deck with minstrels and monks. The net is fitted to
the results of the games of the latest two rounds, at their quiet nodes, decisions and chance alike
(cext/games/code_of_chivalry/terms.pxd). At last it plays mirrored groups against the evaluation
without a net.
"""

from __future__ import annotations

import argparse
import statistics
import sys

import numpy as np
from numpy.random import SFC64, SeedSequence

from kingmaker.cext.games.code_of_chivalry.game import QuietChivalry
from kingmaker.cext.net import Net
from kingmaker.cext.rng import Seed
from kingmaker.search.position import CHANCE, TERMINAL
from kingmaker.search.self_play import Records, SelfPlay
from kingmaker.training.fit import fit
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions

from .evaluation_net import carded
from .measure import standard_error

BATCH = 500
"""Games whose records are gathered at once."""
STRETCHED = 4
"""Every so many games' deck has minstrels and monks."""
WINDOW = 2
GROUPS = 1000


def played(plan: TrainingPlan, number: int, net: Net | None) -> list[Records]:
    """Play the games of a round and return their quiet positions."""
    found = []
    for first in range(0, plan.games, BATCH):
        deck = "stretch" if first // BATCH % STRETCHED == STRETCHED - 1 else "base"
        game = QuietChivalry(**plan.options, deck=deck)
        game.use_net(net)
        match = SelfPlay(
            game,
            num_worlds=plan.worlds,
            epsilon=plan.epsilon,
            share=plan.share,
            with_chance=True,
        )
        for index in range(first, min(first + BATCH, plan.games)):
            match.play(Seed(plan.seed, number, index))
        found.append(_quiet(match.records()))
    return found


def _quiet(records: Records) -> Records:
    """Leave out the positions without features, and all actions."""
    kept = records.num_active[:, 0] > 0
    none = np.zeros(int(kept.sum()), dtype=np.int16)
    return records._replace(
        num_active=records.num_active[kept],
        games=records.games[kept],
        seats=records.seats[kept],
        actions=records.actions[:0],
        num_actions=none,
        chosen=none,
        values=records.values[kept],
        heuristics=records.heuristics[kept],
    )


def strength(plan: TrainingPlan, net: Net) -> tuple[float, float]:
    """Return the win share of a greedy player with the net among others without, and its error."""
    own, other = QuietChivalry(**plan.options), QuietChivalry(**plan.options)
    own.use_net(net)
    other.use_net(None)
    with_net, without = (SelfPlay(game, num_worlds=plan.worlds) for game in (own, other))
    seats = range(own.num_seats)
    shares = []
    for group in range(GROUPS):
        won = 0.0
        for seat in seats:
            stream = SFC64(SeedSequence(plan.seed, spawn_key=(0, group)))
            state = own.start_state()
            ply = 0
            while (node := own.node_of(state)) != TERMINAL:
                if node == CHANCE:
                    move = own.sample(state, stream)
                else:
                    player = with_net if node == seat else without
                    move = player.choose(state, Seed(plan.seed, group, seat, ply))
                state = own.after(state, move)
                ply += 1
            won += own.returns_of(state)[seat]
        shares.append(won / len(seats))
    return statistics.fmean(shares), standard_error(shares)


def main() -> None:
    """Play, fit, measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seats", type=int)
    parser.add_argument("out")
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--share", type=float, default=0.25)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    plan = TrainingPlan(
        "code_of_chivalry",
        {"players": str(given.seats)},
        seed=given.seed,
        games=given.games,
        share=given.share,
        window=WINDOW,
        has_policy=False,
        epochs=given.epochs,
        batch=2048,
        rate=0.004,
    )
    net: Net | None = None
    shards: list[list[Records]] = []
    for number in range(1, given.rounds + 1):
        shards = [*shards[-(WINDOW - 1) :], played(plan, number, net)]
        positions = Positions(
            [each for part in shards for each in part], QuietChivalry().num_features
        )
        weights, losses = fit(positions, 0, plan, SeedSequence(plan.seed, spawn_key=(number,)))
        net = carded(plan, {}, positions, weights, losses)
        sys.stdout.write(f"round {number}: {net.card['data']} {losses}\n")
        sys.stdout.flush()
    assert net is not None
    share, error = strength(plan, net)
    sys.stdout.write(f"greedy against greedy without a net: {share:.3f} +- {error:.3f}\n")
    found = {"rival": "greedy without a net", "share": share, "error": error, "groups": GROUPS}
    Net({**net.card, "strength": [found]}, net.weights).save(given.out)


if __name__ == "__main__":
    main()
