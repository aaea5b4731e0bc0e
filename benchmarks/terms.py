"""Fits the weights of an evaluation to the results of games of two seats.

    python -m kingmaker.benchmarks.terms [--game knaves_out] [--games 400] [--engine greedy]
        [--simulations 1] [--seed 1] [--random-moves 0.05] [--mix 0]

Each game is played by an engine, with a few random moves, or by the playout policy (`--engine
policy`), which gives thousands of games in seconds. The weights are a logistic regression of the
result on the differences of the seats' terms, with a penalty that keeps rare terms small. With
`--mix` a part of the target is the value that the engine finds next, and the rest is the result.
The weights are printed in the order of the terms in evaluation.pyx, terms.pxd or turn_terms.pxd,
with the part of decisions in which the term makes a difference.

First comes a test on the positions of every tenth game: the mean log loss of the result, by weights
fitted to the other games and by the current evaluation. An even guess has 0.693.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from kingmaker.cext.games.chessault.game import Chessault
from kingmaker.cext.games.knaves_out.game import KnavesOut
from kingmaker.cext.games.knights_duty.game import KnightsDuty
from kingmaker.search.analysis import Budget
from kingmaker.search.levels import select_move
from kingmaker.search.position import Position, new_game

OPTIONS: dict[str, dict[str, int]] = {
    "knaves_out": {"players": 2},
    "chessault": {},
    "knights_duty": {"players": 2},
}
RECORDED = {"knaves_out": 0.25, "chessault": 0.25, "knights_duty": 1.0}
"""Part of the decisions whose terms are recorded: those in a row are alike. In A Knight's Duty only
the first one of a turn has terms."""
RANDOM_MOVES = 0.05
OPENING, RANDOM_OPENING = 25, 0.3
"""Every other game begins with so many decisions of which more are random. Else all begin alike,
and results hardly depend on what each seat holds."""
PENALTY = 1e-4
"""Of the squared weight of a term with deviation 1."""
LEAST_SHARE = 1e-4
"""Estimates closer to 0 or 1 count as this close."""
HELD_OUT = 10
"""One game in so many is not fitted, to test the weights."""


@dataclass(frozen=True, slots=True)
class Row:
    """A recorded decision.

    Attributes:
        terms: those of the first seat less those of the second.
        estimate: the win share of the first seat by the evaluation as it is.
        share: that of the game's result.
        value: that found by the next search of the game; `share` after the last one.
        game: number of the game.
    """

    terms: NDArray[np.float64]
    estimate: float
    share: float
    value: float
    game: int


def rows(
    game: str, engine: str, simulations: int, seed: int, random_moves: float = RANDOM_MOVES
) -> list[Row]:
    """Play a game and return some of its decisions."""
    stream = np.random.SFC64(seed)
    rng = np.random.Generator(stream)
    position, _ = new_game(game, OPTIONS[game]).settle(stream)
    part_of_opening = RANDOM_OPENING if rng.random() < 0.5 else random_moves
    number = 0
    found: list[tuple[NDArray[np.float64], float]] = []
    values: list[float] = []
    while not position.is_terminal:
        if rng.random() < RECORDED[game]:
            found += _recorded(position)
        random_part = part_of_opening if number < OPENING else random_moves
        number += 1
        move, value = _move(position, engine, simulations, random_part, rng)
        if value is not None:
            values += [value] * (len(found) - len(values))
        position, _ = position.apply(move).settle(stream)
    share = position.returns()[0]
    values += [share] * (len(found) - len(values))
    return [
        Row(terms, estimate, share, value, seed)
        for (terms, estimate), value in zip(found, values, strict=True)
    ]


def _recorded(position: Position) -> Iterator[tuple[NDArray[np.float64], float]]:
    """Yield the terms and the estimate of a position, unless its terms don't count."""
    assert isinstance(position.game, Chessault | KnavesOut | KnightsDuty)
    terms = position.game.terms_of(position.state)
    if terms:
        first, second = np.asarray(terms)
        yield first - second, position.game.evaluation_of(position.state)[0]


def _move(
    position: Position, engine: str, simulations: int, random_part: float, rng: np.random.Generator
) -> tuple[str, float | None]:
    """Return a move, and the first seat's win share after it if an engine made it."""
    moves = position.legal_moves()
    if len(moves) == 1 or rng.random() < random_part:
        return moves[rng.integers(len(moves))], None
    if engine == "policy":
        stream = rng.bit_generator
        return position.game.move_text(position.game.policy_move(position.state, stream)), None
    move, analysis = select_move(
        position.observe(position.seat),
        Budget(simulations=simulations),
        seed=int(rng.integers(2**62)),
        engine=engine,
    )
    return move, analysis.moves[0].values[0]


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


def mean_log_loss(estimates: NDArray[np.float64], shares: NDArray[np.float64]) -> float:
    """Return the mean log loss of estimated win shares."""
    clipped = np.clip(estimates, LEAST_SHARE, 1 - LEAST_SHARE)
    return float(-np.mean(shares * np.log(clipped) + (1 - shares) * np.log1p(-clipped)))


def held_out(played: Sequence[Row], mix: float = 0.0) -> tuple[int, float, float]:
    """Fit all games but every tenth one, and test them in its positions.

    Returns:
        The number of positions, and the mean log loss of the weights and of the evaluation, both as
        estimates of the result.
    """
    terms, estimates, shares, targets = _columns(played, mix)
    tested = np.array([row.game % HELD_OUT == 0 for row in played])
    weights = fitted(terms[~tested], targets[~tested])
    return (
        int(tested.sum()),
        mean_log_loss(expit(terms[tested] @ weights), shares[tested]),
        mean_log_loss(estimates[tested], shares[tested]),
    )


def _columns(played: Sequence[Row], mix: float) -> tuple[NDArray[np.float64], ...]:
    """Return the terms, estimates, shares and targets of rows."""
    shares = np.array([row.share for row in played])
    return (
        np.array([row.terms for row in played]),
        np.array([row.estimate for row in played]),
        shares,
        (1 - mix) * shares + mix * np.array([row.value for row in played]),
    )


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=OPTIONS, default="knaves_out")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--engine", default="greedy")
    parser.add_argument("--simulations", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--random-moves", type=float, default=RANDOM_MOVES, help="after openings")
    parser.add_argument("--mix", type=float, default=0.0, help="weight of the engine's value")
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.games)
    played = [
        row
        for seed in seeds
        for row in rows(given.game, given.engine, given.simulations, seed, given.random_moves)
    ]
    number, fit, present = held_out(played, given.mix)
    sys.stdout.write(
        f"log loss in {number} held-out positions: {fit:.4f} fitted, {present:.4f} as it is\n"
    )
    terms, _, _, targets = _columns(played, given.mix)
    weights = fitted(terms, targets)
    sys.stdout.write(f"fitted to all {len(played)} positions of {given.games} games:\n")
    for index, (weight, used) in enumerate(zip(weights, (terms != 0).mean(axis=0), strict=True)):
        sys.stdout.write(f"{index:2} {weight:8.3f} {used:6.1%}\n")


if __name__ == "__main__":
    main()
