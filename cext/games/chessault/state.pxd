"""The structs of Chessault: moves, figures, and the state that is also its observations.

Seats count from 0 here: White is 0. A square is 8 * row + file (a0 = 0, h9 = 79); a *bit* names a
square of the chess board, rows 1 to 8, and is its number less 8. A state is canonical: equal
positions have equal bytes, so every field that its phase does not use is 0.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    WHITE = 0
    BLACK = 1
    NUM_SQUARES = 80
    NO_SQUARE = 0           # of marks, whose squares are on rows 1 to 8
    END_OF_TURN = 4         # `State.action`: written `e`
    MOST_CREDITS = 999999   # R2.7
    MOST_MARKS = 3          # R2.5

cdef enum Type:             # in the order of R12.4; a set of types has bit 1 << type
    NO_TYPE
    PAWN
    KNIGHT
    BISHOP
    ROOK
    QUEEN
    KING

cdef enum Ability:          # a set of abilities has bit 1 << ability
    NO_ABILITY
    PROTECT
    EXPLODE
    CONVERT

# A figure as a byte: bits 0-2 its `Type`, then these. An empty square is 0.
cdef enum Figure:
    FIGURE_TYPE = 7
    FIGURE_BLACK = 8
    FIGURE_ABILITY = 48     # an `Ability` << ABILITY_SHIFT
    FIGURE_FRESH = 64       # R7.5; every pawn on rows 0 and 9 has it
    FIGURE_MOVED = 128
    ABILITY_SHIFT = 4

cdef enum Plane:            # `State.planes[i]` has bit i of the figures
    PLANE_BLACK = 3
    PLANE_ABILITY = 4       # the low bit of two
    PLANE_FRESH = 6
    PLANE_MOVED = 7
    LINE_MOVED = 3          # of `State.lines`: the planes before it are those of the board

cdef enum Phase:            # the nodes of section 5
    PHASE_SETUP
    PHASE_PLACE
    PHASE_SACRIFICE
    PHASE_ACTION
    PHASE_DICE
    PHASE_MOVE
    PHASE_PROMOTE
    PHASE_KEEP
    PHASE_ACTIVATE
    PHASE_WON_WHITE         # PHASE_WON_WHITE + seat; both and the next are the end
    PHASE_WON_BLACK
    PHASE_DRAWN

cdef struct Mark:
    uint8_t converter       # square, NO_SQUARE once it has left the board
    uint8_t target          # square, NO_SQUARE: no mark

cdef struct State:
    # The figures of rows 1 to 8, transposed: bit b of planes[i] is bit i of the figure on the
    # square of bit b. So a set of figures takes a few operations on whole boards.
    uint64_t[8] planes
    uint32_t[2] credits     # by seat
    uint16_t turn           # 0 in the setup
    # The figures of rows 0 and 9, by seat, in the same way: bit f of a plane is file f. Owner and
    # freshness need no plane there, and there are no abilities.
    uint8_t[2][4] lines
    uint8_t[2][7] stock     # by seat and type
    uint8_t[2][7] dead
    uint8_t[2][7] unplaced
    uint8_t[4] pool         # free tokens by ability
    Mark[3] marks           # oldest first, without gaps
    uint8_t moves           # the tally of the turn
    uint8_t kills
    uint8_t reaches
    uint8_t king_moves      # special ones, 0 or 1
    uint8_t side            # X
    uint8_t action          # 0 in the setup, 1-3, END_OF_TURN
    uint8_t phase           # a `Phase`
    uint8_t square          # PROMOTE, KEEP, ACTIVATE
    uint8_t placing         # PLACE: a type
    uint8_t rolled          # MOVE: a set of types
    uint8_t offer           # KEEP: a set of abilities
    uint8_t done            # with the setup: a bit per seat
    uint8_t observer        # seat + 1, 0 for a spectator, NOBODY: a full state

cdef struct Rules:          # the options of section 15
    uint8_t[7] supply       # of each side, by type
    uint16_t max_turns

# A move: bits 0-7 verb, 8-15 type, ability, square or set of types, 16-23 the square moved to.
# VERB_FACES is a second form of outcomes (R12.5), with a type in each byte of bits 8-31; no
# list contains it, and `apply` does not accept it.
cdef enum Verb:
    VERB_DEPLOY             # type
    VERB_BUY                # type
    VERB_DONE
    VERB_PLACE              # square
    VERB_SACRIFICE          # square
    VERB_ROLL
    VERB_PASS
    VERB_RECRUIT            # type
    VERB_RESURRECT          # type
    VERB_KING               # square, square
    VERB_MOVE               # square, square
    VERB_PROMOTE            # type
    VERB_KEEP               # ability
    VERB_HOLD
    VERB_EXPLODE
    VERB_CONVERT            # square
    VERB_DICE               # set of types
    VERB_FACES

cdef inline uint32_t move_of(int verb, int first=0, int second=0) noexcept nogil:
    return <uint32_t>verb | <uint32_t>first << 8 | <uint32_t>second << 16


cdef inline int verb_of(uint32_t move) noexcept nogil:
    return move & 255


cdef inline int first_of(uint32_t move) noexcept nogil:
    return move >> 8 & 255


cdef inline int second_of(uint32_t move) noexcept nogil:
    return move >> 16 & 255


cdef inline int row_of(int square) noexcept nogil:
    return square >> 3


cdef inline int file_of(int square) noexcept nogil:
    return square & 7


cdef inline int line_row(int seat) noexcept nogil:
    """The row of the recruitment line."""
    return 9 if seat == BLACK else 0


cdef inline int endzone_row(int seat) noexcept nogil:
    return 1 if seat == BLACK else 8


cdef inline bint in_own_half(int square, int seat) noexcept nogil:
    return (row_of(square) >= 5) == (seat == BLACK)


cdef inline bint is_on_board(int square) noexcept nogil:
    """Whether a square is on rows 1 to 8."""
    return <unsigned int>(square - 8) < 64


cdef inline int type_of(int figure) noexcept nogil:
    return figure & FIGURE_TYPE


cdef inline int ability_of(int figure) noexcept nogil:
    return (figure & FIGURE_ABILITY) >> ABILITY_SHIFT


cdef inline int owner_of(int figure) noexcept nogil:
    return (figure & FIGURE_BLACK) != 0


cdef inline int figure_of(int type, int seat) noexcept nogil:
    return type | (FIGURE_BLACK if seat == BLACK else 0)


cdef inline void gain_credits(State* s, int seat, int credits) noexcept nogil:
    s.credits[seat] = min(s.credits[seat] + <uint32_t>credits, <uint32_t>MOST_CREDITS)
