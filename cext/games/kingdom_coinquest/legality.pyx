"""Why a well-formed move of Kingdom Coinquest is not legal, with the number of its rule."""

from libc.stdint cimport uint32_t

from kingmaker.cext.game cimport Refusal, refuse

from kingmaker.cext.reasons import Reason

from .rules cimport has_jack_in_play, num_living
from .state cimport (
    ACE, JACK, NO_CARD, PHASE_DEAL, PHASE_DISCARD, PHASE_DRAW, PHASE_END, PHASE_KING, PHASE_PLAY,
    PHASE_STRIKE, QUEEN, SALVAGE_CARDS, SEATS, VERB_ACE, VERB_ATTACK, VERB_DEAL, VERB_DRAW_FORGE,
    VERB_DRAW_GRAVE, VERB_DRAW_SALVAGE, VERB_EQUIP, VERB_HOLD, VERB_KING, VERB_PREP, VERB_QUEEN,
    VERB_SALVAGE, VERB_SCRAP, Player, Rules, State, bit, is_equipment, rank_of, suit_of)

# Codes of refusals, apart from those of validity.pyx.
cdef enum:
    OVER = 100, OVER_AT_LIMIT, PLAYED, NO_STRIKE, KING_DRAWN, NO_FORGE, NO_GRAVE
    OTHERS_SALVAGE, NOT_IN_SALVAGE, UNNAMED, NOT_IN_FORGE, NOT_HELD, NOT_HELD_TO_DISCARD
    UNSEEN, SALVAGE_FULL, NOTHING_TO_SCRAP, BUSY, NO_EQUIPMENT, NO_EQUIPMENT_LEAD, RIVAL_ALONE
    OWN_LEAD, SECOND_JACK, NO_PARTNER, OWN_PARTNER, NOTHING_TO_EQUIP, NOT_READY, UNARMED
    OWN_TARGET, DEAD_TARGET, QUEEN_TAKEN, NO_QUEEN, NO_QUEEN_PAIR, NO_ACE, NO_ACE_PAIR
    OWN_IN_PAIR, EMPTY_GRAVE, NO_WEAPON_ON_TOP, NOT_NOW

REASONS = {
    OVER: Reason("R10.3", "the game is over"),
    OVER_AT_LIMIT: Reason("R10.5", "the game is over"),
    PLAYED: Reason("R6.10", "the play move of this turn is made, and there is only one"),
    NO_STRIKE: Reason("R6.9", "hold belongs to a weapon that an ace has just put on the peasant"),
    KING_DRAWN: Reason("R3.1", "the king of {0:suit} is drawn already"),
    NO_FORGE: Reason("R9.3", "the forge is empty, and there is no graveyard to shuffle into it"),
    NO_GRAVE: Reason("R5.1", "the graveyard is empty"),
    OTHERS_SALVAGE: Reason("R5.6", "{0:card} lies in the salvage yard of another player"),
    NOT_IN_SALVAGE: Reason("R5.1", "{0:card} is not in the salvage yard"),
    UNNAMED: Reason("R5.2", "an outcome names the card that is drawn"),
    NOT_IN_FORGE: Reason("R5.2", "{0:card} is not in the forge"),
    NOT_HELD: Reason("R6.1", "{0:card} is not in the hand"),
    NOT_HELD_TO_DISCARD: Reason("R8.1", "{0:card} is not in the hand"),
    UNSEEN: Reason("R11.4", "only {0:seat} knows whether this is possible"),
    SALVAGE_FULL: Reason("R8.2", "the salvage yard is full"),
    NOTHING_TO_SCRAP: Reason("R8.1", "the quartermaster has nothing to scrap"),
    BUSY: Reason("R6.1", "the quartermaster is busy with {0:load}"),
    NO_EQUIPMENT: Reason("R6.1", "{0:card} is no equipment; only twos to tens are prepared"),
    NO_EQUIPMENT_LEAD: Reason("R6.3", "{0:card} is no equipment; only twos to tens are prepared"),
    RIVAL_ALONE: Reason("R6.2", "{0:card} is a rival card and is never played alone"),
    OWN_LEAD: Reason("R6.3", "{0:card} is of the own suit and needs no recruiting"),
    SECOND_JACK: Reason("R6.5", "a player has at most one jack in play"),
    NO_PARTNER: Reason(
        "R6.3", "the partner of a pair has the same rank as its lead, or is a jack"),
    OWN_PARTNER: Reason("R6.3", "{0:card} is of the own suit and can't be a partner"),
    NOTHING_TO_EQUIP: Reason("R6.1", "the quartermaster has nothing to equip with"),
    NOT_READY: Reason("R1.9", "{0:load} needs {1:turns} more"),
    UNARMED: Reason("R6.1", "the peasant has no weapon"),
    OWN_TARGET: Reason("R7.1", "nobody attacks himself"),
    DEAD_TARGET: Reason("R10.1", "{0:seat} is eliminated"),
    QUEEN_TAKEN: Reason("R6.1", "the queen slot is taken by {0:load}"),
    NO_QUEEN: Reason("R6.1", "{0:card} is no queen"),
    NO_QUEEN_PAIR: Reason("R6.4", "{0:card} is no queen"),
    NO_ACE: Reason("R6.1", "{0:card} is no ace"),
    NO_ACE_PAIR: Reason("R6.4", "{0:card} is no ace"),
    OWN_IN_PAIR: Reason("R6.4", "{0:card} is of the own suit and is played alone"),
    EMPTY_GRAVE: Reason("R6.8", "the graveyard is empty"),
    NO_WEAPON_ON_TOP: Reason("R6.8", "{0:card} on top of the graveyard is no equipment"),
}
REASONS |= {
    NOT_NOW + phase: Reason(rule, f"it is {{0:now}} of {{1:seat}}; {{2:verb}} belongs to {then}")
    for phase, rule, then in (
        (PHASE_KING, "R3.1", "the drawing of kings"),
        (PHASE_DRAW, "R5.1", "the draw phase"),
        (PHASE_DEAL, "R5.2", "the draw from the forge"),
        (PHASE_PLAY, "R6.1", "the play phase"),
        (PHASE_DISCARD, "R8.1", "the discard phase"))
}


