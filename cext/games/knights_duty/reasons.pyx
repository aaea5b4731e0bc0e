"""Why states of A Knight's Duty are not valid (R13.5 to R13.7), and moves not legal.

An observation is valid if it is the observation of some valid position. Hidden content never makes
a position invalid: hidden slots can always be filled from the supply, and every hidden choice has a
legal value (stay, claim:no, target:none, order:wait, inspire:no). So the same checks serve both,
and skip hidden content.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport count, pop_lowest
from kingmaker.cext.game cimport MAX_MOVES

from kingmaker.cext.reasons import Reason

from ...game cimport Refusal, refuse
from .combat cimport earliest, fighter, hearts_of, in_reach, sharing, shields_of
from .knowledge cimport kd_observe
from .legal cimport used_up
from .state cimport (
    DEFEATED, EMPTY, FULL, HIDDEN, LOCKED, MOVEMENT, NO, NOBODY, NOWHERE, NO_TARGET,
    NO_TOKEN, SEATS, SLOTS, STAGE_CLAIM, STAGE_CLAN, STAGE_DRAW, STAGE_END, STAGE_INSPIRE,
    STAGE_ORDER, STAGE_PLACE, STAGE_STEP, STAGE_TARGET, STAY, Rules, State, chosen, is_weapon,
    move_of, reach, space_between, value_of, verb_of)
from .steps cimport contenders, movers, possible_steps, step_moves

from .names import STAGE_NAMES

cdef enum:
    SLOT_OF_STAGE = 1, TOO_FEW, NOT_STANDING, NOT_IN_GROUP
    HIDES_NOTHING, IS_SEEN, IS_UNSEEN
    NO_CLANS, NOT_TURN_1, NEW_HEART, NEW_WEAPON, NEW_INSPIRATION, NEW_TRACKER
    CORNER_TOO_EARLY, NO_CORNER, NOT_FREE, NO_SPACE, SAME_SPACE
    TOO_MANY, NO_EMPTY_SLOTS, LOCKED_EARLY, LOCKED_FULL, NOT_LOCKED, DEFEATED_EARLY
    NOT_FILLED, FILLED_EARLY, FILLED_OUT_OF_ORDER
    CHOOSERS, NO_AGREEMENTS, ILLEGAL_STEP, NOT_DECLARED, DECLARED_EARLY, WITHOUT_TARGET
    NOT_ATTACKING, NOBODY_IN_REACH, OUT_OF_REACH, NO_ATTACKS, TARGET_TWICE, WAITS_TOO
    WAS_ASKED, NOT_ASKED, KEPT, SPENT, NO_HEARTS
    FELL_TOGETHER, LAST_STANDING, BEFORE_LIMIT, BEFORE_LAST_SLOT, ALL_STANDING
    # Of moves
    OVER_LIMIT, OVER_LAST, OVER_DRAWN, NO_SUCH_CORNER, CORNER_TAKEN, EMPTY_SLOT, NO_TOKEN_LEFT
    NO_DIRECTION, OFF_BOARD, BLOCKED, ONESELF, TARGET_OUT, TOO_FAR
    OTHER_STAGE = 100   # and the verb
    UNSEEN = 120        # and the verb

# Fields and the values in them.
HERE = "{0:place}", "{1:choice}"
ATTACKER = "{0:attacker}", "{1:number}"
SEAT = "node.seat", "{0:number}"
SPACE = "players[{0}].space", "{1},{2}"
TOKEN = "players[{0}].tracker[{1}]", "{2:token}"
WINNERS = "winners", "{0:numbers}"

NEW = "during the choice of corners a Knight is as at the start (R3.3)"
LIMIT = "with two or more standing the game ends in slot 3 of turn {1} only"
REASONS = {
    SLOT_OF_STAGE: Reason(
        "R13.6a", "the slot is 0 at clan and place, 1 to 3 at the other stages", "slot", "{0}"),
    TOO_FEW: Reason(
        "R13.6h", "before the end at least two Knights stand", "players", "{0:numbers}"),
    NOT_STANDING: Reason("R13.6g", "the seat is one of those that stand, {1:seats}", *SEAT),
    NOT_IN_GROUP: Reason("R13.6g", "at {1:stage} one of {1:group} is asked: {2:seats}", *SEAT),
    HIDES_NOTHING: Reason("R13.3", "a position hides nothing", *HERE),
    IS_SEEN: Reason("R13.5", "{2:observer} sees what is here", *HERE),
    IS_UNSEEN: Reason("R13.5", "{2:observer} sees ? here", *HERE),
    # Spaces
    NO_CLANS: Reason(
        "R13.6b", "corners are chosen only if the option clans is choose", "node.type", "clan"),
    NOT_TURN_1: Reason("R13.6b", "corners are chosen before turn 1", "turn", "{0}"),
    NEW_HEART: Reason("R13.6b", NEW, "players[{0}].heart", "{1:heart}"),
    NEW_WEAPON: Reason("R13.6b", NEW, "players[{0}].weapon", "{2:token}"),
    NEW_INSPIRATION: Reason("R13.6b", NEW, "players[{0}].inspiration_up", "false"),
    NEW_TRACKER: Reason("R13.6b", NEW, "players[{0}].tracker", "{3:token}"),
    CORNER_TOO_EARLY: Reason("R13.6b", "{0:seat} has no corner yet", *SPACE),
    NO_CORNER: Reason("R13.6b", "{0:seat} has chosen a corner", "players[{0}].space"),
    NOT_FREE: Reason("R13.6b", "{0:seat} has a corner that no earlier seat has", *SPACE),
    NO_SPACE: Reason(
        "R13.6b", "every Knight on the board has a space, except during the choice of corners",
        "players[{0}].space"),
    SAME_SPACE: Reason("R13.6b", "a space holds one Knight, here that of {3:seat}", *SPACE),
    # Trackers and Hearts
    TOO_MANY: Reason("R13.6c", "{0:seat} has two tokens of each kind but move", *TOKEN),
    NO_EMPTY_SLOTS: Reason(
        "R13.6c", "no slot is left empty if the option empty_slots is off", *TOKEN),
    LOCKED_EARLY: Reason("R13.6d", "only slot 3 is ever locked", *TOKEN),
    LOCKED_FULL: Reason("R13.6d", "{0:seat} has a full Heart, and its slot 3 is open", *TOKEN),
    NOT_LOCKED: Reason("R13.6d", "slot 3 of {0:seat}, which was hit before, is locked", *TOKEN),
    DEFEATED_EARLY: Reason(
        "R13.6d", "a defeated Knight is on the board at target, order, inspire and draw only",
        "players[{0}].heart", "defeated"),
    NOT_FILLED: Reason("R13.6c", "all slots of {0:seat} are filled now", *TOKEN),
    FILLED_EARLY: Reason(
        "R13.6c", "{0:seat} programmes after {3:seat}, so its slots are not filled yet", *TOKEN),
    FILLED_OUT_OF_ORDER: Reason(
        "R13.6c", "the filled slots of {0:seat} come first, and at least one is left to fill",
        *TOKEN),
    # Choices
    CHOOSERS: Reason(
        "R13.6e", "here are the choices of {1:seats} and no others", "{2:list}", "{0:numbers}"),
    NO_AGREEMENTS: Reason(
        "R13.6f", "nobody is asked for an agreement if the option agreements is off", "node.type",
        "{0:stage}"),
    ILLEGAL_STEP: Reason(
        "R13.6f", "{2:seat} stays, or steps to a space of the arena that is empty or holds a mover "
        "(R6.2)", *HERE),
    NOT_DECLARED: Reason(
        "R13.6e", "{2:seat} declares before {3:seat}, so its choice says what", *HERE),
    DECLARED_EARLY: Reason(
        "R13.6e", "{2:seat} has not declared yet, so its choice is empty", *HERE),
    WITHOUT_TARGET: Reason(
        "R13.6e", "at order every attacker has a target; those with none are gone", *HERE),
    NOT_ATTACKING: Reason(
        "R13.6f", "{1:seat} attacks only if its token of slot {2} is its weapon", *ATTACKER),
    NOBODY_IN_REACH: Reason(
        "R13.6f", "{1:seat} attacks only if an opponent is in range of its weapon", *ATTACKER),
    OUT_OF_REACH: Reason("R13.6f", "{2:seat} may attack those in range: {3:seats}", *HERE),
    NO_ATTACKS: Reason("R13.6e", "at {0:stage} there is an attack to resolve", "attacks", "[]"),
    TARGET_TWICE: Reason("R13.6f", "every seat is attacked once in the queue", *HERE),
    WAITS_TOO: Reason("R13.6f", "{1:seat} attacks or waits, not both", *ATTACKER),
    WAS_ASKED: Reason(
        "R13.7", "{2:seat} was asked before {3:seat}, so this says what it chose", *HERE),
    NOT_ASKED: Reason("R13.7", "{2:seat} has not been asked, so this is empty", *HERE),
    KEPT: Reason(
        "R13.7", "{2:seat} was asked and its Inspiration is still up, so this is no", *HERE),
    SPENT: Reason(
        "R13.7", "the Inspiration of {2:seat} is down, so this is yes if it was used now, or empty",
        *HERE),
    NO_HEARTS: Reason(
        "R13.6g", "a card is picked only from a pile with a heart; here are {0} shields alone",
        "node.type", "draw"),
    # The end
    FELL_TOGETHER: Reason(
        "R13.6h", "with nobody standing two or more seats share the win, those that fell together",
        *WINNERS),
    LAST_STANDING: Reason("R13.6h", "the last one standing, {1:seats}, wins", *WINNERS),
    BEFORE_LIMIT: Reason("R13.6h", LIMIT, "turn", "{0}"),
    BEFORE_LAST_SLOT: Reason("R13.6h", LIMIT, "slot", "{0}"),
    ALL_STANDING: Reason(
        "R13.6h", "at the turn limit those that stand share the win: {1:seats}", *WINNERS),
    # Moves
    OVER_LIMIT: Reason("R11.4", "the game is over"),
    OVER_LAST: Reason("R11.2", "the game is over"),
    OVER_DRAWN: Reason("R11.3", "the game is over"),
    NO_SUCH_CORNER: Reason("R2.6", "the arena has the corners c0 to c{0}"),
    CORNER_TAKEN: Reason("R3.2", "the corner c{0} is taken by {1:seat}"),
    EMPTY_SLOT: Reason("R4.6", "no slot is left empty with the option empty_slots off"),
    NO_TOKEN_LEFT: Reason("R4.5", "all 2 {0:token} tokens are on the tracker of {1:seat}"),
    NO_DIRECTION: Reason("R2.2", "hexagons have no direction {0:choice}, only ne e se sw w nw"),
    OFF_BOARD: Reason("R6.2", "there is no space to the {0:direction}"),
    BLOCKED: Reason("R6.2", "{0:seat}, who does not move, stands on it"),
    ONESELF: Reason("R8.3", "nobody attacks himself"),
    TARGET_OUT: Reason("R8.3", "{0:seat} is not on the board"),
    TOO_FAR: Reason("R8.1", "{0:seat} is {1} away, a {2:token} reaches {3}"),
}
RULES_OF_VERBS = ("R3.2", "R4.4", "R6.1", "R6.4", "R8.3", "R8.5", "R9.3", "R9.5")
for _rule, (_verb, _stage) in zip(RULES_OF_VERBS, enumerate(STAGE_NAMES.items()), strict=True):
    REASONS[OTHER_STAGE + _verb] = Reason(
        _rule, f"it is {{0:name}}; {_stage[0]} belongs to {_stage[1]}")
    REASONS[UNSEEN + _verb] = Reason(_rule, "a move says what is chosen")


# --- states ---------------------------------------------------------------------------------------

cdef int kd_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    return (
        check_stage(rules, s, out)
        or check_sight(rules, s, out)
        or check_standing(s, out)
        or (check_corners if s.stage == STAGE_CLAN else check_spaces)(rules, s, out)
        or check_trackers(rules, s, out)
        or check_work(rules, s, out))


cdef inline int earlier(int seats, int seat) noexcept nogil:
    """The seats of a group that are asked before a seat."""
    return seats & ((1 << seat) - 1)


cdef inline int where(int verb, int seats, int seat, int slot=0) noexcept nogil:
    """The field of a seat's choice, in the list of the choices of some seats."""
    return verb << 8 | count(earlier(seats, seat)) << 4 | slot


