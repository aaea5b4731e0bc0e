"""Take away: two seats take 1 to 3 stones in turn; who takes the last one wins.

A game in a package of its own: a subclass of `Game` and an entry point are all it needs. A move
is the number of stones taken.
"""

import re

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy

from kingmaker.cext.errors import InputError

from kingmaker.cext.game cimport TERMINAL, Game
from kingmaker.cext.rng cimport bitgen_t

cdef enum:
    MOST = 3
    MOST_STONES = 99
    NOBODY = 255   # `State.observer` of a full state

cdef struct State:
    uint8_t stones
    uint8_t to_move
    uint8_t observer   # seat + 1, 0 for a spectator, NOBODY: a full state


FEATURES = [*(f"stones left: {stones}" for stones in range(1, MOST_STONES + 1)), "own turn"]


cdef class TakeAway(Game):
    """The rules; option `stones` is the size of the heap."""

    name = "take_away"
    title = "Take away"
    tag = "ta"
    option_help = {"stones": "stones at the start, 1 to 99; default 10"}
    notation_help = (
        "Moves: take:1 to take:3. Position: ta stones=<left> node=p1|p2, or end-p1|end-p2 after "
        "the last stone, with the seat that would be next.")

    cdef int heap

    def __init__(self, stones="10", **others):
        if others or not stones.isdecimal() or not 1 <= int(stones) <= MOST_STONES:
            raise InputError("the only option is stones=1..99", field="options")
        self.heap = int(stones)
        self.options = {"stones": stones}
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = MOST
        self.num_features = len(FEATURES)
        self.num_actions = MOST

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state)[0] = State(stones=self.heap, to_move=0, observer=NOBODY)

    cdef int node(self, const void* state) noexcept nogil:
        if (<State*>state).stones == 0:
            return TERMINAL
        return (<State*>state).to_move

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef int num_moves = min((<State*>state).stones, MOST)
        cdef int i
        for i in range(num_moves):
            out[i] = i + 1
        return num_moves

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        (<State*>state).stones -= move
        (<State*>state).to_move ^= 1

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        out[0] = (<State*>state).to_move
        out[1] = 1 - out[0]

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        memcpy(out, state, sizeof(State))
        (<State*>out).observer = seat + 1

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        memcpy(out, observation, sizeof(State))
        (<State*>out).observer = NOBODY

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        if s.stones == 0:
            return 0
        out[0] = s.stones - 1
        out[1] = MOST_STONES   # own turn
        return 2 if s.to_move == seat else 1

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move - 1

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index + 1

    @property
    def feature_names(self) -> list:
        return list(FEATURES)

    def move_text(self, uint32_t move) -> str:
        return f"take:{move}"

    def parse_move(self, str text) -> int:
        if text not in ("take:1", "take:2", "take:3"):
            raise InputError(f"{text!r} is no move; moves are take:1 to take:3", field="move")
        return int(text[-1])

    def view(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        view = {"stones": s.stones, "node": ("" if s.stones else "end-") + f"p{s.to_move + 1}"}
        if s.observer != NOBODY:
            view["observer"] = s.observer
        return view

    def text(self, bytes state) -> str:
        view = self.view(state)
        line = f"ta stones={view['stones']} node={view['node']}"
        if "observer" in view:
            line += f" @p{view['observer']}" if view["observer"] else " @-"
        return line

    @classmethod
    def parse_position(cls, str text) -> tuple:
        cdef State state
        match = re.fullmatch("ta stones=(0|[1-9][0-9]?) node=(p1|p2|end-p1|end-p2)", text)
        if not match or (match[1] == "0") != match[2].startswith("end"):
            raise InputError(cls.notation_help, field="position", value=text)
        state = State(stones=int(match[1]), to_move=match[2][-1] == "2", observer=NOBODY)
        return cls(), (<char*>&state)[:sizeof(State)]

    @classmethod
    def parse_observation(cls, str text) -> tuple:
        line, _, observer = text.rpartition(" ")
        if observer not in ("@-", "@p1", "@p2"):
            raise InputError("an observation ends in @p1, @p2 or @-", field="observation")
        game, state = cls.parse_position(line)
        return game, game.observed(state, ("@-", "@p1", "@p2").index(observer) - 1)

    def observer_of(self, bytes state):
        cdef const State* s = <const State*>self.pointer(state)
        return None if s.observer == NOBODY else s.observer - 1
