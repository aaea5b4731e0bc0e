"""What the playout policy thinks of a move, in gems.

Rules of thumb after section 14 of the rules page: what a play brings, times the chance that nobody
stops it, less the worth of the cards that it costs. They look at nothing that the deciding seat
does not see.
"""

from libc.stdint cimport uint32_t, uint64_t

from .multiset cimport copies_of, kinds, member, size_of
from .rules cimport target_of
from .state cimport (
    ARCHER, CASTLE, CATAPULT, DRAGON, HERALD, JESTER, KING,
    LADDER, MERCHANT, NINJA, PEASANT, PRINCESS, SOLDIER, TRAITOR, VERB_ATTACK, VERB_CHOOSE,
    VERB_DISCARD, VERB_FORTIFY, VERB_GIVE, VERB_RESPOND, VERB_ROB, VERB_SHOW, VERB_SPECIAL,
    VERB_TAX_CARDS, VERB_TAX_GEM, Rules, State, jesters_of, peasants_of, role_of, seat_of, verb_of)

cdef extern from *:
    """
    static const float COC_WORTH[19] = {    // of a card in hand, in card order
        0.25f, 0.5f, 0.9f, 1.3f, 1.2f, 1.0f, 0.25f, 0.6f, 0.25f, 0.5f, 0.5f, 0.5f, 0.9f, 0.8f,
        0.6f, 0.9f, 1.5f, 0.5f, 0.5f};
    /* Chance that a random card of the whole deck stops an attack (section 14, "Odds"): by the
       strength 1..4 of strength cards, then ninja, dragon and archer. */
    static const float COC_STOPS[8] = {
        0.f, 0.61f, 0.36f, 0.21f, 0.095f, 0.042f, 0.063f, 0.042f};
    /* Guesses that play well: what winning is worth, and the part of its worth that a card costs */
    #define COC_WIN 10.0f
    #define COC_SPARED 0.6f
    """
    const float* WORTH "COC_WORTH"
    const float* STOPS "COC_STOPS"
    const float WIN "COC_WIN"
    const float SPARED "COC_SPARED"

cdef enum:
    STOPS_NINJA = 5
    STOPS_DRAGON = 6
    STOPS_ARCHER = 7
    MANY_CARDS = 8      # a hand stops no more than one of so many


cdef inline float worth_of(uint32_t move) noexcept nogil:
    """Worth of the physical cards that a move plays."""
    cdef int role = role_of(move)
    if role == PEASANT:
        return WORTH[<int>PEASANT] * peasants_of(move) + WORTH[<int>JESTER] * jesters_of(move)
    return WORTH[<int>JESTER] if jesters_of(move) else WORTH[role]


cdef inline int strength(uint32_t move) noexcept nogil:
    if role_of(move) == PEASANT:
        return peasants_of(move) + jesters_of(move)
    return role_of(move) + 1


cdef inline float unstopped(float stops, int num_cards) noexcept nogil:
    """Chance that none of so many cards stops an attack."""
    cdef float chance = 1
    for _ in range(min(num_cards, <int>MANY_CARDS)):
        chance *= 1 - stops
    return chance


cdef inline float gain(
        const Rules* rules, const State* s, int seat, int gems) noexcept nogil:
    """What so many gems more are worth to a seat."""
    cdef int missing = target_of(rules, s) - s.gems[seat]
    if gems and gems >= missing:
        return WIN
    return gems + (0.5 * (gems + 3 - missing) if gems + 3 > missing else 0)


cdef inline float loss(
        const Rules* rules, const State* s, int loser, int winner, int gems) noexcept nogil:
    """What a seat minds losing so many gems to another one."""
    if gems and s.gems[winner] + gems >= target_of(rules, s):
        return WIN
    return min(gems, <int>s.gems[loser])


cdef inline float score_attack(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    cdef int rival = seat_of(move)
    cdef int num_cards = size_of(s.hands[rival])
    cdef int gems
    cdef float stops
    cdef float opened = 0
    if role == LADDER or role == CATAPULT or role == ARCHER:
        opened = 0.9 if role == CATAPULT else 0.5 if role == ARCHER else 0.1
        if s.gems[rival] == 0 or not can_follow(s):
            opened -= 0.6
        if role == ARCHER:
            opened *= unstopped(STOPS[<int>STOPS_ARCHER], num_cards)
        return opened - SPARED * worth_of(move)
    if role == NINJA or role == DRAGON:
        gems = 2
        stops = STOPS[<int>STOPS_NINJA if role == NINJA else <int>STOPS_DRAGON]
    else:
        gems = strength(move)
        stops = STOPS[min(gems, 4)]
    gems = min(gems, <int>s.gems[rival])
    if gems == 0:
        return -worth_of(move)
    # It hurts the richest most, who is nearest to the target.
    return unstopped(stops, num_cards) * (gain(rules, s, s.active, gems) + 0.1 * s.gems[rival]) - (
        SPARED * worth_of(move))


cdef inline bint can_follow(const State* s) noexcept nogil:
    """Whether the active seat holds a strength card stronger than a lone peasant."""
    cdef uint64_t hand = s.hands[s.active]
    return (kinds(hand) & (member(SOLDIER) | member(SOLDIER + 1) | member(KING))) != 0 or (
        copies_of(hand, PEASANT) >= 2)


cdef inline float score_response(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    """What is kept by a response, as against a pass."""
    cdef int role = role_of(move)
    cdef int winner = s.active if s.seat == s.target else s.target
    cdef int attack = 2 if s.role == NINJA or s.role == DRAGON else 0
    cdef float kept
    if s.role <= KING:
        attack = s.peasants + s.jesters if s.role == PEASANT else s.role + 1
    kept = loss(rules, s, s.seat, winner, min(attack, <int>s.gems[s.seat]))
    if role <= KING:
        attack = max(0, attack - strength(move))
        kept -= loss(rules, s, s.seat, winner, min(attack, <int>s.gems[s.seat]))
        return kept - SPARED * worth_of(move)
    if role == TRAITOR:
        kept += 0.7 * gain(rules, s, s.seat, min(attack, <int>s.gems[winner]))
    elif role == PRINCESS:
        kept += WORTH[<int>JESTER] if s.jesters else WORTH[s.role]
    elif s.seat == s.target:
        kept += 0.4     # executioner and minstrel end the rival's turn
    if s.role == ARCHER:
        kept += 0.9
    return kept - SPARED * worth_of(move)


cdef inline float score_robbery(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef float kept = 0
    if s.gems[s.receiver] + s.flight >= target_of(rules, s) and s.source != s.receiver:
        kept = 0.8 * WIN
    if s.seat == s.source:
        return kept + s.flight - SPARED * worth_of(move)
    return kept + gain(rules, s, s.seat, s.flight) - SPARED * worth_of(move)


cdef inline float score_special(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    if role == MERCHANT:
        if s.gems[seat_of(move)] + 1 >= target_of(rules, s):
            return -WIN
        return 0.7 * (size_of(s.hands[seat_of(move)]) // 2) - 1.2 - SPARED * worth_of(move)
    return (0.8 if role == HERALD else 1.2) - SPARED * worth_of(move)


cdef inline float score_of(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    """The score of any legal move; `end` and `pass` are 0."""
    cdef int verb = verb_of(move)
    if verb == VERB_ATTACK:
        return score_attack(rules, s, move)
    if verb == VERB_RESPOND:
        return score_response(rules, s, move)
    if verb == VERB_ROB:
        return score_robbery(rules, s, move)
    if verb == VERB_FORTIFY:
        return (0.9 if role_of(move) == CASTLE else 1.0) - SPARED * worth_of(move)
    if verb == VERB_SPECIAL:
        return score_special(rules, s, move)
    if verb == VERB_DISCARD:
        return -0.3 - WORTH[role_of(move)]
    if verb == VERB_SHOW or verb == VERB_GIVE:
        return -WORTH[role_of(move)]
    if verb == VERB_CHOOSE:
        return WORTH[s.picks[seat_of(move)] - 1] if s.picks[seat_of(move)] else 0
    if verb == VERB_TAX_GEM:
        return -1.2 if s.gems[s.active] + 1 < target_of(rules, s) else -WIN
    if verb == VERB_TAX_CARDS:
        return -1.2
    return 0
