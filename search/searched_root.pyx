"""What expectimax has found at its root: values of the state and of each move, with its line."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.string cimport memcpy

from kingmaker.cext.game cimport MAX_SEATS, NO_MOVE, TERMINAL

from .analysis import Bound
from .frames cimport (
    LOWER, PROVEN, PROVEN_LOWER, PROVEN_UPPER, TIGHT, UPPER, may_use, usable_depth)
from .transpositions cimport Entry, find_entry, hash_words


cdef class SearchedRoot:
    """The results of the last finished iteration, written by `Expectimax`; lines are of the table.
    """

    @property
    def bound(self):
        """Relation of `values` to the true ones, for the win share of `seat`."""
        return self.bound_of(&self.root_result) if self._is_valued() else Bound.HEURISTIC

    def values(self) -> list:
        """Return the win share of each seat; the evaluation before the first iteration."""
        if self._is_valued():
            return self.shares_list(&self.root_result)
        return self._glance(self._root_state())

    def moves(self) -> list:
        """Return (move, win shares, bound, line) for each legal move, in canonical order.

        The bound is for the win share of `seat`. A line begins with the move and ends where chance
        decides, or where the table has no entry. Empty at a chance node and at the end.
        """
        return [(move, values, bound, line)
                for move, _, values, bound, line in self.root_moves()]

    def root_moves(self) -> list:
        """Return (move, states below it, win shares, bound, line) of each move; see `moves`."""
        if self.root_node < 0:
            return []
        state = self._root_state()
        found = []
        for i in range(self.num_root_moves):
            move = self.finished[i].move
            if self.depth:
                values = self.shares_list(&self.finished[i].result)
                bound = self.bound_of(&self.finished[i].result)
            else:
                values, bound = self._glance(self.game.after(state, move)), Bound.HEURISTIC
            found.append((
                move, self.finished[i].nodes, values, bound, self.line(i)))
        return found

    def _is_valued(self):
        """Whether some iteration was finished, or none is needed."""
        return self.depth > 0 or self.root_node == TERMINAL

    def _root_state(self):
        return (<const char*>self.root_state)[:self.game.state_bytes]

    def _glance(self, bytes state):
        """Evaluate a state without search."""
        if self.game.node_of(state) == TERMINAL:
            return self.game.returns_of(state)
        return self.game.evaluation_of(state)

    cdef object bound_of(self, const Result* result):
        if result.proofs == PROVEN:
            return Bound.EXACT
        # A bound of 0 or 1 carries no information.
        if result.proofs == PROVEN_LOWER and result.values[LOWER] > 0 and not self.is_selfish:
            return Bound.LOWER
        if result.proofs == PROVEN_UPPER and result.values[UPPER] < 1 and not self.is_selfish:
            return Bound.UPPER
        return Bound.HEURISTIC

    cdef void shares_of(self, const Result* result, double* out) noexcept nogil:
        cdef double share, rest
        cdef int seat
        if self.is_selfish:
            for seat in range(self.num_seats):
                out[seat] = result.values[seat]
            return
        share = (result.values[LOWER] + result.values[UPPER]) / 2   # they differ by rounding
        rest = (1 - share) / max(self.num_seats - 1, 1)
        for seat in range(self.num_seats):
            out[seat] = share if seat == self.seat else rest

    cdef list shares_list(self, const Result* result):
        cdef double[MAX_SEATS] shares
        self.shares_of(result, shares)
        return [shares[seat] for seat in range(self.num_seats)]

    cdef list line(self, int index):
        """Follow the best moves of the table from a child of the root."""
        cdef list moves = [self.finished[index].move]
        cdef int remaining = self.finished[index].depth - 1
        cdef uint32_t move
        state = self.game.after(self._root_state(), moves[0])
        while remaining > 0 and self.game.node_of(state) >= 0:
            move = (
                self.best_reply(state, remaining) if remaining > 1 else self.best_last(state))
            if move == <uint32_t>NO_MOVE:
                break
            moves.append(move)
            state = self.game.after(state, move)
            remaining -= 1
        return moves

    cdef uint32_t best_reply(self, bytes state, int remaining):
        """The best move by the table, NO_MOVE if it does not hold the value of the state."""
        self.scratch[self.num_words - 1] = 0
        memcpy(self.scratch, PyBytes_AS_STRING(state), self.game.state_bytes)
        cdef const Entry* entry = find_entry(
            &self.table, hash_words(self.scratch, self.num_words))
        if entry == NULL or not may_use(
                entry, usable_depth(entry, remaining, self.width), PROVEN) or (
                not self.is_selfish and entry.values[UPPER] - entry.values[LOWER] > TIGHT):
            return NO_MOVE
        return entry.move if entry.move in self.game.moves_of(state) else <uint32_t>NO_MOVE

    cdef uint32_t best_last(self, bytes state):
        """The best move by evaluation alone."""
        node = self.game.node_of(state)
        seat = node if self.is_selfish else self.seat
        sign = 1 if node == seat else -1
        return max(
            self.game.moves_of(state),
            key=lambda move: sign * self._glance(self.game.after(state, move))[seat])
