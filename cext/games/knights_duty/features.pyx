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
from kingmaker.cext.features cimport levels_left, levels_reached, put, put_choice, put_levels

from kingmaker.cext.feature_names import joined, levels, placed

from .combat cimport fighter, shields_of
from .state cimport (
    BOW, BROKEN, DEFEATED, EMPTY, FULL, LOCKED, MOVEMENT, NO_TARGET, NO_TOKEN, PARRY, SEATS,
    SLOTS, STAGE_CLAIM, STAGE_CLAN, STAGE_DRAW, STAGE_INSPIRE, STAGE_ORDER, STAGE_PLACE,
    STAGE_STEP, STAGE_TARGET, STAY, SWORD, YES, Rules, State, chosen, is_weapon, reach,
    space_between)
from .steps cimport contenders, destination, possible_steps

from .names import STAGES, TOKENS

cdef extern from *:
    """
    static const unsigned char KD_TURNS[5] = {2, 3, 5, 8, 12};
    static const unsigned char KD_TURNS_LEFT[5] = {8, 5, 3, 2, 1};
    static const unsigned char KD_CHANCES[9] = {20, 25, 33, 40, 50, 60, 66, 75, 80};
    static const unsigned char KD_MADE[6] = {10, 20, 25, 35, 40, 60};
    static const unsigned char KD_TAKEN[10] = {5, 10, 20, 30, 40, 50, 60, 80, 100, 150};
    """
    const uint8_t* TURN_LEVELS "KD_TURNS"
    const uint8_t* LIMIT_LEVELS "KD_TURNS_LEFT"     # descending
    const uint8_t* CHANCES "KD_CHANCES"             # all that piles give but 0, in percent
    const uint8_t* MADE_LEVELS "KD_MADE"            # hundredths of hits
    const uint8_t* TAKEN_LEVELS "KD_TAKEN"

cdef enum:
    NUM_TURNS = 5
    NUM_LIMITS = 5
    NUM_CHANCES = 9
    NUM_MADE = 6
    NUM_TAKEN = 10
    NUM_STAGES = STAGE_DRAW - STAGE_PLACE + 1
    NUM_TOKENS = EMPTY - SWORD + 1
    NUM_WEAPONS = BOW - SWORD + 1
    HEARTS = 3          # of a pile: bow 1, spear 2, sword 3
    GROUND = 6          # 0 to 5 spaces to the High Ground
    DISTANCES = 9       # 1 to 9 spaces
    NEARNESS = 2        # a weapon that reaches 3 or 2 spaces less than is needed
    CROWD = 3           # Knights in reach of one
    OPPONENTS = SEATS - 1

# --- the layout: where each block begins; the next begins where it ends

cdef enum:      # the table
    AT_STAGE = 0
    AT_ASKED = AT_STAGE + NUM_STAGES
    AT_ASKED_LATER
    AT_SLOT
    AT_TURN = AT_SLOT + SLOTS
    AT_LIMIT = AT_TURN + NUM_TURNS
    AT_COMBAT = AT_LIMIT + NUM_LIMITS
    OWN_KNIGHT = AT_COMBAT + NUM_CHANCES

cdef enum:      # a Knight
    AT_STANDING = 0
    AT_HEART
    AT_WEAPON = AT_HEART + 2
    AT_UP = AT_WEAPON + NUM_WEAPONS
    AT_GROUND
    AT_DOWN_GROUND = AT_GROUND + GROUND
    AT_TOKEN = AT_DOWN_GROUND + GROUND
    AT_LOCKED = AT_TOKEN + NUM_TOKENS
    AT_ACTIONS
    AT_SPENT = AT_ACTIONS + SLOTS
    AT_ATTACKING
    AT_ATTACKED
    AT_ATTACKER = AT_ATTACKED + 2
    AT_TARGET
    AT_REACHED
    AT_REACHES = AT_REACHED + CROWD
    KNIGHT = AT_REACHES + CROWD

