"""Playouts, likely worlds and evaluation of A Knight's Duty.

The playout policy equips weapons, steps into reach and attacks; sometimes it shields, parries or
steps away. Every choice is mixed. It uses only what its seat sees. It never leaves a slot empty and
uses no Inspiration that can't help, as section 19 of the rules page advises. In likely worlds it
has made the hidden choices, mostly: a rival with random tokens is no threat, and a seat that
expects one expects to win. The evaluation sums the terms of that section, in hearts, and turns the
sums into win shares.

With two seats it has weights for the beginning of a turn, fitted to results of games by
`kingmaker.benchmarks.terms`. There a playout that is to be cut goes on to the next beginning.
"""

from libc.math cimport exp
from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport count, pop_lowest
from kingmaker.cext.game cimport CHANCE, MAX_MOVES
from kingmaker.cext.rng cimport bitgen_t

from .combat cimport fighter, hearts_of, in_reach, shields_of
from .knowledge cimport kd_determinize
from .legal cimport free_corners, kd_sample, used_up
from .rules cimport kd_apply, kd_returns, slot_to_fill
from .state cimport (
    BOW, BROKEN, DEFEATED, FIRST, FULL, HIDDEN, MOVEMENT, NO, NO_TARGET, NO_TOKEN, PARRY, SEATS,
    SHIELD, SLOTS, SPEAR, STAGE_CLAIM, STAGE_CLAN, STAGE_END, STAGE_INSPIRE, STAGE_ORDER,
    STAGE_PLACE, STAGE_STEP, STAGE_TARGET, SWORD, WAIT, YES, Rules, State, is_weapon, move_of,
    reach, space_between, value_of)
from .steps cimport step_moves
from .turn_terms cimport MAX_ACTIVE, NUM_TERMS, begins_turn, turn_terms

# In hearts; section 19 unless another reason is given.
cdef double LAST_ACTION = 0.25
cdef double ARMED = 0.15
cdef double INSPIRED = 0.15
cdef double ATTACKS = 0.8       # of an armed Knight in the next two slots, some used otherwise
cdef double CLOSING = 0.5       # the same if the target is one space out of reach
cdef double NEAR_GROUND = 0.02  # per space closer to the High Ground, with Inspiration down
# These four approximate a fit to games of the policy, with two and with four seats.
cdef double MADE = 0.55         # a hit by a seat, which helps all rivals of its target
cdef double TAKEN = 1.4         # a hit on a seat
cdef double FALLING = 0.5       # part left to a defeated Knight, as all others may fall too
cdef double SHARE_SCALE = 1.2   # of the logarithm of the win share, per heart

cdef enum:
    ODD = 32            # chances of 256 that a seat's hidden choices in a likely world may be any
    FEW_TURNS = 8       # before the limit the results on which weights of turns rest don't hold

# Of the logarithm of the odds, by `turn_terms`.
cdef double[NUM_TERMS] TURN_WEIGHTS = [
    0.786,  # a Full Heart
    -1.013, -0.688, -0.467, -0.659,  # Broken: no weapon, sword, spear, bow
    0.073, 0.142, 0.229, 0.065,  # Full: the same
    0.167, 0.137,  # Inspiration up: Broken, Full
    0.000, 0.022, -0.055, -0.163, -0.296,  # down: at the High Ground, 1, 2, 3, 4 spaces away
    0.112, 0.069, 0.035, 0.024, -0.037,  # up: the same
    -0.427, -0.533, -0.276, -0.013, -0.458, 0.242, -0.125, 0.078,  # no weapon: 1 to 8 spaces apart
    0.545, 0.108, -0.056, -0.181, -0.116, -0.028, -0.027, -0.055,  # sword
    -0.343, -0.005, 0.177, 0.113, 0.054, -0.049, -0.039, -0.033,  # spear
    -0.645, -0.304, -0.251, -0.024, 0.010, 0.091, 0.084, 0.084]  # bow


# --- the policy -----------------------------------------------------------------------------------

cdef inline bint happens(uint64_t* draw, int chances) noexcept nogil:
    """Decide by 8 random bits; `chances` of 256 are a yes."""
    cdef bint found = <int>(draw[0] & 255) < chances
    draw[0] >>= 8
    return found


cdef uint32_t kd_policy_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MAX_MOVES] moves
    cdef uint64_t draw = rng.next_uint64(rng.state)
    if s.stage == STAGE_PLACE:
        return move_of(STAGE_PLACE, token_to_place(rules, s, s.node, slot_to_fill(s), &draw))
    if s.stage == STAGE_STEP:
        return step_to_make(rules, s, draw)
    if s.stage == STAGE_TARGET:
        return move_of(STAGE_TARGET, target_to_name(rules, s, draw))
    if s.stage == STAGE_INSPIRE:
        return move_of(STAGE_INSPIRE, YES if happens(&draw, inspiration(rules, s)) else NO)
    if s.stage == STAGE_CLAIM:
        return move_of(STAGE_CLAIM, YES if happens(&draw, 128) else NO)
    if s.stage == STAGE_ORDER:
        return move_of(STAGE_ORDER, FIRST if happens(&draw, 40) else WAIT)
    return moves[(<uint32_t>draw * <uint64_t>free_corners(rules, s, moves)) >> 32]


cdef inline int nearest(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The nearest opponent, of these a Broken one, of these the first clockwise; -1 for none."""
    cdef uint64_t others = s.standing & ~(1 << seat)
    cdef int shortest = 1 << 16
    cdef int found = -1
    cdef int other, distance
    while others:
        other = pop_lowest(&others)
        distance = 16 * space_between(rules, s.space[seat], s.space[other])
        distance += 8 if s.heart[other] != BROKEN else 0
        distance += other - seat if other > seat else other - seat + SEATS
        if distance < shortest:
            shortest = distance
            found = other
    return found


cdef inline int token_to_place(
        const Rules* rules, const State* s, int seat, int slot, uint64_t* draw) noexcept nogil:
    """A token for a slot, from the slots before it; tokens of slots that are played have acted."""
    cdef int weapon = s.weapon[seat]
    cdef int gap = space_between(
        rules, s.space[seat], s.space[nearest(rules, s, seat)])
    cdef int num_alike = 0
    cdef int earlier, token
    for earlier in range(slot):
        token = s.tokens[earlier][seat]
        if is_weapon(token):
            num_alike = num_alike + 1 if token == weapon else 1
            weapon = token
        gap -= token == MOVEMENT and earlier >= s.slot
    token = chosen_token(weapon, num_alike, gap - slot + s.slot, draw)
    return MOVEMENT if slot == SLOTS - 1 and token == used_up(s, seat) else token


cdef inline int chosen_token(int weapon, int num_alike, int gap, uint64_t* draw) noexcept nogil:
    """A token for a Knight with this weapon and gap to its opponent.

    `num_alike` tokens of the weapon are used already.
    """
    if weapon == NO_TOKEN:
        if happens(draw, 140):
            return SWORD
        return SPEAR if happens(draw, 150) else BOW
    if gap > reach(weapon):
        if happens(draw, 215):
            return MOVEMENT
    elif num_alike < 2 and happens(draw, 165):
        return weapon
    elif happens(draw, 90):
        return MOVEMENT
    return SHIELD if happens(draw, 150) else PARRY


cdef inline uint32_t step_to_make(const Rules* rules, const State* s, uint64_t draw) noexcept nogil:
    """A step into the reach of the weapon, sometimes just out of it or to the High Ground."""
    cdef uint32_t[MAX_MOVES] moves
    cdef int num_moves = step_moves(rules, s, s.node, moves)
    cdef const unsigned char* around = rules.arena.neighbour[s.space[s.node]]
    cdef int weapon = s.weapon[s.node]
    cdef int goal = reach(weapon) if weapon else reach(SWORD)
    cdef int aim, best_move, best_score, i, beyond, score
    if happens(&draw, 40 if s.up >> s.node & 1 else 110):
        aim = rules.arena.centre
        goal = 0
    else:
        aim = s.space[nearest(rules, s, s.node)]
        if s.slot < SLOTS and not is_weapon(s.tokens[s.slot][s.node]) and happens(&draw, 70):
            goal += 2
    best_move = moves[0]
    best_score = -(1 << 16)
    draw |= draw << 56      # for five random bits a move
    for i in range(num_moves):
        beyond = space_between(rules, around[value_of(moves[i])], aim) - goal
        score = <int>(draw >> 5 * i & 31) - (24 * beyond if beyond > 0 else -6 * beyond)
        if score > best_score:
            best_score = score
            best_move = moves[i]
    return best_move


cdef inline int target_to_name(const Rules* rules, const State* s, uint64_t draw) noexcept nogil:
    """The target with the highest expected damage; none if it is not worth the risk."""
    cdef uint64_t targets = in_reach(rules, s, s.node)
    cdef bint is_up = s.up >> s.node & 1
    cdef int best = NO_TARGET
    cdef int best_score = 20 + <int>(draw & 15)
    cdef int target, hearts, score
    while targets:
        target = pop_lowest(&targets)
        draw >>= 8
        if s.heart[target] == DEFEATED:
            continue
        hearts = hearts_of(s, s.node, target) + is_up
        score = 32 * hearts + (24 if s.heart[target] == BROKEN else 0) + <int>(draw & 31)
        if s.tokens[s.slot - 1][target] == PARRY:
            score -= 12 * shields_of(s, s.node, target)
        if hearts and score > best_score:
            best_score = score
            best = target + 1
    return best


cdef inline int inspiration(const Rules* rules, const State* s) noexcept nogil:
    """Chances of 256 to use an Inspiration, by its effect on the odds."""
    cdef int attacker = fighter(rules, s)
    cdef int target = s.choice[attacker] - 1
    cdef bint can_be_inspired = s.up >> attacker & 1
    cdef int weapon = s.weapon[attacker]
    cdef int chances
    if s.heart[target] == DEFEATED:
        return 0
    if s.node == target:
        if hearts_of(s, attacker, target) == 0 and not can_be_inspired:
            return 0
        chances = 40 + 40 * weapon
    else:
        chances = 15 + 35 * weapon
    return chances + 60 if s.heart[target] == BROKEN else chances


# --- likely worlds --------------------------------------------------------------------------------

cdef void kd_likely_world(
        const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil:
    cdef uint64_t draw
    cdef int seat, slot
    kd_determinize(rules, observation, rng, out)
    for seat in range(rules.num_seats):
        draw = rng.next_uint64(rng.state)
        if happens(&draw, ODD):
            continue
        for slot in range(SLOTS):
            if observation.tokens[slot][seat] == HIDDEN:
                out.tokens[slot][seat] = token_to_place(rules, out, seat, slot, &draw)
        out.node = seat
        if observation.choice[seat] == HIDDEN:
            out.choice[seat] = value_of(kd_policy_move(rules, out, rng))
        if observation.answer[seat] == HIDDEN:
            out.answer[seat] = value_of(kd_policy_move(rules, out, rng))
    out.node = observation.node


# --- playouts -------------------------------------------------------------------------------------

cdef int kd_playout(
        const Rules* rules, State* s, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    while s.stage != STAGE_END:
        if max_plies and plies >= max_plies and (rules.num_seats > 2 or is_valued(rules, s)):
            kd_evaluate(rules, s, out)
            return plies
        if s.node == CHANCE:
            kd_apply(rules, s, kd_sample(rules, s, rng))
        else:
            kd_apply(rules, s, kd_policy_move(rules, s, rng))
        plies += 1
    kd_returns(rules, s, out)
    return plies


# --- the evaluation -------------------------------------------------------------------------------

cdef void kd_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef double[6] values
    cdef double total = 0
    cdef uint64_t standing = s.standing
    cdef int seat
    if s.stage == STAGE_END or s.stage == STAGE_CLAN:
        for seat in range(rules.num_seats):
            out[seat] = 1.0 / rules.num_seats
        if s.stage == STAGE_END:
            kd_returns(rules, s, out)
        return
    if is_valued(rules, s):
        out[0] = 1 / (1 + exp(turn_value(rules, s, 1) - turn_value(rules, s, 0)))
        out[1] = 1 - out[0]
        return
    for seat in range(rules.num_seats):
        out[seat] = 0
        values[seat] = standing_value(rules, s, seat)
    while standing:
        add_threats(rules, s, pop_lowest(&standing), values)
    for seat in range(rules.num_seats):
        if s.standing >> seat & 1:
            out[seat] = exp(SHARE_SCALE * values[seat])
            if s.heart[seat] == DEFEATED:
                out[seat] *= FALLING
            total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


cdef inline bint is_valued(const Rules* rules, const State* s) noexcept nogil:
    """Whether weights are fitted to such states: the beginning of a turn with two seats."""
    return rules.num_seats == 2 and rules.turn_limit - s.turn >= FEW_TURNS and begins_turn(s)


cdef inline double turn_value(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The logarithm of the odds at the beginning of a turn that are due to a seat."""
    cdef int[MAX_ACTIVE] active
    cdef double value = 0
    cdef int i
    for i in range(turn_terms(rules, s, seat, active)):
        value += TURN_WEIGHTS[active[i]]
    return value


cdef inline double standing_value(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The value of a Knight, apart from expected hits."""
    cdef double value = 0
    if s.heart[seat] == FULL:
        value = 2 + LAST_ACTION
    elif s.heart[seat] == BROKEN:
        value = 1
    else:
        return 0
    if s.weapon[seat] != NO_TOKEN:
        value += ARMED
    if s.up >> seat & 1:
        return value + INSPIRED
    return value - NEAR_GROUND * space_between(rules, s.space[seat], rules.arena.centre)


cdef inline void add_threats(
        const Rules* rules, const State* s, int attacker, double* values) noexcept nogil:
    """Add the expected hits of a Knight, and subtract them from its possible targets."""
    cdef uint64_t others = s.standing & ~(1 << attacker)
    cdef uint64_t targets
    cdef int within = 0
    cdef int close = 0
    cdef int other, beyond
    cdef double hits
    if s.weapon[attacker] == NO_TOKEN or s.heart[attacker] == DEFEATED:
        return
    while others:
        other = pop_lowest(&others)
        beyond = space_between(rules, s.space[attacker], s.space[other]) - reach(s.weapon[attacker])
        if s.heart[other] != DEFEATED:
            within |= (beyond <= 0) << other
            close |= (beyond <= 1) << other
    if close == 0:
        return
    hits = 0.25 * (4 - s.weapon[attacker]) * (ATTACKS if within else CLOSING)
    targets = within if within else close
    values[attacker] += MADE * hits
    hits /= count(targets)
    while targets:
        values[pop_lowest(&targets)] -= TAKEN * hits