cdef int kc_check_move(
        const Rules* rules, const State* s, uint32_t move, Refusal* out) noexcept nogil:
    cdef const Player* me = &s.players[s.seat]
    cdef int verb = move & 255
    cdef int first = move >> 8 & 255
    cdef int second = move >> 16 & 255
    cdef int phase = phase_of(verb)
    cdef int code
    if s.phase == PHASE_END:
        return refuse(out, OVER_AT_LIMIT if num_living(rules, s) > 1 else OVER)
    if phase != s.phase and not (verb == VERB_ATTACK and s.phase == PHASE_STRIKE):
        if phase == PHASE_PLAY and s.phase == PHASE_DISCARD:
            return refuse(out, PLAYED)
        if verb == VERB_HOLD:
            return refuse(out, NO_STRIKE)
        return refuse(out, NOT_NOW + phase, s.phase, s.seat, verb)
    if verb == VERB_KING:
        return refuse(out, KING_DRAWN, first)
    if verb == VERB_DRAW_FORGE:
        return refuse(out, NO_FORGE)
    if verb == VERB_DRAW_GRAVE:
        return refuse(out, NO_GRAVE)
    if verb == VERB_DRAW_SALVAGE:
        return why_no_salvage(s, first, out)
    if verb == VERB_DEAL:
        return refuse(out, NOT_IN_FORGE if first else UNNAMED, first)
    if verb == VERB_SCRAP:
        return refuse(out, NOTHING_TO_SCRAP)
    if verb == VERB_EQUIP:
        return why_no_equip(me, out)
    if verb == VERB_ATTACK:
        return why_no_attack(s, first, out)
    code = why_not_held(me, first, second, NOT_HELD if phase == PHASE_PLAY else
                        NOT_HELD_TO_DISCARD, out)
    if code == 0 and verb == VERB_PREP:
        code = why_no_prep(me, first, second, out)
    elif code == 0 and verb == VERB_QUEEN and me.queen.lead:
        code = refuse(out, QUEEN_TAKEN, me.queen.lead | me.queen.partner << 8)
    elif code == 0 and verb == VERB_QUEEN:
        code = why_no_court(me, first, second, QUEEN, out)
    elif code == 0 and verb == VERB_ACE:
        code = why_no_court(me, first, second, ACE, out) or why_no_top(s, out)
    elif code == 0 and verb == VERB_SALVAGE and me.num_salvage == SALVAGE_CARDS:
        code = refuse(out, SALVAGE_FULL)
    return code or refuse(out, UNSEEN, s.seat)


