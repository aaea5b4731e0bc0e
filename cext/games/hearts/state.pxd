"""The struct of Hearts, the packing of its moves, and sets of cards as masks.

A card is suit << 4 | rank: suits clubs 0, diamonds 1, hearts 2, spades 3; ranks two 0 .. ace 12.
A set of cards is a mask with bit `card`, so that each suit fills 13 bits of a 16-bit lane. A move
or outcome is a verb + the card, or DIRECTION + the direction.
"""

from libc.stdint cimport int8_t, uint8_t, uint64_t

from kingmaker.cext.bits cimport count

cdef enum:
    NOBODY = 255       # `State.observer` of a full state
    NUM_SEATS = 4
    NUM_CARDS = 52
    HAND_CARDS = 13
    GIVEN_CARDS = 3
    HEARTS = 2         # the suit
    QUEEN = 58         # of spades: 3 << 4 | 10
    HIDDEN = 63        # in `deal:?` and `pass:?`
    SUIT_MASK = 0x1FFF
    ALL_POINTS = 26

cdef enum Verb:
    VERB_PLAY = 0
    VERB_PASS = 64
    VERB_DEAL = 128
    VERB_DIRECTION = 192

cdef enum Phase:
    PHASE_DIRECTION
    PHASE_DEAL
    PHASE_PASS
    PHASE_PLAY         # also at the end

cdef enum Direction:
    NO_PASS = 0        # else the number of seats from giver to receiver
    UNDRAWN = 4

cdef enum Shown:       # bits of `State.shown`, the letters of R3.5
    SHOWN_C = 1
    SHOWN_D = 2
    SHOWN_H = 4
    SHOWN_S = 8
    SHOWN_Q = 16
    NUM_SHOWN = 32     # sets of letters

cdef struct State:
    # Cards of a seat: before the exchange those dealt to it, including cards set aside; afterwards
    # its 13 cards after the exchange, including played ones. An observation has only the cards that
    # its observer sees.
    uint64_t[4] held
    uint64_t[4] given      # set aside, or given; 0 in an observation that does not see them
    uint64_t played        # by all seats, the running trick included
    uint8_t[4] trick       # cards of the running trick in order; 0 beyond count & 3
    uint8_t[4] points      # taken by each seat
    uint8_t[4] shown       # bits of `Shown` of each seat
    uint8_t direction      # 0..3 or UNDRAWN
    uint8_t phase
    uint8_t count          # cards dealt, set aside or played, of this phase
    int8_t to_move         # seat, CHANCE or TERMINAL
    uint8_t observer       # seat + 1, 0 for a spectator, NOBODY: a full state
    uint8_t[7] unused      # 0, so that equal states have equal bytes


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline int card_number(int card) noexcept nogil:
    """The place of a card in card order, from 0 to 51."""
    return card - 3 * (card >> 4)


cdef inline int card_at(int number) noexcept nogil:
    return number + 3 * (number // 13)


cdef inline uint64_t suit_set(int suit) noexcept nogil:
    """All cards of a suit."""
    return <uint64_t>SUIT_MASK << (suit << 4)


cdef inline uint64_t all_cards() noexcept nogil:
    return <uint64_t>0x1FFF1FFF1FFF1FFF


cdef inline uint64_t point_cards() noexcept nogil:
    """The hearts and the queen of spades (R1.1)."""
    return suit_set(HEARTS) | bit(QUEEN)


cdef inline uint64_t hand_of(const State* s, int seat) noexcept nogil:
    """The cards in the hand; before the exchange including cards set aside."""
    return s.held[seat] & ~s.played


cdef inline int receiver_of(const State* s, int seat) noexcept nogil:
    """The seat that receives the cards that a seat gives (R1.2)."""
    return (seat + s.direction) & 3


cdef inline int num_given(const State* s, int seat) noexcept nogil:
    """The number of cards that a seat has set aside or given, seen or not."""
    if s.phase == PHASE_PASS:
        return min(max(s.count - GIVEN_CARDS * seat, 0), GIVEN_CARDS)
    return GIVEN_CARDS if s.phase == PHASE_PLAY and s.direction != NO_PASS else 0


cdef inline int num_in_hand(const State* s, int seat) noexcept nogil:
    """The number of cards in a hand, seen or not, without cards set aside."""
    if s.phase <= PHASE_DEAL:
        return (s.count + 3 - seat) >> 2
    if s.phase == PHASE_PASS:
        return HAND_CARDS - num_given(s, seat)
    return HAND_CARDS - count(s.held[seat] & s.played)
