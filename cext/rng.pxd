"""Random numbers from bit generators, without Python objects.

A stream is one `bitgen_t`, passed by pointer and owned by a Python bit generator that must
outlive it: one of numpy's, or a `Sfc64`. Independent streams are those of a `Seed`, or are made by
`SeedSequence.spawn`.
"""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from "numpy/random/bitgen.h":
    # As in numpy/random/__init__.pxd, which takes the compilers longer than a game.
    ctypedef struct bitgen_t:
        void* state
        uint64_t (*next_uint64)(void* state) noexcept nogil
        uint32_t (*next_uint32)(void* state) noexcept nogil
        double (*next_double)(void* state) noexcept nogil


# The C stream inside a bit generator, or a `Generator` of numpy; TypeError if it is neither.
cdef bitgen_t* stream_of(object bit_generator) except NULL


cdef struct Sfc64State:
    uint64_t[4] words
    uint32_t half          # the later 32 bits of a number, if only the others were drawn
    bint has_half


cdef class Sfc64:
    """The generator of `numpy.random.SFC64`, made in a tenth of the time."""

    cdef bitgen_t stream
    cdef Sfc64State state


cdef class Seed:
    """The seed of a `numpy.random.SeedSequence`, with the same streams; see rng.pyi."""

    cdef uint32_t[4] pool

    # The first `number` streams.
    cdef list streams(self, int number)


cdef inline uint32_t below(bitgen_t* rng, uint32_t n) noexcept nogil:
    """Draw uniformly from 0..n-1; bias below n / 2**32 (Lemire 2019, without rejection)."""
    return <uint32_t>((<uint64_t>rng.next_uint32(rng.state) * n) >> 32)


cdef inline double uniform(bitgen_t* rng) noexcept nogil:
    """Draw a double from [0, 1)."""
    return rng.next_double(rng.state)


cdef inline int digit(uint64_t* fraction, int n) noexcept nogil:
    """Draw from 0..n-1 with a 32-bit fraction, and leave its unused part for further draws.

    Bias below the product of all n / 2**32.
    """
    fraction[0] *= n
    cdef int drawn = fraction[0] >> 32
    fraction[0] &= <uint64_t>0xFFFFFFFF
    return drawn
