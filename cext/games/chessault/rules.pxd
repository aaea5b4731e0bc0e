"""The transitions of Chessault as functions on its state, by the procedures of section 5.

Inline in a header, as two modules use them: the game (game.pyx) and the playout loop (policy.pyx),
which would otherwise pay a call through a pointer for every ply.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport lowest, pop_lowest
from kingmaker.cext.game cimport CHANCE, TERMINAL
from kingmaker.cext.view_game cimport NOBODY

from .geometry cimport REACH
from .legal cimport PRICES, RESURRECTION_PRICE
from .sets cimport (
    CONVERT_FIELDS, EXPLODE_FIELDS, bit_of, convertible, figure_at, figure_on_board,
    is_anybody_near, is_touching, line_in_radius, occupied_squares)
from .state cimport (
    BISHOP, BLACK, CONVERT, END_OF_TURN, EXPLODE, FIGURE_FRESH, FIGURE_MOVED, KING, KNIGHT,
    LINE_MOVED, MOST_MARKS, NO_ABILITY, NO_SQUARE, PAWN, PHASE_ACTION, PHASE_ACTIVATE,
    PHASE_DICE, PHASE_DRAWN, PHASE_KEEP, PHASE_MOVE, PHASE_PLACE, PHASE_PROMOTE,
    PHASE_SACRIFICE, PHASE_SETUP, PHASE_WON_WHITE, PLANE_ABILITY, PLANE_MOVED, PROTECT, QUEEN,
    ROOK, VERB_BUY, VERB_CONVERT, VERB_DEPLOY, VERB_DICE, VERB_EXPLODE, VERB_HOLD, VERB_KEEP,
    VERB_KING, VERB_MOVE, VERB_PASS, VERB_PLACE, VERB_PROMOTE, VERB_RECRUIT, VERB_RESURRECT,
    VERB_ROLL, VERB_SACRIFICE, WHITE, Mark, Rules, State, ability_of, endzone_row, figure_of,
    file_of, first_of, gain_credits, in_own_half, is_on_board, line_row, owner_of, row_of,
    second_of, type_of, verb_of)


# --- set-up and nodes -----------------------------------------------------------------------------

cdef inline void chs_start(const Rules* rules, State* s) noexcept nogil:
    """R4.1."""
    cdef int seat, type
    memset(s, 0, sizeof(State))
    for seat in range(2):
        s.credits[seat] = 9
        s.unplaced[seat][<int>KING] = 1
        s.unplaced[seat][<int>QUEEN] = 1
        s.unplaced[seat][<int>PAWN] = 2
        for type in range(1, 7):
            s.stock[seat][type] = rules.supply[type] - s.unplaced[seat][type]
    s.pool[<int>PROTECT] = 5
    s.pool[<int>EXPLODE] = 3
    s.pool[<int>CONVERT] = 3
    s.observer = NOBODY


cdef inline int chs_node(const State* s) noexcept nogil:
    if s.phase >= PHASE_WON_WHITE:
        return TERMINAL
    if s.phase == PHASE_DICE:
        return CHANCE
    if s.phase == PHASE_PROMOTE:    # at the end of a turn the converted pawn's new owner (R10.5)
        return 1 - s.side if s.action == END_OF_TURN else s.side
    return s.side


cdef inline void chs_returns(const State* s, double* out) noexcept nogil:
    out[0] = 0.5 if s.phase == PHASE_DRAWN else s.phase == PHASE_WON_WHITE
    out[1] = 1 - out[0]


# --- figures --------------------------------------------------------------------------------------

cdef inline void put(State* s, int square, int figure) noexcept nogil:
    """Set a figure on a free square."""
    cdef int i
    if is_on_board(square):
        for i in range(8):
            s.planes[i] |= <uint64_t>(figure >> i & 1) << square - 8
    else:
        for i in range(<int>LINE_MOVED):
            s.lines[square > 8][i] |= (figure >> i & 1) << file_of(square)
        if figure & FIGURE_MOVED:
            s.lines[square > 8][<int>LINE_MOVED] |= 1 << file_of(square)


cdef inline int take_off(State* s, int square) noexcept nogil:
    """Clear a square; return the figure that stood there."""
    cdef int figure = figure_at(s, square)
    cdef uint64_t others
    cdef int i
    if is_on_board(square):
        others = ~bit_of(square)
        for i in range(8):
            s.planes[i] &= others
    else:
        for i in range(<int>LINE_MOVED + 1):
            s.lines[square > 8][i] &= ~(1 << file_of(square))
    return figure


cdef inline int kill(State* s, int square) noexcept nogil:
    """KILL of section 5; return the figure."""
    cdef int figure = take_off(s, square)
    s.dead[owner_of(figure)][type_of(figure)] += 1
    if ability_of(figure):
        s.pool[ability_of(figure)] += 1
    if s.marks[0].target != NO_SQUARE:
        forget_in_marks(s, square)
    return figure


cdef inline void forget_in_marks(State* s, int square) noexcept nogil:
    """Void the mark on a figure that leaves, and clear the converter of marks it made (R9.15)."""
    cdef int i = 0
    if not is_on_board(square):
        return
    while i < MOST_MARKS:
        if s.marks[i].converter == square:
            s.marks[i].converter = NO_SQUARE
        if s.marks[i].target == square:
            delete_mark(s, i)
        else:
            i += 1


cdef inline void delete_mark(State* s, int index) noexcept nogil:
    cdef int i
    for i in range(index, MOST_MARKS - 1):
        s.marks[i] = s.marks[i + 1]
    s.marks[MOST_MARKS - 1].converter = NO_SQUARE
    s.marks[MOST_MARKS - 1].target = NO_SQUARE
    s.pool[<int>CONVERT] += 1


cdef inline void follow_in_marks(State* s, int source, int square) noexcept nogil:
    """R9.14."""
    cdef int i
    for i in range(MOST_MARKS):
        if s.marks[i].converter == source:
            s.marks[i].converter = square
        if s.marks[i].target == source:
            s.marks[i].target = square


cdef inline void drop_ability(State* s, int square) noexcept nogil:
    """Return the token of a figure of rows 1 to 8, if it has one, to the pool (R9.6)."""
    cdef int held = ability_of(figure_on_board(s, square - 8))
    if held:
        s.pool[held] += 1
        s.planes[<int>PLANE_ABILITY] &= ~bit_of(square)
        s.planes[<int>PLANE_ABILITY + 1] &= ~bit_of(square)


cdef inline void take_ability(State* s, int square, int ability) noexcept nogil:
    """Exchange the token of a figure for one of the pool."""
    drop_ability(s, square)
    s.pool[ability] -= 1
    s.planes[<int>PLANE_ABILITY] |= <uint64_t>(ability & 1) << square - 8
    s.planes[<int>PLANE_ABILITY + 1] |= <uint64_t>(ability >> 1) << square - 8


# --- turns ----------------------------------------------------------------------------------------

cdef inline void next_action(const Rules* rules, State* s) noexcept nogil:
    """NEXT of R5.2, or back to the resolution where the end of the turn was interrupted."""
    s.square = 0
    s.offer = 0
    if s.action == END_OF_TURN:
        resolve_marks(rules, s)
    elif s.action == 3:
        end_turn(rules, s)
    else:
        s.action += 1
        s.phase = PHASE_ACTION


cdef inline void end_game(State* s, int phase) noexcept nogil:
    s.phase = phase
    s.square = 0
    s.offer = 0


cdef inline void end_turn(const Rules* rules, State* s) noexcept nogil:
    """R10.1-R10.3."""
    cdef int rival = 1 - s.side
    cdef int stolen = min(<uint32_t>s.reaches, s.credits[rival])
    s.action = END_OF_TURN
    gain_credits(s, s.side, s.moves + 2 * s.kills)
    gain_credits(s, s.side, stolen)
    s.credits[rival] -= stolen
    s.moves = 0
    s.kills = 0
    s.reaches = 0
    s.king_moves = 0
    s.planes[<int>PLANE_MOVED] = 0
    s.lines[s.side][<int>LINE_MOVED] = 0
    resolve_marks(rules, s)


cdef inline void resolve_marks(const Rules* rules, State* s) noexcept nogil:
    """R10.4-R10.7: continue until a decision is due or the game is over."""
    cdef Mark mark
    cdef int i = 0
    while i < MOST_MARKS and s.marks[i].target != NO_SQUARE:
        if owner_of(figure_at(s, s.marks[i].target)) != s.side:
            i += 1
            continue
        mark = s.marks[i]
        delete_mark(s, i)
        if mark.converter != NO_SQUARE and is_touching(mark.converter, mark.target):
            convert_figure(s, mark.target)
        else:
            let_escape(s, mark.target)
        if s.phase == PHASE_PROMOTE or s.phase == PHASE_KEEP or s.phase >= PHASE_WON_WHITE:
            return
    if s.turn == rules.max_turns:
        end_game(s, PHASE_DRAWN)
        return
    s.turn += 1
    s.side = 1 - s.side
    s.action = 1
    s.phase = PHASE_ACTION


cdef inline void convert_figure(State* s, int square) noexcept nogil:
    """R10.5."""
    cdef int winner = 1 - s.side
    cdef int type
    gain_credits(s, winner, 1)
    s.phase = PHASE_ACTION
    type = type_of(kill(s, square))
    if type == KING:
        end_game(s, PHASE_WON_WHITE + winner)
    elif s.stock[winner][type]:
        s.stock[winner][type] -= 1
        put(s, square, figure_of(type, winner))
        if type == PAWN and row_of(square) == endzone_row(winner):
            promote_or_lose(s, square, winner)


cdef inline void let_escape(State* s, int square) noexcept nogil:
    """R10.6."""
    cdef int figure = figure_at(s, square)
    gain_credits(s, s.side, 1)
    if s.credits[1 - s.side]:
        s.credits[1 - s.side] -= 1
    s.phase = PHASE_ACTION
    if type_of(figure) == PAWN or ability_of(figure) == CONVERT:
        return
    if ability_of(figure) == NO_ABILITY:
        take_ability(s, square, CONVERT)
    else:
        s.phase = PHASE_KEEP
        s.square = square
        s.offer = 1 << CONVERT


cdef inline void promote_or_lose(State* s, int square, int owner) noexcept nogil:
    """PROMOTION of R8.6: PHASE_PROMOTE, or the pawn dies."""
    cdef const unsigned char* stock = s.stock[owner]
    if stock[<int>QUEEN] or stock[<int>ROOK] or stock[<int>BISHOP] or stock[<int>KNIGHT]:
        s.phase = PHASE_PROMOTE
        s.square = square
    else:
        kill(s, square)


# --- after a move ---------------------------------------------------------------------------------

cdef inline void make_move(const Rules* rules, State* s, int source, int square) noexcept nogil:
    """The procedure after-move of section 5."""
    cdef int victim = figure_at(s, square)
    cdef int figure
    cdef int offer = 0
    s.rolled = 0
    s.moves += 1
    if ability_of(victim) == PROTECT:
        bounce(rules, s, source, square)
        return
    if victim:
        kill(s, square)
        s.kills += 1
        offer = 1 << PROTECT | 1 << ability_of(victim)
    if row_of(square) == endzone_row(s.side) != row_of(source):
        s.reaches += 1
    figure = take_off(s, source)
    put(s, square, figure & ~FIGURE_FRESH | FIGURE_MOVED)
    if s.marks[0].target != NO_SQUARE and is_on_board(source):
        follow_in_marks(s, source, square)
    if type_of(victim) == KING:
        end_game(s, PHASE_WON_WHITE + s.side)
    elif type_of(figure) == PAWN:
        end_pawn_move(rules, s, square)
    else:
        gain(rules, s, square, offer | fields_of(s, square))


cdef inline void bounce(const Rules* rules, State* s, int source, int square) noexcept nogil:
    """R8.2."""
    drop_ability(s, square)
    if is_on_board(source):
        s.planes[<int>PLANE_MOVED] |= bit_of(source)
        activate(rules, s, source)
    else:
        s.lines[s.side][<int>LINE_MOVED] |= 1 << file_of(source)
        next_action(rules, s)


cdef inline void end_pawn_move(const Rules* rules, State* s, int square) noexcept nogil:
    if row_of(square) == endzone_row(s.side):
        promote_or_lose(s, square, s.side)
        if s.phase == PHASE_PROMOTE:
            return
    next_action(rules, s)


cdef inline int fields_of(const State* s, int square) noexcept nogil:
    """The abilities that the field of a square offers to X (R9.3)."""
    if in_own_half(square, s.side):
        return 0
    if bit_of(square) & EXPLODE_FIELDS:
        return 1 << EXPLODE
    return 1 << CONVERT if bit_of(square) & CONVERT_FIELDS else 0


cdef inline void gain(const Rules* rules, State* s, int square, int offer) noexcept nogil:
    """GAIN of section 5."""
    cdef int held = ability_of(figure_on_board(s, square - 8))
    if offer > 1:   # more than the 1 << NO_ABILITY of a victim that held nothing
        offer &= ((s.pool[<int>PROTECT] != 0) << PROTECT
                  | (s.pool[<int>EXPLODE] != 0) << EXPLODE
                  | (s.pool[<int>CONVERT] != 0) << CONVERT) & ~(1 << held)
    if offer <= 1:
        activate(rules, s, square)
    elif held == NO_ABILITY and offer & (offer - 1) == 0:
        take_ability(s, square, lowest(offer))
        next_action(rules, s)
    else:
        s.phase = PHASE_KEEP
        s.square = square
        s.offer = offer


cdef inline void activate(const Rules* rules, State* s, int square) noexcept nogil:
    """ACT of section 5."""
    cdef int held = ability_of(figure_on_board(s, square - 8))
    if (held == EXPLODE and is_anybody_near(s, square)
            or held == CONVERT and convertible(s, square)):
        s.phase = PHASE_ACTIVATE
        s.square = square
    else:
        next_action(rules, s)


# --- abilities ------------------------------------------------------------------------------------

cdef inline void keep(const Rules* rules, State* s, int ability) noexcept nogil:
    """R9.4."""
    cdef int square = s.square
    if ability != ability_of(figure_on_board(s, square - 8)):
        take_ability(s, square, ability)
        next_action(rules, s)
    elif s.action == END_OF_TURN:
        next_action(rules, s)
    else:
        s.square = 0
        s.offer = 0
        activate(rules, s, square)


cdef inline void explode(const Rules* rules, State* s) noexcept nogil:
    """R9.8-R9.11."""
    cdef int square = s.square
    cdef uint64_t hit = REACH[square].king & occupied_squares(s)
    cdef int offer = 0
    cdef bint[2] has_lost_king = [False, False]
    cdef int figure
    drop_ability(s, square)
    while hit:
        figure = blow_up(s, pop_lowest(&hit) + 8, &offer)
        if figure & 7 == KING:
            has_lost_king[owner_of(figure)] = True
    blow_up_line(s, square, WHITE, &offer)
    blow_up_line(s, square, BLACK, &offer)
    s.square = 0
    if has_lost_king[0] or has_lost_king[1]:
        end_game(s, PHASE_DRAWN if has_lost_king[0] and has_lost_king[1]
                 else PHASE_WON_WHITE + has_lost_king[0])
    else:
        gain(rules, s, square, offer)


cdef inline int blow_up(State* s, int square, int* offer) noexcept nogil:
    """Hit one figure; return it if it dies, else 0; a killed enemy adds its tokens to `offer`."""
    cdef int figure = figure_at(s, square)
    if ability_of(figure) == PROTECT:
        drop_ability(s, square)
        return 0
    kill(s, square)
    if owner_of(figure) != s.side:
        s.kills += 1
        offer[0] |= 1 << PROTECT | 1 << ability_of(figure)
    return figure


cdef inline void blow_up_line(State* s, int square, int seat, int* offer) noexcept nogil:
    cdef uint64_t hit = line_in_radius(s, square, seat)
    while hit:
        blow_up(s, 8 * line_row(seat) + pop_lowest(&hit), offer)


cdef inline void convert(const Rules* rules, State* s, int target) noexcept nogil:
    """R9.13."""
    cdef int i = 0
    while s.marks[i].target != NO_SQUARE:
        i += 1
    s.marks[i].converter = s.square
    s.marks[i].target = target
    s.planes[<int>PLANE_ABILITY] &= ~bit_of(s.square)
    s.planes[<int>PLANE_ABILITY + 1] &= ~bit_of(s.square)
    next_action(rules, s)


# --- recruiting and setup -------------------------------------------------------------------------

cdef inline void pay(State* s, int type) noexcept nogil:
    """Buy or recruit a figure; a queen needs a sacrifice."""
    s.stock[s.side][type] -= 1
    s.credits[s.side] -= PRICES[type]
    if type == QUEEN:
        s.phase = PHASE_SACRIFICE
    else:
        s.phase = PHASE_PLACE
        s.placing = type


cdef inline void place(const Rules* rules, State* s, int square) noexcept nogil:
    """R4.3, R4.4, R6.6."""
    cdef int type = s.placing
    put(s, square, figure_of(type, s.side) | (FIGURE_FRESH if type == PAWN else 0))
    s.placing = 0
    if type == KING:
        take_ability(s, square, PROTECT)
    if s.turn == 0:
        next_setup_turn(s)
    else:
        next_action(rules, s)


cdef inline void next_setup_turn(State* s) noexcept nogil:
    """R4.2, R4.6, R4.7."""
    s.phase = PHASE_SETUP
    if s.done == 3:
        s.side = WHITE
        s.turn = 1
        s.action = 1
        s.phase = PHASE_ACTION
    elif not s.done >> (1 - s.side) & 1:
        s.side = 1 - s.side


# --- the transition -------------------------------------------------------------------------------

cdef inline void chs_apply(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """Change the state by a legal move or a possible outcome."""
    cdef int verb = verb_of(move)
    if verb == VERB_ROLL:
        s.phase = PHASE_DICE
    elif verb == VERB_DICE:
        s.rolled = first_of(move)
        if s.rolled:
            s.phase = PHASE_MOVE
        else:
            next_action(rules, s)
    elif verb == VERB_MOVE:
        make_move(rules, s, first_of(move), second_of(move))
    elif verb == VERB_RECRUIT or verb == VERB_BUY:
        pay(s, first_of(move))
    elif verb == VERB_PLACE:
        place(rules, s, first_of(move))
    elif verb == VERB_KING:
        s.king_moves = 1
        make_move(rules, s, first_of(move), second_of(move))
    elif verb == VERB_PASS or verb == VERB_HOLD:
        next_action(rules, s)
    else:
        apply_rare(rules, s, move)


cdef inline void apply_rare(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int verb = verb_of(move)
    if verb == VERB_KEEP:
        keep(rules, s, first_of(move))
    elif verb == VERB_EXPLODE:
        explode(rules, s)
    elif verb == VERB_CONVERT:
        convert(rules, s, first_of(move))
    elif verb == VERB_RESURRECT:
        s.credits[s.side] -= RESURRECTION_PRICE
        s.dead[s.side][first_of(move)] -= 1
        s.stock[s.side][first_of(move)] += 1
        next_action(rules, s)
    elif verb == VERB_PROMOTE:
        promote(rules, s, first_of(move))
    elif verb == VERB_SACRIFICE:
        kill(s, first_of(move))
        s.phase = PHASE_PLACE
        s.placing = QUEEN
    elif verb == VERB_DEPLOY:
        s.unplaced[s.side][first_of(move)] -= 1
        s.phase = PHASE_PLACE
        s.placing = first_of(move)
    else:
        s.done |= 1 << s.side
        next_setup_turn(s)


cdef inline void promote(const Rules* rules, State* s, int type) noexcept nogil:
    """R8.6."""
    cdef int pawn = kill(s, s.square)
    s.stock[owner_of(pawn)][type] -= 1
    put(s, s.square, figure_of(type, owner_of(pawn)) | pawn & FIGURE_MOVED)
    next_action(rules, s)
