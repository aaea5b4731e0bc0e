"""Lines of positions and observations as text of C; see the .pyx."""

from ...line_text cimport Reader, Writer
from .state cimport State

# `ViewGame.write_line` and `ViewGame.read_line`.
cdef void hearts_write_line(const State* s, Writer* out) noexcept nogil
cdef void hearts_read_line(Reader* given, State* s) noexcept nogil
