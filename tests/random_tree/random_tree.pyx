"""A made-up game for tests of search: a random graph of decisions and chance nodes.

A state is a number; a move or outcome leads to a higher one, so that the same state is met after
different numbers of plies. Who is asked, where it leads, results and evaluations are all drawn from
the seed and the number.

Half of the chance nodes are offers: most of their outcomes do no more than say which moves there
are, and where a move leads depends on the chance node alone.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.game cimport CHANCE, TERMINAL, Game

cdef enum:
    NUM_STATES = 45
    MAX_CHILDREN = 4
    OFFERED = 8      # in a move, whose lowest bits are its index: after an outcome of an offer
    GRAIN = 4   # shares are multiples of 1 / GRAIN: equal ones, wins and losses are common

cdef struct State:
    uint32_t number
    uint32_t seed
    uint32_t offered    # after an outcome of an offer: the set of moves, which is not empty


cdef inline uint32_t drawn(const State* state, uint32_t what, uint32_t below) noexcept nogil:
    """A number below `below` that depends on the state and on what it is for (splitmix64)."""
    cdef uint64_t x = (<uint64_t>state.seed << 32) + state.number * 64 + what
    x = (x + <uint64_t>0x9E3779B97F4A7C15) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ x >> 27) * <uint64_t>0x94D049BB133111EB
    return <uint32_t>((x ^ x >> 31) >> 33) % below


cdef class RandomTree(Game):
    name = "random_tree"
    has_move_rolls = True

    cdef uint32_t seed
    cdef bint is_broken   # no legal move anywhere, which no game may do

    def __init__(self, int seats, int seed, bint is_broken=False):
        self.is_broken = is_broken
        self.options = {}
        self.num_seats = seats
        self.state_bytes = sizeof(State)
        self.max_moves = 2 * MAX_CHILDREN    # an offer has all outcomes and all moves at most
        self.seed = seed

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state).number = 0
        (<State*>state).seed = self.seed
        (<State*>state).offered = 0

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int kind = drawn(s, 0, 12)
        if s.offered:
            return drawn(s, 1, self.num_seats)
        if s.number and (s.number >= NUM_STATES or kind == 0):
            return TERMINAL
        return CHANCE if kind < 5 else <int>drawn(s, 1, self.num_seats)

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        if self.is_broken and (<const State*>state).number:
            return 0
        cdef uint32_t offered = (<const State*>state).offered
        # No other chance node, nor an outcome that offers nothing, leads to the same moves.
        cdef uint32_t kind = (<const State*>state).number << 4 | (OFFERED if offered else 0)
        cdef int num_moves = 0
        cdef int i
        if offered == 0:
            offered = (2 << drawn(<const State*>state, 2, MAX_CHILDREN)) - 1
        for i in range(MAX_CHILDREN):
            if offered >> i & 1:
                out[num_moves] = i | kind
                num_moves += 1
        return num_moves

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        cdef int num_outcomes = self.legal_moves(state, out)
        cdef double total = 0
        cdef int i
        for i in range(num_outcomes):
            probabilities[i] = 1 + drawn(<const State*>state, 3 + i, 9)
            total += probabilities[i]
        for i in range(num_outcomes):
            probabilities[i] /= total
        return num_outcomes

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        cdef uint32_t offered = 0
        cdef uint32_t i = move & 7
        if s.offered == 0 and self.node(state) == CHANCE and drawn(s, 57, 2):
            offered = drawn(s, 58 + i, 1 << MAX_CHILDREN)
        s.offered = offered
        if offered == 0:
            s.number += 1 + drawn(s, 16 + i, 5)

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        self.share_out(<const State*>state, 32, out)

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        self.share_out(<const State*>state, 48, out)

    cdef void share_out(self, const State* state, uint32_t what, double* out) noexcept nogil:
        cdef int rest = GRAIN
        cdef int share = 0
        cdef int seat
        for seat in range(self.num_seats - 1):
            share = drawn(state, what + seat, rest + 1)
            out[seat] = <double>share / GRAIN
            rest -= share
        out[self.num_seats - 1] = <double>rest / GRAIN
