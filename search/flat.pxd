"""Baselines that look one move ahead."""

cimport cython
from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport MAX_MOVES, MOVES_ROOM

from .searcher cimport Searcher


@cython.final  # direct calls, which the compiler can inline
cdef class FlatSearcher(Searcher):
    cdef bint is_greedy
    cdef bytearray owned_world
    cdef void* world                  # the world of the running round
    cdef bint is_own_decision         # the observer is to decide at the root
    cdef int num_moves
    cdef int next_move                # next move of the round
    cdef int num_rounds
    cdef uint32_t[MOVES_ROOM] moves
    cdef bytearray owned_statistics
    cdef double* sums                 # [num_moves + 1, num_seats], the last row for the root
    cdef double* squares              # [num_moves]
    cdef int[MAX_MOVES] visits

    cdef void look_ahead(self, double* values) noexcept nogil
