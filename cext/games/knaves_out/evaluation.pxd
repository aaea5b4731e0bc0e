"""Evaluation of Knaves Out; see the .pyx."""

from kingmaker.cext.net cimport Net

from .state cimport Rules, State

# `Game.evaluate`: heuristic win shares, by weights and with two seats by a net too, if there is
# one; exact when the game is over.
cdef void ko_evaluate(
    const Rules* rules, Net net, const State* s, double* out) noexcept nogil

# The enemy whose king is nearest to the own one, where there is a king; -1 without an enemy.
cdef int ko_nearest_enemy(const Rules* rules, const State* s, int seat) noexcept nogil
