"""Evaluation of Knaves Out: the win shares that the terms of the seats give (terms.pyx).

A seat's strength is the sum of its terms times `WEIGHTS` plus what a net adds (net_rows.pyx), and
the win shares are the softmax of the strengths of all living seats. While the Dark Tower stands
they are those after its end, one way or the other, by the odds of that.
"""

from libc.math cimport exp
from libc.stdint cimport int32_t, uint16_t

from kingmaker.cext.net cimport Net

from .combat cimport ko_threshold, roller_of, rolled_at
from .geometry cimport are_cut_off, ko_way, neighbours
from .net_rows cimport ROWS_ROOM, ko_net_rows
from .rules cimport ko_returns
from .state cimport (
    ATTACKED, KIND_DARK, SOLDIERS, STAGE_END, STAGE_INSIGHT, STAGE_MIX, STAGE_PLACE,
    STAGE_REROLL, STAGE_SAC, Piece, Player, is_in, on_square, owner_on)
from .terms cimport NUM_TERMS, dice_left, hits_shown, ko_terms

cdef enum:
    CAUTION = 4         # by which strengths are divided, see `WEIGHTS`
    FULL_CLOCK = 10     # checkers of a Dark Tower that is called
    OUTLYING = 12       # steps to the place that an enemy finds for it
    MOST_DICE = 4       # that a square next to it gives room for, on average
    CORNER = 3          # squares next to one

# The part of the odds that a turn of the clock leaves: soldiers are lost, ways are blocked. It is a
# guess.
cdef double LASTS = 0.85


# Of the logarithm of the win share, in the order of the terms. They began as a fit to 2,800 games,
# most of them of a policy made by hand; those of terms that are rare there or follow from others,
# such as marks and the checkers of the king, were then set by hand. benchmarks/terms.py makes such
# a fit, though not these very numbers. Whole games of greedy players are decided less often by
# their sums than these say: the results are likeliest with a third of them to a sixth for two
# seats, and with an eighth for four, and stronger players win more of what they have. Undivided,
# shares are soon so near to 0 or 1 that a search sees no difference between moves.
cdef double[NUM_TERMS] WEIGHTS = [
    0.600, 0.300, 0.100, 0.800, 0.600, 0.050, 0.764, 0.500, 0.100, 0.030, 0.150, 0.350, 0.300,
    0.200, 0.057, 0.010, 0.020, 0.060, 0.040, 0.062, 0.100, 0.150, 0.040, -0.200, 0.080, 0.200,
    0.300, -0.400, 0.442, 0.150, 0.150, -3.495, 0.300, -0.250,
]


cdef void ko_evaluate(
        const Rules* rules, Net net, const State* s, double* out) noexcept nogil:
    cdef double[8][NUM_TERMS] terms
    cdef int32_t[ROWS_ROOM] rows
    cdef double best = -1e9
    cdef double total = 0
    cdef int seat, i
    if s.stage == STAGE_END:
        ko_returns(rules, s, out)
        return
    ko_terms(rules, s, &terms[0][0])
    for seat in range(rules.num_seats):
        out[seat] = -1e9
        if s.players[seat].is_alive:
            out[seat] = 0
            for i in range(NUM_TERMS):
                out[seat] += WEIGHTS[i] * terms[seat][i]
            out[seat] /= CAUTION
            if net is not None and s.active != 0:
                out[seat] += net.score(rows, ko_net_rows(rules, s, &terms[0][0], seat, rows))
        best = max(best, out[seat])
    for seat in range(rules.num_seats):
        out[seat] = exp(out[seat] - best) if s.players[seat].is_alive else 0
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total
    if s.dark.stands:
        await_dark(rules, s.dark.chosen, s.dark.enemy, s.dark.red + s.dark.black,
                   dark_odds(rules, s), out)
    elif s.context.kind == KIND_DARK and s.active != 0 and s.stage in (
            STAGE_MIX, STAGE_SAC, STAGE_PLACE):
        await_dark(rules, s.active - 1, s.node if s.stage == STAGE_PLACE else s.context.seat,
                   FULL_CLOCK, called_odds(rules, s), out)


