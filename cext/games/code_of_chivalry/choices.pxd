"""Moves as options of the playout policy, with the rows of their learned factors (policy_rows.pxd).

`benchmarks.playout_policy` finds the factors. All that the rows tell is seen by the seat to move.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.choice cimport Choice, Factors, add_row, begin_option, end_option, offer

from .multiset cimport copies_of, kinds, member, size_of
from .policy_rows cimport (
    AT_AHEAD, AT_ANSWER, AT_ANSWER_CARDS, AT_ANSWER_REST, AT_ANSWER_SPENT, AT_ANSWER_WINS, AT_BUY,
    AT_BUY_CARDS, AT_CHOOSE, AT_CHOOSE_MISSING, AT_DANGER, AT_DISCARD, AT_DISCARD_COPIES,
    AT_DISCARD_MISSING, AT_END, AT_END_FORTS, AT_END_GEMS, AT_FORTIFY, AT_FORTIFY_BEST,
    AT_FORTIFY_GEMS, AT_FORTIFY_MISSING, AT_GAIN, AT_OPENS, AT_REST, AT_ROB, AT_ROB_SIZE,
    AT_ROB_WINS, AT_SHOW, AT_SHOW_COPIES, AT_SPECIAL, AT_SPECIAL_FORTS, AT_SPECIAL_MISSING,
    AT_SPENT, AT_STOP, AT_TAX, AT_TAX_MISSING, AT_TAX_SIZE, AT_TURN, AT_WIN, NUM_AHEAD, NUM_BEST,
    NUM_CARDS, NUM_COPIES, NUM_FORTS, NUM_GEMS, NUM_MISSING, NUM_PILES, NUM_REVOLTS, NUM_SIZES,
    NUM_STAKES, NUM_STOPS, NUM_THREATS)
from .rules cimport beneficiary, target_of
from .state cimport (
    ARCHER, CASTLE, CATAPULT, DRAGON, EXECUTIONER, FORT_ARCHER, FORT_CASTLE, HERALD, JESTER, KING,
    KNIGHT, LADDER, MERCHANT, MINSTREL, NINJA, PEASANT, PHASE_ATTACK, PHASE_MAIN, PHASE_RESPOND,
    PRINCESS, SOLDIER, TRAITOR, VERB_ATTACK, VERB_CHOOSE, VERB_DISCARD, VERB_END, VERB_FORTIFY,
    VERB_GIVE, VERB_PASS, VERB_RESPOND, VERB_ROB, VERB_SPECIAL, VERB_TAX_CARDS, VERB_TAX_GEM, Rules,
    State, jesters_of, peasants_of, role_of, seat_of, verb_of)
from .table cimport cards_in_view, play_cards, strength_of

cdef enum:
    MANY_CARDS = 8      # a larger hand stops an attack as one of this many cards does

    THREAT_NINJA = 4    # after the strengths, as of `NUM_THREATS`
    THREAT_DRAGON = 5
    THREAT_ARCHER = 6

    BY_FORTIFYING = NUM_PILES * NUM_MISSING     # rows of a turn after those of an attack
    BY_SPECIAL = 2 * BY_FORTIFYING
    BY_DISCARD = 3 * BY_FORTIFYING

# What is the same for all options of a decision.
cdef struct Stand:
    int size
    int missing
    int richest             # missing gems of the richest rival
    int forts
    int best
    int turn                # row of a turn that attacks
    bint is_further         # some attack card was played already
    float[7] passes         # by threat: probability that a card that is not seen does not stop it


cdef inline int upto(int number, int values) noexcept nogil:
    """The number as one of 0 to `values` - 1."""
    return number if number < values else values - 1


cdef inline int missing_of(const Rules* rules, const State* s, int seat) noexcept nogil:
    return upto(max(1, target_of(rules, s) - <int>s.gems[seat]) - 1, NUM_MISSING)


cdef inline int forts_of(const State* s, int seat) noexcept nogil:
    return s.forts[seat] & (FORT_CASTLE | FORT_ARCHER)


cdef inline int best_of(uint64_t hand) noexcept nogil:
    """King, knight, soldier or two peasants, anything else that takes gems, or nothing."""
    cdef uint64_t members = kinds(hand)
    if members & member(KING):
        return 4
    if members & member(KNIGHT):
        return 3
    if members & member(SOLDIER) or copies_of(hand, PEASANT) >= 2:
        return 2
    return 1 if members & (member(PEASANT) | member(NINJA) | member(DRAGON)) else 0


cdef inline void look(const Rules* rules, const State* s, Stand* out) noexcept nogil:
    """Look at the position of the seat to move."""
    cdef uint64_t hand = s.hands[s.seat]
    cdef int pile = size_of(s.draw)
    cdef int seat
    pile = (<int>(pile >= 5) + <int>(pile >= 10) + <int>(pile >= 20) + <int>(pile >= 35)
            + <int>(pile >= 50))
    out.size = upto(size_of(hand), NUM_SIZES)
    out.missing = missing_of(rules, s, s.seat)
    out.richest = NUM_MISSING - 1
    for seat in range(rules.num_seats):
        if seat != s.seat:
            out.richest = min(out.richest, missing_of(rules, s, seat))
    out.forts = forts_of(s, s.seat)
    out.best = best_of(hand)
    out.turn = AT_TURN + pile * NUM_MISSING + out.missing
    out.is_further = s.phase == PHASE_ATTACK
    if s.phase == PHASE_MAIN or s.phase == PHASE_ATTACK:
        count_stops(rules.deck - cards_in_view(rules, s) - hand, out)


cdef inline void count_stops(uint64_t unseen, Stand* out) noexcept nogil:
    """Of the cards that may stop an attack in full, alone (R5.1); a strength of 3 is a knight's."""
    cdef float part = 1 / <float>max(1, size_of(unseen))
    cdef int stops = (copies_of(unseen, EXECUTIONER) + copies_of(unseen, MINSTREL)
                      + copies_of(unseen, JESTER))
    cdef int princesses = copies_of(unseen, PRINCESS)
    out.passes[<int>THREAT_NINJA] = 1 - part * stops
    out.passes[<int>THREAT_ARCHER] = 1 - part * stops
    out.passes[<int>THREAT_DRAGON] = 1 - part * (stops + princesses)
    stops += copies_of(unseen, TRAITOR) + copies_of(unseen, KING)
    out.passes[3] = 1 - part * stops
    stops += copies_of(unseen, KNIGHT)
    out.passes[2] = 1 - part * (stops + princesses)
    stops += copies_of(unseen, SOLDIER)
    out.passes[1] = 1 - part * stops
    out.passes[0] = 1 - part * (stops + copies_of(unseen, PEASANT))


cdef inline int stop_of(const Stand* own, int threat, int num_cards) noexcept nogil:
    cdef float chance = 1
    for _ in range(min(num_cards, <int>MANY_CARDS)):
        chance *= own.passes[threat]
    return upto(<int>((1 - chance) * NUM_STOPS), NUM_STOPS)


cdef inline uint64_t left_of(uint64_t hand, uint32_t move) noexcept nogil:
    """The hand after a play."""
    return hand - play_cards(role_of(move), peasants_of(move), jesters_of(move))


cdef inline bint is_last(uint64_t hand, uint32_t move) noexcept nogil:
    """Whether a play takes the last copies of its card."""
    cdef int card = JESTER if jesters_of(move) else role_of(move)
    return copies_of(left_of(hand, move), card) == 0


# --- attacks --------------------------------------------------------------------------------------

cdef inline int attack_kind(int role, uint32_t move) noexcept nogil:
    cdef int kind
    if role == PEASANT:
        kind = upto(strength_of(role, peasants_of(move), jesters_of(move)) - 1, NUM_REVOLTS)
    elif role <= ARCHER:        # soldier, knight, king, ninja, dragon, archer
        kind = NUM_REVOLTS + role - SOLDIER
    else:
        kind = NUM_REVOLTS + (6 if role == LADDER else 7)
    return 2 * kind + <int>(jesters_of(move) > 0)


