"""The spaces of an arena, hexagonal or square, and their tables (section 4 of the rules page)."""

from libc.stdint cimport int8_t
from libc.stdlib cimport abs
from libc.string cimport memset

from .state cimport E, N, NE, NOWHERE, NW, S, STAY, W, Arena

cdef extern from *:
    """
    /* By direction: none, stay, n, ne, e, se, s, sw, w, nw. */
    static const signed char KD_HEX_Q[16] = {0, 0, 0, 1, 1, 0, 0, -1, -1, 0};
    static const signed char KD_HEX_R[16] = {0, 0, 0, -1, 0, 1, 0, 1, 0, -1};
    static const signed char KD_SQUARE_Q[16] = {0, 0, 0, 1, 1, 1, 0, -1, -1, -1};
    static const signed char KD_SQUARE_R[16] = {0, 0, -1, -1, 0, 1, 1, 1, 0, -1};
    """
    const int8_t* HEX_Q "KD_HEX_Q"
    const int8_t* HEX_R "KD_HEX_R"
    const int8_t* SQUARE_Q "KD_SQUARE_Q"
    const int8_t* SQUARE_R "KD_SQUARE_R"


cdef inline int length_of(bint is_square, int dq, int dr) noexcept nogil:
    """The distance that a difference of coordinates makes (R2.3, R2.6)."""
    cdef int longest = max(abs(dq), abs(dr))
    return longest if is_square else max(longest, abs(dq + dr))


cdef inline int space_at(const Arena* arena, int q, int r) noexcept nogil:
    """The number of a space, or NOWHERE."""
    cdef int space
    for space in range(arena.num_spaces):
        if arena.q[space] == q and arena.r[space] == r:
            return space
    return NOWHERE


cdef inline void lay_out(Arena* arena, bint is_square, int radius) noexcept nogil:
    """Fill all tables."""
    cdef int q, r
    memset(arena, 0, sizeof(Arena))
    for r in range(-radius, radius + 1):
        for q in range(-radius, radius + 1):
            if length_of(is_square, q, r) <= radius:
                arena.q[arena.num_spaces] = q
                arena.r[arena.num_spaces] = r
                arena.num_spaces += 1
    arena.centre = space_at(arena, 0, 0)
    lay_corners(arena, is_square, radius)
    lay_neighbours(arena, is_square)
    lay_distances(arena, is_square)


cdef inline void lay_corners(Arena* arena, bint is_square, int radius) noexcept nogil:
    """R2.4, R2.6: in all directions of a hexagon, and in the diagonal ones of a square."""
    cdef int direction
    for direction in range(NE, NW + 1):
        if is_square and direction in (E, S, W):
            continue
        if not is_square and direction == S:
            continue
        arena.corners[arena.num_corners] = space_at(
            arena,
            radius * (SQUARE_Q if is_square else HEX_Q)[direction],
            radius * (SQUARE_R if is_square else HEX_R)[direction])
        arena.num_corners += 1


cdef inline void lay_neighbours(Arena* arena, bint is_square) noexcept nogil:
    cdef int space, direction
    memset(arena.neighbour, NOWHERE, sizeof(arena.neighbour))
    for space in range(arena.num_spaces):
        for direction in range(STAY, NW + 1):
            if not is_square and direction in (N, S):
                continue
            arena.neighbour[space][direction] = space_at(
                arena,
                arena.q[space] + (SQUARE_Q if is_square else HEX_Q)[direction],
                arena.r[space] + (SQUARE_R if is_square else HEX_R)[direction])


cdef inline void lay_distances(Arena* arena, bint is_square) noexcept nogil:
    cdef int first, second
    for first in range(arena.num_spaces):
        for second in range(arena.num_spaces):
            arena.distance[first * arena.num_spaces + second] = length_of(
                is_square, arena.q[second] - arena.q[first], arena.r[second] - arena.r[first])
