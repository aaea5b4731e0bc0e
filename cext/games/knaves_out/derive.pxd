"""What follows from the rest of a state; see the .pyx."""

from .state cimport Rules, State

# Fill the deck of each player whose hand is known, effects, counts, squares and kings from pieces,
# sea, the Two Towers, towers, discards and hands, which must have values in their ranges. Pieces
# must be sorted; where two are on a square, the last one is on `squares`.
cdef void ko_derive(const Rules* rules, State* s) noexcept nogil
