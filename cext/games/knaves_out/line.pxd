"""Lines of positions and observations as text of C; see the .pyx."""

from ...line cimport Reader, Writer
from .state cimport Rules, State

# `ViewGame.write_line` and `ViewGame.read_line`.
cdef int ko_write_line(const Rules* rules, const State* s, Writer* out) except -1
cdef int ko_read_line(const Rules* rules, Reader* given, State* s) except -1
