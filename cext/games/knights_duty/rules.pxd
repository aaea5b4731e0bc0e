"""The transitions of A Knight's Duty as functions on its state, after section 6 of the rules page.

Inline in a header, as two modules use them: the game (game.pyx) and the playout loop (policy.pyx),
which would otherwise pay a call through a pointer for every ply.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count, lowest, pop_lowest
from kingmaker.cext.game cimport CHANCE, TERMINAL

from .combat cimport equip, fighter, hearts_of, line_up, sharing, strike
from .state cimport (
    BROKEN, DEFEATED, FULL, HEART, LOCKED, NOBODY, NOWHERE, NO_TARGET, NO_TOKEN, OUT, SEATS, SLOTS,
    STAGE_CLAIM, STAGE_CLAN, STAGE_DRAW, STAGE_END, STAGE_INSPIRE, STAGE_ORDER, STAGE_PLACE,
    STAGE_STEP, STAGE_TARGET, YES, Rules, State, value_of)
from .steps cimport contenders, make_steps, movers, possible_steps


cdef inline void kd_start(const Rules* rules, State* s) noexcept nogil:
    """Write the state before the first node (R3)."""
    cdef int everybody = (1 << rules.num_seats) - 1
    cdef int seat
    memset(s, 0, sizeof(State))
    memset(s.space, NOWHERE, sizeof(s.space))
    s.observer = NOBODY
    s.turn = 1
    s.standing = everybody
    s.up = everybody
    for seat in range(rules.num_seats):
        s.heart[seat] = FULL
    if rules.chooses_clans:
        ask(s, STAGE_CLAN, everybody)
        return
    for seat in range(rules.num_seats):
        s.space[seat] = rules.start[seat]
    begin_turn(rules, s)


# --- asking a group of seats ----------------------------------------------------------------------

cdef inline void ask(State* s, int stage, int seats) noexcept nogil:
    """Ask these seats, ascending."""
    s.stage = stage
    s.left = seats
    s.node = lowest(seats)


cdef inline bint ask_next(State* s) noexcept nogil:
    """Ask the next seat of a group; False if it is complete."""
    s.left &= s.left - 1
    if s.left == 0:
        return False
    s.node = lowest(s.left)
    return True


cdef inline void forget_choices(State* s) noexcept nogil:
    memset(s.choice, 0, sizeof(s.choice))
    memset(s.answer, 0, sizeof(s.answer))


# --- turns ----------------------------------------------------------------------------------------

cdef inline void begin_turn(const Rules* rules, State* s) noexcept nogil:
    """Return the tokens and ask for new ones (R4, R10.4)."""
    cdef int seat
    memset(s.tokens, 0, sizeof(s.tokens))
    for seat in range(rules.num_seats):
        if s.heart[seat] == BROKEN:
            s.tokens[SLOTS - 1][seat] = LOCKED
        if s.space[seat] == rules.arena.centre:
            s.up |= 1 << seat
    s.slot = 0
    ask(s, STAGE_PLACE, s.standing)


cdef inline int slot_to_fill(const State* s) noexcept nogil:
    """Index of the lowest unfilled slot of the seat that programmes."""
    if s.tokens[0][s.node] == NO_TOKEN:
        return 0
    return 1 if s.tokens[1][s.node] == NO_TOKEN else 2


cdef inline void place(const Rules* rules, State* s, int token) noexcept nogil:
    cdef int slot = slot_to_fill(s)
    s.tokens[slot][s.node] = token
    if slot == 0 or (slot == 1 and s.tokens[2][s.node] == NO_TOKEN) or ask_next(s):
        return
    begin_slots(rules, s)


cdef inline void finish(State* s, int winners) noexcept nogil:
    s.stage = STAGE_END
    s.node = TERMINAL
    s.winners = winners


# --- slots ----------------------------------------------------------------------------------------

cdef inline void begin_slots(const Rules* rules, State* s) noexcept nogil:
    """Go to the next slot with a decision, to the next turn or to the end."""
    while s.slot < SLOTS:
        s.slot += 1
        if movers(s):
            ask(s, STAGE_STEP, movers(s))
            return
        if attack(s, equip(rules, s)):
            return
    if s.turn == rules.turn_limit:
        finish(s, s.standing)       # R11.4
        return
    s.turn += 1
    begin_turn(rules, s)


cdef inline bint clear_board(State* s) noexcept nogil:
    """Remove defeated Knights; False if that ends the game (R11.1 to R11.3)."""
    cdef int removed = 0
    cdef int seat
    for seat in range(SEATS):
        if s.heart[seat] == DEFEATED:
            removed |= 1 << seat
            remove(s, seat)
    if removed == 0:
        return True
    s.standing &= ~removed
    s.up &= ~removed
    if s.standing & (s.standing - 1):
        return True
    finish(s, s.standing if s.standing else removed)
    return False


cdef inline void remove(State* s, int seat) noexcept nogil:
    cdef int slot
    s.heart[seat] = OUT
    s.space[seat] = NOWHERE
    s.weapon[seat] = NO_TOKEN
    for slot in range(SLOTS):
        s.tokens[slot][seat] = NO_TOKEN


cdef inline void end_slot(const Rules* rules, State* s) noexcept nogil:
    if clear_board(s):
        begin_slots(rules, s)


# --- movement -------------------------------------------------------------------------------------

cdef inline void reveal_steps(const Rules* rules, State* s) noexcept nogil:
    """All have chosen their steps: ask for claims or move (R6.3, R6.4)."""
    cdef int contending
    if rules.has_agreements:
        contending = contenders(rules, s, possible_steps(rules, s))
        if contending:
            ask(s, STAGE_CLAIM, contending)
            return
    move_all(rules, s)


cdef inline void move_all(const Rules* rules, State* s) noexcept nogil:
    make_steps(rules, s)
    forget_choices(s)
    if not attack(s, equip(rules, s)):
        end_slot(rules, s)


# --- attack rounds --------------------------------------------------------------------------------

cdef inline bint attack(State* s, int attackers) noexcept nogil:
    """Begin an attack round (R8.3); False if there are no attackers."""
    if attackers:
        ask(s, STAGE_TARGET, attackers)
    return attackers != 0


cdef inline void reveal_targets(const Rules* rules, State* s) noexcept nogil:
    cdef int seat
    cdef int together
    for seat in range(SEATS):
        if s.choice[seat] == NO_TARGET:
            s.choice[seat] = 0
    if rules.has_agreements:
        together = sharing(s)
        if together:
            ask(s, STAGE_ORDER, together)
            return
    resolve(rules, s)


cdef inline void resolve(const Rules* rules, State* s) noexcept nogil:
    """Begin to resolve the attacks that go ahead (R8.7)."""
    line_up(rules, s)
    memset(s.answer, 0, sizeof(s.answer))
    fight_on(rules, s)


cdef inline void fight_on(const Rules* rules, State* s) noexcept nogil:
    """Go to the next node of this round, or past its end (R8.7, R8.8)."""
    cdef int attackers
    cdef int attacker = fighter(rules, s)
    while attacker >= 0:
        if question(s, attacker) or has_draw(s, attacker):
            return
        strike(s, attacker, False)
        attacker = fighter(rules, s)
    attackers = s.waiting
    s.waiting = 0
    if not attack(s, attackers):
        end_slot(rules, s)


cdef inline bint question(State* s, int attacker) noexcept nogil:
    """Ask both Knights of a combat with their Inspiration up; False if there is none (R9.3)."""
    cdef int target = s.choice[attacker] - 1
    cdef int asked = s.up & (1 << attacker | 1 << target)
    if asked == 0:
        return False
    ask(s, STAGE_INSPIRE, asked)
    if asked >> attacker & 1:
        s.node = attacker
    return True


cdef inline bint has_draw(State* s, int attacker) noexcept nogil:
    """Go to the draw; False if the pile has no heart (R9.5)."""
    if hearts_of(s, attacker, s.choice[attacker] - 1) == 0:
        return False
    s.stage = STAGE_DRAW
    s.node = CHANCE
    s.left = 0
    return True


cdef inline void inspire(const Rules* rules, State* s, int answer) noexcept nogil:
    cdef int attacker = fighter(rules, s)
    cdef uint64_t both
    cdef int seat
    s.answer[s.node] = answer
    s.left &= ~(1 << s.node)
    if s.left:
        s.node = lowest(s.left)
        return
    both = 1 << attacker | 1 << (s.choice[attacker] - 1)
    while both:
        seat = pop_lowest(&both)
        if s.answer[seat] == YES:
            s.up &= ~(1 << seat)
    if not has_draw(s, attacker):
        strike(s, attacker, False)
        fight_on(rules, s)


# --- the transition -------------------------------------------------------------------------------

cdef inline void kd_apply(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int value = value_of(move)
    if s.stage == STAGE_PLACE:
        place(rules, s, value)
    elif s.stage == STAGE_STEP:
        s.choice[s.node] = value
        if not ask_next(s):
            reveal_steps(rules, s)
    elif s.stage == STAGE_TARGET:
        s.choice[s.node] = value
        if not ask_next(s):
            reveal_targets(rules, s)
    elif s.stage == STAGE_INSPIRE:
        inspire(rules, s, value)
    elif s.stage == STAGE_DRAW:
        strike(s, fighter(rules, s), value == HEART)
        fight_on(rules, s)
    elif s.stage == STAGE_CLAIM:
        s.answer[s.node] = value
        if not ask_next(s):
            move_all(rules, s)
    elif s.stage == STAGE_ORDER:
        s.answer[s.node] = value
        if not ask_next(s):
            resolve(rules, s)
    elif s.stage == STAGE_CLAN:
        s.space[s.node] = rules.arena.corners[value]
        if not ask_next(s):
            begin_turn(rules, s)


cdef inline void kd_returns(const Rules* rules, const State* s, double* out) noexcept nogil:
    """R11.2 to R11.4."""
    cdef double share = 1.0 / count(s.winners)
    cdef int seat
    for seat in range(rules.num_seats):
        out[seat] = share if s.winners >> seat & 1 else 0
