"""The order of the moves of a turn; see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport State

# `Game.is_redundant`.
cdef bint ko_is_redundant(const State* s, uint32_t previous, uint32_t move) noexcept nogil

# `Game.is_pointless`.
cdef bint ko_is_pointless(const State* s, uint32_t move) noexcept nogil
