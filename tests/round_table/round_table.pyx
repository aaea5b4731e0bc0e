"""A made-up game for tests of many seats: each seat chooses one of three moves, one after another.

Before the last seat a coin is thrown. Nobody but its own seat sees the first move, if the game is
hidden. The win goes to one seat by the sum of all moves and the coin; a heuristic evaluation gives
each seat the more, the higher its own move is.

The numbers that a game has to state can be changed, to break the limits of searches.
"""

import re

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport CHANCE, TERMINAL, Game
from kingmaker.cext.rng cimport below, bitgen_t

from kingmaker.cext.errors import InputError

cdef enum:
    MOST_SEATS = 12
    NUM_MOVES = 3
    HIDDEN = 9
    NOBODY = 255     # `State.observer` of a full state

cdef struct State:
    uint8_t plies      # the coin is the last but one
    uint8_t observer   # seat + 1
    uint8_t[MOST_SEATS + 1] past


cdef class RoundTable(Game):
    name = "round_table"
    title = "Round table"
    tag = "rt"
    seat_counts = (2, 3, 4, 5, 6, 7, 8)

    cdef bint has_secret
    cdef int told    # moves in the history of the start

    def __init__(self, players="8", int max_moves=NUM_MOVES, size_t state_bytes=sizeof(State),
                 int told=0):
        self.has_secret = self.is_hidden
        self.options = {"players": str(players)}
        self.num_seats = int(players)
        self.state_bytes = state_bytes
        self.max_moves = max_moves
        self.told = told

    cdef void start(self, void* state) noexcept nogil:
        memset(state, 0, self.state_bytes)
        (<State*>state).observer = NOBODY

    cdef int node(self, const void* state) noexcept nogil:
        cdef int plies = (<const State*>state).plies
        if plies > self.num_seats:
            return TERMINAL
        if plies == self.num_seats:
            return plies - 1
        return CHANCE if plies == self.num_seats - 1 else plies

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef int i
        for i in range(NUM_MOVES):
            out[i] = i
        return NUM_MOVES

    cdef int chance_outcomes(
            self, const void* state, uint32_t* out, double* probabilities) noexcept nogil:
        out[0] = 0
        out[1] = 1
        probabilities[0] = 0.25
        probabilities[1] = 0.75
        return 2

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        s.past[s.plies] = move
        s.plies += 1

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int total = 0
        cdef int i
        for i in range(self.num_seats + 1):
            total += s.past[i]
        for i in range(self.num_seats):
            out[i] = total % self.num_seats == i

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef double total = 0
        cdef int i
        for i in range(self.num_seats):
            out[i] = 1 + s.past[i if i < self.num_seats - 1 else self.num_seats]
            total += out[i]
        for i in range(self.num_seats):
            out[i] /= total

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        memcpy(out, state, self.state_bytes)
        (<State*>out).observer = seat + 1
        if self.has_secret and seat != 0 and (<const State*>state).plies:
            (<State*>out).past[0] = HIDDEN

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef State* s = <State*>out
        memcpy(out, observation, self.state_bytes)
        s.observer = NOBODY
        if s.past[0] == HIDDEN:
            s.past[0] = below(rng, NUM_MOVES)

    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil:
        if self.has_secret and (<const State*>state).plies == 0 and seat != 0:
            return HIDDEN
        return move

    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int i
        self.start(root)
        for i in range(s.plies):
            out[i] = s.past[i]
        return s.plies or self.told

    def move_text(self, uint32_t move) -> str:
        return "hidden" if move == HIDDEN else str(move)

    def parse_move(self, str text) -> int:
        if text not in ("0", "1", "2"):
            raise InputError("a move is 0, 1 or 2", field="move", value=text)
        return int(text)

    def text(self, bytes state) -> str:
        observer = self.observer_of(state)
        seen = "" if observer is None else " @-" if observer < 0 else f" @p{observer + 1}"
        return f"{self.tag};players={self.num_seats} bytes={state.hex()}{seen}"

    def view(self, bytes state) -> dict:
        return {"bytes": state.hex()}

    @classmethod
    def parse_position(cls, str text) -> tuple:
        players, hexes = re.match(r"[a-z]+;players=([0-9]+) bytes=([0-9a-f]+)", text).groups()
        return cls(players), bytes.fromhex(hexes)

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        return cls.parse_position(text)

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1


class SecretTable(RoundTable):
    """The hidden one."""

    name = "secret_table"
    is_hidden = True
    needs_mixing = True
