"""Where the features of Knaves Out stand; see the .pyx."""

from libc.stdint cimport int32_t

from ...feature_blocks cimport Block

cdef enum CommonBlock:
    NODE
    NODE_KIND
    LEFT
    TURN_DISTANCE
    ACTS
    TURNS_LEFT
    ROLLER
    ROLLED_AT
    ROLL_PART
    DICE_TO_COME
    HITS
    GREAT_TOWERS
    IVORY_POINTS
    DARK_POINTS
    HAND_RED
    HAND_BLACK
    HAND_COURT
    HAND_JOKERS
    HAND_FITTING
    HAND_SOON
    DECK_RANKS
    DECK_FITTING
    NUM_COMMON

cdef enum SeatBlock:
    STATUS
    SET_MARKS
    IN_FORCE
    COURT
    BASES
    HEIGHT              # a block for each of the four towers
    EACH = HEIGHT + 4
    RED_RUN
    BLACK_RUN
    HAND_SIZE
    DECK_SIZE
    DISCARD_SIZE
    UNSEEN_FITTING
    KING_POINTS
    KING_FILE
    KING_ROW
    KING_DISTANCE
    GUARD
    SIEGE
    PAWNS
    UNPAWNS
    SOLDIER_POINTS
    WITHIN              # a block for each of `BANDS`
    READY_POINTS = WITHIN + 4
    AT_SEA
    BUILT
    BUILDING_CHECKERS
    UNUSED_RED
    UNUSED_BLACK
    OWN_SOLDIERS        # on the seat's board, as the two below; a square each
    OTHER_SOLDIERS
    BOARD_BUILDINGS
    NUM_SEAT

cdef enum:              # members of STATUS
    IS_ALIVE
    IS_ASKED
    IS_ACTIVE
    IS_SWAYED
    IS_AWAY             # the king building is on another board
    HAS_IVORY           # its board, as below
    HAS_DARK
    IS_ISLAND
    IS_CLEANSED

cdef enum:              # members of ROLL_PART
    OWN_ROLL
    OWN_DANGER

cdef enum:              # members of GREAT_TOWERS
    IVORY_UNUSED
    IVORY_STANDS
    IVORY_OWN
    DARK_UNUSED
    DARK_STANDS
    DARK_OWN
    DARK_ENEMY

cdef enum:
    NUM_WORDS = 67      # of marks

# The blocks: common ones, those of the own seat, and those of each rival; an empty one ends them.
cdef const Block* ko_feature_blocks() noexcept nogil

# The index of the first feature of each word of marks.
cdef const int32_t* ko_first_of_words() noexcept nogil
