"""The win share that a move of the default loses in late positions whose values are known.

    kingmaker bench --only code_of_chivalry.exact
    python -m kingmaker.benchmarks.endgames find code_of_chivalry
    python -m kingmaker.benchmarks.endgames loss code_of_chivalry --python OTHER/bin/python

`find` writes benchmarks/solved/GAME.tsv, the same on every machine. Its positions come from games
by the playout policy that end early, at a limit of turns. The value of a move is its mean over
worlds drawn from the observation, each solved to the end with open hands. That is fair only where
hidden cards decide nothing, so in a position that is kept one move is best in every world.
In A Knight's Duty hidden tokens decide everything, so nothing is hidden yet in its positions, and
the value of a move is that of an equilibrium after it, by CFR+.

`loss` with `--python` measures another version that is installed there, by lines of notation.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kingmaker.cext.errors import StateError
from kingmaker.search.analysis import Budget
from kingmaker.search.cfr import CfrSolver
from kingmaker.search.position import (
    CHANCE,
    TERMINAL,
    Observation,
    Position,
    new_game,
    parse_observation,
)
from kingmaker.search.solution import InfeasibleError, Limits, Method
from kingmaker.search.solver import solve
from kingmaker.search.worlds import sample_worlds

from .measure import Figure, standard_error
from .strength import FairBot, make_bot, make_other_version

Values = npt.NDArray[np.float64]

FOLDER = Path(__file__).with_name("solved")
GAMES: Mapping[str, dict[str, str | int]] = {
    "kingdom_coinquest": {"health": 6, "turn_limit": 10},
    "code_of_chivalry": {"players": 2, "turn_limit": 16},
    "knights_duty": {"players": 2, "turn_limit": 4},
    "chessault": {"max_turns": 16},
}
"""Game -> options of the games that positions come from."""
NUM_POSITIONS = 200
LAST_DECISIONS = 20  # of a game that are looked at
MOST_OF_A_GAME = 3  # positions
NUM_WORLDS, WORLD_SEED = 32, 1
LEAST_NODES = 10_000  # states that the proofs of all moves enter: with fewer it is too easy
MOST_NODES = 300_000  # states that the proof of a move may enter
MOST_BYTES = 32 << 20  # of the tree of an equilibrium
NASH_CONV = 0.002  # of its policies; an equilibrium gains less from any move that it plays
LEAST_LOSS = 0.02  # of a move that counts as bad, in win shares
MOST_GOOD = 0.5  # of the moves that are not bad, as a share
ROUNDING = 1e-6  # two values that differ by less are one
MILLISECONDS = 50
FIGURE = "{game}.exact.loss"


@dataclass(frozen=True, slots=True)
class Endgame:
    """A late position that has been solved.

    Attributes:
        observation: of the seat to decide.
        values: its win share after each legal move, in their order.
    """

    observation: Observation
    values: tuple[float, ...]

    def loss_of(self, move: str) -> float:
        """Return the win share that a move gives away."""
        return max(self.values) - self.values[self.observation.legal_moves().index(move)]


def endgames(game: str) -> list[Endgame]:
    """Read the positions of a game."""
    lines = (FOLDER / f"{game}.tsv").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        text, values = line.split("\t")
        found.append(
            Endgame(parse_observation(game, text), tuple(float(each) for each in values.split()))
        )
    return found


def find(game: str, number: int = NUM_POSITIONS) -> Iterator[Endgame]:
    """Yield late positions of games by the playout policy, solved; at most some of each game."""
    left = number
    seed = 0
    seen = set()
    while left:
        seed += 1
        taken = 0
        for position in _last_decisions(game, seed):
            if taken == min(left, MOST_OF_A_GAME):
                break
            observation = position.observe(position.seat)
            if observation.text in seen:
                continue
            seen.add(observation.text)
            values = values_of(position)
            if values is not None:
                taken += 1
                yield Endgame(observation, values)
        left -= taken


def values_of(position: Position) -> tuple[float, ...] | None:
    """Return the win share of the deciding seat after each move; None if it is not to be kept.

    It is not if a world can't be solved within the limits or too easily, if the move hardly
    matters, or if the best move depends on what is hidden.
    """
    if position.game.needs_mixing:
        return _equilibrium_values(position)
    own, nodes = _solved(position)
    if own is None or nodes < LEAST_NODES or not _is_hard(own):
        return None
    if not position.game.is_hidden:
        return tuple(own.tolist())
    means = np.zeros(len(own))
    is_best = np.ones(len(own), bool)
    for world in sample_worlds(position.observe(position.seat), NUM_WORLDS, WORLD_SEED):
        values, _ = _solved(world)
        if values is None:
            return None
        is_best &= values > values.max() - ROUNDING
        if not is_best.any():
            return None
        means += values / NUM_WORLDS
    return tuple(means.tolist()) if _is_hard(means) else None


def _is_hard(values: Values) -> bool:
    """Whether many moves lose something."""
    return float(np.mean(values > values.max() - LEAST_LOSS)) <= MOST_GOOD


def _solved(world: Position) -> tuple[Values | None, int]:
    """Solve a world with open hands.

    Returns:
        The win share of the deciding seat after each move, None if a proof is infeasible; and the
        states that the proofs entered.
    """
    seat = world.seat - 1
    found = []
    nodes = 0
    for move in world.legal_moves():
        after = world.apply(move)
        if after.is_terminal:
            found.append(after.returns()[seat])
            continue
        try:
            solution = solve(after, Limits(nodes=MOST_NODES), method=Method.EXACT)
        except InfeasibleError:
            return None, nodes
        found.append(max(0.0, solution.values[seat]))
        nodes += solution.nodes
    return np.array(found), nodes


def _equilibrium_values(position: Position) -> tuple[float, ...] | None:
    """Return the win share after each move where both seats then play an equilibrium."""
    try:
        kernel = CfrSolver(position.game, position.state, MOST_BYTES)
        kernel.build()
    except StateError:  # something is hidden, or the tree is too large
        return None
    if kernel.num_histories < LEAST_NODES:
        return None
    kernel.run(0, NASH_CONV)
    values = [_value(kernel, position, (move,)) for move in position.game.moves_of(position.state)]
    return tuple(values) if _is_hard(np.array(values)) else None


def _value(kernel: CfrSolver, root: Position, path: tuple[int, ...]) -> float:
    """Return the win share of the seat that decides at the root, after a path from there."""
    game = root.game
    state = reduce(game.after, path, root.state)
    node = game.node_of(state)
    if node == TERMINAL:
        return game.returns_of(state)[root.seat - 1]
    branches = (
        game.outcomes_of(state)
        if node == CHANCE
        else zip(game.moves_of(state), kernel.policy(path), strict=True)
    )
    return sum(
        probability * _value(kernel, root, (*path, branch))
        for branch, probability in branches
        if probability > ROUNDING
    )


def _last_decisions(game: str, seed: int) -> list[Position]:
    """Play a game and return its last decisions with a choice, the last one first."""
    stream = np.random.SFC64(seed)
    position, _ = new_game(game, GAMES[game]).settle(stream)
    found: list[Position] = []
    while not position.is_terminal:
        if len(position.legal_moves()) > 1:
            found.append(position)
        move = position.game.move_text(position.game.policy_move(position.state, stream))
        position, _ = position.apply(move).settle(stream)
    return found[: -LAST_DECISIONS - 1 : -1]


def loss(game: str, player: FairBot, number: int | None = None) -> Figure:
    """Return the mean loss of a player's moves, and its standard error over the positions."""
    losses = [
        each.loss_of(player(each.observation, seed))
        for seed, each in enumerate(endgames(game)[:number], 1)
    ]
    return Figure(statistics.fmean(losses), standard_error(losses))


