"""Sets of at most 64 things (cards, squares) as bit masks."""

from libc.stdint cimport uint64_t

from .rng cimport below, bitgen_t


cdef extern from *:
    int count "__builtin_popcountll"(uint64_t mask) noexcept nogil
    int lowest "__builtin_ctzll"(uint64_t mask) noexcept nogil  # undefined for 0
    int leading_zeros "__builtin_clz"(unsigned int mask) noexcept nogil     # undefined for 0


cdef inline int pop_lowest(uint64_t* mask) noexcept nogil:
    """Remove the lowest member and return it; the set must not be empty."""
    cdef int member = lowest(mask[0])
    mask[0] &= mask[0] - 1
    return member


cdef inline int random_member(uint64_t mask, bitgen_t* rng) noexcept nogil:
    """Draw a member uniformly; the set must not be empty."""
    cdef uint64_t rest = mask
    cdef int skip = below(rng, count(mask))
    while skip:
        rest &= rest - 1
        skip -= 1
    return lowest(rest)
