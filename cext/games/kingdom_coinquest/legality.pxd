"""Why a well-formed move is not legal; see the .pyx."""

from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport Refusal

from .state cimport Rules, State

# `Game.check_move`; in an observation a hidden hand may hold any card.
cdef int kc_check_move(
    const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil
