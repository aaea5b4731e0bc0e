"""Evaluation of Knaves Out; see the .pyx."""

from .state cimport Rules, State

cdef enum:
    NUM_TERMS = 34      # of a seat

# Write the terms of each seat, a row of NUM_TERMS for each; those of the dead are 0.
cdef void ko_terms(const Rules* rules, const State* s, double* terms) noexcept nogil

# `Game.evaluate`: heuristic win shares; exact when the game is over.
cdef void ko_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil

# The enemy whose king is nearest to the own one, where there is a king; -1 without an enemy.
cdef int ko_nearest_enemy(const Rules* rules, const State* s, int seat) noexcept nogil
