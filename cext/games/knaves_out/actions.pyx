"""Prices and conditions of the 49 actions of Knaves Out (R6 and R7 of the rules page)."""

from libc.stdint cimport uint16_t

from .cards cimport JACK, NO_COURT, bit, court_of, each_of, is_light, next_rank, run_of
from .faults cimport (
    FAULT_COLOUR, FAULT_ENDED, FAULT_FULL_PIECE, FAULT_IN_FORCE, FAULT_NOTHING_TO_MOVE,
    FAULT_NOT_FULL, FAULT_NOT_IN_DECK, FAULT_NOT_IN_HAND, FAULT_NOT_TOUCHING, FAULT_NO_BASE,
    FAULT_NO_BUILDING, FAULT_NO_CHECKER, FAULT_NO_KING, FAULT_NO_MATCH, FAULT_NO_ROOM,
    FAULT_NO_SUCH_PIECE, FAULT_PRICE, FAULT_SAME_TOWER, FAULT_TAINTED, FAULT_TOO_MANY, FAULT_WAIVER,
    FAULT_WRONG_CARD, NO_FAULT)
from .geometry cimport ko_has_exit, neighbours
from .pieces cimport MOST_CHECKERS, is_same_kind, pair_of, piece_at
from .rows cimport PAY_ANY, PAY_DEVOUR_J, PAY_DEVOUR_K, PAY_EACH, PAY_MOVED, ROWS, Row
from .state cimport (
    A, ANY_COLOUR, BALANCE, BISHOP, BLACK, BLESS, BOISTER, BUILD, BUILDINGS, CHARM, CHERRY,
    CONSPIRE_UP, DARK, DEFEND_UP, ENDED, EXECUTE, FAILED, FEAST, FORCE, FORTIFY, FULL_HEIGHT, HAIL,
    INFIGHT, IVORY, J, K, KNIGHT, KNIGHT_UP, LICH_KING, MAJESTY, MARRY, NO_PRICE, PARLAY_UP, PAWN,
    POISON, Q, RAISE, RED, ROOK, SOLDIERS, SURGE, SURGED, SWAY, TAINT, TAINTED_BISHOP,
    TAINTED_BUILDINGS, TRAIN, UNDEAD, UNPAWN, action_of, first_of, is_by_joker, is_in, letter_on,
    on_square, owner_on, second_of)

cdef enum:
    DISCOUNT = 4        # cards (R6.6)


# --- prices ---------------------------------------------------------------------------------------

cdef inline int each_run(const Player* p, int colour) noexcept nogil:
    """`Purse.each` of cards of a colour on top."""
    cdef int each = FULL_HEIGHT
    cdef int tower, run
    for tower in range(4):
        run = run_of(&p.towers[tower], colour)
        if p.towers[tower].base and (tower < A or run == 0):
            each = min(each, run)
    return each


cdef void ko_open_purse(const State* s, int seat, Purse* purse) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef int tower
    purse.acts_left = acts_left(s, p)
    purse.has_feast = p.marks & FEAST != 0
    purse.court = court_of(p)
    purse.colour = (
        ANY_COLOUR if purse.court == NO_COURT else RED if is_light(purse.court) else BLACK)
    purse.each = each_of(p)
    purse.each_run = 0
    if purse.colour and purse.each:
        purse.each_run = each_run(p, purse.colour)
    for tower in range(4):
        purse.height[tower] = p.towers[tower].height


cdef inline int price_of_tower(const Player* p, const Purse* purse, int action) noexcept nogil:
    """R6.5."""
    cdef int cards = ROWS[action].price
    if (action == HAIL and p.towers[J].tainted) or (action == KNIGHT_UP and p.towers[K].tainted):
        cards += 1
    if p.effects & LICH_KING and ROWS[action].payment == K:
        cards = (cards + 1) // 2
    return max(0, cards - DISCOUNT) if purse.has_feast else cards


