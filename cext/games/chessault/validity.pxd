"""Validity of packed states of Chessault (R13.4); see the .pyx."""

from ...game cimport Refusal
from .state cimport Rules, State

cdef enum Fault:
    TURN_ABOVE_LIMIT = 1, ACTION_OF_TURN, SIDE_OF_TURN, ACTION_OF_NODE
    FOREIGN_LINE, NO_RECRUIT, PAWN_ABILITY, NOT_FRESH, NOT_MOVED, ENDZONE_PAWN
    SUPPLY              # and the three next, by the zone at fault: board, unplaced, stock, dead
    TOKENS = SUPPLY + 4, CONVERT_TOKENS, STOCK_KING, DEAD_KING
    SIDE_IS_DONE, DONE_UNPLACED, NOT_RECEIVED, SETUP_ZONE, SETUP_ABILITY, SETUP_MARKS, SETUP_WORTH
    SETUP_OPEN, UNPLACED_LATER
    NO_TARGET, TARGET_TWICE, NO_CONVERTER
    NO_TALLY, MOVES_OF_ACTION, MORE_REACHES, MORE_KING_MOVES, MORE_KILLS, MORE_MOVED
    PLACED_KING, LINE_IS_FULL, NO_SACRIFICE, NOTHING_ROLLED, NOT_MOVABLE
    NOT_ACTIVE, NO_USE
    NO_KEEPER, NOT_IN_POOL, HELD_KIND, KEEPER_UNMOVED, ONE_KIND, KEEPER_AT_END, KIND_AT_END
    NO_PAWN, FOREIGN_PAWN, PAWN_UNMOVED, NO_PROMOTION
    OTHER_KING_DEAD, NO_DRAW

# The first fault of a figure on a square where it can never stand, 0 for none. Packing checks every
# figure by it, as recruitment lines have no room for abilities.
cdef int chs_figure_fault(int square, int figure, Refusal* out) noexcept nogil

# `Game.check_state`, for any numbers in the range of their fields.
cdef int chs_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil
