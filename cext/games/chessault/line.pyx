"""Lines of positions and observations of Chessault (section 13) as text of C.

Only lines without errors are read here, with values in the ranges of views; all others are read by
notation.py, which names their errors.
"""

from libc.stdint cimport uint8_t

from ...game cimport Refusal
from ...line_text cimport (
    Reader, Writer, expect, fail, put_char, put_number, put_seat, put_text, put_word, read_int,
    read_letter, read_seat_from_0, read_word, skip)
from .rules cimport put
from .sets cimport figure_at
from .state cimport (
    ABILITY_SHIFT, BLACK, FIGURE_BLACK, FIGURE_FRESH, FIGURE_MOVED, MOST_CREDITS, MOST_MARKS,
    NO_SQUARE, PAWN, PHASE_KEEP, PHASE_MOVE, PHASE_PLACE, PHASE_PROMOTE,
    PHASE_WON_WHITE, State, ability_of, is_on_board, owner_of, type_of)
from .validity cimport chs_figure_fault

cdef enum:
    MOST_TURNS = 10000    # as in options.py
    MOST_COUNT = 99       # as in game.pyx

cdef const char* LETTERS = b"?pnbrqk?PNBRQK"   # of Black by `Type`, then of White
cdef const char* SIGNS = b"?+*~"               # by `Ability`, as the letters
cdef const char* ABILITIES = b"?pxc"
cdef const char* FILES = b"abcdefgh"
cdef const char* ROWS = b"0123456789"
cdef const char* ACTIONS = b"0123e"
cdef const char* PHASES = (
    b"setup place sacrifice action dice move promote keep activate end ")
cdef const char* WINNERS = b"p1 p2 draw "      # from PHASE_WON_WHITE on
cdef const char* ZONE_ORDER = b"\6\5\4\3\2\1"  # types in the order of counts


# --- writing --------------------------------------------------------------------------------------

cdef void chs_write_line(const State* s, Writer* out) noexcept nogil:
    cdef int i
    put_board(out, s)
    put_char(out, c" ")
    put_seat(out, s.side)
    put_char(out, c" ")
    put_number(out, s.turn)
    put_char(out, c" ")
    put_char(out, ACTIONS[s.action])
    put_char(out, c" ")
    put_node(out, s)
    put_char(out, c" ")
    for i in range(2):
        if s.done >> i & 1:
            put_seat(out, i)
    if not s.done:
        put_char(out, c"-")
    put_char(out, c" ")
    put_number(out, s.credits[0])
    put_char(out, c"/")
    put_number(out, s.credits[1])
    put_zone(out, s.unplaced[0], s.unplaced[1])
    put_zone(out, s.stock[0], s.stock[1])
    put_zone(out, s.dead[0], s.dead[1])
    put_char(out, c" ")
    for i in range(1, 4):
        put_char(out, ABILITIES[i])
        put_number(out, s.pool[i])
    put_char(out, c" ")
    put_marks(out, s)
    put_text(out, b" m")
    put_number(out, s.moves)
    put_char(out, c"k")
    put_number(out, s.kills)
    put_char(out, c"r")
    put_number(out, s.reaches)
    put_char(out, c"s")
    put_number(out, s.king_moves)


cdef void put_board(Writer* out, const State* s) noexcept nogil:
    """Write the rows, 9 to 0; empty squares are counted."""
    cdef int row, file, figure, gap
    for row in range(9, -1, -1):
        put_char(out, c" " if row == 9 else c"/")
        gap = 0
        for file in range(8):
            figure = figure_at(s, 8 * row + file)
            if not figure:
                gap += 1
                continue
            if gap:
                put_number(out, gap)
                gap = 0
            put_char(out, LETTERS[type_of(figure) + (0 if owner_of(figure) == BLACK else 7)])
            if ability_of(figure):
                put_char(out, SIGNS[ability_of(figure)])
            if figure & FIGURE_FRESH and 0 < row < 9:
                put_char(out, c"-")
            if figure & FIGURE_MOVED:
                put_char(out, c".")
        if gap:
            put_number(out, gap)


cdef void put_node(Writer* out, const State* s) noexcept nogil:
    cdef int i
    put_word(out, PHASES, min(s.phase, PHASE_WON_WHITE))
    if s.phase >= PHASE_WON_WHITE:
        put_char(out, c":")
        put_word(out, WINNERS, s.phase - PHASE_WON_WHITE)
    elif s.phase == PHASE_PLACE:
        put_char(out, c":")
        put_char(out, LETTERS[s.placing])
    elif s.phase == PHASE_MOVE:
        put_char(out, c":")
        for i in range(1, 7):
            if s.rolled >> i & 1:
                put_char(out, LETTERS[i])
    elif s.phase >= PHASE_PROMOTE:
        put_char(out, c":")
        put_square(out, s.square)
        if s.phase == PHASE_KEEP:
            put_char(out, c":")
            for i in range(1, 4):
                if s.offer >> i & 1:
                    put_char(out, ABILITIES[i])


cdef inline void put_square(Writer* out, int square) noexcept nogil:
    put_char(out, FILES[square & 7])
    put_char(out, ROWS[square >> 3])


cdef void put_zone(Writer* out, const uint8_t* white, const uint8_t* black) noexcept nogil:
    put_char(out, c" ")
    put_counts(out, white, 7)
    put_char(out, c"/")
    put_counts(out, black, 0)


cdef void put_counts(Writer* out, const uint8_t* counts, int letters) noexcept nogil:
    cdef bint is_empty = True
    cdef int place, kind
    for place in range(6):
        kind = ZONE_ORDER[place]
        if counts[kind]:
            put_char(out, LETTERS[letters + kind])
            put_number(out, counts[kind])
            is_empty = False
    if is_empty:
        put_char(out, c"-")


cdef void put_marks(Writer* out, const State* s) noexcept nogil:
    cdef int i
    for i in range(MOST_MARKS):
        if s.marks[i].target != NO_SQUARE:
            if i:
                put_char(out, c",")
            if s.marks[i].converter == NO_SQUARE:
                put_char(out, c"x")
            else:
                put_square(out, s.marks[i].converter)
            put_char(out, c">")
            put_square(out, s.marks[i].target)
    if s.marks[0].target == NO_SQUARE:
        put_char(out, c"-")


# --- reading --------------------------------------------------------------------------------------

cdef void chs_read_line(Reader* given, State* s) noexcept nogil:
    cdef int i
    expect(given, b" ")
    read_board(given, s)
    expect(given, b" ")
    s.side = read_seat_from_0(given, 2)
    expect(given, b" ")
    s.turn = read_int(given, MOST_TURNS)
    expect(given, b" ")
    s.action = read_letter(given, ACTIONS)
    expect(given, b" ")
    read_node(given, s)
    expect(given, b" ")
    if not skip(given, c"-"):
        while given.at[0] == c"p":
            s.done |= 1 << read_seat_from_0(given, 2)
    expect(given, b" ")
    s.credits[0] = read_int(given, MOST_CREDITS)
    expect(given, b"/")
    s.credits[1] = read_int(given, MOST_CREDITS)
    for i in range(2):
        expect(given, b"/" if i else b" ")
        read_counts(given, s.unplaced[i], 0 if i else 7)
    for i in range(2):
        expect(given, b"/" if i else b" ")
        read_counts(given, s.stock[i], 0 if i else 7)
    for i in range(2):
        expect(given, b"/" if i else b" ")
        read_counts(given, s.dead[i], 0 if i else 7)
    expect(given, b" p")
    s.pool[1] = read_int(given, MOST_COUNT)
    expect(given, b"x")
    s.pool[2] = read_int(given, MOST_COUNT)
    expect(given, b"c")
    s.pool[3] = read_int(given, MOST_COUNT)
    expect(given, b" ")
    read_marks(given, s)
    expect(given, b" m")
    s.moves = read_int(given, MOST_COUNT)
    expect(given, b"k")
    s.kills = read_int(given, MOST_COUNT)
    expect(given, b"r")
    s.reaches = read_int(given, MOST_COUNT)
    expect(given, b"s")
    s.king_moves = read_int(given, MOST_COUNT)


