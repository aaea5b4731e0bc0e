"""Validity of packed positions and observations of Kingdom Coinquest, clause by clause of R12.4.

Packing leaves only what a struct can't represent: ranges, spellings, the order of salvage yards and
old pools, and that each old pool has as many cards as there are hidden places of its epoch (R12.6).
Zones are numbered `seat * NUM_ZONES + zone`, the graveyard follows.
"""

from libc.stdint cimport uint64_t

from kingmaker.cext.bits cimport count, lowest
from kingmaker.cext.game cimport Refusal, refuse
from kingmaker.cext.reasons import Reason

from .rules cimport is_court_pair, is_equipment_pair, num_living
from .state cimport (
    HAND_CARDS, JACK, KNOWN, NOBODY, NO_CARD, NO_SUIT, NUM_CARDS, PHASE_DEAL, PHASE_DRAW, PHASE_END,
    PHASE_KING, PHASE_PLAY, PHASE_STRIKE, QUEEN, SALVAGE_CARDS, Load, Player, Rules, State, bit,
    cost_of, is_equipment, rank_of, suit_of)

# Codes of refusals; those of moves follow in legality.pyx.
cdef enum:
    SETUP_TURN = 1, TURN_RANGE, EPOCH_RANGE, SALVAGE_SIZE, HAND_OPEN, HAND_MASKED
    HAND_ORDER, MASKED_ORDER, TWICE, TWICE_IN_POOL, FORGE_COUNT, POOL_COUNT, SUIT_UNKNOWN
    SUIT_TWICE, PREPARED_LOAD, ARMS_LOAD, QUEEN_LOAD, COUNTERS, JACKS, DEAD_HOLDS, NO_END
    NODE_SEAT, LAST_LIVING, FULL_HAND, SETUP_SUIT, SETUP_HEALTH, SETUP_HOLDS, HAND_SIZE
    EPOCH_AT_DRAW, DEAL_EMPTY, STRIKE_OFF, STRIKE_PEASANT

cdef enum:
    ZONE_HAND
    ZONE_SALVAGE
    ZONE_QUARTERMASTER  # and the other slots
    ZONE_KNIGHT
    ZONE_PEASANT
    ZONE_QUEEN
    NUM_ZONES
    ZONE_GRAVE = 24     # the one zone that all seats share

