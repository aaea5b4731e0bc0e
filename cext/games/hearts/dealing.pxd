"""Random draws of cards, into places of hands or out of a set, for worlds and playouts."""

from libc.stdint cimport uint64_t

from kingmaker.cext.rng cimport bitgen_t, digit

from .state cimport NUM_CARDS, NUM_SEATS


cdef struct Digits:
    # Small random numbers out of 64 random bits at a time.
    bitgen_t* rng
    uint64_t fraction      # unused part of 32 bits, see `digit`
    uint64_t next_fraction
    int num_drawn


cdef inline int next_digit(Digits* digits, int n) noexcept nogil:
    """Draw from 0..n-1; two draws use 32 bits, so the bias is below n**2 / 2**32."""
    if not digits.num_drawn & 1:
        if digits.num_drawn & 2:
            digits.fraction = digits.next_fraction
        else:
            digits.next_fraction = digits.rng.next_uint64(digits.rng.state)
            digits.fraction = digits.next_fraction & <uint64_t>0xFFFFFFFF
            digits.next_fraction >>= 32
    digits.num_drawn += 1
    return digit(&digits.fraction, n)


cdef inline void deal_places(
        uint64_t cards, const int* places, uint64_t* hands, bitgen_t* rng) noexcept nogil:
    """Deal cards into free places of hands, or as many of them as there are places.

    All ways to put cards into places are equally likely. A partial shuffle, only as far as its
    result is used; with more places than cards, some places get no card.

    Args:
        cards: the cards to deal.
        places: the free places of each hand, `[NUM_SEATS]`; at most 52 together.
        hands: sets of cards that the dealt ones are added to, `[NUM_SEATS]`.
    """
    cdef uint64_t[NUM_CARDS] items      # a card each, or 0
    cdef Digits digits = Digits(rng=rng, fraction=0, next_fraction=0, num_drawn=0)
    cdef int num_items = 0
    cdef int num_places = places[0] + places[1] + places[2] + places[3]
    cdef int seat, i, at
    cdef uint64_t hand
    while cards:
        items[num_items] = cards & -cards
        cards &= cards - 1
        num_items += 1
    while num_items < num_places:
        items[num_items] = 0
        num_items += 1
    for seat in range(NUM_SEATS):
        hand = 0
        if places[seat] == num_items:   # all that is left
            for i in range(num_items):
                hand |= items[i]
            hands[seat] |= hand
            return
        for _ in range(places[seat]):
            at = next_digit(&digits, num_items)
            num_items -= 1
            hand |= items[at]
            items[at] = items[num_items]
        hands[seat] |= hand


cdef inline uint64_t random_subset(
        uint64_t cards, int num_cards, int size, uint64_t* fraction) noexcept nogil:
    """Draw `size` of `num_cards` cards uniformly, out of a 32-bit fraction."""
    cdef uint64_t left = cards
    cdef uint64_t rest
    cdef int skip, i
    for i in range(size):
        rest = left
        skip = digit(fraction, num_cards - i)
        while skip:
            rest &= rest - 1
            skip -= 1
        left &= ~(rest & -rest)
    return cards & ~left
