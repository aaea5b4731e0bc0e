"""The memory of an expectimax search."""

from libc.stdint cimport int32_t, uint64_t

from .frames cimport Frame
from .searched_root cimport RootMove
from .transpositions cimport Table


cdef enum:
    MAX_FRAMES = 512     # largest depth of a search in plies, plus one


cdef class ExpectimaxMemory:
    cdef char* base
    cdef size_t size              # in bytes
    cdef int max_depth            # that the stack has room for
    cdef Frame* frames            # [max_depth + 1]
    cdef RootMove* running        # [max_moves]
    cdef RootMove* finished       # [max_moves]
    cdef int32_t* history         # see history_heuristic.pxd
    cdef uint64_t* scratch        # a state
    cdef Table table


cdef inline int words_of(size_t state_bytes) noexcept nogil:
    """Words of a state that is padded to whole ones."""
    return <int>((state_bytes + 7) // 8)
