"""The values of one root move, with the error of their mean.

In a tree search the values depend on each other, and drift as the tree grows. So they are kept as
the sums of up to `MAX_BATCHES` batches, equally long and in order of time; when all are full, they
are joined in pairs. The variance of the mean is the larger of that of independent values and that
of the batch means. To that comes the drift: the mean is expected to move on by twice its difference
between both halves, as it does if the remaining error falls with the cube root of the time. Where
an evaluation makes values alike, neither shows how far a growing tree will still move them, which
is most where it has yet to find good replies.

Where all simulations draw from a limited number of worlds, weighed by a record, values of one world
depend on each other, too. So they are also summed by batches of these worlds, which were drawn
apart; the variance of the mean, a ratio of two sums over the batches, is at least the one by them.

Source: Flegal and Jones 2010, "Batch means and spectral variance estimators in Markov chain Monte
Carlo".
"""

from libc.math cimport cbrt
from libc.stdint cimport int32_t, int64_t


cdef enum:
    MAX_BATCHES = 16
    MIN_BATCHES = 8      # fewer say little about a variance
    DRIFT_TO_COME = 4    # squared, in those of the drift between both halves
    # Percent: least variance of a value in a tree, so that 95 % intervals of short searches hold
    # the mean of long ones in nine of ten cases, as tests/search/test_standard_errors.py demands.
    LEAST_VARIANCE = 5
    # The same where replies that are found late move values more: where nothing is hidden, and
    # where several rivals are taken to be hostile.
    LEAST_VARIANCE_OF_REPLIES = 20
    # Percent, so that 95 % intervals that are told hold for best moves, too.
    GROWTH_TO_COME = 25
    WORLD_BATCHES = 16

cdef struct Samples:
    int64_t count
    double sum
    double squares
    int32_t length       # of a batch, less 1: zeroed memory has batches of one value
    int32_t num_full     # batches
    int32_t num_open     # values of the batch that is being filled
    double open_sum
    double[MAX_BATCHES] sums   # of the full batches


cdef struct WorldSums:
    double[WORLD_BATCHES] sums
    double[WORLD_BATCHES] counts


cdef inline void add_sample(Samples* samples, double value) noexcept nogil:
    cdef int i
    samples.count += 1
    samples.sum += value
    samples.squares += value * value
    samples.open_sum += value
    samples.num_open += 1
    if samples.num_open <= samples.length:
        return
    samples.sums[samples.num_full] = samples.open_sum
    samples.num_full += 1
    samples.num_open = 0
    samples.open_sum = 0
    if samples.num_full == MAX_BATCHES:
        for i in range(MAX_BATCHES // 2):
            samples.sums[i] = samples.sums[2 * i] + samples.sums[2 * i + 1]
        samples.num_full = MAX_BATCHES // 2
        samples.length = 2 * samples.length + 1


cdef inline double variance_of_mean(double count, double sum, double squares) noexcept nogil:
    """Variance of the mean of independent win shares.

    The largest variance of a win share, 1/4, counts as one more value: without it the same result
    twice would look certain.
    """
    if count <= 0:
        return 0.25
    return (max(0.0, squares - sum * sum / count) + 0.25) / ((count + 1) * count)


cdef inline double squared_drift(const Samples* samples, double independent) noexcept nogil:
    """Squared difference of the means of both halves, without what chance adds to it."""
    cdef int half = samples.num_full // 2
    cdef double drift = 0
    cdef int i
    if samples.num_full < MIN_BATCHES:
        return 0
    for i in range(half):
        drift += samples.sums[samples.num_full - 1 - i] - samples.sums[i]
    drift /= half * (samples.length + 1)
    return max(0.0, drift * drift - 4 * independent)


cdef inline double squared_growth(double count, double mean) noexcept nogil:
    """Squared error of the mean in a tree that is still to find replies.

    It falls with the cube root of the time, much slower than that of independent values.
    """
    return 0.01 * GROWTH_TO_COME * max(0.0, mean * (1 - mean)) / cbrt(count * count)


cdef inline double late_shift(const Samples* samples) noexcept nogil:
    """How much the mean of the later half of the values is above that of all."""
    cdef int half = samples.num_full // 2
    cdef double late = samples.open_sum
    cdef int i
    if samples.num_full < MIN_BATCHES:
        return 0
    for i in range(half):
        late += samples.sums[samples.num_full - 1 - i]
    late /= half * (samples.length + 1) + samples.num_open
    return late - samples.sum / samples.count


cdef inline double variance_of(const Samples* samples, int least_variance) noexcept nogil:
    """Variance of the mean of the values, their drift included; at least so many percent each."""
    cdef double independent = variance_of_mean(samples.count, samples.sum, samples.squares)
    cdef double least = 0
    cdef double mean = 0
    cdef double spread = 0
    cdef double distance
    cdef int i
    if samples.count:
        independent = max(independent, 0.01 * LEAST_VARIANCE / samples.count)
        least = 0.01 * least_variance / samples.count
    if samples.num_full < MIN_BATCHES:
        return max(independent, least)
    for i in range(samples.num_full):
        mean += samples.sums[i] / samples.num_full
    for i in range(samples.num_full):
        distance = (samples.sums[i] - mean) / (samples.length + 1)
        spread += distance * distance
    spread /= samples.num_full * (samples.num_full - 1)
    return max(independent, least, spread) + DRIFT_TO_COME * squared_drift(samples, independent)


cdef inline double variance_by_worlds(const WorldSums* batches) noexcept nogil:
    """Variance of the mean by batches of worlds, which weigh as much as their values are many."""
    cdef double count = 0
    cdef double sum = 0
    cdef double spread = 0
    cdef double part = 0     # of the squared weights: 1 where one batch has all of them
    cdef double distance
    cdef int i
    for i in range(WORLD_BATCHES):
        count += batches.counts[i]
        sum += batches.sums[i]
    if count == 0:
        return 0
    for i in range(WORLD_BATCHES):
        distance = batches.sums[i] - batches.counts[i] * sum / count
        spread += distance * distance
        part += batches.counts[i] * batches.counts[i]
    part /= count * count
    return spread / (count * count) / max(1 - part, 1.0 / WORLD_BATCHES)
