"""Observation and determinization of Hearts (R3).

Every division of the unseen cards into the free places of the hands that obeys the shown letters
is equally likely (R3.6), and they are drawn exactly so, in one of two ways. Cards that the same
seats may hold form a *group*.

If for any two groups the seats of one are a subset of the other's, or the two have none in common,
the groups are dealt one after the other, the ones with the fewest seats first, card by card into
the free places. The number of free places for a group then does not depend on how the groups
before it were dealt, so all divisions are equally likely.

Otherwise the number of cards of each group for each seat is drawn first. A table of such numbers
stands for (product of n_g! over groups) / (product of k! over its entries) divisions; all tables
are enumerated twice, to sum their weights and to find the one at a random point. There are few
tables for a seat, which sees its own hand (a world takes 0.2 microseconds, at most 0.8); a
spectator's world may take 0.3 milliseconds when three seats have shown different suits.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.bits cimport count, random_member
from kingmaker.cext.rng cimport bitgen_t

from .dealing cimport deal_places, random_subset
from .rules cimport undealt
from .state cimport (
    GIVEN_CARDS, HAND_CARDS, HIDDEN, NOBODY, NO_PASS, NUM_CARDS, NUM_SEATS, NUM_SHOWN, PHASE_DEAL,
    PHASE_DIRECTION, PHASE_PASS, PHASE_PLAY, QUEEN, SHOWN_Q, VERB_DEAL, VERB_DIRECTION, VERB_PASS,
    State, bit, receiver_of, suit_set)

cdef enum:
    NUM_CLASSES = 5    # clubs, diamonds, hearts, spades without the queen, the queen of spades
    NUM_SETS = 16      # of seats
    MAX_GROUPS = NUM_CLASSES

# Sets of two or more seats as bits, the smaller sets first.
cdef uint8_t[11] SETS_BY_SIZE = [3, 5, 6, 9, 10, 12, 7, 11, 13, 14, 15]

cdef uint64_t[NUM_SHOWN] EXCLUDED             # the cards that letters exclude (R3.5)
cdef uint64_t[NUM_CLASSES] CLASSES            # the cards of each class
cdef double[HAND_CARDS + 1] INVERSE_FACTORIAL


def fill_tables() -> None:
    """Fill the tables."""
    cdef int letters, suit, i
    for letters in range(NUM_SHOWN):
        EXCLUDED[letters] = 0
        for suit in range(4):
            if letters >> suit & 1:
                EXCLUDED[letters] |= suit_set(suit)
        if letters & SHOWN_Q:
            EXCLUDED[letters] |= suit_set(3) & ~bit(QUEEN)
    for suit in range(4):
        CLASSES[suit] = suit_set(suit) & ~bit(QUEEN)
    CLASSES[4] = bit(QUEEN)
    INVERSE_FACTORIAL[0] = 1.0
    for i in range(1, HAND_CARDS + 1):
        INVERSE_FACTORIAL[i] = INVERSE_FACTORIAL[i - 1] / i


fill_tables()


cdef uint64_t excluded_by(uint8_t letters) noexcept nogil:
    return EXCLUDED[letters]


# --- observation ----------------------------------------------------------------------------------

cdef void hearts_observe(const State* state, int seat, State* out) noexcept nogil:
    cdef int other
    memcpy(out, state, sizeof(State))
    out.observer = seat + 1
    for other in range(NUM_SEATS):
        if other != seat:
            out.held[other] = seen_cards(state, seat, other)
            if not sees_given(state, seat, other):
                out.given[other] = 0


# --- determinization ------------------------------------------------------------------------------

cdef void hearts_determinize(
        const State* observation, bitgen_t* rng, State* out) noexcept nogil:
    cdef int seat = observation.observer - 1
    memcpy(out, observation, sizeof(State))
    out.observer = NOBODY
    if out.phase == PHASE_DIRECTION:
        return
    draw_hands(out, seat, rng)
    if out.phase == PHASE_PASS:
        draw_set_aside(out, seat, rng)
    elif out.phase == PHASE_PLAY and out.direction != NO_PASS:
        draw_given(out, seat, rng)


cdef void draw_hands(State* s, int seat, bitgen_t* rng) noexcept nogil:
    """Fill the hands of the seats other than `seat`."""
    cdef int[NUM_SEATS] places
    cdef int other
    cdef int num_dealt = s.count if s.phase == PHASE_DEAL else NUM_CARDS
    for other in range(NUM_SEATS):
        places[other] = ((num_dealt + 3 - other) >> 2) - count(s.held[other])
    if s.shown[0] | s.shown[1] | s.shown[2] | s.shown[3]:
        deal_shown(undealt(s), places, s.held, s.shown, rng)
    else:
        deal_places(undealt(s), places, s.held, rng)


cdef void draw_set_aside(State* s, int seat, bitgen_t* rng) noexcept nogil:
    """Draw the cards that the other seats have set aside so far."""
    cdef uint64_t fraction
    cdef int other, size
    for other in range(NUM_SEATS):
        size = min(max(s.count - GIVEN_CARDS * other, 0), GIVEN_CARDS)
        if other != seat and size:
            fraction = rng.next_uint32(rng.state)
            s.given[other] = random_subset(s.held[other], HAND_CARDS, size, &fraction)


cdef void draw_given(State* s, int seat, bitgen_t* rng) noexcept nogil:
    """Draw which cards the other seats have received, where `seat` does not know it."""
    cdef uint64_t fraction
    cdef int other, receiver
    for other in range(NUM_SEATS):
        receiver = receiver_of(s, other)
        if other != seat and receiver != seat:
            fraction = rng.next_uint32(rng.state)
            s.given[other] = random_subset(s.held[receiver], HAND_CARDS, GIVEN_CARDS, &fraction)


# --- the past -------------------------------------------------------------------------------------

cdef bint hearts_retell(
        const State* world, const uint32_t* seen, int length, bitgen_t* rng,
        uint32_t* out) noexcept nogil:
    """Deal the hands before the exchange, and pass what was given, both in any order."""
    cdef uint64_t[NUM_SEATS] dealt
    cdef uint64_t[NUM_SEATS] given
    cdef uint64_t* cards
    cdef int num_dealt = 0
    cdef int num_given = 0
    cdef int seat, i
    memcpy(dealt, world.held, sizeof(dealt))
    memcpy(given, world.given, sizeof(given))
    if world.phase == PHASE_PLAY and world.direction != NO_PASS:
        for seat in range(NUM_SEATS):
            dealt[receiver_of(world, seat)] &= ~given[seat]
        for seat in range(NUM_SEATS):
            dealt[seat] |= given[seat]
    for i in range(length):
        out[i] = seen[i]
        if seen[i] >= VERB_DIRECTION or seen[i] < VERB_PASS:
            continue
        if seen[i] >= VERB_DEAL:
            cards = &dealt[num_dealt & 3]
            num_dealt += 1
        else:
            cards = &given[num_given // GIVEN_CARDS & 3]
            num_given += 1
        if seen[i] & HIDDEN == HIDDEN:
            if not cards[0]:
                return False
            out[i] = seen[i] & ~<uint32_t>HIDDEN | <uint32_t>random_member(cards[0], rng)
        cards[0] &= ~bit(out[i] & HIDDEN)
    return True


# --- deals after letters have been shown ----------------------------------------------------------

cdef struct Groups:
    int num_groups
    uint8_t[MAX_GROUPS] seats                # of each group: seats that may hold its cards, as bits
    uint64_t[MAX_GROUPS] cards
    int[MAX_GROUPS] left                     # cards that are not in the table yet
    int[NUM_SEATS] places                    # free places, without the cards of the table
    int[MAX_GROUPS][NUM_SEATS] table         # cards of each group for each seat
    double sum                               # weights of the tables so far
    double target                            # sum at which the enumeration stops


cdef void deal_shown(
        uint64_t cards, int* places, uint64_t* hands, const uint8_t* shown,
        bitgen_t* rng) noexcept nogil:
    """Deal cards to exactly as many places; no seat gets a card that its letters exclude."""
    cdef Groups groups
    group_cards(cards, places, hands, shown, &groups)
    cdef int last = groups.num_groups - 1
    cdef int g
    if last < 0:
        return
    if is_laminar(&groups):
        for g in range(last):
            deal_group(groups.cards[g], groups.seats[g], places, hands, rng)
        deal_places(groups.cards[last], places, hands, rng)   # into all places that are left
        return
    draw_table(&groups, places, rng)
    for g in range(last + 1):
        deal_places(groups.cards[g], groups.table[g], hands, rng)


cdef void group_cards(
        uint64_t cards, int* places, uint64_t* hands, const uint8_t* shown,
        Groups* groups) noexcept nogil:
    """Collect the groups, in the order of `SETS_BY_SIZE`; cards for one seat are dealt to it."""
    cdef uint64_t[NUM_SETS] by_seats
    cdef int i, seats, seat
    memset(by_seats, 0, sizeof(by_seats))
    for i in range(NUM_CLASSES):
        if cards & CLASSES[i]:
            by_seats[holders(CLASSES[i], places, shown)] |= cards & CLASSES[i]
    for seat in range(NUM_SEATS):
        hands[seat] |= by_seats[1 << seat]
        places[seat] -= count(by_seats[1 << seat]) if by_seats[1 << seat] else 0
    groups.num_groups = 0
    for i in range(11):
        seats = SETS_BY_SIZE[i]
        if by_seats[seats]:
            groups.seats[groups.num_groups] = seats
            groups.cards[groups.num_groups] = by_seats[seats]
            groups.num_groups += 1


cdef inline int holders(uint64_t cards, const int* places, const uint8_t* shown) noexcept nogil:
    """The seats that may hold the cards of a class, as bits."""
    cdef int seats = 0
    cdef int seat
    for seat in range(NUM_SEATS):
        if places[seat] and not EXCLUDED[shown[seat]] & cards:
            seats |= 1 << seat
    return seats


cdef inline bint is_laminar(const Groups* groups) noexcept nogil:
    """Whether any two groups have all or none of the smaller one's seats in common."""
    cdef int i, j, common
    for j in range(groups.num_groups):
        for i in range(j):
            common = groups.seats[i] & groups.seats[j]
            if common and common != groups.seats[i]:
                return False
    return True


cdef inline void deal_group(
        uint64_t cards, int seats, int* places, uint64_t* hands, bitgen_t* rng) noexcept nogil:
    """Deal cards into the free places of some seats, and count these places down."""
    cdef int[NUM_SEATS] open_places
    cdef int[NUM_SEATS] before
    cdef int seat
    for seat in range(NUM_SEATS):
        open_places[seat] = places[seat] if seats >> seat & 1 else 0
        before[seat] = count(hands[seat])
    deal_places(cards, open_places, hands, rng)
    for seat in range(NUM_SEATS):
        places[seat] -= count(hands[seat]) - before[seat]


cdef void draw_table(Groups* groups, const int* places, bitgen_t* rng) noexcept nogil:
    """Draw how many cards of each group go to each seat."""
    cdef int g
    memcpy(groups.places, places, sizeof(groups.places))
    memset(groups.table, 0, sizeof(groups.table))
    for g in range(groups.num_groups):
        groups.left[g] = count(groups.cards[g])
    groups.sum = 0.0
    groups.target = 1e300
    walk(groups, 0, 0, 1.0)
    groups.target = rng.next_double(rng.state) * groups.sum
    groups.sum = 0.0
    walk(groups, 0, 0, 1.0)


cdef bint walk(Groups* groups, int g, int seat, double weight) noexcept nogil:
    """Enumerate the tables from an entry on, until the sum of weights reaches the target.

    Returns whether it was reached; `table` is then the one that reached it.
    """
    if g == groups.num_groups - 1:
        return is_target_reached(groups, weight)
    cdef int seats = groups.seats[g] >> seat
    cdef int most = min(groups.left[g], groups.places[seat])
    cdef int k
    cdef bint is_found
    if not seats & 1:
        return walk(groups, g, seat + 1, weight)
    for k in range(groups.left[g] if seats == 1 else 0, most + 1):
        groups.table[g][seat] = k
        groups.left[g] -= k
        groups.places[seat] -= k
        if seats == 1:
            is_found = walk(groups, g + 1, 0, weight * INVERSE_FACTORIAL[k])
        else:
            is_found = walk(groups, g, seat + 1, weight * INVERSE_FACTORIAL[k])
        groups.left[g] += k
        groups.places[seat] += k
        if is_found:
            return True
    return False


cdef inline bint is_target_reached(Groups* groups, double weight) noexcept nogil:
    """Fill all places that are left with the last group, and add the weight of the table."""
    cdef int last = groups.num_groups - 1
    cdef int seat
    for seat in range(NUM_SEATS):
        if groups.places[seat] and not groups.seats[last] >> seat & 1:
            return False
        weight *= INVERSE_FACTORIAL[groups.places[seat]]
        groups.table[last][seat] = groups.places[seat]
    groups.sum += weight
    return groups.sum > groups.target
