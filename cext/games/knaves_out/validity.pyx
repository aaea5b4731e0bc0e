"""Validity of packed states of Knaves Out: R14.5.

inventory.pyx has its clauses (b) and (c), asked.pyx (j).
"""

from libc.stdint cimport uint32_t
from libc.string cimport memcmp, memcpy, memset

from kingmaker.cext.bits cimport count, lowest

from ...game cimport MOVES_ROOM, NO_MOVE, refuse
from ...view_game cimport NOBODY
from .asked cimport ko_check_asked
from .geometry cimport ko_fits
from .inventory cimport ko_check_cards
from .knowledge cimport ko_observe
from .legal cimport ko_legal_moves
from .pieces cimport CHECKERS, pair_of
from .rules cimport ko_apply, ko_start
from .state cimport (
    ATTACKED, BISHOP, CLEANSED, CONSPIRE, DEFEND, ENDED, HEART_ATTACK, KNIGHT, LASTING_MARKS,
    MOTORHEAD, NOWHERE, OWN_TURN_MARKS, PAWN, ROOK, SEATS, SKIP, SKIPPED, SOLDIERS, STAGE_BOARD,
    STAGE_COURT_J, STAGE_COURT_K, STAGE_DRAW, STAGE_END, STAGE_FIRST, STAGE_FUEL, STAGE_KING,
    STAGE_MAIN, STAGE_SHUFFLE, STAGE_UNDER, STAGE_WAIVE, STAGE_KEEP, SURGED, TAINTED_KNIGHT, UNPAWN,
    VERB_BOARD, VERB_COURT, VERB_FIRST, VERB_FUEL, VERB_KING, VERB_UNDER, BOARD_SHIFT, NO_TOWER,
    Piece, Player, Rules, State, card_of, is_in, letter_on, move_of, on_square, owner_on)
from .turn cimport ko_begin_turn


cdef int ko_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    if ko_check_cards(rules, s, out) or boards_fault(rules, s, out):
        return out.code
    if s.stage <= STAGE_FUEL:
        return setup_fault(rules, s, out)
    if (clock_fault(rules, s, out) or seats_fault(rules, s, out) or pieces_fault(rules, s, out)
            or towers_fault(s, out) or marks_fault(rules, s, out)):
        return out.code
    if s.stage == STAGE_END:
        return end_fault(rules, s, out)
    if ko_check_asked(rules, s, out):
        return out.code
    return choice_fault(rules, s, out)


cdef inline bint is_start_of_turn(const State* s) noexcept nogil:
    return s.stage == STAGE_SHUFFLE or s.stage == STAGE_DRAW and not s.context.wind


# --- the world (d) --------------------------------------------------------------------------------

cdef int boards_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p
    cdef int seat
    if not rules.has_great_towers and (
            s.ivory.stands or s.island or s.dark.stands or s.cleansed):
        return refuse(out, NO_GREAT_TOWERS, not (s.ivory.stands or s.island))
    if rules.places_boards:
        return 0 if s.stage <= STAGE_FUEL or s.first == 0 else placed_fault(rules, s, out)
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        if not p.is_placed:
            return refuse(out, BOARD_MISSING, seat)
        if s.x[seat] != rules.x[seat] or s.y[seat] != rules.y[seat]:
            return refuse(out, BOARD_MOVED, seat, rules.x[seat], rules.y[seat])
    return 0


cdef int placed_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Boards that the players placed, in seating order."""
    cdef State world
    cdef int seat = s.first - 1
    cdef int step = rules.num_seats - 1 if rules.is_ccw else 1
    cdef int number
    cdef const Player* p
    memcpy(&world, s, rules.state_bytes)
    for number in range(rules.num_seats):
        world.players[number].is_placed = False
    for number in range(rules.num_seats):
        p = &s.players[seat]
        if not p.is_placed:
            return refuse(out, BOARD_MISSING, seat)
        if number == 0:
            if s.x[seat] or s.y[seat]:
                return refuse(out, BOARD_FIRST, seat)
        elif not ko_fits(rules, &world, seat, s.x[seat], s.y[seat]):
            return refuse(out, BOARD_CONTACT, seat)
        world.players[seat].is_placed = True
        seat = (seat + step) % rules.num_seats
    return 0


# --- the setup (e) --------------------------------------------------------------------------------

cdef int setup_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Play the setup as the state tells it, and compare."""
    cdef State played
    cdef State seen
    cdef int seat
    memset(&played, 0, sizeof(State))
    ko_start(rules, &played)
    if s.turn or s.active:
        return refuse(out, SETUP_TURN, s.turn, s.active)
    while not is_same_node(&played, s) and step_setup(rules, &played, s):
        pass
    if not is_same_node(&played, s):
        return refuse(out, SETUP_NODE, played.stage, max(played.node, -1))
    if s.ivory.stands or s.island or s.dark.stands or s.cleansed:
        return refuse(out, SETUP_TOWERS, not (s.ivory.stands or s.island))
    if s.observer == NOBODY:
        memcpy(&seen, &played, sizeof(State))
    else:
        memset(&seen, 0, sizeof(State))
        ko_observe(rules, &played, s.observer - 1, &seen)
    for seat in range(rules.num_seats):
        if memcmp(&seen.players[seat], &s.players[seat], sizeof(Player)):
            return refuse(out, SETUP_PLAYER, seat)
    return 0 if memcmp(&seen, s, rules.state_bytes) == 0 else refuse(
        out, SETUP_NODE, played.stage, max(played.node, -1))


