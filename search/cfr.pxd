"""Tabular CFR+ and exact best responses for two seats, over the sequence form of a game.

All arrays of a `Player` have an element for each of its sequences. Its regrets define its policy:
each move in proportion to its regret, or uniform where no move has any.
"""

from libc.stdint cimport int32_t, int64_t

from .searcher cimport StopCode
from .sequence_form cimport NUM_SEATS, SequenceForm, Side


cdef struct Player:
    Side* side
    double* regrets  # cumulative regret of not having played the move, never below 0
    double* plan     # reach of the sequence by the present policy, the seat's own moves alone
    double* sums     # plans of all iterations so far, each weighted by the iteration's number
    double* values   # of the information sets after a move that a running backward pass has seen
    double* average  # reach of the sequence by the policy being judged, mostly the average one
    double* best     # as `values`, for best responses; zero between them
    double value     # win share by both policies being judged, as summed by a check
    int32_t slice    # information sets that are done between looks at the cancel flag


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
