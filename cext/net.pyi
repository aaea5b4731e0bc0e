"""Nets: learned evaluations and policies of games."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .game import Game

def names_hash(game: Game, /) -> str:
    """Return a short hash of the names of all features of a game, in their order."""

class Net:
    """A net of one game with one number of seats; net.pxd has its formulas.

    Its weights are rounded to half precision, in which they are stored, so that a net that was
    loaded is the same as the one that was saved.

    Args:
        card: what the net is, data that JSON can write. Needed are `game`, `seats`, `options` (of
            the game it was trained on) and `features`, the `names_hash` of the game; training adds
            its data, seed, commit, losses and strength (docs/training.md).
        weights: `w1` [num_features, hidden1], `b1`, `w2` [hidden1, hidden2], `b2`, `w3` [hidden2],
            `b3` [1] and, for a policy head, `wp` [num_actions, hidden2] and `bp` [num_actions].

    Raises:
        InputError: the card lacks `game`, `seats` or `features`, or has a wrong one; or the weights
            are not those of a net, or too many.
    """

    def __init__(self, card: dict[str, Any], weights: Mapping[str, ArrayLike]) -> None: ...
    @property
    def card(self) -> dict[str, Any]: ...
    @property
    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name, read-only."""

    @property
    def num_seats(self) -> int: ...
    @property
    def num_features(self) -> int: ...
    @property
    def num_actions(self) -> int:
        """Number of actions of the policy head; 0: the net has none."""

    def check_fits(self, game: Game, /) -> None:
        """Check that the net was made for this game, its number of seats, features and actions.

        Raises:
            InputError: it was not; the message has the first difference.
        """

    def evaluation_of(self, game: Game, state: bytes) -> list[float]:
        """Return the win share of each seat in a full state.

        Raises:
            InputError: the net does not fit the game.
        """

    def policy_of(self, game: Game, state: bytes) -> list[tuple[int, float]]:
        """Return (move, probability) of each legal move, as the seat to move sees the state.

        Uniform if the net has no policy head; empty unless a seat is to move.

        Raises:
            InputError: the net does not fit the game.
        """

    def scores_of(self, active: ArrayLike, starts: ArrayLike) -> NDArray[np.float32]:
        """Return the value head's score of each row of active features, `[num_rows]`.

        Args:
            active: indices of features, the rows one after another.
            starts: where each row begins, and the end of the last one, `[num_rows + 1]`.

        Raises:
            InputError: an index is out of range.
        """

    @classmethod
    def load(cls, path: str | os.PathLike[str], /) -> Self:
        """Read a net from a file.

        Raises:
            InputError: the file can't be read, or is not a net.
        """

    def save(self, path: str | os.PathLike[str], /) -> None:
        """Write the net to a file, an `.npz` of its weights in half precision and its card.

        Raises:
            OSError: the file can't be written.
        """

def use_wide(is_wanted: bool, /) -> bool:
    """Use registers of eight numbers where the processor has them, as it does by default, or four.

    Returns whether they are used. Results are the same; it is for tests of that.
    """
