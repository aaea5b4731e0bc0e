"""Fits the weights of the evaluation of Knaves Out to the results of games of two seats.

    python -m benchmarks.terms [--games 400] [--engine greedy] [--simulations 1]

Each game is played by an engine, with a few random moves, or by the playout policy (`--engine
policy`), which gives thousands of games in seconds. The weights are a logistic regression of the
result on the differences of the seats' terms, with a penalty that keeps rare terms small. They are
printed in the order of the terms in evaluation.pyx, with the part of decisions in which the term
makes a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import choose_move
from kingmaker.search.position import Position, new_game

RECORDED = 0.25
"""Part of the decisions whose terms are recorded: those in a row are alike."""
RANDOM_MOVES = 0.05
PENALTY = 1e-4
"""Of the squared weight of a term with deviation 1."""


def rows(engine: str, simulations: int, seed: int) -> Iterator[tuple[NDArray[np.float64], float]]:
    """Play a game and yield differences of terms with the win share of the first seat."""
    stream = np.random.SFC64(seed)
    rng = np.random.Generator(stream)
    position, _ = new_game("knaves_out", {"players": 2}).settle(stream)
    found = []
    while not position.is_terminal:
        if rng.random() < RECORDED:
            assert isinstance(position.game, KnavesOut)
            first, second = np.asarray(position.game.terms_of(position.state))
            found.append(first - second)
        position, _ = position.apply(_move(position, engine, simulations, rng)).settle(stream)
    share = position.returns()[0]
    for row in found:
        yield row, share


def _move(position: Position, engine: str, simulations: int, rng: np.random.Generator) -> str:
    moves = position.legal_moves()
    if len(moves) == 1 or rng.random() < RANDOM_MOVES:
        return moves[rng.integers(len(moves))]
    if engine == "policy":
        stream = rng.bit_generator
        return position.game.move_text(position.game.policy_move(position.state, stream))
    return choose_move(
        position.observe(position.seat),
        Budget(simulations=simulations),
        seed=int(rng.integers(2**62)),
        engine=engine,
    )


def fitted(terms: NDArray[np.float64], shares: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the weights of the terms."""
    scale = np.maximum(terms.std(axis=0), 1e-3)
    scaled = terms / scale

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = scaled @ weights
        value = np.mean(np.logaddexp(0, score) - shares * score) + PENALTY * weights @ weights
        slope = scaled.T @ (expit(score) - shares) / len(shares) + 2 * PENALTY * weights
        return float(value), slope

    found: NDArray[np.float64] = minimize(loss, np.zeros(len(scale)), jac=True).x / scale
    return found


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--engine", default="greedy")
    parser.add_argument("--simulations", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    played = [
        row
        for game in range(given.games)
        for row in rows(given.engine, given.simulations, given.seed + game)
    ]
    terms = np.array([row for row, _ in played])
    weights = fitted(terms, np.array([share for _, share in played]))
    for index, (weight, used) in enumerate(zip(weights, (terms != 0).mean(axis=0), strict=True)):
        sys.stdout.write(f"{index:2} {weight:8.3f} {used:6.1%}\n")


if __name__ == "__main__":
    main()
