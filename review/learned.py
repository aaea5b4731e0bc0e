"""Values learned from the games themselves, to adjust results for luck.

A search judges a position by how it would play on; what the bots made of such positions stands in
their results. So a net is fitted to the results of the games, as in training, and values the
outcomes of chance in other games: a net never values a game that it was
fitted to, so that the luck of a game has the mean 0 whatever the net says. It costs little, so that
all outcomes of a chance node are valued and their mean is exact.

The multiples of control variates are fitted to games, too (`adjust`), and a fold of games must not
have a say in the multiple that is used for it. So each game is valued once for each fold, by a net
that was fitted to neither that fold nor its own.

One result says little about each of the positions of a long game. So a first net, fitted to results
alone, says what the later positions of the same game are worth, and others are fitted to results
and such values together: with half as many games they explain as much.

Sources: White and Bowling 2009, "Learning a Value Analysis Tool for Agent Evaluation", who fit
linear values to the same end; Sutton 1988, "Learning to Predict by the Methods of Temporal
Differences".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from kingmaker.cext.game import Game
from kingmaker.cext.net import Net, names_hash
from kingmaker.search.draws import digest
from kingmaker.search.position import Position
from kingmaker.search.self_play import Records
from kingmaker.training.fit import fit
from kingmaker.training.plan import TrainingPlan
from kingmaker.training.positions import Positions

from .adjust import FOLDS
from .games import PlayedGame

POSITIONS = 50
"""Positions of each game that are learned from; more of them say hardly more of its one result."""
BATCH = 256
"""Positions of a step of a fit."""
MAX_EPOCHS = 100
ROUNDS = ((1.0, 200), (0.8, 400), (0.6, 400))
"""For each net in turn the weight of what came later in the targets, and about how many steps it is
fitted; the rest of a target is the value of the next position by the last net. With 1 targets are
results, which more steps learn by heart."""
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum of values of states, whose weights add up to 0.

    Attributes:
        features: indices of the active features of every seat in every state, in a row.
        lengths: number of those of each seat in each state, `[num_states * num_seats]`.
        weights: `[num_states]`.
        ended: part of the sum that states at the end of the game have, `[num_seats]`.
    """

    features: NDArray[np.int16]
    lengths: NDArray[np.int16]
    weights: Array
    ended: Array

    def by(self, net: Net) -> Array:
        """Return the sum by the values of a net, `[num_seats]`."""
        if not len(self.weights):
            return self.ended
        shares = _shares(net, self.features, self.lengths, len(self.ended))
        total: Array = self.ended + self.weights @ shares
        return total


def chance_sum(game: PlayedGame) -> Sum:
    """Return the luck: after each outcome the value less the mean over all outcomes."""
    terms: list[tuple[Position, float]] = []
    for ply, position in enumerate(game.positions[:-1]):
        if position.is_chance:
            rules = position.game
            terms.append((game.positions[ply + 1], 1.0))
            terms += (
                (Position(rules, rules.after(position.state, outcome)), -probability)
                for outcome, probability in rules.outcomes_of(position.state)
            )
    return _sum(game, terms)


def _sum(game: PlayedGame, terms: Iterable[tuple[Position, float]]) -> Sum:
    weights: dict[bytes, float] = defaultdict(float)
    ended = np.zeros(game.num_seats)
    for position, weight in terms:
        if position.is_terminal:
            ended += weight * np.array(position.returns())
        else:
            weights[position.state] += weight
    features, lengths = _features(game.start.game, weights)
    return Sum(features, lengths, np.array(list(weights.values())), ended)


