"""Queries on a state of Chessault: figures, sets of figures and their destinations."""

from libc.stdint cimport uint8_t, uint64_t

from kingmaker.cext.bits cimport lowest, pop_lowest

from .geometry cimport REACH, Reach, diagonal_lines, straight_lines
from .state cimport (
    BISHOP, BLACK, FIGURE_FRESH, FIGURE_MOVED, KING, KNIGHT, LINE_MOVED, MOST_MARKS, NO_SQUARE,
    NO_TYPE, PAWN, PLANE_ABILITY, PLANE_BLACK, PLANE_MOVED, QUEEN, ROOK, WHITE, State,
    figure_of, file_of, in_own_half, is_on_board, line_row, owner_of, row_of, type_of)

cdef extern from *:
    """
    #define CHS_FILE_A 0x0101010101010101ULL
    #define CHS_FILE_H 0x8080808080808080ULL
    #define CHS_EXPLODE_FIELDS 0x8100240000240081ULL    /* a1 h1 c3 f3 c6 f6 a8 h8 (R2.2) */
    #define CHS_CONVERT_FIELDS 0x0042001818004200ULL    /* b2 g2 d4 e4 d5 e5 b7 g7 */
    """
    const uint64_t FILE_A "CHS_FILE_A"
    const uint64_t FILE_H "CHS_FILE_H"
    const uint64_t EXPLODE_FIELDS "CHS_EXPLODE_FIELDS"
    const uint64_t CONVERT_FIELDS "CHS_CONVERT_FIELDS"


# --- figures --------------------------------------------------------------------------------------

cdef inline uint64_t bit_of(int square) noexcept nogil:
    """The set of one square of rows 1 to 8."""
    return <uint64_t>1 << square - 8


cdef inline int figure_on_board(const State* s, int bit) noexcept nogil:
    cdef int figure = 0
    cdef int i
    for i in range(8):
        figure |= <int>(s.planes[i] >> bit & 1) << i
    return figure


cdef inline int type_on_board(const State* s, int bit) noexcept nogil:
    return <int>(s.planes[0] >> bit & 1 | (s.planes[1] >> bit & 1) << 1
                 | (s.planes[2] >> bit & 1) << 2)


cdef inline int figure_on_line(const State* s, int seat, int file) noexcept nogil:
    cdef const uint8_t* line = s.lines[seat]
    cdef int type = line[0] >> file & 1 | (line[1] >> file & 1) << 1 | (line[2] >> file & 1) << 2
    if type == NO_TYPE:
        return 0
    return (figure_of(type, seat) | (FIGURE_FRESH if type == PAWN else 0)
            | (FIGURE_MOVED if line[<int>LINE_MOVED] >> file & 1 else 0))


cdef inline int figure_at(const State* s, int square) noexcept nogil:
    if is_on_board(square):
        return figure_on_board(s, square - 8)
    return figure_on_line(s, square > 8, file_of(square))


# --- sets -----------------------------------------------------------------------------------------

cdef inline uint64_t occupied_squares(const State* s) noexcept nogil:
    return s.planes[0] | s.planes[1] | s.planes[2]


cdef inline uint64_t owned_squares(const State* s, int seat) noexcept nogil:
    if seat == BLACK:
        return s.planes[<int>PLANE_BLACK]
    return occupied_squares(s) & ~s.planes[<int>PLANE_BLACK]


cdef inline uint64_t of_type(const State* s, int type) noexcept nogil:
    """The figures of a type, of both sides."""
    return ((s.planes[0] ^ ((type & 1) - <uint64_t>1))
            & (s.planes[1] ^ ((type >> 1 & 1) - <uint64_t>1))
            & (s.planes[2] ^ ((type >> 2 & 1) - <uint64_t>1)))


cdef inline uint64_t holders_of(const State* s, int ability) noexcept nogil:
    """The figures that hold an ability."""
    return ((s.planes[<int>PLANE_ABILITY] ^ ((ability & 1) - <uint64_t>1))
            & (s.planes[<int>PLANE_ABILITY + 1] ^ ((ability >> 1 & 1) - <uint64_t>1)))


cdef inline uint64_t straight_sliders(const State* s) noexcept nogil:
    """Rooks and queens, by their numbers in binary."""
    return s.planes[2] & ~s.planes[1]


cdef inline uint64_t diagonal_sliders(const State* s) noexcept nogil:
    """Bishops and queens."""
    return s.planes[0] & (s.planes[1] | s.planes[2])


cdef inline uint64_t sacrifices(const State* s, int seat) noexcept nogil:
    """Knights, bishops, rooks and queens on the board (R6.7)."""
    return owned_squares(s, seat) & (s.planes[1] ^ s.planes[2])


cdef inline int line_files(const State* s, int seat) noexcept nogil:
    """The files of a line on which a figure stands."""
    return s.lines[seat][0] | s.lines[seat][1] | s.lines[seat][2]


