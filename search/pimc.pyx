"""PIMC: draw worlds, solve each with all hands open, and average the values.

A simulation is one world, searched by expectimax to a fixed depth, chance included, from
the observer's point of view; where a move is pending that the observer hasn't seen, it is open too.
The value of a move is the mean of its values over the worlds, not a count of the worlds in which it
is best, so that a move that is good in all worlds beats one that is best a little more often.

In each world the search treats the hidden cards as known, and may play a different move in every
world, which no player can (*strategy fusion*). The part of the worlds in which a move was among the
best indicates the size of this error.

Sources: Ginsberg 2001, "GIB: Imperfect Information in a Computationally Challenging Game"; Frank
and Basin 1998, "Search in Games with Incomplete Information"; Long et al. 2010, "Understanding the
Success of Perfect Information Monte Carlo Sampling in Game Tree Search".
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from kingmaker.cext.game cimport MAX_MOVES, MAX_SEATS, Game, listed

from .expectimax cimport Expectimax
from .frames cimport Result
from .samples cimport variance_of_mean
from .searcher cimport (
    STOP_BROKEN, STOP_CANCELLED, STOP_SIMULATIONS, STOP_SOLVED, Searcher, StopCode)


cdef double TIGHT = 1e-9   # difference of win shares up to which moves are equally good


cdef class PimcSearcher(Searcher):
    """One PIMC on one thread; `memory_bytes` bounds the solver of the worlds. See `Searcher`.

    Options: those of `Expectimax`; all worlds use one table.
    """

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        Searcher.__init__(self, game, observation, seed, {
            "exploration": 0.0, "playout": "policy", "playout_plies": 0})
        self.is_own_decision = self.observer >= 0 and game.node(self.root) == self.observer
        if self.is_own_decision:
            self.num_moves = listed(game, self.root, self.observer, self.moves, NULL)
            self.is_broken = self.num_moves == 0
        self.stride = sizeof(MoveTotal) + (self.num_seats - 1) * sizeof(double)
        self.owned_totals = bytearray((self.num_moves + 1) * self.stride)
        self.totals = PyByteArray_AS_STRING(self.owned_totals)
        world = game.determinized(observation, self.bit_generators[0])
        self.kernel = Expectimax(
            game, world, {**options, "seat": max(self.observer, 0)},
            memory_bytes - min(memory_bytes, <size_t>len(self.owned_totals)))
        # Only the last iteration counts. Earlier ones would evict it from the table, where worlds
        # that are drawn again find it.
        self.kernel.first_depth = self.kernel.max_depth
        self.is_world_open = False

    cdef MoveTotal* total(self, int move) noexcept nogil:
        return <MoveTotal*>(self.totals + move * self.stride)

    cdef StopCode loop(self, int64_t max_simulations, int64_t deadline_ns) noexcept nogil:
        cdef StopCode code
        while True:
            if self.is_cancelled:
                return STOP_CANCELLED
            if self.is_broken:
                return STOP_BROKEN
            if max_simulations and self.simulations >= max_simulations:
                return STOP_SIMULATIONS
            if not self.is_world_open:
                self.game.determinize(self.root, self.world_rng, self.state)
                self.kernel.restart(self.state)
                self.is_world_open = True
            code = self.kernel.loop(0, deadline_ns)
            if code != STOP_SOLVED:
                return code
            self.count_world()

    cdef void count_world(self) noexcept nogil:
        cdef double[MAX_MOVES] shares   # of the observer
        cdef double best = 0
        cdef int i
        self.is_world_open = False
        self.simulations += 1
        self.depth = max(self.depth, self.kernel.depth)
        self.add(self.num_moves, &self.kernel.root_result)
        if not self.is_own_decision:
            return
        if self.kernel.num_root_moves != self.num_moves:
            self.is_broken = True   # legal moves can't depend on what the seat doesn't see
            return
        for i in range(self.num_moves):
            shares[i] = self.add(i, &self.kernel.finished[i].result)
            best = max(best, shares[i])
        for i in range(self.num_moves):
            self.total(i).best_worlds += shares[i] >= best - TIGHT

    cdef double add(self, int move, const Result* result) noexcept nogil:
        cdef double[MAX_SEATS] shares
        cdef MoveTotal* total = self.total(move)
        cdef int seat
        self.kernel.shares_of(result, shares)
        for seat in range(self.num_seats):
            total.sums[seat] += shares[seat]
        total.square_sum += shares[self.kernel.seat] * shares[self.kernel.seat]
        return shares[self.kernel.seat]

    def cancel(self) -> None:
        """End `run` within a state; the world that is open then doesn't count. From any thread."""
        self.is_cancelled = True
        self.kernel.is_cancelled = True

    @property
    def num_nodes(self) -> int:
        """States entered, over all worlds."""
        return self.kernel.nodes

    @property
    def memory_bytes(self) -> int:
        """Bytes of table, stack and statistics."""
        return self.kernel.memory_bytes + len(self.owned_totals)

    def root_values(self) -> tuple:
        """Return (worlds, summed win shares of each seat, False) of the root."""
        return self.simulations, self.sums(self.num_moves), False

    def root_moves(self) -> list:
        """Return (move, worlds, summed win shares, squared error of the mover, False, line).

        A line is the move alone, as the continuation differs between worlds.
        """
        return [
            (self.moves[i], self.simulations, self.sums(i),
             variance_of_mean(
                 self.simulations, self.total(i).sums[self.observer], self.total(i).square_sum),
             False, [self.moves[i]])
            for i in range(self.num_moves)
        ]

    def best_worlds(self) -> dict:
        """Return move -> the worlds in which no other move was better."""
        return {self.moves[i]: self.total(i).best_worlds for i in range(self.num_moves)}

    def replies(self) -> dict:
        """Return no replies: they would depend on hidden cards."""
        return {}

    cdef list sums(self, int move):
        cdef MoveTotal* total = self.total(move)
        return [total.sums[seat] for seat in range(self.num_seats)]
