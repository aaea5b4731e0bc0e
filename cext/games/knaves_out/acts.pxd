"""Legal actions of Knaves Out; see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport Rules, State

# Write the legal ACT moves of `main`, in canonical order; returns their number.
cdef int ko_acts(const Rules* rules, const State* s, uint32_t* out) noexcept nogil