cdef bint is_same_node(const State* one, const State* other) noexcept nogil:
    return (
        one.stage == other.stage and one.node == other.node
        and memcmp(&one.context, &other.context, sizeof(one.context)) == 0)


cdef bint step_setup(const Rules* rules, State* played, const State* s) noexcept nogil:
    """Apply the next move of the setup that the state tells; False if it tells none."""
    cdef uint32_t[MOVES_ROOM] moves
    cdef uint32_t move
    cdef int i
    if played.stage > STAGE_FUEL:
        return False
    move = told_move(played, s)
    if played.stage == STAGE_FIRST:
        if s.first == 0:
            return False
        ko_apply(rules, played, move)
        return True
    for i in range(ko_legal_moves(rules, played, moves)):
        if moves[i] == move:
            ko_apply(rules, played, move)
            return True
    return False


cdef uint32_t told_move(const State* played, const State* s) noexcept nogil:
    """The move of the setup by which the state could come about; not always a legal one."""
    cdef int stage = played.stage
    cdef int tower, height
    cdef const Player* p
    if stage == STAGE_FIRST:
        return move_of(VERB_FIRST, max(s.first - 1, 0))
    p = &s.players[played.node]
    if stage == STAGE_BOARD:
        return move_of(VERB_BOARD, s.x[played.node] + BOARD_SHIFT, s.y[played.node] + BOARD_SHIFT)
    if stage == STAGE_KING:
        return move_of(VERB_KING, p.king)
    if stage <= STAGE_COURT_K:
        return move_of(VERB_COURT, p.towers[stage - STAGE_COURT_J].base - 1)
    if stage == STAGE_UNDER:
        for tower in range(3):
            if p.towers[tower].tainted and not played.players[played.node].towers[tower].tainted:
                return move_of(VERB_UNDER, tower)
        return move_of(VERB_UNDER, NO_TOWER)
    tower = played.context.tower
    height = played.players[played.node].towers[tower].height
    if p.towers[tower].height <= height:
        return NO_MOVE
    return move_of(VERB_FUEL, card_of(tower, height, p.towers[tower].suits), tower)


# --- turn and seats (e, i) ------------------------------------------------------------------------

cdef int clock_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    if s.first == 0:
        return refuse(out, NO_FIRST)
    if rules.fixed_first and s.first != rules.fixed_first:
        return refuse(out, FIRST_SEAT, s.first, rules.fixed_first)
    if s.active == 0:
        return refuse(out, NO_ACTIVE)
    if s.turn == 0:
        return refuse(out, NO_TURN)
    if s.turn > rules.max_turns:
        return refuse(out, TURN_LIMIT, s.turn, rules.max_turns)
    return 0


cdef int living(const Rules* rules, const State* s) noexcept nogil:
    """The mask of the seats that are alive."""
    cdef int found = 0
    cdef int seat
    for seat in range(rules.num_seats):
        found |= s.players[seat].is_alive << seat
    return found


cdef int seats_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int alive = living(rules, s)
    if s.stage == STAGE_END:
        return 0
    if count(alive) < 2:
        return refuse(out, TOO_FEW_ALIVE, alive)
    if not alive >> (s.active - 1) & 1:
        return refuse(out, ACTIVE_DEAD, s.active - 1)
    if s.node >= 0 and not alive >> s.node & 1:
        return refuse(out, ASKED_DEAD, s.node)
    return 0


# --- pieces (f) -----------------------------------------------------------------------------------

cdef int pieces_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p
    cdef int seat, i
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        if not p.is_alive:
            if has_anything(s, seat):
                return refuse(out, DEAD_HAS, seat)
            continue
        if p.king == NOWHERE:
            return refuse(out, NO_KING_BUILDING, seat)
        if numbers_fault(s, seat, out):
            return out.code
        for i in range(p.num_pieces):
            if flags_fault(s, seat, i, out):
                return out.code
    return 0


cdef bint has_anything(const State* s, int seat) noexcept nogil:
    """Whether a player has pieces, soldiers at sea or anything among his marks."""
    cdef const Player* p = &s.players[seat]
    cdef int i
    if p.num_pieces or p.marks or p.swayers:
        return True
    for i in range(20):
        if p.sea[i]:
            return True
    if s.active != seat + 1:
        return False
    for i in range(SEATS):
        if s.sha[i]:
            return True
    return s.acts != 0


cdef int numbers_fault(const State* s, int seat, Refusal* out) noexcept nogil:
    """R1.3, R1.4; there is one king, as packing refuses a second."""
    cdef const Player* p = &s.players[seat]
    cdef int[2] used
    cdef int letter
    for letter in range(ROOK, BISHOP + 1):
        if pair_of(p, letter) > 2:
            return refuse(out, TOO_MANY_OF, seat, letter, pair_of(p, letter), 2)
    for letter in range(PAWN, UNPAWN + 1):
        if is_in(letter, SOLDIERS) and p.number[letter] > 8:
            return refuse(out, TOO_MANY_OF, seat, letter, p.number[letter], 8)
    used_checkers(s, seat, used)
    if used[0] > CHECKERS:
        return refuse(out, RED_CHECKERS, seat, used[0])
    if used[1] > CHECKERS:
        return refuse(out, BLACK_CHECKERS, seat, used[1])
    return 0


cdef void used_checkers(const State* s, int seat, int* out) noexcept nogil:
    """Count the red and the black checkers under a player's pieces and Towers (R1.4)."""
    cdef const Player* p = &s.players[seat]
    cdef int i
    out[0] = 0
    out[1] = 0
    for i in range(p.num_pieces):
        out[0 if is_in(p.pieces[i].letter, SOLDIERS) else 1] += p.pieces[i].checkers
    for i in range(20):
        out[0] += p.sea[i] * (i % 10 >> 1)
    if s.ivory.stands and s.ivory.chosen == seat:
        out[0] += s.ivory.red
        out[1] += s.ivory.black
    if s.dark.stands and s.dark.chosen == seat:
        out[0] += s.dark.red
        out[1] += s.dark.black


cdef int flags_fault(const State* s, int seat, int index, Refusal* out) noexcept nogil:
    cdef const Piece* piece = &s.players[seat].pieces[index]
    cdef bint is_soldier = is_in(piece.letter, SOLDIERS)
    cdef bint is_mover = s.mover == piece.square + 1
    if not (piece.steps or piece.flags or is_mover):
        return 0
    if s.active != seat + 1:
        return refuse(out, FLAG_OF_OTHER, seat, index, piece.square)
    if is_start_of_turn(s):
        return refuse(out, FLAG_AT_START, seat, index, piece.square)
    if piece.flags & SURGED and is_soldier:
        return refuse(out, SURGE_OF_SOLDIER, seat, index, piece.square)
    if piece.steps and not is_soldier and not piece.flags & SURGED:
        return refuse(out, STEPS_WITHOUT_SURGE, seat, index, piece.steps, piece.square)
    if piece.flags & CLEANSED and not (is_soldier and piece.steps):
        return refuse(out, CLEANSED_WITHOUT, seat, index, piece.square)
    if piece.flags & ATTACKED and not is_soldier and not (
            s.players[seat].marks & DEFEND
            and is_in(piece.letter, 1 << KNIGHT | 1 << TAINTED_KNIGHT)):
        return refuse(out, ATTACKED_WITHOUT, seat, index, piece.square)
    if is_mover and not (is_soldier and piece.steps and s.stage == STAGE_MAIN):
        return refuse(out, MOVER_WITHOUT, seat, index, piece.square)
    return 0


# --- the Two Towers (g) ---------------------------------------------------------------------------

cdef int towers_fault(const State* s, Refusal* out) noexcept nogil:
    """Squares and numbers of checkers are checked when they are packed."""
    if s.ivory.stands and not s.players[s.ivory.chosen].is_alive:
        return refuse(out, CHOSEN_DEAD, 0, s.ivory.chosen)
    if s.dark.stands:
        if not s.players[s.dark.chosen].is_alive:
            return refuse(out, CHOSEN_DEAD, 1, s.dark.chosen)
        if not s.players[s.dark.enemy].is_alive:
            return refuse(out, CHOSEN_DEAD, 2, s.dark.enemy)
        if s.dark.chosen == s.dark.enemy:
            return refuse(out, CHOSEN_SAME, s.dark.enemy)
    return 0


# --- marks (h) ------------------------------------------------------------------------------------