cdef int phase_of(int verb) noexcept nogil:
    """The phase that a move belongs to; verbs are numbered by phase."""
    if verb == VERB_KING:
        return PHASE_KING
    if verb < VERB_DEAL:
        return PHASE_DRAW
    if verb == VERB_DEAL:
        return PHASE_DEAL
    if verb < VERB_HOLD:
        return PHASE_PLAY
    return PHASE_STRIKE if verb == VERB_HOLD else PHASE_DISCARD


cdef int why_no_salvage(const State* s, int card, Refusal* out) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        if s.players[seat].salvage & bit(card):
            return refuse(out, OTHERS_SALVAGE, card)
    return refuse(out, NOT_IN_SALVAGE, card)


cdef int why_no_equip(const Player* me, Refusal* out) noexcept nogil:
    if me.quartermaster.lead == NO_CARD:
        return refuse(out, NOTHING_TO_EQUIP)
    return refuse(
        out, NOT_READY, me.quartermaster.lead | me.quartermaster.partner << 8, me.counters)


cdef int why_no_attack(const State* s, int target, Refusal* out) noexcept nogil:
    if s.players[s.seat].peasant.lead == NO_CARD:
        return refuse(out, UNARMED)
    return refuse(out, OWN_TARGET) if target == s.seat else refuse(out, DEAD_TARGET, target)


cdef int why_not_held(
        const Player* me, int first, int second, int code, Refusal* out) noexcept nogil:
    """Refuse a card that is certainly not in the hand."""
    cdef bint has_first = False
    cdef bint has_second = second == NO_CARD
    cdef int i
    for i in range(me.num_hand):
        if me.hand[i] == NO_CARD:
            return 0
        has_first |= me.hand[i] == first
        has_second |= me.hand[i] == second
    return 0 if has_first and has_second else refuse(out, code, second if has_first else first)


cdef int why_no_prep(const Player* me, int lead, int partner, Refusal* out) noexcept nogil:
    if me.quartermaster.lead:
        return refuse(out, BUSY, me.quartermaster.lead | me.quartermaster.partner << 8)
    if not is_equipment(lead):
        return refuse(out, NO_EQUIPMENT_LEAD if partner else NO_EQUIPMENT, lead)
    if partner == NO_CARD:
        return 0 if suit_of(lead) == me.suit else refuse(out, RIVAL_ALONE, lead)
    if suit_of(lead) == me.suit:
        return refuse(out, OWN_LEAD, lead)
    if rank_of(partner) == JACK:
        return refuse(out, SECOND_JACK) if has_jack_in_play(me) else 0
    if rank_of(partner) != rank_of(lead):
        return refuse(out, NO_PARTNER)
    return refuse(out, OWN_PARTNER, partner) if suit_of(partner) == me.suit else 0


cdef int why_no_court(
        const Player* me, int lead, int partner, int rank, Refusal* out) noexcept nogil:
    """Write the fault of the queens or aces themselves (R6.2, R6.4)."""
    cdef int code = NO_QUEEN if rank == QUEEN else NO_ACE
    if partner:
        code = NO_QUEEN_PAIR if rank == QUEEN else NO_ACE_PAIR
    if rank_of(lead) != rank:
        return refuse(out, code, lead)
    if partner == NO_CARD:
        return 0 if suit_of(lead) == me.suit else refuse(out, RIVAL_ALONE, lead)
    if rank_of(partner) != rank:
        return refuse(out, code, partner)
    if suit_of(lead) == me.suit:
        return refuse(out, OWN_IN_PAIR, lead)
    return refuse(out, OWN_IN_PAIR, partner) if suit_of(partner) == me.suit else 0


cdef int why_no_top(const State* s, Refusal* out) noexcept nogil:
    """R6.8."""
    cdef int top = s.grave[s.num_grave - 1] if s.num_grave else NO_CARD
    if s.num_grave == 0:
        return refuse(out, EMPTY_GRAVE)
    return 0 if is_equipment(top) else refuse(out, NO_WEAPON_ON_TOP, top)
