"""The structs of Kingdom Coinquest: cards, moves, and the state that is also its observations.

A card is one byte, `suit << 4 | rank`, so that cards compare in card order (R1.3), the rank of an
equipment card is its value, and a set of cards is a 64-bit mask with bit = card. 0 is no card.
A state is canonical: equal states have equal bytes, so hands are in card order (in an observation,
hands of others in the order of R12.5), and every unused byte is 0.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    NO_CARD = 0
    ACE = 1             # rank; equipment is 2..10, its value
    JACK = 11
    QUEEN = 12
    NUM_CARDS = 48
    HAND_CARDS = 3
    SALVAGE_CARDS = 3
    SEATS = 4
    NO_SUIT = 255       # `Player.suit`: the king is not drawn yet
    KNOWN = 0xFFFF      # `Player.marks`: a publicly known hand card; else its draw epoch
    NOBODY = 255        # `State.observer` of a full state
    OLD_CARDS = 12      # most hidden cards of old epochs that an observer can face
    ALL_BUT_KINGS = 0x1FFE  # ranks of one suit as bits of a mask

cdef enum Phase:  # the node types of R4.1
    PHASE_KING
    PHASE_DRAW
    PHASE_DEAL
    PHASE_PLAY
    PHASE_STRIKE
    PHASE_DISCARD
    PHASE_END

cdef struct Load:       # R1.7
    uint8_t lead        # its rank is the value of the load; NO_CARD: no load
    uint8_t partner     # NO_CARD: the lead is alone

cdef struct Player:
    uint64_t salvage    # mask of cards
    uint16_t[3] marks   # of the hand card in the same slot: KNOWN or draw epoch (R11.2)
    uint8_t[3] hand     # cards in card order; NO_CARD in an observation: hidden
    uint8_t suit        # of the king, 0..3 in suit order, or NO_SUIT
    uint8_t health      # points, 0: eliminated
    uint8_t num_hand    # 0..3
    uint8_t num_salvage  # 0..3
    uint8_t counters    # own turns until the quartermaster's load is ready, 0..3
    Load quartermaster
    Load knight
    Load peasant
    Load queen

cdef struct State:
    uint64_t forge      # mask of cards; in an observation the current pool of R11.6
    Player[4] players   # by seat; seats that are not in the game are zero
    uint8_t[48] grave   # graveyard, the top card last
    uint16_t turn       # 1 = first, 0 during set-up
    uint16_t epoch      # reshuffles so far
    uint8_t num_grave   # cards
    uint8_t num_forge   # cards, also in an observation
    uint8_t phase       # a `Phase`
    uint8_t seat        # seat of the node; 0 at PHASE_END
    uint8_t observer    # seat + 1, 0 for a spectator, NOBODY: a full state
    uint8_t num_old     # cards in `old_cards`
    # Old pools of R11.5, all epochs in one list: by ascending epoch, then card. The i-th belongs to
    # the epoch of the i-th oldest hidden place, since pools and places agree in number (R11.5).
    uint8_t[12] old_cards
    uint8_t[2] padding

cdef struct Rules:      # the options of section 13
    uint8_t num_seats
    uint8_t ace_strike  # 0 or 1
    uint8_t start_health
    uint8_t has_kings   # whether `kings` fixes them
    uint8_t[4] kings    # suit of each seat
    uint16_t turn_limit

# A move: verb, first and second card, and unit, a byte each from the lowest. The first byte after
# the verb holds a suit (KING) or a seat (ATTACK) instead of a card. DEAL without a card: a card
# drawn by another seat (`deal:?`).
cdef enum Verb:
    VERB_KING
    VERB_DRAW_FORGE
    VERB_DRAW_GRAVE
    VERB_DRAW_SALVAGE
    VERB_DEAL
    VERB_PASS
    VERB_PREP
    VERB_EQUIP
    VERB_ATTACK
    VERB_QUEEN
    VERB_ACE
    VERB_HOLD
    VERB_DISCARD
    VERB_SALVAGE
    VERB_SCRAP

cdef enum Unit:
    NO_UNIT
    UNIT_KNIGHT
    UNIT_PEASANT


cdef inline int rank_of(int card) noexcept nogil:
    return card & 15


cdef inline int suit_of(int card) noexcept nogil:
    return card >> 4


cdef inline bint is_equipment(int card) noexcept nogil:
    """Whether the rank is 2..10 (R1.4)."""
    return <unsigned int>((card & 15) - 2) <= 8


cdef inline int cost_of(int card) noexcept nogil:
    """Preparation cost by value: 2-4: 1, 5-7: 2, 8-10: 3 (R1.6)."""
    return ((card & 15) + 1) // 3


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint32_t move_of(int verb, int first=0, int second=0, int unit=0) noexcept nogil:
    return verb | first << 8 | second << 16 | unit << 24


cdef inline int nth_card(uint64_t cards, int n) noexcept nogil:
    """Return the n-th lowest member, n from 0 and below the size of the set.

    Finds its byte from prefix sums of bit counts (Vigna 2008, "Broadword implementation of
    rank/select queries"): several times faster than clearing n bits one by one.
    """
    cdef uint64_t sums = cards - ((cards >> 1) & <uint64_t>0x5555555555555555)
    sums = (sums & <uint64_t>0x3333333333333333) + ((sums >> 2) & <uint64_t>0x3333333333333333)
    sums = (sums + (sums >> 4)) & <uint64_t>0x0F0F0F0F0F0F0F0F
    sums *= <uint64_t>0x0101010101010101     # byte i: members in the bytes 0..i
    cdef uint64_t before = ((
        (<uint64_t>n * <uint64_t>0x0101010101010101 | <uint64_t>0x8080808080808080) - sums)
        & <uint64_t>0x8080808080808080)      # high bit of byte i: member n lies above byte i
    cdef int shift = <int>(((before >> 7) * <uint64_t>0x0101010101010101) >> 56) * 8
    cdef unsigned int rest = <unsigned int>(cards >> shift) & 255
    n -= <int>((sums << 8) >> shift) & 255
    while n:
        rest &= rest - 1
        n -= 1
    cdef int card = shift
    while not rest & 1:
        rest >>= 1
        card += 1
    return card
