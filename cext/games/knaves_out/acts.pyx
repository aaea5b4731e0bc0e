"""Legal actions of Knaves Out at `main`, in canonical order (R14.6 of the rules page)."""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport pop_lowest

from .actions cimport Purse, ko_condition_fault, ko_court_fault, ko_mark_fault, ko_payment_fault
from .cards cimport COURT_CHAOS, JACK, NO_COURT, bit, is_light, next_rank, of_rank
from .faults cimport NO_FAULT
from .geometry cimport neighbours
from .rows cimport PAY_ANY, PAY_DEVOUR_J, PAY_DEVOUR_K, PAY_EACH, PAY_MOVED, ROWS, Row
from .state cimport (
    A, BALANCE, BISHOP, BUILD, CHARM, DARK, EXECUTE, FORCE, FULL_HEIGHT, HAIL, INFIGHT, J, K,
    KNIGHT_UP, LICH_KING, MAJESTY, MARRY, NO_TOWER, NUM_ACTIONS, PAWN, Q, ROOK, SWAY, Player,
    act_of, is_in, letter_on, on_square, owner_on)

# Sets of actions by bit: those of the dark book and of the light one, each with those of every
# player; those of a court and of every player; those that so many cards on a tower, or on each
# tower, pay by their lowest price. OTHERS name their tower, UNSURE may cost a card more.
cdef uint64_t[2] BOOKS
cdef uint64_t[COURT_CHAOS + 1] OF_COURT
cdef uint64_t[4][2 * FULL_HEIGHT + 1] PAID_BY
cdef uint64_t[FULL_HEIGHT + 1] PAID_BY_EACH
cdef uint64_t OTHERS = 0
cdef uint64_t UNSURE = bit(HAIL) | bit(KNIGHT_UP)


cdef int fill_tables() except -1:
    global OTHERS, UNSURE
    cdef uint64_t action
    cdef const Row* row
    cdef int i, book, court, cards
    for i in range(NUM_ACTIONS):
        action = bit(i)
        row = &ROWS[i]
        for book in range(2):
            if row.court == NO_COURT or is_light(row.court) == book:
                BOOKS[book] |= action
        for court in range(COURT_CHAOS + 1):
            if row.court == NO_COURT or row.court == court:
                OF_COURT[court] |= action
        if row.payment == PAY_ANY or row.payment == PAY_MOVED:
            OTHERS |= action
        if row.payment > PAY_EACH:
            UNSURE |= action
        for cards in range(2 * FULL_HEIGHT + 1):
            if row.payment <= A and row.price <= cards:
                PAID_BY[row.payment][cards] |= action
            if PAY_DEVOUR_J <= row.payment <= PAY_DEVOUR_K and cards >= FULL_HEIGHT:
                PAID_BY[row.payment - PAY_DEVOUR_J][cards] |= action
        for cards in range(min(row.price, row.out), FULL_HEIGHT + 1):
            if row.payment == PAY_EACH:
                PAID_BY_EACH[cards] |= action
    return 0


fill_tables()


