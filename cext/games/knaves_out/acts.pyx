"""Legal actions of Knaves Out at `main`, in canonical order (R14.6 of the rules page)."""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport pop_lowest

from .actions cimport (
    Purse, enemy_fault, ko_condition_fault, ko_court_fault, ko_is_target, ko_payment_fault,
    ko_piece_fault, office_fault, parlay_fault, transfer_fault)
from .cards cimport COURT_CHAOS, JACK, NO_COURT, bit, is_light, next_rank, of_rank, run_of
from .faults cimport NO_FAULT
from .geometry cimport ko_has_exit, neighbours
from .rows cimport PAY_DEVOUR_J, PAY_DEVOUR_K, PAY_EACH, ROWS, Row
from .state cimport (
    A, BALANCE, BISHOP, BLESS, BOISTER, BUILD, CHARM, CONSPIRE_UP, DARK, DEFEND_UP, EXECUTE, FORCE,
    FULL_HEIGHT, HAIL, INFIGHT, J, K, KNIGHT_UP, LADY_LUCK, LICH_KING, LUCK_UP, MAJESTY, MARRY,
    NO_TOWER, NUM_ACTIONS, PARLAY_UP, PAWN, POISON, Q, RAISE, ROOK, SWAY, TRAIN, UNDEAD, Player,
    act_of, is_in, letter_on, on_square, owner_on)

# Sets of actions by bit: those of the dark book and of the light one, each with those of every
# player; those of a court and of every player; those that so many cards on a tower pay, and so many
# on each tower, by the price of the own court and by that of another one; those that devour a
# tower; those of a mark or an effect, by its bit. Parlay and Infighting name their tower; the last
# set are those without a target that have a condition.
cdef uint64_t[2] BOOKS
cdef uint64_t[COURT_CHAOS + 1] OF_COURT
cdef uint64_t[4][2 * FULL_HEIGHT + 1] PAID_BY
cdef uint64_t[FULL_HEIGHT + 1] PAID_BY_EACH
cdef uint64_t[FULL_HEIGHT + 1] PAID_BY_EACH_RUN
cdef uint64_t[3] DEVOUR
cdef uint64_t[32] OF_MARK
cdef uint64_t[8] OF_EFFECT
cdef uint64_t NAME_TOWERS = bit(PARLAY_UP) | bit(INFIGHT)
cdef uint64_t HAVE_CONDITIONS = (
    bit(POISON) | bit(TRAIN) | bit(DEFEND_UP) | bit(BLESS) | bit(RAISE) | bit(UNDEAD) | bit(BOISTER)
    | bit(CONSPIRE_UP))


cdef int fill_tables() except -1:
    cdef uint64_t action
    cdef const Row* row
    cdef int i, k
    for i in range(NUM_ACTIONS):
        action = bit(i)
        row = &ROWS[i]
        for k in range(2):
            if row.court == NO_COURT or is_light(row.court) == k:
                BOOKS[k] |= action
        for k in range(COURT_CHAOS + 1):
            if row.court == NO_COURT or row.court == k:
                OF_COURT[k] |= action
        if row.payment <= A:
            for k in range(row.price, 2 * FULL_HEIGHT + 1):
                PAID_BY[row.payment][k] |= action
        elif row.payment == PAY_EACH:
            for k in range(row.price, FULL_HEIGHT + 1):
                PAID_BY_EACH[k] |= action
            for k in range(row.out, FULL_HEIGHT + 1):
                PAID_BY_EACH_RUN[k] |= action
        elif row.payment <= PAY_DEVOUR_K:
            DEVOUR[row.payment - PAY_DEVOUR_J] |= action
        if row.mark:
            OF_MARK[row.mark - 1] |= action
        for k in range(8):
            if row.effect >> k & 1 or (i == LUCK_UP and 1 << k == LADY_LUCK):
                OF_EFFECT[k] |= action
    return 0


fill_tables()


