"""Legal moves and chance outcomes of Code of Chivalry, in the order of R12.2.

Works on observations too where their own seat is to move: other hands need only their sizes.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.rng cimport below, bitgen_t

from .multiset cimport copies_of, has, kinds, member, nth_card, pop_kind, size_of
from .state cimport (
    ARCHER, CASTLE, CATAPULT, DRAGON, EXECUTIONER, FORT_ARCHER, FORT_CASTLE, FORT_MINSTREL, HERALD,
    HIGHWAYMAN, JESTER, KING, KNIGHT, LADDER, MERCHANT, MINSTREL, MONK, NINJA, NO_LADDER, PEASANT,
    PHASE_ATTACK, PHASE_CHOOSE, PHASE_DRAW, PHASE_FORTIFY, PHASE_GIVE, PHASE_MAIN,
    PHASE_RESPOND, PHASE_ROB, PHASE_SHOW, PHASE_TAKE, PRINCESS, SOLDIER, TRAITOR, VERB_ATTACK,
    VERB_CHOOSE, VERB_DEAL, VERB_DISCARD, VERB_DRAW, VERB_END, VERB_FORTIFY, VERB_GIVE, VERB_PASS,
    VERB_RESPOND, VERB_ROB, VERB_SHOW, VERB_SPECIAL, VERB_TAKE, VERB_TAX_CARDS, VERB_TAX_GEM, Rules,
    State, move_of)


# --- roles that can be played ---------------------------------------------------------------------

cdef inline uint64_t strength_roles() noexcept nogil:
    return member(PEASANT) | member(SOLDIER) | member(KNIGHT) | member(KING)


cdef inline uint64_t attack_roles(int forts, int ladder) noexcept nogil:
    """The set of roles that may attack a rival with these fortifications (R4.2)."""
    if forts & FORT_MINSTREL:
        return 0
    if forts & FORT_ARCHER:
        if forts & FORT_CASTLE:
            return member(NINJA) | member(ARCHER) | member(CATAPULT)
        return member(NINJA) | member(ARCHER)
    if forts & FORT_CASTLE:
        return (member(NINJA) | member(DRAGON) | member(CATAPULT)
                | (member(LADDER) if ladder == NO_LADDER else strength_roles()))
    return strength_roles() | member(NINJA) | member(DRAGON)


cdef inline uint64_t response_roles(int attack_role) noexcept nogil:
    """The set of roles that may answer an attack (R5.1)."""
    cdef uint64_t always = member(EXECUTIONER) | member(MINSTREL)
    if attack_role <= KING:
        always |= strength_roles() | member(TRAITOR)
    if attack_role == KNIGHT or attack_role == DRAGON:
        always |= member(PRINCESS)
    return always


cdef inline uint64_t open_responses(const Rules* rules, const State* s) noexcept nogil:
    """The answering roles that V may play now: one minstrel face up at a time."""
    cdef uint64_t roles = response_roles(s.role) & rules.types
    if s.forts[s.seat] & FORT_MINSTREL:
        roles &= ~member(MINSTREL)
    return roles


cdef inline uint64_t fortify_roles(const Rules* rules, int forts) noexcept nogil:
    """The set of roles that may still be laid face up (R3.6)."""
    cdef uint64_t roles = 0
    if not forts & FORT_CASTLE:
        roles |= member(CASTLE)
    if not forts & FORT_ARCHER:
        roles |= member(ARCHER)
    if not forts & FORT_MINSTREL:
        roles |= member(MINSTREL)
    return roles & rules.types


cdef inline bint can_play(uint64_t hand, uint64_t roles) noexcept nogil:
    """Whether a hand has a card for one of the roles, itself or as a jester (R8.1)."""
    return (kinds(hand) & roles) != 0 or (roles != 0 and has(hand, JESTER))


# --- legal moves ----------------------------------------------------------------------------------

cdef inline int coc_legal_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    """Write the legal moves of the deciding seat and return their number."""
    cdef uint64_t hand = s.hands[s.seat]
    cdef int n = 0
    if s.phase == PHASE_MAIN:
        return main_moves(rules, s, hand, out)
    if s.phase == PHASE_RESPOND:
        n = plays(hand, kinds(hand), open_responses(rules, s), move_of(VERB_RESPOND), out, 0)
        out[n] = move_of(VERB_PASS)
        return n + 1
    if s.phase == PHASE_ATTACK:
        n = attacks(s, hand, kinds(hand), s.target, out, 0)
        out[n] = move_of(VERB_END)
        return n + 1
    if s.phase == PHASE_ROB:
        return rob_moves(hand, out)
    if s.phase == PHASE_FORTIFY:
        n = fortify_moves(rules, s, hand, out, 0)
        out[n] = move_of(VERB_END)
        return n + 1
    if s.phase == PHASE_SHOW:
        return one_of_each(hand, VERB_SHOW, out, 0)
    if s.phase == PHASE_GIVE:
        return one_of_each(hand, VERB_GIVE, out, 0)
    if s.phase == PHASE_CHOOSE:
        return choose_moves(rules, s, out)
    return tax_moves(s, out)


cdef inline int main_moves(
        const Rules* rules, const State* s, uint64_t hand, uint32_t* out) noexcept nogil:
    cdef uint64_t held = kinds(hand)
    cdef int n = 0
    cdef int seat
    for seat in range(rules.num_seats):
        if seat != s.active:
            n = attacks(s, hand, held, seat, out, n)
    n = fortify_moves(rules, s, hand, out, n)
    n = special_moves(rules, s, held, 0, out, n)
    if has(hand, JESTER):
        n = special_moves(rules, s, rules.types, 1, out, n)
    return one_of_each(hand, VERB_DISCARD, out, n)


cdef inline int attacks(
        const State* s, uint64_t hand, uint64_t held, int seat, uint32_t* out,
        int n) noexcept nogil:
    return plays(
        hand, held, attack_roles(s.forts[seat], s.ladder), move_of(VERB_ATTACK, 0, seat), out, n)


cdef inline int plays(
        uint64_t hand, uint64_t held, uint64_t roles, uint32_t move, uint32_t* out,
        int n) noexcept nogil:
    """Write the plays of a hand (R12.2): `move` with each role, also by jesters, and revolts.

    Args:
        held: the set of the cards in hand.
        roles: the set of those that may be played, all in the deck.
    """
    cdef uint64_t members = held & roles & ~member(PEASANT)
    cdef int peasants = copies_of(hand, PEASANT) if roles & member(PEASANT) else 0
    cdef int jesters = copies_of(hand, JESTER)
    cdef int i, j
    for i in range(1, peasants + 1):
        out[n] = move | move_of(0, PEASANT, 0, i)
        n += 1
    while members:
        out[n] = move | move_of(0, pop_kind(&members))
        n += 1
    if jesters == 0:
        return n
    members = roles
    while members:
        out[n] = move | move_of(0, pop_kind(&members), 0, 0, 1)
        n += 1
    if not roles & member(PEASANT):
        return n
    for j in range(1, jesters + 1):
        for i in range(j == 1, peasants + 1):   # one jester alone stands above
            out[n] = move | move_of(0, PEASANT, 0, i, j)
            n += 1
    return n


cdef inline int fortify_moves(
        const Rules* rules, const State* s, uint64_t hand, uint32_t* out, int n) noexcept nogil:
    cdef uint64_t roles = fortify_roles(rules, s.forts[s.active])
    n = fortify_with(roles & kinds(hand), 0, out, n)
    return fortify_with(roles, 1, out, n) if has(hand, JESTER) else n


cdef inline int fortify_with(uint64_t roles, int jesters, uint32_t* out, int n) noexcept nogil:
    if roles & member(CASTLE):      # before the archer, unlike card order
        out[n] = move_of(VERB_FORTIFY, CASTLE, 0, 0, jesters)
        n += 1
    if roles & member(ARCHER):
        out[n] = move_of(VERB_FORTIFY, ARCHER, 0, 0, jesters)
        n += 1
    if roles & member(MINSTREL):
        out[n] = move_of(VERB_FORTIFY, MINSTREL, 0, 0, jesters)
        n += 1
    return n


cdef inline int special_moves(
        const Rules* rules, const State* s, uint64_t roles, int jesters, uint32_t* out,
        int n) noexcept nogil:
    """Special actions that have an effect (R7.1) by the roles that can be played."""
    cdef int seat
    if roles & member(HERALD) and rivals_with(rules, s, 1):
        out[n] = move_of(VERB_SPECIAL, HERALD, 0, 0, jesters)
        n += 1
    if roles & member(MERCHANT) and s.gems[s.active]:
        for seat in range(rules.num_seats):
            if seat != s.active and size_of(s.hands[seat]) >= 2:
                out[n] = move_of(VERB_SPECIAL, MERCHANT, seat, 0, jesters)
                n += 1
    if roles & member(MONK) and has_castle_rival(rules, s):
        out[n] = move_of(VERB_SPECIAL, MONK, 0, 0, jesters)
        n += 1
    return n


cdef inline bint rivals_with(const Rules* rules, const State* s, int num_cards) noexcept nogil:
    """Whether some rival of the active seat has at least a number of cards."""
    cdef int seat
    for seat in range(rules.num_seats):
        if seat != s.active and size_of(s.hands[seat]) >= num_cards:
            return True
    return False


cdef inline bint has_castle_rival(const Rules* rules, const State* s) noexcept nogil:
    cdef int seat
    for seat in range(rules.num_seats):
        if seat != s.active and s.forts[seat] & FORT_CASTLE:
            return True
    return False


cdef inline int one_of_each(uint64_t hand, int verb, uint32_t* out, int n) noexcept nogil:
    cdef uint64_t members = kinds(hand)
    while members:
        out[n] = move_of(verb, pop_kind(&members))
        n += 1
    return n


cdef inline int rob_moves(uint64_t hand, uint32_t* out) noexcept nogil:
    """R6.2."""
    cdef int n = 0
    if has(hand, HIGHWAYMAN):
        out[n] = move_of(VERB_ROB, HIGHWAYMAN)
        n += 1
    if has(hand, JESTER):
        out[n] = move_of(VERB_ROB, HIGHWAYMAN, 0, 0, 1)
        n += 1
    out[n] = move_of(VERB_PASS)
    return n + 1


cdef inline int choose_moves(const Rules* rules, const State* s, uint32_t* out) noexcept nogil:
    cdef int n = 0
    cdef int seat
    for seat in range(rules.num_seats):
        if s.picks[seat]:
            out[n] = move_of(VERB_CHOOSE, 0, seat)
            n += 1
    return n


cdef inline int tax_moves(const State* s, uint32_t* out) noexcept nogil:
    """R7.4."""
    cdef int n = 0
    if s.gems[s.seat]:
        out[n] = move_of(VERB_TAX_GEM)
        n += 1
    if size_of(s.hands[s.seat]) >= 2:
        out[n] = move_of(VERB_TAX_CARDS)
        n += 1
    return n


# --- chance ---------------------------------------------------------------------------------------

cdef inline uint64_t drawn_from(const State* s) noexcept nogil:
    """The cards from which a chance node draws one (section 7)."""
    return s.hands[s.seat] if s.phase == PHASE_TAKE else s.draw


cdef inline int chance_verb(const State* s) noexcept nogil:
    if s.phase == PHASE_TAKE:
        return VERB_TAKE
    return VERB_DRAW if s.phase == PHASE_DRAW else VERB_DEAL


cdef inline int coc_outcomes(
        const State* s, uint32_t* out, double* probabilities) noexcept nogil:
    cdef uint64_t cards = drawn_from(s)
    cdef uint64_t members = kinds(cards)
    cdef int verb = chance_verb(s)
    cdef int n = 0
    cdef int card
    while members:
        card = pop_kind(&members)
        out[n] = move_of(verb, card)
        probabilities[n] = <double>copies_of(cards, card) / size_of(cards)
        n += 1
    return n


cdef inline uint32_t coc_sample(const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint64_t cards = drawn_from(s)
    return move_of(chance_verb(s), nth_card(cards, below(rng, size_of(cards))))
