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

`SIDE_TABLE` and `BOTH_TABLE` list their blocks.
"""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count, lowest, pop_lowest

from ...feature_blocks cimport (
    Block, lay_out, mark_one, mark_scale, mark_set, thermometer, write_marked)
from .evaluation cimport actions_left, chs_kill_chance
from .geometry cimport REACH
from .sets cimport (
    FILE_A, FILE_H, figure_at, figure_on_line, holders_of, is_touching,
    line_files, occupied_squares, of_type, owned_squares, targets, type_on_board)
from .state cimport (
    BLACK, CONVERT, END_OF_TURN, EXPLODE, KING, KNIGHT, LINE_MOVED, MOST_MARKS, NO_SQUARE, PAWN,
    PHASE_KEEP, PHASE_PLACE, PHASE_WON_WHITE, PLANE_MOVED, PROTECT, QUEEN, Rules,
    State, figure_of, line_row, owner_of, type_of)

from ...feature_rows import at_least, at_most, each, prefixed
from .names import ABILITIES, FILES, PHASES, SQUARES, TYPES

cdef extern from *:
    uint64_t reversed_bytes "__builtin_bswap64"(uint64_t squares) noexcept nogil

cdef enum SideBlock:        # in the blocks of a side
    FIGURES                 # a block for each type
    LINE = 6
    HELD
    HOLDERS                 # a block for each ability
    MARKED = HOLDERS + 3
    MISSING
    DEAD                    # a block for each type but kings
    UNPLACED = DEAD + 5
    DONE
    CREDITS
    NODE
    ACTIONS_LEFT
    INCOME
    REACHES
    KING_MOVED
    PLACING
    ROLLED
    OFFERED
    MOVABLE
    ATTACKS
    KING_SHIELD
    TAKES
    ATTACKERS
    KILL_CHANCE
    ROOM
    BESIDE
    NUM_SIDE

cdef enum BothBlock:
    TURNS_LEFT = 2 * NUM_SIDE
    POOL
    NUM_BLOCKS

cdef enum:
    NUM_WORDS = 22          # of marks
    AT_END = 9              # member of NODE, behind the phases
    CHANCES = 8             # steps of a probability

RECRUITS = TYPES[:5]
OFFICERS = TYPES[1:]
NUM_TOKENS = {"protect": 5, "explode": 3, "convert": 3}     # R2.5

SIDE_TABLE = {
    **{FIGURES + type: each(f"{kind} on {{}}", SQUARES[8:72]) for type, kind in enumerate(TYPES)},
    LINE: each("{}", (f"{kind} on the line, file {file}" for kind in RECRUITS for file in FILES)),
    HELD: each("{}", (f"{kind} holds {ability}" for ability in ABILITIES for kind in OFFICERS)),
    **{HOLDERS + number: at_least(
        f"holders of {ability}: {{}} or more", *range(1, NUM_TOKENS[ability] + 1))
       for number, ability in enumerate(ABILITIES)},
    MARKED: each("{}", (
        f"{kind} marked, converter {place}" for place in ("beside it", "apart") for kind in TYPES)),
    MISSING: each("no {}s in stock", RECRUITS),
    **{DEAD + type: at_least(f"dead {kind}s: {{}} or more", 1, 2, 3, 4)
       for type, kind in enumerate(RECRUITS)},
    UNPLACED: each("unplaced {}", ("king", "queen", "pawns: 1 or more", "pawns: 2 or more")),
    DONE: each("{}", ("done with the setup",)),
    CREDITS: at_least("credits: {} or more", *range(1, 10), 12, 16, 24, 40),

    NODE: each("turn, at {}", (*PHASES[:AT_END], "its end")),
    ACTIONS_LEFT: at_least("actions left: {} or more", 1, 2, 3),
    INCOME: at_least("income of the turn: {} or more", *range(1, 10)),
    REACHES: at_least("endzone reached: {} or more", 1, 2, 3),
    KING_MOVED: each("{}", ("special king move made",)),
    PLACING: each("places a {}", TYPES),
    ROLLED: each("rolled a {}", TYPES),
    OFFERED: each("is offered {}", ABILITIES),

    MOVABLE: each("can move a {}", TYPES),
    ATTACKS: each("{} without protect", (
        f"{kind} attacks a {victim}" for kind in TYPES for victim in TYPES)),
    KING_SHIELD: each("{} attacks the king's protect", TYPES),
    TAKES: each("roll takes {}", (*(f"a {kind}" for kind in TYPES), "the king's protect")),
    ATTACKERS: at_least("figures that attack the king: {} or more", 1, 2, 3),
    KILL_CHANCE: each("chance to kill the king{}", (
        ": above 0", *(f", eighths: {steps} or more" for steps in range(1, CHANCES + 1)))),
    ROOM: at_most("squares open to the king: {} or fewer", 3, 2, 1, 0),
    BESIDE: at_least("figures of the other side beside the king: {} or more", 1, 2, 3),
}
BOTH_TABLE = {
    TURNS_LEFT: at_most("turns left: {} or fewer", 40, 20, 10, 5, 2),
    POOL: each("pool lacks {}", ABILITIES),
}

cdef Block[NUM_BLOCKS + 1] BLOCKS
cdef int32_t[NUM_WORDS] WORD_FIRST
FEATURE_NAMES = lay_out(
    BLOCKS, WORD_FIRST, NUM_WORDS,
    prefixed("own", SIDE_TABLE, 0) | prefixed("rival", SIDE_TABLE, NUM_SIDE) | BOTH_TABLE)

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
    cdef uint64_t[NUM_WORDS] marks
    cdef const Block* blocks
    cdef Board board
    cdef int i, side
    memset(marks, 0, sizeof(marks))
    turn_board(s, seat, &board)
    for i in range(2):
        blocks = &BLOCKS[i * NUM_SIDE]
        side = 1 - seat if i else seat
        mark_figures(s, &board, i, side, blocks, marks)
        mark_abilities(s, side, blocks, marks)
        mark_holdings(s, side, blocks, marks)
        if s.phase < PHASE_WON_WHITE:
            if side == s.side:
                mark_turn(s, blocks, marks)
            if s.turn:
                mark_threats(s, side, blocks, marks)
    mark_scale(marks, &BLOCKS[<int>TURNS_LEFT], rules.max_turns - s.turn)
    mark_set(
        marks, &BLOCKS[<int>POOL],
        (s.pool[<int>PROTECT] == 0) | (s.pool[<int>EXPLODE] == 0) << 1
        | (s.pool[<int>CONVERT] == 0) << 2)
    return write_marked(marks, WORD_FIRST, NUM_WORDS, out)


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


cdef inline void mark_figures(
        const State* s, const Board* board, int owner, int side, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """Mark the figures on the board and on the line of a side."""
    cdef uint64_t line = 0
    cdef uint64_t of_this_type
    cdef int type, i
    for type in range(<int>PAWN, <int>KING + 1):
        of_this_type = board.owned[owner]
        for i in range(3):
            of_this_type &= board.planes[i] ^ ((type >> i & 1) - <uint64_t>1)
        mark_set(marks, &blocks[FIGURES + type - PAWN], of_this_type)
    if line_files(s, side) == 0:
        return
    for type in range(<int>PAWN, <int>KING):
        of_this_type = 255
        for i in range(3):
            of_this_type &= s.lines[side][i] ^ ((type >> i & 1) - <uint64_t>1)
        line |= of_this_type << 8 * (type - PAWN)
    mark_set(marks, &blocks[<int>LINE], mirrored(line) if board.is_mirrored else line)


cdef inline void mark_abilities(
        const State* s, int side, const Block* blocks, uint64_t* marks) noexcept nogil:
    """Mark holders of abilities and targets of marks."""
    cdef uint64_t own = owned_squares(s, side)
    cdef uint64_t held = 0
    cdef uint64_t marked = 0
    cdef uint64_t holders
    cdef int ability, figure, i
    for ability in range(<int>PROTECT, <int>CONVERT + 1):
        holders = own & holders_of(s, ability)
        mark_scale(marks, &blocks[HOLDERS + ability - PROTECT], count(holders))
        while holders:
            held |= 1 << 5 * (ability - PROTECT) + (
                type_on_board(s, pop_lowest(&holders)) - KNIGHT)
    mark_set(marks, &blocks[<int>HELD], held)
    if s.marks[0].target == NO_SQUARE:
        return
    for i in range(MOST_MARKS):
        if s.marks[i].converter == NO_SQUARE:
            continue
        figure = figure_at(s, s.marks[i].target)
        if owner_of(figure) == side:
            marked |= 1 << type_of(figure) - PAWN + (
                0 if is_touching(s.marks[i].converter, s.marks[i].target) else 6)
    mark_set(marks, &blocks[<int>MARKED], marked)


# --- holdings and turn ----------------------------------------------------------------------------

cdef inline void mark_holdings(
        const State* s, int side, const Block* blocks, uint64_t* marks) noexcept nogil:
    cdef const uint8_t* unplaced = s.unplaced[side]
    cdef int missing = 0
    cdef int type
    for type in range(<int>PAWN, <int>KING):
        missing |= (s.stock[side][type] == 0) << type - PAWN
        mark_scale(marks, &blocks[DEAD + type - PAWN], s.dead[side][type])
    mark_set(marks, &blocks[<int>MISSING], missing)
    mark_scale(marks, &blocks[<int>CREDITS], s.credits[side])
    if s.turn == 0:
        mark_set(
            marks, &blocks[<int>UNPLACED], unplaced[<int>KING] | unplaced[<int>QUEEN] << 1
            | thermometer(unplaced[<int>PAWN], 2) << 2)
        mark_set(marks, &blocks[<int>DONE], s.done >> side & 1)


cdef inline void mark_turn(const State* s, const Block* blocks, uint64_t* marks) noexcept nogil:
    """Mark what is said of the side whose turn it is."""
    mark_one(marks, &blocks[<int>NODE], s.phase)
    if s.turn:
        mark_set(marks, &blocks[<int>NODE], (s.action == END_OF_TURN) << <int>AT_END)
        mark_scale(marks, &blocks[<int>ACTIONS_LEFT], actions_left(s))
        mark_scale(marks, &blocks[<int>INCOME], s.moves + 2 * s.kills)
        mark_scale(marks, &blocks[<int>REACHES], s.reaches)
        mark_set(marks, &blocks[<int>KING_MOVED], s.king_moves)
        mark_set(marks, &blocks[<int>ROLLED], s.rolled >> PAWN)
    if s.phase == PHASE_PLACE:
        mark_one(marks, &blocks[<int>PLACING], s.placing - PAWN)
    if s.phase == PHASE_KEEP:
        mark_set(marks, &blocks[<int>OFFERED], s.offer >> PROTECT & 7)


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


cdef inline void mark_threats(
        const State* s, int side, const Block* blocks, uint64_t* marks) noexcept nogil:
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
    mark_set(marks, &blocks[<int>MOVABLE], sight.movable >> PAWN)
    mark_set(marks, &blocks[<int>ATTACKS], attacks)
    mark_scale(marks, &blocks[<int>ATTACKERS], sight.num_attackers)
    if rival_king & shielded:
        mark_set(marks, &blocks[<int>KING_SHIELD], on_king >> PAWN)
        if side == s.side and s.rolled & on_king:
            taken |= 1 << 6
    mark_set(marks, &blocks[<int>TAKES], taken)
    mark_kill_chance(
        s, side, on_king, sight.num_attackers, rival_king & shielded != 0, blocks, marks)
    mark_room(s, side, kings & ~rival_king, blocks, marks)


cdef inline void mark_kill_chance(
        const State* s, int side, int types, int num_figures, bint is_shielded,
        const Block* blocks, uint64_t* marks) noexcept nogil:
    """Mark the probability that a side kills the king: X in this turn, Y in its next one."""
    cdef bint is_active = side == s.side
    cdef double chance = chs_kill_chance(
        types, num_figures, is_shielded, actions_left(s) if is_active else 3,
        s.rolled if is_active else 0)
    if chance > 0:
        mark_set(
            marks, &blocks[<int>KILL_CHANCE],
            thermometer(1 + <int>(CHANCES * chance), 1 + CHANCES))


cdef inline void mark_room(
        const State* s, int side, uint64_t king, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    cdef uint64_t own = owned_squares(s, side)
    cdef uint64_t radius = REACH[lowest(king) + 8].king
    mark_scale(marks, &blocks[<int>ROOM], count(radius & ~own))
    mark_scale(marks, &blocks[<int>BESIDE], count(radius & occupied_squares(s) & ~own))
