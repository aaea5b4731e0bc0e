"""Expectimax as an engine: the values of the root's moves by `Expectimax`."""

cimport cython
from libc.stdint cimport int64_t
from libc.string cimport memcpy

from kingmaker.cext.game cimport Game

from .analysis import Bound
from .expectimax cimport Expectimax
from .searcher cimport STOP_BROKEN, STOP_CANCELLED, Searcher, StopCode


@cython.final
cdef class ExpectimaxSearcher(Searcher):
    """Expectimax as an engine, for games without hidden information; see `Searcher`.

    Its simulations are nodes: states entered. Options: those of `Expectimax`, whose seat is the
    observer.
    """

    cdef Expectimax kernel

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        Searcher.__init__(self, game, observation, seed, {
            "exploration": 0.0, "playout": "policy", "playout_plies": 0})
        state = game.determinized(observation, self.bit_generators[0])
        self.kernel = Expectimax(
            game, state, {**options, "seat": max(self.observer, 0)}, memory_bytes)

    cdef StopCode loop(self, int64_t max_simulations, int64_t deadline_ns) noexcept nogil:
        cdef StopCode code
        if self.is_cancelled:
            return STOP_CANCELLED
        code = self.kernel.loop(max_simulations, deadline_ns)
        self.simulations = self.kernel.nodes
        self.depth = self.kernel.depth
        if code == STOP_BROKEN:
            memcpy(self.state, self.kernel.scratch, self.game.state_bytes)
        return code

    def cancel(self) -> None:
        """End `run` within one state; callable from any thread."""
        self.is_cancelled = True
        self.kernel.is_cancelled = True

    @property
    def num_nodes(self) -> int:
        """States entered."""
        return self.kernel.nodes

    @property
    def memory_bytes(self) -> int:
        """Bytes of table and stack."""
        return self.kernel.memory_bytes

    @property
    def bound(self):
        """Relation of the root's values to the true ones."""
        return self.kernel.bound

    def root_values(self) -> tuple:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""
        return 1, self.kernel.values(), self.kernel.bound is Bound.EXACT

    def root_moves(self) -> list:
        """Return (move, visits, summed win shares, squared error of the mover, is_exact, line).

        The visits of a move are the states below it.
        """
        if self.observer < 0 or self.kernel.root_node != self.observer:
            return []
        found = []
        for move, nodes, values, bound, line in self.kernel.root_moves():
            visits = max(nodes, 1)
            found.append((
                move, visits, [value * visits for value in values],
                0.0, bound is Bound.EXACT, line))
        return found

    def replies(self) -> dict:
        """Return no replies: the lines contain the moves of rivals."""
        return {}
