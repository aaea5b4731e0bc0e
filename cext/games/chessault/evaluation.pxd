"""The evaluation of Chessault; see the .pyx."""

from .state cimport Rules, State

# Write heuristic win shares; exact when the game is over.
cdef void chs_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil
