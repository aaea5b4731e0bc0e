"""Flat Monte Carlo and greedy play: every legal move equally often, no tree.

A round draws one world and tries every move in it, so that moves are compared in the
same worlds. Flat Monte Carlo values a move by a playout, greedy play by the heuristic evaluation
right after it (chance settled), over a fixed number of rounds.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.string cimport memcpy

from kingmaker.cext.game cimport CHANCE, MAX_SEATS, TERMINAL, Game, listed, settle

from .samples cimport variance_of_mean
from .searcher cimport Searcher


cdef enum:
    GREEDY_ROUNDS = 32


cdef class FlatSearcher(Searcher):
    """One flat or greedy search on one thread, by the option `greedy`. See `Searcher`."""

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        Searcher.__init__(self, game, observation, seed, options)
        self.is_greedy = options["greedy"]
        self.owned_world = bytearray(game.state_bytes)
        self.world = PyByteArray_AS_STRING(self.owned_world)
        self.is_own_decision = self.observer >= 0 and game.node(self.root) == self.observer
        if self.is_own_decision:
            self.num_moves = listed(game, self.root, self.observer, self.moves, NULL)
            self.is_broken = self.num_moves == 0
        cdef int rows = self.num_moves + 1
        self.owned_statistics = bytearray((rows * self.num_seats + rows) * sizeof(double))
        self.sums = <double*>PyByteArray_AS_STRING(self.owned_statistics)
        self.squares = self.sums + rows * self.num_seats
        self.depth = 1
        for i in range(self.num_moves):
            self.visits[i] = 0

    cdef void simulate(self) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef int seat
        cdef int move = self.next_move
        if move == 0:
            self.game.determinize(self.root, self.world_rng, self.world)
        memcpy(self.state, self.world, self.game.state_bytes)
        if self.is_own_decision:
            self.game.apply(self.state, self.moves[move])
            self.next_move = move + 1
        self.look_ahead(values)
        for seat in range(self.num_seats):
            self.sums[self.num_moves * self.num_seats + seat] += values[seat]
        if self.is_own_decision:
            self.visits[move] += 1
            self.squares[move] += values[self.observer] * values[self.observer]
            for seat in range(self.num_seats):
                self.sums[move * self.num_seats + seat] += values[seat]
        if self.next_move == self.num_moves:
            self.next_move = 0
            self.num_rounds += 1
            self.is_solved = self.is_greedy and self.num_rounds == GREEDY_ROUNDS

    cdef void look_ahead(self, double* values) noexcept nogil:
        cdef int node
        if not self.is_greedy:
            self.playout(values)
            return
        node = settle(self.game, self.state, self.chance_rng)
        if node == TERMINAL:
            self.take_returns(values)
            return
        if node >= self.num_seats or node < CHANCE:
            self.is_broken = True
        self.game.evaluate(self.state, values)
        self.check_shares(values)

    @property
    def num_nodes(self) -> int:
        """Rows of the statistics: the moves and the root."""
        return self.num_moves + 1

    @property
    def memory_bytes(self) -> int:
        """Bytes of the statistics."""
        return len(self.owned_statistics)

    def root_values(self) -> tuple:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""
        row = self.num_moves * self.num_seats
        return (self.simulations, [self.sums[row + seat] for seat in range(self.num_seats)], False)

    def root_moves(self) -> list:
        """Return (move, visits, summed win shares, squared error of the mover, is_exact, line)."""
        return [
            (self.moves[i], self.visits[i],
             [self.sums[i * self.num_seats + seat] for seat in range(self.num_seats)],
             variance_of_mean(
                 self.visits[i], self.sums[i * self.num_seats + self.observer], self.squares[i]),
             False, [self.moves[i]])
            for i in range(self.num_moves)
        ]

    def replies(self) -> dict:
        """Return no replies: they are not searched."""
        return {}
