"""Worlds: full states drawn from the information set of an observation."""

from __future__ import annotations

import numpy as np

from kingmaker.cext.errors import InputError

from .position import Observation, Position

MAX_WORLDS = 10_000


def sample_worlds(observation: Observation, count: int, seed: int) -> list[Position]:
    """Draw worlds that fit an observation, each independently.

    Args:
        observation: of the seat.
        count: number of worlds, 1 to `MAX_WORLDS`.
        seed: the same seed gives the same worlds.

    Raises:
        InputError: `count` is out of range.
    """
    if not 1 <= count <= MAX_WORLDS:
        raise InputError(
            f"count is {count}; it must be 1 to {MAX_WORLDS}", field="count", value=str(count)
        )
    stream = np.random.SFC64(seed)
    return [observation.determinize(stream) for _ in range(count)]
