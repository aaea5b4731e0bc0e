"""How often the errors of losses in reviews by `expectimax` contain what a longer search finds.

    python -m kingmaker.benchmarks.depth_errors

A search that looks all moves up to a depth gives values without errors, so reviews assume one
(`LEAST_ERROR_OF_DEPTH` in search/analysis.py), or the difference of the two passes over it if
that is larger. The decisions are of games by a short search, and the losses are those of a move of
the playout policy. Only decisions count in which it is not the best move of all three searches.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator

import numpy as np

from kingmaker.review.values import EFFORTS, Values
from kingmaker.search.analysis import LEAST_ERROR_OF_DEPTH
from kingmaker.search.position import Position, new_game

GAME, ENGINE = "chessault", "expectimax"
SHORT, LONG = 40, 400_000  # simulations as reviews count them
PART = 0.1  # of the decisions of a game
NORMAL_95 = 1.96


def decisions(number: int, seed: int) -> Iterator[tuple[Position, str]]:
    """Yield decisions with a choice, and a move of the playout policy."""
    stream = np.random.SFC64(seed)
    rng = np.random.Generator(stream)
    values = Values(ENGINE, EFFORTS["quick"], seed)
    while number:
        position, _ = new_game(GAME).settle(stream)
        while not position.is_terminal and number:
            moves = [
                position.game.move_text(position.game.policy_move(position.state, stream)),
                values.search(position.observe(position.seat), SHORT).moves[0].move,
            ]
            if len(position.legal_moves()) > 1 and rng.random() < PART:
                number -= 1
                yield position, moves[0]
            move = moves[rng.random() > 0.25]
            position, _ = position.apply(move).settle(stream)


def loss(position: Position, move: str, simulations: int) -> float:
    """Return how much a move is worth less than the best one."""
    values = Values(ENGINE, EFFORTS["quick"], 1)
    analysis = values.search(position.observe(position.seat), simulations, judges_all=True)
    shares = {each.move: each.values[position.seat - 1] for each in analysis.moves}
    return max(shares.values()) - shares[move]


def main() -> None:
    """Print a line for each effort of a review."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = list(decisions(given.positions, given.seed))
    true = np.array([loss(position, move, LONG) for position, move in found])
    for name, effort in EFFORTS.items():
        first, second = (
            np.array([loss(position, move, budget) for position, move in found])
            for budget in (effort.decision, effort.deep)
        )
        error = np.maximum(math.sqrt(2) * LEAST_ERROR_OF_DEPTH, abs(first - second))
        is_hit = (abs(second - true) <= NORMAL_95 * error)[(first > 0) | (second > 0) | (true > 0)]
        sys.stdout.write(f"{name}: {100 * is_hit.mean():.0f} % of {len(is_hit)}\n")


if __name__ == "__main__":
    main()
