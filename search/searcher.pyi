from typing import Any

from kingmaker.cext.game import Game
from kingmaker.cext.rng import Seed

from .analysis import Bound

class Searcher:
    """One search on one thread, the base of all engines; see searcher.pyx.

    Args:
        game: the rules.
        observation: of the searching seat.
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
        seed: Seed,
        options: dict[str, Any],
        memory_bytes: int,
    ) -> None: ...
    def run(self, max_simulations: int, deadline_ns: int) -> int:
        """Simulate until a limit is reached, at least once a call; returns a stop code."""

    def cancel(self) -> None:
        """End `run` within one simulation; from any thread."""

    def believe(
        self, worlds: list[bytes], batches: bytes | None = None, sharers: int = 1, /
    ) -> None:
        """Draw each simulation's world from these, not from all that fit the observation.

        Only `ismcts` with selection by UCB uses them; with trees of all seats in every other
        simulation, as rivals learn from worlds that fit public knowledge.

        Args:
            worlds: full states that fit it, at least one; repeated ones have a larger probability.
            batches: of each world, the number of the batch in which it was drawn, below
                `ismcts.NUM_BATCHES`: errors of `ismcts` count how far batches disagree. None:
                these are all the worlds that there are.
            sharers: searchers whose values are added up, and which draw from these worlds.
        """

    def judge_all(self) -> None:
        """Search on after a proof of the root, until every move is proven.

        Only `mcts` ends before that; call it before the first `run`.
        """

    @property
    def num_nodes(self) -> int:
        """Nodes in use; without a tree, states entered."""

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tree or table in use."""

    @property
    def bound(self) -> Bound | None:
        """Relation of the root's values to the true ones; None: unknown."""

    def root_values(self) -> tuple[int, list[float], bool]:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""

    def root_moves(self) -> list[tuple[int, int, list[float], float, bool, list[int]]]:
        """Return (move, visits, sums, squared error of the mover, is_exact, line) of each move."""

    def replies(self) -> dict[int, dict[tuple[int, int], list[float]]]:
        """Return move -> {(seat from 0, reply): [visits, summed win share, games]}.

        The games are those that the mean win share rests on. The key (-1, 0) counts the simulations
        with a reply.
        """

    def told_moves(self) -> dict[int, tuple[int, list[float], float, float]]:
        """Return move -> (visits, sums, squared error besides that of `root_moves`, a shared one).

        The moves share the last one, so it does not count in differences between them. Of moves
        without a proof whose values or errors are told otherwise than by the means that they rank
        by; empty: none is.
        """

    def best_worlds(self) -> dict[int, int]:
        """Return move -> number of worlds in which no other move was better.

        Empty unless each world was solved by itself.
        """

    def root_policy(self) -> dict[int, float] | None:
        """Return move -> probability; {} before a result; None if the search does not mix."""
