"""Whether the node of a state of Knaves Out can be asked: R14.5 (j).

The action or step that a node belongs to is checked by the conditions of the rules, as a move is.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy

from ...game cimport CHANCE, refuse
from ...view_game cimport NOBODY
from .actions cimport (
    Purse, ko_condition_fault, ko_court_fault, ko_act_fault, ko_has_waivers,
    ko_open_purse, ko_price)
from .cards cimport NO_RANK, deck_size, has_discard, next_rank
from .combat cimport (
    ko_dice, ko_may_redirect_to, is_lucky, owner_at, rolled_at, roller_of)
from .geometry cimport are_adjacent, ko_has_exit, neighbours
from .inventory cimport ko_num_unseen
from .legal cimport ko_attack_fault
from .legality cimport NODE_FAULT, VERB_FAULT, ko_refuse_act
from .movement cimport ko_is_in_hazard, ko_sail_fault, ko_step_fault, ko_strength
from .pieces cimport piece_at
from .state cimport (
    ATTACKED, BUILD, CHARM, CHERRY, DEFEND, ENDED, EXECUTE, FAILED, FEAST, FRENZY, INSIGHT,
    KIND_ATTACK, KIND_BUILD, KIND_CHARM, KIND_DARK, KIND_EXECUTE, KIND_HAZARD, KIND_IVORY,
    KIND_LAND, KIND_RAISE, KIND_TAX, KIND_THORNS, KIND_TRAIN, KNIGHT, LIONHEART, MAX_HAND, NO_PRICE,
    PARLAY, PAWN, PLAYED, POISON, PUNCHES, Q, RAISE, REDIRECT, SERVANT, SOLDIERS, STAGE_DRAW,
    STAGE_FIND, STAGE_INSIGHT, STAGE_KEEP, STAGE_LIONHEART, STAGE_MAIN, STAGE_MIX, STAGE_PARLAY,
    STAGE_PLACE, STAGE_REDIRECT, STAGE_REROLL, STAGE_ROLL, STAGE_SAC, STAGE_SHUFFLE, STAGE_TAINT,
    STAGE_TARGET, STAGE_WAIVE, TAINTED_KNIGHT, TAX, TRAIN, UPPER, VERB_ACT, VERB_ATTACK, VERB_MOVE,
    VERB_SAIL, WIND, Context, Piece, Player, act_of, at_sea, first_of, is_in, letter_on, on_square,
    owner_on, second_of, verb_of)

cdef enum:
    TEN = 10            # checkers of one of the Two Towers
    DISCOUNT = 4        # of a Feast
    MOST_DICE = 5       # R1.5


cdef int ko_check_asked(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    if STAGE_INSIGHT <= s.stage <= STAGE_REROLL:
        return check_attack(rules, s, out) or check_roll(rules, s, out)
    if s.stage == STAGE_REDIRECT:
        return check_redirect(rules, s, out)
    if s.node != CHANCE and s.stage != STAGE_PLACE and s.node != s.active - 1:
        return refuse(out, OTHER_SEAT, s.node, s.active - 1)
    if s.stage <= STAGE_MAIN or s.stage == STAGE_KEEP:
        return check_turn(rules, s, out)
    if s.stage == STAGE_WAIVE:
        return check_waive(rules, s, out)
    if s.stage == STAGE_PLACE:
        return check_place(rules, s, out)
    if s.stage == STAGE_MIX or s.stage == STAGE_SAC:
        return check_checkers(rules, s, out)
    return check_action_node(rules, s, out)


# --- the turn -------------------------------------------------------------------------------------

cdef int check_turn(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    if s.stage == STAGE_SHUFFLE:
        return 0 if has_discard(p) else refuse(out, NO_DISCARD, s.active - 1)
    if s.stage == STAGE_KEEP:
        if p.hand_size != MAX_HAND:
            return refuse(out, KEEP_OTHER_SIZE, s.active - 1, p.hand_size)
        return refuse(out, KEEP_AFTER_PLAY, s.active - 1) if p.marks & PLAYED else 0
    if s.stage != STAGE_DRAW:
        return 0
    if s.context.seat != s.active - 1:
        return refuse(out, OTHER_SEAT, s.context.seat, s.active - 1)
    if p.hand_size == MAX_HAND or not has_deck(s, s.active - 1):
        return refuse(out, NO_DRAW, s.active - 1, p.hand_size)
    return check_action(rules, s, act_of(WIND), out) if s.context.wind else 0


cdef bint has_deck(const State* s, int seat) noexcept nogil:
    """Whether the deck of a seat has a card, also where it is not seen."""
    cdef const Player* p = &s.players[seat]
    if s.observer == NOBODY or s.observer == seat + 1:
        return deck_size(p) > 0
    return ko_num_unseen(p) > p.hand_size


# --- actions --------------------------------------------------------------------------------------

cdef int check_action(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    """Whether the active seat may have taken this action just now, apart from its price."""
    cdef Purse purse
    cdef int fault
    if s.acts == 0:
        return refuse(out, NO_ACTION_TAKEN, s.active - 1)
    ko_open_purse(s, s.active - 1, &purse)
    purse.acts_left = 1
    fault = ko_court_fault(rules, &s.players[s.active - 1], &purse, move)
    if not fault:
        fault = ko_condition_fault(rules, s, &purse, move)
    if fault:
        return ko_refuse_act(s, move, fault, NODE_FAULT, out)
    return 0


cdef int check_action_node(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """FIND, TARGET, CHARM and TAINT."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef const Context* c = &s.context
    cdef int owner
    if s.stage == STAGE_TARGET:
        return check_action(rules, s, act_of(CHERRY, c.square), out)
    if s.stage == STAGE_FIND:
        if check_action(rules, s, act_of(TAX if c.kind == KIND_TAX else SERVANT), out):
            return out.code
        if c.kind == KIND_TAX and next_rank(p, c.tower) == NO_RANK:
            return refuse(out, FIND_OTHER_TOWER, c.tower)
        return 0
    if s.stage == STAGE_TAINT and not p.towers[<int>Q].tainted:
        return refuse(out, UNTAINTED_QUEEN, s.active - 1)
    if s.stage == STAGE_TAINT and c.kind != KIND_CHARM:
        return check_action(rules, s, act_of(POISON), out)
    if check_action(rules, s, act_of(CHARM, c.square), out):
        return out.code
    if s.stage == STAGE_TAINT:
        return 0
    owner = owner_on(on_square(s, c.square))
    return check_charm(rules, s, &s.players[owner], out)


