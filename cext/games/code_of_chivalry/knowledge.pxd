"""What each seat can see of Code of Chivalry, and states drawn from what it sees; see the .pyx."""

from numpy.random cimport bitgen_t

from .state cimport Rules, State

# Write what `seat` (or SPECTATOR) sees of `state` (R14).
cdef void coc_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil

# Write a state drawn by the recipe of R11.5.
cdef void coc_determinize(
    const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil

# Whether a valid state is consistent with an observation (R11.4).
cdef bint coc_is_consistent(
    const Rules* rules, const State* observation, const State* state) noexcept nogil
