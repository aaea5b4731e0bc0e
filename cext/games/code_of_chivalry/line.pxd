"""Lines of positions and observations as text of C; see the .pyx."""

from ...line_text cimport Reader, Writer
from .state cimport Rules, State

# `ViewGame.write_line` and `ViewGame.read_line`.
cdef void coc_write_line(const Rules* rules, const State* s, Writer* out) noexcept nogil
cdef void coc_read_line(const Rules* rules, Reader* given, State* s) noexcept nogil
