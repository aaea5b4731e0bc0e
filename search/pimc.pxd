"""Perfect-information Monte Carlo: many worlds, each solved with open hands."""

cimport cython
from libc.stdint cimport int64_t, uint32_t

from kingmaker.cext.game cimport MOVES_ROOM

from .expectimax cimport Expectimax
from .frames cimport Result
from .searcher cimport Searcher


cdef struct MoveTotal:
    int64_t best_worlds   # worlds in which no move was better
    double square_sum     # of the observer's win shares
    double[1] sums        # [num_seats] in truth: win shares summed over the worlds


@cython.final
cdef class PimcSearcher(Searcher):
    cdef Expectimax kernel
    cdef bint is_world_open       # a world is being solved
    cdef bint is_own_decision     # the observer is to decide at the root
    cdef int num_moves            # of the observer
    cdef uint32_t[MOVES_ROOM] moves   # [num_moves] in canonical order
    cdef size_t stride            # bytes of a `MoveTotal`
    cdef bytearray owned_totals
    cdef char* totals             # [num_moves + 1], the last one of the root itself

    cdef MoveTotal* total(self, int move) noexcept nogil

    # Add up the values of a solved world.
    cdef void count_world(self) noexcept nogil

    # Add a result to the totals; returns the observer's win share.
    cdef double add(self, int move, const Result* result) noexcept nogil
    cdef list sums(self, int move)
