"""Whether the losses that reviews find add up to the true ones.

    python -m kingmaker.benchmarks.loss_errors kingdom_coinquest [--truth solved|long]

Each position is judged as in a review, with several seeds. The moves are of the default with a few
simulations, or of the playout policy. The truth is the exact values of benchmarks/solved, or those
of two long searches of positions from games by the policy. All figures are points of a decision:

- true: the loss against the best move of the review's first search, which may be below 0;
- shown: the loss as it is graded, never below 0, the sum of which reviews don't show;
- found: `Decision.change`, which the sums of a review are made of, with its standard error over
  positions; 95 % intervals are those of single decisions.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kingmaker.review.decisions import change_of, judge, needs_more, second_search
from kingmaker.review.games import PlayedGame
from kingmaker.review.values import EFFORTS, Values
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import Observation, new_game
from kingmaker.search.run import analyze

from .endgames import endgames

NORMAL_95 = 1.96
LONG_SEARCHES = 2
POLICY = 0  # in place of the simulations of a player


@dataclass(frozen=True, slots=True)
class Case:
    """A decision whose values are known.

    Attributes:
        observation: of the seat to decide.
        values: its win share after each move.
    """

    observation: Observation
    values: dict[str, float]


@dataclass(frozen=True, slots=True)
class Row:
    """What a review finds of a decision, and the truth, for the seat that decides.

    Attributes:
        true: loss against the best move of the first search.
        shown: loss that is graded.
        found: loss by `change_of`.
        error: standard error of `found`.
    """

    true: float
    shown: float
    found: float
    error: float


def solved_cases(game: str, number: int) -> list[Case]:
    """Return late positions that are solved."""
    every = endgames(game)
    return [
        Case(each.observation, dict(zip(each.observation.legal_moves(), each.values, strict=True)))
        for each in every[:: max(len(every) // number, 1)][:number]
    ]


def long_cases(game: str, options: dict[str, str], number: int, simulations: int) -> Iterator[Case]:
    """Yield a position from each of some games by the policy, with the values of long searches."""
    for seed in range(1, number + 1):
        stream = np.random.SFC64(seed)
        position, _ = new_game(game, options).settle(stream)
        seen: list[Observation] = []
        while not position.is_terminal:
            if len(position.legal_moves()) > 1:
                seen.append(position.observe(position.seat))
            move = position.game.move_text(position.game.policy_move(position.state, stream))
            position, _ = position.apply(move).settle(stream)
        chosen = seen[seed * 7919 % len(seen)]
        sums: dict[str, float] = dict.fromkeys(chosen.legal_moves(), 0.0)
        for number_of_search in range(LONG_SEARCHES):
            long = Budget(simulations=simulations)
            analysis = analyze(chosen, long, seed=7000 + number_of_search, all_moves=True)
            for each in analysis.moves:
                sums[each.move] += each.values[chosen.seat - 1] / LONG_SEARCHES
        yield Case(chosen, sums)


def judged(case: Case, player: int, effort: str, seed: int) -> Row:
    """Judge a move as a review does.

    Args:
        case: the decision.
        player: simulations of the default that chooses the move; `POLICY`: the playout policy.
        effort: of the review.
        seed: of the review.
    """
    observation = case.observation
    world = observation.determinize(np.random.SFC64(1))
    if player == POLICY:
        move = world.game.move_text(world.game.policy_move(world.state, np.random.SFC64(1)))
    else:
        move, _ = select_move(observation, Budget(simulations=player), seed=1)
    even = (1 / observation.num_seats,) * observation.num_seats
    game = PlayedGame("", (world, world.apply(move)), (move,), even)
    values = Values("", EFFORTS[effort], seed)
    first = judge(game, 0, values, values.effort.decision)
    second = second_search(game, 0, values, first)
    shown = second if second and needs_more(first) else first
    change = change_of(game, 0, values, first, second)
    return Row(
        true=case.values[first.best] - case.values[move],
        shown=shown.loss,
        found=-float(change.shares[observation.seat - 1]),
        error=change.error,
    )


def summary(rows: list[list[Row]]) -> str:
    """Write the means of a table of rows, `[num_positions][num_seeds]`, as a line."""
    table = np.array([[(each.true, each.shown, each.found, each.error) for each in row]
                      for row in rows])  # fmt: skip
    true, shown, found = 100 * table[..., :3].mean(axis=(0, 1))
    distances = (table[..., 2] - table[..., 0]).mean(axis=1)
    error = 100 * float(distances.std(ddof=1)) / math.sqrt(len(rows))
    flat = table.reshape(-1, 4)
    moved = flat[flat[:, 3] > 0]
    covered = np.abs(moved[:, 2] - moved[:, 0]) <= NORMAL_95 * moved[:, 3]
    return (
        f"{len(rows)} positions: true {true:.2f}, shown {shown:.2f}, found {found:.2f} ± "
        f"{error:.2f} points; {100 * covered.mean() if len(moved) else 100:.0f} % of "
        f"{len(moved)} intervals hold"
    )


def main() -> None:
    """Print a line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--option", action="append", default=[], help="of the game: name=value")
    parser.add_argument("--truth", choices=("solved", "long"), default="solved")
    parser.add_argument("--effort", choices=EFFORTS, default="quick")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--player", type=int, default=100, help="simulations; 0: the policy")
    parser.add_argument("--simulations", type=int, default=20_000, help="of a long search")
    asked = parser.parse_args()
    if asked.truth == "solved":
        cases = solved_cases(asked.game, asked.positions)
    else:
        options = dict(each.split("=", 1) for each in asked.option)
        cases = list(long_cases(asked.game, options, asked.positions, asked.simulations))
    rows = [
        [judged(case, asked.player, asked.effort, seed) for seed in range(asked.seeds)]
        for case in cases
    ]
    sys.stdout.write(f"{asked.game}, {asked.truth}, {asked.effort}: {summary(rows)}\n")


if __name__ == "__main__":
    main()
