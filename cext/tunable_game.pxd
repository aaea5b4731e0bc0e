"""A game whose playout policy has factors that can be learned; see tunable_game.pyx."""

from libc.stdint cimport uint32_t

from .choice cimport Factors
from .net cimport Net
from .view_game cimport ViewGame

cdef enum:
    MAX_ROWS = 0x10000      # of a policy: their numbers have 16 bits (choice.pxd)


cdef class TunableGame(ViewGame):
    cdef readonly int num_rows          # of its policy; 0: it chooses by none
    cdef Factors factors                # those in use
    cdef bytearray values               # of its rows

    cdef Net prior_net                  # corrects the policy in priors; None: nothing does

    # Correct `Game.prior_weights` for the seat to move by the net, if there is one.
    cdef void correct_priors(
        self, const void* state, const uint32_t* moves, int num_moves,
        double* weights) noexcept nogil

    # Raise StateError if positions that were read share the game.
    cdef int check_own(self) except -1

    # Raise ValueError if the policy chooses by no factors, or by more than there is room for.
    cdef int check_rows(self) except -1
