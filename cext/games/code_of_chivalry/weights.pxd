"""What the evaluation of Code of Chivalry weighs: shares of a win as a conditional logit.

The sum of a seat's terms is the logarithm of its share, but for a common factor. The weights were
fitted by maximum likelihood to who won games of four seats, each ismcts by chance with the policy
or with uniform playouts: 107,000 positions of 5,600 games with an earlier evaluation and 500 to
1,500 simulations a move, and 43,000 of 810 games with 320 or 1,000 and the policy as it is now.
They are about the mean of the fits to either. Positions were first played on to where they are
quiet (policy.pyx).

On games kept apart, a fit to both has a log loss of 1.259, of 1.212 on the latter alone (no
knowledge: 1.386). What gained most was to tell by turn order how dangerous a seat is that misses
two gems; margins, squares and what hands could do to rivals' fortifications gained under 0.001.
Minstrel and monk are guesses, as those decks had none.
"""

from libc.stdint cimport uint64_t

from .multiset cimport copies_of, kinds, pop_kind, size_of
from .state cimport FORT_ARCHER, FORT_CASTLE, PHASE_DRAW, Rules, State

cdef extern from *:
    """
    static const double COC_FEW_CARDS[3] = {-0.41, -0.2, -0.08};
    static const double COC_HELD[19] = {
        0.13, 0.1, 0.225, 0.175, 0.52, 0.42, 0.18, 0.09, 0.065, 0.215, 0.0, 0.085, 0.38, 0.66,
        0.265, 0.565, 0.69, 0.3, 0.1};
    static const double COC_TURN[3] = {-0.055, 0.23, 0.085};
    static const double COC_NEAR_BY_2[3] = {0.94, 0.46, 0.18};
    #define COC_TO_DRAW 0.21
    #define COC_MISSING_GEM -0.134
    #define COC_NEAR_BY_1 0.29
    #define COC_MANY_CARDS -0.08
    #define COC_CASTLE_UP 0.335
    #define COC_ARCHER_UP 0.43
    #define COC_BOTH_UP 0.405
    """
    const double* FEW_CARDS "COC_FEW_CARDS"     # of a hand of so many cards
    const double MANY_CARDS "COC_MANY_CARDS"    # of each card beyond `MANY`
    const double* HELD "COC_HELD"               # of a card in hand, in card order
    const double* TURN "COC_TURN"               # of the active seat and those that follow
    const double TO_DRAW "COC_TO_DRAW"          # of a card that the active seat is about to draw
    const double MISSING_GEM "COC_MISSING_GEM"
    const double NEAR_BY_1 "COC_NEAR_BY_1"      # a gem or none is missing
    const double* NEAR_BY_2 "COC_NEAR_BY_2"     # two or fewer; of the active seat and the next ones
    const double CASTLE_UP "COC_CASTLE_UP"
    const double ARCHER_UP "COC_ARCHER_UP"
    const double BOTH_UP "COC_BOTH_UP"

cdef enum:
    FEW = 3
    MANY = 5


cdef inline double gem_value(int missing) noexcept nogil:
    return MISSING_GEM * missing + (NEAR_BY_1 if missing <= 1 else 0)


cdef inline double size_value(int size) noexcept nogil:
    """Of the size of a hand; the cards themselves come on top."""
    return FEW_CARDS[size] if size < FEW else MANY_CARDS * max(0, size - MANY)


cdef inline double hand_value(uint64_t hand) noexcept nogil:
    cdef uint64_t members = kinds(hand)
    cdef double value = size_value(size_of(hand))
    cdef int card
    while members:
        card = pop_kind(&members)
        value += HELD[card] * copies_of(hand, card)
    return value


cdef inline double fort_value(int forts) noexcept nogil:
    forts &= FORT_CASTLE | FORT_ARCHER
    if forts == FORT_CASTLE | FORT_ARCHER:
        return BOTH_UP
    return CASTLE_UP if forts & FORT_CASTLE else ARCHER_UP if forts else 0


cdef inline double turn_value(
        const Rules* rules, const State* s, int seat, int missing) noexcept nogil:
    """Of being on turn soon, most of all for a seat that is near the target."""
    cdef int ahead = seat - s.active
    cdef double value
    if ahead < 0:
        ahead += rules.num_seats
    if ahead >= 3:
        return 0
    value = TURN[ahead] + (NEAR_BY_2[ahead] if missing <= 2 else 0)
    return value + TO_DRAW * s.left if ahead == 0 and s.phase == PHASE_DRAW else value
