"""Tabular CFR+ and exact best responses for two seats, over the sequence form of a game."""

from libc.stdint cimport int32_t, int64_t

from .cfr_player cimport Player
from .searcher cimport StopCode
from .sequence_form cimport NUM_SEATS, SequenceForm


cdef class CfrSolver:
    cdef readonly SequenceForm form
    cdef Player[NUM_SEATS] players
    cdef bint is_ready            # the arrays are allocated
    cdef bint is_running          # a thread is in `run`
    cdef bint is_judging          # a thread writes policies or best responses elsewhere
    cdef volatile bint is_cancelled
    cdef int64_t iteration        # the one being worked on; 0 sets the first plans
    cdef int64_t next_check       # NashConv is due before this iteration
    cdef int64_t checked          # NashConv is known of the average before this iteration
    cdef int phase                # the pass of the iteration or check
    cdef int32_t cursor           # information sets of the pass that are done
    cdef readonly double nash_conv
    cdef double[NUM_SEATS] measured   # win shares of the policies of `nash_conv`

    cdef StopCode loop(
        self, int64_t max_iterations, double target, int64_t deadline_ns) noexcept nogil
    cdef int64_t advance(self) noexcept nogil
    cdef void end_pass(self) noexcept nogil
    cdef double gain(self) noexcept nogil
    cdef double at_once(self, int seat) noexcept nogil
    cdef void restart_check(self) noexcept nogil
    cdef void clear_best(self) noexcept nogil
    cdef void take_averages(self) noexcept nogil
    cdef bint average_in_slices(self) noexcept nogil
    cdef bint spread(self, int seat, double* reaches) noexcept nogil
