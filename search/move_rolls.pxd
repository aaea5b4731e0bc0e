"""Move rolls: chance nodes whose outcomes only say which moves the next decision may choose from.

Where a game promises that (`Game.has_move_rolls`), a move leads to the same state after each
outcome that allows it. So a chance node and the decisions after it are searched as one: each move
once, in place of once for each outcome that allows it, and an outcome is worth as much as the best
of its moves. Values stay the same. With three dice for six types of figures a move stands in half
of the outcomes.

Bounds and values of a move roll are those of the seat that is offered the moves.
"""

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.bits cimport count, lowest, pop_lowest
from kingmaker.cext.game cimport MAX_SEATS, MOVES_ROOM, Game, listed

from .frames cimport (
    AT_MOVE_ROLL, LOWER, MAX_OUTCOMES, PROVEN, PROVEN_LOWER, PROVEN_UPPER, UPPER, Frame, Result)


cdef enum:
    SLOT_BITS = 10
    NUM_SLOTS = 1 << SLOT_BITS    # of the hash table of moves, at most half of which are in use
    MAX_ROLLED = NUM_SLOTS // 2
    FREE = -1


cdef extern from *:
    """
    #define KINGMAKER_ROUNDING 1e-12
    """
    const double ROUNDING "KINGMAKER_ROUNDING"    # more than sums of products may be off


cdef inline bint is_single(const Frame* frame, int child) noexcept nogil:
    """Whether a child of a move roll is an outcome that shares no move with another one."""
    return frame.masks[child] & frame.singles != 0


cdef inline int plies_to(const Frame* frame, int child) noexcept nogil:
    """How many plies below a frame a child is: two if it is a move of a move roll."""
    return 2 if frame.kind == AT_MOVE_ROLL and not is_single(frame, child) else 1


cdef inline void enter_rolled(
        Game game, const Frame* frame, int child, uint64_t* state, int num_words) noexcept nogil:
    """Write the state after a child of a move roll."""
    memcpy(state, frame.state, num_words * 8)
    game.apply(state, frame.outcomes[lowest(frame.masks[child])])
    if not is_single(frame, child):
        game.apply(state, frame.moves[child])


# --- the moves of all outcomes --------------------------------------------------------------------

cdef inline bint make_move_roll(Game game, Frame* frame, int num_words) noexcept nogil:
    """Make a move roll of a chance node whose outcomes are listed.

    Returns whether it is one. If no outcomes share moves, or there are too many, it stays as it is.
    """
    cdef int num_outcomes = frame.num_moves
    cdef uint64_t shared = 0
    cdef uint64_t singles
    cdef int num_moves
    if num_outcomes > MAX_OUTCOMES:
        return False
    memcpy(frame.outcomes, frame.moves, num_outcomes * sizeof(uint32_t))
    frame.num_outcomes = num_outcomes
    num_moves = list_rolled(game, frame, num_words, &shared)
    num_moves = keep_shared(frame, num_moves, shared)
    singles = ~shared & ~<uint64_t>0 >> (64 - num_outcomes)
    if num_moves == 0 or num_moves + count(singles) > game.max_moves:
        memcpy(frame.moves, frame.outcomes, num_outcomes * sizeof(uint32_t))
        return False
    frame.kind = AT_MOVE_ROLL
    frame.singles = singles
    while singles:
        frame.masks[num_moves] = singles & -singles
        frame.moves[num_moves] = frame.outcomes[pop_lowest(&singles)]
        num_moves += 1
    frame.num_moves = num_moves
    return True


cdef inline int list_rolled(
        Game game, Frame* frame, int num_words, uint64_t* shared) noexcept nogil:
    """List the moves of all outcomes once, with masks; return their number.

    `shared` becomes the set of outcomes that share a move with another one. If there are too many
    moves, or several seats are offered shared ones, 0 is returned.
    """
    cdef uint64_t[MAX_SEATS] asked   # the outcomes after which a seat decides
    cdef int16_t[NUM_SLOTS] slots    # indices of `frame.moves` by the hash of the move
    cdef uint32_t[MOVES_ROOM] moves
    cdef int most = min(game.max_moves, <int>MAX_ROLLED)
    cdef Frame* below = frame + 1    # its state is not in use yet
    cdef uint64_t outcome
    cdef uint32_t move
    cdef int num_moves = 0
    cdef int i, j, slot, node
    memset(slots, FREE, sizeof(slots))
    memset(asked, 0, sizeof(asked))
    for i in range(frame.num_outcomes):
        memcpy(below.state, frame.state, num_words * 8)
        game.apply(below.state, frame.outcomes[i])
        node = game.node(below.state)
        if not 0 <= node < game.num_seats:
            continue
        outcome = <uint64_t>1 << i
        asked[node] |= outcome
        for j in range(listed(game, below.state, node, moves, NULL)):
            move = moves[j]
            slot = <uint32_t>(move * <uint32_t>0x9E3779B1) >> 32 - SLOT_BITS
            while slots[slot] != FREE and frame.moves[slots[slot]] != move:
                slot = slot + 1 & NUM_SLOTS - 1
            if slots[slot] != FREE:
                shared[0] |= outcome | frame.masks[slots[slot]]
                frame.masks[slots[slot]] |= outcome
                continue
            if num_moves == most:
                return 0
            slots[slot] = num_moves
            frame.moves[num_moves] = move
            frame.masks[num_moves] = outcome
            num_moves += 1
    for i in range(game.num_seats):
        if asked[i] & shared[0]:
            frame.seat = i
            return num_moves if shared[0] & ~asked[i] == 0 else 0
    return 0


cdef inline int keep_shared(Frame* frame, int num_moves, uint64_t shared) noexcept nogil:
    """Drop the moves of outcomes that share none; return the number of the others."""
    cdef int num_kept = 0
    cdef int i
    for i in range(num_moves):
        if frame.masks[i] & shared:
            frame.moves[num_kept] = frame.moves[i]
            frame.masks[num_kept] = frame.masks[i]
            num_kept += 1
    return num_kept


cdef inline void clear_move_roll(Frame* frame) noexcept nogil:
    """Begin with the result of no child."""
    cdef uint64_t rest
    cdef int i
    frame.result.values[LOWER] = 0
    frame.result.values[UPPER] = 1
    frame.unproven = 0
    frame.lead = 0
    for i in range(frame.num_outcomes):
        frame.lowers[i] = 0
        frame.uppers[i] = 1
        frame.tops[i] = 0
        frame.proofs[i] = PROVEN
        frame.left[i] = 0
    for i in range(frame.num_moves):
        rest = frame.masks[i]
        while rest:
            frame.left[pop_lowest(&rest)] += 1


# --- results --------------------------------------------------------------------------------------

cdef inline void rolled_window(
        const Frame* frame, int child, double alpha, double beta, double* window) noexcept nogil:
    """The values of a child that matter if those of the move roll do between `alpha` and `beta`."""
    cdef double least = 1
    cdef double weight = 0
    cdef double held = 0
    cdef uint64_t rest = frame.masks[child]
    cdef int i
    while rest:
        i = pop_lowest(&rest)
        least = min(least, frame.lowers[i])
        weight += frame.probabilities[i]
        held += frame.probabilities[i] * frame.lowers[i]
    # The move matters only if it beats the best move so far of some outcome. Its exact value is not
    # needed once the sum over its outcomes is above the window; by a margin for rounding, as a sum
    # that fails by rounding would not be searched again.
    window[LOWER] = least
    window[UPPER] = (beta - frame.result.values[LOWER] + held) / weight + ROUNDING
    if is_single(frame, child):    # else an outcome's upper bound may wait for other moves, too
        window[LOWER] = max(
            least, (alpha - frame.result.values[UPPER]) / weight + 1 - ROUNDING)


cdef inline void absorb_at_move_roll(Frame* frame, const Result* child, int index) noexcept nogil:
    cdef double lower = child.values[LOWER]
    cdef uint64_t rest = frame.masks[index]
    cdef int i
    if lower > frame.lead:
        frame.lead = lower
        frame.best = index
    if not child.proofs & PROVEN_UPPER:
        frame.unproven |= rest
    while rest:
        i = pop_lowest(&rest)
        if lower >= frame.lowers[i]:
            if lower > frame.lowers[i]:
                frame.proofs[i] &= ~PROVEN_LOWER
            frame.result.values[LOWER] += frame.probabilities[i] * (lower - frame.lowers[i])
            frame.lowers[i] = lower
            frame.proofs[i] |= child.proofs & PROVEN_LOWER
        frame.tops[i] = max(frame.tops[i], child.values[UPPER])
        frame.left[i] -= 1
        if frame.left[i] == 0:
            close_outcome(frame, i)


cdef inline void close_outcome(Frame* frame, int i) noexcept nogil:
    """Lower the upper bound of an outcome all of whose moves were looked at."""
    frame.uppers[i] = frame.tops[i]
    frame.result.values[UPPER] += frame.probabilities[i] * (frame.tops[i] - 1)
    if frame.tops[i] < 1 and (frame.unproven | frame.dropped) >> i & 1:
        frame.proofs[i] &= ~PROVEN_UPPER
