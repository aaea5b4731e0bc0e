"""Tic-tac-toe (docs/rules/tic_tac_toe.md): calibration, perfect information, two seats.

A move is the index of its square, a1 b1 c1 a2 ... c3 = 0..8.
"""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy

from kingmaker.cext.change import Change
from kingmaker.cext.notation import PlainNotation
from kingmaker.cext.options import Options
from kingmaker.cext.reasons import Numbers, Reason

from ..bits cimport count
from ..feature_blocks cimport write_members
from ..fields cimport Fields
from ..game cimport TERMINAL, Refusal, refuse
from ..rng cimport bitgen_t
from ..view_game cimport NOBODY, ViewGame

SQUARES = {f + r: 3 * y + x for y, r in enumerate("123") for x, f in enumerate("abc")}
SQUARE_NAMES = list(SQUARES)
FEATURES = [
    *(words + square
      for words in ("own mark on ", "rival's mark on ", "own line completed by ",
                    "rival's line completed by ")
      for square in SQUARE_NAMES),
    "own turn"]

cdef enum:
    NUM_SQUARES = 9
    FULL = 0x1FF

cdef enum Why:
    SURPLUS = 1, AFTER_WIN, OVER, TAKEN

REASONS = {
    SURPLUS: Reason("R3.3b", "x moves first and the seats alternate, so there is no {0} x against "
                    "{1} o", "board", "{0} x, {1} o"),
    AFTER_WIN: Reason("R3.3c", "a mark was placed after the game was won", "board",
                      "{0} x, {1} o"),
    OVER: Reason("R1.5", "the game is over"),
    TAKEN: Reason("R1.3", "{0:square} is taken"),
}

cdef struct State:
    uint16_t[2] marks   # squares of x and of o, bit = square
    uint8_t observer    # seat + 1, 0 for a spectator, NOBODY: a full state
    uint8_t padding

cdef uint16_t[8] LINES
LINES[:] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


cdef inline bint has_line(uint16_t marks) noexcept nogil:
    cdef int i
    for i in range(8):
        if marks & LINES[i] == LINES[i]:
            return True
    return False


cdef inline uint16_t completions(uint16_t own, uint16_t other) noexcept nogil:
    """The empty squares on which one more mark of this side makes a line."""
    cdef uint16_t found = 0
    cdef uint16_t missing
    cdef int i
    for i in range(8):
        missing = LINES[i] & ~own
        if missing & (missing - 1) == 0 and not missing & other:
            found |= missing
    return found


cdef inline int seat_to_move(const State* state) noexcept nogil:
    cdef int filled = 0
    cdef uint16_t rest = state.marks[0] | state.marks[1]
    while rest:
        rest &= rest - 1
        filled += 1
    return filled & 1


