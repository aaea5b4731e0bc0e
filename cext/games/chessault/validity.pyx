"""Validity of packed states of Chessault: R13.4, of positions and observations alike.

Nothing is hidden, so an observation is valid if the position in it is (R13.5).
"""

from libc.stdint cimport uint8_t

from kingmaker.cext.bits cimport count, lowest
from kingmaker.cext.reasons import Reason

from ...game cimport refuse
from .legal cimport FULL_LINE, can_sacrifice, setup_zone
from .sets cimport (
    bit_of, convertible, figure_at, figure_on_line, holders_of, is_anybody_near, line_files,
    movable_types, of_type, owned_squares)
from .state cimport (
    BISHOP, CONVERT, END_OF_TURN, EXPLODE, FIGURE_FRESH, FIGURE_MOVED, KING, KNIGHT, LINE_MOVED,
    MOST_MARKS, NO_ABILITY, NO_SQUARE, NUM_SQUARES, PAWN, PHASE_ACTIVATE, PHASE_DICE, PHASE_DRAWN,
    PHASE_KEEP, PHASE_MOVE, PHASE_PLACE, PHASE_PROMOTE, PHASE_SACRIFICE, PHASE_WON_WHITE,
    PLANE_MOVED, PROTECT, QUEEN, ROOK, Rules, State, ability_of, endzone_row, is_on_board,
    line_row, owner_of, row_of, type_of)

cdef extern from *:
    """
    static const uint8_t CHS_ACTIONS[12] = {    /* by phase: the actions at which it stands */
        0x01, 0x0F, 0x0F, 0x0E, 0x0E, 0x0E, 0x1E, 0x1E, 0x0E, 0x1E, 0x1E, 0x1E};
    static const uint8_t CHS_RECEIVED[7] = {0, 2, 0, 0, 0, 1, 1};   /* by type (R4.1) */
    static const uint8_t CHS_TOKENS[4] = {0, 5, 3, 3};              /* by ability (R2.5) */
    """
    const uint8_t* ACTIONS "CHS_ACTIONS"
    const uint8_t* RECEIVED "CHS_RECEIVED"
    const uint8_t* NUM_TOKENS "CHS_TOKENS"

cdef enum:
    MOST_WORTH = 13     # in the setup: four figures received and nine credits


cdef int chs_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    if (clock_fault(rules, s, out) or board_fault(s, out) or supply_fault(rules, s, out)
            or token_fault(s, out) or zone_fault(s, out) or mark_fault(s, out)
            or tally_fault(s, out)):
        return out.code
    if s.phase >= PHASE_WON_WHITE:
        return end_fault(rules, s, out)
    if s.phase == PHASE_ACTIVATE:
        return activate_fault(s, out)
    if s.phase == PHASE_KEEP:
        return keep_fault(s, out)
    if s.phase == PHASE_PROMOTE:
        return promote_fault(s, out)
    return choice_fault(s, out)


cdef int clock_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    if s.turn > rules.max_turns:
        return refuse(out, TURN_ABOVE_LIMIT, s.turn, rules.max_turns)
    if (s.turn == 0) != (s.action == 0):
        return refuse(out, ACTION_OF_TURN, s.action)
    if s.turn and s.turn % 2 == s.side:
        return refuse(out, SIDE_OF_TURN, s.side, s.turn, 1 - s.side)
    if not ACTIONS[s.phase] >> s.action & 1:
        return refuse(out, ACTION_OF_NODE, s.phase, ACTIONS[s.phase], s.action)
    return 0


# --- figures --------------------------------------------------------------------------------------

cdef int chs_figure_fault(int square, int figure, Refusal* out) noexcept nogil:
    cdef int type = type_of(figure)
    cdef int owner = owner_of(figure)
    if not is_on_board(square):
        if row_of(square) != line_row(owner):
            return refuse(out, FOREIGN_LINE, figure, square)
        if type == KING or ability_of(figure):
            return refuse(out, NO_RECRUIT, figure, square)
        if figure & FIGURE_FRESH and type != PAWN:
            return refuse(out, NOT_FRESH, figure, square, owner)
    elif figure & FIGURE_FRESH and not (type == PAWN and setup_zone(owner) & bit_of(square)):
        return refuse(out, NOT_FRESH, figure, square, owner)
    if type == PAWN and ability_of(figure):
        return refuse(out, PAWN_ABILITY, figure, square)
    return 0


cdef int board_fault(const State* s, Refusal* out) noexcept nogil:
    """The fault of a figure by side, turn, action or node."""
    cdef int square, figure, is_king
    for square in range(NUM_SQUARES):
        figure = figure_at(s, square)
        if figure == 0:
            continue
        if figure & FIGURE_MOVED and (
                owner_of(figure) != s.side or s.turn == 0 or s.action == END_OF_TURN):
            return refuse(out, NOT_MOVED, figure, square)
        if (type_of(figure) == PAWN and row_of(square) == endzone_row(owner_of(figure))
                and s.phase < PHASE_WON_WHITE
                and not (s.phase == PHASE_PROMOTE and s.square == square)):
            return refuse(out, ENDZONE_PAWN, figure, square)
        if s.turn == 0:
            if not is_on_board(square) or not setup_zone(owner_of(figure)) & bit_of(square):
                return refuse(out, SETUP_ZONE, figure, square)
            is_king = type_of(figure) == KING
            if ability_of(figure) != is_king * PROTECT:
                return refuse(out, SETUP_ABILITY, figure, square)
    return 0


cdef int standing(const State* s, int seat, int type) noexcept nogil:
    """The number of figures of a type that a seat has on the 80 squares."""
    cdef int number = count(of_type(s, type) & owned_squares(s, seat))
    cdef int file
    for file in range(8):
        number += type_of(figure_on_line(s, seat, file)) == type
    return number


cdef bint is_placing(const State* s, int seat, int type) noexcept nogil:
    """Whether a figure of this type is in no zone (R13.1)."""
    if seat != s.side:
        return False
    return s.phase == PHASE_PLACE and s.placing == type or (
        s.phase == PHASE_SACRIFICE and type == QUEEN)


cdef int supply_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R3.2 for every player and type."""
    cdef int[4] zones
    cdef int seat, type, zone, placed, supply, total
    for seat in range(2):
        for type in range(<int>KING, 0, -1):
            zones = [standing(s, seat, type), s.unplaced[seat][type], s.stock[seat][type],
                     s.dead[seat][type]]
            placed = is_placing(s, seat, type)
            supply = rules.supply[type]
            total = zones[0] + zones[1] + zones[2] + zones[3] + placed
            if total == supply:
                continue
            # The zone that exceeds the supply alone, or else the zone where such figures begin.
            zone = 0 if type == KING else 2
            for i in range(3, -1, -1):
                if zones[i] > supply:
                    zone = i
            return refuse(out, SUPPLY + zone, seat, supply << 3 | type, total,
                          zones[0] | zones[1] << 7 | zones[2] << 14 | zones[3] << 21 | placed << 28)
        if s.stock[seat][<int>KING]:
            return refuse(out, STOCK_KING, seat)
        if s.dead[seat][<int>KING] and s.phase < PHASE_WON_WHITE:
            return refuse(out, DEAD_KING, seat)
    return 0


cdef int num_marks(const State* s) noexcept nogil:
    cdef int number = 0
    while number < MOST_MARKS and s.marks[number].target != NO_SQUARE:
        number += 1
    return number


cdef int token_fault(const State* s, Refusal* out) noexcept nogil:
    """R3.2 for every kind of token."""
    cdef int ability, held
    for ability in range(<int>PROTECT, <int>CONVERT + 1):
        held = count(holders_of(s, ability))
        if ability == CONVERT:
            if s.pool[ability] + held + num_marks(s) != NUM_TOKENS[ability]:
                return refuse(
                    out, CONVERT_TOKENS, s.pool[ability], held, num_marks(s), NUM_TOKENS[ability])
        elif s.pool[ability] + held != NUM_TOKENS[ability]:
            return refuse(out, TOKENS, ability, s.pool[ability], held, NUM_TOKENS[ability])
    return 0


cdef int zone_fault(const State* s, Refusal* out) noexcept nogil:
    """Faults in the setup, or setup fields that are not cleared after it."""
    cdef int seat, type, num_figures
    if s.turn == 0 and s.done >> s.side & 1:
        return refuse(out, SIDE_IS_DONE, s.side)
    for seat in range(2):
        if s.turn and not s.done >> seat & 1:
            return refuse(out, SETUP_OPEN, seat)
        num_figures = count(owned_squares(s, seat))
        for type in range(<int>KING, 0, -1):
            num_figures += s.unplaced[seat][type] + is_placing(s, seat, type)
            if s.unplaced[seat][type] == 0:
                continue
            if s.done >> seat & 1:
                return refuse(out, UNPLACED_LATER if s.turn else DONE_UNPLACED, seat,
                              s.unplaced[seat][type] << 3 | type)
            if s.unplaced[seat][type] > RECEIVED[type]:
                return refuse(out, NOT_RECEIVED, seat, s.unplaced[seat][type] << 3 | type)
        if s.turn == 0 and num_figures + s.credits[seat] > MOST_WORTH:
            return refuse(out, SETUP_WORTH, seat, num_figures, s.credits[seat], MOST_WORTH)
    if s.turn == 0 and num_marks(s):
        return refuse(out, SETUP_MARKS, num_marks(s))
    return 0


# --- marks and tally ------------------------------------------------------------------------------

cdef int mark_fault(const State* s, Refusal* out) noexcept nogil:
    """Check marks; their squares are on rows 1 to 8, as others can't be packed."""
    cdef int i, j, target, converter
    for i in range(num_marks(s)):
        target = figure_at(s, s.marks[i].target)
        if target == 0:
            return refuse(out, NO_TARGET, i, s.marks[i].target)
        for j in range(i):
            if s.marks[j].target == s.marks[i].target:
                return refuse(out, TARGET_TWICE, i, s.marks[i].target)
        if s.marks[i].converter == NO_SQUARE:
            continue
        converter = figure_at(s, s.marks[i].converter)
        if (converter == 0 or type_of(converter) == PAWN
                or owner_of(converter) == owner_of(target)):
            return refuse(out, NO_CONVERTER, i, s.marks[i].converter, s.marks[i].target)
    return 0


cdef int tally_fault(const State* s, Refusal* out) noexcept nogil:
    cdef int[4] tally = [s.moves, s.kills, s.reaches, s.king_moves]
    cdef int most = s.action - (PHASE_PLACE <= s.phase <= PHASE_MOVE)
    cdef int i, type
    cdef int num_dead = 0
    cdef int num_moved = (count(s.planes[<int>PLANE_MOVED])
                          + count(s.lines[0][<int>LINE_MOVED]) + count(s.lines[1][<int>LINE_MOVED]))
    if s.turn == 0 or s.action == END_OF_TURN:
        for i in range(4):
            if tally[i]:
                return refuse(out, NO_TALLY, i, tally[i])
        return 0
    if s.moves > most:
        return refuse(out, MOVES_OF_ACTION, s.moves, s.phase, s.action, most)
    if s.reaches > s.moves:
        return refuse(out, MORE_REACHES, s.reaches, s.moves)
    if s.king_moves > min(s.moves, 1):
        return refuse(out, MORE_KING_MOVES, s.king_moves, s.moves)
    for type in range(1, 7):
        num_dead += s.dead[1 - s.side][type]
    if s.kills > num_dead:
        return refuse(out, MORE_KILLS, s.kills, num_dead)
    if num_moved > s.moves:
        return refuse(out, MORE_MOVED, num_moved, s.moves)
    return 0