cdef enum:      # a slot of the plan
    AT_PLANNED = 0
    AT_ATTACK = AT_PLANNED + NUM_TOKENS
    AT_ATTACK_REACHES
    PLAN = AT_ATTACK_REACHES + HEARTS

cdef enum:      # what only the own Knight has
    OWN_PLAN = OWN_KNIGHT + KNIGHT
    AT_OWN_STEP = OWN_PLAN + (1 + SLOTS) * PLAN
    AT_OWN_ANSWER = AT_OWN_STEP + 2
    AT_OWN_CHANCE = AT_OWN_ANSWER + 2
    AT_OWN_KILL = AT_OWN_CHANCE + NUM_CHANCES
    AT_OWN_PARRIED = AT_OWN_KILL + NUM_CHANCES
    AT_DANGER
    AT_NEAREST = AT_DANGER + NUM_CHANCES
    AT_OPPONENTS = AT_NEAREST + DISTANCES
    AT_BROKEN = AT_OPPONENTS + OPPONENTS
    AT_MADE = AT_BROKEN + OPPONENTS
    AT_TAKEN = AT_MADE + NUM_MADE
    FIRST_RIVAL = AT_TAKEN + NUM_TAKEN

cdef enum:      # the threat of a weapon to a Knight
    AT_REACH = 0
    AT_ALMOST = AT_REACH + HEARTS
    AT_NEARNESS = AT_ALMOST + HEARTS
    AT_DEADLY = AT_NEARNESS + NEARNESS
    THREAT = AT_DEADLY + HEARTS

cdef enum:      # an opponent
    AT_DISTANCE = KNIGHT
    AT_THREAT = AT_DISTANCE + DISTANCES
    AT_THREAT_BACK = AT_THREAT + THREAT
    AT_BEFORE = AT_THREAT_BACK + THREAT
    AT_OWN_TARGET
    AT_TARGETS_OWN
    RIVAL

# What features of several Knights need.
cdef struct Sight:
    uint8_t[6] space    # after known steps
    int8_t[6] target    # of the declared attacks that the seat sees; -1: none
    uint8_t[6] within   # undefeated opponents that the weapon reaches
    uint8_t[6] close    # the same with one space more
    uint8_t attacking   # the Knights that attack in this slot, or may still decline
    int8_t attacker     # of the current combat; -1: none


cdef int kd_num_features(int num_seats) noexcept nogil:
    return FIRST_RIVAL + (num_seats - 1) * RIVAL


# --- the features ---------------------------------------------------------------------------------

cdef int kd_features(
        const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    cdef Sight sight
    cdef int32_t* start = out
    cdef int base = FIRST_RIVAL
    cdef int place, other
    if s.stage == STAGE_CLAN:
        return 0
    look(rules, s, seat, &sight)
    out = put_table(rules, s, seat, &sight, out)
    if s.standing >> seat & 1:
        out = put_knight(rules, s, seat, &sight, OWN_KNIGHT, out)
        out = put_plan(rules, s, seat, &sight, out)
        out = put_choices(s, seat, out)
        out = put_attacks(rules, s, seat, &sight, out)
        out = put_opponents(rules, s, seat, &sight, out)
    for place in range(seat + 1, seat + rules.num_seats):
        other = place if place < rules.num_seats else place - rules.num_seats
        if s.standing >> other & 1:
            out = put_knight(rules, s, other, &sight, base, out)
            if s.standing >> seat & 1:
                out = put_relation(rules, s, seat, other, &sight, base, out)
            base += RIVAL
    return out - start


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
        left |= (s.heart[seat] == FULL or s.heart[seat] == BROKEN) << seat
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


cdef inline int chance_level(
        const Rules* rules, const State* s, int seat, const Sight* sight, int attacker,
        ) noexcept nogil:
    """The level of the chance that a declared attack hits; 0 without one."""
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
    return levels_reached(100 * hearts // (hearts + shields), CHANCES, NUM_CHANCES)


# --- table and Knights ----------------------------------------------------------------------------

cdef inline int32_t* put_table(
        const Rules* rules, const State* s, int seat, const Sight* sight, int32_t* out,
        ) noexcept nogil:
    cdef int turns_left = rules.turn_limit - s.turn + 1
    cdef int chance = 0
    if sight.attacker >= 0:
        chance = chance_level(rules, s, seat, sight, sight.attacker)
    if s.stage <= STAGE_DRAW:
        out = put_choice(out, AT_STAGE, s.stage - STAGE_PLACE)
    out = put(out, AT_ASKED, s.node == seat)
    out = put(out, AT_ASKED_LATER, s.node != seat and s.left >> seat & 1)
    out = put_levels(out, AT_SLOT, s.slot, SLOTS)
    out = put_levels(out, AT_TURN, levels_reached(s.turn, TURN_LEVELS, NUM_TURNS), NUM_TURNS)
    out = put_levels(out, AT_LIMIT, levels_left(turns_left, LIMIT_LEVELS, NUM_LIMITS), NUM_LIMITS)
    return put_levels(out, AT_COMBAT, chance, NUM_CHANCES)


cdef inline int token_now(const State* s, int seat) noexcept nogil:
    """The revealed token of the current slot; NO_TOKEN while there is none."""
    return s.tokens[s.slot - 1][seat] if s.slot else NO_TOKEN


cdef inline int token_choice(int token) noexcept nogil:
    """The index of a token that can be placed, from 0; -1 for others and hidden ones."""
    return token - SWORD if SWORD <= token <= EMPTY else -1


cdef inline int32_t* put_knight(
        const Rules* rules, const State* s, int seat, const Sight* sight, int base, int32_t* out,
        ) noexcept nogil:
    """What all see of a standing Knight."""
    cdef int ground = GROUND - space_between(rules, sight.space[seat], rules.arena.centre)
    cdef bint is_up = s.up >> seat & 1
    cdef int hearts = 2 if s.heart[seat] == FULL else s.heart[seat] == BROKEN
    cdef bint is_locked = s.slot < SLOTS and s.tokens[SLOTS - 1][seat] == LOCKED
    cdef int attacks = 0
    cdef int reached = 0
    cdef int other
    for other in range(rules.num_seats):
        attacks += sight.target[other] == seat
        reached += sight.within[other] >> seat & 1
    out = put(out, base + AT_STANDING, True)
    out = put_levels(out, base + AT_HEART, hearts, 2)
    out = put_choice(out, base + AT_WEAPON, s.weapon[seat] - SWORD)
    out = put(out, base + AT_UP, is_up)
    out = put_levels(out, base + AT_GROUND, ground, GROUND)
    out = put_levels(out, base + AT_DOWN_GROUND, 0 if is_up else ground, GROUND)
    out = put_choice(out, base + AT_TOKEN, token_choice(token_now(s, seat)))
    out = put(out, base + AT_LOCKED, token_now(s, seat) == LOCKED)
    out = put_levels(out, base + AT_ACTIONS, SLOTS - s.slot - is_locked, SLOTS)
    out = put(out, base + AT_SPENT, is_spent(s, seat))
    out = put(out, base + AT_ATTACKING, sight.attacking >> seat & 1)
    out = put_levels(out, base + AT_ATTACKED, attacks, 2)
    out = put(out, base + AT_ATTACKER, sight.attacker == seat)
    out = put(
        out, base + AT_TARGET, sight.attacker >= 0 and sight.target[sight.attacker] == seat)
    out = put_levels(out, base + AT_REACHED, reached, CROWD)
    return put_levels(out, base + AT_REACHES, count(sight.within[seat]), CROWD)


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
    """The distance of the nearest opponent that is not defeated; 255 without one."""
    cdef int found = 255
    cdef int other
    for other in range(rules.num_seats):
        if other != seat and (s.heart[other] == FULL or s.heart[other] == BROKEN):
            found = min(found, space_between(rules, sight.space[seat], sight.space[other]))
    return found


cdef inline int32_t* put_plan(
        const Rules* rules, const State* s, int seat, const Sight* sight, int32_t* out,
        ) noexcept nogil:
    """The tokens of the current slot, if it is not over, and later ones, as far as placed.

    An attack reaches if it does against opponents that stay, after all steps planned before it.
    """
    cdef bint is_current = s.stage == STAGE_STEP or s.stage == STAGE_CLAIM
    cdef int gap = nearest(rules, s, seat, sight)
    cdef int weapon = s.weapon[seat]
    cdef int slot, token, base
    cdef bint is_attack
    for slot in range(s.slot - 1 if is_current else s.slot, SLOTS):
        token = s.tokens[slot][seat]
        base = OWN_PLAN + (slot - s.slot + 1) * PLAN
        is_attack = is_weapon(token) and token == weapon
        out = put_choice(out, base + AT_PLANNED, token_choice(token))
        out = put(out, base + AT_ATTACK, is_attack)
        out = put_levels(
            out, base + AT_ATTACK_REACHES,
            4 - weapon if is_attack and gap <= reach(weapon) else 0, HEARTS)
        if is_weapon(token):
            weapon = token
        gap -= token == MOVEMENT and (slot >= s.slot or s.choice[seat] == 0)
    return out


cdef inline int32_t* put_choices(const State* s, int seat, int32_t* out) noexcept nogil:
    """The own step and answer that wait for others."""
    cdef int step = s.choice[seat] if s.stage == STAGE_STEP or s.stage == STAGE_CLAIM else 0
    cdef int answer = s.answer[seat]    # a `Choice` of two
    if step:
        out = put_choice(out, AT_OWN_STEP, step != STAY)
    return put_choice(out, AT_OWN_ANSWER, answer - 1 if answer <= 2 else -1)


cdef inline int32_t* put_attacks(
        const Rules* rules, const State* s, int seat, const Sight* sight, int32_t* out,
        ) noexcept nogil:
    """The own declared attack, and those on the own Knight."""
    cdef int target = sight.target[seat]
    cdef int own = chance_level(rules, s, seat, sight, seat)
    cdef int danger = 0
    cdef int other
    for other in range(rules.num_seats):
        if sight.target[other] == seat:
            danger = max(danger, chance_level(rules, s, seat, sight, other))
    out = put_levels(out, AT_OWN_CHANCE, own, NUM_CHANCES)
    out = put_levels(
        out, AT_OWN_KILL, own if target >= 0 and s.heart[target] == BROKEN else 0, NUM_CHANCES)
    out = put(out, AT_OWN_PARRIED, target >= 0 and token_now(s, target) == PARRY)
    return put_levels(out, AT_DANGER, danger, NUM_CHANCES)


cdef inline int32_t* put_opponents(
        const Rules* rules, const State* s, int seat, const Sight* sight, int32_t* out,
        ) noexcept nogil:
    """The opponents together, with the hits that the evaluation expects."""
    cdef int standing = 0
    cdef int broken = 0
    cdef int taken = 0
    cdef int other
    for other in range(rules.num_seats):
        if other != seat:
            broken += s.heart[other] == BROKEN
            standing += s.heart[other] == FULL or s.heart[other] == BROKEN
            taken += hits_on(s, other, seat, sight)
    out = put_levels(
        out, AT_NEAREST, DISTANCES + 1 - nearest(rules, s, seat, sight), DISTANCES)
    out = put_levels(out, AT_OPPONENTS, standing, OPPONENTS)
    out = put_levels(out, AT_BROKEN, broken, OPPONENTS)
    out = put_levels(
        out, AT_MADE, levels_reached(hits(s, seat, sight), MADE_LEVELS, NUM_MADE), NUM_MADE)
    return put_levels(out, AT_TAKEN, levels_reached(taken, TAKEN_LEVELS, NUM_TAKEN), NUM_TAKEN)


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

cdef inline int32_t* put_relation(
        const Rules* rules, const State* s, int seat, int other, const Sight* sight, int base,
        int32_t* out) noexcept nogil:
    """What lies between the own Knight and a standing opponent."""
    cdef int distance = space_between(rules, sight.space[seat], sight.space[other])
    out = put_levels(out, base + AT_DISTANCE, DISTANCES + 1 - distance, DISTANCES)
    out = put_threat(s, seat, other, distance, base + AT_THREAT, out)
    out = put_threat(s, other, seat, distance, base + AT_THREAT_BACK, out)
    out = put(out, base + AT_BEFORE, turn_place(rules, s, seat) < turn_place(rules, s, other))
    out = put(out, base + AT_OWN_TARGET, sight.target[seat] == other)
    return put(out, base + AT_TARGETS_OWN, sight.target[other] == seat)


cdef inline int turn_place(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The place of a seat in the initiative order, from 0."""
    cdef int first = (s.turn - 1) % rules.num_seats
    return seat - first if seat >= first else seat - first + rules.num_seats


cdef inline int32_t* put_threat(
        const State* s, int attacker, int target, int distance, int base, int32_t* out,
        ) noexcept nogil:
    """The hearts of a pile with and without more steps, and against a Broken target."""
    cdef int weapon = s.weapon[attacker]
    cdef int beyond = distance - reach(weapon)
    cdef int hearts = 4 - weapon
    if weapon == NO_TOKEN or s.heart[attacker] == DEFEATED or s.heart[target] == DEFEATED:
        hearts = 0
    out = put_levels(out, base + AT_REACH, hearts if beyond <= 0 else 0, HEARTS)
    out = put_levels(out, base + AT_ALMOST, hearts if beyond <= 1 else 0, HEARTS)
    out = put_levels(out, base + AT_NEARNESS, 4 - beyond if hearts else 0, NEARNESS)
    return put_levels(
        out, base + AT_DEADLY, hearts if beyond <= 0 and s.heart[target] == BROKEN else 0, HEARTS)


# --- names ----------------------------------------------------------------------------------------

cdef list kd_feature_names(int num_seats):
    blocks = table_names()
    blocks += knight_names("own Knight: ", OWN_KNIGHT)
    blocks += own_names()
    for number in range(1, num_seats):
        base = FIRST_RIVAL + (number - 1) * RIVAL
        blocks += knight_names(f"opponent {number}: ", base)
        blocks += relation_names(number, base)
    return joined(blocks, kd_num_features(num_seats))


cdef list table_names():
    return [
        (AT_STAGE, levels("stage: {}", STAGES[STAGE_PLACE:STAGE_DRAW + 1])),
        (AT_ASKED, ["own seat is asked"]),
        (AT_ASKED_LATER, ["own seat will be asked"]),
        (AT_SLOT, levels("slot: {} or later", range(1, SLOTS + 1))),
        (AT_TURN, levels("turn: {} or later", numbers(TURN_LEVELS, NUM_TURNS))),
        (AT_LIMIT, levels("turns to the limit: {} or less", numbers(LIMIT_LEVELS, NUM_LIMITS))),
        (AT_COMBAT, chances("current combat")),
    ]


cdef list knight_names(str who, int base):
    blocks = [
        (AT_STANDING, ["standing"]),
        (AT_HEART, ["Heart: not defeated", "Heart: Full"]),
        (AT_WEAPON, levels("weapon: {}", TOKENS[SWORD:BOW + 1])),
        (AT_UP, ["Inspiration up"]),
        (AT_GROUND, within("High Ground", GROUND - 1, 0)),
        (AT_DOWN_GROUND, within("Inspiration down, High Ground", GROUND - 1, 0)),
        (AT_TOKEN, levels("token of the slot: {}", TOKENS[SWORD:EMPTY + 1])),
        (AT_LOCKED, ["slot locked"]),
        (AT_ACTIONS, levels("later actions: {} or more", range(1, SLOTS + 1))),
        (AT_SPENT, ["both tokens of the weapon used"]),
        (AT_ATTACKING, ["attacks in this slot"]),
        (AT_ATTACKED, levels("declared attacks on it: {} or more", range(1, 3))),
        (AT_ATTACKER, ["attacker of the current combat"]),
        (AT_TARGET, ["target of the current combat"]),
        (AT_REACHED, levels("in reach of {} opponents or more", range(1, CROWD + 1))),
        (AT_REACHES, levels("reaches {} opponents or more", range(1, CROWD + 1))),
    ]
    return placed(blocks, who, base)


cdef list own_names():
    blocks = []
    for later in range(SLOTS + 1):
        when = f"own slot {later} later:" if later else "own slot:"
        plan = [
            (AT_PLANNED, levels(f"{when} {{}}", TOKENS[SWORD:EMPTY + 1])),
            (AT_ATTACK, [f"{when} attack"]),
            (AT_ATTACK_REACHES, hearts(f"{when} attack that reaches")),
        ]
        blocks += placed(plan, "", OWN_PLAN + later * PLAN)
    together = range(1, OPPONENTS + 1)
    return blocks + [
        (AT_OWN_STEP, ["own step: stays", "own step: goes"]),
        (AT_OWN_ANSWER, ["own answer: yes or first", "own answer: no or wait"]),
        (AT_OWN_CHANCE, chances("own declared attack")),
        (AT_OWN_KILL, chances("own declared attack on a Broken Knight")),
        (AT_OWN_PARRIED, ["own declared attack on a parrying Knight"]),
        (AT_DANGER, chances("declared attack on the own Knight")),
        (AT_NEAREST, within("nearest opponent", DISTANCES, 1)),
        (AT_OPPONENTS, levels("opponents not defeated: {} or more", together)),
        (AT_BROKEN, levels("Broken opponents: {} or more", together)),
        (AT_MADE, levels("own hits: {} hundredths or more", numbers(MADE_LEVELS, NUM_MADE))),
        (AT_TAKEN, levels("hits on the own Knight: {} hundredths or more",
                          numbers(TAKEN_LEVELS, NUM_TAKEN))),
    ]


cdef list relation_names(int number, int base):
    who = f"opponent {number}"
    blocks = [
        (AT_DISTANCE, within(who, DISTANCES, 1)),
        *threat_names(f"own threat to {who}:", AT_THREAT),
        *threat_names(f"threat of {who}:", AT_THREAT_BACK),
        (AT_BEFORE, [f"before {who} in the initiative order"]),
        (AT_OWN_TARGET, [f"declared attack on {who}"]),
        (AT_TARGETS_OWN, [f"declared attack of {who}"]),
    ]
    return placed(blocks, "", base)


cdef list threat_names(str whose, int base):
    blocks = [
        (AT_REACH, hearts(f"{whose} in reach")),
        (AT_ALMOST, hearts(f"{whose} in reach or one space beyond")),
        (AT_NEARNESS, levels(f"{whose} {{}} spaces beyond or less", (3, 2))),
        (AT_DEADLY, hearts(f"{whose} in reach of a Broken Knight")),
    ]
    return placed(blocks, "", base)


cdef list chances(str what):
    return levels(f"{what}: hits by {{}} % or more", numbers(CHANCES, NUM_CHANCES))


cdef list hearts(str what):
    return levels(f"{what}, {{}} hearts or more", range(1, HEARTS + 1))


cdef list within(str what, int most, int least):
    return levels(f"{what}: {{}} spaces away or less", range(most, least - 1, -1))


cdef list numbers(const uint8_t* values, int size):
    return [values[i] for i in range(size)]
