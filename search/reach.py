"""Whether solving can be within reach of its limits, told by an estimate before it begins."""

from __future__ import annotations

import math

from kingmaker.cext.game import Game

from .solution import Limits
from .tree_size import TreeProbe

PROBES, PROBE_SEED = 100, 1
FASTEST_NODES_PER_SECOND = 1e8
"""No solver visits more; to compare a limit of time with an estimate."""


class Reach:
    """The estimated size of a tree and what the limits allow.

    Args:
        game: the rules.
        state: the root of the tree, a full state.
        limits: what solving may spend.

    Attributes:
        num_histories: of the tree, estimated by `measure`; 0 before.
    """

    def __init__(self, game: Game, state: bytes, limits: Limits) -> None:
        self.num_histories = 0.0
        self._limits = limits
        self._probe = TreeProbe(game, state, PROBE_SEED)

    def measure(self) -> None:
        """Estimate the tree; takes some milliseconds where games are long."""
        self.num_histories = self._probe.run(PROBES).mean

    def cancel(self) -> None:
        """End `measure` within a move; from any thread."""
        self._probe.cancel()

    @property
    def most_nodes(self) -> float:
        """Positions that can be visited at most within the limits."""
        milliseconds = self._limits.milliseconds
        seconds = math.inf if milliseconds is None else milliseconds / 1000
        return min(self._limits.nodes or math.inf, seconds * FASTEST_NODES_PER_SECOND)
