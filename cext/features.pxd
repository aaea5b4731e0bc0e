"""Writing the features of a state, see `Game.features`.

Each function writes indices from `out` on and returns the end of those that hold. Indices ascend,
so there are never more of them than the next one: writing all of a block and keeping those that
hold stays within `num_features`, and needs no branch.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from .bits cimport pop_lowest

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>

    /* Write first, first + 1, ...; compilers unroll a plain loop without using vectors. */
    static inline void features_count_up(int32_t* out, int32_t first, int size) {
        typedef int32_t four __attribute__((vector_size(16)));
        four next = {first, first + 1, first + 2, first + 3};
        int i = 0;
        for (; i + 4 <= size; i += 4) {
            memcpy(out + i, &next, sizeof(next));
            next += 4;
        }
        for (; i < size; i++) {
            out[i] = first + i;
        }
    }
    """
    void count_up "features_count_up"(int32_t* out, int32_t first, int size) noexcept nogil


cdef inline int32_t* put(int32_t* out, int index, bint holds) noexcept nogil:
    """One feature."""
    out[0] = index
    return out + (holds != 0)


cdef inline int32_t* put_levels(int32_t* out, int first, int level, int size) noexcept nogil:
    """A thermometer of `size` features, of which the first `level` hold; none below 1."""
    count_up(out, first, size)
    return out + max(0, min(level, size))


cdef inline int32_t* put_choice(int32_t* out, int first, int chosen) noexcept nogil:
    """One of several features, from 0; none for a negative number."""
    return put(out, first + chosen, chosen >= 0)


cdef inline int levels_reached(int value, const uint8_t* levels, int size) noexcept nogil:
    """How many of the ascending levels are at most the value."""
    cdef int reached = 0
    cdef int i
    for i in range(size):
        reached += value >= levels[i]
    return reached


cdef inline int levels_left(int value, const uint8_t* levels, int size) noexcept nogil:
    """How many of the descending levels are at least the value."""
    cdef int reached = 0
    cdef int i
    for i in range(size):
        reached += value <= levels[i]
    return reached


cdef inline uint64_t thermometer(int number, int most) noexcept nogil:
    """The features "1 or more" to "`most` or more" that hold of a number; `most` is below 64."""
    return (<uint64_t>1 << max(min(number, most), 0)) - 1


cdef inline int write_members(
        uint64_t members, int first, int32_t* out, int length) noexcept nogil:
    """Append the members of a set, counted from `first`, to a list; return the new length."""
    while members:
        out[length] = first + pop_lowest(&members)
        length += 1
    return length
