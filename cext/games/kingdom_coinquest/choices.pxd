"""Moves as options of the playout policy, with the rows of their learned factors (policy_rows.pxd).

`benchmarks.playout_policy` finds the factors. All that the rows tell is seen by the seat to move.
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.choice cimport Choice, Factors, add_row, begin_option, end_option

from .policy_rows cimport (
    AT_ACE, AT_ATTACK, AT_ATTACK_ARMOUR, AT_ATTACK_HEALTH, AT_ATTACK_WEAPON, AT_DISCARD,
    AT_DISCARD_ACE, AT_DISCARD_BEST, AT_DISCARD_NEXT, AT_DISCARD_SIZE, AT_DRAW, AT_DRAW_ACE,
    AT_DRAW_BEST, AT_DRAW_FORGE, AT_DRAW_KIND, AT_DRAW_LEFT, AT_DRAW_STORES, AT_EQUIP,
    AT_EQUIP_OTHER, AT_EQUIP_STRIKE, AT_EQUIP_THREAT, AT_LOADED, AT_PLAY, AT_PLAY_STRIKE,
    AT_PLAY_THREAT, AT_PREP, AT_PREP_CARDS, AT_PREP_WEAPON, AT_QUEEN, AT_SCRAP, AT_SCRAP_BEST,
    AT_STANDING, NUM_ACES, NUM_AHEAD, NUM_HEALTHS, NUM_KINDS, NUM_LEADS, NUM_LEFT, NUM_LOADED,
    NUM_RANKS, NUM_SIZES, NUM_STRIKES, NUM_USES)
from .state cimport (
    ACE, JACK, NO_CARD, PHASE_DISCARD, PHASE_DRAW, UNIT_KNIGHT, VERB_ACE, VERB_ATTACK,
    VERB_DISCARD, VERB_DRAW_FORGE, VERB_DRAW_GRAVE, VERB_EQUIP, VERB_PREP, VERB_QUEEN, VERB_SCRAP,
    Player, Rules, State, bit, is_equipment, rank_of, suit_of)
from .terms cimport (
    best_rank, bounded, fold_suits, held, left_of, owned_by, struck, twice, value_of)

cdef enum:
    SAME_SUIT = 0xFFFF      # shifted by 16 times the suit: its cards

# Verbs of plays in their rows.
cdef enum:
    PLAY_PASS
    PLAY_PREP
    PLAY_EQUIP
    PLAY_ATTACK
    PLAY_QUEEN
    PLAY_ACE

# What is the same for all options of a decision.
cdef struct Stand:
    const Player* me
    const Player* next      # at a draw or discard: the living rival whose turn comes next
    uint64_t stores         # cards of hand and salvage yard
    int loaded
    int best                # at a draw or discard: rank of the best equipment for a load
    int aces                # at a draw or discard: how one can be played (`held`)
    int rivals              # at a play: this and all below
    int healthier           # rivals
    int weapon
    int armour
    int time                # turns to the turn limit, lead
    int threat              # worst strike of a rival
    int strike              # best one at a rival


cdef inline void look(const Rules* rules, const State* s, Stand* out) noexcept nogil:
    """Look at the position of the seat to move."""
    cdef const Player* me = &s.players[s.seat]
    cdef uint64_t own
    memset(out, 0, sizeof(Stand))
    out.me = me
    out.stores = owned_by(me)
    own = out.stores & <uint64_t>SAME_SUIT << (me.suit << 4)
    out.loaded = 0 if not me.quartermaster.lead else 1 if me.counters else 2
    if s.phase == PHASE_DRAW or s.phase == PHASE_DISCARD:
        out.best = max(best_rank(fold_suits(own)), best_rank(twice(out.stores & ~own)))
        out.aces = held(own, out.stores & ~own, ACE)
        out.next = next_rival(rules, s, me)
    else:
        look_around(rules, s, out)


cdef inline const Player* next_rival(
        const Rules* rules, const State* s, const Player* me) noexcept nogil:
    """The living rival whose turn comes next."""
    cdef const Player* found = me
    cdef int nearest = 4
    cdef int seat, steps
    for seat in range(rules.num_seats):
        steps = (s.players[seat].suit - me.suit - 1) & 3    # 3 for the seat itself
        if s.players[seat].health and steps < nearest:
            nearest = steps
            found = &s.players[seat]
    return found


cdef inline void look_around(const Rules* rules, const State* s, Stand* own) noexcept nogil:
    """Look at the rivals before a play."""
    cdef const Player* me = own.me
    cdef const Player* rival
    cdef int strongest = 0
    cdef int seat
    own.weapon = value_of(&me.peasant)
    own.armour = value_of(&me.knight)
    for seat in range(rules.num_seats):
        rival = &s.players[seat]
        if seat == s.seat or rival.health == 0:
            continue
        own.rivals += 1
        own.healthier += rival.health > me.health
        strongest = max(strongest, <int>rival.health)
        own.threat = max(own.threat, struck(value_of(&rival.peasant), own.armour, me))
        own.strike = max(own.strike, struck(own.weapon, value_of(&rival.knight), rival))
    own.time = left_of(rules, s) * NUM_LEADS + bounded(
        (me.health - strongest + NUM_LEADS - 1) // 2, NUM_LEADS)


cdef inline int kind_of(int card, uint64_t stores, int suit) noexcept nogil:
    """The kind of a card for a seat with these cards in hand and in the salvage yard."""
    cdef int rank = rank_of(card)
    cdef uint64_t mates
    if suit_of(card) == suit:
        return rank * NUM_USES
    mates = stores & ~(<uint64_t>SAME_SUIT << (suit << 4)) & ~bit(card)
    return rank * NUM_USES + (1 if fold_suits(mates) >> rank & 1 or (
        is_equipment(card) and fold_suits(stores) >> <int>JACK & 1) else 2)


cdef inline int equipment_rank(int card) noexcept nogil:
    return rank_of(card) if is_equipment(card) else 0


# --- draws and discards ---------------------------------------------------------------------------

cdef inline void offer_draw(
        Choice* choice, const Factors* factors, const State* s, const Stand* own,
        uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    cdef int source = 0 if verb == VERB_DRAW_FORGE else 1 if verb == VERB_DRAW_GRAVE else 2
    cdef int top = s.grave[s.num_grave - 1] if s.num_grave else NO_CARD
    cdef int card = top if source == 1 else move >> 8 & 255
    cdef int kind
    begin_option(choice, move)
    add_row(choice, factors,
            AT_DRAW + (source * NUM_SIZES + own.me.num_hand) * NUM_LOADED + own.loaded)
    if source:
        kind = kind_of(card, own.stores, own.me.suit) + (source - 1) * NUM_KINDS
        add_row(choice, factors, AT_DRAW_KIND + kind * NUM_LOADED + own.loaded)
        add_row(choice, factors, AT_DRAW_STORES + kind * NUM_SIZES + own.me.num_salvage)
        add_row(choice, factors, AT_DRAW_BEST + own.best + NUM_RANKS * (
            equipment_rank(card) + (source - 1) * NUM_RANKS))
    else:
        add_row(choice, factors, AT_DRAW_FORGE + own.best * NUM_LOADED + own.loaded)
    add_row(choice, factors, AT_DRAW_ACE + equipment_rank(top) + NUM_RANKS * (
        source * NUM_ACES + own.aces))
    if source != 1 and top:
        add_row(choice, factors,
                AT_DRAW_LEFT + kind_of(top, own.next.salvage, own.next.suit))
    end_option(choice)


cdef inline void offer_discard(
        Choice* choice, const Factors* factors, const State* s, const Stand* own,
        uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    cdef int card = move >> 8 & 255
    cdef int is_kept, kind
    begin_option(choice, move)
    if verb == VERB_SCRAP:
        add_row(choice, factors, AT_SCRAP + own.me.counters * NUM_RANKS
                + value_of(&own.me.quartermaster))
        add_row(choice, factors, AT_SCRAP_BEST + own.best * NUM_RANKS
                + value_of(&own.me.quartermaster))
        end_option(choice)
        return
    is_kept = verb != VERB_DISCARD
    kind = kind_of(card, own.stores, own.me.suit) + is_kept * NUM_KINDS
    add_row(choice, factors, AT_DISCARD + kind * NUM_LOADED + own.loaded)
    add_row(choice, factors, AT_DISCARD_SIZE + kind * NUM_SIZES + own.me.num_salvage)
    add_row(choice, factors, AT_DISCARD_BEST + own.best + NUM_RANKS * (
        equipment_rank(card) + is_kept * NUM_RANKS))
    if not is_kept:
        add_row(choice, factors,
                AT_DISCARD_NEXT + kind_of(card, own.next.salvage, own.next.suit))
        add_row(choice, factors, AT_DISCARD_ACE + own.aces * NUM_RANKS + equipment_rank(card))
    end_option(choice)


# --- plays ----------------------------------------------------------------------------------------

cdef inline void begin_play(
        Choice* choice, const Factors* factors, const Stand* own, uint32_t move,
        int play) noexcept nogil:
    begin_option(choice, move)
    add_row(choice, factors, AT_PLAY + play * NUM_LEFT * NUM_LEADS + own.time)
    add_row(choice, factors, AT_PLAY_THREAT + play * NUM_STRIKES + own.threat)
    add_row(choice, factors, AT_PLAY_STRIKE + play * NUM_STRIKES + own.strike)
    add_row(choice, factors,
            AT_LOADED + (play * NUM_LOADED + own.loaded) * NUM_RANKS + own.weapon)
    add_row(choice, factors, AT_STANDING + (play * 4 + own.rivals) * 4 + own.healthier)


cdef inline void offer_prep(
        Choice* choice, const Factors* factors, const Stand* own, uint32_t move) noexcept nogil:
    cdef int rank = rank_of(move >> 8 & 255)
    cdef int partner = move >> 16 & 255
    begin_play(choice, factors, own, move, PLAY_PREP)
    add_row(choice, factors, AT_PREP + rank * NUM_RANKS + own.armour)
    add_row(choice, factors, AT_PREP_WEAPON + rank * NUM_RANKS + own.weapon)
    add_row(choice, factors, AT_PREP_CARDS + rank + NUM_RANKS * (
        0 if not partner else 2 if rank_of(partner) == JACK else 1))
    end_option(choice)


cdef inline void offer_equip(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    """A load for a unit, prepared or by an ace."""
    cdef bint is_ace = (move & 255) == VERB_ACE
    cdef bint is_weapon = move >> 24 != UNIT_KNIGHT
    cdef int rank = (
        rank_of(s.grave[s.num_grave - 1]) if is_ace else value_of(&own.me.quartermaster))
    cdef int before = AT_ACE - AT_EQUIP if is_ace else 0
    cdef const Player* rival
    cdef int found = 0
    cdef int seat
    begin_play(choice, factors, own, move, PLAY_ACE if is_ace else PLAY_EQUIP)
    add_row(choice, factors, before + AT_EQUIP + (is_weapon * NUM_RANKS + rank) * NUM_RANKS
            + (own.weapon if is_weapon else own.armour))
    add_row(choice, factors, before + AT_EQUIP_OTHER + (is_weapon * NUM_RANKS + rank) * NUM_RANKS
            + (own.armour if is_weapon else own.weapon))
    for seat in range(rules.num_seats):
        rival = &s.players[seat]
        if seat == s.seat or rival.health == 0:
            continue
        found = max(found, struck(rank, value_of(&rival.knight), rival) if is_weapon else struck(
            value_of(&rival.peasant), rank, own.me))
    add_row(choice, factors, before + AT_EQUIP_STRIKE + is_weapon * NUM_STRIKES + found)
    add_row(choice, factors, before + AT_EQUIP_THREAT + is_weapon * NUM_STRIKES + own.threat)
    end_option(choice)


cdef inline void offer_attack(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef const Player* rival = &s.players[move >> 8 & 255]
    cdef int armour = value_of(&rival.knight)
    cdef int ahead = (rival.suit - own.me.suit - 1) & 3
    cdef int better = 0
    cdef int seat
    for seat in range(rules.num_seats):
        better += seat != s.seat and s.players[seat].health > rival.health
    begin_play(choice, factors, own, move, PLAY_ATTACK)
    add_row(choice, factors,
            AT_ATTACK + own.rivals * NUM_STRIKES + struck(own.weapon, armour, rival))
    add_row(choice, factors, AT_ATTACK_ARMOUR + own.weapon * NUM_RANKS + armour)
    add_row(choice, factors, AT_ATTACK_HEALTH + bounded(rival.health // 2, NUM_HEALTHS)
            + NUM_HEALTHS * (3 * min(better, 2) + min(own.rivals, 3) - 1))
    add_row(choice, factors, AT_ATTACK_WEAPON + min(ahead, NUM_AHEAD - 1) * NUM_STRIKES
            + struck(value_of(&rival.peasant), own.armour, own.me))
    end_option(choice)


cdef inline void offer_play(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    if verb == VERB_ATTACK:
        offer_attack(choice, factors, rules, s, own, move)
    elif verb == VERB_PREP:
        offer_prep(choice, factors, own, move)
    elif verb == VERB_EQUIP or verb == VERB_ACE:
        offer_equip(choice, factors, rules, s, own, move)
    elif verb == VERB_QUEEN:
        begin_play(choice, factors, own, move, PLAY_QUEEN)
        add_row(choice, factors, AT_QUEEN + bounded(own.me.health // 2, NUM_HEALTHS)
                + NUM_HEALTHS * ((move >> 16 & 255) != NO_CARD))
        end_option(choice)
    else:
        begin_play(choice, factors, own, move, PLAY_PASS)
        end_option(choice)


cdef inline void offer_move(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Stand* own, uint32_t move) noexcept nogil:
    """Offer any legal move; `own` as by `look`."""
    if s.phase == PHASE_DRAW:
        offer_draw(choice, factors, s, own, move)
    elif s.phase == PHASE_DISCARD:
        offer_discard(choice, factors, s, own, move)
    else:
        offer_play(choice, factors, rules, s, own, move)
