"""Squares that the figures of Chessault reach from each of the 80 squares; see the .pyx."""

from libc.stdint cimport uint64_t

cdef enum Direction:        # the first four lead to higher squares, the others to lower ones
    NORTH
    EAST
    NORTH_EAST
    NORTH_WEST
    SOUTH
    WEST
    SOUTH_EAST
    SOUTH_WEST

# Sets of squares of rows 1 to 8. From a square of rows 0 and 9 only squares of its spawn quarter
# (R7.1), so that recruited figures need no other test.
cdef struct Reach:
    uint64_t[8] rays        # by direction, to the edge
    uint64_t knight
    uint64_t king           # from rows 1 to 8: this part of the radius
    uint64_t[2] steps       # one square forward, by seat
    uint64_t[2] strikes     # one square diagonally forward, by seat

cdef Reach[80] REACH


cdef extern from *:
    int leading_zeros "__builtin_clzll"(uint64_t mask) noexcept nogil  # undefined for 0


cdef inline uint64_t up_to_blocker(uint64_t ray, uint64_t occupied) noexcept nogil:
    """The part of a ray to higher squares that ends with the first figure met."""
    cdef uint64_t blockers = ray & occupied
    return ray & (blockers ^ (blockers - 1))


cdef inline uint64_t down_to_blocker(uint64_t ray, uint64_t occupied) noexcept nogil:
    """The same for a ray to lower squares."""
    return ray & -(<uint64_t>1 << 63 >> leading_zeros(ray & occupied | 1))


cdef inline uint64_t straight_lines(const Reach* reach, uint64_t occupied) noexcept nogil:
    """Squares that a rook sees, the figures that stop it included."""
    return (up_to_blocker(reach.rays[<int>NORTH], occupied)
            | up_to_blocker(reach.rays[<int>EAST], occupied)
            | down_to_blocker(reach.rays[<int>SOUTH], occupied)
            | down_to_blocker(reach.rays[<int>WEST], occupied))


cdef inline uint64_t diagonal_lines(const Reach* reach, uint64_t occupied) noexcept nogil:
    """Squares that a bishop sees, the figures that stop it included."""
    return (up_to_blocker(reach.rays[<int>NORTH_EAST], occupied)
            | up_to_blocker(reach.rays[<int>NORTH_WEST], occupied)
            | down_to_blocker(reach.rays[<int>SOUTH_EAST], occupied)
            | down_to_blocker(reach.rays[<int>SOUTH_WEST], occupied))
