"""A tree of histories, hidden moves included, that grows while regret is minimized in it."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t

from .infosets cimport InformationSets, MoveCount
from .searcher cimport Arena


ctypedef const double* Values   # [num_seats], win shares

cdef struct History:
    int32_t parent
    int32_t first_child
    int32_t next_sibling
    int32_t num_open        # moves or outcomes below which something can grow; UNOPENED before
    int32_t node            # information set of a decision, else 0
    int32_t visits          # that `values` of a leaf rest on: its playouts and a prior
    int32_t arm             # that led here; -1: an outcome
    uint32_t move           # the move or outcome
    bint is_chance
    double probability      # of the outcome
    double[1] values        # [num_seats] in truth: win shares under the current policies

cdef enum:
    UNOPENED = -1

cdef double UNLIKELY   # weight of worlds that the policies rule out, above 0


@cython.final
cdef class HistoryTree:
    cdef Arena arena
    cdef InformationSets sets
    cdef int num_seats
    cdef volatile bint* is_cancelled
    cdef int32_t root_node      # the observer's information set, 0 until it is known
    cdef MoveCount* roots       # of its moves, averaged over the sweeps as the policies are
    cdef MoveCount* fresh_roots   # of the present sweep
    cdef int observer
    cdef int num_sweeps
    cdef bint is_whole          # the tree is complete
    cdef int num_passed         # histories with children, in the present sweep
    cdef double size            # histories in the present sweep
    cdef double swept           # histories in all sweeps
    cdef double emphasis        # weight of this sweep's policies in the average
    cdef Values* after          # of each move of the decision that is swept

    cdef History* at(self, int32_t index) noexcept nogil

    # A new history; NO_NODE when the memory is full.
    cdef int32_t add(
        self, int32_t parent, uint32_t move, int arm, double probability) noexcept nogil

    # The history after a move, or NO_NODE.
    cdef int32_t find(self, int32_t parent, uint32_t move) noexcept nogil

    # The tree below a history is complete; check the histories above it.
    cdef void close(self, int32_t index) noexcept nogil

    # Add the end of the game.
    cdef void add_end(
        self, int32_t parent, uint32_t move, int arm, const double* values) noexcept nogil

    # Average the values of playouts from a history without children.
    cdef void add_playout(self, int32_t index, const double* values) noexcept nogil

    # Set all values by the current policies, one seat's regret and then its policies.
    cdef void sweep(self) noexcept nogil

    # Histories that the next sweep is likely to pass.
    cdef int64_t cost(self) noexcept nogil
    cdef bint sweep_below(self, int32_t index, double chance, double* reach) noexcept nogil
    cdef bint is_out_of_play(self, const double* reach) noexcept nogil
    cdef bint sweep_chance(self, int32_t index, double chance, double* reach) noexcept nogil
    cdef bint sweep_decision(self, int32_t index, double chance, double* reach) noexcept nogil
    cdef void gather(self, History* history) noexcept nogil
    cdef void learn(
        self, History* history, double own, double others, double chance) noexcept nogil
    cdef void count_root(self, History* history, double others) noexcept nogil
    cdef void add_roots(self) noexcept nogil

    # Count the values of the root moves under the average policies; exact in a complete tree.
    cdef void judge(self, MoveCount* counts) noexcept nogil
    cdef void judge_below(
        self, int32_t index, double chance, double* reach, double* values,
        MoveCount* counts) noexcept nogil
