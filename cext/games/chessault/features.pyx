"""The features of Chessault: a state as a seat sees it from its own side.

Rows count from the seat's own line. The rules know no left and right, so files are mirrored if that
puts the seat's king on files a to d. There is a block for the seat and one for its rival, each with
these parts, and at last the parts of both:

figures     type and square on rows 1 to 8, type and file on the line, holders of abilities, marks
holdings    types missing in the stock, dead and unplaced figures, credits
turn        of the side whose turn it is: node, actions left, tally, roll, offer, figure to place
threats     movable types, types that attack types, what the present roll takes, attackers of the
            king and the probability that they kill it (section 18), room around the own king
both        turns to the limit, tokens in the pool

The tables `SIDE` and `BOTH` name the parts; when the module is imported, their order and lengths
are compared with `SideAt` and `BothAt`, the indices where the parts begin.
"""

from itertools import accumulate

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count, lowest, pop_lowest

from ...features cimport thermometer, write_members
from .evaluation cimport actions_left, chs_kill_chance
from .geometry cimport REACH
from .sets cimport (
    FILE_A, FILE_H, figure_at, figure_on_line, holders_of, is_touching,
    line_files, occupied_squares, of_type, owned_squares, targets, type_on_board)
from .state cimport (
    BLACK, CONVERT, END_OF_TURN, EXPLODE, KING, KNIGHT, LINE_MOVED, MOST_MARKS, NO_SQUARE, PAWN,
    PHASE_KEEP, PHASE_PLACE, PHASE_WON_WHITE, PLANE_MOVED, PROTECT, QUEEN, Rules,
    State, figure_of, line_row, owner_of, type_of)

from .names import ABILITIES, FILES, PHASES, SQUARES, TYPES

cdef extern from *:
    uint64_t reversed_bytes "__builtin_bswap64"(uint64_t squares) noexcept nogil

cdef enum:
    MOST_DEAD = 4           # of a type, that are told apart
    SINGLE_CREDITS = 9      # told apart one by one
    MOST_INCOME = 9
    MOST_ATTACKERS = 3
    CHANCES = 8             # steps of a probability
    LITTLE_ROOM = 3         # squares open to a king

cdef enum SideAt:           # in the block of a side
    FIGURES = 0
    LINE = FIGURES + 6 * 64
    HELD = LINE + 5 * 8
    HOLDERS = HELD + 3 * 5
    MARKED = HOLDERS + 5 + 3 + 3
    MISSING = MARKED + 2 * 6
    DEAD = MISSING + 5
    UNPLACED = DEAD + 5 * MOST_DEAD
    DONE = UNPLACED + 4
    CREDITS = DONE + 1
    NODE = CREDITS + SINGLE_CREDITS + 4
    TURN_ENDS = NODE + 9
    ACTIONS_LEFT = TURN_ENDS + 1
    INCOME = ACTIONS_LEFT + 3
    REACHES = INCOME + MOST_INCOME
    KING_MOVED = REACHES + 3
    PLACING = KING_MOVED + 1
    ROLLED = PLACING + 6
    OFFERED = ROLLED + 6
    MOVABLE = OFFERED + 3
    ATTACKS = MOVABLE + 6
    KING_SHIELD = ATTACKS + 6 * 6
    TAKES = KING_SHIELD + 6
    ATTACKERS = TAKES + 7
    KILL_CHANCE = ATTACKERS + MOST_ATTACKERS
    ROOM = KILL_CHANCE + 1 + CHANCES
    BESIDE = ROOM + LITTLE_ROOM + 1
    SIDE_WIDTH = BESIDE + 3
    SIDE_WORDS = SIDE_WIDTH / 64 + 2    # `add` touches the word after the last one

cdef enum BothAt:           # in the block of both
    TURNS_LEFT = 0
    POOL = TURNS_LEFT + 5
    BOTH_WIDTH = POOL + 3

RECRUITS = TYPES[:5]
OFFICERS = TYPES[1:]
NUM_TOKENS = {"protect": 5, "explode": 3, "convert": 3}     # R2.5

cdef int[4] MANY_CREDITS = [12, 16, 24, 40]
cdef int[5] FEW_TURNS = [40, 20, 10, 5, 2]


def steps(str words, numbers) -> list:
    """Name the features of a thermometer."""
    return [f"{words}: {number} or more" for number in numbers]


SIDE = (
    [f"{kind} on {square}" for kind in TYPES for square in SQUARES[8:72]],
    [f"{kind} on the line, file {file}" for kind in RECRUITS for file in FILES],
    [f"{kind} holds {ability}" for ability in ABILITIES for kind in OFFICERS],
    [name for ability, most in NUM_TOKENS.items()
     for name in steps(f"holders of {ability}", range(1, most + 1))],
    [f"{kind} marked, converter {place}" for place in ("beside it", "apart") for kind in TYPES],
    [f"no {kind}s in stock" for kind in RECRUITS],
    [name for kind in RECRUITS for name in steps(f"dead {kind}s", range(1, MOST_DEAD + 1))],
    ["unplaced king", "unplaced queen", *steps("unplaced pawns", (1, 2))],
    ["done with the setup"],
    steps("credits", (*range(1, SINGLE_CREDITS + 1), *<list>MANY_CREDITS)),

    [f"turn, at {phase}" for phase in PHASES[:9]],
    ["turn, at its end"],
    steps("actions left", (1, 2, 3)),
    steps("income of the turn", range(1, MOST_INCOME + 1)),
    steps("endzone reached", (1, 2, 3)),
    ["special king move made"],
    [f"places a {kind}" for kind in TYPES],
    [f"rolled a {kind}" for kind in TYPES],
    [f"is offered {ability}" for ability in ABILITIES],

    [f"can move a {kind}" for kind in TYPES],
    [f"{kind} attacks a {victim} without protect" for kind in TYPES for victim in TYPES],
    [f"{kind} attacks the king's protect" for kind in TYPES],
    [*(f"roll takes a {kind}" for kind in TYPES), "roll takes the king's protect"],
    steps("figures that attack the king", range(1, MOST_ATTACKERS + 1)),
    ["chance to kill the king: above 0",
     *steps("chance to kill the king, eighths", range(1, CHANCES + 1))],
    [f"squares open to the king: {number} or fewer" for number in range(LITTLE_ROOM, -1, -1)],
    steps("figures of the other side beside the king", (1, 2, 3)),
)
BOTH = (
    [f"turns left: {number} or fewer" for number in <list>FEW_TURNS],
    [f"pool lacks {ability}" for ability in ABILITIES],
)
NAMES = [
    *(f"{owner}: {name}" for owner in ("own", "rival") for part in SIDE for name in part),
    *(name for part in BOTH for name in part)]

SIDE_AT = (
    FIGURES, LINE, HELD, HOLDERS, MARKED, MISSING, DEAD, UNPLACED, DONE, CREDITS, NODE, TURN_ENDS,
    ACTIONS_LEFT, INCOME, REACHES, KING_MOVED, PLACING, ROLLED, OFFERED, MOVABLE, ATTACKS,
    KING_SHIELD, TAKES, ATTACKERS, KILL_CHANCE, ROOM, BESIDE)
assert [0, *accumulate(map(len, SIDE))] == [*SIDE_AT, SIDE_WIDTH]
assert [0, *accumulate(map(len, BOTH))] == [TURNS_LEFT, POOL, BOTH_WIDTH]

# The figures of rows 1 to 8, turned to the side of a seat.
cdef struct Board:
    uint64_t[3] planes      # of their types
    uint64_t[2] owned       # by the seat and by its rival
    bint is_mirrored

# What the figures of a side that have not moved can do.
cdef struct Sight:
    uint64_t[7] attacks     # by type: the enemies that it may attack
    int movable             # a set of types
    int num_attackers       # of the king


cdef int chs_features(const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef uint64_t[SIDE_WORDS] block     # the features of a side, as a set
    cdef Board board
    cdef int length = 0
    cdef int i, j, side
    turn_board(s, seat, &board)
    for i in range(2):
        memset(block, 0, sizeof(block))
        side = 1 - seat if i else seat
        add_figures(block, s, &board, i, side)
        add_abilities(block, s, side)
        add_holdings(block, s, side)
        if s.phase < PHASE_WON_WHITE:
            if side == s.side:
                add_turn(block, s)
            if s.turn:
                add_threats(block, s, side)
        for j in range(<int>SIDE_WORDS):
            length = write_members(block[j], i * SIDE_WIDTH + 64 * j, out, length)
    return write_members(of_both(rules, s), 2 * SIDE_WIDTH, out, length)


cdef inline void add(uint64_t* block, int first, uint64_t members) noexcept nogil:
    """Add up to 64 features, counted from `first`, a constant in most calls."""
    cdef int shift = first & 63
    block[first >> 6] |= members << shift
    if shift:
        block[(first >> 6) + 1] |= members >> 64 - shift


# --- figures --------------------------------------------------------------------------------------

cdef inline uint64_t mirrored(uint64_t squares) noexcept nogil:
    """Reverse the files, in each byte for itself."""
    cdef uint64_t ones = 0x5555555555555555
    cdef uint64_t twos = 0x3333333333333333
    cdef uint64_t fours = 0x0F0F0F0F0F0F0F0F
    squares = squares >> 1 & ones | (squares & ones) << 1
    squares = squares >> 2 & twos | (squares & twos) << 2
    return squares >> 4 & fours | (squares & fours) << 4


cdef inline void turn_board(const State* s, int seat, Board* board) noexcept nogil:
    cdef uint64_t[5] sets = [
        s.planes[0], s.planes[1], s.planes[2], owned_squares(s, seat),
        owned_squares(s, 1 - seat)]
    cdef uint64_t right_half = 0xF0F0F0F0F0F0F0F0
    cdef int i
    board.is_mirrored = sets[3] & of_type(s, KING) & right_half != 0
    for i in range(5):
        if seat == BLACK:
            sets[i] = reversed_bytes(sets[i])
        if board.is_mirrored:
            sets[i] = mirrored(sets[i])
    board.planes = [sets[0], sets[1], sets[2]]
    board.owned = [sets[3], sets[4]]


cdef inline void add_figures(
        uint64_t* block, const State* s, const Board* board, int owner, int side) noexcept nogil:
    """Add the figures on the board and on the line of a side."""
    cdef uint64_t line = 0
    cdef uint64_t of_this_type
    cdef int type, i
    for type in range(<int>PAWN, <int>KING + 1):
        of_this_type = board.owned[owner]
        for i in range(3):
            of_this_type &= board.planes[i] ^ ((type >> i & 1) - <uint64_t>1)
        add(block, FIGURES + 64 * (type - PAWN), of_this_type)
    if line_files(s, side) == 0:
        return
    for type in range(<int>PAWN, <int>KING):
        of_this_type = 255
        for i in range(3):
            of_this_type &= s.lines[side][i] ^ ((type >> i & 1) - <uint64_t>1)
        line |= of_this_type << 8 * (type - PAWN)
    add(block, LINE, mirrored(line) if board.is_mirrored else line)


cdef inline void add_abilities(uint64_t* block, const State* s, int side) noexcept nogil:
    """Add holders of abilities and targets of marks."""
    cdef uint64_t own = owned_squares(s, side)
    cdef uint64_t held = 0
    cdef uint64_t marked = 0
    cdef uint64_t holders
    cdef int[4] numbers = [0, 0, 0, 0]
    cdef int ability, figure, i
    for ability in range(<int>PROTECT, <int>CONVERT + 1):
        holders = own & holders_of(s, ability)
        while holders:
            numbers[ability] += 1
            held |= 1 << 5 * (ability - PROTECT) + (
                type_on_board(s, pop_lowest(&holders)) - KNIGHT)
    add(block, HELD, held)
    add(block, HOLDERS, thermometer(numbers[<int>PROTECT], 5)
        | thermometer(numbers[<int>EXPLODE], 3) << 5 | thermometer(numbers[<int>CONVERT], 3) << 8)
    if s.marks[0].target == NO_SQUARE:
        return
    for i in range(MOST_MARKS):
        if s.marks[i].converter == NO_SQUARE:
            continue
        figure = figure_at(s, s.marks[i].target)
        if owner_of(figure) == side:
            marked |= 1 << type_of(figure) - PAWN + (
                0 if is_touching(s.marks[i].converter, s.marks[i].target) else 6)
    add(block, MARKED, marked)


# --- holdings and turn ----------------------------------------------------------------------------

cdef inline void add_holdings(uint64_t* block, const State* s, int side) noexcept nogil:
    cdef const uint8_t* unplaced = s.unplaced[side]
    cdef int credits = s.credits[side]
    cdef uint64_t missing = 0
    cdef uint64_t dead = 0
    cdef int many = 0
    cdef int type, i
    for type in range(<int>QUEEN, 0, -1):
        missing = missing << 1 | (s.stock[side][type] == 0)
        dead = dead << MOST_DEAD | thermometer(s.dead[side][type], MOST_DEAD)
    add(block, MISSING, missing)
    add(block, DEAD, dead)
    add(block, CREDITS, thermometer(credits, SINGLE_CREDITS))
    for i in range(4):
        many |= (credits >= MANY_CREDITS[i]) << i
    add(block, CREDITS + SINGLE_CREDITS, many)
    if s.turn == 0:
        add(block, UNPLACED, unplaced[<int>KING] | unplaced[<int>QUEEN] << 1
            | thermometer(unplaced[<int>PAWN], 2) << 2)
        add(block, DONE, s.done >> side & 1)


cdef inline void add_turn(uint64_t* block, const State* s) noexcept nogil:
    """Add what is said of the side whose turn it is."""
    add(block, NODE, 1 << s.phase)
    if s.turn:
        add(block, TURN_ENDS, s.action == END_OF_TURN)
        add(block, ACTIONS_LEFT, thermometer(actions_left(s), 3))
        add(block, INCOME, thermometer(s.moves + 2 * s.kills, MOST_INCOME))
        add(block, REACHES, thermometer(s.reaches, 3))
        add(block, KING_MOVED, s.king_moves)
        add(block, ROLLED, s.rolled >> PAWN)
    if s.phase == PHASE_PLACE:
        add(block, PLACING, 1 << s.placing - PAWN)
    if s.phase == PHASE_KEEP:
        add(block, OFFERED, s.offer >> PROTECT & 7)


cdef inline uint64_t of_both(const Rules* rules, const State* s) noexcept nogil:
    """The features of both sides."""
    cdef int left = rules.max_turns - s.turn
    cdef int few = 0
    cdef int i
    cdef int lacks = ((s.pool[<int>PROTECT] == 0) | (s.pool[<int>EXPLODE] == 0) << 1
                      | (s.pool[<int>CONVERT] == 0) << 2)
    for i in range(5):
        few |= (left <= FEW_TURNS[i]) << i
    return few << TURNS_LEFT | lacks << POOL


# --- threats --------------------------------------------------------------------------------------

cdef void look(const State* s, int side, uint64_t rival_king, Sight* sight) noexcept nogil:
    """Find the movable types and the attacks of a side."""
    cdef uint64_t occupied = occupied_squares(s)
    cdef uint64_t own = owned_squares(s, side)
    cdef uint64_t enemies = occupied & ~own
    cdef uint64_t movers = own & ~s.planes[<int>PLANE_MOVED]
    cdef uint64_t pawns = movers & of_type(s, PAWN)
    cdef uint64_t files = line_files(s, side) & ~s.lines[side][<int>LINE_MOVED]
    cdef int owner = figure_of(0, side)
    cdef int bit, figure
    memset(sight, 0, sizeof(Sight))
    look_for_pawns(sight, side, pawns, occupied, enemies, rival_king)
    movers ^= pawns
    while movers:
        bit = pop_lowest(&movers)
        figure = type_on_board(s, bit) | owner
        note(sight, figure, targets(figure, bit + 8, occupied, own), enemies, rival_king)
    while files:
        bit = pop_lowest(&files)
        figure = figure_on_line(s, side, bit)
        note(sight, figure, targets(figure, 8 * line_row(side) + bit, occupied, own), enemies,
             rival_king)


cdef inline void look_for_pawns(
        Sight* sight, int side, uint64_t pawns, uint64_t occupied, uint64_t enemies,
        uint64_t rival_king) noexcept nogil:
    """The pawns on the board, all at once."""
    cdef uint64_t east = pawns & ~FILE_H
    cdef uint64_t west = pawns & ~FILE_A
    cdef uint64_t ahead
    if side == BLACK:
        east >>= 7
        west >>= 9
        ahead = pawns >> 8
    else:
        east <<= 9
        west <<= 7
        ahead = pawns << 8
    sight.attacks[<int>PAWN] = (east | west) & enemies
    sight.movable |= (sight.attacks[<int>PAWN] | ahead & ~occupied != 0) << PAWN
    sight.num_attackers += (east & rival_king != 0) + (west & rival_king != 0)


cdef inline void note(
        Sight* sight, int figure, uint64_t found, uint64_t enemies,
        uint64_t rival_king) noexcept nogil:
    """Add a figure with its destinations."""
    sight.attacks[type_of(figure)] |= found & enemies
    sight.movable |= (found != 0) << type_of(figure)
    sight.num_attackers += found & rival_king != 0


cdef inline void add_threats(uint64_t* block, const State* s, int side) noexcept nogil:
    cdef uint64_t kings = of_type(s, KING)
    cdef uint64_t rival_king = kings & owned_squares(s, 1 - side)
    cdef uint64_t shielded = holders_of(s, PROTECT)
    cdef uint64_t attacks = 0
    cdef uint64_t taken = 0
    cdef uint64_t hit
    cdef int on_king = 0    # types that attack the king
    cdef int type, victims
    cdef Sight sight
    look(s, side, rival_king, &sight)
    for type in range(<int>PAWN, <int>KING + 1):
        hit = sight.attacks[type]
        on_king |= (hit & rival_king != 0) << type
        hit &= ~shielded
        victims = 0
        while hit:
            victims |= 1 << type_on_board(s, pop_lowest(&hit)) - PAWN
        attacks |= <uint64_t>victims << 6 * (type - PAWN)
        if side == s.side and s.rolled >> type & 1:
            taken |= victims
    add(block, MOVABLE, sight.movable >> PAWN)
    add(block, ATTACKS, attacks)
    add(block, ATTACKERS, thermometer(sight.num_attackers, MOST_ATTACKERS))
    if rival_king & shielded:
        add(block, KING_SHIELD, on_king >> PAWN)
        if side == s.side and s.rolled & on_king:
            taken |= 1 << 6
    add(block, TAKES, taken)
    add_kill_chance(block, s, side, on_king, sight.num_attackers, rival_king & shielded != 0)
    add_room(block, s, side, kings & ~rival_king)


cdef inline void add_kill_chance(
        uint64_t* block, const State* s, int side, int types, int num_figures,
        bint is_shielded) noexcept nogil:
    """Add the probability that a side kills the king: X in this turn, Y in its next one."""
    cdef bint is_active = side == s.side
    cdef double chance = chs_kill_chance(
        types, num_figures, is_shielded, actions_left(s) if is_active else 3,
        s.rolled if is_active else 0)
    if chance > 0:
        add(block, KILL_CHANCE, thermometer(1 + <int>(CHANCES * chance), 1 + CHANCES))


cdef inline void add_room(uint64_t* block, const State* s, int side, uint64_t king) noexcept nogil:
    cdef uint64_t own = owned_squares(s, side)
    cdef uint64_t radius = REACH[lowest(king) + 8].king
    add(block, ROOM, thermometer(
        LITTLE_ROOM + 1 - count(radius & ~own), LITTLE_ROOM + 1))
    add(block, BESIDE, thermometer(count(radius & occupied_squares(s) & ~own), 3))
