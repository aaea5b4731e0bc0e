"""The evaluation of Chessault; see the .pyx."""

from .state cimport END_OF_TURN, PHASE_ACTION, PHASE_MOVE, Rules, State

# Write heuristic win shares; exact when the game is over.
cdef void chs_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil

cdef enum:
    NUM_TERMS = 21

# Add `sign` times the terms of a seat, in the order of `Term`. Return the probability that it kills
# the rival's king in this turn.
cdef double chs_add_terms(
    const Rules* rules, const State* s, int seat, double sign, double* terms) noexcept nogil

# Probability that a number of rolls kills a king that these types attack, by so many figures.
# `rolled` are the types of a roll already made, 0 if the next one is open.
cdef double chs_kill_chance(
    int types, int num_figures, bint is_shielded, int num_rolls, int rolled) noexcept nogil


cdef inline int actions_left(const State* s) noexcept nogil:
    """Actions of this turn in which X may still move."""
    if s.action == END_OF_TURN:
        return 0
    return 4 - s.action if PHASE_ACTION <= s.phase <= PHASE_MOVE else 3 - s.action
