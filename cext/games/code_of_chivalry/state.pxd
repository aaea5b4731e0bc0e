"""The structs of Code of Chivalry: moves, and the state that is also its observations.

Seats count from 0 here. A state is canonical: equal states have equal bytes, so every byte that
its phase does not use is 0. A multiset of cards is a word of multiset.pxd.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum Card:         # canonical order (R1.1)
    PEASANT
    SOLDIER
    KNIGHT
    KING
    NINJA
    DRAGON
    ARCHER
    CASTLE
    LADDER
    CATAPULT
    HERALD
    MERCHANT
    TRAITOR
    HIGHWAYMAN
    PRINCESS
    EXECUTIONER
    JESTER
    MINSTREL
    MONK

cdef enum:
    SEATS = 6
    PUBLIC = 6          # the row `*` of `State.known`
    HIDDEN_CARD = 31    # in moves and picks: a card that is not seen
    NOBODY = 255        # `State.observer` of a full state

# `State.forts`, a bit each: which roles lie face up, and which of them a jester plays.
cdef enum Fort:
    FORT_CASTLE = 1
    FORT_ARCHER = 2
    FORT_MINSTREL = 4
    FORT_JESTER_SHIFT = 3   # FORT_CASTLE << 3: the castle is a jester

cdef enum Phase:        # the nodes of 5.1
    PHASE_DEAL
    PHASE_DRAW
    PHASE_MAIN
    PHASE_FORTIFY
    PHASE_ATTACK
    PHASE_RESPOND
    PHASE_ROB
    PHASE_SHOW
    PHASE_CHOOSE
    PHASE_TAKE
    PHASE_TAX
    PHASE_GIVE
    PHASE_OVER_GEMS
    PHASE_OVER_LIMIT

cdef enum LadderOnTable:
    NO_LADDER
    REAL_LADDER
    JESTER_LADDER

cdef enum AutoPass:     # R10.3
    AUTO_PASS_PUBLIC
    AUTO_PASS_OFF
    AUTO_PASS_PRIVATE

cdef struct State:
    uint64_t[6] hands   # by seat; seats that are not in the game are 0
    uint64_t draw
    uint64_t discard
    uint64_t base       # R11.3; 0 before the first reshuffle
    uint64_t[6] own     # R11.3; in an observation only the observer's
    # K[o][h] of R11.2 as known[h][o], so that a change of a hand updates one row; o = PUBLIC is
    # `*`. An observation has only the public rows and the observer's; known[h][h] is 0.
    uint64_t[6][7] known
    uint32_t turn       # 0 during the deal
    uint32_t reshuffles
    uint8_t[6] gems
    uint8_t[6] forts    # bits of `Fort`
    uint8_t[6] picks    # SHOW, CHOOSE: card + 1, or HIDDEN_CARD; 0: none
    uint8_t phase       # a `Phase`
    uint8_t active      # the seat whose turn it is
    uint8_t seat        # seat of the node: dealt to, active, V, asked, seller or taxed
    uint8_t target      # ATTACK, RESPOND: the target rival T
    uint8_t ladder      # ATTACK, RESPOND, ROB: a `LadderOnTable`
    uint8_t role        # RESPOND: of the attack card
    uint8_t peasants    # RESPOND: in a revolt; role PEASANT has peasants + jesters >= 1
    uint8_t jesters     # RESPOND: in a revolt, or 1 if a jester plays another role
    uint8_t source      # ROB: owner of the gems in flight
    uint8_t receiver    # ROB
    uint8_t flight      # ROB: gems
    uint8_t left        # DEAL, DRAW, TAKE, GIVE: cards
    uint8_t winners     # OVER: bit per seat
    uint8_t observer    # seat + 1, 0 for a spectator, NOBODY: a full state


cdef inline bint is_seen(const State* s, int seat) noexcept nogil:
    """Whether the hand of a seat, its knowledge and its draws are seen."""
    return s.observer == NOBODY or s.observer == seat + 1


cdef struct Rules:      # the options of section 12
    uint64_t deck       # multiset
    uint64_t types      # set of the cards in the deck
    uint32_t turn_limit
    uint8_t num_seats
    uint8_t first_seat
    uint8_t start_gems
    uint8_t target_gems
    uint8_t reshuffle_step
    uint8_t target_floor
    uint8_t auto_pass   # an `AutoPass`

# A move: bits 0-7 verb, 8-15 role or card, 16-23 seat, 24-28 peasants, 29-31 jesters.
# The role is the card that is played or announced; `peasants` and `jesters` count the physical
# cards: both for role PEASANT (a revolt), else jesters = 1 if a jester plays the role.
# ATTACK, SPECIAL with MERCHANT and CHOOSE have a seat. Fields that a verb does not use are 0.
# HIDDEN_CARD is a card that another seat drew, took, gave or showed (`deal:?`).
cdef enum Verb:
    VERB_DEAL           # card
    VERB_DRAW           # card
    VERB_TAKE           # card
    VERB_ATTACK         # role, seat, peasants, jesters
    VERB_FORTIFY        # role, jesters
    VERB_SPECIAL        # role, seat, jesters
    VERB_DISCARD        # card
    VERB_END
    VERB_RESPOND        # role, peasants, jesters
    VERB_PASS
    VERB_ROB            # role HIGHWAYMAN, jesters
    VERB_SHOW           # card
    VERB_CHOOSE         # seat
    VERB_TAX_GEM
    VERB_TAX_CARDS
    VERB_GIVE           # card


cdef inline uint32_t move_of(
        int verb, int role=0, int seat=0, int peasants=0, int jesters=0) noexcept nogil:
    return (<uint32_t>verb | <uint32_t>role << 8 | <uint32_t>seat << 16
            | <uint32_t>peasants << 24 | <uint32_t>jesters << 29)


cdef inline int verb_of(uint32_t move) noexcept nogil:
    return move & 255


cdef inline int role_of(uint32_t move) noexcept nogil:
    return move >> 8 & 255


cdef inline int seat_of(uint32_t move) noexcept nogil:
    return move >> 16 & 255


cdef inline int peasants_of(uint32_t move) noexcept nogil:
    return move >> 24 & 31


cdef inline int jesters_of(uint32_t move) noexcept nogil:
    return move >> 29
