"""Learns the factors of a playout policy from games against itself.

    python -m kingmaker.benchmarks.playout_policy knaves_out --option players=2 [--out OUT.npz]
        [--rounds 8] [--steps 300] [--games 2000] [--rate 0.05] [--cost 0.002]
        [--start START.npz] [--seed 1]

The policy plays whole games, and its gradient (REINFORCE; Williams 1992) is followed by Adam
(Kingma and Ba 2015), in steps of so many games. It begins with the factors of `--start`, or with
ones: all options of a choice are equally likely. The step size falls from `--rate` to 0.005 over
the rounds, and the result of a round is the mean of its second half, as single steps are noisy.
After each round its policy plays in each seat of games against the policy that ships.

With `--cost` each choice between moves costs its seat that part of a win. A policy trained on wins
alone also makes moves that neither gain nor cost anything, such as steps to and fro, and waits; the
cost removes them.

Some games learn from steps with other options, too. That of Knaves Out learns from whole wins
alone, and without `--start` it warms up for two rounds: in short games without attacks on own
pieces, which someone wins.
"""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import SFC64, SeedSequence
from numpy.typing import NDArray

from kingmaker.cext.errors import InputError
from kingmaker.cext.games.code_of_chivalry.game import CodeOfChivalry
from kingmaker.cext.games.hearts.game import Hearts
from kingmaker.cext.games.kingdom_coinquest.game import KingdomCoinquest
from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.cext.tunable_game import TunableGame
from kingmaker.search.position import CHANCE, TERMINAL
from kingmaker.training.rounds import commit

TUNABLE: dict[str, type[TunableGame]] = {
    "code_of_chivalry": CodeOfChivalry,
    "hearts": Hearts,
    "kingdom_coinquest": KingdomCoinquest,
    "knaves_out": KnavesOut,
}
VARIANTS: Mapping[str, Sequence[Mapping[str, str]]] = {
    "code_of_chivalry": (*({},) * 7, {"deck": "stretch"}),  # with minstrels and monks
}
"""Options of the games of a step, in turn; those that are given come first."""
WARM_UP: Mapping[str, Mapping[str, str]] = {
    "knaves_out": {"friendly_fire": "off", "limit_result": "rank"},
}
"""Options of the games of the first rounds, unless they begin with factors. Even choices destroy
their own pieces, and what they learn first is to do nothing at all."""
WARM_TURNS, WARM_ROUNDS = 60, 2
"""Turns of a seat in these games, and their rounds."""
WHOLE_WINS = ("knaves_out",)
"""Games in which only a win that is not shared counts: a losing player can bring about a draw."""
FIRST_RATE, LAST_RATE = 0.05, 0.005
"""Adam's step size of the logarithms of factors, in the first and last round by default."""
MOST_RATE = 1.0  # more than that, and factors leave their range
DECAY = 1e-5
"""Pull of the logarithms towards 0: rows that hardly come up stay near 1."""
MOMENT, SQUARES = 0.9, 0.99
LEAST = 1e-4
"""Added to the deviation of a gradient: rows whose gradient is smaller hardly move."""
TEST_GAMES = 2000

Logarithms = NDArray[np.float64]


class Adam:
    """The moments of a gradient; they are kept between rounds.

    Args:
        size: of the gradient.
        least: added to its deviation.
    """

    def __init__(self, size: int, least: float = LEAST) -> None:
        self.least = least
        self.first = np.zeros(size)
        self.second = np.zeros(size)
        self.steps = 0

    def step(self, gradient: Logarithms, rate: float) -> Logarithms:
        """Return the change that a gradient makes."""
        self.steps += 1
        self.first += (1 - MOMENT) * (gradient - self.first)
        self.second += (1 - SQUARES) * (gradient**2 - self.second)
        first = self.first / (1 - MOMENT**self.steps)
        second = self.second / (1 - SQUARES**self.steps)
        change: Logarithms = rate * first / (np.sqrt(second) + self.least)
        return change


