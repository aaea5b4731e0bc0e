"""The terms of the evaluation of Knaves Out; see the .pyx."""

from .state cimport STAGE_INSIGHT, STAGE_PARLAY, Rules, State

cdef enum:              # terms of a seat
    KING_POINTS         # hit points of the king building
    SOLDIER_POINTS      # hit points of soldiers: a checker is one, the piece itself another
    NUM_SOLDIERS
    NEARNESS            # hit points of soldiers, by the part of the way to an enemy king done
    REACH               # hit points of soldiers / (1 + turns to the nearest enemy king)
    GUARD               # hit points of soldiers within two steps of the own king
    FIRST_ROOK
    SECOND_ROOK
    OTHER_BUILDINGS     # knights and bishops
    BUILDING_CHECKERS   # other than the king's
    QUEEN_CARD
    KING_CARD
    KNAVE_CARD
    WHOLE_COURT
    STACK_CARDS         # up to a height of `USEFUL_HEIGHT`
    LATE_CARDS          # above
    EACH                # cards of each court tower that can be paid, up to `USEFUL_EACH`
    FITTING             # ranks in hand that can be played
    SOON                # ranks in hand that a tower wants after one or two others
    IN_DECK             # ranks in the deck that can be played
    WANTED_COURT        # of queen and king, those in hand whose place in the court is free
    JOKERS              # in hand
    DRAWS               # cards that a full hand lacks
    STUCK               # a full hand without a card that fits
    LASTING             # marks until the next own turn
    KEPT                # Upper Hand and Feast
    DEVOURED
    LOST_TURN
    THREAT_KING         # mean points of attacks left to the active seat, on king buildings
    THREAT_OTHER
    TARGET              # the Ivory Tower, as its Chosen One
    TARGET_POINTS       # points that it has taken, of 11
    SIEGE               # hit points of soldiers next to an enemy's Ivory Tower
    HAZARD              # hit points of soldiers on the board of an enemy's Ivory Tower
    NUM_TERMS

# Write the terms of each seat, a row of NUM_TERMS for each; those of the dead are 0.
cdef void ko_terms(const Rules* rules, const State* s, double* terms) noexcept nogil


cdef inline int hits_shown(const State* s, int face) noexcept nogil:
    cdef int hits = 0
    cdef int i
    for i in range(face - 1, 6):
        hits += s.context.faces[i]
    return hits


cdef inline int dice_left(const State* s) noexcept nogil:
    """The dice of a roll that are still to be rolled."""
    cdef int left = s.context.num_dice
    cdef int i
    if s.stage == STAGE_INSIGHT or s.stage == STAGE_PARLAY:
        return 1
    for i in range(6):
        left -= s.context.faces[i]
    return left
