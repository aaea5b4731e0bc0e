"""Depth-limited and exact values of full states: alpha-beta with Star1 and Star2, and max^n."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from .expectimax_memory cimport ExpectimaxMemory
from .frames cimport Frame, Result
from .searched_root cimport RootMove, SearchedRoot
from .searcher cimport StopCode
from .transpositions cimport Entry


@cython.final  # direct calls, which the compiler can inline
cdef class Expectimax(SearchedRoot):
    cdef bint has_move_rolls      # chance nodes may be move rolls
    cdef int num_values           # of an entry
    cdef int max_depth
    cdef ExpectimaxMemory memory  # owns the arrays below, the table and what the root has
    cdef Frame* frames            # [max_depth + 1]
    cdef Frame* frame             # the deepest one in use
    cdef RootMove* running        # of the iteration that runs
    cdef int32_t* history         # how often a move cut (history_heuristic.pxd)
    cdef int first_depth          # of the first iteration
    cdef Result result            # of the last child
    cdef readonly int64_t nodes   # states entered
    cdef int64_t counted          # nodes that the root's moves account for
    cdef int64_t max_nodes        # of the running `loop`
    cdef bint is_finished
    cdef bint is_broken
    cdef bint is_running
    cdef volatile bint is_cancelled

    # Search another state from now on; the table stays valid.
    cdef void restart(self, const void* state) noexcept nogil

    # Continue until a limit is reached; 0 is none. Can be called again to continue.
    cdef StopCode loop(self, int64_t max_nodes, int64_t deadline_ns) noexcept nogil

    cdef void begin_iteration(self) noexcept nogil
    cdef void end_iteration(self) noexcept nogil
    cdef bint is_within(self, const Result* result) noexcept nogil
    cdef void conclude_root(self) noexcept nogil
    cdef void step(self, Frame* frame) noexcept nogil
    cdef void scan_leaves(self, Frame* frame) noexcept nogil
    cdef Frame* enter(self, Frame* frame, int child) noexcept nogil

    # The child to enter next, its window written; NO_CHILD when the frame is done (windows.pxd).
    cdef int next_child(self, Frame* frame) noexcept nogil
    cdef int next_root_move(self, Frame* frame) noexcept nogil

    # Make `result` that of a state just entered, if it needs no search; else open its frame.
    cdef bint settle(self, Frame* frame) noexcept nogil
    cdef bint is_last_roll(self, const Frame* frame, int node) noexcept nogil
    cdef void break_at(self, const void* state) noexcept nogil
    cdef void take_returns(self, const void* state, double* shares) noexcept nogil
    cdef void take_shares(self, const double* shares, uint8_t proofs) noexcept nogil
    cdef bint is_known(self, const Frame* frame, const Entry* entry) noexcept nogil
    cdef void open(self, Frame* frame, int node, const Entry* entry) noexcept nogil
    cdef void open_move_roll(self, Frame* frame, uint32_t first) noexcept nogil
    cdef void open_decision(self, Frame* frame, uint32_t first) noexcept nogil
    cdef void prepare_ranks(self, Frame* frame, uint32_t first) noexcept nogil
    cdef int list_moves(self, Frame* frame, int node) noexcept nogil
    cdef void set_kind(self, Frame* frame, int node) noexcept nogil

    # Whether `result`, of a child that was looked at less deep, asks for a closer look.
    cdef bint matters(self, Frame* frame, int child) noexcept nogil

    # Account for `result` as that of a child.
    cdef void absorb(self, Frame* frame, int child) noexcept nogil

    # Make `result` that of the frame, store it and go back to the frame above.
    cdef void close(self, Frame* frame) noexcept nogil
    cdef void store(self, Frame* frame) noexcept nogil
