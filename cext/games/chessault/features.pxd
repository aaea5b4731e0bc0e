"""The features of Chessault; see the .pyx."""

from libc.stdint cimport int32_t

from .state cimport Rules, State

# Write the features that hold for a seat, ascending; return their number.
cdef int chs_features(const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil
