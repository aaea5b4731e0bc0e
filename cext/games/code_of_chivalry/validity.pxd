"""Which positions and observations are valid (R13.3, R13.4, R14); see the .pyx."""

from kingmaker.cext.game cimport Refusal

from .state cimport Rules, State

# Faults of a state or an observation; 0 is none. The .pyx has the meaning of their numbers.
cdef enum StateFault:
    TURN_AT_DEAL = 1
    TURN_AFTER_DEAL
    TURN_ABOVE_LIMIT
    TOO_MANY_RESHUFFLES
    WRONG_GEMS
    NO_MINSTREL_IN_DECK
    BASE_MISSING
    BASE_TOO_EARLY
    OTHERS_DRAWN
    OTHERS_DRAWN_FOR_SPECTATOR
    DRAWN_ABOVE_BASE
    DEAL_NOT_FIRST
    DEAL_WITH_DISCARD
    DEAL_WITH_KNOWN
    DEAL_GEMS
    DEAL_FORTIFIED
    DEAL_HAND
    EMPTY_PILE
    FIRST_TURN_DRAWS
    EMPTY_HAND
    TARGET_NOT_RIVAL
    SEAT_NOT_RIVAL
    UNANSWERED_ROLE
    WRONG_VICTIM
    TRAITORED_ROLE
    NO_ARCHER
    TOO_MANY_GEMS
    ASKED_RECEIVER
    WRONG_PICKS
    PICK_HIDDEN
    PICK_SEEN
    PICK_NOT_HELD
    PICK_NOT_PUBLIC
    NO_PICKS
    TOO_MANY_LEFT
    NO_CASTLE
    NOTHING_TO_TAX
    WRONG_WINNER
    NOT_AT_LIMIT
    NOT_RICHEST
    WRONG_SUM
    SEEN_ABOVE_DECK
    WRONG_NUMBER_HIDDEN
    ROW_OF_OWN_HAND
    OTHERS_ROW
    OTHERS_ROW_FOR_SPECTATOR
    ROW_BELOW_PUBLIC
    ROW_ABOVE_HAND
    ROW_ABOVE_SIZE
    PILE_ABOVE_BASE
    KNOWN_ABOVE_UNSEEN
    PILE_ABOVE_UNSEEN


cdef inline int copies_code(int card, int number) noexcept nogil:
    """Copies of a card as a number in a reason; `copies` of names.py."""
    return card | number << 8


# Write the first fault of a packed state or observation and return its code; 0: it is valid.
# Seats, cards and numbers of copies must be in the ranges of the game.
cdef int coc_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil
