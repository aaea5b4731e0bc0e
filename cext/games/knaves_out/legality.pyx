"""Why a well-formed move or outcome of Knaves Out is not possible, with its rule.

The conditions of the rules say why an action, step or attack is not legal. Other moves are legal if
they are listed; of those that are not, this file says what is wrong.
"""

from libc.stdint cimport uint8_t

from ...game cimport refuse
from ...view_game cimport NOBODY
from .actions cimport Purse, ko_act_fault, ko_open_purse, ko_price
from .cards cimport ACE_OF_SPADES, NO_RANK, bit, fits, next_rank
from .faults cimport (
    FAULT_BASE_OF_PRICE, FAULT_BOOK, FAULT_COLOUR, FAULT_HEART_ATTACK, FAULT_NOT_IN_DECK,
    FAULT_NOT_IN_HAND, FAULT_PRICE)
from .legal cimport ko_attack_fault, ko_call_fault
from .movement cimport ko_land_fault, ko_landing_fault, ko_sail_fault, ko_step_fault
from .rows cimport ROWS
from .state cimport (
    A, AOS_COURT, AOS_OFF, HIDDEN_CARD, J, JOKER, KIND_DARK, KIND_IVORY, KIND_LAND, KIND_RAISE,
    KIND_TAX, NO_PRICE, STAGE_BOARD, STAGE_CHARM, STAGE_COURT_J, STAGE_COURT_K, STAGE_COURT_Q,
    STAGE_DRAW, STAGE_END, STAGE_FIND, STAGE_FIRST, STAGE_FUEL, STAGE_INSIGHT, STAGE_KEEP,
    STAGE_KING, STAGE_LIONHEART, STAGE_MAIN, STAGE_MIX, STAGE_PARLAY, STAGE_PLACE, STAGE_REDIRECT,
    STAGE_REROLL, STAGE_ROLL, STAGE_SAC, STAGE_SHUFFLE, STAGE_TAINT, STAGE_TARGET, STAGE_UNDER,
    STAGE_WAIVE, TOWER_CHECKERS, VERB_ACT, VERB_AT, VERB_ATTACK, VERB_BOARD, VERB_COURT, VERB_DARK,
    VERB_DIE, VERB_FIND, VERB_FROM, VERB_FUEL, VERB_INSIGHT, VERB_IVORY, VERB_JOKER, VERB_KING,
    VERB_LAND, VERB_LAST, VERB_MOVE, VERB_ON, VERB_PLAY, VERB_RED, VERB_REDIR, VERB_REROLL,
    VERB_SAIL, VERB_STEP, VERB_STOP, VERB_UNDER, VERB_WAIVE, Context, Player, action_of, first_of,
    is_by_joker, letter_on, on_square, second_of, verb_of)

# The stages that a verb belongs to, by `Verb`.
cdef int[38] STAGES_OF = [
    1 << STAGE_FIRST, 1 << STAGE_BOARD, 1 << STAGE_KING,
    1 << STAGE_COURT_J | 1 << STAGE_COURT_Q | 1 << STAGE_COURT_K, 1 << STAGE_UNDER,
    1 << STAGE_FUEL, 1 << STAGE_SHUFFLE, 1 << STAGE_SHUFFLE, 1 << STAGE_DRAW,
    1 << STAGE_MAIN, 1 << STAGE_MAIN, 1 << STAGE_MAIN, 1 << STAGE_MAIN, 1 << STAGE_MAIN,
    1 << STAGE_MAIN, 1 << STAGE_MAIN, 1 << STAGE_MAIN, 1 << STAGE_MAIN, 1 << STAGE_MAIN,
    1 << STAGE_MAIN, 1 << STAGE_WAIVE, 1 << STAGE_FIND, 1 << STAGE_FIND, 1 << STAGE_PLACE,
    1 << STAGE_TARGET, 1 << STAGE_CHARM, 1 << STAGE_CHARM,
    1 << STAGE_TAINT | 1 << STAGE_ROLL | 1 << STAGE_REROLL, 1 << STAGE_MIX, 1 << STAGE_SAC,
    1 << STAGE_INSIGHT, 1 << STAGE_INSIGHT | 1 << STAGE_PARLAY | 1 << STAGE_LIONHEART,
    1 << STAGE_PARLAY, 1 << STAGE_LIONHEART, 1 << STAGE_REDIRECT, 1 << STAGE_REDIRECT,
    1 << STAGE_KEEP, 1 << STAGE_KEEP]


