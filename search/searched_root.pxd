"""The root of an expectimax search, with what its last finished iteration has found."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from kingmaker.cext.game cimport Game

from .frames cimport Result
from .transpositions cimport Table


cdef struct RootMove:
    Result result
    int64_t nodes            # below it, over all iterations
    uint32_t move            # or outcome
    int32_t depth            # plies looked ahead from the root for `result`


cdef class SearchedRoot:
    cdef readonly Game game
    cdef readonly int seat        # seat whose win share is bounded, from 0
    cdef bint is_selfish          # max^n: each seat maximizes its own win share
    cdef int width                # see ranking.pxd; 0: every move to the same depth
    cdef int num_seats
    cdef int num_words            # of a padded state
    cdef const void* root_state
    cdef int root_node            # as `Game.node`
    cdef int num_root_moves
    cdef RootMove* finished       # [num_root_moves], of the last finished iteration
    cdef readonly int depth       # of the same
    cdef Result root_result       # of the same
    cdef Table table
    cdef uint64_t* scratch        # a state: that of a breach, or one that is looked up

    # Write the win shares of all seats of a result.
    cdef void shares_of(self, const Result* result, double* out) noexcept nogil

    cdef object bound_of(self, const Result* result)
    cdef list shares_list(self, const Result* result)
    cdef list line(self, int index)
    cdef uint32_t best_reply(self, bytes state, int remaining)
    cdef uint32_t best_last(self, bytes state)
