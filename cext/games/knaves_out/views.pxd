"""Views of Knaves Out from structs; see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport Rules, State

# `ViewGame.fields_of`.
cdef dict ko_fields_of(const Rules* rules, const State* s)

# `ViewGame.move_view`.
cdef dict ko_move_view(uint32_t move)

# The view of the node, without its seat.
cdef dict node_view(const State* s, int seats)
