"""A softmax with the same results on every machine.

Its exponential is ours, as those of C libraries differ in the last digit.
"""

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* e to the power of x <= 0, to 14 digits: 2^k times the Taylor series of the rest, which is at
       most ln(2) / 2. */
    static inline double net_exp(double x)
    {
        static const double factors[] = {
            1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
            1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0};
        double sum = 0, power;
        if (!(x > -700))
            return 0;
        int64_t k = (int64_t)(x * 1.4426950408889634 - 0.5);
        double rest = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10;
        for (int i = 0; i < 13; i++)
            sum = sum * rest + factors[i];
        uint64_t bits = (uint64_t)(k + 1023) << 52;
        memcpy(&power, &bits, sizeof(power));
        return sum * power;
    }

    /* The largest score needs no exponential: with two scores that is half of them. */
    static inline void net_softmax(double* scores, int length)
    {
        double most = scores[0], total = 0;
        for (int i = 1; i < length; i++)
            if (scores[i] > most)
                most = scores[i];
        for (int i = 0; i < length; i++)
            total += scores[i] = scores[i] == most ? 1 : net_exp(scores[i] - most);
        for (int i = 0; i < length; i++)
            scores[i] /= total;
    }
    """
    # Replace scores by their softmax.
    void net_softmax(double* scores, int length) noexcept nogil

    # e to the power of x, which is at most 0; 0 below -700.
    double net_exp(double x) noexcept nogil
