"""Scores of moves in the playout policy, in logarithms of win shares.

Heuristics from section 14 of the rules page: the gain of a play, times the probability that it is
not stopped, less the value of the cards that it costs, by the weights of the evaluation
(weights.pxd). They use only what the seat to move sees.
"""

from libc.stdint cimport uint32_t, uint64_t

from .multiset cimport copies_of, kinds, member, size_of
from .rules cimport target_of
from .state cimport (
    ARCHER, CASTLE, CATAPULT, DRAGON, FORT_ARCHER, FORT_CASTLE, JESTER, KING, LADDER, MERCHANT,
    NINJA, PEASANT, PRINCESS, SOLDIER, TRAITOR, VERB_ATTACK, VERB_CHOOSE, VERB_DISCARD,
    VERB_FORTIFY, VERB_GIVE, VERB_RESPOND, VERB_ROB, VERB_SHOW, VERB_SPECIAL, VERB_TAX_CARDS,
    VERB_TAX_GEM, Rules, State, jesters_of, peasants_of, role_of, seat_of, verb_of)
from .weights cimport Weights, fort_value, gem_value, size_value, weights_of

cdef extern from *:
    """
    /* Chance that a random card of the whole deck stops an attack (section 14, "Odds"): by the
       strength 1..4 of strength cards, then ninja, dragon and archer. */
    static const float COC_STOPS[8] = {
        0.f, 0.61f, 0.36f, 0.21f, 0.095f, 0.042f, 0.063f, 0.042f};
    /* Guesses that play well: what winning is worth, a gem that a rival loses, for each gem that it
       has, a gem that a rival gains, the turn that ends, the card that others gave. */
    #define COC_WIN 2.0f
    #define COC_HARM 0.015f
    #define COC_RIVAL_GEM 0.04f
    #define COC_TURN_ENDED 0.06f
    #define COC_CARD_TAKEN 0.1f
    """
    const float* STOPS "COC_STOPS"
    const float WIN "COC_WIN"
    const float HARM "COC_HARM"
    const float RIVAL_GEM "COC_RIVAL_GEM"
    const float TURN_ENDED "COC_TURN_ENDED"
    const float CARD_TAKEN "COC_CARD_TAKEN"

cdef enum:
    STOPS_NINJA = 5
    STOPS_DRAGON = 6
    STOPS_ARCHER = 7
    MANY_CARDS = 8      # the response of a larger hand is weighed as that of this many cards


cdef inline float cost(const Weights* w, const State* s, uint32_t move) noexcept nogil:
    """Value of the physical cards that a move of the seat to move plays."""
    cdef int role = role_of(move)
    cdef int peasants = peasants_of(move)
    cdef int jesters = jesters_of(move)
    cdef int size = size_of(s.hands[s.seat])
    cdef float worth = size_value(w, size)
    if role == PEASANT:
        return (worth - size_value(w, size - peasants - jesters) + w.held[<int>PEASANT] * peasants
                + w.held[<int>JESTER] * jesters)
    return worth - size_value(w, size - 1) + w.held[<int>JESTER if jesters else role]


cdef inline int strength(uint32_t move) noexcept nogil:
    if role_of(move) == PEASANT:
        return peasants_of(move) + jesters_of(move)
    return role_of(move) + 1


cdef inline float unstopped(float stops, int num_cards) noexcept nogil:
    """Probability that none of a number of cards stops an attack."""
    cdef float chance = 1
    for _ in range(min(num_cards, <int>MANY_CARDS)):
        chance *= 1 - stops
    return chance


cdef inline float gain(
        const Weights* w, const Rules* rules, const State* s, int seat, int gems) noexcept nogil:
    """Value of a gain of gems for a seat."""
    cdef int missing = target_of(rules, s) - s.gems[seat]
    if gems and gems >= missing:
        return WIN
    return gem_value(w, missing - gems) - gem_value(w, missing)


cdef inline float loss(
        const Weights* w, const Rules* rules, const State* s, int loser, int winner,
        int gems) noexcept nogil:
    """Cost for a seat of losing gems to another one."""
    cdef int target = target_of(rules, s)
    if gems and s.gems[winner] + gems >= target:
        return WIN
    gems = min(gems, <int>s.gems[loser])
    return gem_value(w, target - s.gems[loser]) - gem_value(w, target - s.gems[loser] + gems) + (
        RIVAL_GEM * gems)


cdef inline float score_attack(
        const Weights* w, const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    cdef int rival = seat_of(move)
    cdef int num_cards = size_of(s.hands[rival])
    cdef int gems
    cdef float stops
    cdef float opened = 0
    if role == LADDER or role == CATAPULT or role == ARCHER:
        opened = 0.14 if role == CATAPULT else 0.08 if role == ARCHER else 0.02
        if s.gems[rival] == 0 or not can_follow(s):
            opened -= 0.1
        if role == ARCHER:
            opened *= unstopped(STOPS[<int>STOPS_ARCHER], num_cards)
        return opened - cost(w, s, move)
    if role == NINJA or role == DRAGON:
        gems = 2
        stops = STOPS[<int>STOPS_NINJA if role == NINJA else <int>STOPS_DRAGON]
    else:
        gems = strength(move)
        stops = STOPS[min(gems, 4)]
    gems = min(gems, <int>s.gems[rival])
    if gems == 0:
        return -cost(w, s, move)
    # The loss of the richest seat, the nearest to the target, counts most.
    return unstopped(stops, num_cards) * (
        gain(w, rules, s, s.active, gems) + HARM * s.gems[rival]) - cost(w, s, move)


cdef inline bint can_follow(const State* s) noexcept nogil:
    """Whether the active seat holds a strength card stronger than a lone peasant."""
    cdef uint64_t hand = s.hands[s.active]
    return (kinds(hand) & (member(SOLDIER) | member(SOLDIER + 1) | member(KING))) != 0 or (
        copies_of(hand, PEASANT) >= 2)


cdef inline float score_response(
        const Weights* w, const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    """Value that a response keeps, compared with a pass."""
    cdef int role = role_of(move)
    cdef int winner = s.active if s.seat == s.target else s.target
    cdef int attack = 2 if s.role == NINJA or s.role == DRAGON else 0
    cdef float kept
    if s.role <= KING:
        attack = s.peasants + s.jesters if s.role == PEASANT else s.role + 1
    kept = loss(w, rules, s, s.seat, winner, min(attack, <int>s.gems[s.seat]))
    if role <= KING:
        attack = max(0, attack - strength(move))
        kept -= loss(w, rules, s, s.seat, winner, min(attack, <int>s.gems[s.seat]))
        return kept - cost(w, s, move)
    if role == TRAITOR:
        kept += 0.7 * gain(w, rules, s, s.seat, min(attack, <int>s.gems[winner]))
    elif role == PRINCESS:
        kept += w.held[<int>JESTER if s.jesters else <int>s.role]
    elif s.seat == s.target:
        kept += TURN_ENDED      # by executioner and minstrel
    if s.role == ARCHER or s.role == NINJA:
        kept += fort_value(w, s.forts[s.seat]) - fort_value(w, s.forts[s.seat] & ~FORT_ARCHER)
    elif s.role == DRAGON:
        kept += fort_value(w, s.forts[s.seat]) - fort_value(w, s.forts[s.seat] & ~FORT_CASTLE)
    return kept - cost(w, s, move)


cdef inline float score_robbery(
        const Weights* w, const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef float kept = 0
    if s.gems[s.receiver] + s.flight >= target_of(rules, s) and s.source != s.receiver:
        kept = 0.8 * WIN
    if s.seat == s.source:
        return kept + loss(w, rules, s, s.seat, s.receiver, s.flight) - cost(w, s, move)
    return kept + gain(w, rules, s, s.seat, s.flight) + RIVAL_GEM * s.flight - cost(w, s, move)


cdef inline float score_special(
        const Weights* w, const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    if role == MERCHANT:
        if s.gems[seat_of(move)] + 1 >= target_of(rules, s):
            return -WIN
        return CARD_TAKEN * (size_of(s.hands[seat_of(move)]) // 2) - 0.2 - cost(w, s, move)
    return 0.1 - cost(w, s, move)


cdef inline float score_fortify(
        const Weights* w, const State* s, uint32_t move) noexcept nogil:
    cdef int forts = s.forts[s.seat]
    cdef int fort = FORT_CASTLE if role_of(move) == CASTLE else FORT_ARCHER
    return fort_value(w, forts | fort) - fort_value(w, forts) - cost(w, s, move)


cdef inline float score_of(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    """The score of any legal move; `end` and `pass` are 0."""
    cdef const Weights* w = weights_of(rules)
    cdef int verb = verb_of(move)
    if verb == VERB_ATTACK:
        return score_attack(w, rules, s, move)
    if verb == VERB_RESPOND:
        return score_response(w, rules, s, move)
    if verb == VERB_ROB:
        return score_robbery(w, rules, s, move)
    if verb == VERB_FORTIFY:
        return score_fortify(w, s, move)
    if verb == VERB_SPECIAL:
        return score_special(w, rules, s, move)
    if verb == VERB_DISCARD or verb == VERB_SHOW or verb == VERB_GIVE:
        return -w.held[role_of(move)]
    if verb == VERB_CHOOSE:
        return w.held[s.picks[seat_of(move)] - 1] if s.picks[seat_of(move)] else 0
    if verb == VERB_TAX_GEM:
        return -0.2 if s.gems[s.active] + 1 < target_of(rules, s) else -WIN
    if verb == VERB_TAX_CARDS:
        return -0.2
    return 0
