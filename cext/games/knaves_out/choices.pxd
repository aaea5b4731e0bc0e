"""Moves as options of the policy of Knaves Out; see the .pyx."""

from libc.stdint cimport uint32_t

from ...choice cimport Choice, Factors
from .scene cimport Scene
from .state cimport Rules, State

# Add legal moves to the options of a choice; the scene is that of `ko_look`.
cdef void ko_offer(
    Choice* choice, const Factors* factors, const Rules* rules, const State* s, Scene* own,
    const uint32_t* moves, int num_moves) noexcept nogil
