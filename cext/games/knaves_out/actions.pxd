"""Prices and conditions of the actions (R6, R7); see the .pyx.

Conditions return a `Fault`.
"""

from libc.stdint cimport uint8_t, uint32_t

from .state cimport Player, Rules, State

# What a player can pay.
cdef struct Purse:
    uint8_t acts_left
    uint8_t has_feast
    uint8_t court       # a `Court`
    uint8_t colour      # of its book, a `Colour`; ANY_COLOUR without a court
    uint8_t each        # most cards of each court card that can be paid, with one of the AoS
    uint8_t[4] height   # by tower
    uint8_t[4] run      # cards of that colour on top

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

# The limit R6.1, the court cards and the book (R6.2 to R6.4).
cdef int ko_court_fault(
    const Rules* rules, const Player* p, const Purse* purse, uint32_t move) noexcept nogil

# Whether the price can be paid, by an action without `ko_court_fault`.
cdef int ko_payment_fault(const Player* p, const Purse* purse, uint32_t move) noexcept nogil

# `waive:` at its node.
cdef int ko_waive_fault(const State* s, int tower) noexcept nogil

# Whether the mark or effect of an action is in force already.
cdef int ko_mark_fault(const Player* p, int action) noexcept nogil

# The condition of the row for an ACT move of the active seat, without mark and effect.
cdef int ko_condition_fault(const Rules* rules, const State* s, uint32_t move) noexcept nogil

# Whether an ACT move is legal at `main`.
cdef int ko_act_fault(
    const Rules* rules, const State* s, const Purse* purse, uint32_t move) noexcept nogil

# Whether a piece of these letters of a seat has an empty adjacent square.
cdef bint ko_has_room(const Rules* rules, const State* s, int seat, int letters) noexcept nogil

# Whether a seat may attack what stands here, or Execute it if it is an enemy's: any building or
# soldier, or one of the Two Towers under its condition (R9.1, R7/execute).
cdef bint ko_is_target(const State* s, int seat, int square) noexcept nogil
