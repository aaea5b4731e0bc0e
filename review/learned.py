"""Values learned from the games themselves, to adjust results for luck.

A search judges a position by how it would play on; what the bots made of such positions stands in
their results. So a net is fitted to the results of the games, as in training, and values the
outcomes of chance in other games: a net never values a game that it was fitted to, so that the luck
of a game has the mean 0 whatever the net says. It costs little, so that all outcomes of a chance
node are valued and their mean is exact.

The multiples of control variates are fitted to games, too (`adjust`), and the multiple used for a
fold of games must not be fitted to that fold. So each game is valued once for each fold, by a net
that was fitted to neither that fold nor its own. What is subtracted is the mean by several nets, as
each has noise of its fit (Breiman 1996, "Bagging Predictors"); for the multiples one is enough.

One result says little about each of the positions of a long game. So only the first net is fitted
to results alone. Each of the others is fitted to results and to what the net before it says of the
next positions of the same game, less the luck by that net on the way there: the mean over all
outcomes of chance instead of the one that came out. With the same games they explain far more.

Sources: White and Bowling 2009, "Learning a Value Analysis Tool for Agent Evaluation", who fit
linear values to the same end; Sutton 1988, "Learning to Predict by the Methods of Temporal
Differences"; van Seijen et al. 2009, "A Theoretical and Empirical Analysis of Expected Sarsa", for
the mean over outcomes in such a target.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

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
MAX_EPOCHS = 20
HIDDEN1, HIDDEN2 = 64, 32
"""Units of the hidden layers."""
FIRST_STEPS = 200
"""Approximate number of steps of the fit to results: more would overfit."""
LATER_ROUNDS = ((0.8, 600), (0.6, 1000), (0.4, 1500), (0.2, 2000))
"""For each later net the weight of what came later in its targets, and about how many steps it is
fitted; the rest of a target is the value of the next position by the net before it."""
NETS = 3
"""Nets of which the luck that is subtracted from results is the mean."""
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All that could have come out at the chance nodes of a game.

    Attributes:
        plies: of the nodes, from 0, `[num_nodes]`.
        features: indices of the active features of every seat in every state after an outcome, in
            a row.
        lengths: number of those of each seat in each state, `[num_states * num_seats]`.
        weights: of the states at their nodes, the probability less, and 1 more for what came out,
            `[num_nodes, num_states]`.
        ended: part of the luck that states at the end of the game have, `[num_nodes, num_seats]`.
    """

    plies: NDArray[np.int64]
    features: NDArray[np.int16]
    lengths: NDArray[np.int16]
    weights: csr_array
    ended: Array

    def luck(self, net: Net) -> Array:
        """Return the luck at each node by the values of a net, `[num_nodes, num_seats]`."""
        if not self.weights.shape[1]:
            return self.ended
        shares = _shares(net, self.features, self.lengths, self.ended.shape[1])
        found: Array = self.ended + self.weights @ shares
        return found


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learned from a game.

    Attributes:
        records: of some of its positions.
        plies: before which they were, from 0, `[num_positions]`.
        num_plies: of the game.
        outcomes: of chance.
    """

    records: Records
    plies: NDArray[np.int64]
    num_plies: int
    outcomes: Outcomes

    def luck_until_next(self, net: Net) -> Array:
        """Return the luck from each position to the next one, or the end of the game.

        Returns:
            By the values of a net, `[num_positions, num_seats]`.
        """
        of_plies = np.zeros((self.num_plies, self.outcomes.ended.shape[1]))
        of_plies[self.outcomes.plies] = self.outcomes.luck(net)
        found: Array = np.add.reduceat(of_plies, self.plies)
        return found


def outcomes_of(game: PlayedGame) -> Outcomes:
    """List all that could have come out in a game."""
    plies = [ply for ply, position in enumerate(game.positions[:-1]) if position.is_chance]
    ended = np.zeros((len(plies), game.num_seats))
    states: list[bytes] = []
    weights: list[float] = []
    starts = [0]
    for node, ply in enumerate(plies):
        by_state: dict[bytes, float] = defaultdict(float)
        for position, weight in _terms(game, ply):
            if position.is_terminal:
                ended[node] += weight * np.array(position.returns())
            else:
                by_state[position.state] += weight
        states += by_state
        weights += by_state.values()
        starts.append(len(states))
    features, lengths = _features(game.start.game, states)
    matrix = csr_array((weights, range(len(states)), starts), shape=(len(plies), len(states)))
    return Outcomes(np.array(plies), features, lengths, matrix, ended)


def _terms(game: PlayedGame, ply: int) -> Iterator[tuple[Position, float]]:
    """Yield what came out at a chance node with the weight 1, and all outcomes with theirs."""
    rules, state = game.start.game, game.positions[ply].state
    yield game.positions[ply + 1], 1.0
    for outcome, probability in rules.outcomes_of(state):
        yield Position(rules, rules.after(state, outcome)), -probability


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
        game's own by a net that was fitted to neither of the two; at its own the mean by `NETS`
        that were not fitted to it.
    """
    lessons = [_lesson(game, digest("review", seed, "learn", at)) for at, game in enumerate(games)]
    luck = np.zeros((len(games), FOLDS, games[0].num_seats))
    for one, other in combinations_with_replacement(range(FOLDS), 2):
        known = [
            each for each, fold in zip(lessons, folds, strict=True) if fold not in (one, other)
        ]
        nets = [
            _net(games[0].start.game, known, digest("review", seed, "fit", one, other, number))
            for number in range(NETS if one == other else 1)
        ]
        left_out = {one: other, other: one}
        for at, fold in enumerate(folds):
            if fold in left_out:
                lucks = [lessons[at].outcomes.luck(net).sum(axis=0) for net in nets]
                luck[at, left_out[fold]] = np.mean(lucks, axis=0)
    return luck


