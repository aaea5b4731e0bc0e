"""The order of the moves of a decision: that of the table, then those that caused the most cutoffs.

Source: Schaeffer 1989, "The History Heuristic".
"""

from libc.stdint cimport int32_t, uint32_t

from kingmaker.cext.game cimport NO_MOVE

from .frames cimport Frame


cdef enum:
    HISTORY_BITS = 12
    MAX_SCORE = 1 << 28      # of a move's history; the move of the table is above


cdef inline int history_index(int seat, uint32_t move) noexcept nogil:
    return <uint32_t>((move ^ <uint32_t>seat << 29) * <uint32_t>0x9E3779B1) >> (32 - HISTORY_BITS)


cdef inline void fade(int32_t* history) noexcept nogil:
    """Halve all scores, so that those of the last iterations count most."""
    cdef int i
    for i in range(1 << HISTORY_BITS):
        history[i] >>= 1


cdef inline void order(
        Frame* frame, const int32_t* history, uint32_t first) noexcept nogil:
    """Score the moves, that of the table first; one ply above the leaves do no more than that.
    """
    cdef int i
    if not frame.is_frontier:
        for i in range(frame.num_moves):
            frame.scores[i] = (
                2 * MAX_SCORE if frame.moves[i] == first
                else history[history_index(frame.seat, frame.moves[i])])
    elif first != <uint32_t>NO_MOVE:
        for i in range(frame.num_moves):
            if frame.moves[i] == first:
                frame.moves[i] = frame.moves[0]
                frame.moves[0] = first
                return


cdef inline void bring_best_forward(Frame* frame, int first) noexcept nogil:
    """Swap the move with the highest score of `first` and those after it to `first`."""
    cdef int best = first
    cdef int i
    for i in range(first + 1, frame.num_moves):
        if frame.scores[i] > frame.scores[best]:
            best = i
    frame.moves[first], frame.moves[best] = frame.moves[best], frame.moves[first]
    frame.scores[first], frame.scores[best] = frame.scores[best], frame.scores[first]


cdef inline void reward(const Frame* frame, int32_t* history) noexcept nogil:
    """Raise the move's history score if it caused a cutoff."""
    cdef int index
    if frame.is_frontier or frame.next == frame.num_moves:
        return
    index = history_index(frame.seat, frame.moves[frame.best])
    history[index] = min(
        history[index] + frame.remaining * frame.remaining, <int32_t>MAX_SCORE)
