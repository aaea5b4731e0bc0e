from typing import Any

import numpy as np

from kingmaker.cext.game import Game

from .analysis import Bound

class Searcher:
    """One search on one thread: what all engines have in common; see searcher.pyx.

    Args:
        game: the rules.
        observation: what the searching seat sees.
        seed: for this searcher's streams.
        options: of the engine, checked and complete.
        memory_bytes: limit of its tree or table.

    Attributes:
        simulations: made so far, in the engine's own unit.
        depth: plies of the deepest path.
        observer: seat that searches, from 0; -1 is a spectator.
    """

    simulations: int
    depth: int
    observer: int
    def __init__(
        self,
        game: Game,
        observation: bytes,
        seed: np.random.SeedSequence,
        options: dict[str, Any],
        memory_bytes: int,
    ) -> None: ...
    def run(self, max_simulations: int, deadline_ns: int) -> int:
        """Simulate until a limit is reached, at least once a call; returns a stop code."""

    def cancel(self) -> None:
        """End `run` within one simulation; from any thread."""

    def believe(self, worlds: list[bytes]) -> None:
        """Draw each simulation's world from these, not from all that fit the observation.

        Of the searches only those of `ismcts` heed it, where they choose by UCB.

        Args:
            worlds: full states that fit it, one at least; a likelier one stands there more often.
        """

    @property
    def num_nodes(self) -> int:
        """Nodes in use, or states entered where there is no tree."""

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tree or table in use."""

    @property
    def bound(self) -> Bound | None:
        """What the root's values are to the true ones; None: not known."""

    def root_values(self) -> tuple[int, list[float], bool]:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""

    def root_moves(self) -> list[tuple[int, int, list[float], float, bool, list[int]]]:
        """Return (move, visits, sums, squares of the mover, is_exact, line) of each move."""

    def replies(self) -> dict[int, dict[tuple[int, int], list[float]]]:
        """Return move -> {(seat from 0, reply): [visits, summed win share]}.

        The key (-1, 0) counts the simulations that got as far as a reply.
        """

    def best_worlds(self) -> dict[int, int]:
        """Return move -> the determinizations in which no other move was better.

        Empty unless each was solved by itself.
        """

    def root_policy(self) -> dict[int, float] | None:
        """Return move -> probability, {} if nothing is known yet; None if it does not mix."""
