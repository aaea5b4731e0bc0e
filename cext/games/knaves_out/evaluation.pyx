"""Evaluation of Knaves Out: the win shares that the terms of the seats give (terms.pyx).

A seat's strength is the sum of its terms times `WEIGHTS`, and the win shares are the softmax of the
strengths of all living seats. While the Dark Tower stands they are those after its end, one way or
the other, by the odds of that (dark_tower.pyx). A net corrects the shares (net_rows.pyx).
"""

from libc.math cimport exp
from libc.stdint cimport int32_t

from kingmaker.cext.net cimport Net

from .dark_tower cimport ko_await_dark
from .net_rows cimport ROWS_ROOM, ko_net_rows
from .rules cimport ko_returns
from .state cimport STAGE_END
from .terms cimport NUM_TERMS, ko_terms

cdef enum:
    CAUTION = 4         # by which strengths are divided, see `WEIGHTS`

# What the net corrects is at least this, in its training too (training/positions.py).
cdef double LEAST_SHARE = 1e-3

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
    if s.stage == STAGE_END:
        ko_returns(rules, s, out)
        return
    ko_terms(rules, s, &terms[0][0])
    weigh(rules, s, &terms[0][0], out)
    ko_await_dark(rules, s, out)
    if net is not None and s.active != 0:
        correct(rules, net, s, &terms[0][0], out)


cdef void weigh(
        const Rules* rules, const State* s, const double* terms, double* out) noexcept nogil:
    """Set the win shares by the weights alone, without regard to the Dark Tower."""
    cdef double best = -1e9
    cdef int seat, i
    for seat in range(rules.num_seats):
        out[seat] = -1e9
        if s.players[seat].is_alive:
            out[seat] = 0
            for i in range(NUM_TERMS):
                out[seat] += WEIGHTS[i] * terms[seat * NUM_TERMS + i]
            out[seat] /= CAUTION
        best = max(best, out[seat])
    for seat in range(rules.num_seats):
        out[seat] = exp(out[seat] - best) if s.players[seat].is_alive else 0
    normalize(rules, out)


cdef void correct(
        const Rules* rules, Net net, const State* s, const double* terms,
        double* out) noexcept nogil:
    """Add what the net says to the logarithms of the win shares."""
    cdef int32_t[ROWS_ROOM] rows
    cdef double[8] scores
    cdef double best = -1e9
    cdef int seat
    for seat in range(rules.num_seats):
        if s.players[seat].is_alive:
            scores[seat] = net.score(rows, ko_net_rows(rules, s, terms, seat, rows))
            best = max(best, scores[seat])
    for seat in range(rules.num_seats):
        out[seat] = 0 if not s.players[seat].is_alive else (
            max(out[seat], LEAST_SHARE) * exp(scores[seat] - best))
    normalize(rules, out)


cdef inline void normalize(const Rules* rules, double* shares) noexcept nogil:
    cdef double total = 0
    cdef int seat
    for seat in range(rules.num_seats):
        total += shares[seat]
    for seat in range(rules.num_seats):
        shares[seat] /= total
