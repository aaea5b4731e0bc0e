"""A game for tests of isolation that does to the process of a search what its option says.

Two seats take one or two stones in turn; who takes the last one wins. In a playout, so in searches
alone, it writes to address 0, aborts, or never returns.
"""

import re

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport abort
from libc.string cimport memcpy
from posix.unistd cimport _exit

from kingmaker.cext.errors import InputError

from kingmaker.cext.game cimport TERMINAL, Game
from kingmaker.cext.rng cimport bitgen_t

FAULTS = ("none", "null", "abort", "exit", "loop", "hold")

cdef enum Fault:
    NONE, NULL_WRITE, ABORT, EXIT, LOOP, HOLD

cdef enum:
    STONES = 60
    NOBODY = 255   # `State.observer` of a full state

cdef struct State:
    uint8_t stones
    uint8_t to_move
    uint8_t observer   # seat + 1, 0 for a spectator, NOBODY: a full state


cdef class DeadlyGame(Game):
    """Option `fault`: none, null, abort, exit, loop, or hold (a loop that keeps the GIL)."""

    name = "deadly_game"
    title = "Deadly game"
    tag = "dg"
    option_help = {"fault": "what a playout does"}
    notation_help = "Moves: take:1, take:2. Position: dg fault=<fault> stones=<left> to_move=<seat>"

    cdef int fault

    def __init__(self, fault="none"):
        self.fault = FAULTS.index(fault)
        self.options = {"fault": fault}
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = 2

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state)[0] = State(stones=STONES, to_move=0, observer=NOBODY)

    cdef int node(self, const void* state) noexcept nogil:
        if (<State*>state).stones == 0:
            return TERMINAL
        return (<State*>state).to_move

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        out[0] = 1
        out[1] = 2
        return min(<int>(<State*>state).stones, 2)

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        s.stones -= move
        s.to_move = 1 - s.to_move

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        out[0] = (<State*>state).to_move
        out[1] = 1 - out[0]

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        cdef volatile int* nowhere = NULL
        cdef volatile int turns = 0
        if self.fault == NULL_WRITE:
            nowhere[0] = 1
        if self.fault == ABORT:
            abort()
        if self.fault == EXIT:
            _exit(3)
        while self.fault == LOOP:
            turns += 1
        if self.fault == HOLD:
            with gil:
                while True:
                    turns += 1
        return Game.playout(self, state, max_plies, rng, out)

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        memcpy(out, state, sizeof(State))
        (<State*>out).observer = seat + 1

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        memcpy(out, observation, sizeof(State))
        (<State*>out).observer = NOBODY

    def move_text(self, uint32_t move) -> str:
        return f"take:{move}"

    def parse_move(self, str text) -> int:
        return int(text[-1])

    def text(self, bytes state) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        line = f"dg fault={FAULTS[self.fault]} stones={s.stones} to_move={s.to_move}"
        return line if s.observer == NOBODY else f"{line} @{s.observer}"

    def view(self, bytes state) -> dict:
        return {"text": self.text(state)}

    @classmethod
    def parse_position(cls, str text) -> tuple:
        cdef State state
        match = re.fullmatch(r"dg fault=(\w+) stones=(\d+) to_move=([01])", text)
        if not match:
            raise InputError(cls.notation_help, field="position", value=text)
        state = State(stones=int(match[2]), to_move=int(match[3]), observer=NOBODY)
        return cls(match[1]), (<char*>&state)[:sizeof(State)]

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        line, _, observer = text.rpartition(" @")
        game, state = cls.parse_position(line)
        return game, game.observed(state, int(observer) - 1)

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1