def learn_round(
    games: Sequence[TunableGame],
    start: Logarithms,
    adam: Adam,
    rate: float,
    steps: int,
    num_games: int,
    stream: SFC64,
    whole_wins: bool = False,
    cost: float = 0,
) -> Logarithms:
    """Learn from so many games a step, of each of `games` in turn.

    With `whole_wins` a share of a win counts as none; `cost` is that of a choice.

    Returns:
        The mean of the logarithms of the second half of the steps.
    """
    logs, total = start, np.zeros_like(start)
    for step in range(steps):
        game = games[step % len(games)]
        game.use_policy(np.exp(logs))
        _, _, gradient = game.policy_games(stream, num_games, whole_wins, cost)
        logs = logs + adam.step(gradient - DECAY * logs, rate)
        if 2 * step >= steps:
            total += logs
    mean: Logarithms = total / (steps - (steps + 1) // 2)
    return mean


class Standing(NamedTuple):
    """Share of the games won, and its standard error."""

    share: float
    error: float


def standing_of(share: float, square: float, games: int) -> Standing:
    """Return a mean share of games with its error, as if one more were won and one more lost.

    So it is not 0 after wins alone (Laplace's rule of succession).

    Args:
        share: the mean.
        square: mean of the squares; `share` if games are won or lost, and at most.
        games: their number.
    """
    mean, mean_square = ((games * each + 1) / (games + 2) for each in (share, square))
    return Standing(share, math.sqrt((mean_square - mean**2) / games))


def contest(first: TunableGame, others: TunableGame, games: int, seed: int) -> Standing:
    """Play one policy against others of another one, from each seat in turn."""
    shares = []
    for number in range(games):
        stream = SFC64(SeedSequence(seed, spawn_key=(number,)))
        seat = number % first.num_seats
        state = first.start_state()
        while (node := first.node_of(state)) != TERMINAL:
            if node == CHANCE:
                move = first.sample(state, stream)
            else:
                move = (first if node == seat else others).policy_move(state, stream)
            state = first.after(state, move)
        shares.append(first.returns_of(state)[seat])
    return standing_of(float(np.mean(shares)), float(np.mean(np.square(shares))), games)


def warm_up(game: TunableGame, options: Mapping[str, str]) -> list[TunableGame]:
    """Return the game of the first rounds; none if they are as all others."""
    if game.name not in WARM_UP:
        return []
    turns = {"max_turns": str(WARM_TURNS * game.num_seats)}
    return [TUNABLE[game.name](**{**options, **WARM_UP[game.name], **turns})]


def factors_of(path: str, game: TunableGame) -> Logarithms:
    """Return the logarithms of the factors of a file for a game.

    Raises:
        ValueError: it has no factors, or not those of this game.
        OSError: it can't be read.
    """
    with np.load(path) as policy:
        if "factors" not in policy:
            raise ValueError("it has no factors")
        factors = policy["factors"].astype(np.float64)
    game.use_policy(factors)
    logs: Logarithms = np.log(factors)
    return logs


def rate_of(text: str) -> float:
    """Read a step size."""
    rate = float(text)
    if not 0 < rate <= MOST_RATE:
        raise argparse.ArgumentTypeError(f"{text} is not above 0 and at most {MOST_RATE}")
    return rate


def cost_of(text: str) -> float:
    """Read the cost of a choice."""
    cost = float(text)
    if not 0 <= cost <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1")
    return cost


def at_least(least: int) -> Callable[[str], int]:
    """Return the reader of a number that is not smaller."""

    def read(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(f"{number} is not at least {least}")
        return number

    return read


def options_of(parser: argparse.ArgumentParser, given: argparse.Namespace) -> dict[str, str]:
    """Return the options of the game, or exit if these or the file to write are no such things."""
    if any("=" not in option for option in given.option):
        parser.error(f"--option is {' '.join(given.option)}; write NAME=VALUE")
    if given.out and not Path(given.out).parent.is_dir():
        parser.error(f"--out is {given.out}; there is no folder {Path(given.out).parent}")
    return dict(option.split("=", 1) for option in given.option)


def main() -> None:
    """Learn, tell how each round plays, and write the factors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=TUNABLE)
    parser.add_argument("--option", action="append", default=[], help="of the game: NAME=VALUE")
    parser.add_argument("--out", help="file for the factors")
    parser.add_argument("--rounds", type=at_least(1), default=8)
    parser.add_argument("--steps", type=at_least(2), default=300, help="of a round")
    parser.add_argument("--games", type=at_least(1), default=2000, help="of a step")
    parser.add_argument("--start", help="file of factors to begin with; else all are one")
    parser.add_argument("--rate", type=rate_of, default=FIRST_RATE, help="of the first round")
    parser.add_argument("--cost", type=cost_of, default=0, help="win share that a choice costs")
    parser.add_argument("--seed", type=at_least(0), default=1)
    given = parser.parse_args()
    options = options_of(parser, given)
    try:
        game, shipped = (TUNABLE[given.game](**options) for _ in range(2))
    except InputError as error:
        parser.error(str(error))
    logs = np.zeros(game.num_rows)
    if given.start:
        try:
            logs = factors_of(given.start, game)
        except (OSError, ValueError) as error:
            parser.error(f"--start is {given.start}: {error}")
    variants = [
        TUNABLE[given.game](**{**variant, **options}) for variant in VARIANTS.get(given.game, ({},))
    ]
    stream = SFC64(SeedSequence(given.seed))
    warm = [] if given.start else warm_up(game, options)
    adam = Adam(game.num_rows)
    rates = np.geomspace(given.rate, min(given.rate, LAST_RATE), given.rounds)
    whole_wins = given.game in WHOLE_WINS
    for number, rate in enumerate(rates):
        is_warm_up = bool(warm) and number < WARM_ROUNDS
        games = warm if is_warm_up else variants
        logs = learn_round(
            games, logs, adam, rate, given.steps, given.games, stream, whole_wins, given.cost
        )
        game.use_policy(np.exp(logs))
        found = contest(game, shipped, TEST_GAMES, given.seed)
        sys.stdout.write(
            f"round {number + 1}{' (warm-up)' * is_warm_up}: {found.share:.1%} ± {found.error:.1%} "
            f"of {TEST_GAMES} games against the policy that ships\n"
        )
        sys.stdout.flush()
        if given.out:
            card = {
                "game": given.game,
                "options": options,
                "rounds": number + 1,
                "steps": given.steps,
                "games": given.games,
                "seed": given.seed,
                "rate": given.rate,
                "cost": given.cost,
                "start": str(given.start),
                "version": version("kingmaker"),
                "commit": commit(),
            }
            np.savez(
                given.out, factors=np.exp(logs).astype(np.float32), card=np.array(json.dumps(card))
            )


@contextmanager
def ending_quietly() -> Iterator[None]:
    """Exit at Ctrl-C without a traceback, with the code of a shell's command that it ends."""
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    with ending_quietly():
        main()
