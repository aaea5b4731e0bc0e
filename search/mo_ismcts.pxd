"""Multiple-observer tree search; see mo_ismcts.pyx."""

from libc.stdint cimport int32_t, uint32_t

from kingmaker.cext.rng cimport bitgen_t

from .searcher cimport MAX_PATH
from .seat_trees cimport Kind, SeatTreesSearcher


cdef struct Step:
    int32_t node         # information set
    int32_t arm


cdef class MoIsmctsSearcher(SeatTreesSearcher):
    cdef int expand            # visits of a move before the trees grow after it
    cdef Step[MAX_PATH] path
    cdef double likelihood    # of the moves that rivals were seen to make, in the running world

    cdef Kind kind_of(self) noexcept nogil

    # Rivals choose their hidden moves anew, by their average policies among those that the observer
    # can't tell apart, unless these lead to what it doesn't see.
    cdef bint guess_past(self, int length, bitgen_t* rng) noexcept nogil
    cdef uint32_t guess(self, int seat, uint32_t move, bitgen_t* rng) noexcept nogil
    cdef bint looks_like(self, int32_t node, int i, uint32_t seen) noexcept nogil

    # Learning along one path at a time.
    cdef void follow(self, Kind kind) noexcept nogil
    cdef bint answer(self, int seat) noexcept nogil
    cdef bint decide(self, int seat, Step* step, bint* is_leaf) noexcept nogil
    cdef int best(self, int32_t node, int seat) noexcept nogil
    cdef void learn(self, const Step* step, const double* values) noexcept nogil
    cdef void count_root(self, int arm, const double* values) noexcept nogil
