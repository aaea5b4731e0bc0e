"""Which packed positions and observations are valid (R12.4, R12.6); see the .pyx."""

from kingmaker.cext.game cimport Refusal

from .state cimport Rules, State

# `Game.check_state`; the forge is the set of all cards that lie nowhere else.
cdef int kc_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil
