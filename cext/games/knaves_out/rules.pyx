"""Start, transitions and result of Knaves Out (R3, R4, R11 of the rules page).

Everything that follows from a move happens at once, up to the next node.
"""

from libc.string cimport memset

from kingmaker.cext.bits cimport count
from kingmaker.cext.game cimport CHANCE

from .cards cimport discard_hand, draw, from_deck, from_hand, lay, shuffle
from .combat cimport ko_answer, ko_attack, ko_damage
from .effects cimport ko_act, ko_bomb, ko_charm_step, ko_find, ko_place, ko_taint_die, ko_waive
from .movement cimport ko_finish_step, ko_is_in_hazard, ko_land
from .pieces cimport CHECKERS, MOST_CHECKERS, add_checkers, create, piece_at
from .state cimport (
    ALL_CARDS, BOARD_SHIFT, DARK, IVORY, JOKER, K, KIND_DARK, KIND_HAZARD, KIND_IVORY,
    KIND_LAND, KING, NOBODY, NOWHERE, NO_TOWER, PLAYED, SOLDIERS, STAGE_BOARD, STAGE_CHARM,
    STAGE_COURT_J, STAGE_COURT_K, STAGE_DRAW, STAGE_FIND, STAGE_FIRST, STAGE_FUEL, STAGE_KEEP,
    STAGE_KING, STAGE_MAIN, STAGE_MIX, STAGE_PLACE, STAGE_SAC, STAGE_SHUFFLE, STAGE_TAINT,
    STAGE_TARGET, STAGE_UNDER, STAGE_WAIVE, TOWER_CHECKERS, VERB_ACT, VERB_ATTACK,
    VERB_DISCARD_HAND, VERB_END_TURN, VERB_IVORY, VERB_JOKER, VERB_LAND, VERB_LAST, VERB_MOVE,
    VERB_PLAY, VERB_SAIL, VERB_SHUFFLE, VERB_STEP, Context, GreatTower, Player, first_of, is_in,
    second_of, squares_of, verb_of)
from .turn cimport go, ko_begin_turn, ko_end_turn, ko_go_on_drawing, ko_next_seat

cdef enum:
    MAX_HAND_SIZE = 10
    LAST_FUEL_RANK = 2      # `3`, from 0


# --- the setup (R3) -------------------------------------------------------------------------------

cdef void ko_start(const Rules* rules, State* s) noexcept nogil:
    cdef Player* p
    cdef int seat
    memset(s, 0, rules.state_bytes)
    s.squares_at = rules.squares_at
    s.observer = NOBODY
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        p.deck = ALL_CARDS
        p.deck_jokers = 2
        p.is_alive = 1
        p.king = NOWHERE
        p.unused_red = CHECKERS
        p.unused_black = CHECKERS
        if not rules.places_boards:
            p.is_placed = 1
            s.x[seat] = rules.x[seat]
            s.y[seat] = rules.y[seat]
    if rules.fixed_first:
        begin_setup(rules, s, rules.fixed_first - 1)
    else:
        go(s, STAGE_FIRST, CHANCE)


cdef void begin_setup(const Rules* rules, State* s, int first) noexcept nogil:
    s.first = first + 1
    s.players[first].is_placed = 1  # at 0,0 unless boards are fixed
    go_on_placing(rules, s, first)


cdef void go_on_placing(const Rules* rules, State* s, int seat) noexcept nogil:
    """Ask for the next board or king in seating order, beginning with a seat."""
    cdef int first = s.first - 1
    cdef int _
    for _ in range(rules.num_seats):
        if not s.players[seat].is_placed:
            go(s, STAGE_BOARD, seat)
            return
        seat = ko_next_seat(rules, s, seat)
    if rules.fixes_kings and s.players[first].king == NOWHERE:
        for seat in range(rules.num_seats):
            create(s, seat, rules.king[seat], KING, MOST_CHECKERS)
    seat = first
    for _ in range(rules.num_seats):
        if s.players[seat].king == NOWHERE:
            go(s, STAGE_KING, seat)
            return
        seat = ko_next_seat(rules, s, seat)
    if rules.has_court:
        go(s, STAGE_COURT_J, first)
    else:
        ko_begin_turn(rules, s, first)


cdef void end_courts(const Rules* rules, State* s, int seat) noexcept nogil:
    """A seat has its court; it takes its fuel, or the next seat is asked (R3.6)."""
    if rules.has_fuel and s.stage != STAGE_FUEL:
        go(s, STAGE_FUEL, seat)
        return
    seat = ko_next_seat(rules, s, seat)
    if seat == s.first - 1:
        ko_begin_turn(rules, s, seat)
    else:
        go(s, STAGE_COURT_J, seat)


cdef void set_up(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int seat = s.node
    cdef Player* p = &s.players[seat]
    if s.stage == STAGE_FIRST:
        begin_setup(rules, s, first_of(move))
    elif s.stage == STAGE_BOARD:
        p.is_placed = 1
        s.x[seat] = first_of(move) - BOARD_SHIFT
        s.y[seat] = second_of(move) - BOARD_SHIFT
        go_on_placing(rules, s, seat)
    elif s.stage == STAGE_KING:
        create(s, seat, first_of(move), KING, MOST_CHECKERS)
        go_on_placing(rules, s, seat)
    elif s.stage == STAGE_UNDER:
        if first_of(move) != NO_TOWER:
            p.towers[first_of(move)].tainted = 1
            p.deck_jokers -= 1
        s.context.number += 1
        if s.context.number > 2:
            end_courts(rules, s, seat)
    elif s.stage == STAGE_FUEL:
        add_fuel(rules, s, move)
    else:
        add_court_card(rules, s, first_of(move))


cdef inline void add_court_card(const Rules* rules, State* s, int card) noexcept nogil:
    cdef int seat = s.node
    from_deck(&s.players[seat], card)
    lay(&s.players[seat], s.stage - STAGE_COURT_J, card, False)
    if s.stage < STAGE_COURT_K:
        s.stage += 1
    elif rules.has_jokers:
        go(s, STAGE_UNDER, seat)
        s.context.number = 1
    else:
        end_courts(rules, s, seat)


cdef inline void add_fuel(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    from_deck(&s.players[s.node], first_of(move))
    lay(&s.players[s.node], second_of(move), first_of(move), False)
    if s.context.number < LAST_FUEL_RANK:
        s.context.number += 1
    elif s.context.tower < K:
        s.context.number = 0
        s.context.tower += 1
    else:
        end_courts(rules, s, s.node)


# --- transitions ----------------------------------------------------------------------------------

cdef void ko_apply(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef Player* p
    if s.stage == STAGE_MAIN:
        apply_main(rules, s, move)
    elif s.stage == STAGE_DRAW:
        p = &s.players[s.context.seat]
        draw(p, first_of(move))
        ko_go_on_drawing(s, s.context.seat, s.context.wind)
    elif s.stage < STAGE_SHUFFLE:
        set_up(rules, s, move)
    elif s.stage == STAGE_SHUFFLE:
        if verb_of(move) == VERB_SHUFFLE:
            shuffle(&s.players[s.node])
        ko_go_on_drawing(s, s.node, False)
    elif s.stage == STAGE_KEEP:
        if verb_of(move) == VERB_DISCARD_HAND:
            discard_hand(&s.players[s.node])
        ko_end_turn(rules, s)
    elif s.stage == STAGE_WAIVE:
        ko_waive(rules, s, first_of(move))
    elif s.stage == STAGE_FIND:
        ko_find(rules, s, move)
    elif s.stage == STAGE_PLACE:
        place(rules, s, first_of(move))
    elif s.stage == STAGE_TARGET:
        ko_bomb(rules, s, first_of(move))
    elif s.stage == STAGE_CHARM:
        if verb_of(move) == VERB_STEP:
            ko_charm_step(rules, s, first_of(move))
        else:
            go(s, STAGE_MAIN, s.active - 1)
    elif s.stage == STAGE_TAINT:
        ko_taint_die(rules, s, first_of(move))
    elif s.stage == STAGE_MIX:
        ask_for_site(s, first_of(move), TOWER_CHECKERS - first_of(move))
    elif s.stage == STAGE_SAC:
        give_checker(s, first_of(move))
    else:
        ko_answer(rules, s, move)


cdef void apply_main(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef Player* p = &s.players[s.active - 1]
    if verb == VERB_MOVE or verb == VERB_SAIL:
        if s.mover != first + 1:
            s.mover = 0
        if ko_is_in_hazard(s, first):
            ko_damage(rules, s, KIND_HAZARD, first, move)
        else:
            ko_finish_step(rules, s, move)
        return
    s.mover = 0
    if verb == VERB_PLAY or verb == VERB_JOKER:
        if verb == VERB_PLAY:
            from_hand(p, first)
        else:
            from_deck(p, first)
            from_hand(p, JOKER)
        lay(p, second_of(move), first, verb == VERB_JOKER)
        p.marks |= PLAYED
    elif verb == VERB_ACT:
        ko_act(rules, s, move)
    elif verb == VERB_LAND:
        go(s, STAGE_PLACE, s.active - 1)
        s.context.kind = KIND_LAND
        s.context.letter = first
        s.context.number = second_of(move)
    elif verb == VERB_ATTACK or verb == VERB_LAST:
        ko_attack(rules, s, move)
    elif verb == VERB_END_TURN:
        if p.hand_size == MAX_HAND_SIZE and not p.marks & PLAYED:
            go(s, STAGE_KEEP, s.active - 1)
        else:
            ko_end_turn(rules, s)
    else:
        call_tower(s, KIND_IVORY if verb == VERB_IVORY else KIND_DARK, first)


cdef void place(const Rules* rules, State* s, int square) noexcept nogil:
    cdef Context c = s.context
    if c.kind == KIND_IVORY or c.kind == KIND_DARK:
        build_tower(s, square)
    elif c.kind == KIND_LAND:
        go(s, STAGE_MAIN, s.active - 1)
        ko_land(rules, s, c.letter, c.number, square)
    else:
        ko_place(rules, s, square)


# --- the Two Towers (R11.1, R11.2, R11.5) ---------------------------------------------------------

cdef void call_tower(State* s, int kind, int enemy) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    go(s, STAGE_MIX, s.active - 1)
    s.context.kind = kind
    s.context.seat = enemy
    if p.unused_red + p.unused_black < TOWER_CHECKERS:
        s.stage = STAGE_SAC
        s.context.red = p.unused_red
        s.context.black = p.unused_black


cdef void give_checker(State* s, int square) noexcept nogil:
    cdef Player* p = &s.players[s.active - 1]
    cdef int index = piece_at(p, square)
    add_checkers(p, index, -1)
    if is_in(p.pieces[index].letter, SOLDIERS):
        s.context.red += 1
    else:
        s.context.black += 1
    if s.context.red + s.context.black == TOWER_CHECKERS:
        ask_for_site(s, s.context.red, s.context.black)


cdef void ask_for_site(State* s, int red, int black) noexcept nogil:
    cdef int kind = s.context.kind
    go(s, STAGE_PLACE, s.context.seat if kind == KIND_DARK else s.active - 1)
    s.context.kind = kind
    s.context.red = red
    s.context.black = black


cdef void build_tower(State* s, int square) noexcept nogil:
    cdef int seat = s.active - 1
    cdef bint is_ivory = s.context.kind == KIND_IVORY
    cdef GreatTower* tower = &s.ivory if is_ivory else &s.dark
    tower.square = square
    tower.stands = 1
    tower.chosen = seat
    tower.enemy = 0 if is_ivory else s.node
    tower.red = s.context.red
    tower.black = s.context.black
    s.players[seat].unused_red -= tower.red
    s.players[seat].unused_black -= tower.black
    squares_of(s)[square] = IVORY | seat << 4 if is_ivory else DARK
    go(s, STAGE_MAIN, seat)


# --- the result -----------------------------------------------------------------------------------

cdef void ko_returns(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef int winners = count(s.context.winners)
    cdef int seat
    for seat in range(rules.num_seats):
        out[seat] = 1.0 / winners if s.context.winners >> seat & 1 else 0
