"""The statistics of one legal move; see move_analysis.pyi."""

from libc.stdint cimport int64_t


cdef class MoveAnalysis:
    cdef public str move
    cdef public int64_t visits
    cdef public double visit_share
    cdef public tuple values
    cdef public double standard_error
    cdef public tuple line
    cdef public tuple replies
    cdef public bint is_exact
    cdef public object world_share
    cdef public bint is_examined
