"""Hidden information of Knaves Out: observation and determinization; see the .pyx."""


from ...rng cimport bitgen_t
from .state cimport Rules, State

# `Game.observe`.
cdef void ko_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil

# `Game.determinize`.
cdef void ko_determinize(
    const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil
