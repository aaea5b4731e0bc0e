"""A game whose playout policy has factors that can be learned; see tunable_game.pyx."""

from .choice cimport Factors
from .view_game cimport ViewGame

cdef enum:
    MAX_ROWS = 0x10000      # of a policy: their numbers have 16 bits (choice.pxd)


cdef class TunableGame(ViewGame):
    cdef readonly int num_rows          # of its policy; 0: it chooses by none
    cdef Factors factors                # those in use
    cdef bytearray values               # of its rows

    # Raise ValueError if the policy chooses by no factors, or by more than there is room for.
    cdef int check_rows(self) except -1