cdef int read_board(Reader* given, State* s) noexcept nogil:
    cdef Refusal found
    cdef int row, file, figure
    for row in range(9, -1, -1):
        file = 0
        while given.at[0] != c"/" and given.at[0] != c" ":
            if c"1" <= given.at[0] <= c"8":
                file += read_int(given, 8)
                continue
            if file > 7:
                return fail(given)
            figure = read_figure(given, row)
            if not figure or chs_figure_fault(8 * row + file, figure, &found):
                return fail(given)
            put(s, 8 * row + file, figure)
            file += 1
        if row:
            expect(given, b"/")
    return 0


cdef int read_figure(Reader* given, int row) noexcept nogil:
    """Return a figure; 0: there is none."""
    cdef int letter = read_letter(given, LETTERS)
    cdef int figure = letter - 7 if letter > 7 else letter | FIGURE_BLACK
    cdef int ability
    if not type_of(figure):
        return fail(given)
    for ability in range(1, 4):
        if skip(given, SIGNS[ability]):
            figure |= ability << ABILITY_SHIFT
    if skip(given, c"-") or (type_of(figure) == PAWN and (row == 0 or row == 9)):
        figure |= FIGURE_FRESH
    if skip(given, c"."):
        figure |= FIGURE_MOVED
    return figure


cdef int read_node(Reader* given, State* s) noexcept nogil:
    s.phase = read_word(given, PHASES)
    if s.phase == PHASE_WON_WHITE:
        expect(given, b":")
        s.phase += read_word(given, WINNERS)
    elif s.phase == PHASE_PLACE:
        expect(given, b":")
        s.placing = read_letter(given, LETTERS)
    elif s.phase == PHASE_MOVE:
        expect(given, b":")
        s.rolled = read_set(given, LETTERS)
    elif s.phase >= PHASE_PROMOTE:
        expect(given, b":")
        s.square = read_square(given)
        if s.phase == PHASE_KEEP:
            expect(given, b":")
            s.offer = read_set(given, ABILITIES)
    return 0


cdef int read_set(Reader* given, const char* letters) noexcept nogil:
    """Read one or more letters of Black or of abilities."""
    cdef int mask = 0
    cdef int place
    while given.at[0] != c" ":
        place = read_letter(given, letters)
        if not 1 <= place <= 6:
            return fail(given)
        mask |= 1 << place
    return mask if mask else fail(given)


cdef int read_square(Reader* given) noexcept nogil:
    cdef int file = read_letter(given, FILES)
    return read_letter(given, ROWS) << 3 | file


cdef int read_counts(Reader* given, uint8_t* counts, int letters) noexcept nogil:
    cdef int kind
    if skip(given, c"-"):
        return 0
    while given.at[0] != c"/" and given.at[0] != c" ":
        kind = read_letter(given, LETTERS) - letters
        if not 1 <= kind <= 6:
            return fail(given)
        counts[kind] = read_int(given, MOST_COUNT)
    return 0


cdef int read_marks(Reader* given, State* s) noexcept nogil:
    cdef int i
    if skip(given, c"-"):
        return 0
    for i in range(MOST_MARKS):
        if not skip(given, c"x"):
            s.marks[i].converter = read_square(given)
            if not is_on_board(s.marks[i].converter):
                return fail(given)
        expect(given, b">")
        s.marks[i].target = read_square(given)
        if not is_on_board(s.marks[i].target):
            return fail(given)
        if not skip(given, c","):
            return 0
    return fail(given)
