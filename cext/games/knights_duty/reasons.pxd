"""Why states of A Knight's Duty are not valid and moves not legal; see the .pyx."""

from libc.stdint cimport uint32_t

from ...game cimport Refusal
from .state cimport Rules, State

# `Game.check_state`: R13.5 to R13.7, of positions and observations alike.
cdef int kd_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil

# `Game.check_move`.
cdef int kd_check_move(
    const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil
