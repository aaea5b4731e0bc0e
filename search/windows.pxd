"""Which child of a frame is searched next, and in which window of values.

A child matters only if its value lies between `alpha` and `beta`; a frame is done as soon as what
its children have brought is outside its own window.
"""

from .frames cimport (
    AT_CHANCE, AT_MAXIMIZER, AT_PROBE, AT_SELFISH, LOWER, TIGHT, UPPER, Frame)
from .history_heuristic cimport bring_best_forward
from .move_rolls cimport plies_to, rolled_window


cdef enum:
    NO_CHILD = -1    # the frame is done


cdef inline int next_move(Frame* frame) noexcept nogil:
    """The next move of a scalar decision."""
    cdef Frame* below = frame + 1
    cdef int i = frame.next
    if i == frame.num_wanted:
        return NO_CHILD
    if frame.kind == AT_MAXIMIZER:
        if frame.result.values[LOWER] >= frame.beta:
            return NO_CHILD
        below.alpha = max(frame.alpha, frame.result.values[LOWER])
        below.beta = frame.beta
    else:
        if frame.result.values[UPPER] <= frame.alpha:
            return NO_CHILD
        below.alpha = frame.alpha
        below.beta = min(frame.beta, frame.result.values[UPPER])
    below.is_probed = False
    frame.next = i + 1
    if not frame.is_ranked:
        bring_best_forward(frame, i)
    return i


cdef inline int next_outcome(Frame* frame) noexcept nogil:
    """The next outcome of a chance node, first of the probes and then of the search."""
    cdef Frame* below = frame + 1
    cdef double lower = frame.result.values[LOWER]
    cdef double upper = frame.result.values[UPPER]
    cdef int i
    if lower >= frame.beta or upper <= frame.alpha:
        return NO_CHILD
    while True:
        i = frame.next
        if i == frame.num_moves:
            if frame.kind == AT_CHANCE:
                return NO_CHILD
            frame.kind = AT_CHANCE
            frame.next = 0
            continue
        frame.next = i + 1
        if frame.uppers[i] - frame.lowers[i] > TIGHT:
            break
    # The outcome matters only if, the others being at their bounds, it can still bring the
    # sum into the window (Ballard's A_i and B_i).
    below.alpha = (frame.alpha - upper) / frame.probabilities[i] + frame.uppers[i]
    below.beta = (frame.beta - lower) / frame.probabilities[i] + frame.lowers[i]
    below.is_probed = frame.kind == AT_PROBE
    return i


cdef inline int next_rolled(Frame* frame, bint is_rivals) noexcept nogil:
    """The next child of a move roll, of the search's own seat or of its rivals."""
    cdef int i = frame.next
    cdef Frame* below = frame + plies_to(frame, i)
    cdef double alpha = 1 - frame.beta if is_rivals else frame.alpha
    cdef double beta = 1 - frame.alpha if is_rivals else frame.beta
    cdef double[2] window
    if (i == frame.num_moves or frame.result.values[LOWER] >= beta
            or frame.result.values[UPPER] <= alpha):
        return NO_CHILD
    rolled_window(frame, i, alpha, beta, window)
    below.alpha = 1 - window[UPPER] if is_rivals else window[LOWER]
    below.beta = 1 - window[LOWER] if is_rivals else window[UPPER]
    below.is_probed = False
    frame.next = i + 1
    return i


cdef inline int next_of_all(Frame* frame) noexcept nogil:
    """The next child in max^n, which searches all of them, except after a certain win."""
    if frame.next == frame.num_moves or (
            frame.kind == AT_SELFISH and frame.result.values[frame.seat] >= 1):
        return NO_CHILD
    frame.next += 1
    return frame.next - 1
