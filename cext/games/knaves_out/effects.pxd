"""What actions do (R7), and the nodes that they ask; see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport Rules, State

# Take an action, which must be legal: count it, pay for it or ask for waivers, and carry it out.
cdef void ko_act(const Rules* rules, State* s, uint32_t move) noexcept nogil

# Apply `waive:`.
cdef void ko_waive(const Rules* rules, State* s, int tower) noexcept nogil

# Apply `find:` or `skip`.
cdef void ko_find(const Rules* rules, State* s, uint32_t move) noexcept nogil

# Apply `at:` for an action of R7.
cdef void ko_place(const Rules* rules, State* s, int square) noexcept nogil

# Apply `on:`.
cdef void ko_bomb(const Rules* rules, State* s, int square) noexcept nogil

# Apply `step:` of `charm`.
cdef void ko_charm_step(const Rules* rules, State* s, int square) noexcept nogil

# Apply the die of `taint`.
cdef void ko_taint_die(const Rules* rules, State* s, int face) noexcept nogil
