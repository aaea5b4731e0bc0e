"""Lines of positions (R14.2) and observations (R14.4) of Knaves Out, written as text of C.

Nodes with a context, which few lines have, are written by nodes.py.
"""

from libc.stdint cimport uint64_t

from ...bits cimport pop_lowest
from ...line_text cimport Writer, put_char, put_number, put_seat, put_text, put_word
from ...view_game cimport NOBODY
from .state cimport (
    ATTACKED, CLEANSED, FULL_HEIGHT, MAX_RECORDS, NOWHERE, SEATS, STAGE_DRAW, SURGED, GreatTower,
    Piece, Player, Tower, card_of)
from .views cimport node_view

from .nodes import node_text

cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(str text, Py_ssize_t* size) except NULL


cdef int ko_write_line(const Rules* rules, const State* s, Writer* out) except -1:
    cdef int seat
    for seat in range(rules.num_seats):
        put_char(out, c"/" if seat else c" ")
        put_board(out, s, seat)
    put_text(out, b" t=")
    put_number(out, s.turn)
    put_text(out, b";f=")
    put_seat_or_none(out, s.first)
    put_text(out, b";a=")
    put_seat_or_none(out, s.active)
    put_char(out, c" ")
    put_node(out, rules, s)
    put_text(out, b" I=")
    put_great_tower(out, &s.ivory, s.island, False)
    put_text(out, b";D=")
    put_great_tower(out, &s.dark, s.cleansed, True)
    for seat in range(rules.num_seats):
        put_char(out, c" ")
        put_player(out, s, seat)
    return 0


cdef void put_board(Writer* out, const State* s, int seat) noexcept:
    cdef const Player* p = &s.players[seat]
    if not p.is_placed:
        put_char(out, c"-")
        return
    put_number(out, s.x[seat])
    put_char(out, c",")
    put_number(out, s.y[seat])
    if s.island == seat + 1:
        put_char(out, c"i")
    if s.cleansed == seat + 1:
        put_char(out, c"c")


cdef void put_seat_or_none(Writer* out, int seat) noexcept:
    """Write a seat counted from 1; 0 is none."""
    if seat:
        put_seat(out, seat - 1)
    else:
        put_char(out, c"-")


cdef int put_node(Writer* out, const Rules* rules, const State* s) except -1:
    cdef str text
    cdef Py_ssize_t size
    if has_context(s.stage):
        seat = s.context.seat if s.stage == STAGE_DRAW else s.node
        text = node_text({**node_view(s, rules.num_seats), "seat": seat + 1})
        put_text(out, PyUnicode_AsUTF8AndSize(text, &size))
        return 0
    put_word(out, STAGES, s.stage)
    put_char(out, c"@")
    put_seat_or_none(out, max(s.node, -1) + 1)
    return 0


cdef void put_great_tower(
        Writer* out, const GreatTower* tower, bint is_gone, bint is_dark) noexcept:
    if not tower.stands:
        put_char(out, c"*" if is_gone else c"-")
        return
    put_square(out, tower.square)
    put_char(out, c".")
    put_seat(out, tower.chosen)
    if is_dark:
        put_char(out, c">")
        put_seat(out, tower.enemy)
    put_text(out, b".r")
    put_number(out, tower.red)
    put_char(out, c"b")
    put_number(out, tower.black)


cdef inline void put_square(Writer* out, int square) noexcept:
    put_char(out, c"1" + (square >> 6))
    put_char(out, FILES[square >> 3 & 7])
    put_char(out, c"1" + (square & 7))


cdef inline void put_card(Writer* out, int card) noexcept:
    put_char(out, RANKS[card >> 2])
    put_char(out, SUITS[card & 3])


cdef void put_player(Writer* out, const State* s, int seat) noexcept:
    cdef const Player* p = &s.players[seat]
    cdef int tower
    put_seat(out, seat)
    put_text(out, b":+:" if p.is_alive else b":x:")
    if s.observer == NOBODY or s.observer == seat + 1:
        put_cards(out, p.hand, p.hand_jokers)
    else:
        put_char(out, c"?")
        put_number(out, p.hand_size)
    put_char(out, c":")
    put_cards(out, p.discard, p.discard_jokers)
    for tower in range(4):
        put_char(out, c":")
        put_tower(out, &p.towers[tower], tower)
    put_char(out, c":")
    put_pieces(out, s, p)
    put_char(out, c":")
    put_sea(out, p)
    put_char(out, c":")
    put_marks(out, s, seat)
    put_char(out, c":")
    put_records(out, p)


cdef void put_cards(Writer* out, uint64_t cards, int jokers) noexcept:
    if not cards and not jokers:
        put_char(out, c"-")
    while cards:
        put_card(out, pop_lowest(&cards))
    while jokers:
        put_text(out, b"jo")
        jokers -= 1


cdef void put_tower(Writer* out, const Tower* t, int tower) noexcept:
    cdef int i, level
    if not t.base:
        put_char(out, c"-")
        return
    put_card(out, t.base - 1)
    if t.tainted:
        put_char(out, c"*")
    for i in range(2):
        if t.devoured[i].effect:
            put_char(out, c"(")
            put_word(out, EFFECTS, lowest_bit(t.devoured[i].effect))
            put_char(out, c".")
            for level in range(FULL_HEIGHT):
                put_card(out, card_of(tower, level, t.devoured[i].suits))
                if t.devoured[i].jokers >> level & 1:
                    put_text(out, b"jo")
            put_char(out, c")")
    put_char(out, c"=")
    for level in range(t.height):
        put_card(out, card_of(tower, level, t.suits))
        if t.jokers >> level & 1:
            put_char(out, c"*")


cdef inline int lowest_bit(uint64_t bits) noexcept:
    return pop_lowest(&bits)


cdef void put_pieces(Writer* out, const State* s, const Player* p) noexcept:
    cdef const Piece* piece
    cdef bint is_mover
    cdef int i
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        is_mover = s.mover == piece.square + 1
        if i:
            put_char(out, c",")
        put_char(out, LETTERS[piece.letter])
        put_square(out, piece.square)
        put_char(out, c".")
        put_number(out, piece.checkers)
        if piece.steps or piece.flags or is_mover:
            put_char(out, c"/")
        if piece.steps:
            put_char(out, c"m")
            put_number(out, piece.steps)
        if piece.flags & ATTACKED:
            put_char(out, c"a")
        if piece.flags & CLEANSED:
            put_char(out, c"c")
        if piece.flags & SURGED:
            put_char(out, c"g")
        if is_mover:
            put_char(out, c">")
    if not p.num_pieces:
        put_char(out, c"-")


cdef void put_sea(Writer* out, const Player* p) noexcept:
    cdef bint is_empty = True
    cdef int i, _
    for i in range(20):
        for _ in range(p.sea[i]):
            if not is_empty:
                put_char(out, c",")
            put_char(out, c"p" if i >= 10 else c"P")
            put_number(out, i % 10 >> 1)
            if i & 1:
                put_char(out, c"~")
            is_empty = False
    if is_empty:
        put_char(out, c"-")


cdef void put_marks(Writer* out, const State* s, int seat) noexcept:
    """Write the marks, then the actions taken, swayers and permissions."""
    cdef uint64_t marks = s.players[seat].marks
    cdef uint64_t swayers = s.players[seat].swayers
    cdef bint is_active = s.active == seat + 1
    cdef char* start = out.at
    cdef int i
    while marks:
        put_word(out, MARKS, pop_lowest(&marks))
        put_char(out, c".")
    if is_active and s.acts:
        put_text(out, b"acts")
        put_number(out, s.acts)
        put_char(out, c".")
    while swayers:
        put_text(out, b"sway")
        put_seat(out, pop_lowest(&swayers))
        put_char(out, c".")
    for i in range(SEATS if is_active else 0):
        if s.sha[i]:
            put_text(out, b"sha")
            put_seat(out, i)
            put_char(out, c"@")
            if s.sha[i] == NOWHERE:
                put_char(out, c"x")
            else:
                put_square(out, s.sha[i] - 1)
            put_char(out, c".")
    if out.at == start:
        put_char(out, c"-")
    else:
        out.at -= 1   # the last dot


cdef void put_records(Writer* out, const Player* p) noexcept:
    cdef bint is_empty = True
    cdef int i, shift
    for i in range(MAX_RECORDS):
        if p.record_floor[i]:
            if not is_empty:
                put_char(out, c",")
            shift = 48
            while shift and not p.record_mask[i] >> shift:
                shift -= 4
            while shift >= 0:
                put_char(out, HEX[p.record_mask[i] >> shift & 15])
                shift -= 4
            put_char(out, c"/")
            put_number(out, p.record_floor[i])
            is_empty = False
    if is_empty:
        put_char(out, c"-")
