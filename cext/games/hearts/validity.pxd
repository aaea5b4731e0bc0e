"""Which states of Hearts are valid, and why moves are not legal: reasons of the compiled rules."""

from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport Refusal

from .state cimport NUM_SEATS, State

# Codes of `REASONS` in validity.pyx.
cdef enum Why:
    EARLY_DIRECTION = 1
    EARLY_CARDS
    NO_DIRECTION
    OTHER_DIRECTION
    EARLY_TRICK
    EARLY_PLAYED
    EARLY_SHOWN
    EARLY_POINTS
    EARLY_GIVEN
    DEAL_SIZE
    DEAL_OVER
    OTHER_DEAL
    NO_PASS_NODE
    PASS_SIZE
    PASS_GIVEN
    PASS_OVER
    OTHER_PASS
    UNEQUAL_TRICKS
    LONG_TRICK
    NOT_ENDED
    ENDED
    END_TRICK
    PLAY_SIZE
    NUM_GIVEN
    LOST_GIVEN
    TWO_OF_CLUBS
    Q_ALONE
    EXCLUDED_CARD
    NOT_SHOWN
    SUM_OF_POINTS
    QUEEN_POINTS
    SEEN_IN_HAND
    SEEN_GIVEN
    NO_DIVISION
    GAME_OVER
    DIRECTION_NOW
    DEAL_NOW
    PASS_NOW
    PLAY_NOW
    UNNAMED
    DEALT_ALREADY
    NOT_TO_PASS
    NOT_IN_HAND
    HAND_UNSEEN
    MUST_FOLLOW
    POINTS_IN_FIRST
    NOT_BROKEN
    TWO_LEADS

# What the lists of a view tell beside the struct, hidden cards included.
cdef struct Sizes:
    int[NUM_SEATS] hand
    int[NUM_SEATS] played
    int[NUM_SEATS] given
    int trick
    int seat               # of the node; -1: it names none

# Each writes the first fault and returns its code; 0: there is none.
cdef int hearts_check_sizes(const State* s, const Sizes* sizes, Refusal* out) noexcept nogil
cdef int hearts_check_state(const State* s, int fixed, Refusal* out) noexcept nogil
cdef int hearts_check_move(const State* s, uint32_t move, Refusal* out) noexcept nogil