cdef class TicTacToe(ViewGame):
    """The rules; there are no options."""

    name = "tic_tac_toe"
    title = "Tic-tac-toe"
    tag = "ttt"
    prior_temperature = 0.1
    handicaps = (0.83, 0.81, 0.78, 0.74, 0.71, 0.65, 0.6, 0.55, 0.48)
    side_marks = (r"\bx\b(?=[ x.o]*$)", r"\bo\b(?=[ x.o]*$)")
    notation_help = (
        "Moves: the square, a1 (bottom left) to c3 (top right).\n"
        "Position: ttt board= node=\n"
        "The board is rank 3, / rank 2, / rank 1, each three of . x o from file a to c; the node "
        "is play:p1, play:p2 or end.\n"
        "Observation: the same, then @p1 or @p2, the seat that sees it; @- is a spectator.")
    notation = PlainNotation("ttt", ("board", "node"), ("R3.2", "R3.4"), move="square")
    form_rules = ("R3.1", "R3.2", "R3.4")
    implied = {"node": "R3.3d"}
    reasons = REASONS
    numbers = Numbers(square=lambda square: SQUARE_NAMES[square])

    def __init__(self, **options):
        self.options = Options(self.name).checked(options)
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_SQUARES
        self.num_features = len(FEATURES)
        self.num_actions = NUM_SQUARES
        self.observer_at = <size_t>&(<State*>NULL).observer

    cdef void start(self, void* state) noexcept nogil:
        (<State*>state)[0] = State(marks=[0, 0], observer=NOBODY, padding=0)

    cdef int node(self, const void* state) noexcept nogil:
        cdef const State* s = <const State*>state
        if has_line(s.marks[0]) or has_line(s.marks[1]) or s.marks[0] | s.marks[1] == FULL:
            return TERMINAL
        return seat_to_move(s)

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef uint16_t taken = (<const State*>state).marks[0] | (<const State*>state).marks[1]
        cdef int num_moves = 0
        cdef int square
        for square in range(9):
            if not taken >> square & 1:
                out[num_moves] = square
                num_moves += 1
        return num_moves

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        s.marks[seat_to_move(s)] |= 1 << move

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef const State* s = <const State*>state
        out[0] = 1.0 if has_line(s.marks[0]) else 0.0 if has_line(s.marks[1]) else 0.5
        out[1] = 1.0 - out[0]

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        memcpy(out, state, sizeof(State))
        (<State*>out).observer = seat + 1

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        memcpy(out, observation, sizeof(State))
        (<State*>out).observer = NOBODY

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """Even until the end."""
        self.returns(state, out)

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        """In the order of `FEATURES`."""
        cdef const State* s = <const State*>state
        cdef uint16_t own = s.marks[seat]
        cdef uint16_t other = s.marks[1 - seat]
        cdef uint64_t found = own | <uint64_t>other << NUM_SQUARES
        found |= <uint64_t>completions(own, other) << 2 * NUM_SQUARES
        found |= <uint64_t>completions(other, own) << 3 * NUM_SQUARES
        found |= <uint64_t>(self.node(state) == seat) << 4 * NUM_SQUARES
        return write_members(found, 0, out, 0)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef int num_x = count(s.marks[0])
        cdef int num_o = count(s.marks[1])
        if num_x != num_o and num_x != num_o + 1:
            return refuse(out, SURPLUS, num_x, num_o)
        if num_x == num_o and has_line(s.marks[0]) or num_x > num_o and has_line(s.marks[1]):
            return refuse(out, AFTER_WIN, num_x, num_o)
        return 0

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        if self.node(state) == TERMINAL:
            return refuse(out, OVER)
        return refuse(out, TAKEN, move) if (s.marks[0] | s.marks[1]) >> move & 1 else 0

    @property
    def feature_names(self) -> list:
        return list(FEATURES)

    def pack(self, Fields fields not None) -> bytes:
        cdef State state = State(marks=[0, 0], observer=fields.observer(2, "R3.4"), padding=0)
        board = fields.text("board")
        ranks = board.split("/")
        if [len(rank) for rank in ranks] != [3, 3, 3] or set(board) - set(".xo/"):
            raise fields.refusal(
                "board",
                "the board is three ranks of three of . x o, the top rank first: .../.x./...")
        for square, mark in enumerate("".join(reversed(ranks))):
            if mark != ".":
                state.marks[mark == "o"] |= 1 << square
        return (<char*>&state)[:sizeof(State)]

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        cells = ["x" if s.marks[0] >> i & 1 else "o" if s.marks[1] >> i & 1 else "."
                 for i in range(9)]
        return {
            "board": "/".join("".join(cells[row * 3:row * 3 + 3]) for row in (2, 1, 0)),
            "node": {"type": "end" if self.node(s) == TERMINAL else "play"},
        }

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        return {"square": SQUARE_NAMES[move]}

    def pack_move(self, Fields fields not None) -> int:
        return fields.code("square", SQUARES, "moves are the squares a1 to c3")

    def render(self, bytes state) -> str:
        rows = self.fields_of(state)["board"].split("/")
        return "\n".join(f"{3 - i} {' '.join(row)}" for i, row in enumerate(rows)) + "\n  a b c"

    def describe_move(self, bytes state, uint32_t move) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        return f"put {'xo'[seat_to_move(s)]} on {self.token(move)}"

    def describe_anywhere(self, uint32_t move) -> str:
        return f"put a mark on {self.token(move)}"

    def changes(self, bytes before, bytes after, int seat) -> list:
        cdef const State* old = <const State*>self.pointer(before)
        cdef const State* new = <const State*>self.pointer(after)
        found = []
        for side in range(2):
            was, threats = open_lines(old.marks[side], old.marks[1 - side]), open_lines(
                new.marks[side], new.marks[1 - side])
            sign = 1 if side == seat else -1
            if has_line(new.marks[side]) and not has_line(old.marks[side]):
                found.append(Change(f"p{side + 1} has three in a row", 0.5 * sign))
            elif threats > was:
                found.append(Change(f"p{side + 1} threatens a line", 0.1 * threats * sign))
            elif threats < was:
                found.append(Change(f"a line of p{side + 1} is blocked", -0.1 * was * sign))
        return sorted(found, key=lambda change: -abs(change.gain))


def open_lines(int own, int other) -> int:
    """Count the lines with two own marks and an empty square."""
    return sum((own & LINES[i]).bit_count() == 2 and not other & LINES[i] for i in range(8))
