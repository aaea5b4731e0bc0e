"""Multisets of cards in one machine word, so that hands are copied, compared and added as numbers.

Bits 0..51 hold a count for each card in canonical order (R1.1), each field just wide enough for
the copies that a deck may have; bits 52..58 hold the number of cards. So `a + b` and `a - b` are
sum and difference, field by field and in size, as long as no count exceeds the deck. Of hidden
cards only the size is set. A *set* of cards is a word with the lowest bit of each member's field.
"""

from libc.stdint cimport uint8_t, uint64_t

from kingmaker.cext.bits cimport count, lowest

cdef extern from *:
    """
    static const unsigned char COC_SHIFT[19] = {
        0, 5, 10, 14, 16, 19, 21, 24, 27, 30, 32, 34, 36, 38, 40, 42, 44, 46, 49};
    static const unsigned char COC_CARD_AT[64] = {
        0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8,
        9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15, 16, 16, 17, 17, 17, 18, 18, 18};
    static const unsigned long long COC_FIELD[19] = {
        0x1F, 0x3E0, 0x3C00, 0xC000, 0x70000, 0x180000, 0xE00000, 0x7000000, 0x38000000,
        0xC0000000, 0x300000000, 0xC00000000, 0x3000000000, 0xC000000000, 0x30000000000,
        0xC0000000000, 0x300000000000, 0x1C00000000000, 0xE000000000000};
    """
    const uint8_t* SHIFT "COC_SHIFT"        # lowest bit of a card's field
    const uint8_t* CARD_AT "COC_CARD_AT"    # the card that a bit counts
    const uint64_t* FIELD "COC_FIELD"       # all bits of a card's field

cdef enum:
    SIZE_SHIFT = 52


cdef inline int size_of(uint64_t cards) noexcept nogil:
    return <int>(cards >> SIZE_SHIFT)


cdef inline int copies_of(uint64_t cards, int card) noexcept nogil:
    return <int>((cards & FIELD[card]) >> SHIFT[card])


cdef inline bint has(uint64_t cards, int card) noexcept nogil:
    return (cards & FIELD[card]) != 0


cdef inline uint64_t one(int card) noexcept nogil:
    """The multiset of one card; times n it is n of them."""
    return (<uint64_t>1 << SIZE_SHIFT) | (<uint64_t>1 << SHIFT[card])


cdef inline uint64_t member(int card) noexcept nogil:
    """The set of one card."""
    return <uint64_t>1 << SHIFT[card]


cdef inline uint64_t hidden(int size) noexcept nogil:
    """A multiset of unknown cards: the size only."""
    return <uint64_t>size << SIZE_SHIFT


cdef inline uint64_t kinds(uint64_t cards) noexcept nogil:
    """The set of the cards in a multiset: the bits of each field or-ed into its lowest bit."""
    return (
        (cards & <uint64_t>0x2555549294421)
        | (cards & <uint64_t>0x4AAAA92528842) >> 1
        | (cards & <uint64_t>0x9000024841084) >> 2
        | (cards & <uint64_t>0x2108) >> 3
        | (cards & <uint64_t>0x210) >> 4)


cdef inline int pop_kind(uint64_t* members) noexcept nogil:
    """Remove the first card of a set and return it; the set must not be empty."""
    cdef int card = CARD_AT[lowest(members[0])]
    members[0] &= members[0] - 1
    return card


cdef inline bint contains(uint64_t cards, uint64_t part) noexcept nogil:
    """Whether `part` is a subset of `cards`: no field borrows in the subtraction."""
    cdef uint64_t borrows = (~cards & part) | (~(cards ^ part) & (cards - part))
    return (borrows & <uint64_t>0x92AAAA494A210) == 0


cdef inline uint64_t without(uint64_t cards, int card, int number) noexcept nogil:
    """Remove up to `number` copies of a card."""
    cdef int copies = copies_of(cards, card)
    return cards - one(card) * <uint64_t>(number if number < copies else copies)


cdef inline uint64_t without_one_each(uint64_t cards) noexcept nogil:
    """Remove one copy of each card in the multiset."""
    cdef uint64_t members = kinds(cards)
    return cards - members - hidden(count(members))


cdef inline int nth_card(uint64_t cards, int n) noexcept nogil:
    """Return the n-th card in card order, n from 0 and below the size."""
    cdef int card = 0
    cdef int copies = copies_of(cards, 0)
    while n >= copies:
        n -= copies
        card += 1
        copies = copies_of(cards, card)
    return card


cdef inline uint64_t common(uint64_t first, uint64_t second) noexcept nogil:
    """The intersection of two multisets."""
    cdef uint64_t cards = 0
    cdef uint64_t members = kinds(first) & kinds(second)
    cdef int card, copies, other
    while members:
        card = pop_kind(&members)
        copies = copies_of(first, card)
        other = copies_of(second, card)
        cards += one(card) * <uint64_t>(copies if copies < other else other)
    return cards
