"""Pieces on land and at sea: putting, moving and removing them, with all that follows from them."""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from .state cimport (
    BUILDINGS, KING, NOWHERE, SOLDIERS, TAINTED_KING, Piece, Player, State, at_sea, is_in,
    squares_of)

cdef enum:
    MOST_CHECKERS = 4   # under a building or soldier (R1.4)
    CHECKERS = 12       # of a colour and player


cdef inline int piece_at(const Player* p, int square) noexcept nogil:
    """The index of a player's piece, or -1."""
    cdef int i
    for i in range(p.num_pieces):
        if p.pieces[i].square == square:
            return i
    return -1


cdef inline uint8_t* unused_for(Player* p, int letter) noexcept nogil:
    """The unused checkers of the colour that lies under a piece."""
    return &p.unused_red if is_in(letter, SOLDIERS) else &p.unused_black


cdef inline int insert(State* s, int seat, Piece piece) noexcept nogil:
    """Put a piece on the board and into the list, without counting it; returns its index."""
    cdef Player* p = &s.players[seat]
    cdef int i = p.num_pieces
    while i > 0 and p.pieces[i - 1].square > piece.square:
        p.pieces[i] = p.pieces[i - 1]
        i -= 1
    p.pieces[i] = piece
    p.num_pieces += 1
    squares_of(s)[piece.square] = piece.letter | seat << 4
    if piece.letter == KING or piece.letter == TAINTED_KING:
        p.king = piece.square
    return i


cdef inline Piece extract(State* s, int seat, int index) noexcept nogil:
    """Take a piece off the board and out of the list, without counting it."""
    cdef Player* p = &s.players[seat]
    cdef Piece piece = p.pieces[index]
    p.num_pieces -= 1
    while index < p.num_pieces:
        p.pieces[index] = p.pieces[index + 1]
        index += 1
    memset(&p.pieces[index], 0, sizeof(Piece))
    squares_of(s)[piece.square] = 0
    return piece


cdef inline int shift(State* s, int seat, int index, int square) noexcept nogil:
    """Move a piece to an empty square; the permission of Sheer Heart Attack follows it."""
    cdef Piece piece = extract(s, seat, index)
    cdef int other
    for other in range(8):
        if s.sha[other] == piece.square + 1:
            s.sha[other] = square + 1
    piece.square = square
    return insert(s, seat, piece)


cdef inline int create(State* s, int seat, int square, int letter, int checkers) noexcept nogil:
    """A new piece; returns its index."""
    cdef Player* p = &s.players[seat]
    cdef Piece piece
    piece.square = square
    piece.letter = letter
    piece.checkers = checkers
    piece.steps = 0
    piece.flags = 0
    p.number[letter] += 1
    unused_for(p, letter)[0] -= checkers
    return insert(s, seat, piece)


cdef inline void destroy(State* s, int seat, int index) noexcept nogil:
    """Remove a piece; whoever loses a king so is not defeated here."""
    cdef Player* p = &s.players[seat]
    cdef Piece piece = extract(s, seat, index)
    p.number[piece.letter] -= 1
    unused_for(p, piece.letter)[0] += piece.checkers
    if piece.letter == KING or piece.letter == TAINTED_KING:
        p.king = NOWHERE
    leave(s, piece.square)


cdef inline void leave(State* s, int square) noexcept nogil:
    """A piece that was here has left the land: it is not the mover, and uses permissions up."""
    cdef int other
    if s.mover == square + 1:
        s.mover = 0
    for other in range(8):
        if s.sha[other] == square + 1:
            s.sha[other] = NOWHERE


cdef inline void add_checkers(Player* p, int index, int number) noexcept nogil:
    """Put unused checkers under a piece, or with a negative number take them away."""
    p.pieces[index].checkers += number
    unused_for(p, p.pieces[index].letter)[0] -= number


cdef inline void change_letter(State* s, int seat, int index, int letter) noexcept nogil:
    """Taint a building."""
    cdef Player* p = &s.players[seat]
    cdef Piece* piece = &p.pieces[index]
    p.number[piece.letter] -= 1
    p.number[letter] += 1
    piece.letter = letter
    squares_of(s)[piece.square] = letter | seat << 4


cdef inline void put_to_sea(State* s, int seat, int index, bint pays) noexcept nogil:
    """R8.6."""
    cdef Player* p = &s.players[seat]
    cdef Piece piece = extract(s, seat, index)
    piece.checkers -= pays
    p.unused_red += pays
    p.sea[at_sea(piece.letter, piece.checkers, True)] += 1
    leave(s, piece.square)


cdef inline int pair_of(const Player* p, int letter) noexcept nogil:
    """How many buildings of a kind a player has, tainted or not; `letter` is the untainted one."""
    return p.number[letter] + p.number[letter + 5]


cdef inline bint is_same_kind(int letter, int other) noexcept nogil:
    """Whether two pieces are of a kind (R7/cherry): tainted or not, but pawns are no unpawns."""
    if letter == other:
        return True
    return is_in(letter, BUILDINGS) and is_in(other, BUILDINGS) and (letter - other) % 5 == 0
