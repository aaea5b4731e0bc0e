"""Movement: which steps are legal, and which chosen steps succeed (section 9)."""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport pop_lowest

from .state cimport (
    MOVEMENT, N, NOWHERE, NW, STAGE_STEP, STAY, YES, Rules, State, move_of, with_token)


cdef inline int movers(const State* s) noexcept nogil:
    return with_token(s, s.slot, MOVEMENT)


cdef inline int destination(const Rules* rules, const State* s, int seat) noexcept nogil:
    return rules.arena.neighbour[s.space[seat]][s.choice[seat]]


cdef inline int step_moves(
        const Rules* rules, const State* s, int seat, uint32_t* out) noexcept nogil:
    """R6.2: Knights that do not move in this slot are in the way."""
    cdef const unsigned char* around = rules.arena.neighbour[s.space[seat]]
    cdef uint64_t resting = s.standing & ~movers(s)
    cdef uint64_t[4] occupied
    cdef int direction, space
    cdef int num_moves = 1
    occupied[0] = occupied[1] = occupied[2] = 0
    occupied[3] = <uint64_t>1 << 63     # of NOWHERE
    while resting:
        space = s.space[pop_lowest(&resting)]
        occupied[space >> 6] |= <uint64_t>1 << (space & 63)
    out[0] = move_of(STAGE_STEP, STAY)
    for direction in range(N, NW + 1):
        space = around[direction]
        out[num_moves] = move_of(STAGE_STEP, direction)
        num_moves += not occupied[space >> 6] >> (space & 63) & 1
    return num_moves


cdef inline int unblocked(const Rules* rules, const State* s, int going) noexcept nogil:
    """The Knights that move, without those blocked by a Knight that stays (R6.3)."""
    cdef uint64_t left
    cdef uint64_t resting
    cdef int seat, space
    cdef int before = -1
    while going != before:
        before = going
        left = going
        while left:
            seat = pop_lowest(&left)
            space = destination(rules, s, seat)
            resting = s.standing & ~going
            while resting:
                if s.space[pop_lowest(&resting)] == space:
                    going &= ~(1 << seat)
                    break
    return going


cdef inline int exchanging(const Rules* rules, const State* s, int going) noexcept nogil:
    """The Knights that exchange their spaces in pairs."""
    cdef uint64_t left = going
    cdef uint64_t others
    cdef int found = 0
    cdef int seat, other
    while left:
        seat = pop_lowest(&left)
        others = left
        while others:
            other = pop_lowest(&others)
            if (destination(rules, s, seat) == s.space[other]
                    and destination(rules, s, other) == s.space[seat]):
                found |= 1 << seat | 1 << other
    return found


cdef inline int possible_steps(const Rules* rules, const State* s) noexcept nogil:
    """The Knights whose move does not fail before claims."""
    cdef uint64_t left = movers(s)
    cdef int going = 0
    cdef int seat
    while left:
        seat = pop_lowest(&left)
        if s.choice[seat] != STAY and destination(rules, s, seat) != NOWHERE:
            going |= 1 << seat
    if rules.blocks_swaps:
        going &= ~exchanging(rules, s, going)
    return unblocked(rules, s, going)


cdef inline int contenders(const Rules* rules, const State* s, int going) noexcept nogil:
    """Of the moving Knights, those that share their destination with another one (R6.4)."""
    cdef uint64_t left = going
    cdef uint64_t others
    cdef int found = 0
    cdef int seat, other
    while left:
        seat = pop_lowest(&left)
        others = left
        while others:
            other = pop_lowest(&others)
            if destination(rules, s, seat) == destination(rules, s, other):
                found |= 1 << seat | 1 << other
    return found


cdef inline int giving_way(const Rules* rules, const State* s, int contending) noexcept nogil:
    """The contenders that fail: all but the only one to claim a space (R6.4)."""
    cdef uint64_t left = contending
    cdef int claims = 0
    cdef int seat
    while left:
        seat = pop_lowest(&left)
        claims |= (s.answer[seat] == YES) << seat
    return contending & ~(claims & ~contenders(rules, s, claims))


cdef inline void make_steps(const Rules* rules, State* s) noexcept nogil:
    """Move all Knights whose steps succeed, at once (R6.5, R6.6), and apply landings (R10.3)."""
    cdef int going = possible_steps(rules, s)
    cdef int contending = contenders(rules, s, going)
    cdef uint64_t left
    cdef int seat
    if contending:
        going = unblocked(rules, s, going & ~giving_way(rules, s, contending))
    left = going
    while left:
        seat = pop_lowest(&left)
        s.space[seat] = destination(rules, s, seat)     # reads only its own space and choice
        if s.space[seat] == rules.arena.centre:
            s.up |= 1 << seat