def _features(game: Game, states: Iterable[bytes]) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Return the active features of every seat in some states, in a row, and their numbers."""
    rows = [game.features_of(state, seat) for state in states for seat in range(game.num_seats)]
    lengths = np.array([len(row) for row in rows], dtype=np.int16)
    return np.array([index for row in rows for index in row], dtype=np.int16), lengths


def learned_luck(games: Sequence[PlayedGame], folds: Sequence[int], seed: int) -> Array:
    """Return the luck in games by nets that were fitted to the results of others.

    Args:
        games: of the same rules, which have features.
        folds: fold of each game, 0 to `FOLDS - 1`; games of one deal have the same.
        seed: of the fits.

    Returns:
        The luck as known to each fold, `[num_games, FOLDS, num_seats]`: at a fold that is not the
        game's own by a net that was fitted to neither of the two.
    """
    records = [_records(game, digest("review", seed, "learn", at)) for at, game in enumerate(games)]
    sums = list(map(chance_sum, games))
    luck = np.zeros((len(games), FOLDS, games[0].num_seats))
    for one, other in combinations_with_replacement(range(FOLDS), 2):
        known = [
            each for each, fold in zip(records, folds, strict=True) if fold not in (one, other)
        ]
        net = _net(games[0].start.game, known, digest("review", seed, "fit", one, other))
        left_out = {one: other, other: one}
        for at, fold in enumerate(folds):
            if fold in left_out:
                luck[at, left_out[fold]] = sums[at].by(net)
    return luck


def _records(game: PlayedGame, seed: int) -> Records:
    """Draw positions of a game to learn from."""
    random = np.random.default_rng(seed)
    number = len(game.positions) - 1
    plies = np.sort(random.permutation(number)[:POSITIONS])
    positions = [game.positions[ply] for ply in plies]
    features, lengths = _features(game.start.game, (each.state for each in positions))
    size = len(positions)
    none = np.zeros((size, game.num_seats), dtype=np.float32)
    return Records(
        features=features,
        num_active=lengths.reshape(size, game.num_seats),
        games=np.zeros(size, dtype=np.int32),
        seats=np.zeros(size, dtype=np.int8),
        actions=np.zeros(0, dtype=np.int32),
        num_actions=np.zeros(size, dtype=np.int16),
        chosen=np.zeros(size, dtype=np.int16),
        values=none,
        heuristics=none,
        returns=np.array([game.returns], dtype=np.float32),
    )


def _net(game: Game, records: Sequence[Records], seed: int) -> Net:
    """Fit nets to games, and return the last one."""
    options = {key: str(value) for key, value in game.options.items()}
    card = {
        "game": game.name,
        "seats": game.num_seats,
        "options": options,
        "features": names_hash(game),
    }
    positions = Positions(records, game.num_features)
    values = positions.results
    streams = np.random.SeedSequence(seed).spawn(len(ROUNDS))
    for (weight, steps), stream in zip(ROUNDS, streams, strict=True):
        positions.targets = _targets(positions, values, weight)
        epochs = min(max(round(steps * BATCH / len(positions)), 1), MAX_EPOCHS)
        plan = TrainingPlan(game.name, options, has_policy=False, epochs=epochs, batch=BATCH)
        net = Net(card, fit(positions, 0, plan, stream, patience=epochs)[0])
        values = _values(net, records)
    return net


def _targets(
    positions: Positions, values: NDArray[np.float32], weight: float
) -> NDArray[np.float32]:
    """Mix results and values of later positions of the same game, `[num_positions, num_seats]`."""
    targets: NDArray[np.float32] = positions.results.copy()
    for at in range(len(targets) - 2, -1, -1):
        if positions.games[at] == positions.games[at + 1]:
            targets[at] = weight * targets[at + 1] + (1 - weight) * values[at + 1]
    return targets


def _values(net: Net, records: Sequence[Records]) -> NDArray[np.float32]:
    """Return the values of all positions by a net, `[num_positions, num_seats]`."""
    shares = [
        _shares(net, each.features, each.num_active.ravel(), each.returns.shape[1])
        for each in records
    ]
    return np.concatenate(shares).astype(np.float32)


def _shares(
    net: Net, features: NDArray[np.int16], lengths: NDArray[np.int16], num_seats: int
) -> Array:
    """Return win shares by a net, `[num_states, num_seats]`.

    Args:
        net: that values.
        features: active features of every seat in every state, in a row.
        lengths: number of those of each seat in each state.
        num_seats: of the game.
    """
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    scores = net.scores_of(features, starts).astype(float).reshape(-1, num_seats)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares
