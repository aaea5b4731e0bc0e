"""Cards face up, knowledge of hands, and the seats asked because of it (sections 8 and 9)."""

from libc.stdint cimport uint64_t

from .legal cimport can_play, open_responses, response_roles
from .multiset cimport has, kinds, member, one, size_of, without, without_one_each
from .state cimport (
    ARCHER, AUTO_PASS_OFF, AUTO_PASS_PRIVATE, CASTLE, FORT_ARCHER, FORT_CASTLE, FORT_JESTER_SHIFT,
    FORT_MINSTREL, HIGHWAYMAN, JESTER, LADDER, MINSTREL, NO_LADDER, PEASANT, PHASE_RESPOND, PUBLIC,
    REAL_LADDER, Rules, State)


# --- cards on the table ---------------------------------------------------------------------------

cdef inline int fort_of(int role) noexcept nogil:
    """The bit of `Fort` of a role that can lie face up."""
    return FORT_CASTLE if role == CASTLE else FORT_ARCHER if role == ARCHER else FORT_MINSTREL


cdef inline uint64_t fort_cards(int forts) noexcept nogil:
    """The physical cards of fortifications."""
    cdef uint64_t cards = 0
    if forts & FORT_CASTLE:
        cards += one(JESTER if forts & FORT_CASTLE << FORT_JESTER_SHIFT else CASTLE)
    if forts & FORT_ARCHER:
        cards += one(JESTER if forts & FORT_ARCHER << FORT_JESTER_SHIFT else ARCHER)
    if forts & FORT_MINSTREL:
        cards += one(JESTER if forts & FORT_MINSTREL << FORT_JESTER_SHIFT else MINSTREL)
    return cards


cdef inline uint64_t ladder_cards(const State* s) noexcept nogil:
    if s.ladder == NO_LADDER:
        return 0
    return one(LADDER if s.ladder == REAL_LADDER else JESTER)


cdef inline uint64_t play_cards(int role, int peasants, int jesters) noexcept nogil:
    """The physical cards of a play, fields as in a move (R8.2)."""
    if role == PEASANT:
        return one(PEASANT) * <uint64_t>peasants + one(JESTER) * <uint64_t>jesters
    return one(JESTER if jesters else role)


cdef inline uint64_t attack_cards(const State* s) noexcept nogil:
    """The cards of the attack card being resolved."""
    return play_cards(s.role, s.peasants, s.jesters) if s.phase == PHASE_RESPOND else 0


cdef inline uint64_t cards_in_view(const Rules* rules, const State* s) noexcept nogil:
    """All cards that lie face up: discard pile, fortifications, ladder, attack card."""
    cdef uint64_t cards = s.discard + ladder_cards(s) + attack_cards(s)
    cdef int seat
    for seat in range(rules.num_seats):
        if s.forts[seat]:
            cards += fort_cards(s.forts[seat])
    return cards


cdef inline int strength_of(int role, int peasants, int jesters) noexcept nogil:
    """R4.3; fields as in a move."""
    return peasants + jesters if role == PEASANT else role + 1


# --- knowledge of hands (R11.2) -------------------------------------------------------------------

cdef inline void forget(State* s, int seat, int card, int number) noexcept nogil:
    """Update knowledge: copies of a card have left a hand publicly."""
    cdef int row
    for row in range(PUBLIC + 1):
        if has(s.known[seat][row], card):
            s.known[seat][row] = without(s.known[seat][row], card, number)


cdef inline void learn(const Rules* rules, State* s, int seat, int card) noexcept nogil:
    """Update knowledge: a hand has received a card publicly."""
    cdef int row
    for row in range(rules.num_seats):
        if row != seat:
            s.known[seat][row] += one(card)
    s.known[seat][PUBLIC] += one(card)


cdef inline void learn_shown(const Rules* rules, State* s, int seat, int card) noexcept nogil:
    """Update knowledge: a hand has shown a card, which some seats knew already."""
    cdef int row
    for row in range(rules.num_seats):
        if row != seat and not has(s.known[seat][row], card):
            s.known[seat][row] += one(card)
    if not has(s.known[seat][PUBLIC], card):
        s.known[seat][PUBLIC] += one(card)


cdef inline void hand_over(
        const Rules* rules, State* s, int giver, int taker, int card) noexcept nogil:
    """Move a card between hands, face down to third seats (TAKE, GIVE)."""
    cdef int row
    s.hands[giver] -= one(card)
    s.hands[taker] += one(card)
    for row in range(PUBLIC + 1):
        if row != taker:        # for the giver's own row, 0, nothing changes
            s.known[giver][row] = without_one_each(s.known[giver][row])
    s.known[giver][taker] = without(s.known[giver][taker], card, 1)
    s.known[taker][giver] += one(card)


# --- seats to ask (section 8) ---------------------------------------------------------------------

cdef inline bint may_hold(
        const Rules* rules, const State* s, int seat, uint64_t members) noexcept nogil:
    """Whether, by public knowledge, a seat may hold one of a set of cards (R10.2)."""
    cdef uint64_t unaccounted
    cdef int other
    if kinds(s.known[seat][PUBLIC]) & members:
        return True
    if size_of(s.hands[seat]) <= size_of(s.known[seat][PUBLIC]):
        return False
    unaccounted = rules.deck - cards_in_view(rules, s)
    for other in range(rules.num_seats):
        unaccounted -= s.known[other][PUBLIC]
    return (kinds(unaccounted) & members) != 0


cdef inline bint is_asked_to_respond(const Rules* rules, const State* s) noexcept nogil:
    if rules.auto_pass == AUTO_PASS_OFF:
        return True
    if rules.auto_pass == AUTO_PASS_PRIVATE:
        return can_play(s.hands[s.seat], open_responses(rules, s))
    return may_hold(rules, s, s.seat, response_roles(s.role) | member(JESTER))


cdef inline bint is_asked_to_rob(const Rules* rules, const State* s, int seat) noexcept nogil:
    if rules.auto_pass == AUTO_PASS_OFF:
        return True
    if rules.auto_pass == AUTO_PASS_PRIVATE:
        return has(s.hands[seat], HIGHWAYMAN) or has(s.hands[seat], JESTER)
    return may_hold(rules, s, seat, member(HIGHWAYMAN) | member(JESTER))


cdef inline bint is_asked_to_go_on(
        const Rules* rules, const State* s, uint64_t roles) noexcept nogil:
    """ATTACK and FORTIFY, by the roles that may be played there."""
    if rules.auto_pass == AUTO_PASS_OFF:
        return True
    if rules.auto_pass == AUTO_PASS_PRIVATE:
        return can_play(s.hands[s.active], roles)
    return size_of(s.hands[s.active]) != 0
