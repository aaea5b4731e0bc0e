"""Boards, squares and adjacency of Knaves Out (section 3 of the rules page)."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count

from .state cimport BOARD_SHIFT, NOWHERE, VERB_BOARD, Rules, State, move_of, on_square

cdef enum:
    SIDE = 8
    CONTACT = 3     # squares with a common side (R3.3)

cdef extern from *:
    """
    #define KO_CORNERS 0x8100000000000081ull
    #define KO_FIRST_RANK 0x0101010101010101ull
    """
    const uint64_t CORNERS "KO_CORNERS"
    const uint64_t FIRST_RANK "KO_FIRST_RANK"


cdef void ko_lay_out(Rules* rules) noexcept nogil:
    cdef State s
    cdef int seat, square
    memset(&s, 0, sizeof(State))
    for seat in range(rules.num_seats):
        s.players[seat].is_placed = 1
        s.x[seat] = rules.x[seat]
        s.y[seat] = rules.y[seat]
    for square in range(64 * rules.num_seats):
        rules.num_around[square] = ko_around(rules, &s, square, rules.around[square])


cdef int ko_around(const Rules* rules, const State* s, int square, uint16_t* out) noexcept nogil:
    cdef int own = square >> 6
    cdef int found = 0
    cdef int board, x, y, file, rank
    for board in range(rules.num_seats):
        if not s.players[board].is_placed:
            continue
        if board != own and (s.island == board + 1 or s.island == own + 1):
            continue
        x = (square >> 3 & 7) + s.x[own] - s.x[board]
        y = (square & 7) + s.y[own] - s.y[board]
        if not (-1 <= x <= SIDE and -1 <= y <= SIDE):
            continue
        for file in range(max(0, x - 1), min(SIDE, x + 2)):
            for rank in range(max(0, y - 1), min(SIDE, y + 2)):
                if board != own or file != x or rank != y:
                    out[found] = 64 * board + 8 * file + rank
                    found += 1
    return found


cdef int ko_around_island(
        const Rules* rules, const State* s, int square, uint16_t* out) noexcept nogil:
    cdef int own = square >> 6
    cdef int island = s.island - 1
    cdef int found = 0
    cdef int i, board
    for i in range(rules.num_around[square]):
        board = rules.around[square][i] >> 6
        if board == own or (own != island and board != island):
            out[found] = rules.around[square][i]
            found += 1
    return found


cdef bint ko_has_exit(const Rules* rules, const State* s, int square) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i
    for i in range(neighbours(rules, s, square, &around, room)):
        if on_square(s, around[i]) == 0:
            return True
    return False


# --- ways by sea ----------------------------------------------------------------------------------

cdef int ko_to_coast(const Rules* rules, const State* s, int square) noexcept nogil:
    cdef uint64_t coast = coast_of(rules, s, square >> 6)
    cdef uint64_t reached = <uint64_t>1 << (square & 63)
    cdef int steps = 0
    while not reached & coast and steps < SIDE:
        reached |= (reached & ~(FIRST_RANK << 7)) << 1 | (reached & ~FIRST_RANK) >> 1
        reached |= reached << 8 | reached >> 8
        steps += 1
    return steps


cdef int ko_way(const Rules* rules, const State* s, int first, int second) noexcept nogil:
    if not are_cut_off(s, first, second):
        return space_between(s, first, second)
    return ko_to_coast(rules, s, first) + VOYAGE + ko_to_coast(rules, s, second)


cdef inline uint64_t coast_of(const Rules* rules, const State* s, int board) noexcept nogil:
    """The squares of a board with a side to the sea."""
    cdef uint64_t files = 0     # with land beyond the first or last file
    cdef uint64_t ranks = 0
    cdef int other, dx, dy
    for other in range(rules.num_seats):
        if other == board or not s.players[other].is_placed or (
                s.island == board + 1 or s.island == other + 1):
            continue
        dx = s.x[other] - s.x[board]
        dy = s.y[other] - s.y[board]
        if dx == SIDE or dx == -SIDE:
            files |= contact(dx, dy)
        else:
            ranks |= contact(dx, dy)
    return EDGE & ~(files & ranks) & (~(files | ranks) | CORNERS)


# --- placing boards -------------------------------------------------------------------------------

cdef bint ko_fits(const Rules* rules, const State* s, int seat, int x, int y) noexcept nogil:
    cdef uint64_t touching = 0
    cdef int other, dx, dy
    for other in range(rules.num_seats):
        if other == seat or not s.players[other].is_placed:
            continue
        dx = s.x[other] - x
        dy = s.y[other] - y
        if -SIDE < dx < SIDE and -SIDE < dy < SIDE:
            return False
        touching |= contact(dx, dy)
    return count(touching) >= CONTACT


cdef inline uint64_t contact(int dx, int dy) noexcept nogil:
    """The squares of a board with a side in common with a board dx, dy from it."""
    cdef uint64_t found = 0
    cdef int i
    if dx == SIDE or dx == -SIDE:
        for i in range(max(0, dy), min(SIDE, SIDE + dy)):
            found |= <uint64_t>1 << (8 * (SIDE - 1 if dx > 0 else 0) + i)
    elif dy == SIDE or dy == -SIDE:
        for i in range(max(0, dx), min(SIDE, SIDE + dx)):
            found |= <uint64_t>1 << (8 * i + (SIDE - 1 if dy > 0 else 0))
    return found


cdef int ko_board_moves(
        const Rules* rules, const State* s, int seat, uint32_t* out) noexcept nogil:
    cdef int left = 127
    cdef int low = 127
    cdef int right = -128
    cdef int high = -128
    cdef int found = 0
    cdef int other, x, y
    for other in range(rules.num_seats):
        if s.players[other].is_placed:
            left = min(left, s.x[other])
            right = max(right, s.x[other])
            low = min(low, s.y[other])
            high = max(high, s.y[other])
    for x in range(left - SIDE, right + SIDE + 1):
        for y in range(low - SIDE, high + SIDE + 1):
            if ko_fits(rules, s, seat, x, y):
                out[found] = move_of(VERB_BOARD, x + BOARD_SHIFT, y + BOARD_SHIFT)
                found += 1
    return found


cdef int ko_nearest_enemy(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef int own = s.players[seat].king
    cdef int shortest = 1 << 16
    cdef int found = -1
    cdef int other = seat
    cdef int king, distance, _
    for _ in range(1, rules.num_seats):     # from the next seat on: ties shall favour no number
        other = other + 1 if other + 1 < rules.num_seats else 0
        king = s.players[other].king
        if king == NOWHERE:
            continue
        if own == NOWHERE or rules.num_seats == 2:
            return other
        distance = ko_way(rules, s, own, king) if s.island else space_between(s, own, king)
        if distance < shortest:
            shortest = distance
            found = other
    return found
