"""Arithmetic of UCB, for the inner loops."""

from libc.math cimport sqrtf
from libc.stdint cimport uint32_t
from libc.string cimport memcpy


cdef inline float fast_log(float x) noexcept nogil:
    """Natural logarithm within 0.01 for x >= 1, in a few instructions; UCB needs no more.

    Exponent of the float plus a parabola through the mantissa that is exact at powers of two.
    """
    cdef uint32_t bits
    cdef float mantissa
    memcpy(&bits, &x, 4)
    cdef int exponent = <int>(bits >> 23) - 127
    bits = (bits & 0x7FFFFF) | 0x3F800000
    memcpy(&mantissa, &bits, 4)
    return <float>0.69314718 * (
        exponent + (<float>-0.33333333 * mantissa + <float>2.0) * mantissa - <float>1.66666667)


cdef inline float ucb(double value_sum, int visits, float scaled_log) noexcept nogil:
    """Mean plus exploration term; `scaled_log` is exploration**2 * log(times available)."""
    cdef float inverse = <float>1.0 / visits
    return <float>value_sum * inverse + sqrtf(scaled_log * inverse)
