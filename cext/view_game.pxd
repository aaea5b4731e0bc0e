"""A game whose states are typed views in Python; see view_game.pyx."""

from .game cimport Game


cdef class ViewGame(Game):
    cdef dict tokens   # of moves that were written lately, as that takes as long as simulations
    cdef dict moves    # that were read lately, by token
    cdef dict told            # the view of its options, once it was needed
    cdef size_t observer_at   # byte of a state that holds seat + 1, 0 for a spectator, NOBODY: full


cdef enum:
    NOBODY = 255        # observer of a full state
