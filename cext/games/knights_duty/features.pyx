"""What a seat sees in A Knight's Duty, as binary features.

The table comes first: node, turn, and the current combat. The own Knight follows: what all see of
it, then its plan, its attack, and the opponents together. Last come the standing opponents,
clockwise from the seat: what all see of the Knight, then distance, threats and attacks between the
two. An opponent that is out has no features, nor has a state before all corners are chosen.

Distances are those after the steps that the seat knows: its own, once chosen, and in stage `claim`
all that nobody contests. Defeated Knights threaten nobody, and nobody threatens them. A chance to
hit counts the Inspirations that the seat knows to be used.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.bits cimport count, pop_lowest

from ...feature_blocks cimport Block, lay_out, mark_one, mark_scale, mark_set, write_marked
from .combat cimport fighter, shields_of
from .state cimport (
    BOW, BROKEN, DEFEATED, EMPTY, FULL, LOCKED, MOVEMENT, NO_TARGET, NO_TOKEN, PARRY, SEATS,
    SLOTS, STAGE_CLAIM, STAGE_CLAN, STAGE_DRAW, STAGE_INSPIRE, STAGE_ORDER, STAGE_PLACE,
    STAGE_STEP, STAGE_TARGET, STAY, SWORD, YES, Rules, State, chosen, is_weapon, reach,
    space_between)
from .steps cimport contenders, destination, possible_steps

from ...feature_rows import at_least, at_most, each, prefixed
from .names import STAGES, TOKENS

cdef enum TableBlock:
    STAGE
    ASKED
    SLOT
    TURN
    LIMIT
    COMBAT
    NUM_TABLE

cdef enum KnightBlock:      # what all see of a Knight
    HEART
    WEAPON
    UP
    GROUND
    DOWN_GROUND
    TOKEN
    ACTIONS
    STATUS
    ATTACKED
    COMBATANT
    REACHED
    REACHES
    NUM_KNIGHT

cdef enum PlanBlock:        # a slot of the plan
    PLANNED
    ATTACK
    ATTACK_REACHES
    NUM_PLAN

cdef enum OwnBlock:         # what only the own Knight has
    PLAN
    OWN_STEP = PLAN + (1 + SLOTS) * NUM_PLAN
    OWN_ANSWER
    OWN_CHANCE
    OWN_KILL
    OWN_PARRIED
    DANGER
    NEAREST
    STANDING_OPPONENTS
    BROKEN_OPPONENTS
    MADE
    TAKEN
    NUM_OWN

cdef enum ThreatBlock:      # the threat of a weapon to a Knight
    REACH
    ALMOST
    NEARNESS
    DEADLY
    NUM_THREAT

cdef enum RivalBlock:       # behind those of a Knight
    DISTANCE = NUM_KNIGHT
    THREAT
    THREAT_BACK = THREAT + NUM_THREAT
    RELATION = THREAT_BACK + NUM_THREAT
    NUM_RIVAL

cdef enum:
    KNIGHT_AT = NUM_TABLE
    OWN_AT = KNIGHT_AT + NUM_KNIGHT
    RIVALS_AT = OWN_AT + NUM_OWN
    NUM_WORDS = 10          # of marks
    HUNDREDTHS = 5          # of a hit, a unit of TAKEN
    FAR = 255               # beyond all distances

CHANCES = (20, 25, 33, 40, 50, 60, 66, 75, 80)      # all that piles give but 0, in percent
WEAPONS = TOKENS[SWORD:BOW + 1]
PLACED = TOKENS[SWORD:EMPTY + 1]
OPPONENTS = range(1, SEATS)


def chances(str what):
    return at_least(f"{what}: hits by {{}} % or more", *CHANCES)


def within(str what, int most, int least):
    return at_most(f"{what}: {{}} spaces away or less", *range(most, least - 1, -1))


def hearts(str what):
    """Thermometer of the hearts of a pile: bow 1, spear 2, sword 3."""
    return at_least(f"{what}, {{}} hearts or more", 1, 2, 3)


TABLE = {
    STAGE: each("stage: {}", STAGES[STAGE_PLACE:STAGE_DRAW + 1]),
    ASKED: each("own seat {}", ("is asked", "will be asked")),
    SLOT: at_least("slot: {} or later", 1, 2, 3),
    TURN: at_least("turn: {} or later", 2, 3, 5, 8, 12),
    LIMIT: at_most("turns to the limit: {} or less", 8, 5, 3, 2, 1),
    COMBAT: chances("current combat"),
}
KNIGHT_TABLE = {
    HEART: each("{}", ("standing", "Heart: not defeated", "Heart: Full")),
    WEAPON: each("weapon: {}", WEAPONS),
    UP: each("{}", ("Inspiration up",)),
    GROUND: within("High Ground", 5, 0),
    DOWN_GROUND: within("Inspiration down, High Ground", 5, 0),
    TOKEN: each("{}", (*(f"token of the slot: {token}" for token in PLACED), "slot locked")),
    ACTIONS: at_least("later actions: {} or more", 1, 2, 3),
    STATUS: each("{}", ("both tokens of the weapon used", "attacks in this slot")),
    ATTACKED: at_least("declared attacks on it: {} or more", 1, 2),
    COMBATANT: each("{} of the current combat", ("attacker", "target")),
    REACHED: at_least("in reach of {} opponents or more", 1, 2, 3),
    REACHES: at_least("reaches {} opponents or more", 1, 2, 3),
}
PLAN_TABLE = {
    PLANNED: each("{}", PLACED),
    ATTACK: each("{}", ("attack",)),
    ATTACK_REACHES: hearts("attack that reaches"),
}
OWN_TABLE = {
    OWN_STEP: each("own step: {}", ("stays", "goes")),
    OWN_ANSWER: each("own answer: {}", ("yes or first", "no or wait")),
    OWN_CHANCE: chances("own declared attack"),
    OWN_KILL: chances("own declared attack on a Broken Knight"),
    OWN_PARRIED: each("{}", ("own declared attack on a parrying Knight",)),
    DANGER: chances("declared attack on the own Knight"),
    NEAREST: within("nearest opponent", 9, 1),
    STANDING_OPPONENTS: at_least("opponents not defeated: {} or more", *OPPONENTS),
    BROKEN_OPPONENTS: at_least("Broken opponents: {} or more", *OPPONENTS),
    MADE: at_least("own hits: {} hundredths or more", 10, 20, 25, 35, 40, 60),
    TAKEN: at_least(
        "hits on the own Knight: {} hundredths or more", 5, 10, 20, 30, 40, 50, 60, 80, 100, 150,
        unit=HUNDREDTHS),
}
THREAT_TABLE = {
    REACH: hearts("in reach"),
    ALMOST: hearts("in reach or one space beyond"),
    NEARNESS: at_most("{} spaces beyond or less", 3, 2),
    DEADLY: hearts("in reach of a Broken Knight"),
}

cdef Block[RIVALS_AT + (SEATS - 1) * NUM_RIVAL + 1] BLOCKS
cdef int32_t[NUM_WORDS] WORD_FIRST


def rival_rows(str rival) -> dict:
    """Return the rows of an opponent."""
    before = f"before {rival} in the initiative order"
    attacks = (f"declared attack on {rival}", f"declared attack of {rival}")
    return {
        **prefixed(rival, KNIGHT_TABLE, 0),
        DISTANCE: within(rival, 9, 1),
        **prefixed(f"own threat to {rival}", THREAT_TABLE, THREAT),
        **prefixed(f"threat of {rival}", THREAT_TABLE, THREAT_BACK),
        RELATION: each("{}", (before, *attacks)),
    }


def fill_blocks() -> list[str]:
    """Fill the blocks and return the names of the features for the most seats."""
    cdef int number, first
    rows = TABLE | prefixed("own Knight", KNIGHT_TABLE, KNIGHT_AT)
    for number in range(SLOTS + 1):
        slot = f"own slot {number} later" if number else "own slot"
        rows |= prefixed(slot, PLAN_TABLE, OWN_AT + PLAN + number * NUM_PLAN)
    rows |= {OWN_AT + number: row for number, row in OWN_TABLE.items()}
    for number in OPPONENTS:
        first = RIVALS_AT + (number - 1) * NUM_RIVAL
        rows |= {first + at: row for at, row in rival_rows(f"opponent {number}").items()}
    return lay_out(BLOCKS, WORD_FIRST, NUM_WORDS, rows)


FEATURE_NAMES = fill_blocks()

# What features of several Knights need.
cdef struct Sight:
    uint8_t[6] space    # after known steps
    int8_t[6] target    # of the declared attacks that the seat sees; -1: none
    uint8_t[6] within   # undefeated opponents that the weapon reaches
    uint8_t[6] close    # the same with one space more
    uint8_t attacking   # the Knights that attack in this slot, or may still decline
    int8_t attacker     # of the current combat; -1: none


cdef int kd_num_features(int num_seats) noexcept nogil:
    return BLOCKS[RIVALS_AT + (num_seats - 1) * NUM_RIVAL].first


cdef int kd_features(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef uint64_t[NUM_WORDS] marks
    cdef Sight sight
    cdef const Block* blocks = &BLOCKS[<int>RIVALS_AT]
    cdef int place, other
    if s.stage == STAGE_CLAN:
        return 0
    memset(marks, 0, sizeof(marks))
    look(rules, s, seat, &sight)
    mark_table(rules, s, seat, &sight, marks)
    if s.standing >> seat & 1:
        mark_knight(rules, s, seat, &sight, &BLOCKS[<int>KNIGHT_AT], marks)
        mark_plan(rules, s, seat, &sight, &BLOCKS[OWN_AT + PLAN], marks)
        mark_choices(s, seat, &BLOCKS[<int>OWN_AT], marks)
        mark_attacks(rules, s, seat, &sight, &BLOCKS[<int>OWN_AT], marks)
        mark_opponents(rules, s, seat, &sight, &BLOCKS[<int>OWN_AT], marks)
    for place in range(seat + 1, seat + rules.num_seats):
        other = place if place < rules.num_seats else place - rules.num_seats
        if s.standing >> other & 1:
            mark_knight(rules, s, other, &sight, blocks, marks)
            if s.standing >> seat & 1:
                mark_relation(rules, s, seat, other, &sight, blocks, marks)
            blocks += NUM_RIVAL
    return write_marked(marks, WORD_FIRST, NUM_WORDS, out)


# --- what the seat sees of steps, attacks and reaches ---------------------------------------------

cdef inline void look(const Rules* rules, const State* s, int seat, Sight* sight) noexcept nogil:
    sight.attacker = -1
    if s.stage == STAGE_INSPIRE or s.stage == STAGE_DRAW:
        sight.attacker = fighter(rules, s)
    find_spaces(rules, s, seat, sight)
    find_targets(s, seat, sight)
    sight.attacking = attacking(s, seat)
    find_reaches(rules, s, sight)


cdef inline void find_spaces(
        const Rules* rules, const State* s, int seat, Sight* sight) noexcept nogil:
    cdef uint64_t moving = 0
    cdef int going, mover
    memcpy(sight.space, s.space, sizeof(sight.space))
    if s.stage == STAGE_STEP and s.choice[seat]:
        moving = 1 << seat
    elif s.stage == STAGE_CLAIM:
        going = possible_steps(rules, s)
        moving = going & ~contenders(rules, s, going)
    while moving:
        mover = pop_lowest(&moving)
        sight.space[mover] = destination(rules, s, mover)


cdef inline void find_targets(const State* s, int seat, Sight* sight) noexcept nogil:
    cdef int attacker
    for attacker in range(SEATS):
        sight.target[attacker] = -1
    if s.stage == STAGE_TARGET:
        if s.choice[seat] != NO_TARGET:
            sight.target[seat] = s.choice[seat] - 1
    elif STAGE_ORDER <= s.stage <= STAGE_DRAW:
        for attacker in range(SEATS):
            sight.target[attacker] = s.choice[attacker] - 1


cdef inline int attacking(const State* s, int seat) noexcept nogil:
    cdef int found = 0
    cdef int other
    if s.stage == STAGE_STEP or s.stage == STAGE_CLAIM:
        for other in range(SEATS):
            if is_weapon(s.weapon[other]):
                found |= (s.weapon[other] == s.tokens[s.slot - 1][other]) << other
    elif STAGE_TARGET <= s.stage <= STAGE_DRAW:
        found = chosen(s.choice) | s.waiting
        if s.stage == STAGE_TARGET:
            found |= s.left
            found &= ~((s.choice[seat] == NO_TARGET) << seat)
    return found


cdef inline void find_reaches(const Rules* rules, const State* s, Sight* sight) noexcept nogil:
    cdef uint64_t left = 0
    cdef uint64_t others
    cdef int able, seat, other, distance, within
    for seat in range(SEATS):
        left |= is_able(s, seat) << seat
    able = left
    memset(sight.within, 0, sizeof(sight.within))
    memset(sight.close, 0, sizeof(sight.close))
    while left:
        seat = pop_lowest(&left)
        others = able & ~(1 << seat) if s.weapon[seat] != NO_TOKEN else 0
        within = reach(s.weapon[seat])
        while others:
            other = pop_lowest(&others)
            distance = space_between(rules, sight.space[seat], sight.space[other])
            sight.within[seat] |= (distance <= within) << other
            sight.close[seat] |= (distance <= within + 1) << other


cdef inline int answer_of(
        const Rules* rules, const State* s, int seat, int other) noexcept nogil:
    """The answer in the current combat, as far as the seat sees it."""
    if s.stage == STAGE_DRAW or other == seat or rules.inspires_openly:
        return s.answer[other]
    return 0


cdef inline int chance_of(
        const Rules* rules, const State* s, int seat, const Sight* sight, int attacker,
        ) noexcept nogil:
    """The chance that a declared attack hits, in percent; 0 without one."""
    cdef int target = sight.target[attacker]
    cdef int hearts, shields
    if target < 0:
        return 0
    shields = shields_of(s, attacker, target)
    hearts = 4 - shields
    if attacker == sight.attacker:
        hearts += answer_of(rules, s, seat, attacker) == YES
        hearts -= answer_of(rules, s, seat, target) == YES
    if hearts <= 0:
        return 0
    return 100 * hearts // (hearts + shields)


# --- table and Knights ----------------------------------------------------------------------------

cdef inline void mark_table(
        const Rules* rules, const State* s, int seat, const Sight* sight,
        uint64_t* marks) noexcept nogil:
    cdef bint is_asked = s.node == seat
    cdef bint is_asked_later = not is_asked and s.left >> seat & 1
    if s.stage <= STAGE_DRAW:
        mark_one(marks, &BLOCKS[<int>STAGE], s.stage - STAGE_PLACE)
    mark_set(marks, &BLOCKS[<int>ASKED], is_asked | is_asked_later << 1)
    mark_scale(marks, &BLOCKS[<int>SLOT], s.slot)
    mark_scale(marks, &BLOCKS[<int>TURN], s.turn)
    mark_scale(marks, &BLOCKS[<int>LIMIT], rules.turn_limit - s.turn + 1)
    if sight.attacker >= 0:
        mark_scale(
            marks, &BLOCKS[<int>COMBAT], chance_of(rules, s, seat, sight, sight.attacker))


cdef inline int token_now(const State* s, int seat) noexcept nogil:
    """The revealed token of the current slot; NO_TOKEN while there is none."""
    return s.tokens[s.slot - 1][seat] if s.slot else NO_TOKEN


cdef inline bint is_able(const State* s, int seat) noexcept nogil:
    """Whether a Knight is neither defeated nor out."""
    return s.heart[seat] == FULL or s.heart[seat] == BROKEN


cdef inline void mark_knight(
        const Rules* rules, const State* s, int seat, const Sight* sight, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """What all see of a standing Knight."""
    cdef int ground = space_between(rules, sight.space[seat], rules.arena.centre)
    cdef int token = token_now(s, seat)
    cdef bint is_up = s.up >> seat & 1
    cdef bint is_locked = s.slot < SLOTS and s.tokens[SLOTS - 1][seat] == LOCKED
    cdef bint is_target = sight.attacker >= 0 and sight.target[sight.attacker] == seat
    cdef int attacks = 0
    cdef int reached = 0
    cdef int other
    for other in range(rules.num_seats):
        attacks += sight.target[other] == seat
        reached += sight.within[other] >> seat & 1
    mark_set(
        marks, &blocks[<int>HEART], 1 | is_able(s, seat) << 1 | (s.heart[seat] == FULL) << 2)
    if is_weapon(s.weapon[seat]):
        mark_one(marks, &blocks[<int>WEAPON], s.weapon[seat] - SWORD)
    mark_set(marks, &blocks[<int>UP], is_up)
    mark_scale(marks, &blocks[<int>GROUND], ground)
    mark_scale(marks, &blocks[<int>DOWN_GROUND], FAR if is_up else ground)
    if SWORD <= token <= LOCKED:
        mark_one(marks, &blocks[<int>TOKEN], token - SWORD)
    mark_scale(marks, &blocks[<int>ACTIONS], SLOTS - s.slot - is_locked)
    mark_set(marks, &blocks[<int>STATUS], is_spent(s, seat) | (sight.attacking >> seat & 1) << 1)
    mark_scale(marks, &blocks[<int>ATTACKED], attacks)
    mark_set(marks, &blocks[<int>COMBATANT], (sight.attacker == seat) | is_target << 1)
    mark_scale(marks, &blocks[<int>REACHED], reached)
    mark_scale(marks, &blocks[<int>REACHES], count(sight.within[seat]))


cdef inline bint is_spent(const State* s, int seat) noexcept nogil:
    """Whether both tokens of the weapon have been revealed, so that it can't attack any more."""
    cdef int shown = 0
    cdef int slot
    for slot in range(s.slot):
        shown += s.tokens[slot][seat] == s.weapon[seat]
    return shown >= 2 and is_weapon(s.weapon[seat])