FAULTS = {
    SETUP_TURN: Reason("R12.4b", "the turn is 0 at a king node", "turn", "{0}"),
    TURN_RANGE: Reason("R12.4b", "a number from 1 to {1} is expected", "turn", "{0}"),
    EPOCH_RANGE: Reason("R12.4b", "a number from 0 to {1} is expected", "epoch", "{0}"),
    SALVAGE_SIZE: Reason(
        "R12.4c", "at most 3 cards can be here", "players[{0}].salvage", "{1:cards}"),
    HAND_OPEN: Reason(
        "R12.3", "only hands of other players have hidden cards", "players[{0}].hand[{1}].card",
        "?"),
    HAND_MASKED: Reason(
        "R12.5", "another player's hand card is a known card, or a hidden one without a name",
        "players[{0}].hand[{1}]", "{2:token}"),
    HAND_ORDER: Reason(
        "R12.3", "the cards stand in card order, each once", "players[{0}].hand", "{1:token}"),
    MASKED_ORDER: Reason(
        "R12.5", "another player's hand is its known cards in card order, then its hidden ones by "
        "ascending epoch", "players[{0}].hand", "{1:token}"),
    TWICE: Reason("R12.4c", "every card is somewhere once", "{0:zone}", "{1:token}"),
    TWICE_IN_POOL: Reason("R12.6", "every card is somewhere once", "old_pools", "{0:token}"),
    FORGE_COUNT: Reason("R12.4c", "{1} of the 48 cards are left for the forge", "forge", "{0}"),
    POOL_COUNT: Reason("R12.6", "{1} of the 48 cards are left for the forge", "forge", "{0}"),
    SUIT_UNKNOWN: Reason(
        "R12.4d", "every suit is known once the kings are drawn", "players[{0}].suit"),
    SUIT_TWICE: Reason(
        "R12.4d", "every player has another suit", "players[{0}].suit", "{1:letter}"),
    PREPARED_LOAD: Reason(
        "R12.4e", "the quartermaster holds own equipment, or rival equipment with a rival card of "
        "its rank or a jack", "{0:zone}", "{1:pair}"),
    ARMS_LOAD: Reason(
        "R12.4e", "a unit holds equipment, alone or recruited: rival equipment with a rival card "
        "of its rank or a jack", "{0:zone}", "{1:pair}"),
    QUEEN_LOAD: Reason(
        "R12.4e", "this slot holds the own queen, or two rival queens in card order", "{0:zone}",
        "{1:pair}"),
    COUNTERS: Reason(
        "R12.4e", "a number from 0 to {2} is expected for this load", "players[{0}].counters",
        "{1}"),
    JACKS: Reason("R12.4f", "a player has at most one jack in play", "players[{0}]", "{1} jacks"),
    DEAD_HOLDS: Reason(
        "R12.4g", "an eliminated player has no cards left", "{0:zone}", "{1:cards}"),
    NO_END: Reason(
        "R12.4i", "the game ends with one living player, or at the turn limit with at least one",
        "node.type", "end"),
    NODE_SEAT: Reason(
        "R12.4h", "the node is that of a living player", "node.seat", "{1:number}"),
    LAST_LIVING: Reason(
        "R12.4h", "with fewer than two living players the node is end", "node.type",
        "{0:phase}"),
    FULL_HAND: Reason(
        "R12.4h", "a player with a loaded quartermaster has at most 2 hand cards between his turns",
        "players[{0}].hand", "3 cards"),
    SETUP_SUIT: Reason(
        "R12.4i", "when {2:seat} draws its king, exactly the seats before {2:seat} have a suit",
        "players[{0}].suit", "{1:letter}"),
    SETUP_HEALTH: Reason(
        "R12.4i", "every king starts with 1 health or more", "players[{0}].health", "0"),
    SETUP_HOLDS: Reason(
        "R12.4i", "there are no cards on the table at a king node", "{0:zone}", "{1:cards}"),
    HAND_SIZE: Reason(
        "R12.4i", "at {2:phase} the hand has {3:range} cards", "players[{0}].hand", "{1:cards}"),
    EPOCH_AT_DRAW: Reason(
        "R9.4", "at {1:phase} with 2 or more cards in the graveyard the epoch is below the turn",
        "epoch", "{0}"),
    DEAL_EMPTY: Reason("R12.4i", "at deal the forge has a card to draw", "forge", "0"),
    STRIKE_OFF: Reason(
        "R12.4i", "strike needs the option ace_strike", "node.type", "{0:phase}"),
    STRIKE_PEASANT: Reason(
        "R12.4i", "at strike the peasant holds the one card that was resurrected", "{0:zone}",
        "{1:pair}"),
}