cdef int check_charm(
        const Rules* rules, const State* s, const Player* owner, Refusal* out) noexcept nogil:
    """The steps left: the strength (R8.2) at the first one, fewer afterwards."""
    cdef const Piece* pawn = &owner.pieces[piece_at(owner, s.context.square)]
    cdef int strength = ko_strength(rules, s, pawn)
    if s.context.first and s.context.left != strength:
        return refuse(out, CHARM_STEPS, s.context.left, strength, strength)
    if not s.context.first and s.context.left > pawn.checkers:
        return refuse(out, CHARM_STEPS, s.context.left, 1, pawn.checkers)
    return 0


cdef int check_waive(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Go back to before the action, and compare its price; (k) checks that the rest is payable."""
    cdef State before
    cdef Player* p
    cdef Purse purse
    cdef uint8_t[4] price
    cdef uint32_t move = s.context.pending
    cdef int colour, tower, fault
    cdef int waived = 0
    if s.acts == 0:
        return refuse(out, NO_ACTION_TAKEN, s.active - 1)
    memcpy(&before, s, rules.state_bytes)
    before.acts -= 1
    p = &before.players[s.active - 1]
    p.marks |= FEAST
    ko_open_purse(&before, s.active - 1, &purse)
    if verb_of(move) != VERB_ACT:
        return refuse(out, WAIVE_OTHER_ACTION)
    fault = ko_act_fault(rules, &before, &purse, move)
    if fault:
        return ko_refuse_act(s, move, fault, NODE_FAULT, out)
    colour = ko_price(p, &purse, move, price)
    if not ko_has_waivers(p, &purse, move, price):
        return refuse(out, WAIVE_OTHER_ACTION)
    for tower in range(4):
        if (price[tower] == NO_PRICE) != (s.context.price[tower] == NO_PRICE):
            return refuse(out, WAIVE_PRICES, tower)
        if price[tower] != NO_PRICE:
            if s.context.price[tower] > price[tower]:
                return refuse(out, WAIVE_PRICES, tower)
            waived += price[tower] - s.context.price[tower]
    if s.context.left + waived != DISCOUNT:
        return refuse(out, WAIVE_LEFT, s.context.left, DISCOUNT - waived)
    return 0 if s.context.colour == colour else refuse(
        out, WAIVE_COLOUR, s.context.colour, colour)


cdef int check_place(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef const Context* c = &s.context
    if c.kind == KIND_IVORY or c.kind == KIND_DARK:
        return check_great_tower(rules, s, out)
    if s.node != s.active - 1:
        return refuse(out, OTHER_SEAT, s.node, s.active - 1)
    if c.kind == KIND_LAND:
        return 0 if p.sea[at_sea(c.letter, c.number, False)] else refuse(
            out, NO_SUCH_SAILOR, c.letter, c.number)
    if c.kind == KIND_TRAIN:
        return check_action(rules, s, act_of(TRAIN), out)
    if c.kind == KIND_RAISE:
        return check_action(rules, s, act_of(RAISE), out)
    if c.kind == KIND_BUILD:
        return check_action(rules, s, act_of(BUILD, c.letter), out)
    return check_action(rules, s, act_of(FAILED, c.square), out)


# --- the Two Towers -------------------------------------------------------------------------------

cdef int check_call(
        const Rules* rules, const State* s, int enemy, Refusal* out) noexcept nogil:
    """Whether the active seat may call the Tower of the context (R11.1), apart from checkers."""
    cdef bint is_dark = s.context.kind == KIND_DARK
    if not rules.has_great_towers:
        return refuse(out, GREAT_TOWER_OFF)
    if (s.dark.stands or s.cleansed) if is_dark else (s.ivory.stands or s.island):
        return refuse(out, GREAT_TOWER_USED, is_dark)
    if is_dark and (enemy == s.active - 1 or not s.players[enemy].is_alive):
        return refuse(out, DARK_OWN if s.stage == STAGE_PLACE else WRONG_ENEMY, enemy)
    return 0


cdef int check_great_tower(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef const Context* c = &s.context
    if c.kind == KIND_IVORY and s.node != s.active - 1:
        return refuse(out, OTHER_SEAT, s.node, s.active - 1)
    if check_call(rules, s, s.node, out):
        return out.code
    if c.red + c.black != TEN or c.red > p.unused_red or c.black > p.unused_black:
        return refuse(out, GREAT_TOWER_CHECKERS, c.red, p.unused_red, p.unused_black)
    return 0


cdef int check_checkers(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """MIX and SAC."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef const Context* c = &s.context
    cdef int unused = p.unused_red + p.unused_black
    cdef int placed = 0
    cdef int i
    if check_call(rules, s, c.seat, out):
        return out.code
    if s.stage == STAGE_MIX:
        return 0 if unused >= TEN else refuse(out, MIX_TOO_FEW, unused)
    if unused >= TEN:
        return refuse(out, SAC_TOO_MANY, unused)
    if c.red != p.unused_red or c.black != p.unused_black:
        return refuse(out, SAC_CHECKERS, c.red, p.unused_red, p.unused_black)
    for i in range(p.num_pieces):
        placed += p.pieces[i].checkers
    return 0 if unused + placed >= TEN else refuse(out, SAC_TOO_FEW, unused + placed)


# --- attacks --------------------------------------------------------------------------------------

cdef int check_attack(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Attacker and target of a node of an attack, also of damage in it."""
    cdef const Context* c = &s.context
    cdef int seat = s.active - 1
    cdef const Player* p = &s.players[seat]
    cdef bint has_attacker = on_square(s, c.attacker) != 0
    cdef bint has_target = on_square(s, c.target) != 0
    if not are_adjacent(s, c.attacker, c.target):
        return refuse(out, APART, c.attacker, c.target)
    if c.last and not p.marks & ENDED:
        return refuse(out, NOT_ENDED)
    if p.swayers:
        return refuse(out, ATTACKER_SWAYED, seat)
    if has_attacker and not is_attacker(p, c.attacker):
        return refuse(out, WRONG_ATTACKER, c.attacker, seat)
    if not has_attacker and not may_lack_attacker(rules, s):
        return refuse(out, ATTACKER_GONE, c.attacker)
    if not has_target and not (
            s.stage == STAGE_REDIRECT and c.kind == KIND_THORNS and not c.counter):
        return refuse(out, TARGET_GONE, c.target)
    if has_attacker and has_target and check_target(rules, s, out):
        return out.code
    if c.counter and not is_counter(s):
        return refuse(out, NO_COUNTER, c.target)
    return 0


cdef bint is_attacker(const Player* p, int square) noexcept nogil:
    """Whether a piece of the active player that has attacked stands here."""
    cdef int index = piece_at(p, square)
    if index < 0 or not p.pieces[index].flags & ATTACKED:
        return False
    return is_in(p.pieces[index].letter, SOLDIERS) or (
        p.marks & DEFEND and is_in(p.pieces[index].letter, 1 << KNIGHT | 1 << TAINTED_KNIGHT))


cdef bint may_lack_attacker(const Rules* rules, const State* s) noexcept nogil:
    """Whether the attacker may have been hit in the stead of another piece of its owner."""
    cdef const Context* c = &s.context
    if s.stage != STAGE_REDIRECT:
        return False
    if c.kind == KIND_THORNS:
        return c.counter
    return not c.counter and owner_at(s, c.target) == s.active - 1 and not rules.spares_own


cdef int check_target(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Whether R9.1 allows the target, before the attack was counted."""
    cdef State before
    cdef Player* p
    cdef int fault
    memcpy(&before, s, rules.state_bytes)
    p = &before.players[s.active - 1]
    p.marks &= ~ENDED
    p.pieces[piece_at(p, s.context.attacker)].flags &= ~ATTACKED
    fault = ko_attack_fault(
        rules, &before, s.context.attacker, s.context.target, False)
    if fault:
        return refuse(out, NODE_FAULT | VERB_FAULT | fault << 6 | VERB_ATTACK,
                      s.context.attacker, s.context.target, 0, s.stage)
    return 0


cdef bint is_counter(const State* s) noexcept nogil:
    """R9.3; the attacker may be gone."""
    cdef int hit = on_square(s, s.context.target)
    cdef int attacker = on_square(s, s.context.attacker)
    if letter_on(hit) != PAWN or owner_on(hit) == s.active - 1:
        return False
    if not s.players[owner_on(hit)].marks & FRENZY:
        return False
    return attacker == 0 or is_in(letter_on(attacker), SOLDIERS)


cdef int check_roll(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Who is asked in an attack, and dice."""
    cdef int roller = owner_at(s, roller_of(s))
    cdef int other = owner_at(s, rolled_at(s))
    cdef int seat = s.node
    if s.stage == STAGE_INSIGHT:
        if seat != other or seat == s.active - 1 or not s.players[seat].marks & INSIGHT or not (
                is_in(letter_on(on_square(s, s.context.attacker)), SOLDIERS)
                and ko_has_exit(rules, s, s.context.attacker)):
            return refuse(out, NO_INSIGHT, seat)
        return 0
    if s.stage == STAGE_PARLAY:
        return 0 if seat != roller and s.players[seat].marks & PARLAY else refuse(
            out, NO_PARLAY, seat)
    if check_upper(s, out):
        return out.code
    if s.stage == STAGE_LIONHEART and not (
            (seat == roller or seat == other) and s.players[seat].marks & LIONHEART):
        return refuse(out, NO_LIONHEART, seat)
    if s.stage == STAGE_REROLL:
        seat = s.context.seat
        if seat != roller and seat != other or s.players[seat].marks & LIONHEART:
            return refuse(out, WRONG_ROLLER, seat)
    return check_dice(rules, s, roller, out)


cdef int check_upper(const State* s, Refusal* out) noexcept nogil:
    """Once the dice are counted, the roller has no mark `upper` (R9.5, D83)."""
    cdef int roller = owner_at(s, s.context.target) if s.context.counter else s.active - 1
    return refuse(out, UPPER_LEFT, roller) if s.players[roller].marks & UPPER else 0


cdef int check_dice(const Rules* rules, const State* s, int roller, Refusal* out) noexcept nogil:
    cdef const Player* p = &s.players[roller]
    cdef const Context* c = &s.context
    cdef const Piece* piece = &p.pieces[piece_at(p, roller_of(s))]
    cdef int least = ko_dice(rules, s, roller, piece, c.last and not c.counter)
    cdef int most, shown, asked, i
    if p.marks & PUNCHES:
        least = min(MOST_DICE, least + c.faces[5])
    most = least
    if p.marks & PUNCHES and s.stage != STAGE_ROLL:
        # Sixes that were rolled again: by the roller, who is asked first, then by the other (D81).
        asked = s.context.seat if s.stage == STAGE_REROLL else s.node
        most = min(MOST_DICE, least + (asked != roller) + (s.stage == STAGE_REROLL))
    if not least <= c.num_dice <= most:
        return refuse(out, WRONG_DICE, c.num_dice, least, most)
    if c.faces[0] and is_lucky(p):
        return refuse(out, NO_ONES, roller)
    shown = 0
    for i in range(6):
        shown += c.faces[i]
    if shown > c.num_dice or (shown == c.num_dice) != (s.stage == STAGE_LIONHEART):
        return refuse(out, WRONG_FACES, shown, c.num_dice, s.stage == STAGE_LIONHEART)
    return 0


# --- damage ---------------------------------------------------------------------------------------

cdef int check_redirect(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Context* c = &s.context
    cdef int most = 5 if c.kind == KIND_ATTACK else 3 if c.kind == KIND_THORNS else 1
    if c.left > most:
        return refuse(out, WRONG_DAMAGE, c.left, most)
    if c.kind != KIND_ATTACK and c.thorns:
        return refuse(out, WRONG_THORNS, c.thorns)
    if c.kind == KIND_EXECUTE:
        if check_action(rules, s, act_of(EXECUTE, c.square), out):
            return out.code
    elif c.kind == KIND_HAZARD:
        if check_hazard(rules, s, out):
            return out.code
    elif check_attack(rules, s, out) or check_upper(s, out):
        return out.code
    elif c.left + c.thorns > most:
        return refuse(out, WRONG_THORNS, c.thorns)      # points of one roll (D80)
    elif c.square != (rolled_at(s) if c.kind == KIND_ATTACK else roller_of(s)):
        return refuse(out, OTHER_PIECE_HIT, c.square,
                      rolled_at(s) if c.kind == KIND_ATTACK else roller_of(s))
    return check_asked_to_redirect(rules, s, out)


cdef int check_hazard(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef uint32_t move = s.context.pending
    cdef int start = first_of(move)
    cdef int fault
    if verb_of(move) == VERB_MOVE:
        fault = ko_step_fault(rules, s, start, second_of(move))
    elif verb_of(move) == VERB_SAIL:
        fault = ko_sail_fault(rules, s, start)
    else:
        return refuse(out, NO_HAZARD, start)
    if fault:
        return refuse(out, NODE_FAULT | VERB_FAULT | fault << 6 | verb_of(move),
                      start, second_of(move), 0, s.stage)
    if not ko_is_in_hazard(s, start):
        return refuse(out, NO_HAZARD, start)
    return 0 if s.context.square == start else refuse(
        out, OTHER_PIECE_HIT, s.context.square, start)


cdef int check_asked_to_redirect(
        const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R10.3."""
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int square = s.context.square
    cdef int owner = owner_at(s, square)
    cdef int i
    if owner < 0 or owner != s.node:
        return refuse(out, NO_REDIRECT, s.node, square)
    if s.players[owner].marks & REDIRECT:
        for i in range(neighbours(rules, s, square, &around, room)):
            if ko_may_redirect_to(s, owner, square, around[i]):
                return 0
    return refuse(out, NO_REDIRECT, owner, square)
