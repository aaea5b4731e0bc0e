"""Numbers of the moves of Kingdom Coinquest, see `Game.action_index`.

They are those of pass, hold, scrap, draw:forge, draw:grave and the two equips, then a block for
each of the other verbs, by card; a pair of `prep` by lead, then by partner; attacks come last.
"""

from libc.stdint cimport uint32_t

from .state cimport (
    ACE, JACK, NO_CARD, NUM_CARDS, QUEEN, UNIT_KNIGHT, UNIT_PEASANT, VERB_ACE, VERB_ATTACK,
    VERB_DISCARD, VERB_DRAW_FORGE, VERB_DRAW_GRAVE, VERB_DRAW_SALVAGE, VERB_EQUIP, VERB_HOLD,
    VERB_PASS, VERB_PREP, VERB_QUEEN, VERB_SALVAGE, VERB_SCRAP, move_of, rank_of, suit_of)

cdef enum:
    RANKS = 12
    VALUES = 9      # 2 to 10
    PARTNERS = 8    # of a lead: none, three suits of its rank, four jacks
    COURTS = 10     # queens or aces: four alone, six pairs

cdef enum:
    AT_PASS
    AT_HOLD
    AT_SCRAP
    AT_FORGE
    AT_GRAVE
    AT_EQUIP
    AT_DRAW = AT_EQUIP + 2
    AT_DISCARD = AT_DRAW + NUM_CARDS
    AT_SALVAGE = AT_DISCARD + NUM_CARDS
    AT_PREP = AT_SALVAGE + NUM_CARDS
    AT_QUEEN = AT_PREP + 4 * VALUES * PARTNERS
    AT_ACE = AT_QUEEN + COURTS
    AT_ATTACK = AT_ACE + 2 * COURTS


cdef inline int kc_num_actions(int num_seats) noexcept nogil:
    return AT_ATTACK + num_seats


cdef inline int kc_action_index(uint32_t move) noexcept nogil:
    cdef int verb = move & 255
    cdef int first = move >> 8 & 255
    cdef int second = move >> 16 & 255
    cdef int unit = (move >> 24) - UNIT_KNIGHT
    if verb == VERB_DRAW_SALVAGE:
        return AT_DRAW + card_number(first)
    if verb == VERB_DISCARD:
        return AT_DISCARD + card_number(first)
    if verb == VERB_SALVAGE:
        return AT_SALVAGE + card_number(first)
    if verb == VERB_PREP:
        return AT_PREP + load_number(first, second)
    if verb == VERB_QUEEN:
        return AT_QUEEN + court_number(suit_of(first), suit_of(second), second == NO_CARD)
    if verb == VERB_ACE:
        return (AT_ACE + 2 * court_number(suit_of(first), suit_of(second), second == NO_CARD)
                + unit)
    if verb == VERB_ATTACK:
        return AT_ATTACK + first
    if verb == VERB_EQUIP:
        return AT_EQUIP + unit
    if verb == VERB_DRAW_FORGE:
        return AT_FORGE
    if verb == VERB_DRAW_GRAVE:
        return AT_GRAVE
    return AT_PASS if verb == VERB_PASS else AT_HOLD if verb == VERB_HOLD else AT_SCRAP


cdef inline uint32_t kc_action_at(int index) noexcept nogil:
    if index >= AT_ATTACK:
        return move_of(VERB_ATTACK, index - AT_ATTACK)
    if index >= AT_ACE:
        index -= AT_ACE
        return court_at(VERB_ACE, ACE, index // 2, UNIT_PEASANT if index & 1 else UNIT_KNIGHT)
    if index >= AT_QUEEN:
        return court_at(VERB_QUEEN, QUEEN, index - AT_QUEEN, 0)
    if index >= AT_PREP:
        return load_at(index - AT_PREP)
    if index >= AT_SALVAGE:
        return move_of(VERB_SALVAGE, card_at(index - AT_SALVAGE))
    if index >= AT_DISCARD:
        return move_of(VERB_DISCARD, card_at(index - AT_DISCARD))
    if index >= AT_DRAW:
        return move_of(VERB_DRAW_SALVAGE, card_at(index - AT_DRAW))
    if index >= AT_EQUIP:
        return move_of(VERB_EQUIP, 0, 0, UNIT_KNIGHT + index - AT_EQUIP)
    if index >= AT_FORGE:
        return move_of(VERB_DRAW_GRAVE if index == AT_GRAVE else VERB_DRAW_FORGE)
    return move_of(
        VERB_PASS if index == AT_PASS else VERB_HOLD if index == AT_HOLD else VERB_SCRAP)


# --- cards, loads of equipment, queens and aces ---------------------------------------------------

cdef inline int card_number(int card) noexcept nogil:
    return suit_of(card) * RANKS + rank_of(card) - 1


cdef inline int card_at(int number) noexcept nogil:
    return number // RANKS << 4 | number % RANKS + 1


cdef inline int load_number(int lead, int partner) noexcept nogil:
    """The partners of a lead are none, the next three suits of its rank, the jacks."""
    cdef int number = (suit_of(lead) * VALUES + rank_of(lead) - 2) * PARTNERS
    if rank_of(partner) == JACK:
        return number + 4 + suit_of(partner)
    return number + (suit_of(partner) - suit_of(lead) & 3 if partner else 0)


cdef inline uint32_t load_at(int number) noexcept nogil:
    cdef int suit = number // (VALUES * PARTNERS)
    cdef int rank = number // PARTNERS % VALUES + 2
    cdef int partner = number % PARTNERS
    if partner >= 4:
        partner = (partner - 4) << 4 | JACK
    elif partner:
        partner = (suit + partner & 3) << 4 | rank
    return move_of(VERB_PREP, suit << 4 | rank, partner)


cdef inline int court_number(int suit, int other, bint is_alone) noexcept nogil:
    """Four suits alone, then pairs of suits in their order."""
    return suit if is_alone else 4 + suit * (5 - suit) // 2 + other - 1


cdef inline uint32_t court_at(int verb, int rank, int number, int unit) noexcept nogil:
    cdef int suit = 0
    cdef int other
    if number < 4:
        return move_of(verb, number << 4 | rank, NO_CARD, unit)
    while number > court_number(suit, 3, False):
        suit += 1
    other = number - court_number(suit, 0, False)
    return move_of(verb, suit << 4 | rank, other << 4 | rank, unit)
