"""PUCT: selection by the mean of a move and a bonus by its prior probability.

The prior of a move is a softmax of the evaluations after the moves of a decision, or in proportion
to the weights of a learned policy (`Game.prior_weights`). A uniform one is mixed in, so that no
move is left out for good.

Sources: Rosin 2011, "Multi-armed Bandits with Episode Context"; Silver et al. 2017, "Mastering the
Game of Go without Human Knowledge" (this form of the bonus).
"""

from libc.stdint cimport uint32_t
from libc.string cimport memcpy


cdef enum:
    UNIFORM_PERCENT = 10   # of a prior
    PRIOR_WORLDS = 16      # whose evaluations a prior at the root averages


cdef inline float prior_of(float weight, float total, int num_moves) noexcept nogil:
    """Prior of a move: `weight` as by `Searcher.weigh_prior`, `total` that of all `num_moves`."""
    return (<float>(UNIFORM_PERCENT / 100.0) / num_moves
            + <float>(1 - UNIFORM_PERCENT / 100.0) * weight / total)


cdef inline float puct(float mean, int visits, float scaled_prior) noexcept nogil:
    """Score of a move; `scaled_prior` is exploration * prior * sqrt(times available)."""
    return mean + scaled_prior / (1 + visits)


cdef inline float fast_exp(float x) noexcept nogil:
    """Exponential within 0.02 % for 0 <= x < 88, the same on every machine, unlike that of libm.

    A power of two for the whole part of the binary logarithm times a cubic for the rest, which fits
    2**x with a relative error of 1.2e-4 at most.
    """
    cdef float binary = <float>1.44269504 * x
    cdef int whole = <int>binary
    cdef float rest = binary - whole
    cdef uint32_t bits = <uint32_t>(whole + 127) << 23
    cdef float power
    memcpy(&power, &bits, 4)
    return power * (<float>1.0 + rest * (<float>0.69555686 + rest * (
        <float>0.22617357 + rest * <float>0.07814557)))
