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
