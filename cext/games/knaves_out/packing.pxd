"""Structs of Knaves Out from views; see the .pyx."""

from ...fields cimport Fields
from ...fields cimport Fields
from .state cimport Rules, State

# `ViewGame.pack`: the bytes of the state or observation of a flat view.
cdef bytes ko_pack(const Rules* rules, Fields fields)

# `ViewGame.pack_move`.
cdef long ko_pack_move(int num_seats, Fields fields) except -1

# Fill the stage, who is asked and the context from the view of a node.
cdef int pack_node(Fields fields, State* s, int seats) except -1
