"""Teaches a net to correct the policy of a game in priors, from games against itself.

    python -m kingmaker.benchmarks.prior_net code_of_chivalry --option players=2 [--out OUT.npz]
        [--steps 2000] [--games 4000] [--units 64 32] [--rate 0.003] [--trace 0.8] [--entropy 0.001]
        [--start START.npz] [--rival RIVAL.npz] [--seed 1] [--match GAMES --simulations 600]

The policy plays whole games with the net in every seat, and the gradient of their results
(`search.policy_gradient`) is followed by Adam, in steps of so many games. At first the net changes
nothing. The step size falls by a factor of ten over the steps, and what is kept is a moving average
of the weights, over the last 100 steps or so. Now and then the policy with the net plays in each
seat of games against the policy without.

With `--rival` it learns to answer instead: the policy with the net has one seat, and the policy
with the rival, which stays as it is, all others. What it wins then is a lower bound of what a best
response to the rival wins.

With `--match` the default search plays at least so many mirrored games at the end, with the net in
priors against itself without, at equal simulations. `--steps 0 --start NET` only plays these.

Games are played in two threads, each with a stream of its own, so results are the same on any
number of cores.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import numpy as np
from numpy.random import SFC64, SeedSequence
from numpy.typing import NDArray

from kingmaker.benchmarks.playout_policy import (
    TUNABLE,
    VARIANTS,
    Adam,
    Standing,
    at_least,
    ending_quietly,
    options_of,
    rate_of,
    standing_of,
)
from kingmaker.cext.errors import InputError
from kingmaker.cext.net import Net, names_hash
from kingmaker.cext.tunable_game import TunableGame
from kingmaker.cext.words import counted
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.policy_gradient import PolicyGradient
from kingmaker.search.position import Observation
from kingmaker.training.rounds import commit

from .strength import FairBot, MatchResult, play_match

THREADS = 2
LAST_RATE = 0.1
"""Step size after the last step, as a part of the first."""
LEAST = 1e-5
"""Added to the deviation of a gradient, which is smaller than those of factors."""
MEMORY = 0.99
"""Of the moving average of the weights."""
TEST_STEPS, TEST_GAMES = 100, 8000
"""Steps between tests, and the games of a test."""

Weights = dict[str, NDArray[np.float64]]


def first_weights(game: TunableGame, units: Sequence[int], seed: int) -> Weights:
    """Return the weights of a net that changes nothing yet, as its policy head has zeros."""
    rng = np.random.default_rng(seed)
    first, second = units
    return {
        "w1": rng.normal(0, 0.1, (game.num_features, first)),
        "b1": np.zeros(first),
        "w2": rng.normal(0, np.sqrt(2 / first), (first, second)),
        "b2": np.zeros(second),
        "wp": np.zeros((game.num_actions, second)),
        "bp": np.zeros(game.num_actions),
    }


def net_of(game: TunableGame, weights: Weights, card: Mapping[str, object]) -> Net:
    """Return a net of these weights. Its value head, which nobody asks, has zeros."""
    units = len(weights["b2"])
    made = {"game": game.name, "seats": game.num_seats, "features": names_hash(game)}
    return Net({**made, **card}, {**weights, "w3": np.zeros(units), "b3": np.zeros(1)})


def plain_game(name: str, options: Mapping[str, str]) -> TunableGame:
    """Return a game whose policy nothing corrects."""
    game = TUNABLE[name](**options)
    game.use_prior_net(None)
    return game


def checked(game: TunableGame, path: str) -> Net:
    """Read a net; raises InputError if it does not fit the priors of a game."""
    net = Net.load(path)
    game.use_prior_net(net)
    game.use_prior_net(None)
    return net


class Learner:
    """Weights of a net, and what Adam keeps of them.

    Args:
        games: those of the steps, in turn.
        weights: the first ones.
        trace: as of `PolicyGradient`.
        entropy: as of `PolicyGradient`.
        seed: of all games.
        rival: net of all other seats than the learning one. None: the net learns in all seats.
    """

    def __init__(
        self,
        games: Sequence[Sequence[TunableGame]],
        weights: Weights,
        trace: float,
        entropy: float,
        seed: int,
        rival: Net | None = None,
    ) -> None:
        self.rival = rival
        self.teachers = [
            [PolicyGradient(game, trace=trace, entropy=entropy) for game in each] for each in games
        ]
        self.game = games[0][0]
        self.weights = weights
        self.mean = dict(weights)
        self.adams = {name: Adam(array.size, LEAST) for name, array in weights.items()}
        self.streams = [SFC64(SeedSequence(seed, spawn_key=(k,))) for k in range(THREADS)]
        self.threads = ThreadPoolExecutor(THREADS)
        self.steps = 0

    def step(self, num_games: int, rate: float) -> None:
        """Play games, and follow their gradient."""
        net = net_of(self.game, self.weights, {})
        teachers = [each[self.steps % len(each)] for each in self.teachers]
        try:
            lessons = list(
                self.threads.map(
                    lambda teacher, stream, seat: (
                        teacher.play(
                            net, stream, num_games // THREADS, seat=seat, rival=self.rival
                        ).gradient
                    ),
                    teachers,
                    self.streams,
                    self.seats(),
                )
            )
        except KeyboardInterrupt:  # of which the threads hear nothing
            for teacher in teachers:
                teacher.cancel()
            raise
        for name, array in self.weights.items():
            gradient = np.mean([lesson[name] for lesson in lessons], axis=0).astype(np.float64)
            change = self.adams[name].step(gradient.ravel(), rate).reshape(array.shape)
            self.weights[name] = array + change
            self.mean[name] = MEMORY * self.mean[name] + (1 - MEMORY) * self.weights[name]
        self.steps += 1

    def seats(self) -> list[int | None]:
        """Return the seat that learns in each thread; None: all seats."""
        if self.rival is None:
            return [None] * THREADS
        return [(self.steps + thread) % self.game.num_seats for thread in range(THREADS)]


def contest(
    game: TunableGame, net: Net, games: int, seed: int, rival: Net | None = None
) -> Standing:
    """Play the policy with a net, in each seat in turn, against the policy with the rival's."""
    seats = game.num_seats
    each = games // seats
    lone = PolicyGradient(game)
    shares = []
    for seat in range(seats):
        stream = SFC64(SeedSequence(seed, spawn_key=(THREADS + seat,)))
        lesson = lone.play(net, stream, each, seat=seat, rival=rival, learn=False)
        shares.append(lesson.shares[seat])
    share = float(np.mean(shares))
    return standing_of(share, share, each * seats)


