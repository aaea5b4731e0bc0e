"""Legal actions of Knaves Out; see the .pyx."""

from libc.stdint cimport uint32_t

from .actions cimport Purse
from .state cimport Rules, State

# Write the legal ACT moves of `main`, in canonical order; returns their number. `purse` is that of
# the active seat.
cdef int ko_acts(
    const Rules* rules, const State* s, const Purse* purse, uint32_t* out) noexcept nogil
