"""Steps, sailing and landing (R8): conditions, and what a step does; see the .pyx.

Conditions return a `Fault`.
"""

from libc.stdint cimport uint32_t

from .state cimport Piece, Rules, State

# Steps and dice of a soldier where it stands, before other effects (R8.2).
cdef int ko_strength(const Rules* rules, const State* s, const Piece* piece) noexcept nogil

# Whether a piece of the active seat has a step left (R8.3, R8.4; with surge R8.2).
cdef bint ko_has_step(const Rules* rules, const State* s, const Piece* piece) noexcept nogil

# Whether Sheer Heart Attack lets a pawn or other piece of the active seat step between two squares
# (R8.9); `start` or `goal` is -1 for the sea. `holder` is its square, -1 at sea.
cdef int ko_heart_fault(
    const Rules* rules, const State* s, int letter, int holder, int start, int goal) noexcept nogil

# `move:`, `sail:`, `land:` of the active seat.
cdef int ko_step_fault(const Rules* rules, const State* s, int start, int goal) noexcept nogil
cdef int ko_sail_fault(const Rules* rules, const State* s, int square) noexcept nogil
cdef int ko_land_fault(const Rules* rules, const State* s, int letter, int checkers) noexcept nogil

# Whether a soldier at sea may land here.
cdef int ko_landing_fault(
    const Rules* rules, const State* s, int letter, int square) noexcept nogil

# Whether the Ivory Tower hurts this soldier of the active seat before its step (R11.4).
cdef bint ko_is_in_hazard(const State* s, int square) noexcept nogil

# Make a step (MOVE or SAIL) of the active seat, if it is still possible (R8.5).
cdef void ko_finish_step(const Rules* rules, State* s, uint32_t move) noexcept nogil

# Put a soldier from the sea on a square.
cdef void ko_land(
    const Rules* rules, State* s, int letter, int checkers, int square) noexcept nogil
