"""Validity of packed states of Knaves Out (R14.5); see the .pyx."""

from ...game cimport Refusal
from .state cimport Rules, State

cdef enum Invalidity:
    # Cards (b), records (c)
    CARD_TWICE = 1, JOKERS, NO_KNAVE, ACE_OFF, HAND_TOO_LARGE
    RECORD_NOT_IN, RECORD_FLOOR, RECORD_HAND
    # The world (d), the setup (e)
    BOARD_MISSING, BOARD_EARLY, BOARD_MOVED, BOARD_FIRST, BOARD_CONTACT, NO_GREAT_TOWERS
    SETUP_NODE, SETUP_TURN, SETUP_PLAYER, SETUP_TOWERS
    NO_FIRST, FIRST_SEAT, NO_ACTIVE, NO_TURN, TURN_LIMIT
    # Pieces (f), the Two Towers (g)
    DEAD_HAS, NO_KING_BUILDING, TOO_MANY_OF, RED_CHECKERS, BLACK_CHECKERS
    FLAG_OF_OTHER, FLAG_AT_START, SURGE_OF_SOLDIER, STEPS_WITHOUT_SURGE, CLEANSED_WITHOUT
    ATTACKED_WITHOUT, MOVER_WITHOUT
    CHOSEN_DEAD, CHOSEN_SAME
    # Marks (h), seats (i)
    OWN_TURN_MARK, LASTING_AT_START, FRESH_AT_START, SWAYS_AT_START, ACTS_AT_START, SHA_AT_START
    ENDED_WITHOUT, ACTS_WITHOUT, SKIP_TWICE, SKIP_OF_ACTIVE, SWAYER, PERMISSION_OF, PERMISSION_AT
    TOO_FEW_ALIVE, ACTIVE_DEAD, ASKED_DEAD
    # The end (k)
    END_WINNERS, END_TWO, END_EARLY, END_MARKS
    NO_LEGAL_MOVE

# `Game.check_state`, for positions and observations alike.
cdef int ko_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil
