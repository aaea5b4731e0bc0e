"""One ply of expectimax: the state of a search at one node while its children are searched.

A result is a lower and an upper bound of one share, each proven or not, or the shares of all seats
(max^n). Which it is, and what a child's result means for its parent, follows from the kind of the
parent.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t

from kingmaker.cext.game cimport MAX_SEATS

from .transpositions cimport Entry


cdef enum:
    MAX_OUTCOMES = 64    # of a move roll: as many as a mask has bits

# Which of the two bounds of a value. Where values are exact shares of all seats instead (max^n),
# they are proven with both bits or with none.
cdef enum:
    LOWER = 0
    UPPER = 1
    PROVEN_LOWER = 1
    PROVEN_UPPER = 2
    PROVEN = 3

cdef enum Kind:
    AT_MAXIMIZER
    AT_MINIMIZER  # the scalar decisions come first
    AT_PROBE      # a chance node whose outcomes are bounded by one move each (Star2)
    AT_CHANCE     # a chance node whose outcomes are searched (Star1)
    AT_MOVE_ROLL      # a chance node and the decisions after it as one (move_rolls.pxd)
    AT_SELFISH    # a decision of max^n
    AT_AVERAGE    # a chance node of max^n
    AT_ROOT       # every child gets the full window
    AT_BETWEEN    # skipped, from a move roll to the states after its moves

cdef struct Result:
    # LOWER and UPPER bound of the share of the search's own seat, or the shares of all seats.
    double[MAX_SEATS] values
    uint8_t proofs   # bounds that rest on ends of games alone: they hold for the true value too

# One ply of the path that is being searched.
cdef struct Frame:
    double alpha             # only values above it
    double beta              # and below it matter
    Result result            # of the children so far
    uint64_t key             # hash of the state
    uint64_t* state          # padded with zeros to whole words
    uint32_t* moves          # [num_moves], moves or outcomes
    int32_t* scores          # [num_moves], at decisions: the higher, the sooner; shares its place
    double* probabilities    # [num_moves], with these, at chance nodes
    double* lowers           # [num_moves], at chance nodes: bounds of the outcomes' values
    double* uppers
    uint8_t* proofs          # [num_moves], at chance nodes
    int32_t num_moves
    int32_t num_wanted       # children of scalar decisions and move rolls: all, or 1 to probe
    int32_t next             # children looked at
    int32_t current          # the child that is being searched
    int32_t best             # the child that `result` comes from
    int32_t remaining        # depth to search from here, in plies
    int8_t kind              # a `Kind`
    int8_t seat              # to decide
    bint is_probed           # one move is enough
    bint is_frontier         # a scalar decision one ply above the leaves
    bint is_ranked           # the moves are in their order, with `cuts`
    bint is_reduced          # and `cuts` apply
    uint8_t* cuts            # [num_moves]: depth reductions in plies (ranking.pxd)
    uint64_t* masks          # [num_moves]: moves of a kind have the same mask
    uint64_t dropped         # the masks of moves that are left out
    # A move roll's `moves` are those of all its outcomes, each with the set of outcomes that allow
    # it as its mask. Its `best` child leads by `lead`.
    uint32_t* outcomes       # [num_outcomes]
    double* tops             # [num_outcomes]: upper bound of the moves looked at
    int32_t* left            # [num_outcomes]: moves not looked at yet
    double lead
    uint64_t singles         # outcomes that share no move: they are children themselves
    uint64_t unproven        # outcomes some of whose moves have an upper bound without proof
    int32_t num_outcomes


cdef extern from *:
    """
    #define KINGMAKER_TIGHT 1e-12
    """
    const double TIGHT "KINGMAKER_TIGHT"   # bounds so close are one value: the rest is rounding


cdef inline size_t in_words(size_t size) noexcept nogil:
    """Round a size up to whole words."""
    return (size + 7) & ~<size_t>7


cdef inline size_t most_outcomes(size_t num_moves) noexcept nogil:
    """Of a move roll, where no node has more outcomes or moves."""
    return min(num_moves, <size_t>MAX_OUTCOMES)


cdef inline size_t arrays_size(size_t state_bytes, size_t num_moves, bint is_rich) noexcept nogil:
    """Bytes of the arrays of a frame; a rich one can be a move roll, and be ranked."""
    cdef size_t size = (state_bytes + num_moves * 3 * sizeof(double)
                        + in_words(num_moves * sizeof(uint32_t)) + in_words(num_moves))
    if is_rich:
        size += (most_outcomes(num_moves) * (sizeof(double) + sizeof(uint32_t) + sizeof(int32_t))
                 + num_moves * sizeof(uint64_t) + in_words(num_moves))
    return size


cdef inline void place_arrays(
        Frame* frame, char* base, size_t state_bytes, size_t num_moves,
        bint is_rich) noexcept nogil:
    frame.state = <uint64_t*>base
    frame.probabilities = <double*>(base + state_bytes)
    frame.scores = <int32_t*>frame.probabilities
    frame.lowers = frame.probabilities + num_moves
    frame.uppers = frame.lowers + num_moves
    frame.moves = <uint32_t*>(frame.uppers + num_moves)
    frame.proofs = <uint8_t*>frame.moves + in_words(num_moves * sizeof(uint32_t))
    if is_rich:
        frame.tops = <double*>(frame.proofs + in_words(num_moves))
        frame.outcomes = <uint32_t*>(frame.tops + most_outcomes(num_moves))
        frame.left = <int32_t*>(frame.outcomes + most_outcomes(num_moves))
        frame.masks = <uint64_t*>(frame.left + most_outcomes(num_moves))
        frame.cuts = <uint8_t*>(frame.masks + num_moves)


cdef inline void set_share(Result* result, double share) noexcept nogil:
    """Make a result from one win share; the bounds 0 and 1 need no proof."""
    result.values[LOWER] = share
    result.values[UPPER] = share
    result.proofs |= (share <= 0) * PROVEN_LOWER | (share >= 1) * PROVEN_UPPER


cdef inline void mirror(Result* result) noexcept nogil:
    """Turn the bounds of a share into those of what is left of it."""
    cdef double lower = result.values[LOWER]
    result.values[LOWER] = 1 - result.values[UPPER]
    result.values[UPPER] = 1 - lower
    result.proofs = (result.proofs & PROVEN_LOWER) << 1 | (result.proofs & PROVEN_UPPER) >> 1


cdef inline bint may_use(const Entry* entry, int remaining, uint8_t proof) noexcept nogil:
    """Whether a search of `remaining` plies would find the bounds of `proof` itself."""
    return entry.depth == remaining or (
        entry.depth < remaining and entry.proofs & proof == proof)


cdef inline int usable_depth(const Entry* entry, int remaining, int width) noexcept nogil:
    """The depth that an entry's bounds are asked to have.

    With selective depth, a `width` above 0, a deeper entry is accepted as well.
    """
    return max(remaining, <int>entry.depth) if width else remaining


cdef inline void tighten(Result* result, const Entry* entry, int remaining) noexcept nogil:
    """Take the better bounds from the table, and with equal ones the proven."""
    if may_use(entry, remaining, PROVEN_LOWER) and entry.values[LOWER] >= result.values[LOWER]:
        if entry.values[LOWER] > result.values[LOWER]:
            result.proofs &= ~PROVEN_LOWER
        result.values[LOWER] = entry.values[LOWER]
        result.proofs |= entry.proofs & PROVEN_LOWER
    if may_use(entry, remaining, PROVEN_UPPER) and entry.values[UPPER] <= result.values[UPPER]:
        if entry.values[UPPER] < result.values[UPPER]:
            result.proofs &= ~PROVEN_UPPER
        result.values[UPPER] = entry.values[UPPER]
        result.proofs |= entry.proofs & PROVEN_UPPER


cdef inline void clear(Frame* frame, int num_seats) noexcept nogil:
    """Start with an empty result."""
    cdef int i
    frame.next = 0
    frame.best = 0
    frame.result.proofs = PROVEN
    if frame.kind <= AT_MINIMIZER:
        frame.result.values[LOWER] = frame.result.values[UPPER] = (
            -1 if frame.kind == AT_MAXIMIZER else 2)
    elif frame.kind == AT_CHANCE:
        frame.result.values[LOWER] = 0
        frame.result.values[UPPER] = 1
        for i in range(frame.num_moves):
            frame.lowers[i] = 0
            frame.uppers[i] = 1
            frame.proofs[i] = PROVEN
    else:
        for i in range(num_seats):
            frame.result.values[i] = -1 if frame.kind == AT_SELFISH else 0


cdef inline void absorb_at_maximizer(
        Frame* frame, const Result* child, int index) noexcept nogil:
    cdef Result* result = &frame.result
    if child.values[LOWER] > result.values[LOWER]:
        result.values[LOWER] = child.values[LOWER]
        result.proofs = (result.proofs & ~PROVEN_LOWER) | (child.proofs & PROVEN_LOWER)
        frame.best = index
    elif child.values[LOWER] == result.values[LOWER]:
        result.proofs |= child.proofs & PROVEN_LOWER
    result.values[UPPER] = max(result.values[UPPER], child.values[UPPER])
    result.proofs &= child.proofs | PROVEN_LOWER


cdef inline void absorb_at_minimizer(
        Frame* frame, const Result* child, int index) noexcept nogil:
    cdef Result* result = &frame.result
    if child.values[UPPER] < result.values[UPPER]:
        result.values[UPPER] = child.values[UPPER]
        result.proofs = (result.proofs & ~PROVEN_UPPER) | (child.proofs & PROVEN_UPPER)
        frame.best = index
    elif child.values[UPPER] == result.values[UPPER]:
        result.proofs |= child.proofs & PROVEN_UPPER
    result.values[LOWER] = min(result.values[LOWER], child.values[LOWER])
    result.proofs &= child.proofs | PROVEN_UPPER


cdef inline void absorb_bounds(Frame* frame, const Result* child, int index) noexcept nogil:
    """Raise the lower and lower the upper bound of an outcome, and the sums with them."""
    cdef double probability = frame.probabilities[index]
    if child.values[LOWER] >= frame.lowers[index]:
        if child.values[LOWER] > frame.lowers[index]:
            frame.proofs[index] &= ~PROVEN_LOWER
        frame.result.values[LOWER] += probability * (child.values[LOWER] - frame.lowers[index])
        frame.lowers[index] = child.values[LOWER]
        frame.proofs[index] |= child.proofs & PROVEN_LOWER
    if child.values[UPPER] <= frame.uppers[index]:
        if child.values[UPPER] < frame.uppers[index]:
            frame.proofs[index] &= ~PROVEN_UPPER
        frame.result.values[UPPER] += probability * (child.values[UPPER] - frame.uppers[index])
        frame.uppers[index] = child.values[UPPER]
        frame.proofs[index] |= child.proofs & PROVEN_UPPER


cdef inline void sum_bounds(Frame* frame, int num_outcomes) noexcept nogil:
    """Sum the outcomes' bounds anew, in order: the sum does not depend on earlier updates."""
    cdef double lower = 0
    cdef double upper = 0
    cdef uint8_t proofs = PROVEN
    cdef int i
    for i in range(num_outcomes):
        lower += frame.probabilities[i] * frame.lowers[i]
        upper += frame.probabilities[i] * frame.uppers[i]
        proofs &= frame.proofs[i]
    frame.result.values[LOWER] = lower
    frame.result.values[UPPER] = upper
    frame.result.proofs = proofs


cdef inline void absorb_at_selfish(Frame* frame, const Result* child, int index) noexcept nogil:
    cdef uint8_t proofs = frame.result.proofs & child.proofs
    if frame.result.values[frame.seat] >= 1:
        return
    if child.values[frame.seat] >= 1:
        proofs = child.proofs
    if child.values[frame.seat] > frame.result.values[frame.seat]:
        frame.result = child[0]
        frame.best = index
    frame.result.proofs = proofs


cdef inline void absorb_shares(
        Frame* frame, const Result* child, int index, int num_seats) noexcept nogil:
    cdef int seat
    for seat in range(num_seats):
        frame.result.values[seat] += frame.probabilities[index] * child.values[seat]
    frame.result.proofs &= child.proofs


cdef inline void sum_up(Frame* frame, bint is_rivals, bint is_selfish) noexcept nogil:
    """Complete the result of a frame whose children need no more search.

    `is_rivals`: another seat than the search's own decides or is offered the moves.
    """
    cdef Result* result = &frame.result
    if frame.kind == AT_CHANCE or frame.kind == AT_PROBE:
        sum_bounds(frame, frame.num_moves)
    elif frame.kind == AT_MOVE_ROLL:
        sum_bounds(frame, frame.num_outcomes)
        if is_rivals:
            mirror(result)
    elif frame.kind == AT_MAXIMIZER:
        if frame.next < frame.num_moves:
            result.values[UPPER] = 1
        if frame.dropped:
            result.proofs &= ~PROVEN_UPPER
    elif frame.kind == AT_MINIMIZER:
        if frame.next < frame.num_moves:
            result.values[LOWER] = 0
        if frame.dropped:
            result.proofs &= ~PROVEN_LOWER
    if not is_selfish:
        if result.values[LOWER] <= 0:
            result.proofs |= PROVEN_LOWER
        if result.values[UPPER] >= 1:
            result.proofs |= PROVEN_UPPER