cdef int ko_check_move(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    if s.stage == STAGE_END:
        return refuse(out, GAME_ENDED)
    if not STAGES_OF[verb] >> s.stage & 1:
        return refuse(out, NOT_NOW + verb, s.stage)
    if s.stage <= STAGE_FUEL:
        return check_setup(rules, s, move, out)
    if s.stage == STAGE_MAIN:
        return check_main(rules, s, move, out)
    if s.stage == STAGE_DRAW:
        return refuse(
            out, DRAW_HIDDEN if first_of(move) == HIDDEN_CARD else NOT_DRAWN, first_of(move))
    if verb == VERB_DIE:
        return refuse(out, DIE_ONE)
    if s.stage <= STAGE_SAC:
        return check_action_node(rules, s, move, out)
    return check_answer(s, move, out)


cdef inline bint is_seen(const State* s, int seat) noexcept nogil:
    return s.observer == NOBODY or s.observer == seat + 1


# --- setup ----------------------------------------------------------------------------------------

cdef int check_setup(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef const Context* c = &s.context
    if verb == VERB_BOARD:
        return refuse(out, BOARD_OVERLAPS if overlaps(rules, s, move) else BOARD_APART)
    if verb == VERB_KING:
        return refuse(out, KING_ELSEWHERE, first, s.node)
    if verb == VERB_COURT:
        return refuse(out, COURT_RANK, first, s.stage - STAGE_COURT_J)
    if verb == VERB_UNDER:
        return refuse(out, UNDER_TAINTED, first)
    if verb == VERB_FUEL:
        if second_of(move) != c.tower or first >> 2 != c.number:
            return refuse(out, FUEL_OTHER, c.number, c.tower)
        return refuse(out, FUEL_GONE, first) if is_seen(s, s.node) else 0
    return 0


cdef bint overlaps(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    """Whether a board would lie on a part of another one."""
    cdef int x = first_of(move) - 256
    cdef int y = second_of(move) - 256
    cdef int seat
    for seat in range(rules.num_seats):
        if (s.players[seat].is_placed and -8 < x - s.x[seat] < 8
                and -8 < y - s.y[seat] < 8):
            return True
    return False


# --- main -----------------------------------------------------------------------------------------

cdef int check_main(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef int second = second_of(move)
    cdef int fault = 0
    cdef Purse purse
    if verb == VERB_PLAY or verb == VERB_JOKER:
        return check_card(rules, s, move, out)
    if verb == VERB_ACT:
        ko_open_purse(s, s.active - 1, &purse)
        fault = ko_act_fault(rules, s, &purse, move)
        return ko_refuse_act(s, move, fault, 0, out) if fault else 0
    if verb == VERB_MOVE:
        fault = ko_step_fault(rules, s, first, second)
    elif verb == VERB_SAIL:
        fault = ko_sail_fault(rules, s, first)
    elif verb == VERB_LAND:
        fault = ko_land_fault(rules, s, first, second)
    elif verb == VERB_ATTACK or verb == VERB_LAST:
        fault = ko_attack_fault(rules, s, first, second, verb == VERB_LAST)
    elif verb == VERB_IVORY:
        fault = ko_call_fault(rules, s, KIND_IVORY)
    elif verb == VERB_DARK:
        fault = ko_call_fault(rules, s, KIND_DARK)
        if not fault:
            return refuse(out, DARK_ENEMY, first)
    return refuse(out, VERB_FAULT | fault << 6 | verb, first, second) if fault else 0


cdef int check_card(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    """PLAY and JOKER."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int card = first_of(move)
    if verb_of(move) == VERB_PLAY:
        if is_seen(s, s.active - 1) and not p.hand & bit(card):
            return refuse(out, PLAY_NOT_HELD, card)
    elif is_seen(s, s.active - 1):
        if p.hand_jokers == 0:
            return refuse(out, PLAY_NO_JOKER)
        if not p.deck & bit(card):
            return refuse(out, PLAY_NOT_IN_DECK, card)
    return 0 if fits(rules, p, card, second_of(move)) else check_fit(
        rules, p, card, second_of(move), out)


cdef int check_fit(
        const Rules* rules, const Player* p, int card, int tower, Refusal* out) noexcept nogil:
    """Why a card can't be played on a tower (R5.2 to R5.4)."""
    if p.towers[J].base == 0:
        return refuse(out, PLAY_KNAVE)
    if p.towers[tower].base == 0:
        if tower != A or card != ACE_OF_SPADES:
            return refuse(out, PLAY_NO_BASE, tower)
        if rules.aos == AOS_OFF:
            return refuse(out, ACE_NEVER)
        return refuse(out, ACE_COURT if rules.aos == AOS_COURT else ACE_DEVOUR)
    if next_rank(p, tower) == NO_RANK:
        return refuse(out, PLAY_FULL, tower)
    return refuse(out, PLAY_RANK, tower, next_rank(p, tower), card)


cdef int ko_refuse_act(
        const State* s, uint32_t move, int fault, int kind, Refusal* out) noexcept nogil:
    """Numbers: the arguments of the move, then what a price lacks."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int action = action_of(move)
    cdef int code = kind | ACT_FAULT | fault << 6 | action
    cdef int payment = ROWS[action].payment
    cdef uint8_t[4] price
    cdef Purse purse
    cdef int tower
    if (fault == FAULT_NOT_IN_HAND or fault == FAULT_NOT_IN_DECK) and not is_seen(s, s.active - 1):
        return 0
    if fault == FAULT_NOT_IN_HAND:
        return refuse(out, code, JOKER if is_by_joker(move) else first_of(move), 0, 0, s.stage)
    if fault == FAULT_BASE_OF_PRICE:
        return refuse(out, code, first_of(move), second_of(move), payment, s.stage)
    ko_open_purse(s, s.active - 1, &purse)
    if fault == FAULT_BOOK:
        return refuse(out, code, first_of(move), second_of(move), purse.court, s.stage)
    if fault == FAULT_COLOUR:
        return refuse(out, code, first_of(move), second_of(move), purse.colour, s.stage)
    if fault == FAULT_PRICE:
        ko_price(p, &purse, move, price)
        for tower in range(4):
            if price[tower] != NO_PRICE and price[tower] > p.towers[tower].height:
                return refuse(out, code, tower, price[tower], p.towers[tower].height, s.stage)
    return refuse(out, code, first_of(move), second_of(move), 0, s.stage)


# --- nodes of actions -----------------------------------------------------------------------------

cdef int check_action_node(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef const Context* c = &s.context
    cdef const Player* p = &s.players[s.active - 1]
    if verb == VERB_WAIVE:
        if c.price[first] == NO_PRICE or c.price[first] == 0:
            return refuse(out, WAIVE_NOTHING, first)
        return refuse(out, WAIVE_NEEDED, first)
    if verb == VERB_FIND:
        return check_find(rules, s, move, out)
    if verb == VERB_AT:
        return check_place(rules, s, first, out)
    if verb == VERB_ON:
        return refuse(out, ON_OTHER, first, letter_on(on_square(s, c.square)))
    if verb == VERB_STEP:
        return refuse(out, STEP_TAKEN if on_square(s, first) else STEP_AWAY, first, c.square)
    if verb == VERB_STOP:
        return refuse(out, STOP_EARLY)
    if verb == VERB_RED:
        return refuse(out, RED_RANGE, max(0, TOWER_CHECKERS - p.unused_black),
                      min(TOWER_CHECKERS, p.unused_red))
    return refuse(out, FROM_NOTHING, first) if verb == VERB_FROM else 0


cdef int check_find(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int card = first_of(move)
    cdef int tower = second_of(move)
    if s.context.kind == KIND_TAX and tower != s.context.tower:
        return refuse(out, FIND_OTHER, s.context.tower)
    if s.context.kind == KIND_TAX and card >> 2 != next_rank(p, tower):
        return refuse(out, FIND_UNFIT, card, tower)
    if is_seen(s, s.node) and not p.deck & bit(card):
        return refuse(out, FIND_GONE, card)
    return refuse(out, FIND_UNFIT, card, tower) if not fits(rules, p, card, tower) else 0


cdef int check_place(
        const Rules* rules, const State* s, int square, Refusal* out) noexcept nogil:
    cdef int kind = s.context.kind
    cdef int fault
    if on_square(s, square):
        return refuse(out, AT_TAKEN, square)
    if kind == KIND_RAISE:
        return refuse(out, AT_AWAY_BISHOP, square)
    if kind != KIND_LAND:
        return refuse(out, AT_AWAY, square)
    fault = ko_landing_fault(rules, s, s.context.letter, square)
    return refuse(out, AT_PERMISSION if fault == FAULT_HEART_ATTACK else AT_INLAND, square)


# --- nodes of attacks -----------------------------------------------------------------------------

cdef int check_answer(const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    if verb == VERB_INSIGHT:
        return refuse(
            out, STEP_TAKEN if on_square(s, first) else STEP_AWAY, first, s.context.attacker)
    if verb == VERB_REROLL:
        return refuse(out, REROLL_FACE, first)
    return refuse(out, REDIR_OTHER, first, s.context.square) if verb == VERB_REDIR else 0
