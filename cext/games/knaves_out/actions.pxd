"""Prices and conditions of the actions (R6, R7); see the .pyx.

Conditions return a `Fault`.
"""

from libc.stdint cimport uint8_t, uint32_t

from .cards cimport NO_COURT, has_court, is_light
from .faults cimport (
    FAULT_ACTS, FAULT_BASE_OF_PRICE, FAULT_BOOK, FAULT_COURT, FAULT_EMPTY_STACK, FAULT_FEAST_ONLY,
    FAULT_FULL_PIECE, FAULT_HAS_COURT_CARD, FAULT_IN_FORCE, FAULT_NOT_ADJACENT, FAULT_NO_BASE,
    FAULT_NO_CHECKER, FAULT_NO_ENEMY, FAULT_NO_KING, FAULT_SKIPS_ALREADY, FAULT_SWAYED_ALREADY,
    NO_FAULT)
from .geometry cimport are_adjacent
from .pieces cimport MOST_CHECKERS
from .rows cimport ROWS, Row
from .state cimport (
    A, FEAST, J, K, LADY_LUCK, LUCK_UP, MAJESTY, MARRY, MOTORHEAD, NO_TOWER, Q, SKIP, SKIPPED, SWAY,
    Piece, Player, Rules, State, action_of)

# What a player can pay.
cdef struct Purse:
    uint8_t acts_left
    uint8_t has_feast
    uint8_t court       # a `Court`
    uint8_t colour      # of its book, a `Colour`; ANY_COLOUR without a court
    uint8_t each        # most cards of each court card that can be paid, with one of the AoS
    uint8_t each_run    # `each` of cards of that colour on top; 0 without a court
    uint8_t[4] height   # by tower


cdef inline int acts_left(const State* s, const Player* p) noexcept nogil:
    """R6.1, of the active player."""
    return (2 if p.effects & MOTORHEAD else 1) - s.acts

cdef void ko_open_purse(const State* s, int seat, Purse* purse) noexcept nogil

# Write the price of an action before waivers: cards by tower, NO_PRICE for towers that it does not
# concern; returns its colour. Not for devouring.
cdef int ko_price(
    const Player* p, const Purse* purse, uint32_t move, uint8_t* price) noexcept nogil

# The cards of a price.
cdef int ko_total(const uint8_t* price) noexcept nogil

# Whether an action leaves waivers to choose (R6.6).
cdef bint ko_has_waivers(
    const Player* p, const Purse* purse, uint32_t move, const uint8_t* price) noexcept nogil

# Whether the price can be paid, by an action without `ko_court_fault`.
cdef int ko_payment_fault(const Player* p, const Purse* purse, uint32_t move) noexcept nogil

# `waive:` at its node.
cdef int ko_waive_fault(const State* s, int tower) noexcept nogil

# The condition of the row for an ACT move of the active seat, without mark and effect.
cdef int ko_condition_fault(
    const Rules* rules, const State* s, const Purse* purse, uint32_t move) noexcept nogil

# The same of the actions that name an own piece.
cdef int ko_piece_fault(
    const Rules* rules, const State* s, int action, const Piece* piece) noexcept nogil

# Whether an ACT move is legal at `main`.
cdef int ko_act_fault(
    const Rules* rules, const State* s, const Purse* purse, uint32_t move) noexcept nogil

# Whether a piece of these letters of a seat has an empty adjacent square.
cdef bint ko_has_room(const Rules* rules, const State* s, int seat, int letters) noexcept nogil

# Whether a seat may attack what stands here, or Execute it if it is an enemy's: any building or
# soldier, or one of the Two Towers under its condition (R9.1, R7/execute).
cdef bint ko_is_target(const State* s, int seat, int square) noexcept nogil


cdef inline int ko_court_fault(
        const Rules* rules, const Player* p, const Purse* purse, uint32_t move) noexcept nogil:
    """The limit R6.1, the court cards and the book (R6.2 to R6.4)."""
    cdef const Row* row = &ROWS[action_of(move)]
    if purse.acts_left == 0:
        return FAULT_ACTS
    if row.court != NO_COURT:
        if purse.court == NO_COURT or is_light(purse.court) != is_light(row.court):
            return FAULT_BOOK
    elif row.payment <= A:
        if p.towers[row.payment].base == 0:
            return FAULT_BASE_OF_PRICE
    elif not has_court(p) and not (rules.takes_present and p.towers[J].base):
        return FAULT_COURT      # without a Knave there is no other tower either
    return NO_FAULT


cdef inline int ko_mark_fault(const Player* p, int action) noexcept nogil:
    """Whether the mark or effect of an action is in force already."""
    cdef const Row* row = &ROWS[action]
    if row.mark and p.marks >> (row.mark - 1) & 1:
        return FAULT_IN_FORCE
    if p.effects & row.effect or (action == LUCK_UP and p.effects & LADY_LUCK):
        return FAULT_IN_FORCE
    return NO_FAULT


cdef inline int office_fault(const Player* p, int action) noexcept nogil:
    """What stands against any new King, by Hail, or Queen, by Marry."""
    if action == MARRY and p.towers[K].base == 0:
        return FAULT_NO_KING
    return FAULT_HAS_COURT_CARD if p.towers[Q if action == MARRY else K].base else NO_FAULT


cdef inline int parlay_fault(const Player* p, int tower) noexcept nogil:
    if (tower == NO_TOWER) != (p.marks & FEAST != 0):
        return FAULT_FEAST_ONLY
    if tower == NO_TOWER:
        return NO_FAULT
    if p.towers[tower].base == 0:
        return FAULT_NO_BASE
    return NO_FAULT if p.towers[tower].height else FAULT_EMPTY_STACK


cdef inline int transfer_fault(
        const State* s, const Piece* giver, const Piece* taker) noexcept nogil:
    """What stands against a checker from one pawn to another, by Balance."""
    if not are_adjacent(s, giver.square, taker.square):
        return FAULT_NOT_ADJACENT
    if giver.checkers == 0:
        return FAULT_NO_CHECKER
    return FAULT_FULL_PIECE if taker.checkers == MOST_CHECKERS else NO_FAULT


cdef inline int enemy_fault(
        const Rules* rules, const State* s, int action, int other, int tower) noexcept nogil:
    """The conditions of Sway, Majesty and Force of will for an enemy."""
    cdef const Player* p
    if other >= rules.num_seats or other == s.active - 1 or not s.players[other].is_alive:
        return FAULT_NO_ENEMY
    p = &s.players[other]
    if action == SWAY:
        return FAULT_SWAYED_ALREADY if p.swayers >> (s.active - 1) & 1 else NO_FAULT
    if action == MAJESTY:
        return FAULT_SKIPS_ALREADY if p.marks & (SKIP | SKIPPED) else NO_FAULT
    return NO_FAULT if p.towers[tower].height else FAULT_EMPTY_STACK
