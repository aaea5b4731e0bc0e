"""Signals of Python, such as Ctrl-C, in long loops without the GIL."""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t

from .clock cimport monotonic_ns

cdef enum:
    SIGNALS_NS = 100000000      # between two looks, as between the slices of a search


cdef inline int heed_signals(int64_t* due_ns) except -1 nogil:
    """Let Python handle signals if due; Ctrl-C raises KeyboardInterrupt in the main thread.

    `due_ns` is a time of the monotonic clock; 0 in the first turn of a loop.
    """
    cdef int64_t now = monotonic_ns()
    if now < due_ns[0]:
        return 0
    if due_ns[0]:
        with gil:
            PyErr_CheckSignals()
    due_ns[0] = now + SIGNALS_NS
    return 0


cdef inline int64_t next_look(int64_t deadline_ns) noexcept nogil:
    """Return when a loop that is to end at `deadline_ns` (0: never) is to look for signals."""
    cdef int64_t due_ns = monotonic_ns() + SIGNALS_NS
    return min(due_ns, deadline_ns) if deadline_ns else due_ns


cdef inline bint goes_on(int64_t deadline_ns) except -1:
    """Let Python handle signals between two parts of a loop; whether there is time for another."""
    PyErr_CheckSignals()
    return deadline_ns == 0 or monotonic_ns() < deadline_ns