cdef int check_stage(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R13.6 (a)."""
    if (s.slot == 0) != (s.stage <= STAGE_PLACE):
        return refuse(out, SLOT_OF_STAGE, s.slot)
    return 0


cdef int check_sight(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R13.5: exactly what the observer does not see is hidden."""
    cdef State full = s[0]
    cdef State seen
    cdef int seat, slot, verb
    for seat in range(SEATS):
        for slot in range(SLOTS):
            if full.tokens[slot][seat] == HIDDEN:
                full.tokens[slot][seat] = MOVEMENT
        if full.choice[seat] == HIDDEN:
            full.choice[seat] = STAY
        if full.answer[seat] == HIDDEN:
            full.answer[seat] = NO
    seen = full
    if s.observer != NOBODY:
        kd_observe(rules, &full, s.observer - 1, &seen)
    for seat in range(SEATS):
        for slot in range(SLOTS):
            if (seen.tokens[slot][seat] == HIDDEN) != (s.tokens[slot][seat] == HIDDEN):
                return refuse_sight(
                    s, where(STAGE_PLACE, 0x3F, seat, slot),
                    move_of(STAGE_PLACE, s.tokens[slot][seat]), out)
        if (seen.choice[seat] == HIDDEN) != (s.choice[seat] == HIDDEN):
            verb = STAGE_STEP if s.stage <= STAGE_CLAIM else STAGE_TARGET
            return refuse_sight(
                s, where(verb, listed(s), seat), move_of(verb, s.choice[seat]), out)
        if (seen.answer[seat] == HIDDEN) != (s.answer[seat] == HIDDEN):
            return refuse_sight(
                s, where_answer(rules, s, seat), move_of(answered(s), s.answer[seat]), out)
    return 0


cdef int refuse_sight(const State* s, int place, int move, Refusal* out) noexcept nogil:
    if s.observer == NOBODY:
        return refuse(out, HIDES_NOTHING, place, move)
    return refuse(out, IS_SEEN if value_of(move) == HIDDEN else IS_UNSEEN, place, move, s.observer)


cdef inline int listed(const State* s) noexcept nogil:
    """The seats in the list of steps or targets."""
    return chosen(s.choice) | (s.left if s.stage == STAGE_TARGET else 0)


cdef inline int answered(const State* s) noexcept nogil:
    """The verb of answers."""
    return s.stage if s.stage <= STAGE_ORDER else STAGE_INSPIRE


cdef inline int where_answer(const Rules* rules, const State* s, int seat) noexcept nogil:
    if s.stage <= STAGE_ORDER:
        return where(s.stage, chosen(s.answer), seat)
    return where(STAGE_INSPIRE, 0, 0, seat != fighter(rules, s))


cdef int check_standing(const State* s, Refusal* out) noexcept nogil:
    """R13.6 (g), (h)."""
    if s.stage != STAGE_END and count(s.standing) < 2:
        return refuse(out, TOO_FEW, s.standing)
    if s.node >= 0 and not s.standing >> s.node & 1:
        return refuse(out, NOT_STANDING, s.node, s.standing)
    return 0


# --- spaces, R13.6 (b) ----------------------------------------------------------------------------

cdef int check_spaces(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Knights stand on distinct spaces."""
    cdef uint64_t left = s.standing
    cdef int seat, other
    while left:
        seat = pop_lowest(&left)
        if s.space[seat] == NOWHERE:
            return refuse(out, NO_SPACE, seat)
        other = knight_on(earlier(s.standing, seat), s, s.space[seat])
        if other >= 0:
            return refuse_space(rules, s, SAME_SPACE, seat, other, out)
    return 0


cdef int refuse_space(
        const Rules* rules, const State* s, int code, int seat, int other, Refusal* out
        ) noexcept nogil:
    cdef int space = s.space[seat]
    return refuse(out, code, seat, rules.arena.q[space], rules.arena.r[space], other)


cdef int check_corners(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Knights are as at the start; the seats before the actor have distinct corners."""
    cdef int seat, token, code
    if not rules.chooses_clans:
        return refuse(out, NO_CLANS)
    if s.turn != 1:
        return refuse(out, NOT_TURN_1, s.turn)
    for seat in range(rules.num_seats):
        token = s.tokens[0][seat] or s.tokens[1][seat] or s.tokens[2][seat]
        code = (
            NEW_HEART if s.heart[seat] != FULL else NEW_WEAPON if s.weapon[seat]
            else NEW_INSPIRATION if not s.up >> seat & 1 else NEW_TRACKER if token else 0)
        if code:
            return refuse(out, code, seat, s.heart[seat], s.weapon[seat], token)
        if s.space[seat] == NOWHERE and seat < s.node:
            return refuse(out, NO_CORNER, seat)
        if s.space[seat] != NOWHERE and seat >= s.node:
            return refuse_space(rules, s, CORNER_TOO_EARLY, seat, 0, out)
        if seat < s.node and not is_free_corner(rules, s, seat):
            return refuse_space(rules, s, NOT_FREE, seat, 0, out)
    return 0


cdef bint is_free_corner(const Rules* rules, const State* s, int seat) noexcept nogil:
    """Whether a seat stands in a corner without an earlier seat."""
    cdef int corner
    for corner in range(rules.arena.num_corners):
        if rules.arena.corners[corner] == s.space[seat]:
            return knight_on(earlier(s.standing, seat), s, s.space[seat]) < 0
    return False


cdef int knight_on(int seats, const State* s, int space) noexcept nogil:
    """The seat of a group on a space; -1: none."""
    cdef uint64_t left = seats
    cdef int seat
    while left:
        seat = pop_lowest(&left)
        if s.space[seat] == space:
            return seat
    return -1


# --- trackers and Hearts, R13.6 (c) and (d) -------------------------------------------------------

cdef int check_trackers(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef uint64_t left = s.standing if s.stage != STAGE_CLAN else 0
    cdef int seat, slot, token, code
    while left:
        seat = pop_lowest(&left)
        for slot in range(SLOTS):
            token = s.tokens[slot][seat]
            code = (
                TOO_MANY if slot == 2 and token and token == used_up(s, seat)
                else NO_EMPTY_SLOTS if token == EMPTY and rules.num_tokens < EMPTY
                else LOCKED_EARLY if token == LOCKED and slot < SLOTS - 1
                else check_lock(s, seat, token) if slot == SLOTS - 1 else 0)
            if code:
                return refuse(out, code, seat, slot, token)
        if s.heart[seat] == DEFEATED and not STAGE_TARGET <= s.stage <= STAGE_DRAW:
            return refuse(out, DEFEATED_EARLY, seat)
        code = check_filled(s, seat, out)
        if code:
            return code
    return 0


cdef int check_lock(const State* s, int seat, int token) noexcept nogil:
    """Slot 3 is locked where its player was hit before (R4.3, R4.8)."""
    # A hit in slot 3 itself locks it in the next turn only (R4.9).
    cdef bint is_before_hits = s.slot < SLOTS or s.stage <= STAGE_CLAIM
    if token == LOCKED:
        return LOCKED_FULL if s.heart[seat] == FULL else 0
    if s.heart[seat] == DEFEATED and not STAGE_TARGET <= s.stage <= STAGE_DRAW:
        return 0    # the Heart is wrong
    return NOT_LOCKED if s.heart[seat] != FULL and is_before_hits else 0


cdef int check_filled(const State* s, int seat, Refusal* out) noexcept nogil:
    """Slots are filled in order, seat by seat, and all are full when the slots begin."""
    cdef int num_slots = SLOTS - (s.tokens[SLOTS - 1][seat] == LOCKED)
    cdef bint is_open = False
    cdef int slot, token, code
    for slot in range(num_slots):
        token = s.tokens[slot][seat]
        is_open = is_open or token == NO_TOKEN or slot == num_slots - 1
        if s.stage != STAGE_PLACE or seat < s.node:
            code = NOT_FILLED if token == NO_TOKEN else 0
        elif seat > s.node:
            code = FILLED_EARLY if token != NO_TOKEN else 0
        else:
            code = FILLED_OUT_OF_ORDER if token != NO_TOKEN and is_open else 0
        if code:
            return refuse(out, code, seat, slot, token, s.node)
    return 0


# --- choices and attacks, R13.6 (e) to (g), R13.7 -------------------------------------------------

cdef int check_work(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    if s.stage == STAGE_STEP:
        return (
            check_group(s, movers(s), out)
            or check_choosers(STAGE_STEP, s.choice, earlier(movers(s), s.node), out)
            or check_steps(rules, s, out))
    if s.stage == STAGE_CLAIM:
        return check_claims(rules, s, out)
    if s.stage == STAGE_TARGET:
        return check_group(s, listed(s), out) or check_targets(rules, s, out)
    if s.stage == STAGE_ORDER:
        return (
            check_agreements(rules, s, out)
            or check_targets(rules, s, out)
            or check_group(s, sharing(s), out)
            or check_choosers(STAGE_ORDER, s.answer, earlier(sharing(s), s.node), out))
    if s.stage == STAGE_INSPIRE:
        return check_attacks(rules, s, out) or check_question(rules, s, out)
    if s.stage == STAGE_DRAW:
        return check_attacks(rules, s, out) or check_draw(rules, s, out)
    return check_end(rules, s, out) if s.stage == STAGE_END else 0


cdef int check_group(const State* s, int seats, Refusal* out) noexcept nogil:
    """The actor is a member of the asked group."""
    return 0 if seats >> s.node & 1 else refuse(out, NOT_IN_GROUP, s.node, s.stage, seats)


cdef int check_choosers(
        int verb, const unsigned char* choices, int seats, Refusal* out) noexcept nogil:
    """Exactly these seats have a choice."""
    cdef int found = chosen(choices)
    return 0 if found == seats else refuse(out, CHOOSERS, found, seats, verb)


cdef int check_agreements(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    return 0 if rules.has_agreements else refuse(out, NO_AGREEMENTS, s.stage)


cdef int check_steps(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef uint32_t[MAX_MOVES] moves
    cdef uint64_t left = chosen(s.choice)
    cdef int seat, move, i
    while left:
        seat = pop_lowest(&left)
        move = move_of(STAGE_STEP, s.choice[seat])
        i = step_moves(rules, s, seat, moves) - 1
        while i >= 0 and <int>moves[i] != move:
            i -= 1
        if i < 0 and s.choice[seat] != HIDDEN:
            return refuse(out, ILLEGAL_STEP, where(STAGE_STEP, listed(s), seat), move, seat)
    return 0


cdef int check_claims(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int asked
    cdef int code = (
        check_agreements(rules, s, out)
        or check_choosers(STAGE_STEP, s.choice, movers(s), out)
        or check_steps(rules, s, out))
    if code:
        return code
    asked = contenders(rules, s, possible_steps(rules, s))
    return check_group(s, asked, out) or check_choosers(
        STAGE_CLAIM, s.answer, earlier(asked, s.node), out)


cdef int check_targets(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Stages target and order."""
    cdef uint64_t left = listed(s)
    cdef int seat, place, target, code
    while left:
        seat = pop_lowest(&left)
        place = where(STAGE_TARGET, listed(s), seat)
        target = s.choice[seat]
        if s.stage == STAGE_TARGET:
            code = (
                NOT_DECLARED if target == 0 and seat < s.node
                else DECLARED_EARLY if target and seat >= s.node else 0)
        else:
            code = WITHOUT_TARGET if target == NO_TARGET else 0
        if code:
            return refuse(out, code, place, move_of(STAGE_TARGET, target), seat, s.node)
        code = check_attacker(rules, s, seat, place, out)
        if code == 0 and 0 < target < NO_TARGET:
            code = check_reach(rules, s, seat, place, out)
        if code:
            return code
    return 0


cdef int check_attacker(
        const Rules* rules, const State* s, int seat, int place, Refusal* out) noexcept nogil:
    """An attacker has its weapon as token and a target in range."""
    cdef int token = s.tokens[s.slot - 1][seat]
    if not is_weapon(token) or token != s.weapon[seat]:
        return refuse(out, NOT_ATTACKING, place, seat, s.slot)
    return 0 if in_reach(rules, s, seat) else refuse(out, NOBODY_IN_REACH, place, seat)


cdef int check_reach(
        const Rules* rules, const State* s, int seat, int place, Refusal* out) noexcept nogil:
    cdef int targets = in_reach(rules, s, seat)
    if targets >> (s.choice[seat] - 1) & 1:
        return 0
    return refuse(
        out, OUT_OF_REACH, place, move_of(STAGE_TARGET, s.choice[seat]), seat, targets)


cdef int check_attacks(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """The queue and the waiting attackers."""
    cdef int left = chosen(s.choice)
    cdef uint64_t waiting = s.waiting
    cdef int targets = 0
    cdef int index = 0
    cdef int seat, code, place
    if left == 0:
        return refuse(out, NO_ATTACKS, s.stage)
    while left:
        seat = earliest(rules, s, left)
        left &= ~(1 << seat)
        place = STAGE_DRAW << 8 | index << 4
        code = check_attacker(rules, s, seat, place, out) or check_reach(rules, s, seat, place, out)
        if code:
            return code
        if targets >> s.choice[seat] & 1:
            return refuse(out, TARGET_TWICE, place, move_of(STAGE_TARGET, s.choice[seat]))
        targets |= 1 << s.choice[seat]
        index += 1
    while waiting:
        seat = pop_lowest(&waiting)
        place = where(STAGE_DRAW, s.waiting, seat, 1)
        if s.choice[seat]:
            return refuse(out, WAITS_TOO, place, seat)
        code = check_attacker(rules, s, seat, place, out)
        if code:
            return code
    return 0


cdef int check_question(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R13.7, stage inspire."""
    cdef int attacker = fighter(rules, s)
    cdef int target = s.choice[attacker] - 1
    cdef bint was_asked = s.node == target and s.up >> attacker & 1
    cdef int code = check_group(s, s.up & (1 << attacker | 1 << target), out)
    if code:
        return code
    if was_asked == (s.answer[attacker] != 0):
        return 0
    return refuse(
        out, WAS_ASKED if was_asked else NOT_ASKED, where_answer(rules, s, attacker),
        move_of(STAGE_INSPIRE, s.answer[attacker]), attacker, target)


cdef int check_draw(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R13.7, stage draw."""
    cdef int attacker = fighter(rules, s)
    cdef int target = s.choice[attacker] - 1
    cdef uint64_t both = 1 << attacker | 1 << target
    cdef int seat, code
    while both:
        seat = pop_lowest(&both)
        code = KEPT if s.up >> seat & 1 else SPENT
        if (s.answer[seat] == NO) != (code == KEPT):
            return refuse(
                out, code, where_answer(rules, s, seat), move_of(STAGE_INSPIRE, s.answer[seat]),
                seat)
    if hearts_of(s, attacker, target) == 0:
        return refuse(out, NO_HEARTS, shields_of(s, attacker, target))
    return 0


cdef int check_end(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R13.6 (h): the result follows from the standing seats."""
    if s.standing == 0:
        return 0 if count(s.winners) > 1 else refuse(out, FELL_TOGETHER, s.winners)
    if count(s.standing) == 1:
        return 0 if s.winners == s.standing else refuse(
            out, LAST_STANDING, s.winners, s.standing)
    if s.turn != rules.turn_limit:
        return refuse(out, BEFORE_LIMIT, s.turn, rules.turn_limit)
    if s.slot != SLOTS:
        return refuse(out, BEFORE_LAST_SLOT, s.slot, rules.turn_limit)
    return 0 if s.winners == s.standing else refuse(out, ALL_STANDING, s.winners, s.standing)


# --- moves ----------------------------------------------------------------------------------------

cdef int kd_check_move(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int value = value_of(move)
    if s.stage == STAGE_END:
        return refuse(
            out, OVER_DRAWN if s.standing == 0
            else OVER_LAST if count(s.standing) == 1 else OVER_LIMIT)
    if verb != s.stage:
        return refuse(out, OTHER_STAGE + verb, s.stage)
    if value == HIDDEN:
        return refuse(out, UNSEEN + verb)
    if verb == STAGE_CLAN:
        return why_no_corner(rules, s, value, out)
    if verb == STAGE_PLACE:
        return why_not_placed(rules, s, value, out)
    if verb == STAGE_STEP:
        return why_no_step(rules, s, value, out)
    if verb == STAGE_TARGET and value != NO_TARGET:
        return why_no_target(rules, s, value - 1, out)
    return 0


cdef int why_no_corner(
        const Rules* rules, const State* s, int corner, Refusal* out) noexcept nogil:
    cdef int seat
    if corner >= rules.arena.num_corners:
        return refuse(out, NO_SUCH_CORNER, rules.arena.num_corners - 1)
    seat = knight_on(s.standing, s, rules.arena.corners[corner])
    return refuse(out, CORNER_TAKEN, corner, seat) if seat >= 0 else 0


cdef int why_not_placed(
        const Rules* rules, const State* s, int token, Refusal* out) noexcept nogil:
    if token > rules.num_tokens:
        return refuse(out, EMPTY_SLOT)
    return refuse(out, NO_TOKEN_LEFT, token, s.node) if token == used_up(s, s.node) else 0


cdef int why_no_step(
        const Rules* rules, const State* s, int direction, Refusal* out) noexcept nogil:
    cdef int space = rules.arena.neighbour[s.space[s.node]][direction]
    cdef int seat
    if rules.arena.neighbour[rules.arena.centre][direction] == NOWHERE:
        return refuse(out, NO_DIRECTION, <int>move_of(STAGE_STEP, direction))
    if space == NOWHERE:
        return refuse(out, OFF_BOARD, direction)
    seat = knight_on(s.standing & ~movers(s), s, space)
    return refuse(out, BLOCKED, seat) if seat >= 0 else 0


cdef int why_no_target(
        const Rules* rules, const State* s, int other, Refusal* out) noexcept nogil:
    cdef int weapon = s.weapon[s.node]
    if other == s.node:
        return refuse(out, ONESELF)
    if not s.standing >> other & 1:
        return refuse(out, TARGET_OUT, other)
    if in_reach(rules, s, s.node) >> other & 1:
        return 0
    return refuse(
        out, TOO_FAR, other, space_between(rules, s.space[s.node], s.space[other]), weapon,
        reach(weapon))
