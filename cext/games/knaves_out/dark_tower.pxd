"""The Dark Tower in the evaluation of Knaves Out; see the .pyx."""

from .state cimport Rules, State

cdef struct DarkTower:      # that stands
    int checkers
    int places              # squares next to it that are empty or its Chosen One's
    int now                 # dice of its Chosen One's soldiers that reach it this turn
    int later               # of those that reach it before the clock ends
    double odds             # that it is destroyed before, at a guess

cdef void ko_look_at_dark(const Rules* rules, const State* s, DarkTower* out) noexcept nogil

# Turn win shares without regard to the Dark Tower into those with it, if it stands or is called.
cdef void ko_await_dark(const Rules* rules, const State* s, double* shares) noexcept nogil
