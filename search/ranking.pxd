"""Order of the children of a frame, and the depth reduction of later moves.

Children are ranked by the heuristic evaluation right after them. At a move roll, moves are of one
*kind* if the same outcomes allow them; a decision has only one kind. The best of each kind come
first: the seat will choose one of them after an outcome, so the value hardly depends on the rest.
The k-th best kind is searched k plies less deep, since it matters only after outcomes that allow
none of the better kinds. A move that isn't the best of its kind is searched `LATE` plies less
deep, and again to full depth if its value then matters; a move with `width` better ones of its kind
is not searched. A move roll one ply above the leaves is evaluated as it is, before the roll.

Sources: Tsuruoka, Yokoyama and Chikayama 2002, "Game-Tree Search Algorithm Based on Realization
Probability" (less depth for what is unlikely); Heinz 2000, "Scalable Search in Computer Chess"
(forward pruning and reductions).
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.game cimport MAX_MOVES, MAX_SEATS, TERMINAL, Game

from .frames cimport AT_MOVE_ROLL, Frame
from .move_rolls cimport enter_rolled


cdef enum:
    LATE = 6           # plies
    CHOICES = 2        # moves of a decision that are searched, for each of a kind
    MIN_RANKED = 3     # least depth in plies; below it children are leaves or nearly so
    MIN_REDUCED = 4


cdef inline void rank(
        Game game, Frame* frame, int width, uint32_t first, int num_words) noexcept nogil:
    """Sort the children and, with a `width`, leave out or reduce all but the best.

    The move `first`, if it is listed, always comes first, and is never late.
    """
    cdef int num_best = 0
    cdef int i
    frame.dropped = 0
    sort_children(game, frame, num_words)
    if width:
        keep_best_of_kinds(frame, width if frame.kind == AT_MOVE_ROLL else CHOICES * width)
    for i in range(frame.num_moves):
        frame.cuts[i] = cut_of_kind(frame, i, num_best)
        if frame.cuts[i] < LATE:
            bring_forward(frame, i, num_best)
            num_best += 1
    for i in range(frame.num_moves):
        if frame.moves[i] == first:
            frame.cuts[i] %= LATE
            bring_forward(frame, i, 0)
            break


cdef inline void sort_children(Game game, Frame* frame, int num_words) noexcept nogil:
    """Sort by the seat's win share right after a move; equal ones stay in canonical order."""
    cdef double[MAX_MOVES] shares
    cdef double share
    cdef uint64_t* state = (frame + 1).state
    cdef int i, place
    for i in range(frame.num_moves):
        if frame.kind == AT_MOVE_ROLL:
            enter_rolled(game, frame, i, state, num_words)
        else:
            memcpy(state, frame.state, num_words * 8)
            game.apply(state, frame.moves[i])
            frame.masks[i] = 1
        share = share_of(game, state, frame.seat)
        place = i
        while place > 0 and shares[place - 1] < share:
            shares[place] = shares[place - 1]
            place -= 1
        shares[place] = share
        bring_forward(frame, i, place)


cdef inline double share_of(Game game, const void* state, int seat) noexcept nogil:
    """Evaluate a state without search."""
    cdef double[MAX_SEATS] shares
    if game.node(state) == TERMINAL:
        game.returns(state, shares)
    else:
        game.evaluate(state, shares)
    return shares[seat]


cdef inline void bring_forward(Frame* frame, int child, int place) noexcept nogil:
    """Move a child to an earlier place; the order of the others stays."""
    cdef uint32_t move = frame.moves[child]
    cdef uint64_t mask = frame.masks[child]
    cdef uint8_t cut = frame.cuts[child]
    cdef int i
    for i in range(child, place, -1):
        frame.moves[i] = frame.moves[i - 1]
        frame.masks[i] = frame.masks[i - 1]
        frame.cuts[i] = frame.cuts[i - 1]
    frame.moves[place] = move
    frame.masks[place] = mask
    frame.cuts[place] = cut


cdef inline void keep_best_of_kinds(Frame* frame, int width) noexcept nogil:
    """Of sorted children drop those that have `width` better ones of their kind."""
    cdef int num_kept = 0
    cdef int i, j, num_better
    for i in range(frame.num_moves):
        num_better = 0
        for j in range(num_kept):
            num_better += frame.masks[j] == frame.masks[i]
        if num_better < width:
            frame.moves[num_kept] = frame.moves[i]
            frame.masks[num_kept] = frame.masks[i]
            num_kept += 1
        else:
            frame.dropped |= frame.masks[i]
    frame.num_moves = num_kept


cdef inline int cut_of_kind(const Frame* frame, int child, int num_best) noexcept nogil:
    """The depth reduction of a child after the best moves of `num_best` kinds, in plies."""
    cdef int i
    for i in range(num_best):
        if frame.masks[i] == frame.masks[child]:
            return frame.cuts[i] + LATE
    return min(num_best, LATE - 1)
