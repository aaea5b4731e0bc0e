"""Start, transitions and result of Knaves Out; see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport Rules, State

# `Game.start`.
cdef void ko_start(const Rules* rules, State* s) noexcept nogil

# `Game.apply`.
cdef void ko_apply(const Rules* rules, State* s, uint32_t move) noexcept nogil

# `Game.returns`.
cdef void ko_returns(const Rules* rules, const State* s, double* out) noexcept nogil
