"""Hands, decks and towers (sections 5 and 13): ranks, payments, courts and knowledge records."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from kingmaker.cext.bits cimport count, leading_zeros

from .state cimport (
    A, AOS_COURT, AOS_DEVOUR, CLUBS, DIAMONDS, FULL_HEIGHT, HEARTS, ICE_QUEEN, J, JOKER, K,
    MAX_RECORDS, MOTORHEAD, Q, RED, SPADES, Devoured, Player, Rules, Tower, card_of)

cdef enum Court:        # R5.9
    NO_COURT
    COURT_HEART
    COURT_DIAMOND
    COURT_RED
    COURT_HARMONY
    COURT_CLUB
    COURT_SPADE
    COURT_BLACK
    COURT_CHAOS

cdef extern from *:
    """
    #define KO_ONE_OF_RANK 0x1111111111111ull   /* the clubs */
    /* The court of a set of suits, by bit: - C D CD H CH DH CDH, and the same with S. */
    static const unsigned char KO_COURT_OF[16] = {
        0, 5, 2, 8, 1, 8, 3, 4,
        6, 7, 8, 4, 8, 4, 4, 8};
    """
    const uint64_t ONE_OF_RANK "KO_ONE_OF_RANK"
    const uint8_t* COURT_OF "KO_COURT_OF"

cdef enum:
    ACE_OF_SPADES = 3
    JACK = 10           # ranks from 0
    NO_RANK = 13        # `next_rank` of a tower that can't grow
    EVERY_LEVEL = 0x5555555     # the low bit of 14 levels


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint64_t of_rank(int rank) noexcept nogil:
    """The four cards of a rank; without a card for NO_RANK and above."""
    return (<uint64_t>15 << 4 * rank) & <uint64_t>0xFFFFFFFFFFFFF


cdef inline int num_ranks(uint64_t cards) noexcept nogil:
    """How many ranks a set of cards has."""
    cards |= cards >> 1
    cards |= cards >> 2
    return (cards & ONE_OF_RANK) * ONE_OF_RANK >> 48 & 15


# --- towers ---------------------------------------------------------------------------------------

cdef inline int next_rank(const Player* p, int tower) noexcept nogil:
    """Rank (from 0) of the next card; NO_RANK for a tower without a base or at level 13."""
    if p.towers[tower].base == 0:
        return NO_RANK
    return p.towers[tower].height + (tower == A)


cdef inline bint has_court(const Player* p) noexcept nogil:
    return p.towers[J].base != 0 and p.towers[Q].base != 0 and p.towers[K].base != 0


cdef inline int each_of(const Player* p) noexcept nogil:
    """Most cards that can be paid of each court card, with one of the ace of spades (R6.2)."""
    cdef int each = FULL_HEIGHT
    cdef int tower
    for tower in range(J, A):
        if p.towers[tower].base:
            each = min(each, <int>p.towers[tower].height)
    return 0 if p.towers[A].base and p.towers[A].height == 0 else each


cdef inline bint may_found_ace(const Rules* rules, const Player* p) noexcept nogil:
    """R5.4."""
    if p.towers[A].base != 0 or p.towers[J].base == 0:
        return False
    if rules.aos == AOS_COURT:
        return has_court(p)
    return rules.aos == AOS_DEVOUR and p.effects & (MOTORHEAD | ICE_QUEEN) != 0


cdef inline bint fits(const Rules* rules, const Player* p, int card, int tower) noexcept nogil:
    """Whether a card, wherever it is, could be played on a tower (R5.2 to R5.4)."""
    if p.towers[J].base == 0:
        return tower == J and card >> 2 == JACK
    if next_rank(p, tower) == card >> 2:
        return True
    return tower == A and card == ACE_OF_SPADES and may_found_ace(rules, p)


cdef inline uint64_t wanted(const Rules* rules, const Player* p) noexcept nogil:
    """The cards that fit on some tower."""
    cdef uint64_t found = 0
    cdef int tower
    if p.towers[J].base == 0:
        return of_rank(JACK)
    for tower in range(4):
        found |= of_rank(next_rank(p, tower))
    if may_found_ace(rules, p):
        found |= bit(ACE_OF_SPADES)
    return found


cdef inline uint64_t wanted_soon(const Player* p) noexcept nogil:
    """The cards that a tower wants after one or two others."""
    cdef uint64_t found = 0
    cdef int tower, rank
    for tower in range(4):
        rank = next_rank(p, tower)
        if rank < NO_RANK:
            found |= of_rank(rank + 1) | of_rank(rank + 2)
    return found


cdef inline void lay(Player* p, int tower, int card, bint by_joker) noexcept nogil:
    """Put a card that fits on a tower, or make it the base."""
    cdef Tower* t = &p.towers[tower]
    if t.base == 0:
        t.base = card + 1
        t.tainted = by_joker
        return
    t.suits |= <uint32_t>(card & 3) << 2 * t.height
    t.jokers |= by_joker << t.height
    t.height += 1


cdef inline int run_of(const Tower* t, int colour) noexcept nogil:
    """How many cards from the top of a stack have a colour, RED or BLACK."""
    cdef uint32_t red = (t.suits ^ t.suits >> 1) & EVERY_LEVEL
    cdef uint32_t other = (~red if colour == RED else red) & EVERY_LEVEL
    other &= (<uint32_t>1 << 2 * t.height) - 1
    if other == 0:
        return t.height
    return t.height - 1 - (31 - leading_zeros(other)) // 2


cdef inline void pay(Player* p, int tower, int number) noexcept nogil:
    """Discard cards from the top, each with the Joker under it (R5.6)."""
    cdef Tower* t = &p.towers[tower]
    cdef int _
    for _ in range(number):
        t.height -= 1
        p.discard |= bit(card_of(tower, t.height, t.suits))
        p.discard_jokers += t.jokers >> t.height & 1
    t.suits &= (<uint32_t>1 << 2 * t.height) - 1
    t.jokers &= (1 << t.height) - 1


cdef inline void devour(Player* p, int tower, int effect) noexcept nogil:
    """R6.7."""
    cdef Tower* t = &p.towers[tower]
    cdef Devoured* below = &t.devoured[0]
    if below.effect and below.effect < effect:
        below = &t.devoured[1]
    elif below.effect:
        t.devoured[1] = below[0]
    below.suits = t.suits
    below.jokers = t.jokers
    below.effect = effect
    t.suits = 0
    t.jokers = 0
    t.height = 0
    p.effects |= effect


cdef inline void discard_court_card(Player* p, int tower) noexcept nogil:
    """R5.8."""
    cdef Tower* t = &p.towers[tower]
    cdef Devoured* below
    cdef int i, level
    pay(p, tower, t.height)
    for i in range(2):
        below = &t.devoured[i]
        if below.effect == 0:
            continue
        for level in range(FULL_HEIGHT):
            p.discard |= bit(card_of(tower, level, below.suits))
        p.discard_jokers += count(below.jokers)
        p.effects &= ~below.effect
        below.suits = 0
        below.jokers = 0
        below.effect = 0
    p.discard |= bit(t.base - 1)
    p.discard_jokers += t.tainted
    t.base = 0
    t.tainted = 0


cdef inline int court_of(const Player* p) noexcept nogil:
    """R5.9."""
    cdef int suits
    if not has_court(p):
        return NO_COURT
    suits = (
        1 << (p.towers[J].base - 1 & 3) | 1 << (p.towers[Q].base - 1 & 3)
        | 1 << (p.towers[K].base - 1 & 3))
    return COURT_OF[suits]


cdef inline bint is_light(int court) noexcept nogil:
    """R5.10; False without a court."""
    return COURT_HEART <= court <= COURT_HARMONY


# --- hand and deck --------------------------------------------------------------------------------

cdef inline int deck_size(const Player* p) noexcept nogil:
    return count(p.deck) + p.deck_jokers


cdef inline bint has_discard(const Player* p) noexcept nogil:
    return p.discard != 0 or p.discard_jokers != 0


cdef inline void from_deck(Player* p, int card) noexcept nogil:
    if card == JOKER:
        p.deck_jokers -= 1
    else:
        p.deck &= ~bit(card)


cdef inline void draw(Player* p, int card) noexcept nogil:
    """Move a card of the deck to the hand."""
    from_deck(p, card)
    p.hand_size += 1
    if card == JOKER:
        p.hand_jokers += 1
    else:
        p.hand |= bit(card)


cdef inline void from_hand(Player* p, int card) noexcept nogil:
    p.hand_size -= 1
    if card == JOKER:
        p.hand_jokers -= 1
        lower_records(p, 0, 1)
    else:
        p.hand &= ~bit(card)
        lower_records(p, bit(card), 0)


cdef inline void discard_hand(Player* p) noexcept nogil:
    cdef int i
    p.discard |= p.hand
    p.discard_jokers += p.hand_jokers
    p.hand = 0
    p.hand_jokers = 0
    p.hand_size = 0
    for i in range(MAX_RECORDS):     # no floor survives, as no card is left
        p.record_mask[i] = 0
        p.record_floor[i] = 0


cdef inline void shuffle(Player* p) noexcept nogil:
    """R4.2 with R13.4a."""
    cdef uint64_t added = p.discard
    cdef int i = 0
    p.deck |= p.discard
    p.deck_jokers += p.discard_jokers
    p.discard = 0
    p.discard_jokers = 0
    while i < MAX_RECORDS and p.record_floor[i]:
        p.record_mask[i] |= added
        i += 1
    # Floors grow from record to record and are at most the size of the hand, so that a tenth record
    # has floor 10, as this one would have: R13.4c would remove it.
    if i < MAX_RECORDS and p.hand_size:
        p.record_mask[i] = added
        p.record_floor[i] = p.hand_size
    tidy_records(p)


cdef inline void lower_records(Player* p, uint64_t cards, int jokers) noexcept nogil:
    """R13.4b: cards leave the hand."""
    cdef int i = 0
    cdef int left
    while i < MAX_RECORDS and p.record_floor[i]:
        left = p.record_floor[i] - count(cards & ~p.record_mask[i]) - jokers
        p.record_floor[i] = left if left > 0 else 0
        i += 1
    if i:
        tidy_records(p, i)


cdef inline void tidy_records(Player* p, int number=MAX_RECORDS) noexcept nogil:
    """R13.4c."""
    cdef int kept = 0
    cdef int floor = 0
    cdef int i
    for i in range(number):
        if p.record_floor[i] > floor:
            floor = p.record_floor[i]
            p.record_floor[kept] = floor
            p.record_mask[kept] = p.record_mask[i]
            kept += 1
    for i in range(kept, number):
        p.record_floor[i] = 0
        p.record_mask[i] = 0