cdef int ko_acts(
        const Rules* rules, const State* s, const Purse* purse, uint32_t* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef uint64_t actions = BOOKS[0] & BOOKS[1]
    cdef uint64_t unsure = 0
    cdef int found = 0
    cdef int action
    if purse.court != NO_COURT:
        actions = BOOKS[is_light(purse.court)]
    actions &= ~in_force(p)
    if purse.has_feast:
        unsure = actions
    else:
        actions &= NAME_TOWERS | paid_by(rules, p, purse)
        if p.towers[J].tainted:
            unsure |= bit(HAIL)
        if p.towers[K].tainted:
            unsure |= bit(KNIGHT_UP)
    while actions:
        action = pop_lowest(&actions)
        if action == PARLAY_UP:
            found += parlays(p, purse, out + found)
        elif action == INFIGHT:
            found += infights(rules, s, purse, out + found)
        elif not unsure & bit(action) or is_paid(rules, p, purse, act_of(action)):
            found += acts_of(rules, s, purse, action, out + found)
    return found


cdef inline bint is_paid(
        const Rules* rules, const Player* p, const Purse* purse, uint32_t move) noexcept nogil:
    return not (ko_court_fault(rules, p, purse, move) or ko_payment_fault(p, purse, move))


cdef inline uint64_t in_force(const Player* p) noexcept nogil:
    """The actions whose mark or effect is in force (`ko_mark_fault`)."""
    cdef uint64_t marks = p.marks
    cdef uint64_t effects = p.effects
    cdef uint64_t found = 0
    while marks:
        found |= OF_MARK[pop_lowest(&marks)]
    while effects:
        found |= OF_EFFECT[pop_lowest(&effects)]
    return found


cdef inline uint64_t paid_by(
        const Rules* rules, const Player* p, const Purse* purse) noexcept nogil:
    """The actions that court and towers are enough for without Feast, told at once.

    That is no `ko_court_fault` and no `ko_payment_fault`, without the book and without the card
    more that Hail and Knight cost by a tainted tower.
    """
    cdef uint64_t own = OF_COURT[purse.court]
    cdef uint64_t found = PAID_BY[J][purse.height[J]] | PAID_BY[Q][purse.height[Q]]
    cdef int tower
    found |= PAID_BY[A][purse.height[A]]
    found |= PAID_BY[K][purse.height[K] << (p.effects & LICH_KING != 0)]
    if purse.court != NO_COURT or (rules.takes_present and p.towers[J].base):
        found |= own & PAID_BY_EACH[purse.each] | PAID_BY_EACH_RUN[purse.each_run] & ~own
    for tower in range(A):
        if purse.height[tower] == FULL_HEIGHT:
            found |= DEVOUR[tower] & own
            if run_of(&p.towers[tower], purse.colour) == FULL_HEIGHT:
                found |= DEVOUR[tower]
    return found


cdef inline int put_if(
        const Rules* rules, const State* s, const Purse* purse, uint32_t* out, int found,
        uint32_t move) noexcept nogil:
    """Append an action whose condition holds."""
    out[found] = move
    return found + (ko_condition_fault(rules, s, purse, move) == NO_FAULT)


cdef int parlays(const Player* p, const Purse* purse, uint32_t* out) noexcept nogil:
    """Parlay, by the tower that pays, or none; its condition comes first (`ko_price`)."""
    cdef int found = 0
    cdef int tower
    for tower in range(NO_TOWER + 1):
        out[found] = act_of(PARLAY_UP, tower)
        if not parlay_fault(p, tower):
            found += ko_payment_fault(p, purse, out[found]) == NO_FAULT
    return found


cdef int infights(
        const Rules* rules, const State* s, const Purse* purse, uint32_t* out) noexcept nogil:
    """Infighting, whose price depends on the tower that gives."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int found = 0
    cdef int first, second
    for first in range(4):
        if purse.height[first] == 0 or ko_payment_fault(p, purse, act_of(INFIGHT, first)):
            continue
        for second in range(4):
            if next_rank(p, second) <= purse.height[first]:     # it has a card that fits
                found = put_if(rules, s, purse, out, found, act_of(INFIGHT, first, second))
    return found


cdef int acts_of(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """List the moves of an action that can be paid."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int found = 0
    cdef int i, k
    if action == HAIL or action == MARRY:
        return appointments(p, action, out)
    elif action == CHARM or action == EXECUTE:
        return acts_on_enemies(rules, s, purse, action, out)
    elif action == BUILD:
        for i in range(ROOK, BISHOP + 1):
            found = put_if(rules, s, purse, out, found, act_of(action, i))
    elif action == SWAY or action == MAJESTY or action == FORCE:
        for i in range(rules.num_seats):
            for k in range(4 if action == FORCE else 1):
                out[found] = act_of(action, i, k)
                found += enemy_fault(rules, s, action, i, k) == NO_FAULT
    elif action == BALANCE:
        for i in range(p.num_pieces):
            if p.pieces[i].letter != PAWN or p.pieces[i].checkers == 0:
                continue
            for k in range(p.num_pieces):
                if p.pieces[k].letter == PAWN:
                    out[found] = act_of(action, p.pieces[i].square, p.pieces[k].square)
                    found += transfer_fault(s, &p.pieces[i], &p.pieces[k]) == NO_FAULT
    elif ROWS[action].letters:
        for i in range(p.num_pieces):
            if is_in(p.pieces[i].letter, ROWS[action].letters):
                out[found] = act_of(action, p.pieces[i].square)
                found += ko_piece_fault(rules, s, action, &p.pieces[i]) == NO_FAULT
    elif HAVE_CONDITIONS & bit(action):
        found = put_if(rules, s, purse, out, found, act_of(action))
    else:
        out[0] = act_of(action)
        found = 1
    return found


cdef inline int appointments(const Player* p, int action, uint32_t* out) noexcept nogil:
    """Hail and Marry: cards of the hand, then those of the deck by a Joker."""
    cdef uint64_t rank = of_rank(JACK + (1 if action == MARRY else 2))
    cdef uint64_t cards = p.hand & rank
    cdef int found = 0
    if office_fault(p, action):
        return 0
    while cards:
        out[found] = act_of(action, pop_lowest(&cards))
        found += 1
    cards = p.deck & rank if p.hand_jokers else 0
    while cards:
        out[found] = act_of(action, pop_lowest(&cards), 0, True)
        found += 1
    return found


cdef int acts_on_enemies(
        const Rules* rules, const State* s, const Purse* purse, int action,
        uint32_t* out) noexcept nogil:
    """Charm: on pawns of enemies with room; Execute: on targets adjacent to own pieces."""
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
                    if ko_is_target(s, s.active - 1, around[k]):
                        masks[around[k] >> 6] |= bit(around[k] & 63)
    else:
        for seat in range(rules.num_seats):
            p = &s.players[seat]
            for i in range(p.num_pieces if seat != s.active - 1 and p.number[PAWN] else 0):
                if p.pieces[i].letter == PAWN and ko_has_exit(rules, s, p.pieces[i].square):
                    masks[p.pieces[i].square >> 6] |= bit(p.pieces[i].square & 63)
    for board in range(rules.num_seats):
        while masks[board]:
            out[found] = act_of(action, 64 * board + pop_lowest(&masks[board]))
            found += 1
    return found