cdef int ko_price(
        const Player* p, const Purse* purse, uint32_t move, uint8_t* price) noexcept nogil:
    cdef int action = action_of(move)
    cdef const Row* row = &ROWS[action]
    cdef bint is_out = row.court != NO_COURT and row.court != purse.court
    cdef int cards = row.out if is_out else row.price
    cdef int tower
    price[J] = price[Q] = price[K] = price[A] = NO_PRICE
    if row.payment <= A:
        price[row.payment] = price_of_tower(p, purse, action)
    elif row.payment == PAY_EACH:
        for tower in range(4):
            if p.towers[tower].base and cards:
                price[tower] = cards if tower < A else 1
    elif row.payment == PAY_ANY or row.payment == PAY_MOVED:
        if cards and not purse.has_feast:
            price[first_of(move)] = cards
    return purse.colour if is_out else ANY_COLOUR


cdef int ko_total(const uint8_t* price) noexcept nogil:
    cdef int total = 0
    cdef int tower
    for tower in range(4):
        if price[tower] != NO_PRICE:
            total += price[tower]
    return total


cdef bint ko_has_waivers(
        const Player* p, const Purse* purse, uint32_t move, const uint8_t* price) noexcept nogil:
    return (
        purse.has_feast and ROWS[action_of(move)].payment == PAY_EACH
        and ko_total(price) > DISCOUNT)


cdef inline int missing(
        const Player* p, const uint8_t* price, int colour) noexcept nogil:
    """The cards of a price that the towers lack."""
    cdef int found = 0
    cdef int tower, left
    for tower in range(4):
        if price[tower] != NO_PRICE:
            left = p.towers[tower].height
            if colour:
                left = run_of(&p.towers[tower], colour)
            if price[tower] > left:
                found += price[tower] - left
    return found


cdef int ko_payment_fault(const Player* p, const Purse* purse, uint32_t move) noexcept nogil:
    cdef const Row* row = &ROWS[action_of(move)]
    cdef uint8_t[4] price
    cdef bint enough
    cdef int colour, tower
    if PAY_DEVOUR_J <= row.payment <= PAY_DEVOUR_K:
        tower = row.payment - PAY_DEVOUR_J
        if purse.height[tower] != FULL_HEIGHT:
            return FAULT_NOT_FULL
        if row.court == purse.court:
            return NO_FAULT
        enough = run_of(&p.towers[tower], purse.colour) == FULL_HEIGHT
        return NO_FAULT if enough else FAULT_COLOUR
    if row.payment <= A:
        enough = purse.height[row.payment] >= price_of_tower(p, purse, action_of(move))
        return NO_FAULT if enough else FAULT_PRICE
    if row.payment == PAY_EACH and not purse.has_feast:
        if row.court == NO_COURT or row.court == purse.court:
            return NO_FAULT if purse.each >= row.price else FAULT_PRICE
        if purse.each < row.out:
            return FAULT_PRICE
        return NO_FAULT if purse.each_run >= row.out else FAULT_COLOUR
    colour = ko_price(p, purse, move, price)
    if purse.has_feast and row.payment == PAY_EACH and ko_total(price) <= DISCOUNT:
        return NO_FAULT
    if missing(p, price, ANY_COLOUR) > DISCOUNT * ko_has_waivers(p, purse, move, price):
        return FAULT_PRICE
    if colour and missing(p, price, colour) > DISCOUNT * ko_has_waivers(p, purse, move, price):
        return FAULT_COLOUR
    return NO_FAULT


cdef int ko_waive_fault(const State* s, int tower) noexcept nogil:
    cdef uint8_t[4] price
    cdef int i
    for i in range(4):
        price[i] = s.context.price[i]
    if price[tower] == NO_PRICE or price[tower] == 0:
        return FAULT_WAIVER
    price[tower] -= 1
    if missing(&s.players[s.active - 1], price, s.context.colour) > s.context.left - 1:
        return FAULT_WAIVER
    return NO_FAULT


# --- conditions -----------------------------------------------------------------------------------

cdef int ko_act_fault(
        const Rules* rules, const State* s, const Purse* purse, uint32_t move) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int fault = ko_court_fault(rules, p, purse, move)
    if not fault:
        fault = ko_mark_fault(p, action_of(move))
    if not fault:
        fault = ko_condition_fault(rules, s, purse, move)
    if not fault:
        fault = ko_payment_fault(p, purse, move)
    return fault


