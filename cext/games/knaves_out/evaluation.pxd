"""Evaluation of Knaves Out; see the .pyx."""

from kingmaker.cext.net cimport Net

from .state cimport Rules, State

# `Game.evaluate`: heuristic win shares, by weights and by a net too, if there is one;
# exact when the game is over.
cdef void ko_evaluate(
    const Rules* rules, Net net, const State* s, double* out) noexcept nogil
