"""Legal moves and the dice of Chessault, in the canonical order of R13.6."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from kingmaker.cext.bits cimport pop_lowest
from kingmaker.cext.rng cimport below, bitgen_t

from .geometry cimport REACH
from .sets cimport (
    can_anything_move, convertible, figure_on_board, figure_on_line, is_in_check, king_square,
    line_files, line_sacrifices, movable_types, occupied_squares, of_type, owned_squares,
    sacrifices, targets, type_on_board)
from .state cimport (
    BLACK, CONVERT, FIGURE_FRESH, KING, LINE_MOVED, PAWN, PHASE_ACTION, PHASE_ACTIVATE,
    PHASE_KEEP, PHASE_MOVE, PHASE_PLACE, PHASE_PROMOTE, PHASE_SACRIFICE, PLANE_FRESH,
    PLANE_MOVED, QUEEN, VERB_BUY, VERB_CONVERT, VERB_DEPLOY, VERB_DICE, VERB_DONE, VERB_EXPLODE,
    VERB_HOLD, VERB_KEEP, VERB_KING, VERB_MOVE, VERB_PASS, VERB_PLACE, VERB_PROMOTE,
    VERB_RECRUIT, VERB_RESURRECT, VERB_ROLL, VERB_SACRIFICE, WHITE, State, ability_of, first_of,
    line_row, move_of, owner_of, second_of, type_of)

cdef extern from *:
    """
    static const uint8_t CHS_PRICES[7] = {0, 1, 3, 3, 5, 7, 0};     /* by type (R6.6) */
    /* Sets of at most three types, bit 1 << type, in the order of R13.6. */
    static const uint8_t CHS_ROLLS[42] = {
        0, 2, 4, 8, 16, 32, 64,
        6, 10, 18, 34, 66, 12, 20, 36, 68, 24, 40, 72, 48, 80, 96,
        14, 22, 38, 70, 26, 42, 74, 50, 82, 98, 28, 44, 76, 52, 84, 100, 56, 88, 104, 112};
    /* Of 216 rolls, how many come to one set of t types out of m movable ones: [m][t] (R12.2). */
    static const uint8_t CHS_WAYS[7][4] = {
        {216, 0, 0, 0}, {125, 91, 0, 0}, {64, 61, 30, 0}, {27, 37, 24, 6}, {8, 19, 18, 6},
        {1, 7, 12, 6}, {0, 1, 6, 6}};
    static const uint8_t CHS_BITS_OF_SEVEN[128] = {
    #define CHS_TWO(n) n, n + 1, n + 1, n + 2
    #define CHS_FOUR(n) CHS_TWO(n), CHS_TWO(n + 1), CHS_TWO(n + 1), CHS_TWO(n + 2)
    #define CHS_SIX(n) CHS_FOUR(n), CHS_FOUR(n + 1), CHS_FOUR(n + 1), CHS_FOUR(n + 2)
        CHS_SIX(0), CHS_SIX(1)};
    """
    const uint8_t* PRICES "CHS_PRICES"
    const uint8_t* ROLLS "CHS_ROLLS"
    const uint8_t[4]* WAYS "CHS_WAYS"
    const uint8_t* NUM_TYPES "CHS_BITS_OF_SEVEN"    # in a set of types

cdef enum:
    NUM_ROLLS = 42
    FULL_LINE = 0xFF
    RESURRECTION_PRICE = 2      # R6.8


cdef inline int chs_legal_moves(const State* s, uint32_t* out) noexcept nogil:
    if s.phase == PHASE_MOVE:
        return list_moves(s, out)
    if s.phase == PHASE_ACTION:
        return list_actions(s, out)
    if s.phase == PHASE_PLACE:
        return list_places(s, out)
    if s.phase == PHASE_ACTIVATE:
        return list_activations(s, out)
    if s.phase == PHASE_KEEP:
        return list_kept(s, out)
    if s.phase == PHASE_PROMOTE:
        return list_promotions(s, out)
    if s.phase == PHASE_SACRIFICE:
        return list_sacrifices(s, out)
    return list_setup(s, out)


# --- MOVE -----------------------------------------------------------------------------------------

cdef inline int list_moves(const State* s, uint32_t* out) noexcept nogil:
    cdef uint64_t occupied = occupied_squares(s)
    cdef uint64_t own = owned_squares(s, s.side)
    cdef uint64_t movers = own & ~s.planes[<int>PLANE_MOVED] & of_types(s, s.rolled)
    cdef uint64_t fresh = s.planes[<int>PLANE_FRESH]
    cdef int owner = 8 * s.side     # FIGURE_BLACK for Black
    cdef int num_moves = 0
    cdef int bit, figure
    if s.side == WHITE:
        num_moves = list_recruits_moves(s, occupied, own, out)
    while movers:
        bit = pop_lowest(&movers)
        figure = type_on_board(s, bit) | owner | <int>(fresh >> bit & 1) * FIGURE_FRESH
        num_moves = list_targets(
            VERB_MOVE, bit + 8, targets(figure, bit + 8, occupied, own), out, num_moves)
    if s.side == BLACK:
        num_moves += list_recruits_moves(s, occupied, own, out + num_moves)
    return num_moves


cdef inline uint64_t of_types(const State* s, int types) noexcept nogil:
    """The figures of a set of types, of both sides."""
    cdef uint64_t found = 0
    cdef uint64_t rest = types
    while rest:
        found |= of_type(s, pop_lowest(&rest))
    return found


cdef inline int list_recruits_moves(
        const State* s, uint64_t occupied, uint64_t own, uint32_t* out) noexcept nogil:
    cdef uint64_t files = line_files(s, s.side) & ~s.lines[s.side][<int>LINE_MOVED]
    cdef int num_moves = 0
    cdef int file, figure, square
    while files:
        file = pop_lowest(&files)
        figure = figure_on_line(s, s.side, file)
        if s.rolled >> type_of(figure) & 1:
            square = 8 * line_row(s.side) + file
            num_moves = list_targets(
                VERB_MOVE, square, targets(figure, square, occupied, own), out, num_moves)
    return num_moves


cdef inline int list_targets(
        int verb, int source, uint64_t found, uint32_t* out, int num_moves) noexcept nogil:
    """Append a move to each square of a set; return the new number."""
    cdef uint32_t move = move_of(verb, source, 8)
    while found:
        out[num_moves] = move + (<uint32_t>pop_lowest(&found) << 16)
        num_moves += 1
    return num_moves


# --- ACTION ---------------------------------------------------------------------------------------

cdef inline int list_actions(const State* s, uint32_t* out) noexcept nogil:
    cdef int num_moves = 1
    cdef int types, type, king
    out[0] = move_of(VERB_ROLL if can_anything_move(s) else VERB_PASS)
    if s.credits[s.side]:
        types = recruitable(s)
        for type in range(<int>QUEEN, 0, -1):
            if types >> type & 1:
                out[num_moves] = move_of(VERB_RECRUIT, type)
                num_moves += 1
    if s.credits[s.side] >= RESURRECTION_PRICE:
        for type in range(<int>QUEEN, 0, -1):
            if s.dead[s.side][type]:
                out[num_moves] = move_of(VERB_RESURRECT, type)
                num_moves += 1
    if s.king_moves == 0 and is_in_check(s):
        king = king_square(s, s.side)
        num_moves = list_targets(
            VERB_KING, king, REACH[king].king & ~owned_squares(s, s.side), out, num_moves)
    return num_moves


cdef inline bint can_pay(const State* s, int type) noexcept nogil:
    return s.stock[s.side][type] != 0 and s.credits[s.side] >= PRICES[type]


cdef inline int recruitable(const State* s) noexcept nogil:
    """The types that X may recruit (R6.6, R6.7)."""
    cdef bint has_space = line_files(s, s.side) != FULL_LINE
    cdef int types = 0
    cdef int type
    if has_space:
        for type in range(<int>PAWN, <int>QUEEN):
            types |= can_pay(s, type) << type
    if can_sacrifice(s):
        types |= can_pay(s, QUEEN) << QUEEN
    return types


cdef inline bint can_sacrifice(const State* s) noexcept nogil:
    """Whether X can sacrifice a figure for a queen; on a full line this must make room for it."""
    return line_sacrifices(s, s.side) or (
        line_files(s, s.side) != FULL_LINE and sacrifices(s, s.side) != 0)


# --- the other nodes ------------------------------------------------------------------------------

cdef inline int list_setup(const State* s, uint32_t* out) noexcept nogil:
    """R4.2, R4.5, R4.6."""
    cdef int num_moves = 0
    cdef int type
    for type in range(<int>KING, 0, -1):
        if s.unplaced[s.side][type]:
            out[num_moves] = move_of(VERB_DEPLOY, type)
            num_moves += 1
    cdef bint is_all_placed = num_moves == 0
    for type in range(<int>QUEEN, 0, -1):
        if can_pay(s, type) and (type != QUEEN or sacrifices(s, s.side)):
            out[num_moves] = move_of(VERB_BUY, type)
            num_moves += 1
    if is_all_placed:
        out[num_moves] = move_of(VERB_DONE)
        num_moves += 1
    return num_moves


cdef inline uint64_t setup_zone(int seat) noexcept nogil:
    cdef uint64_t rows = 0xFFFF
    return rows << 48 if seat == BLACK else rows


cdef inline int list_places(const State* s, uint32_t* out) noexcept nogil:
    """R4.3, R6.6."""
    if s.turn == 0:
        return list_squares(VERB_PLACE, setup_zone(s.side) & ~occupied_squares(s), 8, out)
    return list_squares(
        VERB_PLACE, FULL_LINE & ~line_files(s, s.side), 8 * line_row(s.side), out)


cdef inline int list_squares(int verb, uint64_t squares, int first, uint32_t* out) noexcept nogil:
    """List one move for each square of a set; bit 0 is the square `first`."""
    cdef int num_moves = 0
    while squares:
        out[num_moves] = move_of(verb, pop_lowest(&squares) + first)
        num_moves += 1
    return num_moves


cdef inline int list_sacrifices(const State* s, uint32_t* out) noexcept nogil:
    """R4.5, R6.7: on a full line the sacrifice must make room for the queen."""
    cdef uint64_t on_board = (
        0 if line_files(s, s.side) == FULL_LINE else sacrifices(s, s.side))
    cdef int num_moves = 0
    if s.side == BLACK:
        num_moves = list_squares(VERB_SACRIFICE, on_board, 8, out)
    num_moves += list_squares(
        VERB_SACRIFICE, line_sacrifices(s, s.side), 8 * line_row(s.side), out + num_moves)
    if s.side == WHITE:
        num_moves += list_squares(VERB_SACRIFICE, on_board, 8, out + num_moves)
    return num_moves


cdef inline int list_activations(const State* s, uint32_t* out) noexcept nogil:
    out[0] = move_of(VERB_HOLD)
    if ability_of(figure_on_board(s, s.square - 8)) == CONVERT:
        return 1 + list_squares(VERB_CONVERT, convertible(s, s.square), 8, out + 1)
    out[1] = move_of(VERB_EXPLODE)
    return 2


cdef inline int list_kept(const State* s, uint32_t* out) noexcept nogil:
    """R9.4."""
    cdef uint64_t kinds = s.offer
    cdef int held = ability_of(figure_on_board(s, s.square - 8))
    cdef int num_moves = 0
    if held:
        kinds |= 1 << held
    while kinds:
        out[num_moves] = move_of(VERB_KEEP, pop_lowest(&kinds))
        num_moves += 1
    return num_moves


cdef inline int list_promotions(const State* s, uint32_t* out) noexcept nogil:
    """R8.6."""
    cdef int owner = owner_of(figure_on_board(s, s.square - 8))
    cdef int num_moves = 0
    cdef int type
    for type in range(<int>QUEEN, <int>PAWN, -1):
        if s.stock[owner][type]:
            out[num_moves] = move_of(VERB_PROMOTE, type)
            num_moves += 1
    return num_moves


# --- DICE -----------------------------------------------------------------------------------------

cdef inline int chs_outcomes(
        const State* s, uint32_t* out, double* probabilities) noexcept nogil:
    cdef int types = movable_types(s)
    cdef const uint8_t* ways = WAYS[NUM_TYPES[types]]
    cdef int num_outcomes = 0
    cdef int i, num_ways
    for i in range(NUM_ROLLS):
        num_ways = ways[NUM_TYPES[ROLLS[i]]]
        if ROLLS[i] & ~types == 0 and num_ways:
            out[num_outcomes] = move_of(VERB_DICE, ROLLS[i])
            probabilities[num_outcomes] = num_ways / 216.0
            num_outcomes += 1
    return num_outcomes


cdef inline uint32_t outcome_of(const State* s, int roll) noexcept nogil:
    """The types of a roll of three dice, 0 to 215, that can move (R12.1)."""
    cdef int rolled = 2 << roll // 36 | 2 << roll // 6 % 6 | 2 << roll % 6
    return move_of(VERB_DICE, rolled & movable_types(s))


cdef inline uint32_t outcome_of_faces(const State* s, uint32_t faces) noexcept nogil:
    """The types among the faces of real dice that can move (R12.5)."""
    cdef int rolled = 1 << first_of(faces) | 1 << second_of(faces) | 1 << (faces >> 24)
    return move_of(VERB_DICE, rolled & movable_types(s))


cdef inline uint32_t chs_sample(const State* s, bitgen_t* rng) noexcept nogil:
    return outcome_of(s, below(rng, 216))
