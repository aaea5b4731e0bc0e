"""Why a well-formed move or outcome of Chessault is not possible, with the number of its rule."""

from libc.stdint cimport uint8_t, uint64_t

from kingmaker.cext.bits cimport lowest
from kingmaker.cext.reasons import Reason

from ...game cimport refuse
from .legal cimport (
    FULL_LINE, PRICES, RESURRECTION_PRICE, can_sacrifice, outcome_of_faces, setup_zone)
from .sets cimport (
    bit_of, convertible, figure_at, is_in_check, king_square, line_files, movable_types,
    occupied_squares, owned_squares, targets)
from .state cimport (
    CONVERT, FIGURE_MOVED, KING, KNIGHT, PAWN, PHASE_ACTION, PHASE_ACTIVATE, PHASE_KEEP,
    PHASE_MOVE, PHASE_PLACE, PHASE_PROMOTE, PHASE_SACRIFICE, PHASE_SETUP, PHASE_WON_WHITE, QUEEN,
    VERB_BUY, VERB_CONVERT, VERB_DEPLOY, VERB_EXPLODE, VERB_FACES, VERB_KING, VERB_PASS,
    VERB_RESURRECT, VERB_ROLL, ability_of, file_of, first_of, in_own_half, is_on_board, line_row,
    owner_of, row_of, second_of, type_of, verb_of)

from .names import NODE_NAMES, PHASES, VERBS

cdef extern from *:
    """
    /* By verb: the phase that it belongs to. */
    static const uint8_t CHS_PHASES[18] = {0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 5, 6, 7, 8, 8, 8, 4, 4};
    """
    const uint8_t* PHASE_OF_VERB "CHS_PHASES"