# --- nodes ----------------------------------------------------------------------------------------

cdef int choice_fault(const State* s, Refusal* out) noexcept nogil:
    """Check that a node has a legal choice; the setup zone always has room."""
    cdef int movable
    if s.phase == PHASE_PLACE and s.turn:
        if s.placing == KING:
            return refuse(out, PLACED_KING)
        if line_files(s, s.side) == FULL_LINE:
            return refuse(out, LINE_IS_FULL, s.placing)
    if s.phase == PHASE_SACRIFICE and not can_sacrifice(s):
        return refuse(out, NO_SACRIFICE, s.side)
    if s.phase == PHASE_DICE and not movable_types(s):
        return refuse(out, NOTHING_ROLLED, s.side)
    if s.phase == PHASE_MOVE:
        movable = movable_types(s)
        if s.rolled & ~movable:
            return refuse(out, NOT_MOVABLE, lowest(s.rolled & ~movable), movable)
    return 0


cdef int figure_asked(const State* s) noexcept nogil:
    """The figure of a node; 0 if it is not an active one."""
    return figure_at(s, s.square) if is_on_board(s.square) else 0


cdef int activate_fault(const State* s, Refusal* out) noexcept nogil:
    cdef int figure = figure_asked(s)
    if figure == 0 or owner_of(figure) != s.side or not figure & FIGURE_MOVED:
        return refuse(out, NOT_ACTIVE, s.square)
    if (ability_of(figure) == EXPLODE and is_anybody_near(s, s.square)
            or ability_of(figure) == CONVERT and convertible(s, s.square)):
        return 0
    return refuse(out, NO_USE, s.square)


cdef int keep_fault(const State* s, Refusal* out) noexcept nogil:
    cdef int figure = figure_asked(s)
    cdef int held = ability_of(figure)
    cdef int ability
    if figure == 0 or owner_of(figure) != s.side or type_of(figure) == PAWN:
        return refuse(out, NO_KEEPER, s.square)
    for ability in range(<int>PROTECT, <int>CONVERT + 1):
        if s.offer >> ability & 1:
            if s.pool[ability] == 0:
                return refuse(out, NOT_IN_POOL, ability)
            if held == ability:
                return refuse(out, HELD_KIND, ability)
    if s.action == END_OF_TURN:
        if held != PROTECT and held != EXPLODE:
            return refuse(out, KEEPER_AT_END, s.square)
        return 0 if s.offer == 1 << CONVERT else refuse(out, KIND_AT_END, s.offer)
    if not figure & FIGURE_MOVED:
        return refuse(out, KEEPER_UNMOVED, s.square)
    if held == NO_ABILITY and count(s.offer) < 2:
        return refuse(out, ONE_KIND, s.offer)
    return 0


cdef int promote_fault(const State* s, Refusal* out) noexcept nogil:
    cdef int figure = figure_asked(s)
    cdef int owner = 1 - s.side if s.action == END_OF_TURN else s.side      # R10.5
    cdef const uint8_t* stock = s.stock[owner]
    if type_of(figure) != PAWN or row_of(s.square) != endzone_row(owner_of(figure)):
        return refuse(out, NO_PAWN, s.square)
    if owner_of(figure) != owner:
        return refuse(out, FOREIGN_PAWN, s.square, owner)
    if s.action != END_OF_TURN and not figure & FIGURE_MOVED:
        return refuse(out, PAWN_UNMOVED, s.square)
    if not (stock[<int>KNIGHT] or stock[<int>BISHOP] or stock[<int>ROOK] or stock[<int>QUEEN]):
        return refuse(out, NO_PROMOTION, s.square, owner)
    return 0