cdef int kc_check_state(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int code = check_times(rules, s, out)
    cdef int seat
    for seat in range(rules.num_seats):
        code = code or check_hand(s, seat, out)
    code = code or check_cards(rules, s, out)
    for seat in range(rules.num_seats):
        code = code or check_player(s, seat, out)
    return code or check_node(rules, s, out)


cdef int check_times(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R12.4b."""
    if s.phase == PHASE_KING and s.turn:
        return refuse(out, SETUP_TURN, s.turn)
    if s.phase != PHASE_KING and not 1 <= s.turn <= rules.turn_limit:
        return refuse(out, TURN_RANGE, s.turn, rules.turn_limit)
    return refuse(out, EPOCH_RANGE, s.epoch, s.turn) if s.epoch > s.turn else 0


cdef int check_hand(const State* s, int seat, Refusal* out) noexcept nogil:
    """Check marks, hidden cards, and the order of own and other hands (R12.3, R12.5)."""
    cdef const Player* me = &s.players[seat]
    cdef bint is_open = s.observer == NOBODY or s.observer == seat + 1
    cdef int last = 0
    cdef int i, card, mark, place
    for i in range(me.num_hand):
        card = me.hand[i]
        mark = me.marks[i]
        if is_open and card == NO_CARD:
            return refuse(out, HAND_OPEN, seat, i)
        if not is_open and (card == NO_CARD) == (mark == KNOWN):
            return refuse(out, HAND_MASKED, seat, i, card)
        place = card if card else 256 + mark    # hidden cards of an epoch are alike
        if place < last or (place == last and card):
            return refuse(out, HAND_ORDER if is_open else MASKED_ORDER, seat, card)
        last = place
    return 0


cdef int check_cards(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """Check that each card occurs once and the forge is all other cards (R12.4c, R12.6)."""
    cdef uint64_t seen = 0
    cdef int num_hidden = 0
    cdef int code = 0
    cdef int seat, zone, i
    cdef const Player* me
    for i in range(s.num_grave):
        code = code or see(&seen, s.grave[i], ZONE_GRAVE, out)
    for seat in range(rules.num_seats):
        me = &s.players[seat]
        for i in range(me.num_hand):
            num_hidden += me.hand[i] == NO_CARD and me.marks[i] == s.epoch
            code = code or see(&seen, me.hand[i], zone_of(seat, ZONE_HAND), out)
        if code == 0 and seen & me.salvage:
            code = refuse(out, TWICE, zone_of(seat, ZONE_SALVAGE), lowest(seen & me.salvage))
        seen |= me.salvage
        for zone in range(ZONE_QUARTERMASTER, NUM_ZONES):
            code = code or see(&seen, load_on(me, zone).lead, zone_of(seat, zone), out)
            code = code or see(&seen, load_on(me, zone).partner, zone_of(seat, zone), out)
    for i in range(s.num_old):
        if code == 0 and see(&seen, s.old_cards[i], 0, out):
            code = refuse(out, TWICE_IN_POOL, s.old_cards[i])
    i = NUM_CARDS - count(seen) - num_hidden
    if code == 0 and s.num_forge != i:
        code = FORGE_COUNT if s.observer == NOBODY else POOL_COUNT
        refuse(out, code, s.num_forge, max(i, 0))
    return code


cdef int see(uint64_t* seen, int card, int zone, Refusal* out) noexcept nogil:
    """Add a card, or none, to the cards seen so far."""
    if card == NO_CARD:
        return 0
    if seen[0] & bit(card):
        return refuse(out, TWICE, zone, card)
    seen[0] |= bit(card)
    return 0


cdef int check_player(const State* s, int seat, Refusal* out) noexcept nogil:
    """R12.4 d to g."""
    cdef const Player* me = &s.players[seat]
    cdef int jacks = 0
    cdef int other, zone, num_cards
    cdef Load load
    if me.num_salvage > SALVAGE_CARDS:
        return refuse(out, SALVAGE_SIZE, seat, me.num_salvage)
    if me.suit == NO_SUIT and s.phase != PHASE_KING:
        return refuse(out, SUIT_UNKNOWN, seat)
    for other in range(seat):
        if me.suit != NO_SUIT and s.players[other].suit == me.suit:
            return refuse(out, SUIT_TWICE, seat, me.suit)
    for zone in range(ZONE_QUARTERMASTER, NUM_ZONES):
        load = load_on(me, zone)
        if not is_possible(load, zone, me.suit):
            return refuse(
                out, QUEEN_LOAD if zone == ZONE_QUEEN else
                PREPARED_LOAD if zone == ZONE_QUARTERMASTER else ARMS_LOAD,
                zone_of(seat, zone), load.lead | load.partner << 8)
        jacks += rank_of(load.partner) == JACK
    other = cost_of(me.quartermaster.lead)
    if me.counters > other:
        return refuse(out, COUNTERS, seat, me.counters, other)
    if jacks > 1:
        return refuse(out, JACKS, seat, jacks)
    zone = filled_zone(me, &num_cards)
    return 0 if me.health or zone < 0 else refuse(out, DEAD_HOLDS, zone_of(seat, zone), num_cards)


cdef bint is_possible(Load load, int zone, int suit) noexcept nogil:
    """R12.4e."""
    if load.lead == NO_CARD:
        return load.partner == NO_CARD
    if zone == ZONE_QUEEN and load.partner:
        return is_court_pair(load.lead, load.partner, QUEEN, suit)
    if zone == ZONE_QUEEN:
        return rank_of(load.lead) == QUEEN and suit_of(load.lead) == suit
    if load.partner:
        return is_equipment_pair(load.lead, load.partner, suit)
    return is_equipment(load.lead) and (
        zone != ZONE_QUARTERMASTER or suit_of(load.lead) == suit)


cdef int check_node(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    """R12.4 h and i."""
    cdef int living = num_living(rules, s)
    cdef int other
    if s.phase == PHASE_END:
        if living == 0 or (living > 1 and s.turn != rules.turn_limit):
            return refuse(out, NO_END)
        return 0
    if s.seat >= rules.num_seats or s.players[s.seat].health == 0:
        return refuse(out, NODE_SEAT, s.phase, s.seat)
    if living < 2:
        return refuse(out, LAST_LIVING, s.phase, s.seat)
    for other in range(rules.num_seats):
        if (other != s.seat and s.players[other].num_hand == HAND_CARDS
                and s.players[other].quartermaster.lead):
            return refuse(out, FULL_HAND, other)
    return check_setup(rules, s, out) if s.phase == PHASE_KING else check_phase(rules, s, out)


cdef int check_setup(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef int seat, zone, num_cards
    cdef const Player* player
    for seat in range(rules.num_seats):
        player = &s.players[seat]
        if (player.suit != NO_SUIT) != (seat < s.seat):
            return refuse(out, SETUP_SUIT, seat, player.suit, s.seat)
        if player.health == 0:
            return refuse(out, SETUP_HEALTH, seat)
        zone = filled_zone(player, &num_cards)
        if zone >= 0:
            return refuse(out, SETUP_HOLDS, zone_of(seat, zone), num_cards)
    return refuse(out, SETUP_HOLDS, ZONE_GRAVE, s.num_grave) if s.num_grave else 0


cdef int check_phase(const Rules* rules, const State* s, Refusal* out) noexcept nogil:
    cdef const Player* me = &s.players[s.seat]
    cdef bint is_drawing = s.phase == PHASE_DRAW or s.phase == PHASE_DEAL
    cdef int least = 0 if is_drawing else 3 if s.phase == PHASE_PLAY else 1
    cdef int most = 2 if is_drawing or s.phase == PHASE_STRIKE else 3
    if not least <= me.num_hand <= most:
        return refuse(out, HAND_SIZE, s.seat, me.num_hand, s.phase, most << 8 | least)
    if is_drawing and s.num_grave >= 2 and s.epoch == s.turn:
        return refuse(out, EPOCH_AT_DRAW, s.epoch, s.phase)
    if s.phase == PHASE_DEAL and s.num_forge == 0:
        return refuse(out, DEAL_EMPTY)
    if s.phase != PHASE_STRIKE:
        return 0
    if not rules.ace_strike:
        return refuse(out, STRIKE_OFF, s.phase, s.seat)
    if me.peasant.lead == NO_CARD or me.peasant.partner:
        return refuse(
            out, STRIKE_PEASANT, zone_of(s.seat, ZONE_PEASANT),
            me.peasant.lead | me.peasant.partner << 8)
    return 0


# --- zones of a player ------------------------------------------------------------------------

cdef int zone_of(int seat, int zone) noexcept nogil:
    return seat * NUM_ZONES + zone


cdef Load load_on(const Player* player, int zone) noexcept nogil:
    if zone == ZONE_QUARTERMASTER:
        return player.quartermaster
    if zone == ZONE_KNIGHT:
        return player.knight
    return player.peasant if zone == ZONE_PEASANT else player.queen


cdef int filled_zone(const Player* player, int* num_cards) noexcept nogil:
    """Return the first zone with cards, and their number; -1 if there is none."""
    cdef int zone
    cdef Load load
    for zone in range(NUM_ZONES):
        if zone == ZONE_HAND:
            num_cards[0] = player.num_hand
        elif zone == ZONE_SALVAGE:
            num_cards[0] = player.num_salvage
        else:
            load = load_on(player, zone)
            num_cards[0] = (load.lead != NO_CARD) + (load.partner != NO_CARD)
        if num_cards[0]:
            return zone
    return -1
