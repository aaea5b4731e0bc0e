"""Where soldiers of the playout policy of Knaves Out go, and what they spare; see the .pyx."""

from libc.stdint cimport uint32_t

from ...rng cimport bitgen_t
from .state cimport DARK, Piece, Rules, State, letter_on, on_square

cdef enum:
    NO_CHOICE = 0       # a `move_of(VERB_FIRST)`, which is an outcome: nothing to do here

# What a soldier here makes for: a king, or a Tower to destroy that is nearer.
cdef int ko_goal(const Rules* rules, const State* s, int square, int king) noexcept nogil

# Draw a step of a soldier to a goal, or NO_CHOICE.
cdef uint32_t ko_approach(
    const Rules* rules, const State* s, const Piece* piece, int goal, bitgen_t* rng) noexcept nogil


cdef inline bint is_worth_a_blow(const State* s, int square) noexcept nogil:
    """Points on the Dark Tower shorten its clock: they wait for the last checker."""
    return letter_on(on_square(s, square)) != DARK or s.dark.red + s.dark.black <= 1
