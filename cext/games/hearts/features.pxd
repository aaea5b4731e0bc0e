"""Features of Hearts; see the .pyx."""

from libc.stdint cimport int32_t

from .state cimport State

# `Game.features`.
cdef int hearts_features(const State* s, int seat, int32_t* out) noexcept nogil

# `Game.num_features`.
cdef int hearts_num_features() noexcept nogil
