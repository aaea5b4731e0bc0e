"""Numbers of the moves of Knaves Out, see `Game.action_index`; see the .pyx."""

from libc.stdint cimport int32_t, uint32_t

from .state cimport Rules

# Where the numbers of each verb, within ACT of each action, and within a pair of squares on fixed
# boards of each first square begin; the last entry is the end.
cdef struct Numbering:
    int32_t[39] verb_at     # NUM_VERBS and the end
    int32_t[50] act_at      # NUM_ACTIONS and the end
    int32_t[513] pair_at    # SQUARES and the end

# Fill the table; returns the number of numbers.
cdef int ko_number_moves(const Rules* rules, Numbering* numbering) noexcept nogil

cdef int ko_action_index(
    const Rules* rules, const Numbering* numbering, uint32_t move) noexcept nogil
cdef uint32_t ko_action_at(
    const Rules* rules, const Numbering* numbering, int index) noexcept nogil