def measure(game: str, quick: bool) -> Mapping[str, Figure]:
    """Measure the default in the positions of a game, in some of them if it is to be quick."""
    number = 20 if quick else None
    return {
        FIGURE.format(game=game): loss(
            game, make_bot("", Budget(milliseconds=MILLISECONDS)), number
        )
    }


def main() -> None:
    """Find the positions of a game, or measure a version in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("find", "loss"))
    parser.add_argument("game", choices=list(GAMES))
    parser.add_argument("--positions", type=int, default=NUM_POSITIONS)
    parser.add_argument("--ms", type=float, default=MILLISECONDS)
    parser.add_argument("--python", help="of a virtual environment with another version")
    given = parser.parse_args()
    if given.task == "find":
        with (FOLDER / f"{given.game}.tsv").open("w", encoding="utf-8") as file:
            for each in find(given.game, given.positions):
                values = " ".join(f"{value:.4g}" for value in each.values)
                file.write(f"{each.observation.text}\t{values}\n")
                file.flush()
        return
    budget = Budget(milliseconds=given.ms)
    player = make_other_version("", budget, given.python) if given.python else make_bot("", budget)
    figure = loss(given.game, player)
    sys.stdout.write(f"{given.game}: loss {figure.value:.4f} ± {figure.spread:.4f}\n")


if __name__ == "__main__":
    main()
