"""Lines that are read as text of C; see the .pyx."""

from ...line_text cimport Reader
from .state cimport Rules, State

# `ViewGame.read_line`.
cdef int ko_read_line(const Rules* rules, Reader* given, State* s) except -1