cdef inline int line_sacrifices(const State* s, int seat) noexcept nogil:
    """The files of a line with a figure other than a pawn."""
    return s.lines[seat][1] ^ s.lines[seat][2]


cdef inline int king_square(const State* s, int seat) noexcept nogil:
    """The square of a king that is on the board."""
    return lowest(of_type(s, KING) & owned_squares(s, seat)) + 8


# --- movement -------------------------------------------------------------------------------------

cdef inline uint64_t targets(
        int figure, int square, uint64_t occupied, uint64_t own) noexcept nogil:
    """The legal destinations of a figure (R7.1-R7.5)."""
    cdef const Reach* reach = &REACH[square]
    cdef int type = type_of(figure)
    if type == PAWN:
        return pawn_targets(figure, square, occupied, own)
    if type == KNIGHT:
        return reach.knight & ~own
    if type == KING:
        return reach.king & ~own
    cdef uint64_t seen = 0
    if type != ROOK:
        seen = diagonal_lines(reach, occupied)
    if type != BISHOP:
        seen |= straight_lines(reach, occupied)
    return seen & ~own


cdef inline uint64_t pawn_targets(
        int figure, int square, uint64_t occupied, uint64_t own) noexcept nogil:
    """R7.4, R7.5."""
    cdef const Reach* reach = &REACH[square]
    cdef int seat = owner_of(figure)
    cdef uint64_t found = reach.steps[seat] & ~occupied
    if figure & FIGURE_FRESH:
        found |= (found >> 8 if seat == BLACK else found << 8) & ~occupied
    return found | reach.strikes[seat] & occupied & ~own


cdef inline int movable_types(const State* s) noexcept nogil:
    """M of R6.1, by operations on sets instead of a loop over figures.

    A figure that slides can move if and only if it can by one square.
    """
    cdef uint64_t own = owned_squares(s, s.side)
    cdef uint64_t movers = own & ~s.planes[<int>PLANE_MOVED]
    cdef uint64_t east = ~own & ~FILE_A         # a step to the east ends on no square of file a
    cdef uint64_t west = ~own & ~FILE_H
    cdef uint64_t straight = ~own >> 8 | ~own << 8 | east >> 1 | west << 1
    cdef uint64_t diagonal = east >> 9 | east << 7 | west >> 7 | west << 9
    cdef uint64_t kings = s.planes[1] & s.planes[2]
    cdef uint64_t bishops = s.planes[0] & s.planes[1]
    cdef uint64_t queens = s.planes[0] & s.planes[2]
    cdef uint64_t pawns = movers & s.planes[0] & ~s.planes[1] & ~s.planes[2]
    cdef uint64_t knights = movers & of_type(s, KNIGHT)
    cdef int types = (      # the comparisons are 0 or 1
        ((movers & bishops & diagonal) != 0) << BISHOP
        | ((movers & straight_sliders(s) & ~queens & straight) != 0) << ROOK
        | ((movers & queens & (straight | diagonal)) != 0) << QUEEN
        | ((movers & kings & (straight | diagonal)) != 0) << KING
        | can_any_pawn_move(s, pawns, own) << PAWN)
    while knights:
        if REACH[pop_lowest(&knights) + 8].knight & ~own:
            types |= 1 << KNIGHT
            break
    return types | movable_recruits(s, own) if line_files(s, s.side) else types


cdef inline bint can_anything_move(const State* s) noexcept nogil:
    """Whether M is not empty: nearly always the king or a queen has room."""
    cdef uint64_t own = owned_squares(s, s.side)
    cdef uint64_t open_files = ~own | (~own & ~FILE_A) >> 1 | (~own & ~FILE_H) << 1
    cdef uint64_t near = open_files | open_files >> 8 | open_files << 8
    cdef uint64_t kings_and_queens = s.planes[2] & (s.planes[0] | s.planes[1])
    return (near & kings_and_queens & own & ~s.planes[<int>PLANE_MOVED] != 0
            or movable_types(s) != 0)


cdef inline bint can_any_pawn_move(const State* s, uint64_t pawns, uint64_t own) noexcept nogil:
    cdef uint64_t occupied = occupied_squares(s)
    cdef uint64_t enemies = occupied & ~own
    cdef uint64_t ahead
    if s.side == BLACK:
        ahead = ~occupied << 8 | (enemies & ~FILE_A) << 7 | (enemies & ~FILE_H) << 9
    else:
        ahead = ~occupied >> 8 | (enemies & ~FILE_A) >> 9 | (enemies & ~FILE_H) >> 7
    return pawns & ahead != 0