# --- the Dark Tower -------------------------------------------------------------------------------

cdef void await_dark(
        const Rules* rules, int chosen, int enemy, int clock, double odds,
        double* out) noexcept nogil:
    """Turn win shares without the Dark Tower into those with it.

    With some `odds` its enemy falls, else its Chosen One does. The longer the clock, the likelier
    something else comes first.
    """
    cdef double is_decisive = 1 - clock / (2.0 * FULL_CLOCK)
    cdef double success = is_decisive * odds / max(1e-9, 1 - out[enemy])
    cdef double failure = is_decisive * (1 - odds) / max(1e-9, 1 - out[chosen])
    cdef double total = 0
    cdef int seat
    for seat in range(rules.num_seats):
        out[seat] *= (
            1 - is_decisive + (success if seat != enemy else 0)
            + (failure if seat != chosen else 0))
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


cdef double dark_odds(const Rules* rules, const State* s) noexcept nogil:
    """The odds that the Chosen One destroys the Dark Tower.

    Each point takes a turn from the clock, too. So the best plan is to wait until one checker is
    left and then to take two points with all soldiers at once, unless those at hand are enough now.
    """
    cdef const Player* p = &s.players[s.dark.chosen]
    cdef const Piece* piece
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int num_squares = neighbours(rules, s, s.dark.square, &around, room)
    cdef bint is_now = s.active == s.dark.chosen + 1
    cdef int checkers = s.dark.red + s.dark.black
    cdef int turns = max(1, checkers) if is_now else checkers - 1
    cdef int now = 0
    cdef int later = 0
    cdef int places = 0
    cdef int i, points, steps
    if is_now and STAGE_INSIGHT <= s.stage <= STAGE_REROLL and rolled_at(s) == s.dark.square:
        checkers -= hits_shown(s, ko_threshold(
            rules, s, roller_of(s), s.dark.square, s.context.upper))
        now = dice_left(s)
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not is_in(piece.letter, SOLDIERS):
            continue
        points = 1 + piece.checkers
        if are_cut_off(s, piece.square, s.dark.square):
            points -= 1
        steps = ko_way(rules, s, piece.square, s.dark.square) - 1
        if steps <= points * turns:
            later += points
            if steps <= points - piece.steps and piece.flags & ATTACKED == 0 and p.swayers == 0:
                now += points
    for i in range(num_squares):
        places += on_square(s, around[i]) == 0 or owner_on(on_square(s, around[i])) == s.dark.chosen
    later = min(later, MOST_DICE * places)
    return max(
        odds_of_hits(now, checkers + 1) if is_now else 0, odds_at_last(later, checkers))


cdef double called_odds(const Rules* rules, const State* s) noexcept nogil:
    """The same of a Dark Tower that its enemy is still to place, where it is hard to reach."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int later = 0
    cdef int i, points
    for i in range(p.num_pieces):
        points = 1 + p.pieces[i].checkers
        if is_in(p.pieces[i].letter, SOLDIERS) and OUTLYING <= points * FULL_CLOCK:
            later += points
    return odds_at_last(min(later, CORNER * MOST_DICE), FULL_CLOCK)


cdef inline double odds_at_last(int dice, int checkers) noexcept nogil:
    """The odds of two points with the last checker; soldiers may be lost while the clock runs."""
    return 0 if checkers < 2 else odds_of_hits(dice, 2) * LASTS ** (checkers - 1)


cdef inline double odds_of_hits(int dice, int hits) noexcept nogil:
    """The odds of at least so many hits."""
    cdef double exactly = (2 / 3.0) ** dice
    cdef double fewer = 0
    cdef int i
    for i in range(min(hits, dice + 1)):
        fewer += exactly
        exactly *= (dice - i) / (2.0 * (i + 1))
    return 1 - fewer
