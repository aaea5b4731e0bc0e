"""Turns, draws, defeat and the end of the game (R4, R12); see the .pyx."""

from libc.string cimport memset

from .state cimport Context, Rules, State

# The next living seat in seating order (R3.1).
cdef int ko_next_seat(const Rules* rules, const State* s, int seat) noexcept nogil

# Begin the turn of a living seat (R4.1), and that of the next one where it is lost.
cdef void ko_begin_turn(const Rules* rules, State* s, int seat) noexcept nogil

# End the turn of the active seat, dead or alive, and begin the next (R4.6).
cdef void ko_end_turn(const Rules* rules, State* s) noexcept nogil

# Go on to the next draw of a seat, or without one to `main` (R4.3).
cdef void ko_go_on_drawing(State* s, int seat, bint is_wind) noexcept nogil

# A mask of seats falls at once (R12.1); may end the game.
cdef void ko_defeat(const Rules* rules, State* s, int seats) noexcept nogil

# After anything that may have defeated seats: back to `main`, on to the next turn if the active
# seat is gone (R12.3), or nothing at the end of the game.
cdef void ko_return_to_main(const Rules* rules, State* s) noexcept nogil

# One damage point falls on the piece here, whatever it is (R10.2, R11.3).
cdef void ko_hurt(const Rules* rules, State* s, int square) noexcept nogil


cdef inline void go(State* s, int stage, int node) noexcept nogil:
    """Go to a node without context; the caller may fill that."""
    s.stage = stage
    s.node = node
    memset(&s.context, 0, sizeof(Context))
