"""The numbers of the moves of Chessault; see the .pyx."""

from libc.stdint cimport uint32_t

cdef int chs_action_index(uint32_t move) noexcept nogil
cdef uint32_t chs_action_at(int index) noexcept nogil
