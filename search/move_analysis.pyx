"""See move_analysis.pyi. A class of C's kind, as a search makes one for each legal move."""

cimport cython


@cython.dataclasses.dataclass
cdef class MoveAnalysis:
    """See move_analysis.pyi."""

    replies = ()
    is_exact = False
    world_share = None
    is_examined = True

    def __reduce__(self):
        return MoveAnalysis, (
            self.move, self.visits, self.visit_share, self.values, self.standard_error, self.line,
            self.replies, self.is_exact, self.world_share, self.is_examined)
