"""Evaluation of Knaves Out; see the .pyx."""

from kingmaker.cext.net cimport Net

from .state cimport Rules, State

# Heuristic win shares, by weights and by a net too, if there is one; exact when the game is over.
# `Game.evaluate` is without a net, ends of playouts are with it.
cdef void ko_evaluate(
    const Rules* rules, Net net, const State* s, double* out) noexcept nogil