def searched(
    name: str, options: Mapping[str, str], net: Net, games: int, simulations: int, seed: int
) -> MatchResult:
    """Play the default search with a net against itself without, as `play_match` does."""

    def bot(given: Net | None) -> FairBot:
        game = plain_game(name, options)
        game.use_prior_net(given)
        return lambda observation, seed: select_move(
            Observation(game, observation.state), Budget(simulations=simulations), seed=seed
        )[0]

    return play_match(name, dict(options), bot(net), bot(None), games, seed)


def told(standing: Standing) -> str:
    """Return a share in words."""
    return f"{standing.share:.1%} ± {standing.error:.1%}"


def main() -> None:
    """Learn, tell how the policy plays, and write the net."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=TUNABLE)
    parser.add_argument("--option", action="append", default=[], help="of the game: NAME=VALUE")
    parser.add_argument("--out", help="file for the net")
    parser.add_argument("--steps", type=at_least(0), default=2000)
    parser.add_argument("--games", type=at_least(THREADS), default=4000, help="of a step")
    parser.add_argument(
        "--units", type=at_least(1), nargs=2, default=(64, 32), help="of the hidden layers"
    )
    parser.add_argument("--rate", type=rate_of, default=0.003, help="of the first step")
    parser.add_argument("--trace", type=float, default=0.8, help="lambda of the returns")
    parser.add_argument("--entropy", type=float, default=0.001, help="what is paid for it")
    parser.add_argument("--start", help="file of the net to begin with")
    parser.add_argument("--rival", help="file of a net that is to be answered")
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--match", type=at_least(0), default=0, help="games of searches")
    parser.add_argument("--simulations", type=at_least(1), default=600, help="of a move there")
    given = parser.parse_args()
    options = options_of(parser, given)
    if given.out and not given.steps:
        parser.error(f"--out is {given.out}; with --steps 0 there is nothing to write")
    variants = [{**variant, **options} for variant in VARIANTS.get(given.game, ({},))]
    try:
        game = plain_game(given.game, options)
        rival = checked(game, given.rival) if given.rival else None
        games = [[plain_game(given.game, each) for each in variants] for _ in range(THREADS)]
        weights = first_weights(game, given.units, given.seed)
        if given.start:
            net = checked(game, given.start)
            weights = {name: net.weights[name].astype(np.float64) for name in weights}
        net_of(game, weights, {})
        learner = Learner(games, weights, given.trace, given.entropy, given.seed, rival)
    except InputError as error:
        parser.error(str(error))
    card: dict[str, object] = {
        "options": options,
        **{name: getattr(given, name) for name in ("steps", "games", "rate", "trace", "entropy")},
        "seed": given.seed,
        "start": given.start,
        **({"rival": given.rival} if given.rival else {}),
        "version": version("kingmaker"),
        "commit": commit(),
    }
    for step in range(given.steps):
        learner.step(given.games, given.rate * LAST_RATE ** (step / given.steps))
        if (step + 1) % TEST_STEPS and step + 1 < given.steps:
            continue
        net = net_of(game, learner.mean, card)
        found = contest(game, net, TEST_GAMES, given.seed, rival)
        against = f"the policy with {given.rival}" if rival else "the policy without it"
        sys.stdout.write(f"step {step + 1}: {told(found)} against {against}\n")
        sys.stdout.flush()
        if given.out:
            strength = {against: [found.share, found.error]}
            net_of(game, learner.mean, {**card, "done": step + 1, "strength": strength}).save(
                given.out
            )
    if given.match:
        net = net_of(game, learner.mean, card)
        match = searched(given.game, options, net, given.match, given.simulations, given.seed)
        sys.stdout.write(
            f"with {counted(given.simulations, 'simulation')}: "
            f"{told(Standing(match.mean, match.standard_error))} of {match.num_games} games "
            "against the search without it\n"
        )


if __name__ == "__main__":
    with ending_quietly():
        main()
