"""Connect four (docs/rules/connect_four.md): calibration, perfect information, two seats.

A move is the index of its column, a..g = 0..6. A board is a mask with seven bits per column: bit
7 * column + row. Row 6 of a column stays empty, so that no shifted line crosses its top.
"""

cimport cython
from libc.stdint cimport int32_t, uint32_t, uint64_t

from kingmaker.cext.change import Change
from kingmaker.cext.notation import PlainNotation
from kingmaker.cext.options import Options
from kingmaker.cext.reasons import Numbers, Reason

from ..bits cimport count, lowest, random_member
from ..feature_blocks cimport thermometer, write_members
from ..fields cimport Fields
from ..game cimport TERMINAL, Refusal, refuse
from ..rng cimport bitgen_t
from ..view_game cimport NOBODY, ViewGame

COLUMNS = "abcdefg"
COLUMN_CODES = {name: column for column, name in enumerate(COLUMNS)}
ROWS = "123456"
FEATURES = [
    *(words + column + row
      for words in ("own disc on ", "rival's disc on ", "own four completed by ",
                    "rival's four completed by ")
      for column in COLUMNS for row in ROWS),
    "own fours that can be completed now: 1 or more",
    "own fours that can be completed now: 2 or more",
    "rival's fours that can be completed now: 1 or more",
    "rival's fours that can be completed now: 2 or more",
    "own disc was the first",
    "own turn"]

cdef enum:
    NUM_COLUMNS = 7
    NUM_ROWS = 6
    NUM_SQUARES = 42
    STRIDE = 7       # bits per column
    TOP_BYTE = 56    # first bit of the small fields of `State`
    WON = 2          # phase: WON + winner; 0 and 1 are the seat to move
    DRAWN = 4

cdef enum Why:
    FLOATING = 1, SURPLUS, AFTER_WIN, NO_LAST_MOVE, OVER, FULL

REASONS = {
    FLOATING: Reason("R3.3b", "below a disc there is no empty square", "board",
                     "column {0:column}"),
    SURPLUS: Reason("R3.3c", "x moves first and the sides alternate, so there is no {0} x against "
                    "{1} o", "board", "{0} x, {1} o"),
    AFTER_WIN: Reason("R3.3d", "a disc was dropped after the game was won", "board",
                      "{0} x, {1} o"),
    NO_LAST_MOVE: Reason("R3.3e", "no last move explains every four", "board", "{0} x, {1} o"),
    OVER: Reason("R1.5", "the game is over"),
    FULL: Reason("R1.3", "column {0:column} is full"),
}

cdef uint64_t BOTTOM = 0x0000040810204081     # row 0
cdef uint64_t BOARD = 0x0000040810204081 * 63   # rows 0 to 5
cdef uint64_t COLUMN = 0x7F                   # column a
cdef uint64_t BELOW_TOP_BYTE = (<uint64_t>1 << TOP_BYTE) - 1

cdef struct State:
    # Discs of x and of o. The top byte of the first is the phase, so that only `apply` tests for
    # the end of the game; that of the second the observer: seat + 1, 0 for a spectator.
    uint64_t[2] discs


cdef inline uint64_t discs_of(const State* state, int side) noexcept nogil:
    return state.discs[side] & BELOW_TOP_BYTE


cdef inline int phase_of(const State* state) noexcept nogil:
    return state.discs[0] >> TOP_BYTE


cdef inline int observer(const State* state) noexcept nogil:
    return state.discs[1] >> TOP_BYTE


cdef inline void fill(State* state, uint64_t x, uint64_t o, int phase, int seen_by) noexcept nogil:
    state.discs[0] = x | <uint64_t>phase << TOP_BYTE
    state.discs[1] = o | <uint64_t>seen_by << TOP_BYTE


cdef inline uint64_t landings(uint64_t taken) noexcept nogil:
    """The lowest empty square of every column that is not full (R1.3)."""
    return (taken + BOTTOM) & BOARD


cdef inline uint64_t fours(uint64_t discs) noexcept nogil:
    """Squares at which a four begins (R1.4); 0 when there is none."""
    cdef uint64_t vertical = discs & discs >> 1
    cdef uint64_t level = discs & discs >> STRIDE
    cdef uint64_t rising = discs & discs >> STRIDE + 1
    cdef uint64_t falling = discs & discs >> STRIDE - 1
    return (vertical & vertical >> 2 | level & level >> 2 * STRIDE
            | rising & rising >> 2 * (STRIDE + 1) | falling & falling >> 2 * (STRIDE - 1))


