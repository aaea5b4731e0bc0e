"""The choices of the playout policy of Knaves Out by hand; see the .pyx."""

from libc.stdint cimport uint32_t

from ...rng cimport bitgen_t
from .state cimport Player, Rules, State

# Draw an action by priorities, or NO_CHOICE.
cdef uint32_t ko_scripted_action(
    const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil

# Attack with the first soldier that can, else bring one closer to an enemy king; or NO_CHOICE.
cdef uint32_t ko_scripted_step(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil

# The tower that a card fits on, `first` or the next ones; the ace tower only if there is no other.
cdef int ko_next_tower(const Rules* rules, const Player* p, int card, int first) noexcept nogil