cdef int end_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int dead = s.dead[0][<int>KING] | s.dead[1][<int>KING] << 1   # one king each: a bit a seat
    cdef int winner = s.phase - PHASE_WON_WHITE
    if s.phase != PHASE_DRAWN:
        return 0 if dead == 2 >> winner else refuse(out, OTHER_KING_DEAD, winner, 1 - winner)
    if dead == 3 or dead == 0 and s.action == END_OF_TURN and s.turn == rules.max_turns:
        return 0
    return refuse(out, NO_DRAW, rules.max_turns)


# --- sentences ------------------------------------------------------------------------------------

def fault(wanted: str, field: str, value: str) -> Reason:
    return Reason("R13.4", wanted, field, value)


def figure_fault(wanted: str) -> Reason:
    return fault(wanted, "figures", "{0:figure} on {1:square}")


FAULTS = {
    TURN_ABOVE_LIMIT: fault("the turn is at most max_turns, here {1}", "turn", "{0}"),
    ACTION_OF_TURN: fault(
        "turn 0 is the setup, and there the action is 0; later it is 1 to 4", "action", "{0}"),
    SIDE_OF_TURN: fault(
        "White (p1) has the odd turns and Black (p2) the even ones; turn {1} is of {2:seat}",
        "active", "{0:number}"),
    ACTION_OF_NODE: fault(
        "the node {0:node} stands at action {1:actions}, not {2}", "node.type", "{0:node}"),
    FOREIGN_LINE: figure_fault("on row 0 there are White's figures only, on row 9 Black's"),
    NO_RECRUIT: figure_fault("on rows 0 and 9 there is no king and no ability"),
    PAWN_ABILITY: figure_fault("a pawn has no ability"),
    NOT_FRESH: figure_fault("only pawns are fresh, those of {2:side} on rows {2:setup_rows}"),
    NOT_MOVED: figure_fault(
        "only figures of the side to move are marked as moved, at actions 1 to 3"),
    ENDZONE_PAWN: figure_fault(
        "a pawn stands on its endzone only at end, or where it is being promoted"),
    **{
        SUPPLY + zone: fault("{0:side} has {1:counted} in all", field, "{2} ({3:zones})")
        for zone, field in enumerate(
            ("figures", "players[{0}].unplaced", "players[{0}].stock", "players[{0}].dead"))
    },
    TOKENS: fault(
        "there are {3} {0:ability} tokens in all", "pool.{0:ability}",
        "pool {1}, on figures {2}"),
    CONVERT_TOKENS: fault(
        "there are {3} convert tokens in all", "pool.convert",
        "pool {0}, on figures {1}, marks {2}"),
    STOCK_KING: fault("no king is in a stock", "players[{0}].stock", "king"),
    DEAD_KING: fault("a king is dead only at end", "players[{0}].dead", "king"),
    SIDE_IS_DONE: fault(
        "the side to move, {0:seat}, is not done with the setup", "players[{0}].is_done", "true"),
    DONE_UNPLACED: fault(
        "{0:seat} is done and so has no unplaced figures", "players[{0}].unplaced",
        "{1:counted}"),
    NOT_RECEIVED: fault(
        "unplaced are at most a king, a queen and 2 pawns of each side", "players[{0}].unplaced",
        "{1:counted}"),
    SETUP_ZONE: figure_fault(
        "in the setup White's figures stand on rows 1 and 2, Black's on rows 7 and 8"),
    SETUP_ABILITY: figure_fault(
        "in the setup kings on the board hold protect and nothing else holds an ability"),
    SETUP_MARKS: fault("there are no marks in the setup", "marks", "{0}"),
    SETUP_WORTH: fault(
        "in the setup the figures of {0:side}, unplaced, on the board or being placed, and its "
        "credits add up to at most {3}", "players[{0}].credits", "{1} figures and {2:credits}"),
    SETUP_OPEN: fault(
        "turn 1 begins when both are done with the setup", "players[{0}].is_done", "false"),
    UNPLACED_LATER: fault(
        "after the setup nothing is unplaced", "players[{0}].unplaced", "{1:counted}"),
    NO_TARGET: fault(
        "the target of a mark is a figure on rows 1 to 8", "marks[{0}].target", "{1:square}"),
    TARGET_TWICE: fault("no two marks have one target", "marks[{0}].target", "{1:square}"),
    NO_CONVERTER: fault(
        "the converter of a mark is gone, or a figure on rows 1 to 8 of the other side than its "
        "target, not a pawn", "marks[{0}].converter", "{1:square}"),
    NO_TALLY: fault("at actions 0 and 4 the tally is all 0", "tally.{0:tally}", "{1}"),
    MOVES_OF_ACTION: fault(
        "at action {2} and the node {1:node} the moves are at most {3}", "tally.moves", "{0}"),
    MORE_REACHES: fault(
        "there are at most as many reaches as moves, here {1}", "tally.reaches", "{0}"),
    MORE_KING_MOVES: fault(
        "there is at most one special king move, and none without moves, here {1}",
        "tally.king_moves", "{0}"),
    MORE_KILLS: fault(
        "the kills are at most the number of the enemy's dead figures, {1}", "tally.kills", "{0}"),
    MORE_MOVED: fault(
        "after {1:moves} no more figures are marked as moved", "figures", "{0:moved}"),
    PLACED_KING: fault("a king is placed in the setup only", "node.figure", "king"),
    LINE_IS_FULL: fault(
        "a square of the own recruitment line is free at place", "node.figure", "{0:type}"),
    NO_SACRIFICE: fault(
        "{0:side} has a knight, bishop, rook or queen to sacrifice, one on its recruitment line "
        "if that is full", "node.type", "sacrifice"),
    NOTHING_ROLLED: fault("at dice {0:side} has a figure that can move", "node.type", "dice"),
    NOT_MOVABLE: fault(
        "the rolled types are among those that can move, {1:types}", "node.types", "{0:type}"),
    NOT_ACTIVE: fault(
        "activate is about a moved figure of the side to move", "node.square", "{0:square}"),
    NO_USE: fault(
        "the figure of activate holds explode with a figure next to it, or convert with an enemy "
        "on rows 1 to 8 next to it that is no target of a mark", "node.square", "{0:square}"),
    NO_KEEPER: fault(
        "keep is about a figure of the side to move on rows 1 to 8, not a pawn", "node.square",
        "{0:square}"),
    NOT_IN_POOL: fault(
        "{0:ability} is offered only with such a token in the pool", "node.kinds", "{0:ability}"),
    HELD_KIND: fault(
        "the kinds are those that the figure does not hold; it holds {0:ability}", "node.kinds",
        "{0:ability}"),
    KEEPER_UNMOVED: fault(
        "at actions 1 to 3 the figure of keep has moved", "node.square", "{0:square}"),
    ONE_KIND: fault(
        "a figure without ability has at least two kinds to choose from", "node.kinds",
        "{0:abilities}"),
    KEEPER_AT_END: fault(
        "at action 4 the figure of keep holds protect or explode", "node.square", "{0:square}"),
    KIND_AT_END: fault("at action 4 the kind offered is convert", "node.kinds", "{0:abilities}"),
    NO_PAWN: fault("promote is about a pawn on its endzone", "node.square", "{0:square}"),
    FOREIGN_PAWN: fault(
        "at this action the pawn of promote is one of {1:side}", "node.square", "{0:square}"),
    PAWN_UNMOVED: fault(
        "at actions 1 to 3 the pawn of promote has moved", "node.square", "{0:square}"),
    NO_PROMOTION: fault(
        "at promote the stock of {1:side} has a queen, rook, bishop or knight", "node.square",
        "{0:square}"),
    OTHER_KING_DEAD: fault(
        "at the end of a game that {0:seat} wins, the king of {1:side} is dead and no other",
        "node.winner", "{0:number}"),
    NO_DRAW: fault(
        "at the end of a draw both kings are dead, or none at action 4 of turn {0}",
        "node.winner", "0"),
}
