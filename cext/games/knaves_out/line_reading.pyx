"""Lines of positions (R14.2) and observations (R14.4) of Knaves Out, read as text of C.

Only lines without errors are read here, with values in the ranges of views; all others are read by
notation.py, which names their errors. Nodes with a context, which few lines have, are read by
nodes.py.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from ...bits cimport count
from ...fields cimport message
from ...game cimport CHANCE
from ...line_text cimport (
    Reader, expect, fail, read_int, read_letter, read_seat_from_0, read_word, skip)
from ...view_game cimport NOBODY
from .derive cimport ko_derive
from .line cimport (
    EFFECTS, FILES, HEX, LETTERS, MARKS, RANKS, STAGES, SUITS, has_context)
from .packing cimport pack_node
from .pieces cimport MOST_CHECKERS
from .state cimport (
    A, ATTACKED, CLEANSED, DARK, FULL_HEIGHT, IVORY, KING, MAX_HAND, MAX_PIECES, MAX_RECORDS,
    NOWHERE, SURGED, TAINTED_KING, Devoured, GreatTower, Piece, Player, Tower, at_sea,
    squares_of)

from kingmaker.cext.errors import InputError

from .nodes import read_node

cdef extern from "Python.h":
    str PyUnicode_FromStringAndSize(const char* text, Py_ssize_t size)

cdef enum:
    MOST_TURNS = 99999    # as in packing.pyx
    NEAREST = 64
    MOST_STEPS = 99
    MOST_ACTS = 2
    MOST_JOKERS = 2
    MOST_RED_AND_BLACK = 10


cdef int ko_read_line(const Rules* rules, Reader* given, State* s) except -1:
    cdef int seats = rules.num_seats
    cdef Reader node
    cdef int seat
    s.squares_at = rules.squares_at
    for seat in range(seats):
        expect(given, b"/" if seat else b" ")
        read_board(given, s, seat)
    expect(given, b" t=")
    s.turn = read_int(given, MOST_TURNS)
    expect(given, b";f=")
    s.first = 0 if skip(given, c"-") else read_seat_from_0(given, seats) + 1
    expect(given, b";a=")
    s.active = 0 if skip(given, c"-") else read_seat_from_0(given, seats) + 1
    expect(given, b" ")
    node.at = given.at
    while given.at[0] != c" " and given.at[0] != 0:
        given.at += 1
    expect(given, b" I=")
    read_great_tower(given, s, &s.ivory, s.island, seats, False)
    expect(given, b";D=")
    read_great_tower(given, s, &s.dark, s.cleansed, seats, True)
    for seat in range(seats):
        expect(given, b" p")
        read_int(given, seats)
        read_player(given, s, seat, seats)
    ko_derive(rules, s)
    read_line_node(rules, &node, s)
    return 0 if node.at[0] == c" " else fail(given)


cdef void read_board(Reader* given, State* s, int seat) noexcept:
    cdef Player* p = &s.players[seat]
    if given.at[0] == c"-" and (given.at[1] == c"/" or given.at[1] == c" "):
        given.at += 1
        return
    p.is_placed = True
    s.x[seat] = read_coordinate(given)
    expect(given, b",")
    s.y[seat] = read_coordinate(given)
    if skip(given, c"i"):
        s.island = seat + 1
    if skip(given, c"c"):
        s.cleansed = seat + 1


cdef int read_coordinate(Reader* given) noexcept:
    return -read_int(given, NEAREST) if skip(given, c"-") else read_int(given, NEAREST)


cdef int read_square(Reader* given, int seats) noexcept:
    cdef int board = read_int(given, 9) - 1
    cdef int file = read_letter(given, FILES)
    cdef int rank = read_int(given, 8) - 1
    return board << 6 | file << 3 | rank if 0 <= board < seats and rank >= 0 else fail(given)


cdef int read_great_tower(
        Reader* given, State* s, GreatTower* tower, int board, int seats, bint is_dark) noexcept:
    """Read one of the Two Towers; if it is gone, some board is an island or cleansed."""
    cdef uint8_t* place
    if skip(given, c"*"):
        return 0 if board else fail(given)
    if board:
        return fail(given)
    if skip(given, c"-"):
        return 0
    tower.stands = True
    tower.square = read_square(given, seats)
    expect(given, b".")
    tower.chosen = read_seat_from_0(given, seats)
    if is_dark:
        expect(given, b">")
        tower.enemy = read_seat_from_0(given, seats)
    expect(given, b".r")
    tower.red = read_int(given, MOST_RED_AND_BLACK)
    expect(given, b"b")
    tower.black = read_int(given, MOST_RED_AND_BLACK)
    place = &squares_of(s)[tower.square]
    if place[0] or tower.red + tower.black > MOST_RED_AND_BLACK:
        return fail(given)
    place[0] = DARK if is_dark else IVORY
    return 0


cdef int read_player(Reader* given, State* s, int seat, int seats) noexcept:
    cdef Player* p = &s.players[seat]
    cdef int tower
    expect(given, b":")
    p.is_alive = skip(given, c"+")
    if not p.is_alive:
        expect(given, b"x")
    expect(given, b":")
    if s.observer == NOBODY or s.observer == seat + 1:
        p.hand = read_cards(given, &p.hand_jokers)
        p.hand_size = count(p.hand) + p.hand_jokers
        if p.hand_size > MAX_HAND:
            return fail(given)
    else:
        expect(given, b"?")
        p.hand_size = read_int(given, MAX_HAND)
    expect(given, b":")
    p.discard = read_cards(given, &p.discard_jokers)
    for tower in range(4):
        expect(given, b":")
        read_tower(given, &p.towers[tower], tower)
    expect(given, b":")
    read_pieces(given, s, p, seats)
    expect(given, b":")
    read_sea(given, p)
    expect(given, b":")
    read_marks(given, s, p, seats)
    expect(given, b":")
    read_records(given, p)
    return 0


cdef int read_card(Reader* given) noexcept:
    cdef int rank = read_letter(given, RANKS)
    return 4 * rank + read_letter(given, SUITS)


cdef uint64_t read_cards(Reader* given, uint8_t* jokers) noexcept:
    """Read cards as a set; Jokers come last."""
    cdef uint64_t cards = 0
    if skip(given, c"-"):
        return 0
    while given.at[0] != c":" and given.at[0] != c"j" and given.at[0] != 0:
        cards |= <uint64_t>1 << read_card(given)
    while given.at[0] == c"j" and given.at[1] != c"o":
        cards |= <uint64_t>1 << read_card(given)
    while given.at[0] != c":" and given.at[0] != c"j" and given.at[0] != 0:
        cards |= <uint64_t>1 << read_card(given)
    while given.at[0] == c"j" and jokers[0] < MOST_JOKERS:
        expect(given, b"jo")
        jokers[0] += 1
    return cards


cdef int read_tower(Reader* given, Tower* t, int tower) noexcept:
    cdef int i = 0
    cdef int base
    if skip(given, c"-"):
        return 0
    base = read_card(given)
    if base != 3 if tower == A else base >> 2 != 10 + tower:
        return fail(given)
    t.base = base + 1
    t.tainted = skip(given, c"*")
    while i < 2 and skip(given, c"("):
        read_devoured(given, &t.devoured[i], tower)
        if i and t.devoured[0].effect >= t.devoured[1].effect:
            return fail(given)
        i += 1
    expect(given, b"=")
    t.height = read_levels(given, tower, b"*", &t.suits, &t.jokers)
    return 0


cdef int read_devoured(Reader* given, Devoured* below, int tower) noexcept:
    cdef int effect = read_word(given, EFFECTS)
    if effect >> 1 != tower:
        return fail(given)
    below.effect = 1 << effect
    expect(given, b".")
    if read_levels(given, tower, b"jo", &below.suits, &below.jokers) != FULL_HEIGHT:
        return fail(given)
    expect(given, b")")
    return 0


cdef int read_levels(
        Reader* given, int tower, const char* joker, uint32_t* suits, uint16_t* jokers) noexcept:
    """Read the cards of a stack, each with the Joker under it; return their number."""
    cdef int least = tower == A
    cdef int height = 0
    while height < FULL_HEIGHT - least and given.at[0] == RANKS[height + least]:
        given.at += 1
        suits[0] |= <uint32_t>read_letter(given, SUITS) << 2 * height
        if given.at[0] == joker[0] and (not joker[1] or given.at[1] == joker[1]):
            expect(given, joker)
            jokers[0] |= 1 << height
        height += 1
    return height


cdef int read_pieces(Reader* given, State* s, Player* p, int seats) noexcept:
    cdef Piece* piece
    cdef uint8_t* place
    p.king = NOWHERE
    if skip(given, c"-"):
        return 0
    while p.num_pieces < MAX_PIECES:
        piece = &p.pieces[p.num_pieces]
        piece.letter = read_letter(given, LETTERS)
        piece.square = read_square(given, seats)
        expect(given, b".")
        piece.checkers = read_int(given, MOST_CHECKERS)
        if skip(given, c"/"):
            read_flags(given, s, piece)
        place = &squares_of(s)[piece.square]
        if not piece.letter or place[0]:
            return fail(given)
        place[0] = piece.letter
        if p.num_pieces and p.pieces[p.num_pieces - 1].square > piece.square:
            return fail(given)
        if piece.letter == KING or piece.letter == TAINTED_KING:
            if p.king != NOWHERE:
                return fail(given)
            p.king = piece.square
        p.num_pieces += 1
        if not skip(given, c","):
            return 0
    return fail(given)


cdef void read_flags(Reader* given, State* s, Piece* piece) noexcept:
    if skip(given, c"m"):
        piece.steps = read_int(given, MOST_STEPS)
    if skip(given, c"a"):
        piece.flags |= ATTACKED
    if skip(given, c"c"):
        piece.flags |= CLEANSED
    if skip(given, c"g"):
        piece.flags |= SURGED
    if skip(given, c">"):
        s.mover = piece.square + 1


cdef int read_sea(Reader* given, Player* p) noexcept:
    cdef int number = 0
    cdef int letter, checkers
    if skip(given, c"-"):
        return 0
    while number < MAX_PIECES:
        letter = read_letter(given, LETTERS)
        checkers = read_int(given, MOST_CHECKERS)
        p.sea[at_sea(letter, checkers, skip(given, c"~"))] += 1
        number += 1
        if not skip(given, c","):
            return 0
    return fail(given)


cdef int read_marks(Reader* given, State* s, Player* p, int seats) noexcept:
    cdef int seat
    if skip(given, c"-"):
        return 0
    while True:
        if given.at[0] == c"a":
            expect(given, b"acts")
            s.acts = read_int(given, MOST_ACTS)
        elif given.at[0] == c"s" and given.at[1] == c"w":
            expect(given, b"sway")
            p.swayers |= 1 << read_seat_from_0(given, seats)
        elif given.at[0] == c"s" and given.at[1] == c"h" and given.at[2] == c"a" and (
                given.at[3] == c"p"):
            expect(given, b"sha")
            seat = read_seat_from_0(given, seats)
            expect(given, b"@")
            s.sha[seat] = NOWHERE if skip(given, c"x") else read_square(given, seats) + 1
        else:
            p.marks |= <uint32_t>1 << read_word(given, MARKS)
        if not skip(given, c"."):
            return 0


cdef int read_records(Reader* given, Player* p) noexcept:
    cdef int i
    if skip(given, c"-"):
        return 0
    for i in range(MAX_RECORDS):
        while given.at[0] != c"/":
            if given.at[0] == 0 or p.record_mask[i] >> 48:
                return fail(given)
            p.record_mask[i] = p.record_mask[i] << 4 | read_letter(given, HEX)
        expect(given, b"/")
        p.record_floor[i] = read_int(given, MAX_HAND)
        if not skip(given, c","):
            return 0
    return fail(given)


cdef int read_line_node(const Rules* rules, Reader* given, State* s) except -1:
    cdef const char* start = given.at
    s.stage = read_word(given, STAGES)
    if not has_context(s.stage):
        expect(given, b"@")
        s.node = CHANCE if skip(given, c"-") else read_seat_from_0(given, rules.num_seats)
        return 0
    while given.at[0] != c" " and given.at[0] != 0:
        given.at += 1
    text = PyUnicode_FromStringAndSize(start, given.at - start)
    try:
        view = read_node(text, "", 0, [{"pieces": []}] * rules.num_seats)
        pack_node(message(view, "", ""), s, rules.num_seats)
    except InputError:
        fail(given)
    return 0
