"""What the policy of Knaves Out chooses by learned factors; see the .pyx."""

from libc.stdint cimport uint32_t

from ...choice cimport Factors
from ...rng cimport bitgen_t
from .state cimport Player, Rules, State

# Draw an action, or NO_CHOICE.
cdef uint32_t ko_action(
    const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil

# Draw an attack or a step for the first soldier that has one and does not stay, or
# NO_CHOICE.
cdef uint32_t ko_blow_or_step(
    const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil

# Draw a tower for a card that fits on one.
cdef int ko_tower(
    const Rules* rules, const Factors* factors, const Player* p, int seat, int card,
    bitgen_t* rng) noexcept nogil

# Draw a yes (its row) or a no (the next row).
cdef bint ko_agrees(const Factors* factors, int row, int seat, bitgen_t* rng) noexcept nogil

# The square of the enemy soldier nearest to the king of a seat or to its Ivory Tower, if that is
# near; else -1.
cdef int ko_threat(const Rules* rules, const State* s, int seat) noexcept nogil

# Draw the square of an Ivory Tower that the seat calls.
cdef uint32_t ko_site(
    const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil
