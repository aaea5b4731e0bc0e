"""A game whose states are typed views in Python; see view_game.pyx."""

from libc.stdint cimport uint64_t

from .bits cimport count, pop_lowest
from .game cimport Game
from .line_text cimport Reader, Writer
from .lists cimport PyList_New, put


cdef class ViewGame(Game):
    cdef dict tokens   # of moves that were written lately, as that takes as long as simulations
    cdef dict moves    # that were read lately, by token
    cdef bint is_overridden   # parse_move, by a subclass
    cdef dict told            # the view of its options, once it was needed
    cdef readonly bint is_shared   # by positions that were read: nothing may change what it plays
    cdef size_t observer_at   # byte of a state that holds seat + 1, 0 for a spectator, NOBODY: full
    cdef bytes line_head      # of its lines: tag and options, once it was needed

    cdef bint writes_lines    # in C, with `write_line`; known after the first line

    # Write the line of a state or observation after the head, without the observer; return False
    # if the game writes lines in Python.
    cdef bint write_line(self, const void* state, Writer* out) except -1

    cdef dict told_view(self)

    # Read such a line into a state of zeros with its observer; see line_text.pxd.
    cdef int read_line(self, Reader* given, void* state) except -1


cdef enum:
    NOBODY = 255        # observer of a full state


cdef inline list names_of(uint64_t members, names):
    """List the names of the members of a set."""
    cdef list found = PyList_New(count(members))
    cdef int place
    for place in range(len(found)):
        put(found, place, names[pop_lowest(&members)])
    return found
