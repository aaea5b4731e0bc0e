"""What each seat can see of Hearts, and states drawn from what it sees; see the .pyx."""

from numpy.random cimport bitgen_t

from .state cimport State

# Write what `seat` (or SPECTATOR) sees of `state` (R3).
cdef void hearts_observe(const State* state, int seat, State* out) noexcept nogil

# Write a state drawn from those consistent with `observation`, all equally likely (R3.6).
cdef void hearts_determinize(
    const State* observation, bitgen_t* rng, State* out) noexcept nogil