cdef int ko_condition_fault(
        const Rules* rules, const State* s, const Purse* purse, uint32_t move) noexcept nogil:
    cdef int seat = s.active - 1
    cdef const Player* p = &s.players[seat]
    cdef int action = action_of(move)
    if ROWS[action].letters:
        return square_fault(rules, s, action, first_of(move))
    if action == HAIL or action == MARRY:
        return appointment_fault(p, move)
    elif action == BUILD:
        if pair_of(p, first_of(move)) == 2:
            return FAULT_TOO_MANY
        return NO_FAULT if ko_has_room(rules, s, seat, BUILDINGS) else FAULT_NO_ROOM
    elif action == POISON:
        return NO_FAULT if p.towers[K].base else FAULT_NO_KING
    elif action == SWAY or action == MAJESTY or action == FORCE:
        return enemy_fault(rules, s, action, first_of(move), second_of(move))
    elif action == TRAIN:
        if pair_of(p, ROOK) == 0:
            return FAULT_NO_BUILDING
        if p.number[PAWN] == 8:
            return FAULT_TOO_MANY
        return NO_FAULT if ko_has_room(rules, s, seat, BUILDINGS) else FAULT_NO_ROOM
    elif action == DEFEND_UP:
        return NO_FAULT if pair_of(p, KNIGHT) else FAULT_NO_BUILDING
    elif action == BLESS:
        return NO_FAULT if pair_of(p, BISHOP) else FAULT_NO_BUILDING
    elif action == RAISE:
        if p.number[UNPAWN] == 8:
            return FAULT_TOO_MANY
        if p.number[TAINTED_BISHOP] == 0:
            return FAULT_NO_BUILDING
        return NO_FAULT if ko_has_room(rules, s, seat, 1 << TAINTED_BISHOP) else FAULT_NO_ROOM
    elif action == UNDEAD:
        return growth_fault(p, UNPAWN)
    elif action == BOISTER:
        return growth_fault(p, PAWN)
    elif action == INFIGHT:
        return infight_fault(p, purse, move)
    elif action == CONSPIRE_UP:
        return FAULT_ENDED if p.marks & ENDED else NO_FAULT
    elif action == PARLAY_UP:
        return parlay_fault(p, first_of(move))
    elif action == BALANCE:
        return balance_fault(s, first_of(move), second_of(move))
    return NO_FAULT


cdef int appointment_fault(const Player* p, uint32_t move) noexcept nogil:
    """Hail and Marry."""
    cdef int card = first_of(move)
    cdef bint is_marry = action_of(move) == MARRY
    cdef int fault = office_fault(p, action_of(move))
    if fault:
        return fault
    if card >> 2 != JACK + (1 if is_marry else 2):
        return FAULT_WRONG_CARD
    if not is_by_joker(move):
        return NO_FAULT if p.hand & bit(card) else FAULT_NOT_IN_HAND
    if p.hand_jokers == 0:
        return FAULT_NOT_IN_HAND
    return NO_FAULT if p.deck & bit(card) else FAULT_NOT_IN_DECK


cdef int growth_fault(const Player* p, int letter) noexcept nogil:
    """Boister and Boister Undead."""
    cdef int i
    if p.unused_red == 0:
        return FAULT_NO_CHECKER
    for i in range(p.num_pieces):
        if p.pieces[i].letter == letter and p.pieces[i].checkers < MOST_CHECKERS:
            return NO_FAULT
    return FAULT_NO_SUCH_PIECE


cdef int infight_fault(const Player* p, const Purse* purse, uint32_t move) noexcept nogil:
    """Infighting; the price counts, as it is paid with a card of the moved tower."""
    cdef int source = first_of(move)
    cdef int goal = second_of(move)
    cdef int level = next_rank(p, goal) - (source == A)
    cdef uint8_t[4] price
    if source == goal:
        return FAULT_SAME_TOWER
    if p.towers[source].base == 0 or p.towers[goal].base == 0:
        return FAULT_NO_BASE
    if not 0 <= level < p.towers[source].height:
        return FAULT_NOTHING_TO_MOVE
    ko_price(p, purse, move, price)
    if level < p.towers[source].height - ko_total(price):
        return NO_FAULT
    return FAULT_NOTHING_TO_MOVE


cdef int balance_fault(const State* s, int start, int goal) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int giver = piece_at(p, start)
    cdef int taker = piece_at(p, goal)
    if giver < 0 or taker < 0 or p.pieces[giver].letter != PAWN or p.pieces[taker].letter != PAWN:
        return FAULT_NO_SUCH_PIECE
    return transfer_fault(s, &p.pieces[giver], &p.pieces[taker])


cdef int square_fault(
        const Rules* rules, const State* s, int action, int square) noexcept nogil:
    """The actions that name one square."""
    cdef int seat = s.active - 1
    cdef const Player* p = &s.players[seat]
    cdef int content = on_square(s, square)
    cdef int letter = letter_on(content)
    cdef bint is_own = content != 0 and owner_on(content) == seat
    if not is_in(letter, ROWS[action].letters):
        return FAULT_NO_SUCH_PIECE
    if action == CHARM:
        if is_own:
            return FAULT_NO_SUCH_PIECE
        return NO_FAULT if ko_has_exit(rules, s, square) else FAULT_NO_ROOM
    if action == EXECUTE:
        if not ko_is_target(s, seat, square) or (is_own and letter != DARK):
            return FAULT_NO_SUCH_PIECE
        return NO_FAULT if is_touched(rules, s, seat, square) else FAULT_NOT_TOUCHING
    if not is_own:
        return FAULT_NO_SUCH_PIECE
    return ko_piece_fault(rules, s, action, &p.pieces[piece_at(p, square)])


cdef int ko_piece_fault(
        const Rules* rules, const State* s, int action, const Piece* piece) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    if action == FORTIFY or action == KNIGHT_UP:
        if piece.checkers == MOST_CHECKERS:
            return FAULT_FULL_PIECE
        return NO_FAULT if (
            p.unused_black if action == FORTIFY else p.unused_red) else FAULT_NO_CHECKER
    if action == TAINT:
        return FAULT_TAINTED if is_in(piece.letter, TAINTED_BUILDINGS) else NO_FAULT
    if action == SURGE:
        return FAULT_IN_FORCE if piece.flags & SURGED else NO_FAULT
    if action == FAILED:
        return NO_FAULT if ko_has_room(rules, s, s.active - 1, BUILDINGS) else FAULT_NO_ROOM
    if action == CHERRY:
        return NO_FAULT if has_match(rules, s, s.active - 1, piece.letter) else FAULT_NO_MATCH
    return NO_FAULT


# --- the land -------------------------------------------------------------------------------------

cdef bint ko_is_target(const State* s, int seat, int square) noexcept nogil:
    cdef int letter = letter_on(on_square(s, square))
    if letter == IVORY:
        return s.ivory.chosen != seat
    if letter == DARK:
        return s.dark.chosen == seat
    return letter != 0


cdef bint is_touched(const Rules* rules, const State* s, int seat, int square) noexcept nogil:
    """Whether a building or soldier of a seat is adjacent."""
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i, content
    for i in range(neighbours(rules, s, square, &around, room)):
        content = on_square(s, around[i])
        if owner_on(content) == seat and is_in(letter_on(content), BUILDINGS | SOLDIERS):
            return True
    return False


cdef bint ko_has_room(const Rules* rules, const State* s, int seat, int letters) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef int i
    for i in range(p.num_pieces):
        if is_in(p.pieces[i].letter, letters) and ko_has_exit(rules, s, p.pieces[i].square):
            return True
    return False


cdef bint has_match(const Rules* rules, const State* s, int seat, int letter) noexcept nogil:
    """Whether an enemy has a piece of the same kind on land (R7/cherry)."""
    cdef const Player* p
    cdef int other, i
    for other in range(rules.num_seats):
        if other == seat:
            continue
        p = &s.players[other]
        for i in range(p.num_pieces):
            if is_same_kind(p.pieces[i].letter, letter):
                return True
    return False