def _lesson(game: PlayedGame, seed: int) -> Lesson:
    """Draw positions of a game to learn from."""
    random = np.random.default_rng(seed)
    number = len(game.positions) - 1
    plies = np.sort(random.permutation(number)[:POSITIONS])
    positions = [game.positions[ply] for ply in plies]
    features, lengths = _features(game.start.game, (each.state for each in positions))
    size = len(positions)
    none = np.zeros((size, game.num_seats), dtype=np.float32)
    records = Records(
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
    return Lesson(records, plies, number, outcomes_of(game))


def _net(game: Game, lessons: Sequence[Lesson], seed: int) -> Net:
    """Fit nets to games, and return the last one."""
    positions = Positions([each.records for each in lessons], game.num_features)
    streams = np.random.SeedSequence(seed).spawn(1 + len(LATER_ROUNDS))
    net = _fitted(game, positions, FIRST_STEPS, streams[0])
    for (weight, steps), stream in zip(LATER_ROUNDS, streams[1:], strict=True):
        positions.targets = _targets(net, lessons, weight)
        net = _fitted(game, positions, steps, stream)
    return net


def _fitted(game: Game, positions: Positions, steps: int, stream: np.random.SeedSequence) -> Net:
    options = {key: str(value) for key, value in game.options.items()}
    epochs = min(max(round(steps * BATCH / len(positions)), 1), MAX_EPOCHS)
    plan = TrainingPlan(
        game.name,
        options,
        has_policy=False,
        epochs=epochs,
        batch=BATCH,
        hidden1=HIDDEN1,
        hidden2=HIDDEN2,
    )
    card = {
        "game": game.name,
        "seats": game.num_seats,
        "options": options,
        "features": names_hash(game),
    }
    return Net(card, fit(positions, 0, plan, stream, patience=epochs)[0])


def _targets(net: Net, lessons: Sequence[Lesson], weight: float) -> NDArray[np.float32]:
    """Mix what came later with values of the next positions, and take the luck out.

    Returns:
        For each position of each game, `[num_positions, num_seats]`.
    """
    found = []
    for each in lessons:
        if not len(each.plies):
            continue
        nexts = np.concatenate([_values(net, each.records)[1:], each.records.returns])
        targets = nexts - each.luck_until_next(net)
        later = targets[-1]
        for at in range(len(targets) - 2, -1, -1):
            later = targets[at] = targets[at] + weight * (later - nexts[at])
        found.append(targets)
    return np.concatenate(found).astype(np.float32)


def _values(net: Net, records: Records) -> Array:
    """Return the values of positions by a net, `[num_positions, num_seats]`."""
    return _shares(net, records.features, records.num_active.ravel(), records.returns.shape[1])


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