cdef inline int movable_recruits(const State* s, uint64_t own) noexcept nogil:
    """The types of X's recruited figures that can move, by the two rows before the line."""
    cdef const uint8_t* line = s.lines[s.side]
    cdef int free = row_before(s, ~occupied_squares(s), 1)
    cdef int near = row_before(s, ~own, 1)
    cdef int second = row_before(s, ~own, 2)
    cdef int movers = ~line[<int>LINE_MOVED]
    cdef int straight = near & movers
    cdef int diagonal = beside(near) & movers
    cdef int hops = ((near & 0xCC) >> 2 | (near & 0x33) << 2 | beside(second)) & movers
    return (
        ((line[0] & ~line[1] & ~line[2] & (free | beside(near & ~free)) & movers) != 0) << PAWN
        | ((line[1] & ~line[0] & hops) != 0) << KNIGHT
        | ((line[0] & line[1] & diagonal) != 0) << BISHOP
        | ((line[2] & ~line[0] & straight) != 0) << ROOK
        | ((line[2] & line[0] & (straight | diagonal)) != 0) << QUEEN)


cdef inline int row_before(const State* s, uint64_t squares, int distance) noexcept nogil:
    """The files of a set in the row at a given distance before X's line."""
    return squares >> (64 - 8 * distance if s.side == BLACK else 8 * distance - 8) & 255


cdef inline int beside(int files) noexcept nogil:
    """The files one to the left or right, without leaving a quarter."""
    return (files & 0xEE) >> 1 | (files & 0x77) << 1


# --- check and radius -----------------------------------------------------------------------------

cdef inline uint64_t attackers_of(const State* s, int square, int seat) noexcept nogil:
    """The figures of a seat on the board that could attack a square of the other side."""
    cdef const Reach* reach = &REACH[square]
    cdef uint64_t occupied = occupied_squares(s)
    cdef uint64_t found = (
        reach.knight & of_type(s, KNIGHT) | reach.king & of_type(s, KING)
        | reach.strikes[1 - seat] & of_type(s, PAWN))
    cdef uint64_t sliders = straight_sliders(s)
    if sliders:
        found |= straight_lines(reach, occupied) & sliders
    sliders = diagonal_sliders(s)
    if sliders:
        found |= diagonal_lines(reach, occupied) & sliders
    return found & owned_squares(s, seat)


cdef inline int line_attackers_of(const State* s, int square, int seat) noexcept nogil:
    """The files of a seat's line with figures that could attack a square of the other side."""
    cdef uint64_t files = line_files(s, seat) & (0xF0 if file_of(square) >= 4 else 0x0F)
    cdef uint64_t occupied, own
    cdef int found = 0
    cdef int file
    if not files or not in_own_half(square, seat):
        return 0
    occupied = occupied_squares(s)
    own = owned_squares(s, seat)
    while files:
        file = pop_lowest(&files)
        if bit_of(square) & targets(
                figure_on_line(s, seat, file), 8 * line_row(seat) + file, occupied, own):
            found |= 1 << file
    return found


cdef inline bint is_checked(const State* s, int seat) noexcept nogil:
    """R7.8, of a king that is on the board."""
    cdef int king = king_square(s, seat)
    return (attackers_of(s, king, 1 - seat) != 0 or is_about_to_be_converted(s, king)
            or line_attackers_of(s, king, 1 - seat) != 0)


cdef inline bint is_in_check(const State* s) noexcept nogil:
    return is_checked(s, s.side)


cdef inline bint is_touching(int square, int other) noexcept nogil:
    """Whether two squares of rows 1 to 8 are in each other's radius."""
    return REACH[square].king & bit_of(other) != 0


cdef inline bint is_about_to_be_converted(const State* s, int square) noexcept nogil:
    """Whether a figure is the target of a mark whose converter touches it."""
    cdef int i
    for i in range(MOST_MARKS):
        if s.marks[i].target == square:
            return s.marks[i].converter != NO_SQUARE and is_touching(
                s.marks[i].converter, square)
    return False


cdef inline uint64_t marked_squares(const State* s) noexcept nogil:
    cdef uint64_t squares = 0
    cdef int i
    for i in range(MOST_MARKS):
        if s.marks[i].target != NO_SQUARE:
            squares |= bit_of(s.marks[i].target)
    return squares


cdef inline uint64_t convertible(const State* s, int square) noexcept nogil:
    """The figures that X's converter on a square may mark (R9.12)."""
    return REACH[square].king & owned_squares(s, 1 - s.side) & ~marked_squares(s)


cdef inline int line_in_radius(const State* s, int square, int seat) noexcept nogil:
    """The files of a line with figures that touch a square of rows 1 to 8."""
    if row_of(square) != (8 if seat == BLACK else 1):
        return 0
    return line_files(s, seat) & (7 << file_of(square) >> 1)


cdef inline bint is_anybody_near(const State* s, int square) noexcept nogil:
    """Whether any figure is in the radius of a square (R9.8)."""
    return (REACH[square].king & occupied_squares(s) or line_in_radius(s, square, WHITE)
            or line_in_radius(s, square, BLACK))
