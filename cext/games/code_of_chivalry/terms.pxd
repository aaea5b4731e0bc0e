"""What the net of the evaluation reads of each seat in a quiet state (policy.pyx).

Rows of its first layer, one for each block: a count or a pair of them has a row for each value, so
few rows are added up. The hand is that of the full state, a world of the search: the net values
worlds, not what a seat sees.
"""

from libc.stdint cimport int32_t, uint64_t

from .multiset cimport copies_of, kinds, pop_kind, size_of
from .rules cimport target_of
from .state cimport FORT_ARCHER, FORT_CASTLE, PHASE_DRAW, PHASE_TAKE, Rules, State

cdef extern from *:
    """
    /* Copies of a card in hand that are told apart, and their first row among those of cards. */
    static const unsigned char COC_TOLD[19] = {
        8, 6, 4, 3, 3, 2, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
    static const unsigned char COC_ROW[19] = {
        0, 8, 14, 18, 21, 24, 26, 29, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52};
    """
    const unsigned char* TOLD "COC_TOLD"
    const unsigned char* ROW "COC_ROW"

# Numbers of values that are told apart; larger ones count as the largest.
cdef enum:
    NUM_MISSING = 9
    NUM_GEMS = 5
    NUM_SIZES = 10
    NUM_LEFT = 4
    NUM_NEAREST = 11
    NUM_RESHUFFLES = 4
    NUM_RIVAL_CARDS = 20
    NUM_RIVAL_GEMS = 12

cdef enum:                                      # first rows of the blocks
    AT_TURN = 0                                 # turn and missing gems
    AT_GEMS = AT_TURN + 7 * NUM_MISSING
    AT_HAND = AT_GEMS + NUM_GEMS                # fortifications and size of the hand
    AT_TAKEN = AT_HAND + 4 * NUM_SIZES          # cards that the active seat is about to take
    AT_LOST = AT_TAKEN + NUM_LEFT               # the same, for the seat that loses them
    AT_CARDS = AT_LOST + NUM_LEFT
    AT_NEAREST = AT_CARDS + 54                  # missing gems of the richest rival
    AT_PILE = AT_NEAREST + NUM_NEAREST
    AT_RESHUFFLES = AT_PILE + 6
    AT_RIVAL_CARDS = AT_RESHUFFLES + NUM_RESHUFFLES
    AT_RIVAL_GEMS = AT_RIVAL_CARDS + NUM_RIVAL_CARDS
    NUM_TERMS = AT_RIVAL_GEMS + NUM_RIVAL_GEMS
    TERMS_ROOM = 32                             # most of a seat


cdef inline int turn_row(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The active seat by what it is about to do, the others by their distance from it."""
    cdef int ahead = seat - s.active
    if ahead < 0:
        ahead += rules.num_seats
    if ahead:
        return 3 + min(ahead, 3)
    if s.phase == PHASE_DRAW:
        return 0 if s.left >= 2 else 1
    return 3 if s.phase == PHASE_TAKE else 2


cdef inline int coc_terms(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    """Write the rows of a seat, [TERMS_ROOM], and return their number."""
    cdef uint64_t hand = s.hands[seat]
    cdef uint64_t members = kinds(hand)
    cdef int target = target_of(rules, s)
    cdef int gems = s.gems[seat]
    cdef int pile = size_of(s.draw)
    cdef int richest = 0
    cdef int rival_gems = 0
    cdef int rival_cards = 0
    cdef int n = 8
    cdef int other, card
    for other in range(rules.num_seats):
        if other != seat:
            richest = max(richest, <int>s.gems[other])
            rival_gems += s.gems[other]
            rival_cards += size_of(s.hands[other])
    out[0] = (AT_TURN + turn_row(rules, s, seat) * NUM_MISSING
              + bounded(target - gems, NUM_MISSING))
    out[1] = AT_GEMS + bounded(gems, NUM_GEMS)
    out[2] = (AT_HAND + (s.forts[seat] & (FORT_CASTLE | FORT_ARCHER)) * NUM_SIZES
              + bounded(size_of(hand), NUM_SIZES))
    out[3] = AT_NEAREST + bounded(target - richest, NUM_NEAREST)
    out[4] = AT_PILE + (pile >= 5) + (pile >= 10) + (pile >= 20) + (pile >= 35) + (pile >= 50)
    out[5] = AT_RESHUFFLES + bounded(s.reshuffles, NUM_RESHUFFLES)
    out[6] = AT_RIVAL_CARDS + bounded(rival_cards, NUM_RIVAL_CARDS)
    out[7] = AT_RIVAL_GEMS + bounded(rival_gems, NUM_RIVAL_GEMS)
    if s.phase == PHASE_TAKE and (seat == s.active or seat == s.seat):
        out[n] = (AT_TAKEN if seat == s.active else AT_LOST) + bounded(s.left - 1, NUM_LEFT)
        n += 1
    while members:
        card = pop_kind(&members)
        out[n] = AT_CARDS + ROW[card] + min(copies_of(hand, card), <int>TOLD[card]) - 1
        n += 1
    return n


cdef inline int bounded(int number, int values) noexcept nogil:
    """The number as one of 0 to `values` - 1."""
    return max(0, min(number, values - 1))
