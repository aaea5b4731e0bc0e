"""Hidden information of Code of Chivalry: observation, consistency and determinization (R11, R14).

The distribution of the determinizer is the recipe of R11.5. Before the first reshuffle, and as
long as no card has changed hands face down, it is exact given the deal and the known cards; after
that it is an approximation with the same support, the consistent states. Rows of knowledge that
the observer does not see become the public row.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy

from kingmaker.cext.rng cimport below, bitgen_t

from .multiset cimport (
    common, contains, hidden, nth_card, one, size_of)
from .state cimport HIDDEN_CARD, NOBODY, PHASE_SHOW, PUBLIC, SEATS, Rules, State
from .table cimport cards_in_view


cdef void coc_observe(const Rules* rules, const State* state, int seat, State* out) noexcept nogil:
    cdef int other, row
    out[0] = state[0]
    out.observer = seat + 1
    out.draw = hidden(size_of(state.draw))
    for other in range(rules.num_seats):
        for row in range(rules.num_seats):
            if row != seat:
                out.known[other][row] = 0
        if other == seat:
            continue
        out.hands[other] = hidden(size_of(state.hands[other]))
        out.own[other] = 0
        if state.phase == PHASE_SHOW and state.picks[other]:
            out.picks[other] = HIDDEN_CARD


cdef uint64_t coc_known_cards(
        const Rules* rules, const State* state, int holder, int observer) noexcept nogil:
    cdef uint64_t known = state.known[holder][observer if observer >= 0 else PUBLIC]
    cdef uint64_t unseen
    if observer < 0 or rules.num_seats > 2 or not state.base:
        return known
    unseen = rules.deck - cards_in_view(rules, state) - state.hands[observer] - known
    return known + unseen - common(unseen, state.base - state.own[observer])


cdef bint coc_is_consistent(
        const Rules* rules, const State* observation, const State* state) noexcept nogil:
    cdef State seen
    cdef int seat = observation.observer - 1
    cdef int row = known_row(observation)
    cdef int other
    coc_observe(rules, state, seat, &seen)
    memcpy(seen.known, observation.known, sizeof(seen.known))
    memcpy(seen.own, observation.own, sizeof(seen.own))
    if memcmp(&seen, observation, sizeof(State)) != 0:
        return False
    for other in range(rules.num_seats):
        if other != seat and not contains(state.hands[other], observation.known[other][row]):
            return False
    return observation.base == 0 or contains(pile_limit(observation), state.draw)


cdef void coc_determinize(
        const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil:
    cdef int row = known_row(observation)
    cdef int pile_size = size_of(observation.draw)
    cdef uint64_t unseen, eligible
    cdef uint64_t in_hands = 0
    cdef int[SEATS] places
    out[0] = observation[0]
    out.observer = NOBODY
    unseen = give_known_cards(rules, observation, row, out, places)
    if observation.base:
        eligible = common(unseen, pile_limit(observation))
        in_hands = unseen - eligible
    else:
        eligible = unseen
    # Choose the cards left out of the pile, as they are fewer than the pile.
    in_hands += draw_out(&eligible, size_of(eligible) - pile_size, rng)
    out.draw = eligible
    deal_places(rules, in_hands, places, rng, out)
    draw_picks(rules, observation, rng, out)
    fill_rows(rules, observation, out)


cdef uint64_t give_known_cards(
        const Rules* rules, const State* observation, int row, State* out,
        int* places) noexcept nogil:
    """Give the rivals the cards that the observer knows in their hands; return all unseen cards.

    `places` becomes the number of unknown cards in each hand.
    """
    cdef uint64_t unseen = rules.deck - cards_in_view(rules, observation)
    cdef int seat
    for seat in range(rules.num_seats):
        places[seat] = 0
        if seat + 1 != observation.observer:
            out.hands[seat] = observation.known[seat][row]
            places[seat] = size_of(observation.hands[seat]) - size_of(out.hands[seat])
        unseen -= out.hands[seat]
    return unseen


cdef uint64_t draw_out(uint64_t* cards, int number, bitgen_t* rng) noexcept nogil:
    """Take a number of cards out of a multiset, all equally likely, and return them."""
    cdef uint64_t drawn = 0
    cdef uint64_t card
    while number > 0:
        card = one(nth_card(cards[0], below(rng, size_of(cards[0]))))
        cards[0] -= card
        drawn += card
        number -= 1
    return drawn


cdef void deal_places(
        const Rules* rules, uint64_t cards, const int* places, bitgen_t* rng,
        State* out) noexcept nogil:
    """Deal cards to as many places of hands, all deals equally likely."""
    cdef int seat
    for seat in range(rules.num_seats):
        if places[seat] == size_of(cards):      # all that is left
            out.hands[seat] += cards
            return
        out.hands[seat] += draw_out(&cards, places[seat], rng)


cdef void draw_picks(
        const Rules* rules, const State* observation, bitgen_t* rng, State* out) noexcept nogil:
    """Draw the cards laid before a herald, each card of a hand equally likely."""
    cdef int seat
    if observation.phase != PHASE_SHOW:
        return
    for seat in range(rules.num_seats):
        if observation.picks[seat] == HIDDEN_CARD:
            out.picks[seat] = 1 + nth_card(out.hands[seat], below(rng, size_of(out.hands[seat])))


cdef void fill_rows(const Rules* rules, const State* observation, State* out) noexcept nogil:
    """Set knowledge that the observer can't see to the public knowledge (R11.5)."""
    cdef int holder, row
    for holder in range(rules.num_seats):
        for row in range(rules.num_seats):
            if row != holder and row + 1 != observation.observer:
                out.known[holder][row] = observation.known[holder][PUBLIC]
