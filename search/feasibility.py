"""Whether solving is feasible within its limits, by an estimate of the tree beforehand."""

from __future__ import annotations

import math

from kingmaker.cext.game import Game

from .solution import Limits
from .tree_size import TreeProbe

PROBES, PROBE_SEED = 100, 1
FASTEST_NODES_PER_SECOND = 1e8
"""Upper bound of any solver's speed; converts a time limit into a number of nodes."""


class Feasibility:
    """The estimated size of a tree, and the largest size that the limits allow.

    Args:
        game: the rules.
        state: the root of the tree, a full state.
        limits: time, nodes and memory that solving may spend.

    Attributes:
        num_histories: estimated number of histories in the tree; 0 before `measure`.
    """

    def __init__(self, game: Game, state: bytes, limits: Limits) -> None:
        self.num_histories = 0.0
        self._limits = limits
        self._probe = TreeProbe(game, state, PROBE_SEED)

    def measure(self) -> None:
        """Estimate the size of the tree; takes some milliseconds where games are long."""
        self.num_histories = self._probe.run(PROBES).mean

    def cancel(self) -> None:
        """Stop `measure` within one move; callable from any thread."""
        self._probe.cancel()

    @property
    def most_nodes(self) -> float:
        """Most positions that can be visited within the limits."""
        milliseconds = self._limits.milliseconds
        seconds = math.inf if milliseconds is None else milliseconds / 1000
        return min(self._limits.nodes or math.inf, seconds * FASTEST_NODES_PER_SECOND)
