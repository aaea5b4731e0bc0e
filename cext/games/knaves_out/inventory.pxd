"""The cards of valid states of Knaves Out (R14.5b, c); see the .pyx."""

from ...game cimport Refusal
from .state cimport Player, Rules, State

# Check the cards of a state and what records tell of its hands.
cdef int ko_check_cards(const Rules* rules, const State* s, Refusal* out) noexcept nogil

# The number of cards of a player that are in hand or deck.
cdef int ko_num_unseen(const Player* p) noexcept nogil
