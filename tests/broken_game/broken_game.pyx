"""A made-up game for tests of search that breaks the engine contract in a way of one's choice.

The seats choose one of three moves in turn, four times in all; after the second a coin is thrown.
Nobody but its own seat sees the first move.
"""

from libc.math cimport INFINITY, NAN
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport CHANCE, MAX_HISTORY, MAX_MOVES, NO_MOVE, TERMINAL, Game
from kingmaker.cext.rng cimport below, bitgen_t

FAULTS = (
    "", "no move", "too many moves", "equal moves", "seat too high", "seat too low",
    "no outcome", "unlisted outcome", "impossible past move",
    "impossible past outcome", "past beyond the end", "past told at times", "negative moves",
    "more moves than there is room for", "a few moves beyond the largest list",
    "more outcomes than there is room for", "no outcome to draw", "lopsided coin",
    "impossible outcome listed", "coin of no number", "shares of no number", "shares lost",
    "negative share", "too long a past", "evaluation of no number", "playout of no number",
    "weight of no number", "weight of nothing", "weight without end", "no end",
    "coin thrown for ever")

cdef enum Fault:
    NONE, MOVELESS, MANY_MOVES, EQUAL_MOVES, HIGH_SEAT, LOW_SEAT, NO_OUTCOME, UNLISTED, TOLD_MOVE,
    TOLD_OUTCOME, TOLD_ON, TOLD_AT_TIMES, NEGATIVE_MOVES, CLAIMED_MOVES, OVERFULL, CLAIMED_OUTCOMES,
    NO_DRAW, LOPSIDED, NO_CHANCE, NAN_CHANCE, NAN_SHARES, LOST_SHARES, NEGATIVE_SHARE, TOLD_LONG,
    NAN_EVALUATION, NAN_PLAYOUT, NAN_WEIGHT, NO_WEIGHT, ENDLESS_WEIGHT, NO_END,
    ENDLESS_CHANCE

cdef enum:
    NUM_PLIES = 5
    COIN = 2         # the ply at which it is thrown
    NUM_MOVES = 3
    TOO_MANY = 100
    CLAIMED = 1 << 20      # that are not written
    A_FEW = 40
    IMPOSSIBLE = 7   # as a move and as an outcome
    HIDDEN = 9
    NOBODY = 255     # `State.observer` of a full state

cdef struct State:
    uint8_t plies
    uint8_t observer   # seat + 1
    uint8_t[NUM_PLIES] past


cdef class BrokenGame(Game):
    """Has one of `FAULTS`; it shows after the coin, where the coin is thrown or in `history`."""

    name = "broken_game"
    seat_counts = (2, 3, 4, 5, 6, 7, 8)
    is_hidden = True
    needs_mixing = True

    cdef int fault

    def __init__(self, str fault, int seats=2):
        self.fault = FAULTS.index(fault)
        self.options = {}
        self.num_seats = seats
        self.state_bytes = sizeof(State)
        self.max_moves = MAX_MOVES if self.fault == OVERFULL else NUM_MOVES

    cdef void start(self, void* state) noexcept nogil:
        memset(state, 0, sizeof(State))
        (<State*>state).observer = NOBODY

    cdef bint shows(self, const void* state, int fault) noexcept nogil:
        return self.fault == fault and (<State*>state).plies > COIN

    cdef int node(self, const void* state) noexcept nogil:
        cdef int plies = (<State*>state).plies
        if plies >= NUM_PLIES:
            return TERMINAL
        if self.shows(state, HIGH_SEAT):
            return self.num_seats
        if self.shows(state, LOW_SEAT):
            return -7
        return CHANCE if plies == COIN else plies % self.num_seats

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef int num_moves = NUM_MOVES
        cdef int i
        if self.shows(state, MOVELESS):
            return 0
        if self.shows(state, NEGATIVE_MOVES):
            return -5
        if self.shows(state, CLAIMED_MOVES):
            return CLAIMED
        if self.shows(state, MANY_MOVES):
            num_moves = TOO_MANY
        if self.shows(state, OVERFULL):
            num_moves = MAX_MOVES + A_FEW
        for i in range(num_moves):
            out[i] = 0 if self.fault == EQUAL_MOVES else i
        return num_moves

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        out[0] = 0
        out[1] = 1
        probabilities[0] = probabilities[1] = 0.5
        if self.fault == LOPSIDED:
            probabilities[1] = 0.2
        if self.fault == NO_CHANCE:
            probabilities[0] = 1
            probabilities[1] = 0
        if self.fault == NAN_CHANCE:
            probabilities[0] = NAN
        if self.fault == CLAIMED_OUTCOMES:
            return CLAIMED
        return 0 if self.fault == NO_OUTCOME else 2

    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil:
        if self.fault == NO_DRAW:
            return NO_MOVE
        if self.fault in (LOPSIDED, NO_CHANCE, NAN_CHANCE, CLAIMED_OUTCOMES):
            return Game.sample_outcome(self, state, rng)
        return IMPOSSIBLE if self.fault == UNLISTED else below(rng, 2)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        s.past[s.plies] = move
        if s.plies == (COIN if self.fault == ENDLESS_CHANCE else NUM_PLIES - 1) and (
                self.fault in (NO_END, ENDLESS_CHANCE)):
            return
        s.plies += 1

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <State*>state
        cdef int total = 0
        cdef int i
        for i in range(NUM_PLIES):
            total += s.past[i]
        for i in range(self.num_seats):
            out[i] = total % self.num_seats == i
        if self.fault == NAN_SHARES:
            out[self.num_seats - 1] = NAN
        if self.fault == LOST_SHARES:
            out[total % self.num_seats] = 0.5
        if self.fault == NEGATIVE_SHARE:
            out[0] -= 1
            out[1] += 1

    cdef void prior_weights(
            self, const void* state, const uint32_t* moves, int num_moves,
            double* weights) noexcept nogil:
        cdef int i
        for i in range(num_moves):
            weights[i] = 1
        if self.fault == NAN_WEIGHT:
            weights[0] = NAN
        elif self.fault == ENDLESS_WEIGHT:
            weights[0] = INFINITY
        elif self.fault == NO_WEIGHT:
            weights[0] = 0

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        Game.evaluate(self, state, out)
        if self.fault == NAN_EVALUATION:
            out[0] = NAN

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        cdef int plies = Game.playout(self, state, max_plies, rng, out)
        if self.fault == NAN_PLAYOUT:
            out[0] = NAN
        return plies

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        memcpy(out, state, sizeof(State))
        (<State*>out).observer = seat + 1
        if seat != 0 and (<State*>state).plies:
            (<State*>out).past[0] = HIDDEN

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef State* s = <State*>out
        memcpy(out, observation, sizeof(State))
        s.observer = NOBODY
        if s.past[0] == HIDDEN:
            s.past[0] = 0 if self.fault == EQUAL_MOVES else below(rng, NUM_MOVES)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        return HIDDEN if (<State*>state).plies == 0 and seat != 0 else move

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        cdef const State* s = <State*>state
        cdef int length = s.plies
        cdef int i
        self.start(root)
        if self.fault == TOLD_ON:
            length = NUM_PLIES + 3
        if self.fault == TOLD_AT_TIMES and s.past[0] == 1:
            return -1
        if self.fault == TOLD_LONG and s.plies:
            length = MAX_HISTORY + A_FEW
        for i in range(length):
            out[i] = s.past[i] if i < s.plies else 0
            if self.fault == (TOLD_OUTCOME if i == COIN else TOLD_MOVE):
                out[i] = IMPOSSIBLE
        return length

    def move_text(self, uint32_t move) -> str:
        return str(move)

    def parse_move(self, str text) -> int:
        return int(text)

    def observer_of(self, bytes state):
        cdef const State* s = <State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1
