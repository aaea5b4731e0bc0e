"""Multiple-observer search in a growing tree of histories; see growing_tree.pyx."""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t

from kingmaker.cext.rng cimport bitgen_t

from .histories cimport HistoryTree
from .infosets cimport MoveCount
from .mo_ismcts cimport Kind, MoIsmctsSearcher


@cython.final  # direct calls, which the compiler can inline
cdef class GrowingTreeSearcher(MoIsmctsSearcher):
    cdef HistoryTree tree
    cdef bytes owned_start
    cdef const void* start     # latest state without hidden information
    cdef int num_past          # moves since then
    cdef int64_t credit        # histories that may still be swept
    cdef bytearray owned_copies
    cdef char* copies          # states to return to
    cdef int room              # histories that the running simulation may still add

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
