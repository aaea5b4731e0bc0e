"""Weights of the evaluation without a net: a conditional logit.

The sum of a seat's terms is the logarithm of its share, up to a common factor. The weights were
fitted by maximum likelihood to the winners of games between bots. Positions were quiet, or were
first played to a quiet one (policy.pyx). Minstrel and monk are guesses: those decks had none.

More than two seats: games of four seats, each seat ismcts with policy or uniform playouts at
random; 107,000 positions of 5,600 games with an earlier evaluation and 500 to 1,500 simulations a
move, and 43,000 positions of 810 games with 320 or 1,000 simulations and a later policy. The
weights are about the mean of the two fits. On held-out games a fit to both has a log loss of 1.259
(no knowledge: 1.386). The largest gain came from the turn order of seats that lack two gems;
margins, squares and threats of hands to rivals' fortifications gained under 0.001.

Two seats: 389,000 positions of 9,600 games of ismcts against itself, 500 simulations a move and
one move in twenty at random; a third of the games with the weights of four seats, the others with
a first fit to that third. Fitted to four fifths of the games, the log loss on the others is 0.546
(weights of four seats: 0.569; no knowledge: 0.693); the weights here are fitted to all games and
rounded. In the first third of the games, threats of hands to the rival's fortifications, and
terms for the presence of a card, gained 0.002.
"""

from libc.stdint cimport uint64_t

from .multiset cimport copies_of, kinds, pop_kind, size_of
from .state cimport FORT_ARCHER, FORT_CASTLE, PHASE_DRAW, Rules, State

cdef extern from *:
    """
    typedef struct {
        double few_cards[3], many_cards, held[19], turn[3], to_draw, missing_gem, near_by_1,
            near_by_2[3], castle_up, archer_up, both_up;
    } CocWeights;
    static const CocWeights COC_DUEL = {
        {-0.23, -0.105, -0.015}, -0.11,
        {0.21, 0.275, 0.335, 0.465, 0.595, 0.47, 0.29, 0.21, 0.17, 0.245, 0.25, 0.49, 0.61, 0.41,
         0.64, 0.71, 1.08, 0.6, 0.3},
        {-0.185, 0.0, 0.0}, 0.305, -0.18, 0.12, {0.38, 0.195, 0.0}, 0.41, 0.625, 0.615};
    static const CocWeights COC_TABLE = {
        {-0.41, -0.2, -0.08}, -0.08,
        {0.13, 0.1, 0.225, 0.175, 0.52, 0.42, 0.18, 0.09, 0.065, 0.215, 0.0, 0.085, 0.38, 0.66,
         0.265, 0.565, 0.69, 0.3, 0.1},
        {-0.055, 0.23, 0.085}, 0.21, -0.134, 0.29, {0.94, 0.46, 0.18}, 0.335, 0.43, 0.405};
    """
    ctypedef struct Weights "CocWeights":
        double[3] few_cards     # of a hand of 0, 1 or 2 cards
        double many_cards       # of each card beyond `MANY`
        double[19] held         # of a card in hand, in card order
        double[3] turn          # of the active seat and the next ones
        double to_draw          # of a card that the active seat is about to draw
        double missing_gem
        double near_by_1        # a gem or none is missing
        double[3] near_by_2     # two or fewer; of the active seat and the next ones
        double castle_up
        double archer_up
        double both_up
    const Weights DUEL "COC_DUEL"
    const Weights TABLE "COC_TABLE"

cdef enum:
    FEW = 3
    MANY = 5


cdef inline const Weights* weights_of(const Rules* rules) noexcept nogil:
    return &DUEL if rules.num_seats == 2 else &TABLE


cdef inline double gem_value(const Weights* w, int missing) noexcept nogil:
    return w.missing_gem * missing + (w.near_by_1 if missing <= 1 else 0)


cdef inline double size_value(const Weights* w, int size) noexcept nogil:
    """The term of the size of a hand, besides those of its cards."""
    return w.few_cards[size] if size < FEW else w.many_cards * max(0, size - MANY)


cdef inline double hand_value(const Weights* w, uint64_t hand) noexcept nogil:
    cdef uint64_t members = kinds(hand)
    cdef double value = size_value(w, size_of(hand))
    cdef int card
    while members:
        card = pop_kind(&members)
        value += w.held[card] * copies_of(hand, card)
    return value


cdef inline double fort_value(const Weights* w, int forts) noexcept nogil:
    forts &= FORT_CASTLE | FORT_ARCHER
    if forts == FORT_CASTLE | FORT_ARCHER:
        return w.both_up
    return w.castle_up if forts & FORT_CASTLE else w.archer_up if forts else 0


cdef inline double turn_value(
        const Weights* w, int num_seats, const State* s, int seat, int missing) noexcept nogil:
    """The term of the turn order, largest for a seat near the target."""
    cdef int ahead = seat - s.active
    cdef double value
    if ahead < 0:
        ahead += num_seats
    if ahead >= 3:
        return 0
    value = w.turn[ahead] + (w.near_by_2[ahead] if missing <= 2 else 0)
    return value + w.to_draw * s.left if ahead == 0 and s.phase == PHASE_DRAW else value
