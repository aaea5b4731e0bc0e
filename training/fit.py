"""The fit of a net to positions: mini-batches, Adam, and a stop when held-out loss rises.

The loss of the value head is the cross entropy between the softmax of the scores of all seats and
the targets; that of the policy head the cross entropy between the softmax of the logits of the
legal moves and the best move. Their sum is minimized.

Source: Kingma and Ba 2015, "Adam: A Method for Stochastic Optimization".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray
from scipy.sparse import csr_array

from .plan import TrainingPlan
from .positions import LEAST_SHARE, Batch, Positions

Weights = dict[str, NDArray[Any]]

BETA1, BETA2, TINY = 0.9, 0.999, 1e-8
PATIENCE = 2
LAST_RATE = 0.05
"""Of the rate at the start, at the end of the last epoch; it falls linearly."""
EVALUATED = 8192
"""Positions of a batch whose loss alone is computed."""


@dataclass(frozen=True, slots=True)
class Losses:
    """Mean losses of positions, in nats.

    Attributes:
        value: of the value head.
        policy: of the policy head; None without one.
        heuristic: of `Game.evaluate`, as of the value head.
    """

    value: float
    policy: float | None
    heuristic: float


def first_weights(
    num_features: int, num_active: float, num_actions: int, plan: TrainingPlan, rng: Generator
) -> Weights:
    """Draw weights so that all layers have activations of about 1 (He et al. 2015).

    Args:
        num_features: of the game.
        num_active: their mean number in a position.
        num_actions: of the policy head; 0: none.
        plan: for the sizes of the layers.
        rng: source of the draws.
    """
    hidden1, hidden2 = plan.hidden1, plan.hidden2

    def drawn(scale: float, *shape: int) -> NDArray[np.float32]:
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    weights: Weights = {
        "w1": drawn((2 / max(num_active, 1)) ** 0.5, num_features, hidden1),
        "b1": np.zeros(hidden1, dtype=np.float32),
        "w2": drawn((2 / hidden1) ** 0.5, hidden1, hidden2),
        "b2": np.zeros(hidden2, dtype=np.float32),
        "w3": drawn(0.1 * hidden2**-0.5, hidden2),
        "b3": np.zeros(1, dtype=np.float32),  # the softmax over seats cancels it
    }
    if num_actions:
        weights["wp"] = np.zeros((num_actions, hidden2), dtype=np.float32)
        weights["bp"] = np.zeros(num_actions, dtype=np.float32)
    return weights


def losses(weights: Mapping[str, NDArray[Any]], batch: Batch) -> tuple[float, float]:
    """Return the mean losses of the value and the policy head."""
    value, policy, _ = _pass(weights, batch, with_gradient=False)
    return value, policy


def gradient(weights: Mapping[str, NDArray[Any]], batch: Batch) -> tuple[float, float, Weights]:
    """Return both mean losses, and the gradient of their sum by the name of the weights."""
    return _pass(weights, batch, with_gradient=True)


def _pass(
    weights: Mapping[str, NDArray[Any]], batch: Batch, *, with_gradient: bool
) -> tuple[float, float, Weights]:
    num_positions, num_seats = batch.targets.shape
    first = np.maximum(batch.active @ weights["w1"] + weights["b1"], 0)
    second = np.maximum(_product("ij,jk->ik", first, weights["w2"]) + weights["b2"], 0)
    scores = batch.offsets + (_product("ij,j->i", second, weights["w3"]) + weights["b3"]).reshape(
        num_positions, num_seats
    )
    logs = scores - scores.max(axis=1, keepdims=True)
    logs = logs - np.log(np.exp(logs).sum(axis=1, keepdims=True))
    value = -float((batch.targets * logs).sum()) / num_positions
    policy: float = 0.0
    slope: NDArray[Any] | None = None
    policy_gradient: Weights = {}
    if "wp" in weights:
        policy, slope, policy_gradient = _policy_pass(
            weights, batch, second[batch.deciders], with_gradient
        )
    if not with_gradient:
        return value, policy, {}
    by_score = ((np.exp(logs) - batch.targets) / num_positions).astype(scores.dtype).ravel()
    by_second = np.outer(by_score, weights["w3"])
    if slope is not None:
        by_second[batch.deciders] += slope
    by_second *= second > 0
    by_first = _product("ik,jk->ij", by_second, weights["w2"]) * (first > 0)
    return (
        value,
        policy,
        {
            "w1": batch.active.T @ by_first,
            "b1": by_first.sum(axis=0),
            "w2": _product("ij,ik->jk", first, by_second),
            "b2": by_second.sum(axis=0),
            "w3": _product("ij,i->j", second, by_score),
            "b3": np.array([by_score.sum()], dtype=scores.dtype),
            **policy_gradient,
        },
    )


def _product(indices: str, one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """Multiply small matrices on this thread.

    BLAS shares even these between threads, which wait for each other: with other work on the
    machine a product then takes 16 ms instead of 1.
    """
    found: NDArray[Any] = np.einsum(indices, one, other)
    return found


def _policy_pass(
    weights: Mapping[str, NDArray[Any]],
    batch: Batch,
    second: NDArray[Any],
    with_gradient: bool,
) -> tuple[float, NDArray[Any] | None, Weights]:
    """Return the loss of the policy head, and its gradients by `second` and by its weights."""
    num_positions = len(second)
    lengths = np.diff(batch.starts)
    rows = np.repeat(np.arange(num_positions), lengths)
    logits = weights["bp"][batch.actions] + _product(
        "ij,ij->i", second[rows], weights["wp"][batch.actions]
    )
    begins = batch.starts[:-1]
    logits = logits - np.maximum.reduceat(logits, begins)[rows]
    powers = np.exp(logits)
    sums = np.add.reduceat(powers, begins)
    loss = -float((logits[batch.chosen] - np.log(sums)).mean())
    if not with_gradient:
        return loss, None, {}
    by_logit = powers / sums[rows]
    by_logit[batch.chosen] -= 1
    by_logit /= num_positions
    spread = csr_array(
        (by_logit, batch.actions, batch.starts), shape=(num_positions, len(weights["bp"]))
    )
    return (
        loss,
        spread @ weights["wp"],
        {"wp": spread.T @ second, "bp": np.asarray(spread.sum(axis=0)).ravel()},
    )


def mean_losses(
    weights: Mapping[str, NDArray[Any]], positions: Positions, indices: NDArray[np.int64]
) -> tuple[float, float]:
    """Return both mean losses over positions."""
    sums = np.zeros(2)
    for start in range(0, len(indices), EVALUATED):
        part = indices[start : start + EVALUATED]
        sums += np.array(losses(weights, positions.batch(part))) * len(part)
    value, policy = sums / len(indices)
    return float(value), float(policy)


def heuristic_loss(positions: Positions, indices: NDArray[np.int64]) -> float:
    """Return the mean value loss of `Game.evaluate`, against the targets."""
    shares = np.maximum(positions.heuristics[indices], LEAST_SHARE).astype(np.float64)
    shares /= shares.sum(axis=1, keepdims=True)
    return -float((positions.targets[indices] * np.log(shares)).sum(axis=1).mean())


class _Adam:
    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._means = {name: np.zeros_like(array) for name, array in weights.items()}
        self._squares = {name: np.zeros_like(array) for name, array in weights.items()}
        self._steps = 0

    def step(self, by: Weights, rate: float) -> None:
        """Change the weights in place, against their gradient."""
        self._steps += 1
        scale = rate * (1 - BETA2**self._steps) ** 0.5 / (1 - BETA1**self._steps)
        for name, slope in by.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - BETA1) * (slope - mean)
            square += (1 - BETA2) * (slope * slope - square)
            self._weights[name] -= scale * mean / (np.sqrt(square) + TINY)


def fit(
    positions: Positions,
    num_actions: int,
    plan: TrainingPlan,
    seed: SeedSequence,
    watch: Callable[[int, float, float], None] = lambda epoch, value, policy: None,
    *,
    patience: int = PATIENCE,
) -> tuple[Weights, Losses]:
    """Fit a net to positions.

    Args:
        positions: to learn from; one game in 16 is held out.
        num_actions: of the policy head; 0: none.
        plan: sizes, epochs, batch and rate.
        seed: of the first weights and the order of the positions.
        watch: called after each epoch with its number and the held-out losses.
        patience: epochs without a lower held-out loss after which the fit ends.

    Returns:
        The weights with the lowest held-out loss, and their losses.

    Raises:
        ValueError: there are too few games to hold one out.
    """
    rng = Generator(PCG64(seed))
    fitted, held_out = positions.split()
    if not len(held_out) or not len(fitted):
        raise ValueError(f"{positions.num_games} games are too few to fit a net and to judge it")
    sample = positions.batch(fitted[:EVALUATED]).active
    weights = first_weights(
        positions.num_features, sample.nnz / sample.shape[0], num_actions, plan, rng
    )
    adam = _Adam(weights)
    best, lowest, best_epoch = weights, (np.inf, np.inf), 0
    num_steps = plan.epochs * -(-len(fitted) // plan.batch)
    step = 0
    for epoch in range(1, plan.epochs + 1):
        for batch in _batches(positions, rng.permutation(fitted), plan.batch):
            rate = plan.rate * (1 - (1 - LAST_RATE) * step / num_steps)
            adam.step(gradient(weights, batch)[2], rate)
            step += 1
        found = mean_losses(weights, positions, held_out)
        watch(epoch, *found)
        if sum(found) < sum(lowest):
            lowest, best_epoch = found, epoch
            best = {name: array.copy() for name, array in weights.items()}
        elif epoch - best_epoch >= patience:
            break
    value, policy = lowest
    heuristic = heuristic_loss(positions, held_out)
    return best, Losses(value, policy if num_actions else None, heuristic)


def _batches(positions: Positions, order: NDArray[np.int64], size: int) -> Iterator[Batch]:
    for start in range(0, len(order), size):
        yield positions.batch(order[start : start + size])