cdef int chs_check_move(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    if s.phase >= PHASE_WON_WHITE:
        return refuse(out, GAME_OVER)
    if s.phase != PHASE_OF_VERB[verb]:
        return refuse(out, NOT_NOW + verb, s.phase)
    if s.phase == PHASE_SETUP:
        return why_not_set_up(s, verb, first, out)
    if s.phase == PHASE_PLACE:
        return why_not_placed(s, first, out)
    if s.phase == PHASE_SACRIFICE:
        return why_not_sacrificed(s, first, out)
    if s.phase == PHASE_ACTION:
        return why_no_action(s, move, out)
    if s.phase == PHASE_MOVE:
        return why_not_moved(s, first, second_of(move), out)
    if s.phase == PHASE_PROMOTE:
        return why_not_promoted(s, first, out)
    if s.phase == PHASE_KEEP:
        return why_not_kept(s, first, out)
    if s.phase == PHASE_ACTIVATE:
        return why_not_used(s, verb, first, out)
    return why_not_rolled(s, move, out)


# --- setup, recruiting ----------------------------------------------------------------------------

cdef int why_not_set_up(const State* s, int verb, int type, Refusal* out) noexcept nogil:
    cdef int each
    if verb == VERB_DEPLOY:
        return 0 if s.unplaced[s.side][type] else refuse(out, NOT_UNPLACED, type)
    if verb == VERB_BUY:
        return refuse(out, BUY_KING) if type == KING else why_not_paid(s, type, BUY_NONE, out)
    for each in range(1, 7):
        if s.unplaced[s.side][each]:
            return refuse(out, STILL_UNPLACED)
    return 0


cdef int why_not_paid(const State* s, int type, int none, Refusal* out) noexcept nogil:
    """Stock, credits, and for a queen a sacrifice; `none` and the next are the first two codes."""
    if s.stock[s.side][type] == 0:
        return refuse(out, none, type)
    if s.credits[s.side] < PRICES[type]:
        return refuse(out, none + 1, 8 | type, PRICES[type], s.credits[s.side])
    if type == QUEEN and not can_sacrifice(s):
        return refuse(
            out, NONE_ON_LINE if line_files(s, s.side) == FULL_LINE else NONE_TO_SACRIFICE)
    return 0


cdef int why_not_placed(const State* s, int square, Refusal* out) noexcept nogil:
    if s.turn == 0:
        if figure_at(s, square):
            return refuse(out, SETUP_TAKEN, square)
        if not is_on_board(square) or not setup_zone(s.side) & bit_of(square):
            return refuse(out, OUT_OF_ZONE, square)
    elif figure_at(s, square):
        return refuse(out, LINE_TAKEN, square)
    elif row_of(square) != line_row(s.side):
        return refuse(out, OFF_LINE, s.placing)
    return 0


cdef int why_not_sacrificed(const State* s, int square, Refusal* out) noexcept nogil:
    cdef int figure = figure_at(s, square)
    if figure == 0 or owner_of(figure) != s.side:
        return refuse(out, NO_OWN_SACRIFICE, square)
    if not KNIGHT <= type_of(figure) <= QUEEN:
        return refuse(out, NO_SUCH_SACRIFICE, type_of(figure))
    if line_files(s, s.side) == FULL_LINE and is_on_board(square):
        return refuse(out, SACRIFICE_ON_LINE)
    return 0


cdef int why_no_action(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    if verb == VERB_ROLL:
        return 0 if movable_types(s) else refuse(out, NOTHING_MOVES)
    if verb == VERB_PASS:
        return refuse(out, SOMETHING_MOVES, movable_types(s)) if movable_types(s) else 0
    if verb == VERB_KING:
        return why_no_king_move(s, first, second_of(move), out)
    if verb == VERB_RESURRECT:
        if first == KING:
            return refuse(out, RESURRECT_KING)
        if s.dead[s.side][first] == 0:
            return refuse(out, NONE_DEAD, first)
        if s.credits[s.side] < RESURRECTION_PRICE:
            return refuse(out, RESURRECT_PRICE, RESURRECTION_PRICE, s.credits[s.side])
        return 0
    if first == KING:
        return refuse(out, RECRUIT_KING)
    if why_not_paid(s, first, RECRUIT_NONE, out):
        return out.code
    if first != QUEEN and line_files(s, s.side) == FULL_LINE:
        return refuse(out, NO_FREE_SQUARE)
    return 0


# --- moves ----------------------------------------------------------------------------------------

cdef int why_no_king_move(const State* s, int source, int target, Refusal* out) noexcept nogil:
    if source != king_square(s, s.side):
        return refuse(out, NOT_THE_KING, source)
    if s.king_moves:
        return refuse(out, KING_MOVE_USED)
    if not is_in_check(s):
        return refuse(out, NOT_IN_CHECK)
    return why_not_reached(s, source, target, out)


cdef int why_not_moved(const State* s, int source, int target, Refusal* out) noexcept nogil:
    cdef int figure = figure_at(s, source)
    if figure == 0 or owner_of(figure) != s.side:
        return refuse(out, NO_OWN_FIGURE, source)
    if not s.rolled >> type_of(figure) & 1:
        return refuse(out, NOT_ROLLED, s.rolled, type_of(figure))
    if figure & FIGURE_MOVED:
        return refuse(out, HAS_MOVED, type_of(figure), source)
    return why_not_reached(s, source, target, out)


cdef int why_not_reached(const State* s, int source, int target, Refusal* out) noexcept nogil:
    cdef int figure = figure_at(s, source)
    cdef uint64_t own = owned_squares(s, s.side)
    if not is_on_board(target):
        return refuse(out, ONTO_LINE)
    if targets(figure, source, occupied_squares(s), own) & bit_of(target):
        return 0
    if not is_on_board(source) and not (
            in_own_half(target, s.side) and file_of(target) >> 2 == file_of(source) >> 2):
        return refuse(out, OUT_OF_QUARTER, source)
    if own & bit_of(target):
        return refuse(out, ONTO_OWN, target)
    return refuse(out, PAWN_NOT_REACHED if type_of(figure) == PAWN else NOT_REACHED,
                  type_of(figure), source, target)


# --- after a move, dice ---------------------------------------------------------------------------

cdef int why_not_promoted(const State* s, int type, Refusal* out) noexcept nogil:
    if not KNIGHT <= type <= QUEEN:
        return refuse(out, NO_PROMOTED_TYPE)
    return 0 if s.stock[owner_of(figure_at(s, s.square))][type] else refuse(
        out, NONE_TO_PROMOTE, type)


cdef int why_not_kept(const State* s, int ability, Refusal* out) noexcept nogil:
    cdef int figure = figure_at(s, s.square)
    if s.offer >> ability & 1 or ability == ability_of(figure):
        return 0
    return refuse(out, NOT_OFFERED, type_of(figure), s.square, s.offer | ability_of(figure) << 8)


cdef int why_not_used(const State* s, int verb, int square, Refusal* out) noexcept nogil:
    cdef int figure = figure_at(s, s.square)
    cdef int target = figure_at(s, square)
    cdef bint can_convert = ability_of(figure) == CONVERT
    if verb == VERB_EXPLODE and can_convert or verb == VERB_CONVERT and not can_convert:
        return refuse(out, HOLDS_OTHER, type_of(figure), s.square, ability_of(figure))
    if verb != VERB_CONVERT or is_on_board(square) and convertible(s, s.square) & bit_of(square):
        return 0
    if (square == s.square or not -1 <= row_of(square) - row_of(s.square) <= 1
            or not -1 <= file_of(square) - file_of(s.square) <= 1):
        return refuse(out, NOT_TOUCHING, square, s.square)
    if target == 0 or owner_of(target) == s.side:
        return refuse(out, NO_ENEMY, square)
    if not is_on_board(square):
        return refuse(out, ENEMY_ON_LINE)
    return refuse(out, MARKED_ALREADY, type_of(target), square)


cdef int why_not_rolled(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int movable = movable_types(s)
    cdef int fixed = first_of(move) & ~movable
    if verb_of(move) == VERB_FACES:
        return refuse(out, FACES_COME_TO, first_of(outcome_of_faces(s, move)))
    if fixed:
        return refuse(out, CANNOT_MOVE, lowest(fixed))
    return refuse(out, MUST_SHOW) if first_of(move) == 0 and movable == 0x7E else 0


# --- sentences ------------------------------------------------------------------------------------

RULES_OF_VERBS = ("R4.2", "R4.2", "R4.6", "R4.3", "R6.7", "R6.2", "R6.4", "R6.6", "R6.8", "R6.5",
                  "R6.3", "R8.6", "R9.4", "R9.7", "R9.8", "R9.12", "R12.1", "R12.5")

ILLEGALITIES = {
    GAME_OVER: Reason("R11.5", "the game is over"),
    **{
        NOT_NOW + verb: Reason(
            rule, f"it is {{0:phase}}; {VERBS[verb]} belongs to "
            f"{NODE_NAMES[PHASES[PHASE_OF_VERB[verb]]]}")
        for verb, rule in enumerate(RULES_OF_VERBS)
    },
    NOT_UNPLACED: Reason("R4.2", "no {0:type} is unplaced"),
    BUY_KING: Reason("R4.5", "kings cannot be bought"),
    BUY_NONE: Reason("R4.5", "there is no {0:type} in the stock"),
    BUY_PRICE: Reason("R4.5", "{0:counted} costs {1:credits}, and there are {2}"),
    STILL_UNPLACED: Reason("R4.6", "a player with unplaced figures is not done"),
    SETUP_TAKEN: Reason("R4.3", "{0:square} is not free"),
    OUT_OF_ZONE: Reason("R4.3", "{0:square} is not in the own setup zone"),
    LINE_TAKEN: Reason("R6.6", "{0:square} is not free"),
    OFF_LINE: Reason("R6.6", "the {0:type} is placed on the own recruitment line"),
    NO_OWN_SACRIFICE: Reason("R6.7", "no own figure stands on {0:square}"),
    NO_SUCH_SACRIFICE: Reason(
        "R6.7", "a knight, bishop, rook or queen is sacrificed, no {0:type}"),
    SACRIFICE_ON_LINE: Reason(
        "R6.7", "the recruitment line is full, so a figure on it is sacrificed"),
    NONE_TO_SACRIFICE: Reason(
        "R6.7", "there is no knight, bishop, rook or queen to sacrifice for a queen"),
    NONE_ON_LINE: Reason(
        "R6.7", "there is no knight, bishop, rook or queen on the full recruitment line to "
        "sacrifice for a queen"),
    NOTHING_MOVES: Reason("R6.2", "no figure could move after the roll, so the action is passed"),
    SOMETHING_MOVES: Reason(
        "R6.4", "an action is passed only if nothing could move; here {0:types} could"),
    RECRUIT_KING: Reason("R6.6", "the king cannot be recruited"),
    RECRUIT_NONE: Reason("R6.6", "there is no {0:type} in the stock"),
    RECRUIT_PRICE: Reason("R6.6", "{0:counted} costs {1:credits}, and there are {2}"),
    NO_FREE_SQUARE: Reason("R6.6", "no square of the own recruitment line is free"),
    RESURRECT_KING: Reason("R6.8", "kings cannot be resurrected"),
    NONE_DEAD: Reason("R6.8", "no own {0:type} is dead"),
    RESURRECT_PRICE: Reason("R6.8", "to resurrect costs {0:credits}, and there are {1}"),
    NOT_THE_KING: Reason("R6.5", "the own king does not stand on {0:square}"),
    KING_MOVE_USED: Reason("R6.5", "the special king move has been used in this turn"),
    NOT_IN_CHECK: Reason("R6.5", "the king is not in check"),
    NO_OWN_FIGURE: Reason("R6.3", "no own figure stands on {0:square}"),
    NOT_ROLLED: Reason("R6.3", "the dice move a {0:any_type}, no {1:type}"),
    HAS_MOVED: Reason("R7.7", "the {0:type} on {1:square} has moved in this turn"),
    ONTO_LINE: Reason("R7.1", "no figure moves onto row 0 or 9"),
    OUT_OF_QUARTER: Reason(
        "R7.1", "a recruited figure on {0:square} moves within its spawn quarter"),
    ONTO_OWN: Reason("R7.2", "an own figure stands on {0:square}"),
    NOT_REACHED: Reason("R7.3", "the {0:type} on {1:square} does not reach {2:square}"),
    PAWN_NOT_REACHED: Reason("R7.4", "the {0:type} on {1:square} does not reach {2:square}"),
    NO_PROMOTED_TYPE: Reason("R8.6", "a pawn is promoted to a queen, rook, bishop or knight"),
    NONE_TO_PROMOTE: Reason("R8.6", "there is no {0:type} in the stock"),
    NOT_OFFERED: Reason("R9.4", "the {0:type} on {1:square} chooses between {2:abilities}"),
    HOLDS_OTHER: Reason("R9.7", "the {0:type} on {1:square} holds {2:ability}"),
    NOT_TOUCHING: Reason("R9.12", "{0:square} does not touch {1:square}"),
    NO_ENEMY: Reason("R9.12", "no enemy figure stands on {0:square}"),
    ENEMY_ON_LINE: Reason("R9.12", "figures on a recruitment line cannot be converted"),
    MARKED_ALREADY: Reason("R9.12", "the {0:type} on {1:square} is the target of a mark already"),
    CANNOT_MOVE: Reason("R12.1", "no {0:type} can move, so the outcome leaves it out"),
    MUST_SHOW: Reason("R12.2", "six types can move, so a roll always shows one of them"),
    FACES_COME_TO: Reason("R12.5", "these faces come to the outcome dice with the types {0:types}"),
}