cdef int marks_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p
    cdef int seat
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        if p.marks & OWN_TURN_MARKS and (s.active != seat + 1 or is_start_of_turn(s)):
            return refuse(out, OWN_TURN_MARK, seat, lowest(p.marks & OWN_TURN_MARKS))
        if p.marks & ENDED and not p.marks & CONSPIRE:
            return refuse(out, ENDED_WITHOUT, seat)
        if p.marks & SKIP and p.marks & SKIPPED:
            return refuse(out, SKIP_TWICE, seat)
        if p.marks & (SKIP | SKIPPED) and s.active == seat + 1 and s.stage != STAGE_END:
            return refuse(out, SKIP_OF_ACTIVE, seat, lowest(p.marks & (SKIP | SKIPPED)))
        if swayers_fault(rules, s, seat, out):
            return out.code
    if is_start_of_turn(s) and start_fault(rules, s, out):
        return out.code
    return uses_fault(rules, s, out)


cdef int swayers_fault(
        const Rules* rules, const State* s, int seat, Refusal* out) noexcept nogil:
    cdef int swayers = s.players[seat].swayers
    cdef int wrong = swayers & ~(living(rules, s) & ~(1 << seat))
    if wrong:
        return refuse(out, SWAYER, seat, count(swayers & ((1 << lowest(wrong)) - 1)), lowest(wrong))
    return 0


cdef int start_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """What the active seat has not at the start of its turn (R4.1)."""
    cdef int seat = s.active - 1
    cdef const Player* p = &s.players[seat]
    cdef int i
    if p.marks & LASTING_MARKS:
        return refuse(out, LASTING_AT_START, seat, lowest(p.marks & LASTING_MARKS))
    for i in range(20):
        if p.sea[i] and i & 1:
            return refuse(out, FRESH_AT_START, seat)
    for i in range(rules.num_seats):
        if s.players[i].swayers >> seat & 1:
            return refuse(out, SWAYS_AT_START, i, seat)
    if s.acts:
        return refuse(out, ACTS_AT_START, seat, s.acts)
    for i in range(SEATS):
        if s.sha[i]:
            return refuse(out, SHA_AT_START, seat)
    return 0


cdef int uses_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Actions taken, and permissions of Sheer Heart Attack, which only the active seat can have."""
    cdef int seat = s.active - 1
    cdef int place = 0
    cdef int other, content
    if s.acts == 2 and not s.players[seat].effects & MOTORHEAD:
        return refuse(out, ACTS_WITHOUT, seat)
    for other in range(SEATS):
        if s.sha[other] == 0:
            continue
        if (other == seat or other >= rules.num_seats or not s.players[other].is_alive
                or not s.players[other].effects & HEART_ATTACK):
            return refuse(out, PERMISSION_OF, seat, place, other)
        if s.sha[other] != NOWHERE:
            content = on_square(s, s.sha[other] - 1)
            if letter_on(content) != PAWN or owner_on(content) != seat:
                return refuse(out, PERMISSION_AT, seat, place, s.sha[other] - 1)
        place += 1
    return 0


# --- the end and choices (k) ----------------------------------------------------------------------

cdef int end_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int alive = living(rules, s)
    cdef int winners = s.context.winners
    if count(alive) == 1:
        return 0 if winners == alive else refuse(out, END_WINNERS, alive, winners)
    if alive == 0:
        return 0 if count(winners) == 2 else refuse(out, END_TWO, winners)
    if s.turn != rules.max_turns:
        return refuse(out, END_EARLY, alive, rules.max_turns)
    if has_flags(rules, s):
        return refuse(out, END_MARKS)
    alive = winners_at_limit(rules, s)
    return 0 if winners == alive else refuse(out, END_WINNERS, alive, winners)


cdef int winners_at_limit(const Rules* rules, const State* s) noexcept nogil:
    """The mask of the seats that share the win at the turn limit, where no turn begins (R12.4)."""
    cdef State ended
    memcpy(&ended, s, rules.state_bytes)
    ko_begin_turn(rules, &ended, s.active - 1)
    return ended.context.winners


cdef bint has_flags(const Rules* rules, const State* s) noexcept nogil:
    """Whether an own turn mark or a flag of a piece is set; only the active seat can have them."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int i
    if p.marks & OWN_TURN_MARKS or s.mover:
        return True
    for i in range(p.num_pieces):
        if p.pieces[i].steps or p.pieces[i].flags:
            return True
    return False


cdef int choice_fault(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check that there is a legal move; those that depend on a hidden hand can always be passed."""
    cdef uint32_t[MOVES_ROOM] moves
    if not STAGE_WAIVE <= s.stage < STAGE_KEEP or s.node < 0:
        return 0
    return 0 if ko_legal_moves(rules, s, moves) else refuse(out, NO_LEGAL_MOVE, s.stage, s.node)
