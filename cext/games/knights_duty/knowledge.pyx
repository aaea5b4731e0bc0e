"""Hidden information of A Knight's Duty: observation, determinization, history (section 14).

Hidden tokens and choices of different seats are independent, so each is drawn by itself. A state
has a history within the choices of a group, while no token lies face down. With two seats it also
has one from the beginning of the turn, while tokens are placed and in the steps of the first slot.
Else it has none while tokens lie face down: steps and combats may have changed what there was. With
four seats, and twelve tokens to guess, that history brought nothing.
"""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from kingmaker.cext.game cimport MAX_MOVES, NO_HISTORY
from kingmaker.cext.rng cimport below, bitgen_t

from .combat cimport fighter
from .legal cimport target_moves
from .rules cimport ask, forget_choices, question
from .state cimport (
    HIDDEN, LOCKED, NOBODY, NO_TOKEN, PARRY, SEATS, SLOTS, STAGE_CLAIM, STAGE_INSPIRE, STAGE_ORDER,
    STAGE_PLACE, STAGE_STEP, STAGE_TARGET, SWORD, Rules, State, chosen, move_of, value_of)
from .steps cimport step_moves


# --- observation ----------------------------------------------------------------------------------

cdef void kd_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil:
    cdef bint hides_choices = state.stage == STAGE_STEP or state.stage == STAGE_TARGET
    cdef bint hides_answers = (
        state.stage == STAGE_CLAIM or state.stage == STAGE_ORDER
        or (state.stage == STAGE_INSPIRE and not rules.inspires_openly))
    cdef int other, slot
    out[0] = state[0]
    out.observer = seat + 1
    for other in range(rules.num_seats):
        if other == seat:
            continue
        for slot in range(state.slot, SLOTS):
            if state.tokens[slot][other] != NO_TOKEN and state.tokens[slot][other] != LOCKED:
                out.tokens[slot][other] = HIDDEN
        if hides_choices and state.choice[other]:
            out.choice[other] = HIDDEN
        if hides_answers and state.answer[other]:
            out.answer[other] = HIDDEN


# --- determinization ------------------------------------------------------------------------------

cdef void kd_determinize(
        const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil:
    cdef int seat
    out[0] = observation[0]
    out.observer = NOBODY
    for seat in range(rules.num_seats):
        draw_tokens(rules, out, seat, rng)
        if out.choice[seat] == HIDDEN:
            out.choice[seat] = drawn_choice(rules, out, seat, rng)
        if out.answer[seat] == HIDDEN:
            out.answer[seat] = 1 + below(rng, 2)


cdef int drawn_choice(const Rules* rules, const State* s, int seat, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MAX_MOVES] moves
    cdef int num_moves = (
        step_moves(rules, s, seat, moves) if s.stage == STAGE_STEP
        else target_moves(rules, s, seat, moves))
    return value_of(moves[below(rng, num_moves)])


cdef void draw_tokens(const Rules* rules, State* s, int seat, bitgen_t* rng) noexcept nogil:
    """Draw the face-down tokens of a tracker, all at once.

    Combinations are numbers with a digit for each hidden slot, without those that have three equal
    tokens of a kind that exists twice.
    """
    cdef int num_hidden = 0
    cdef int num_combinations = 1
    cdef int step = 0   # from one combination of equal tokens to the next
    cdef int known = NO_TOKEN   # token of all other slots; LOCKED if they differ or one is open
    cdef int first = SWORD
    cdef int last = PARRY
    cdef int slot, token, drawn
    for slot in range(SLOTS):
        token = s.tokens[slot][seat]
        if token == HIDDEN:
            num_hidden += 1
            num_combinations *= rules.num_tokens
            step = step * rules.num_tokens + 1
        elif token != NO_TOKEN and (known == NO_TOKEN or known == token):
            known = token
        else:
            known = LOCKED
    if num_hidden == 0:
        return
    if known != NO_TOKEN:
        first = known
        last = known if known <= PARRY else NO_TOKEN
    drawn = below(rng, num_combinations - max(0, last - first + 1))
    for token in range(first, last + 1):
        drawn += drawn >= (token - SWORD) * step
    for slot in range(SLOTS):
        if s.tokens[slot][seat] == HIDDEN:
            s.tokens[slot][seat] = SWORD + drawn % rules.num_tokens
            drawn //= rules.num_tokens


# --- history --------------------------------------------------------------------------------------

cdef int kd_history(
        const Rules* rules, const State* state, State* root, uint32_t* out) noexcept nogil:
    root[0] = state[0]
    if not is_covered(state):
        return unask(rules, root, out)
    if rules.num_seats == 2 and (
            state.stage == STAGE_PLACE or (state.stage == STAGE_STEP and state.slot == 1)):
        return take_back(rules, root, out)
    return NO_HISTORY


cdef int take_back(const Rules* rules, State* root, uint32_t* out) noexcept nogil:
    """Return to the beginning of a turn in which nobody has moved; returns the choices since."""
    cdef State state = root[0]
    cdef int length = 0
    cdef int seat, slot
    forget_choices(root)
    root.slot = 0
    for seat in range(rules.num_seats):
        for slot in range(SLOTS):
            if state.tokens[slot][seat] != NO_TOKEN and state.tokens[slot][seat] != LOCKED:
                root.tokens[slot][seat] = NO_TOKEN
                out[length] = move_of(STAGE_PLACE, state.tokens[slot][seat])
                length += 1
    ask(root, STAGE_PLACE, root.standing)
    return tell(STAGE_STEP, state.choice, out, length)


cdef bint is_covered(const State* s) noexcept nogil:
    """Whether tokens lie face down."""
    cdef int slot, seat
    for slot in range(s.slot, SLOTS):
        for seat in range(SEATS):
            if s.tokens[slot][seat] != NO_TOKEN and s.tokens[slot][seat] != LOCKED:
                return True
    return False


cdef int tell(int stage, const uint8_t* values, uint32_t* out, int length) noexcept nogil:
    """Add the choices of the seats of a group to a history; returns its length."""
    cdef int seat
    for seat in range(SEATS):
        if values[seat]:
            out[length] = move_of(stage, values[seat])
            length += 1
    return length


cdef int unask(const Rules* rules, State* root, uint32_t* out) noexcept nogil:
    """Return to the first decision of a group; returns the number of choices since."""
    cdef State state = root[0]
    if state.stage == STAGE_STEP or state.stage == STAGE_TARGET:
        forget_choices(root)
        ask(root, state.stage, state.left | chosen(state.choice))
        return tell(state.stage, state.choice, out, 0)
    if state.stage == STAGE_CLAIM or state.stage == STAGE_ORDER:
        memset(root.answer, 0, sizeof(root.answer))
        ask(root, state.stage, state.left | chosen(state.answer))
        return tell(state.stage, state.answer, out, 0)
    if state.stage == STAGE_INSPIRE and not rules.inspires_openly:
        memset(root.answer, 0, sizeof(root.answer))
        question(root, fighter(rules, root))
        return tell(STAGE_INSPIRE, state.answer, out, 0)
    return 0
