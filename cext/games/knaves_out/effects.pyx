"""What the 49 actions of Knaves Out do (R7 of the rules page)."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from kingmaker.cext.game cimport CHANCE

from .actions cimport Purse, ko_has_waivers, ko_open_purse, ko_price
from .cards cimport (
    NO_RANK, devour, discard_court_card, discard_hand, from_deck, from_hand, lay, next_rank, pay)
from .combat cimport ko_damage
from .geometry cimport ko_has_exit, neighbours
from .movement cimport ko_strength
from .pieces cimport (
    MOST_CHECKERS, add_checkers, change_letter, create, destroy, extract, insert, pair_of, piece_at,
    shift)
from .state cimport (
    A, BALANCE, BOISTER, BUILD, CASTLE, CHARM, CHERRY, EXECUTE, FAILED, FEAST, FEAST_UP, FORCE,
    FORTIFY, HAIL, INFIGHT, J, JOKER, K, KIND_BUILD, KIND_CHARM, KIND_EXECUTE, KIND_FAILED,
    KIND_POISON, KIND_RAISE, KIND_SERVANT, KIND_TAX, KIND_TRAIN, KING, KNIGHT_UP, MAJESTY, MARRY,
    NO_PRICE, PAWN, PLAYED, POISON, Q, RAISE, ROOK, SERVANT, SKIP, STAGE_CHARM, STAGE_FIND,
    STAGE_MAIN, STAGE_PLACE, STAGE_TAINT, STAGE_TARGET, STAGE_WAIVE, SURGE, SURGED, SWAY, TAINT,
    TAINTED_BUILDINGS, TAINTED_KING, TAX, TRAIN, UNDEAD, UNPAWN, VERB_FIND, WIND, Piece, Player,
    Tower, action_of, first_of, is_by_joker, is_in, letter_on, on_square, owner_on, second_of,
    verb_of)
from .rows cimport PAY_DEVOUR_J, PAY_DEVOUR_K, PAY_EACH, ROWS, Row
from .turn cimport go, ko_defeat, ko_go_on_drawing, ko_return_to_main

cdef enum:
    WAIVERS = 4     # of a Feast (R6.6)


# --- choosing and paying --------------------------------------------------------------------------

cdef void ko_act(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef Player* p = &s.players[s.active - 1]
    cdef const Row* row = &ROWS[action_of(move)]
    cdef uint8_t[4] price
    cdef Purse purse
    cdef int colour, tower
    ko_open_purse(s, s.active - 1, &purse)
    s.acts += 1
    p.marks &= ~<uint32_t>FEAST
    if PAY_DEVOUR_J <= row.payment <= PAY_DEVOUR_K:
        devour(p, row.payment - PAY_DEVOUR_J, row.effect)
        return
    colour = ko_price(p, &purse, move, price)
    if ko_has_waivers(p, &purse, move, price):
        go(s, STAGE_WAIVE, s.active - 1)
        s.context.pending = move
        s.context.left = WAIVERS
        s.context.colour = colour
        for tower in range(4):
            s.context.price[tower] = price[tower]
        return
    if not (row.payment == PAY_EACH and purse.has_feast):
        pay_all(p, price)
    take_effect(rules, s, move)


cdef inline void pay_all(Player* p, const uint8_t* price) noexcept nogil:
    cdef int tower
    for tower in range(4):
        if price[tower] != NO_PRICE:
            pay(p, tower, price[tower])


cdef void ko_waive(const Rules* rules, State* s, int tower) noexcept nogil:
    cdef uint32_t move = s.context.pending
    s.context.price[tower] -= 1
    s.context.left -= 1
    if s.context.left:
        return
    pay_all(&s.players[s.active - 1], s.context.price)
    go(s, STAGE_MAIN, s.active - 1)
    take_effect(rules, s, move)


# --- effects --------------------------------------------------------------------------------------

cdef void take_effect(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    """Carry out a paid action, at node `main` of the active seat."""
    cdef int seat = s.active - 1
    cdef Player* p = &s.players[seat]
    cdef int action = action_of(move)
    cdef int square = first_of(move)
    cdef Player* other
    if ROWS[action].mark:
        p.marks |= <uint32_t>1 << (ROWS[action].mark - 1)
    if action == HAIL or action == MARRY:
        appoint(p, move)
    elif action == TAX:
        search(rules, s, KIND_TAX, J)
    elif action == SERVANT:
        go(s, STAGE_FIND, seat)
        s.context.kind = KIND_SERVANT
        s.context.left = 2
    elif action == BUILD or action == TRAIN or action == RAISE or action == FAILED:
        ask_place(s, action, square)
    elif action == FORTIFY or action == KNIGHT_UP:
        add_checkers(p, piece_at(p, square), 1)
    elif action == POISON or action == CHARM:
        if p.towers[Q].tainted:
            go(s, STAGE_TAINT, CHANCE)
            s.context.kind = KIND_POISON if action == POISON else KIND_CHARM
            s.context.square = 0 if action == POISON else square
        elif action == POISON:
            discard_court_card(p, K)
        else:
            begin_charm(rules, s, square)
    elif action == EXECUTE:
        ko_damage(rules, s, KIND_EXECUTE, square, 0)
    elif action == SWAY:
        s.players[square].swayers |= 1 << seat
    elif action == FEAST_UP:
        p.marks |= FEAST
    elif action == MAJESTY:
        s.players[square].marks |= SKIP
    elif action == TAINT:
        change_letter(s, seat, piece_at(p, square), letter_on(on_square(s, square)) + 5)
    elif action == UNDEAD:
        grow(p, UNPAWN)
    elif action == BOISTER:
        grow(p, PAWN)
    elif action == WIND:
        discard_hand(p)
        ko_go_on_drawing(s, seat, True)
    elif action == SURGE:
        p.pieces[piece_at(p, square)].flags |= SURGED
    elif action == FORCE:
        other = &s.players[square]
        pay(other, second_of(move), other.towers[second_of(move)].height)
    elif action == INFIGHT:
        infight(p, square, second_of(move))
    elif action == CHERRY:
        go(s, STAGE_TARGET, seat)
        s.context.square = square
    elif action == CASTLE:
        castle(s, seat, square)
    elif action == BALANCE:
        p.pieces[piece_at(p, square)].checkers -= 1
        p.pieces[piece_at(p, second_of(move))].checkers += 1


cdef inline void appoint(Player* p, uint32_t move) noexcept nogil:
    """Hail and Marry."""
    cdef int card = first_of(move)
    if is_by_joker(move):
        from_deck(p, card)
        from_hand(p, JOKER)
    else:
        from_hand(p, card)
    lay(p, K if action_of(move) == HAIL else Q, card, is_by_joker(move))
    p.marks |= PLAYED


cdef inline void infight(Player* p, int source, int goal) noexcept nogil:
    """Move all cards from the next rank of the goal upward, with their Jokers."""
    cdef Tower* moved = &p.towers[source]
    cdef Tower* grown = &p.towers[goal]
    cdef int level = next_rank(p, goal) - (source == A)
    cdef int number = moved.height - level
    grown.suits |= (moved.suits >> 2 * level) << 2 * grown.height
    grown.jokers |= (moved.jokers >> level) << grown.height
    grown.height += number
    moved.height = level
    moved.suits &= (<uint32_t>1 << 2 * level) - 1
    moved.jokers &= (1 << level) - 1


cdef inline void castle(State* s, int seat, int square) noexcept nogil:
    cdef Player* p = &s.players[seat]
    cdef int king_square = p.king
    cdef Piece king = extract(s, seat, piece_at(p, king_square))
    cdef Piece rook = extract(s, seat, piece_at(p, square))
    king.square = square
    rook.square = king_square
    insert(s, seat, king)
    insert(s, seat, rook)


cdef inline void grow(Player* p, int letter) noexcept nogil:
    """Boister: one checker for each, those with the fewest first (D44)."""
    cdef int grown = 0      # pieces that have one already, by index
    cdef int checkers, i
    for checkers in range(MOST_CHECKERS):
        for i in range(p.num_pieces):
            if p.unused_red == 0:
                return
            if p.pieces[i].letter != letter or p.pieces[i].checkers != checkers or grown >> i & 1:
                continue
            add_checkers(p, i, 1)
            grown |= 1 << i


# --- searching the deck ---------------------------------------------------------------------------

cdef void search(const Rules* rules, State* s, int kind, int tower) noexcept nogil:
    """Collect Tax: ask for a card of this tower or the next one that can grow, or end."""
    cdef int seat = s.active - 1
    while tower <= A and next_rank(&s.players[seat], tower) == NO_RANK:
        tower += 1
    if tower > A:
        go(s, STAGE_MAIN, seat)
        return
    go(s, STAGE_FIND, seat)
    s.context.kind = kind
    s.context.tower = tower


cdef void ko_find(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef Player* p = &s.players[s.active - 1]
    cdef bint is_found = verb_of(move) == VERB_FIND
    if is_found:
        from_deck(p, first_of(move))
        lay(p, second_of(move), first_of(move), False)
    if s.context.kind == KIND_TAX:
        search(rules, s, KIND_TAX, s.context.tower + 1)
    elif is_found and s.context.left == 2:
        s.context.left = 1
    else:
        go(s, STAGE_MAIN, s.active - 1)


# --- pieces that appear ---------------------------------------------------------------------------

cdef inline void ask_place(State* s, int action, int argument) noexcept nogil:
    go(s, STAGE_PLACE, s.active - 1)
    if action == BUILD:
        s.context.kind = KIND_BUILD
        s.context.letter = argument
    elif action == FAILED:
        s.context.kind = KIND_FAILED
        s.context.square = argument
    else:
        s.context.kind = KIND_TRAIN if action == TRAIN else KIND_RAISE


cdef void ko_place(const Rules* rules, State* s, int square) noexcept nogil:
    cdef int seat = s.active - 1
    cdef Player* p = &s.players[seat]
    cdef int kind = s.context.kind
    if kind == KIND_BUILD:
        create(s, seat, square, s.context.letter + 5 * p.towers[J].tainted, 0)
    elif kind == KIND_TRAIN:
        create(s, seat, square, PAWN, pair_of(p, ROOK) == 2 and p.unused_red > 0)
    elif kind == KIND_RAISE:
        create(s, seat, square, UNPAWN, 0)
        strengthen(rules, s, seat, square)
    else:
        shift(s, seat, piece_at(p, s.context.square), square)
    go(s, STAGE_MAIN, seat)


cdef void strengthen(const Rules* rules, State* s, int seat, int square) noexcept nogil:
    """R8.8: a checker for a new unpawn next to a tainted building."""
    cdef Player* p = &s.players[seat]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i
    if p.unused_red == 0:
        return
    for i in range(neighbours(rules, s, square, &around, room)):
        if is_in(letter_on(on_square(s, around[i])), TAINTED_BUILDINGS):
            add_checkers(p, piece_at(p, square), 1)
            return


# --- Charm, Poison, Cherry Bomb -------------------------------------------------------------------

cdef void begin_charm(const Rules* rules, State* s, int square) noexcept nogil:
    cdef const Player* p = &s.players[owner_on(on_square(s, square))]
    go(s, STAGE_CHARM, s.active - 1)
    s.context.square = square
    s.context.left = ko_strength(rules, s, &p.pieces[piece_at(p, square)])
    s.context.first = 1


cdef void ko_charm_step(const Rules* rules, State* s, int square) noexcept nogil:
    cdef int owner = owner_on(on_square(s, s.context.square))
    shift(s, owner, piece_at(&s.players[owner], s.context.square), square)
    s.context.square = square
    s.context.left -= 1
    s.context.first = 0
    if s.context.left == 0 or not ko_has_exit(rules, s, square):
        go(s, STAGE_MAIN, s.active - 1)


cdef void ko_taint_die(const Rules* rules, State* s, int face) noexcept nogil:
    cdef int seat = s.active - 1
    cdef int square = s.context.square
    cdef int kind = s.context.kind
    cdef int owner
    cdef Player* p
    if kind == KIND_CHARM and face > 1:
        begin_charm(rules, s, square)
        return
    go(s, STAGE_MAIN, seat)
    if kind == KIND_POISON:
        discard_court_card(&s.players[seat], Q if face == 1 else K)
        return
    owner = owner_on(on_square(s, square))
    p = &s.players[owner]
    destroy(s, owner, piece_at(p, square))
    if p.number[UNPAWN] < 8:
        create(s, owner, square, UNPAWN, p.unused_red > 0)
        strengthen(rules, s, owner, square)


cdef void ko_bomb(const Rules* rules, State* s, int square) noexcept nogil:
    """R7/cherry: two kings fall together."""
    cdef int own = s.context.square
    cdef int seat = s.active - 1
    cdef int owner = owner_on(on_square(s, square))
    if is_in(letter_on(on_square(s, own)), 1 << KING | 1 << TAINTED_KING):
        ko_defeat(rules, s, 1 << seat | 1 << owner)
    else:
        destroy(s, seat, piece_at(&s.players[seat], own))
        destroy(s, owner, piece_at(&s.players[owner], square))
    ko_return_to_main(rules, s)
