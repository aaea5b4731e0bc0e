"""Positions to learn from: stored shards of self-play, and batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from kingmaker.search.self_play import Records

from .plan import whole

HELD_OUT = 16
"""Every 16th game is held out of the fit."""
LEAST_SHARE = 1e-3
"""Win shares of `Game.evaluate` are raised to it: a 0 that comes true has no finite loss."""


def save_records(records: Records, path: Path) -> None:
    """Write the records of a shard; the file is there complete or not at all."""
    with whole(path) as part, part.open("wb") as file:
        np.savez_compressed(file, **records._asdict())


def load_records(path: Path) -> Records:
    """Read the records of a shard."""
    with np.load(path, allow_pickle=False) as stored:
        return Records(**stored)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some positions as the fit takes them.

    Attributes:
        active: features of every seat, ones in a sparse matrix
            `[num_positions * num_seats, num_features]`.
        targets: win shares to learn, `[num_positions, num_seats]`.
        offsets: what the scores of the net are added to, `[num_positions, num_seats]`.
        deciders: row of `active` of the seat that decides, `[num_positions]`.
        actions: indices of the legal actions of all positions, in a row.
        starts: where those of each position begin, and their end, `[num_positions + 1]`.
        chosen: index in `actions` of the best move, `[num_positions]`.
    """

    active: csr_array
    targets: NDArray[np.float32]
    offsets: NDArray[np.float32]
    deciders: NDArray[np.int64]
    actions: NDArray[np.int32]
    starts: NDArray[np.int64]
    chosen: NDArray[np.int64]


class Positions:
    """The positions of several shards.

    Args:
        shards: records of one game with equal options.
        num_features: of the game.
        mix: weight of the player's estimate in the targets; the rest is the result.
        adds: whether the net adds to the logarithms of the win shares by `Game.evaluate`.
    """

    def __init__(
        self,
        shards: Sequence[Records],
        num_features: int,
        mix: float = 0.0,
        *,
        adds: bool = False,
    ) -> None:
        self.num_features = num_features
        self.num_seats = shards[0].returns.shape[1]
        self.num_games = sum(len(each.returns) for each in shards)
        firsts = np.cumsum([0, *(len(each.returns) for each in shards)])
        self.games = np.concatenate(
            [each.games + first for each, first in zip(shards, firsts, strict=False)]
        )
        self.results = np.concatenate([each.returns for each in shards])[self.games]
        self.heuristics = np.concatenate([each.heuristics for each in shards])
        values = np.concatenate([each.values for each in shards])
        self.targets = (1 - mix) * self.results + mix * values
        self._offsets = np.zeros_like(self.heuristics)
        if adds:
            self._offsets = np.log(np.maximum(self.heuristics, LEAST_SHARE))
        self._features = np.concatenate([each.features for each in shards])
        self._rows = _starts(np.concatenate([each.num_active.ravel() for each in shards]))
        self._seats = np.concatenate([each.seats for each in shards])
        self._actions = np.concatenate([each.actions for each in shards])
        self._choices = _starts(np.concatenate([each.num_actions for each in shards]))
        self._chosen = np.concatenate([each.chosen for each in shards])

    def __len__(self) -> int:
        return len(self._seats)

    def split(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the indices of the positions to fit and of those held out, by game."""
        is_held = self.games % HELD_OUT == HELD_OUT - 1
        return np.flatnonzero(~is_held), np.flatnonzero(is_held)

    def batch(self, chosen: NDArray[np.int64]) -> Batch:
        """Gather positions by their indices."""
        rows = (chosen[:, None] * self.num_seats + np.arange(self.num_seats)).ravel()
        features, starts = _gather(self._features, self._rows, rows)
        ones = np.ones(len(features), dtype=np.float32)
        actions, choices = _gather(self._actions, self._choices, chosen)
        return Batch(
            active=csr_array(
                (ones, features.astype(np.int32), starts), shape=(len(rows), self.num_features)
            ),
            targets=self.targets[chosen],
            offsets=self._offsets[chosen],
            deciders=np.arange(len(chosen)) * self.num_seats + self._seats[chosen],
            actions=actions,
            starts=choices,
            chosen=choices[:-1] + self._chosen[chosen],
        )


def _starts(lengths: NDArray[np.int16]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _gather(
    flat: NDArray[Any], starts: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return some rows of lists of different lengths, in a row, and where each begins."""
    lengths = starts[rows + 1] - starts[rows]
    begins = np.concatenate([[0], np.cumsum(lengths)])
    return flat[np.repeat(starts[rows] - begins[:-1], lengths) + np.arange(begins[-1])], begins
