"""Multiple-observer search in a growing tree of histories; see growing_tree.pyx."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t

from kingmaker.cext.game cimport MAX_MOVES

from .histories cimport HistoryTree
from .infosets cimport MoveCount
from .seat_trees cimport Kind, SeatTreesSearcher


@cython.final  # direct calls, which the compiler can inline
cdef class GrowingTreeSearcher(SeatTreesSearcher):
    cdef HistoryTree tree
    cdef double anchor         # weight of the anchor at first
    cdef MoveCount[MAX_MOVES] judged   # of the root moves, from games by the average policies
    cdef int64_t num_judged    # such games
    cdef int64_t credit        # histories that may still be swept
    cdef bytearray owned_copies
    cdef char* copies          # states to return to
    cdef int room              # histories that the running simulation may still add

    # Raise if the memory is too small for the observer's decision.
    cdef check_room(self, size_t memory_bytes)

    # Let the anchor weigh less the more simulations there were.
    cdef void fade_anchor(self) noexcept nogil

    # Games by the average policies, for the values of the root moves.
    cdef bint is_judging(self) noexcept nogil
    cdef void judge(self) noexcept nogil
    cdef double weight_of(self, int seat) noexcept nogil
    cdef void count(self, MoveCount* count, double weight, const double* values) noexcept nogil
    cdef Kind kind_of(self) noexcept nogil
    cdef void grow(self, Kind kind) noexcept nogil
    cdef void weigh(self, int32_t index) noexcept nogil
    cdef void play_on(self, int32_t index) noexcept nogil
    cdef void complete(self, int32_t index, char* copy) noexcept nogil
    cdef int list(self, int32_t index, uint32_t* moves) noexcept nogil
    cdef int32_t replay(self, int length) noexcept nogil
    cdef int32_t extend(self, int32_t index, uint32_t move) noexcept nogil
    cdef void open(self, int32_t index, int node) noexcept nogil
    cdef void add_ends(self, int32_t index) noexcept nogil
    cdef int32_t descend(self, int32_t index, int node) noexcept nogil
    cdef int pick(self, int32_t index) noexcept nogil
    cdef uint32_t draw(self, int32_t index) noexcept nogil
    cdef double distance(self, const MoveCount* count, double share) noexcept
    cdef double probability_of(self, uint32_t outcome) noexcept nogil