cdef inline void offer_attack(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef uint64_t hand = s.hands[s.seat]
    cdef int role = role_of(move)
    cdef int rival = seat_of(move)
    cdef int kind = attack_kind(role, move)
    cdef int missing = missing_of(rules, s, rival)
    cdef int ahead = rival - s.active
    cdef int gems = s.gems[rival]
    cdef int taken = 0
    cdef int threat = THREAT_ARCHER
    if role <= KING:
        taken = strength_of(role, peasants_of(move), jesters_of(move))
        threat = min(taken, 4) - 1
    elif role == NINJA or role == DRAGON:
        taken = 2
        threat = THREAT_NINJA if role == NINJA else THREAT_DRAGON
    taken = min(taken, gems)
    if ahead < 0:
        ahead += rules.num_seats
    begin_option(choice, move)
    add_row(choice, factors,
            AT_GAIN + (kind * NUM_GEMS + upto(gems, NUM_GEMS)) * NUM_MISSING + own.missing)
    add_row(choice, factors, AT_STOP + kind * NUM_STOPS + (
        0 if role == LADDER or role == CATAPULT else stop_of(own, threat, size_of(s.hands[rival]))))
    add_row(choice, factors,
            AT_SPENT + (kind * NUM_SIZES + own.size) * 2 + <int>is_last(hand, move))
    add_row(choice, factors, AT_WIN + own.missing + NUM_MISSING * (
        2 * kind + <int>(taken > 0 and taken >= target_of(rules, s) - <int>s.gems[s.active])))
    add_row(choice, factors, AT_DANGER + (2 * kind + <int>own.is_further) * NUM_MISSING + missing)
    add_row(choice, factors,
            AT_REST + (kind * NUM_BEST + best_of(left_of(hand, move))) * NUM_FORTS + own.forts)
    add_row(choice, factors, AT_AHEAD + upto(ahead, NUM_AHEAD) * NUM_MISSING + missing)
    if role == LADDER or role == CATAPULT or role == ARCHER:
        kind = (0 if role == LADDER else 2 if role == CATAPULT else 4) + <int>(
            jesters_of(move) > 0)
        add_row(choice, factors,
                AT_OPENS + (kind * NUM_BEST + own.best) * NUM_FORTS + forts_of(s, rival))
    if not own.is_further:
        add_row(choice, factors, own.turn)
    end_option(choice)


cdef inline void offer_end(
        Choice* choice, const Factors* factors, const State* s, const Stand* own,
        uint32_t move) noexcept nogil:
    cdef int row = AT_END + (
        <int>own.is_further * NUM_SIZES + own.size) * NUM_BEST + own.best
    if not own.is_further:
        offer(choice, factors, move, row)
        return
    offer(choice, factors, move, row,
          AT_END_FORTS + own.best * NUM_FORTS + forts_of(s, s.target),
          AT_END_GEMS + upto(s.gems[s.target], NUM_GEMS) * NUM_MISSING + own.missing)


# --- responses and robberies ----------------------------------------------------------------------

cdef inline int response_kind(uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    cdef int kind
    if verb_of(move) == VERB_PASS:
        return 0
    if role == PEASANT:
        kind = min(strength_of(role, peasants_of(move), jesters_of(move)), <int>NUM_REVOLTS)
    elif role <= KING:
        kind = NUM_REVOLTS + role - PEASANT
    else:
        kind = NUM_REVOLTS + 4 + (
            0 if role == TRAITOR else 1 if role == PRINCESS else 2 if role == EXECUTIONER else 3)
    return 2 * kind + <int>(jesters_of(move) > 0)


cdef inline void offer_response(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef uint64_t hand = s.hands[s.seat]
    cdef bint passes = verb_of(move) == VERB_PASS
    cdef int kind = response_kind(move)
    cdef int winner = beneficiary(s)
    cdef int stake = 0 if s.role == ARCHER else 2
    cdef int threat = (
        THREAT_NINJA if s.role == NINJA else THREAT_DRAGON if s.role == DRAGON else THREAT_ARCHER)
    cdef bint wins
    if s.role <= KING:
        stake = strength_of(s.role, s.peasants, s.jesters)
        threat = min(stake, 4) - 1
    stake = min(stake, <int>s.gems[s.seat])
    wins = stake > 0 and s.gems[winner] + stake >= target_of(rules, s)
    begin_option(choice, move)
    add_row(choice, factors,
            AT_ANSWER + (kind * NUM_THREATS + threat) * NUM_STAKES + upto(stake, NUM_STAKES))
    add_row(choice, factors, AT_ANSWER_SPENT + (kind * NUM_SIZES + own.size) * 2 + <int>(
        not passes and is_last(hand, move)))
    add_row(choice, factors, AT_ANSWER_WINS + own.missing + NUM_MISSING * (
        4 * kind + 2 * <int>(s.seat == s.target) + <int>wins))
    add_row(choice, factors,
            AT_ANSWER_CARDS + kind * NUM_CARDS + upto(size_of(s.hands[winner]), NUM_CARDS))
    add_row(choice, factors, AT_ANSWER_REST + own.forts + NUM_FORTS * (
        kind * NUM_BEST + (own.best if passes else best_of(left_of(hand, move)))))
    end_option(choice)


cdef inline void offer_rob(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef int kind = 0 if verb_of(move) == VERB_PASS else 2 if jesters_of(move) else 1
    cdef bint wins = (
        s.source != s.receiver and s.gems[s.receiver] + s.flight >= target_of(rules, s))
    offer(choice, factors, move,
          AT_ROB + (2 * kind + <int>(s.seat == s.source)) * NUM_STAKES + upto(s.flight, NUM_STAKES),
          AT_ROB_WINS + (2 * kind + <int>wins) * NUM_MISSING + own.missing,
          AT_ROB_SIZE + kind * NUM_SIZES + own.size)


# --- other moves ----------------------------------------------------------------------------------

cdef inline void offer_fortify(
        Choice* choice, const Factors* factors, const State* s, const Stand* own,
        uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    cdef int kind = (
        0 if role == CASTLE else 2 if role == ARCHER else 4) + <int>(jesters_of(move) > 0)
    begin_option(choice, move)
    add_row(choice, factors, AT_FORTIFY + (kind * NUM_FORTS + own.forts) * NUM_SIZES + own.size)
    add_row(choice, factors,
            AT_FORTIFY_MISSING + (kind * NUM_MISSING + own.richest) * NUM_MISSING + own.missing)
    add_row(choice, factors, AT_FORTIFY_GEMS + kind * NUM_GEMS + upto(s.gems[s.seat], NUM_GEMS))
    add_row(choice, factors, AT_FORTIFY_BEST + kind * NUM_BEST + own.best)
    if s.phase == PHASE_MAIN:
        add_row(choice, factors, own.turn + BY_FORTIFYING)
    end_option(choice)


cdef inline void offer_special(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef int role = role_of(move)
    cdef int kind = (
        0 if role == HERALD else 2 if role == MERCHANT else 4) + <int>(jesters_of(move) > 0)
    begin_option(choice, move)
    add_row(choice, factors, AT_SPECIAL + kind * NUM_SIZES + own.size)
    add_row(choice, factors, AT_SPECIAL_MISSING + kind * NUM_MISSING + own.missing)
    add_row(choice, factors, AT_SPECIAL_FORTS + kind * NUM_FORTS + own.forts)
    add_row(choice, factors, own.turn + BY_SPECIAL)
    if role == MERCHANT:
        add_row(choice, factors, AT_BUY + missing_of(rules, s, seat_of(move)))
        add_row(choice, factors,
                AT_BUY_CARDS + upto(size_of(s.hands[seat_of(move)]), NUM_CARDS))
    end_option(choice)


cdef inline void offer_card(
        Choice* choice, const Factors* factors, const State* s, const Stand* own,
        uint32_t move) noexcept nogil:
    """A card that is discarded, shown or given."""
    cdef int card = role_of(move)
    cdef int copies = upto(copies_of(s.hands[s.seat], card) - 1, NUM_COPIES)
    if verb_of(move) != VERB_DISCARD:
        offer(choice, factors, move, AT_SHOW + 2 * card + <int>(verb_of(move) == VERB_GIVE),
              AT_SHOW_COPIES + card * NUM_COPIES + copies)
        return
    begin_option(choice, move)
    add_row(choice, factors, AT_DISCARD + (card * NUM_SIZES + own.size) * NUM_FORTS + own.forts)
    add_row(choice, factors, AT_DISCARD_COPIES + card * NUM_COPIES + copies)
    add_row(choice, factors, AT_DISCARD_MISSING + card * NUM_MISSING + own.richest)
    add_row(choice, factors, own.turn + BY_DISCARD)
    end_option(choice)


cdef inline void offer_choose(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        uint32_t move) noexcept nogil:
    offer(choice, factors, move, AT_CHOOSE + s.picks[seat_of(move)] - 1,
          AT_CHOOSE_MISSING + missing_of(rules, s, seat_of(move)))


cdef inline void offer_tax(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef int pays = <int>(verb_of(move) == VERB_TAX_GEM)
    offer(choice, factors, move, AT_TAX + pays * NUM_GEMS + upto(s.gems[s.seat], NUM_GEMS),
          AT_TAX_SIZE + pays * NUM_SIZES + own.size,
          AT_TAX_MISSING + pays * NUM_MISSING + missing_of(rules, s, s.active))


cdef inline void offer_move(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    """Offer any legal move; `own` as by `look`."""
    cdef int verb = verb_of(move)
    if verb == VERB_ATTACK:
        offer_attack(choice, factors, rules, s, own, move)
    elif verb == VERB_RESPOND or (verb == VERB_PASS and s.phase == PHASE_RESPOND):
        offer_response(choice, factors, rules, s, own, move)
    elif verb == VERB_ROB or verb == VERB_PASS:
        offer_rob(choice, factors, rules, s, own, move)
    elif verb == VERB_FORTIFY:
        offer_fortify(choice, factors, s, own, move)
    elif verb == VERB_SPECIAL:
        offer_special(choice, factors, rules, s, own, move)
    elif verb == VERB_END:
        offer_end(choice, factors, s, own, move)
    elif verb == VERB_CHOOSE:
        offer_choose(choice, factors, rules, s, move)
    elif verb == VERB_TAX_GEM or verb == VERB_TAX_CARDS:
        offer_tax(choice, factors, rules, s, own, move)
    else:
        offer_card(choice, factors, s, own, move)
