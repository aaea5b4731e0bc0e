"""Why a move or outcome of Chessault is not possible; see the .pyx."""

from libc.stdint cimport uint32_t

from ...game cimport Refusal
from .state cimport State

cdef enum Illegality:
    GAME_OVER = 100
    NOT_NOW             # and the next ones, by verb
    NOT_UNPLACED = NOT_NOW + 18, BUY_KING, BUY_NONE, BUY_PRICE, STILL_UNPLACED
    SETUP_TAKEN, OUT_OF_ZONE, LINE_TAKEN, OFF_LINE
    NO_OWN_SACRIFICE, NO_SUCH_SACRIFICE, SACRIFICE_ON_LINE, NONE_TO_SACRIFICE, NONE_ON_LINE
    NOTHING_MOVES, SOMETHING_MOVES
    RECRUIT_KING, RECRUIT_NONE, RECRUIT_PRICE, NO_FREE_SQUARE
    RESURRECT_KING, NONE_DEAD, RESURRECT_PRICE
    NOT_THE_KING, KING_MOVE_USED, NOT_IN_CHECK
    NO_OWN_FIGURE, NOT_ROLLED, HAS_MOVED
    ONTO_LINE, OUT_OF_QUARTER, ONTO_OWN, NOT_REACHED, PAWN_NOT_REACHED
    NO_PROMOTED_TYPE, NONE_TO_PROMOTE
    NOT_OFFERED, HOLDS_OTHER
    NOT_TOUCHING, NO_ENEMY, ENEMY_ON_LINE, MARKED_ALREADY
    CANNOT_MOVE, MUST_SHOW, FACES_COME_TO

# `Game.check_move`.
cdef int chs_check_move(const State* s, uint32_t move, Refusal* out) noexcept nogil