# --- the own Knight -------------------------------------------------------------------------------

cdef inline int nearest(
        const Rules* rules, const State* s, int seat, const Sight* sight) noexcept nogil:
    """The distance of the nearest opponent that is not defeated; FAR without one."""
    cdef int found = FAR
    cdef int other
    for other in range(rules.num_seats):
        if other != seat and is_able(s, other):
            found = min(found, space_between(rules, sight.space[seat], sight.space[other]))
    return found


cdef inline void mark_plan(
        const Rules* rules, const State* s, int seat, const Sight* sight, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """The tokens of the current slot, if it is not over, and later ones, as far as placed.

    An attack reaches if it does against opponents that stay, after all steps planned before it.
    """
    cdef bint is_current = s.stage == STAGE_STEP or s.stage == STAGE_CLAIM
    cdef int gap = nearest(rules, s, seat, sight)
    cdef int weapon = s.weapon[seat]
    cdef const Block* plan
    cdef int slot, token
    for slot in range(s.slot - 1 if is_current else s.slot, SLOTS):
        token = s.tokens[slot][seat]
        plan = blocks + (slot - s.slot + 1) * NUM_PLAN
        if SWORD <= token <= EMPTY:
            mark_one(marks, &plan[<int>PLANNED], token - SWORD)
        if is_weapon(token) and token == weapon:
            mark_one(marks, &plan[<int>ATTACK], 0)
            mark_scale(
                marks, &plan[<int>ATTACK_REACHES], 4 - weapon if gap <= reach(weapon) else 0)
        if is_weapon(token):
            weapon = token
        gap -= token == MOVEMENT and (slot >= s.slot or s.choice[seat] == 0)


cdef inline void mark_choices(
        const State* s, int seat, const Block* blocks, uint64_t* marks) noexcept nogil:
    """The own step and answer that wait for others."""
    cdef int step = s.choice[seat] if s.stage == STAGE_STEP or s.stage == STAGE_CLAIM else 0
    cdef int answer = s.answer[seat]    # a `Choice` of two
    if step:
        mark_one(marks, &blocks[<int>OWN_STEP], step != STAY)
    if 1 <= answer <= 2:
        mark_one(marks, &blocks[<int>OWN_ANSWER], answer - 1)


cdef inline void mark_attacks(
        const Rules* rules, const State* s, int seat, const Sight* sight, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """The own declared attack, and those on the own Knight."""
    cdef int target = sight.target[seat]
    cdef int own = chance_of(rules, s, seat, sight, seat)
    cdef int danger = 0
    cdef int other
    for other in range(rules.num_seats):
        if sight.target[other] == seat:
            danger = max(danger, chance_of(rules, s, seat, sight, other))
    mark_scale(marks, &blocks[<int>OWN_CHANCE], own)
    if target >= 0 and s.heart[target] == BROKEN:
        mark_scale(marks, &blocks[<int>OWN_KILL], own)
    if target >= 0 and token_now(s, target) == PARRY:
        mark_one(marks, &blocks[<int>OWN_PARRIED], 0)
    mark_scale(marks, &blocks[<int>DANGER], danger)


cdef inline void mark_opponents(
        const Rules* rules, const State* s, int seat, const Sight* sight, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """The opponents together, with the hits that the evaluation expects."""
    cdef int able = 0
    cdef int broken = 0
    cdef int taken = 0
    cdef int other
    for other in range(rules.num_seats):
        if other != seat:
            broken += s.heart[other] == BROKEN
            able += is_able(s, other)
            taken += hits_on(s, other, seat, sight)
    mark_scale(marks, &blocks[<int>NEAREST], nearest(rules, s, seat, sight))
    mark_scale(marks, &blocks[<int>STANDING_OPPONENTS], able)
    mark_scale(marks, &blocks[<int>BROKEN_OPPONENTS], broken)
    mark_scale(marks, &blocks[<int>MADE], hits(s, seat, sight))
    mark_scale(marks, &blocks[<int>TAKEN], taken // HUNDREDTHS)


cdef inline int hits(const State* s, int seat, const Sight* sight) noexcept nogil:
    """Hits of a Knight in the next two slots, in hundredths; see policy.pyx."""
    if sight.within[seat]:
        return 20 * (4 - s.weapon[seat])
    return 25 * (4 - s.weapon[seat]) // 2 if sight.close[seat] else 0


cdef inline int hits_on(
        const State* s, int attacker, int target, const Sight* sight) noexcept nogil:
    """The part of them that a possible target gets."""
    cdef int targets = sight.within[attacker] if sight.within[attacker] else sight.close[attacker]
    if not targets >> target & 1:
        return 0
    return hits(s, attacker, sight) // count(targets)


# --- an opponent ----------------------------------------------------------------------------------

cdef inline void mark_relation(
        const Rules* rules, const State* s, int seat, int other, const Sight* sight,
        const Block* blocks, uint64_t* marks) noexcept nogil:
    """What lies between the own Knight and a standing opponent."""
    cdef int distance = space_between(rules, sight.space[seat], sight.space[other])
    cdef bint is_before = turn_place(rules, s, seat) < turn_place(rules, s, other)
    mark_scale(marks, &blocks[<int>DISTANCE], distance)
    mark_threat(s, seat, other, distance, &blocks[<int>THREAT], marks)
    mark_threat(s, other, seat, distance, &blocks[<int>THREAT_BACK], marks)
    mark_set(
        marks, &blocks[<int>RELATION],
        is_before | (sight.target[seat] == other) << 1 | (sight.target[other] == seat) << 2)


cdef inline int turn_place(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The place of a seat in the initiative order, from 0."""
    cdef int first = (s.turn - 1) % rules.num_seats
    return seat - first if seat >= first else seat - first + rules.num_seats


cdef inline void mark_threat(
        const State* s, int attacker, int target, int distance, const Block* blocks,
        uint64_t* marks) noexcept nogil:
    """The hearts of a pile with and without more steps, and against a Broken target."""
    cdef int weapon = s.weapon[attacker]
    cdef int beyond = distance - reach(weapon)
    cdef int hearts = 4 - weapon
    if weapon == NO_TOKEN or s.heart[attacker] == DEFEATED or s.heart[target] == DEFEATED:
        return
    mark_scale(marks, &blocks[<int>REACH], hearts if beyond <= 0 else 0)
    mark_scale(marks, &blocks[<int>ALMOST], hearts if beyond <= 1 else 0)
    mark_scale(marks, &blocks[<int>NEARNESS], beyond)
    mark_scale(
        marks, &blocks[<int>DEADLY], hearts if beyond <= 0 and s.heart[target] == BROKEN else 0)
