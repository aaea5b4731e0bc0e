"""Why a move or outcome of Knaves Out is not possible; see the .pyx."""

from libc.stdint cimport uint32_t

from ...game cimport Refusal
from .state cimport Rules, State

cdef enum Illegality:
    GAME_ENDED = 500
    BOARD_OVERLAPS, BOARD_APART, KING_ELSEWHERE, COURT_RANK, UNDER_TAINTED, FUEL_OTHER, FUEL_GONE
    DRAW_HIDDEN, NOT_DRAWN
    PLAY_NOT_HELD, PLAY_NO_JOKER, PLAY_NOT_IN_DECK, PLAY_KNAVE, PLAY_NO_BASE, PLAY_FULL, PLAY_RANK
    ACE_NEVER, ACE_COURT, ACE_DEVOUR
    DARK_ENEMY
    WAIVE_NOTHING, WAIVE_NEEDED
    FIND_OTHER, FIND_GONE, FIND_UNFIT
    AT_TAKEN, AT_AWAY, AT_AWAY_BISHOP, AT_INLAND, AT_PERMISSION
    ON_OTHER
    STEP_TAKEN, STEP_AWAY, STOP_EARLY
    RED_RANGE, FROM_NOTHING
    REROLL_FACE, REDIR_OTHER
    DIE_ONE
    NOT_NOW = 600       # and the verb
    # And a `Fault` << 6 and the action or verb.
    ACT_FAULT = 1 << 12
    VERB_FAULT = 1 << 13
    NODE_FAULT = 1 << 14    # besides: the fault of the action or attack that a node belongs to

# `Game.check_move`.
cdef int ko_check_move(
    const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil

# Refuse an action of the active seat, for a `Fault`; `kind` is 0 or NODE_FAULT.
cdef int ko_refuse_act(
    const State* s, uint32_t move, int fault, int kind, Refusal* out) noexcept nogil
