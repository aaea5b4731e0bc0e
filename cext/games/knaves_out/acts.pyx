"""Legal actions of Knaves Out at `main`, in canonical order (R14.6 of the rules page)."""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport pop_lowest

from .actions cimport (
    Purse, ko_act_fault, ko_condition_fault, ko_court_fault, ko_mark_fault, ko_payment_fault)
from .cards cimport JACK, NO_COURT, bit, is_light, of_rank
from .faults cimport NO_FAULT
from .geometry cimport neighbours
from .rows cimport PAY_ANY, PAY_EACH, PAY_MOVED, ROWS, Row
from .state cimport (
    A, BALANCE, BISHOP, BUILD, CASTLE, CHARM, CHERRY, EXECUTE, FAILED, FORCE, FORTIFY, HAIL,
    INFIGHT, KNIGHT_UP, MAJESTY, MARRY, NO_TOWER, NUM_ACTIONS, PAWN, RAISE, ROOK, RUSH_UP, SURGE,
    SWAY, TAINT, Player, act_of, on_square)


cdef int ko_acts(
        const Rules* rules, const State* s, const Purse* purse, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int book = RUSH_UP if is_light(purse.court) else RAISE
    cdef int length = 0 if purse.court == NO_COURT else (
        NUM_ACTIONS - RUSH_UP if is_light(purse.court) else RUSH_UP - RAISE)
    cdef int found = 0
    cdef int i, action
    cdef uint32_t move
    if purse.acts_left == 0:
        return 0
    for i in range(RAISE + length):     # those of every player come first, then the books
        action = i if i < RAISE else book + i - RAISE
        if is_too_dear(purse, &ROWS[action]):
            continue
        move = act_of(action)
        if ko_court_fault(rules, p, purse, move) or ko_mark_fault(p, action):
            continue
        if ROWS[action].payment == PAY_ANY or ROWS[action].payment == PAY_MOVED:
            found += tower_acts(rules, s, purse, action, out + found)
        elif ko_payment_fault(p, purse, move) == NO_FAULT:
            found += acts_of(rules, s, action, out + found)
    return found


cdef inline bint is_too_dear(const Purse* purse, const Row* row) noexcept nogil:
    """Whether an action is too dear for sure, as most are: told at once."""
    if purse.has_feast:
        return False
    if row.payment == PAY_EACH:
        return purse.each < min(row.price, row.out)
    # Lich King halves prices.
    return row.payment <= A and 2 * purse.height[row.payment] < row.price


cdef inline int put_if(
        const Rules* rules, const State* s, uint32_t* out, int found, uint32_t move) noexcept nogil:
    """Append an action whose condition holds."""
    out[found] = move
    return found + (ko_condition_fault(rules, s, move) == NO_FAULT)


cdef int tower_acts(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """Parlay and Infighting, whose price depends on the towers that they name."""
    cdef int found = 0
    cdef int first, second
    cdef uint32_t move
    for first in range(4 if action == INFIGHT else NO_TOWER + 1):
        for second in range(4 if action == INFIGHT else 1):
            move = act_of(action, first, second)
            out[found] = move
            found += ko_act_fault(rules, s, purse, move) == NO_FAULT
    return found


cdef int acts_of(const Rules* rules, const State* s, int action, uint32_t* out) noexcept nogil:
    """List the moves of an action that can be paid."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int found = 0
    cdef int i, k
    if action == HAIL or action == MARRY:
        return appointments(rules, s, action, out)
    if action == CHARM or action == EXECUTE:
        return acts_on_enemies(rules, s, action, out)
    if action == BUILD:
        for i in range(ROOK, BISHOP + 1):
            found = put_if(rules, s, out, found, act_of(action, i))
    elif action == SWAY or action == MAJESTY or action == FORCE:
        for i in range(rules.num_seats):
            for k in range(4 if action == FORCE else 1):
                found = put_if(rules, s, out, found, act_of(action, i, k))
    elif action in (FORTIFY, KNIGHT_UP, TAINT, SURGE, FAILED, CHERRY, CASTLE):
        for i in range(p.num_pieces):
            found = put_if(rules, s, out, found, act_of(action, p.pieces[i].square))
    elif action == BALANCE:
        for i in range(p.num_pieces):
            for k in range(p.num_pieces if p.pieces[i].letter == PAWN else 0):
                found = put_if(
                    rules, s, out, found, act_of(action, p.pieces[i].square, p.pieces[k].square))
    else:
        found = put_if(rules, s, out, found, act_of(action))
    return found


cdef int appointments(
        const Rules* rules, const State* s, int action, uint32_t* out) noexcept nogil:
    """Hail and Marry: cards of the hand, then those of the deck by a Joker."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef uint64_t rank = of_rank(JACK + (1 if action == MARRY else 2))
    cdef uint64_t cards = p.hand & rank
    cdef int found = 0
    while cards:
        found = put_if(rules, s, out, found, act_of(action, pop_lowest(&cards)))
    cards = p.deck & rank if p.hand_jokers else 0
    while cards:
        found = put_if(rules, s, out, found, act_of(action, pop_lowest(&cards), 0, True))
    return found


cdef int acts_on_enemies(
        const Rules* rules, const State* s, int action, uint32_t* out) noexcept nogil:
    """Charm: on pawns of enemies; Execute: on what is adjacent to own pieces."""
    cdef uint64_t[8] masks
    cdef const Player* p
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = 0
    cdef int i, k, seat, board
    memset(masks, 0, sizeof(masks))
    if action == EXECUTE:
        p = &s.players[s.active - 1]
        for i in range(p.num_pieces):
            for k in range(neighbours(rules, s, p.pieces[i].square, &around, room)):
                if on_square(s, around[k]):
                    masks[around[k] >> 6] |= bit(around[k] & 63)
    else:
        for seat in range(rules.num_seats):
            p = &s.players[seat]
            for i in range(p.num_pieces if seat != s.active - 1 else 0):
                if p.pieces[i].letter == PAWN:
                    masks[p.pieces[i].square >> 6] |= bit(p.pieces[i].square & 63)
    for board in range(rules.num_seats):
        while masks[board]:
            found = put_if(
                rules, s, out, found, act_of(action, 64 * board + pop_lowest(&masks[board])))
    return found
