"""A game whose playout policy has factors that can be learned; see tunable_game.pyx."""

from .choice cimport Factors
from .rng cimport bitgen_t
from .view_game cimport ViewGame

cdef enum:
    MAX_ROWS = 2048     # of a policy


cdef class TunableGame(ViewGame):
    cdef readonly int num_rows          # of its policy
    cdef Factors factors                # those in use
    cdef double[MAX_ROWS] values        # of its rows

    # Play a whole game by the policy and write its returns; returns its plies.
    cdef int play_policy(self, void* state, bitgen_t* rng, double* out) noexcept nogil