cdef int ko_acts(
        const Rules* rules, const State* s, const Purse* purse, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef uint64_t actions, sure
    cdef int found = 0
    cdef int action
    cdef uint32_t move
    if purse.acts_left == 0:
        return 0
    actions = actions_for(p, purse)
    sure = sure_of(purse)
    while actions:
        action = pop_lowest(&actions)
        move = act_of(action)
        if ko_mark_fault(p, action):
            continue
        if not sure & bit(action):
            if ko_court_fault(rules, p, purse, move):
                continue
            if OTHERS & bit(action):
                found += tower_acts(rules, s, purse, action, out + found)
                continue
            if ko_payment_fault(p, purse, move):
                continue
        found += acts_of(rules, s, purse, action, out + found)
    return found


cdef inline uint64_t actions_for(const Player* p, const Purse* purse) noexcept nogil:
    """The actions that are not out of reach by book or price, as most are: told at once."""
    cdef uint64_t actions = BOOKS[0] & BOOKS[1]
    if purse.court != NO_COURT:
        actions = BOOKS[is_light(purse.court)]
    if purse.has_feast:
        return actions
    return actions & (
        OTHERS | PAID_BY_EACH[purse.each] | PAID_BY[J][purse.height[J]]
        | PAID_BY[Q][purse.height[Q]] | PAID_BY[A][purse.height[A]]
        | PAID_BY[K][purse.height[K] << (p.effects & LICH_KING != 0)])


cdef inline uint64_t sure_of(const Purse* purse) noexcept nogil:
    """Of the actions for which no prices change, those that court and towers are enough for."""
    cdef uint64_t found
    if purse.court == NO_COURT or purse.has_feast:
        return 0
    found = PAID_BY[J][purse.height[J]] | PAID_BY[Q][purse.height[Q]]
    found |= PAID_BY[K][purse.height[K]] | PAID_BY[A][purse.height[A]]
    return OF_COURT[purse.court] & ~UNSURE & (found | PAID_BY_EACH[purse.each])


cdef inline int put_if(
        const Rules* rules, const State* s, const Purse* purse, uint32_t* out, int found,
        uint32_t move) noexcept nogil:
    """Append an action whose condition holds."""
    out[found] = move
    return found + (ko_condition_fault(rules, s, purse, move) == NO_FAULT)


cdef int tower_acts(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """Parlay and Infighting, whose price depends on the towers that they name."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int found = 0
    cdef int first, second
    for first in range(4 if action == INFIGHT else NO_TOWER + 1):
        if first < NO_TOWER and purse.height[first] == 0:
            continue    # nothing to pay with or to move
        for second in range(4 if action == INFIGHT else 1):
            if action == INFIGHT and next_rank(p, second) > purse.height[first]:
                continue    # it has no card that fits
            out[found] = act_of(action, first, second)
            if not ko_condition_fault(rules, s, purse, out[found]):
                found += ko_payment_fault(p, purse, out[found]) == NO_FAULT
    return found


cdef int acts_of(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """List the moves of an action that can be paid."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int found = 0
    cdef int i, k
    cdef uint32_t move
    if action == HAIL or action == MARRY:
        return appointments(rules, s, purse, action, out)
    if action == CHARM or action == EXECUTE:
        return acts_on_enemies(rules, s, purse, action, out)
    if action == BUILD:
        for i in range(ROOK, BISHOP + 1):
            found = put_if(rules, s, purse, out, found, act_of(action, i))
    elif action == SWAY or action == MAJESTY or action == FORCE:
        for i in range(rules.num_seats):
            for k in range(4 if action == FORCE else 1):
                found = put_if(rules, s, purse, out, found, act_of(action, i, k))
    elif ROWS[action].letters:
        for i in range(p.num_pieces):
            if is_in(p.pieces[i].letter, ROWS[action].letters):
                found = put_if(rules, s, purse, out, found, act_of(action, p.pieces[i].square))
    elif action == BALANCE:
        for i in range(p.num_pieces):
            for k in range(p.num_pieces if p.pieces[i].letter == PAWN else 0):
                move = act_of(action, p.pieces[i].square, p.pieces[k].square)
                found = put_if(rules, s, purse, out, found, move)
    else:
        found = put_if(rules, s, purse, out, found, act_of(action))
    return found


cdef int appointments(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """Hail and Marry: cards of the hand, then those of the deck by a Joker."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef uint64_t rank = of_rank(JACK + (1 if action == MARRY else 2))
    cdef uint64_t cards = p.hand & rank
    cdef int found = 0
    while cards:
        found = put_if(rules, s, purse, out, found, act_of(action, pop_lowest(&cards)))
    cards = p.deck & rank if p.hand_jokers else 0
    while cards:
        found = put_if(rules, s, purse, out, found, act_of(action, pop_lowest(&cards), 0, True))
    return found


cdef int acts_on_enemies(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """Charm: on pawns of enemies; Execute: on what is adjacent to own pieces."""
    cdef uint64_t[8] masks
    cdef const Player* p
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = 0
    cdef int i, k, seat, board, content
    memset(masks, 0, sizeof(masks))
    if action == EXECUTE:
        p = &s.players[s.active - 1]
        for i in range(p.num_pieces):
            for k in range(neighbours(rules, s, p.pieces[i].square, &around, room)):
                content = on_square(s, around[k])
                if content and (owner_on(content) != s.active - 1 or letter_on(content) == DARK):
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
                rules, s, purse, out, found, act_of(action, 64 * board + pop_lowest(&masks[board])))
    return found