cdef inline uint64_t lines_through(uint64_t discs, int step) noexcept nogil:
    """Squares that complete four in the direction of `step` together with three discs."""
    cdef uint64_t after = discs << step & discs << 2 * step
    cdef uint64_t before = discs >> step & discs >> 2 * step
    return (after & (discs << 3 * step | discs >> step)
            | before & (discs >> 3 * step | discs << step))


cdef inline uint64_t threats(uint64_t discs, uint64_t taken) noexcept nogil:
    """Empty squares on which one more disc of this side makes a four."""
    return BOARD & ~taken & (
        lines_through(discs, 1) | lines_through(discs, STRIDE)
        | lines_through(discs, STRIDE + 1) | lines_through(discs, STRIDE - 1))


cdef class ConnectFour(ViewGame):
    """The rules; there are no options."""

    name = "connect_four"
    title = "Connect four"
    tag = "c4"
    prior_temperature = 0.1
    handicaps = (0.8, 0.74, 0.66, 0.61, 0.52, 0.47, 0.37, 0.31, 0.2)
    side_marks = (r"\bx\b(?=[ x.o]*$)", r"\bo\b(?=[ x.o]*$)")
    notation_help = (
        "Moves: the column, a (left) to g (right).\n"
        "Position: c4 board= node=\n"
        "The board is rows 6 to 1 with / between them, each seven of . x o from column a to g; the "
        "node is play:p1, play:p2 or end.\n"
        "Observation: the same, then @p1 or @p2, the seat that sees it; @- is a spectator.")
    notation = PlainNotation("c4", ("board", "node"), ("R3.2", "R3.4"), move="column")
    form_rules = ("R3.1", "R3.2", "R3.4")
    implied = {"node": "R3.3f"}
    reasons = REASONS
    numbers = Numbers(column=lambda column: COLUMNS[column])

    def __init__(self, **options):
        self.options = Options(self.name).checked(options)
        self.num_seats = 2
        self.state_bytes = sizeof(State)
        self.max_moves = NUM_COLUMNS
        self.num_features = len(FEATURES)
        self.num_actions = NUM_COLUMNS
        self.observer_at = sizeof(State) - 1   # the top byte

    cdef void start(self, void* state) noexcept nogil:
        fill(<State*>state, 0, 0, 0, NOBODY)

    cdef int node(self, const void* state) noexcept nogil:
        cdef int phase = phase_of(<const State*>state)
        return phase if phase < WON else TERMINAL

    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t open_squares = landings(discs_of(s, 0) | discs_of(s, 1))
        cdef int num_moves = 0
        cdef int column
        for column in range(NUM_COLUMNS):
            if open_squares & COLUMN << STRIDE * column:
                out[num_moves] = column
                num_moves += 1
        return num_moves

    cdef void apply(self, void* state, uint32_t move) noexcept nogil:
        cdef State* s = <State*>state
        cdef int side = phase_of(s)
        cdef uint64_t taken = discs_of(s, 0) | discs_of(s, 1)
        cdef uint64_t square = landings(taken) & COLUMN << STRIDE * move
        cdef int phase = 1 - side
        if fours(discs_of(s, side) | square):
            phase = WON + side
        elif taken | square == BOARD:
            phase = DRAWN
        s.discs[side] |= square
        fill(s, discs_of(s, 0), discs_of(s, 1), phase, observer(s))

    cdef void returns(self, const void* state, double* out) noexcept nogil:
        cdef int phase = phase_of(<const State*>state)
        out[0] = 1.0 if phase == WON else 0.0 if phase == WON + 1 else 0.5
        out[1] = 1.0 - out[0]

    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil:
        cdef const State* s = <const State*>state
        fill(<State*>out, discs_of(s, 0), discs_of(s, 1), phase_of(s), seat + 1)

    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil:
        cdef const State* s = <const State*>observation
        fill(<State*>out, discs_of(s, 0), discs_of(s, 1), phase_of(s), NOBODY)

    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t taken = discs_of(s, 0) | discs_of(s, 1)
        cdef uint64_t full = taken >> NUM_ROWS - 1 & BOTTOM
        cdef uint64_t columns = full ^ BOTTOM
        return column_of(random_member(columns, rng))

    cdef int playout(
            self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
        """Uniform moves: three bits per move, drawn again unless they name an open column."""
        cdef State* s = <State*>state
        cdef int phase = phase_of(s)
        if phase >= WON:
            self.returns(state, out)
            return 0
        cdef uint64_t own = discs_of(s, phase)
        cdef uint64_t other = discs_of(s, 1 - phase)
        cdef uint64_t square
        cdef uint64_t bits = 1
        cdef int limit = NUM_SQUARES - count(own | other)
        cdef bint is_cut = 0 < max_plies < limit
        if is_cut:
            limit = max_plies
        cdef int plies = 0
        cdef bint is_won = False
        while plies < limit and not is_won:
            if bits == 1:   # used up: the top bit of the draw marks its end
                bits = rng.next_uint64(rng.state) | <uint64_t>1 << 63
            # The eighth value of three bits is not a column of the board.
            square = landings(own | other) & COLUMN << STRIDE * (bits & 7)
            bits >>= 3
            if square == 0:
                continue
            own |= square
            is_won = fours(own) != 0
            own, other = other, own
            plies += 1
        # `own` is now the side to move, also when the other one has just won.
        cdef int side = (phase + plies) & 1
        phase = WON + 1 - side if is_won else side if is_cut else DRAWN
        if side:
            fill(s, other, own, phase, observer(s))
        else:
            fill(s, own, other, phase, observer(s))
        self.evaluate(state, out)
        return plies

    cdef void evaluate(self, const void* state, double* out) noexcept nogil:
        """Count the squares that would complete a four; one that can be filled now decides."""
        cdef const State* s = <const State*>state
        cdef int side = phase_of(s)
        if side >= WON:
            self.returns(state, out)
            return
        cdef uint64_t taken = discs_of(s, 0) | discs_of(s, 1)
        cdef uint64_t own = threats(discs_of(s, side), taken)
        cdef uint64_t other = threats(discs_of(s, 1 - side), taken)
        cdef double share = 0.5 + 0.05 * (count(own) - count(other))
        if own & landings(taken):
            share = 1.0
        elif count(other & landings(taken)) > 1:
            share = 0.0
        out[side] = min(max(share, 0.02), 0.98)
        out[1 - side] = 1.0 - out[side]

    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil:
        """In the order of `FEATURES`."""
        cdef const State* s = <const State*>state
        cdef uint64_t taken = discs_of(s, 0) | discs_of(s, 1)
        cdef uint64_t own = threats(discs_of(s, seat), taken)
        cdef uint64_t other = threats(discs_of(s, 1 - seat), taken)
        cdef uint64_t found = thermometer(count(own & landings(taken)), 2)
        cdef int length
        found |= thermometer(count(other & landings(taken)), 2) << 2
        found |= (seat == 0) << 4 | (phase_of(s) == seat) << 5
        length = write_members(without_tops(discs_of(s, seat)), 0, out, 0)
        length = write_members(without_tops(discs_of(s, 1 - seat)), NUM_SQUARES, out, length)
        length = write_members(without_tops(own), 2 * NUM_SQUARES, out, length)
        length = write_members(without_tops(other), 3 * NUM_SQUARES, out, length)
        return write_members(found, 4 * NUM_SQUARES, out, length)

    cdef int action_index(self, uint32_t move) noexcept nogil:
        return move

    cdef uint32_t action_at(self, int index) noexcept nogil:
        return index

    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t taken = discs_of(s, 0) | discs_of(s, 1)
        cdef uint64_t holes = taken & (taken + BOTTOM)   # a carry stops at the lowest hole
        cdef int num_x = count(discs_of(s, 0))
        cdef int num_o = count(discs_of(s, 1))
        cdef int side
        if holes:
            return refuse(out, FLOATING, column_of(lowest(holes)))
        if num_x != num_o and num_x != num_o + 1:
            return refuse(out, SURPLUS, num_x, num_o)
        for side in range(2):
            if fours(discs_of(s, side)):
                if fours(discs_of(s, 1 - side)) or num_x - num_o == side:
                    return refuse(out, AFTER_WIN, num_x, num_o)
                if not has_last_move(discs_of(s, side), taken):
                    return refuse(out, NO_LAST_MOVE, num_x, num_o)
        return 0

    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil:
        cdef const State* s = <const State*>state
        cdef uint64_t open_squares = landings(discs_of(s, 0) | discs_of(s, 1))
        if phase_of(s) >= WON:
            return refuse(out, OVER)
        return 0 if open_squares & COLUMN << STRIDE * move else refuse(out, FULL, move)

    @property
    def feature_names(self) -> list:
        return list(FEATURES)

    def pack(self, Fields fields not None) -> bytes:
        cdef State state
        cdef uint64_t[2] discs = [0, 0]
        board = fields.text("board")
        rows = board.split("/")
        if [len(row) for row in rows] != [NUM_COLUMNS] * NUM_ROWS or set(board) - set(".xo/"):
            raise fields.refusal(
                "board", "the board is six rows of seven of . x o, the top row first")
        for row, line in enumerate(reversed(rows)):
            for column, mark in enumerate(line):
                if mark != ".":
                    discs[mark == "o"] |= <uint64_t>1 << STRIDE * column + row
        phase = (WON if fours(discs[0]) else WON + 1 if fours(discs[1])
                 else DRAWN if discs[0] | discs[1] == BOARD else count(discs[0] | discs[1]) & 1)
        fill(&state, discs[0], discs[1], phase, fields.observer(2, "R3.4"))
        return (<char*>&state)[:sizeof(State)]

    def fields_of(self, bytes state) -> dict:
        cdef const State* s = <const State*>self.pointer(state)
        return {
            "board": "/".join(
                "".join(disc(s, column, row) for column in range(NUM_COLUMNS))
                for row in reversed(range(NUM_ROWS))),
            "node": {"type": "end" if phase_of(s) >= WON else "play"},
        }

    @cython.boundscheck(True)   # the number may be no move
    def move_view(self, uint32_t move) -> dict:
        return {"column": COLUMNS[move]}

    def pack_move(self, Fields fields not None) -> int:
        return fields.code("column", COLUMN_CODES, "moves are the columns a to g")

    def render(self, bytes state) -> str:
        rows = self.fields_of(state)["board"].split("/")
        lines = [f"{NUM_ROWS - i} {' '.join(row)}" for i, row in enumerate(rows)]
        return "\n".join([*lines, "  " + " ".join(COLUMNS)])

    def describe_move(self, bytes state, uint32_t move) -> str:
        cdef const State* s = <const State*>self.pointer(state)
        cdef uint64_t taken = discs_of(s, 0) | discs_of(s, 1)
        squares = square_names(landings(taken) & COLUMN << STRIDE * move)
        return f"drop {'xo'[phase_of(s) & 1]} into column {self.token(move)}" + (
            f", down to {squares[0]}" if squares else "")

    def describe_anywhere(self, uint32_t move) -> str:
        return f"drop a disc into column {self.token(move)}"

    def changes(self, bytes before, bytes after, int seat) -> list:
        cdef const State* old = <const State*>self.pointer(before)
        cdef const State* new = <const State*>self.pointer(after)
        found = []
        for side in range(2):
            sign = 1 if side == seat else -1
            was = square_names(threats(discs_of(old, side), discs_of(old, 0) | discs_of(old, 1)))
            now = square_names(threats(discs_of(new, side), discs_of(new, 0) | discs_of(new, 1)))
            made = [square for square in now if square not in was]
            lost = [square for square in was if square not in now]
            if phase_of(new) == WON + side != phase_of(old):
                found.append(Change(f"p{side + 1} has four in a row", 0.5 * sign))
                continue
            if made:
                found.append(Change(
                    f"p{side + 1} now threatens a four on {' and '.join(made)}",
                    0.1 * len(made) * sign))
            if lost:
                found.append(Change(
                    f"p{side + 1} can no longer make a four on {' and '.join(lost)}",
                    -0.1 * len(lost) * sign))
        return sorted(found, key=lambda change: -abs(change.gain))


cdef inline int column_of(int bit) noexcept nogil:
    """bit / STRIDE for bits below 64, without dividing."""
    return bit * 37 >> 8


cdef inline uint64_t without_tops(uint64_t squares) noexcept nogil:
    """A set of squares with `NUM_ROWS` bits per column."""
    cdef uint64_t found = 0
    cdef int column
    for column in range(NUM_COLUMNS):
        found |= (squares >> STRIDE * column & 63) << NUM_ROWS * column
    return found


cdef bint has_last_move(uint64_t discs, uint64_t taken) noexcept nogil:
    """Whether the removal of one topmost disc of this side leaves it without a four (R3.3e)."""
    cdef uint64_t tops = discs & (taken + BOTTOM) >> 1
    cdef uint64_t top
    while tops:
        top = tops & (~tops + 1)
        if not fours(discs ^ top):
            return True
        tops ^= top
    return False


cdef str disc(const State* state, int column, int row):
    cdef int bit = STRIDE * column + row
    return "x" if state.discs[0] >> bit & 1 else "o" if state.discs[1] >> bit & 1 else "."


cdef list square_names(uint64_t squares):
    return [COLUMNS[column] + ROWS[row] for column in range(NUM_COLUMNS)
            for row in range(NUM_ROWS) if squares >> STRIDE * column + row & 1]
