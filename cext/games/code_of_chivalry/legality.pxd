"""Why moves and outcomes are not legal; see the .pyx."""

from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport Refusal

from .state cimport Rules, State

# Why a move is not legal; to each code from 200 on a `Verb` is added.
cdef enum MoveFault:
    GAME_WON = 100
    LIMIT_REACHED
    PLAYED_ALREADY
    TURN_OF_ATTACK
    TURN_OF_FORTIFYING
    NO_JESTER
    NOT_IN_DECK
    NO_JESTER_ROLE
    ATTACKS_ITSELF
    OTHER_TARGET
    NO_ATTACK_CARD
    BARRED_BY_MINSTREL
    NO_ARCHER_TO_SHOOT
    NO_CASTLE_TO_ATTACK
    SECOND_LADDER
    BARRED_BY_ARCHER
    BARRED_BY_CASTLE
    LAID_ALREADY
    NO_CARD_FOR_HERALD
    NO_CASTLE_TO_TAX
    BUYS_OF_ITSELF
    NO_GEM_TO_PAY
    TOO_FEW_TO_SELL
    NO_ANSWER
    MINSTREL_LAID
    NOT_LAID
    NO_GEM_FOR_TAX
    TOO_FEW_FOR_TAX
    NOT_NOW = 200
    NOT_HELD = 220
    NOT_NAMED = 240
    NOT_IN_PILE = 260
    PILE_HIDDEN = 280

# Write the first reason against a move or outcome that is not possible in a valid state or
# observation, and return its code; 0: no specific reason, or one hidden from the observer.
cdef int coc_check_move(
    const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil
