"""Hidden information of Kingdom Coinquest: observation and determinization (R11, R12.5).

A card that is hidden in another player's hand is blanked and goes into the pool that its mark
names: the current pool, which replaces the forge, or an old pool. So an observation does not
contain the holder of any card of a pool. Determinization deals the pools out again.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from kingmaker.cext.rng cimport below, bitgen_t

from .state cimport KNOWN, NOBODY, NO_CARD, OLD_CARDS, Player, State, bit, nth_card


cdef void kc_observe(const State* state, int num_seats, int seat, State* out) noexcept nogil:
    cdef uint32_t[OLD_CARDS] old    # epoch << 8 | card, ascending
    cdef int num_old = 0
    cdef int other, i
    cdef const Player* player
    out[0] = state[0]
    out.observer = seat + 1
    for other in range(num_seats):
        if other == seat:
            continue
        player = &state.players[other]
        for i in range(player.num_hand):
            if player.marks[i] == KNOWN:
                continue
            if player.marks[i] == state.epoch:
                out.forge |= bit(player.hand[i])
            else:
                num_old = insert(old, num_old, <uint32_t>player.marks[i] << 8 | player.hand[i])
        blank_hand(player, &out.players[other])
    out.num_old = num_old
    for i in range(num_old):
        out.old_cards[i] = old[i] & 255


cdef int insert(uint32_t* keys, int num_keys, uint32_t key) noexcept nogil:
    """Add a key to an ascending list and return its new length."""
    cdef int i = num_keys
    while i and keys[i - 1] > key:
        keys[i] = keys[i - 1]
        i -= 1
    keys[i] = key
    return num_keys + 1


cdef void blank_hand(const Player* player, Player* out) noexcept nogil:
    """Write known cards in card order, then the hidden ones' marks in ascending order (R12.5)."""
    cdef uint32_t[3] hidden
    cdef int num_hidden = 0
    cdef int num_known = 0
    cdef int i
    for i in range(player.num_hand):
        if player.marks[i] == KNOWN:
            out.hand[num_known] = player.hand[i]
            out.marks[num_known] = KNOWN
            num_known += 1
        else:
            num_hidden = insert(hidden, num_hidden, player.marks[i])
    for i in range(num_hidden):
        out.hand[num_known + i] = NO_CARD
        out.marks[num_known + i] = hidden[i]


cdef void kc_determinize(
        const State* observation, int num_seats, bitgen_t* rng, State* out) noexcept nogil:
    cdef uint32_t[OLD_CARDS] places     # epoch << 8 | seat << 4 | slot, ascending
    cdef int num_places = 0
    cdef int other, slot, i, card
    out[0] = observation[0]
    out.observer = NOBODY
    out.num_old = 0
    memset(out.old_cards, NO_CARD, sizeof(out.old_cards))
    for other in range(num_seats):
        for slot in range(out.players[other].num_hand):
            if out.players[other].hand[slot] == NO_CARD:
                num_places = insert(
                    places, num_places,
                    <uint32_t>out.players[other].marks[slot] << 8 | other << 4 | slot)
    deal_old_pools(observation, places, rng, out)
    # The places left by the old pools are those of the present epoch.
    for i in range(observation.num_old, num_places):
        card = nth_card(out.forge, below(rng, out.num_forge + num_places - i))
        out.forge ^= bit(card)
        fill(out, places[i], card)
    for other in range(num_seats):
        if other + 1 != observation.observer:
            sort_hand(&out.players[other])


cdef void deal_old_pools(
        const State* observation, const uint32_t* places, bitgen_t* rng, State* out) noexcept nogil:
    """Assign each old pool to the places of its epoch, all assignments equally likely."""
    cdef uint8_t[OLD_CARDS] cards
    cdef int begin = 0
    cdef int end, chosen
    memcpy(cards, observation.old_cards, sizeof(cards))
    while begin < observation.num_old:
        end = begin
        while end < observation.num_old and places[end] >> 8 == places[begin] >> 8:
            end += 1
        while begin < end:
            chosen = begin + below(rng, end - begin)
            fill(out, places[begin], cards[chosen])
            cards[chosen] = cards[begin]
            begin += 1


cdef void fill(State* out, uint32_t place, int card) noexcept nogil:
    out.players[place >> 4 & 15].hand[place & 15] = card


cdef void sort_hand(Player* player) noexcept nogil:
    """Bring a hand with its marks into card order."""
    cdef int i, j
    cdef uint8_t card
    cdef uint16_t mark
    for i in range(1, player.num_hand):
        card = player.hand[i]
        mark = player.marks[i]
        j = i
        while j and player.hand[j - 1] > card:
            player.hand[j] = player.hand[j - 1]
            player.marks[j] = player.marks[j - 1]
            j -= 1
        player.hand[j] = card
        player.marks[j] = mark
