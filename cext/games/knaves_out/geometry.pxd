"""Boards, squares and adjacency (section 3); see the .pyx."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.stdlib cimport abs

from .state cimport Rules, State

cdef extern from *:
    """
    #define KO_EDGE 0xFF818181818181FFull   /* the squares of a board at its edge */
    """
    const uint64_t EDGE "KO_EDGE"

# A square by its place among those of all boards.
cdef struct Spot:
    int x
    int y

cdef enum:          # steps
    LANDING = 2     # from the sea to the coast, after a turn at the earliest
    VOYAGE = 6      # from coast to coast: one to sail, the landing, and a lost turn

# Fill the tables of fixed boards.
cdef void ko_lay_out(Rules* rules) noexcept nogil

# Write the squares adjacent to a square, in square order, from the boards of the state; returns
# their number.
cdef int ko_around(const Rules* rules, const State* s, int square, uint16_t* out) noexcept nogil

# The same of fixed boards one of which is an island.
cdef int ko_around_island(
    const Rules* rules, const State* s, int square, uint16_t* out) noexcept nogil

# Whether a square has an empty adjacent square.
cdef bint ko_has_exit(const Rules* rules, const State* s, int square) noexcept nogil

# Whether the board of a seat may lie here (R3.3).
cdef bint ko_fits(const Rules* rules, const State* s, int seat, int x, int y) noexcept nogil

# Write the moves BOARD of a seat; returns their number.
cdef int ko_board_moves(
    const Rules* rules, const State* s, int seat, uint32_t* out) noexcept nogil

# The steps from a square to the nearest one of its board that has a side to the sea.
cdef int ko_to_coast(const Rules* rules, const State* s, int square) noexcept nogil

# The steps between two squares, by sea where an island lies between them.
cdef int ko_way(const Rules* rules, const State* s, int first, int second) noexcept nogil

# The enemy whose king is nearest to the own one, where there is a king, of several the first after
# the seat; -1 without an enemy.
cdef int ko_nearest_enemy(const Rules* rules, const State* s, int seat) noexcept nogil


cdef inline int neighbours(
        const Rules* rules, const State* s, int square, const uint16_t** out,
        uint16_t* room) noexcept nogil:
    """List the adjacent squares (R2.2) in square order; `room` has eight places for them."""
    if not rules.places_boards and (s.island == 0 or not EDGE >> (square & 63) & 1):
        out[0] = rules.around[square]
        return rules.num_around[square]
    out[0] = room
    if rules.places_boards:
        return ko_around(rules, s, square, room)
    return ko_around_island(rules, s, square, room)


cdef inline bint are_adjacent(const State* s, int first, int second) noexcept nogil:
    """R2.2."""
    cdef int one = first >> 6
    cdef int other = second >> 6
    cdef int dx = (first >> 3 & 7) - (second >> 3 & 7)
    cdef int dy = (first & 7) - (second & 7)
    if one != other:
        if s.island == one + 1 or s.island == other + 1:
            return False
        dx += s.x[one] - s.x[other]
        dy += s.y[one] - s.y[other]
    return -1 <= dx <= 1 and -1 <= dy <= 1 and first != second


cdef inline bint is_coastal(const Rules* rules, const State* s, int square) noexcept nogil:
    """R2.3."""
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int file = square >> 3 & 7
    cdef int rank = square & 7
    if 0 < file < 7 and 0 < rank < 7:
        return False
    return neighbours(rules, s, square, &around, room) < 8


cdef inline Spot spot_of(const State* s, int square) noexcept nogil:
    cdef Spot spot
    spot.x = s.x[square >> 6] + (square >> 3 & 7)
    spot.y = s.y[square >> 6] + (square & 7)
    return spot


cdef inline int steps_between(Spot one, Spot other) noexcept nogil:
    """The steps between two squares if all cells between were free land."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


cdef inline int space_between(const State* s, int first, int second) noexcept nogil:
    """The same of two squares by their numbers."""
    return steps_between(spot_of(s, first), spot_of(s, second))


cdef inline bint are_cut_off(const State* s, int first, int second) noexcept nogil:
    """Whether an island lies between two squares, so that soldiers must sail (R2.2)."""
    cdef int one = first >> 6
    cdef int other = second >> 6
    return s.island != 0 and one != other and (s.island == one + 1 or s.island == other + 1)
