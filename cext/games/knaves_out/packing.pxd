"""Views of Knaves Out <-> structs; see the .pyx."""

from libc.stdint cimport uint32_t

from .state cimport Rules, State

# `ViewGame.pack`: the bytes of the state or observation of a flat view.
cdef bytes ko_pack(const Rules* rules, fields)

# `ViewGame.fields_of`.
cdef dict ko_fields_of(const Rules* rules, const State* s)

# `ViewGame.pack_move` and `move_view`.
cdef long ko_pack_move(int num_seats, fields) except -1
cdef dict ko_move_view(uint32_t move)
