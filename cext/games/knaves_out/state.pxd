"""The structs of Knaves Out: moves, the state that is also its observations, and the options.

Seats and boards count from 0 here; board N is that of seat N. A square is
64 * board + 8 * file + rank, so that squares ascend in square order. A card is 4 * rank + suit with
ranks a = 0 to k = 12 and suits c, d, h, s = 0 to 3, so that cards ascend in canonical order; a set
of cards is a mask without Jokers, which are counted beside it.

A state is canonical: equal states have equal bytes, so every byte that its stage does not use is 0
(another value only where a comment says so), and pieces are sorted. A game of n seats has only the
first n of `State.players`, with the squares of their boards right behind them
(`Rules.state_bytes`).
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    SEATS = 8
    SQUARES = 512       # of eight boards
    MAX_PIECES = 23     # of a player: a king, two of each other building, 16 soldiers (R1.3)
    MAX_RECORDS = 10    # R13.4
    MAX_HAND = 10
    NUM_CARDS = 52      # without Jokers
    JOKER = 52          # the card of a move or outcome
    HIDDEN_CARD = 63    # `draw:?`
    TOWER_CHECKERS = 10     # that one of the Two Towers takes (R11.1)
    NOWHERE = 0xFFFF    # `Player.king` of a player without one, `State.sha` of a pawn that is gone
    NO_PRICE = 255      # `Context.price`: a tower that the price does not concern
    NOBODY = 255        # `State.observer` of a full state
    FULL_HEIGHT = 13    # of a stack on J, Q or K; on A the stack has at most 12 cards

cdef extern from *:
    """
    #define KO_ALL_CARDS 0xFFFFFFFFFFFFFull
    """
    const uint64_t ALL_CARDS "KO_ALL_CARDS"


# Letters of pieces; what a square holds is letter | owner << 4, or 0 if it is empty.
cdef enum:
    NO_LETTER
    KING
    ROOK
    KNIGHT
    BISHOP
    PAWN
    TAINTED_KING        # tainted: + 5
    TAINTED_ROOK
    TAINTED_KNIGHT
    TAINTED_BISHOP
    UNPAWN
    IVORY               # owner: its Chosen One; not among anybody's pieces
    DARK                # owner: 0, as it belongs to nobody; not among anybody's pieces

cdef enum:              # sets of letters, by bit
    SOLDIERS = 1 << PAWN | 1 << UNPAWN
    TAINTED_BUILDINGS = (
        1 << TAINTED_KING | 1 << TAINTED_ROOK | 1 << TAINTED_KNIGHT | 1 << TAINTED_BISHOP)
    BUILDINGS = 1 << KING | 1 << ROOK | 1 << KNIGHT | 1 << BISHOP | TAINTED_BUILDINGS

cdef enum:              # towers
    J
    Q
    K
    A
    NO_TOWER            # of `act:parlay:-`

cdef enum Suit:
    CLUBS
    DIAMONDS
    HEARTS
    SPADES

cdef enum Mark:         # bits of `Player.marks`, in the order of R14.2
    RUSH = 1 << 0
    SEABREEZE = 1 << 1
    BLACKSAILS = 1 << 2
    LUCK = 1 << 3
    PUNCHES = 1 << 4
    CONSPIRE = 1 << 5
    DEFEND = 1 << 6
    ENDED = 1 << 7
    PLAYED = 1 << 8
    OWN_TURN_MARKS = (1 << 9) - 1                   # R4.7
    SUMMER = 1 << 9
    FRENZY = 1 << 10
    INSIGHT = 1 << 11
    PARLAY = 1 << 12
    LIONHEART = 1 << 13
    SHIELD = 1 << 14
    THORNS = 1 << 15
    REDIRECT = 1 << 16
    BLESSING = 1 << 17
    LASTING_MARKS = (1 << 18) - (1 << 9)            # R4.8
    UPPER = 1 << 18
    FEAST = 1 << 19
    CASTLED = 1 << 20
    SKIP = 1 << 21
    SKIPPED = 1 << 22

cdef enum Effect:       # of devoured stacks; bits of `Player.effects`
    MOTORHEAD = 1       # J
    HEART_ATTACK = 2    # J: `sha`
    LADY_LUCK = 4       # Q
    ICE_QUEEN = 8       # Q
    LICH_KING = 16      # K
    CRIMSON = 32        # K

cdef enum Stage:        # the nodes of section 5, in the order of its table
    STAGE_FIRST
    STAGE_BOARD
    STAGE_KING
    STAGE_COURT_J
    STAGE_COURT_Q
    STAGE_COURT_K
    STAGE_UNDER
    STAGE_FUEL
    STAGE_SHUFFLE
    STAGE_DRAW
    STAGE_MAIN
    STAGE_WAIVE
    STAGE_FIND
    STAGE_PLACE
    STAGE_TARGET
    STAGE_CHARM
    STAGE_TAINT
    STAGE_MIX
    STAGE_SAC
    STAGE_INSIGHT
    STAGE_PARLAY
    STAGE_ROLL
    STAGE_LIONHEART
    STAGE_REROLL
    STAGE_REDIRECT
    STAGE_KEEP
    STAGE_END

cdef enum Kind:         # `k` of a context
    NO_KIND
    KIND_TRAIN          # PLACE
    KIND_RAISE
    KIND_BUILD
    KIND_FAILED
    KIND_LAND
    KIND_IVORY          # PLACE, MIX, SAC
    KIND_DARK
    KIND_TAX            # FIND
    KIND_SERVANT
    KIND_POISON         # TAINT
    KIND_CHARM
    KIND_ATTACK         # REDIRECT
    KIND_THORNS
    KIND_EXECUTE
    KIND_HAZARD

# R14.3; each field with the stages that have it and its key there. Squares and seats are plain
# numbers from 0.
cdef struct Context:
    uint32_t pending    # WAIVE `act`: the ACT move; REDIRECT hazard `step`: the MOVE or SAIL move
    uint16_t attacker   # `a` of INSIGHT to REDIRECT (attack, thorns): its square
    uint16_t target     # `t`
    uint16_t square     # PLACE failed, CHARM, TAINT charm: `p`; TARGET `o`; REDIRECT `on`
    uint8_t kind        # a `Kind`
    uint8_t letter      # PLACE build `b`: ROOK, KNIGHT, BISHOP; land `s`: PAWN, UNPAWN
    uint8_t tower       # FUEL, FIND tax: `t`, a tower
    uint8_t number      # UNDER `n`; FUEL `r` (a rank from 0); PLACE land: the checkers of `s`
    uint8_t left        # WAIVE, FIND servant, CHARM `left`; REDIRECT `dmg`
    uint8_t seat        # DRAW `p`; MIX, SAC dark `e`; REROLL `by`
    uint8_t wind        # DRAW `w`
    uint8_t first       # CHARM `first`
    uint8_t red         # PLACE of a Tower, SAC: `r`
    uint8_t black       # and `b`
    uint8_t last        # `b` of the nodes of an attack: 1 for `last:`
    uint8_t counter     # `r`: 1 for counter
    uint8_t upper       # ROLL, LIONHEART, REROLL: `u`
    uint8_t num_dice    # `n`
    uint8_t thorns      # REDIRECT attack, thorns: `th`
    uint8_t colour      # WAIVE `col`: a `Colour`
    uint8_t winners     # END: mask of the seats that share the win equally
    uint8_t unused      # always 0
    uint8_t[6] faces    # `d`: number of dice that show face 1, ..., 6
    uint8_t[4] price    # WAIVE `v`: by tower, NO_PRICE for those it does not concern
    uint16_t unused2    # always 0

cdef enum Colour:       # of a payment
    ANY_COLOUR
    RED
    BLACK

cdef struct GreatTower:     # one of the Two Towers; all 0 while it does not stand
    uint16_t square
    uint8_t stands
    uint8_t chosen      # Chosen One
    uint8_t enemy       # of the Dark Tower
    uint8_t red
    uint8_t black
    uint8_t unused      # always 0

cdef enum PieceFlag:
    ATTACKED = 1
    CLEANSED = 2
    SURGED = 4

cdef struct Piece:
    uint16_t square
    uint8_t letter
    uint8_t checkers
    uint8_t steps       # used this turn
    uint8_t flags       # bits of `PieceFlag`

# Level i of a stack (from 0) has rank i on J, Q, K and i + 1 on A. `suits` has two bits a level.
cdef struct Devoured:
    uint32_t suits      # of 13 levels
    uint16_t jokers     # bit i: a Joker under the card of level i
    uint8_t effect      # an `Effect`; 0: none
    uint8_t unused      # always 0

cdef struct Tower:
    uint32_t suits
    uint16_t jokers
    uint8_t base        # card + 1; 0: none
    uint8_t tainted     # a Joker lies under the base
    uint8_t height
    uint8_t unused      # always 0
    uint16_t unused2    # always 0
    Devoured[2] devoured    # by effect, those there first

# `deck` is what remains of the 54 cards. In an observation hand and deck of other seats (and their
# Jokers) are 0; `hand_size` stays.
cdef struct Player:
    uint64_t hand
    uint64_t deck
    uint64_t discard
    uint64_t[10] record_mask    # R13.4, oldest first
    uint8_t[10] record_floor    # 0: no such record
    uint8_t hand_jokers
    uint8_t deck_jokers
    uint8_t discard_jokers
    uint8_t hand_size   # with Jokers
    uint8_t swayers     # mask of seats
    uint8_t is_alive
    Tower[4] towers
    uint32_t marks      # bits of `Mark`
    uint8_t is_placed   # the board
    uint8_t effects     # in force: the devoured ones; follows from `towers`
    uint8_t[20] sea     # number of soldiers by kind, checkers, fresh: see `at_sea`
    # These follow from the pieces.
    uint16_t king       # square, or NOWHERE
    uint8_t unused_red
    uint8_t unused_black
    uint8_t[11] number  # of pieces by letter, soldiers at sea included; number[0] is 0
    uint8_t num_pieces  # on land
    Piece[23] pieces    # sorted by square; the rest is 0
    uint16_t[2] unused  # always 0

cdef struct State:
    uint32_t turn
    uint8_t stage       # a `Stage`
    int8_t node         # the seat asked, CHANCE or TERMINAL
    uint8_t first       # seat + 1; 0: not known yet
    uint8_t active      # seat + 1; 0: in the setup
    uint8_t acts        # actions taken this turn
    uint8_t observer    # seat + 1, 0 for a spectator, NOBODY: a full state
    uint8_t island      # board + 1; 0: none. The Ivory Tower is used and gone exactly if it is set
    uint8_t cleansed    # the same for the Dark Tower
    uint16_t mover      # square + 1; 0: none (R4.9)
    # By seat with that effect in force: permission of this turn (R8.9): 0 unused, else square + 1
    # of the pawn that holds it, or NOWHERE if the pawn has left the board.
    uint16_t[8] sha
    uint16_t squares_at     # bytes, `Rules.squares_at`; 0 only while the state is blank
    GreatTower ivory
    GreatTower dark
    Context context
    int8_t[8] x         # of the lower left corners of boards
    int8_t[8] y
    Player[8] players   # those of the game; then come their squares, see `squares_of`
    uint8_t[512] room   # for that

cdef enum AceTower:     # option `aos`
    AOS_COURT
    AOS_DEVOUR
    AOS_OFF

cdef struct Rules:      # the options of section 12, and tables
    uint32_t state_bytes
    uint32_t max_turns
    uint16_t squares_at     # where the squares are in a state
    uint8_t num_seats
    uint8_t fixed_first     # seat + 1; 0: rolled
    bint is_ccw
    bint places_boards      # layout=place
    bint fixes_kings
    bint has_court          # start_court
    bint has_jokers         # start_jokers
    bint has_fuel
    bint takes_present      # each=present
    uint8_t aos             # an `AceTower`
    bint has_great_towers
    bint spares_own         # friendly_fire=off
    bint ranks_at_limit
    int8_t[8] x             # of the boards, layout=fixed
    int8_t[8] y
    uint16_t[8] king        # kings=fixed
    # layout=fixed, without regard to islands: the adjacent squares in square order.
    uint8_t[512] num_around
    uint16_t[512][8] around


# --- moves ----------------------------------------------------------------------------------------

# Bits 0-5 the verb, 6-11 the action of ACT, 12-20 the first argument, 21-29 the second, 30 `jo:` of
# hail and marry. Arguments, 0 if not named:
#   FIRST, DARK: seat. BOARD: x + BOARD_SHIFT, y + BOARD_SHIFT. COURT, DRAW: card. UNDER: tower,
#   NO_TOWER for `none`. FUEL, PLAY, JOKER_PLAY, FIND: card, tower. WAIVE: tower.
#   KING_AT, SAIL, AT, ON, STEP, FROM, INSIGHT_TO, REDIR: square. MOVE, ATTACK, LAST: from, to.
#   LAND: PAWN or UNPAWN, checkers. DIE, REROLL: face 1 to 6. RED_OF: number.
#   ACT by action: hail, marry: card; build: ROOK, KNIGHT, BISHOP; sway, majesty: seat;
#   force: seat, tower; infight: two towers; parlay: tower or NO_TOWER; balance: two squares;
#   fortify charm execute knight taint surge failed cherry castle: square.
cdef enum:              # verbs
    VERB_FIRST
    VERB_BOARD
    VERB_KING
    VERB_COURT
    VERB_UNDER
    VERB_FUEL
    VERB_SHUFFLE
    VERB_KEEP
    VERB_DRAW
    VERB_PLAY
    VERB_JOKER
    VERB_ACT
    VERB_MOVE
    VERB_SAIL
    VERB_LAND
    VERB_ATTACK
    VERB_LAST
    VERB_IVORY
    VERB_DARK
    VERB_END_TURN
    VERB_WAIVE
    VERB_FIND
    VERB_SKIP
    VERB_AT
    VERB_ON
    VERB_STEP
    VERB_STOP
    VERB_DIE
    VERB_RED
    VERB_FROM
    VERB_INSIGHT
    VERB_PASS           # insight, parlay, lionheart
    VERB_PARLAY
    VERB_REROLL
    VERB_REDIR
    VERB_TAKE
    VERB_DISCARD_HAND
    VERB_KEEP_HAND
    NUM_VERBS

cdef enum:
    BOARD_SHIFT = 256   # coordinates of -256 to 255 can be packed

cdef enum:              # actions, in the order of the tables of R7
    HAIL
    TAX
    BUILD
    FORTIFY
    POISON
    CHARM
    EXECUTE
    SWAY
    MARRY
    KNIGHT_UP           # knight
    FEAST_UP            # feast
    MAJESTY
    UPPER_HAND          # upper
    TRAIN
    DEFEND_UP           # defend
    BLESS               # blessing
    RAISE
    BLACKSAILS_UP       # blacksails
    TAINT
    UNDEAD
    LICH
    LUCK_UP             # luck
    WIND
    PUNCHES_UP          # punches
    LADYLUCK
    SERVANT
    SURGE
    FORCE
    MOTORHEAD_UP        # motorhead
    INFIGHT
    FAILED
    CONSPIRE_UP         # conspire
    CHERRY
    RUSH_UP             # rush
    SEABREEZE_UP        # seabreeze
    SUMMER_UP           # summer
    FRENZY_UP           # frenzy
    CRIMSON_UP          # crimson
    LIONHEART_UP        # lionheart
    INSIGHT_UP          # insight
    PARLAY_UP           # parlay
    SHA
    CASTLE
    SHIELD_UP           # shield
    THORNS_UP           # thorns
    ICEQUEEN
    BALANCE
    REDIRECT_UP         # redirect
    BOISTER
    NUM_ACTIONS


cdef inline uint32_t move_of(int verb, int first=0, int second=0) noexcept nogil:
    return <uint32_t>(verb | first << 12 | second << 21)


cdef inline uint32_t act_of(
        int action, int first=0, int second=0, bint by_joker=False) noexcept nogil:
    return <uint32_t>(VERB_ACT | action << 6 | first << 12 | second << 21 | by_joker << 30)


cdef inline int verb_of(uint32_t move) noexcept nogil:
    return move & 63


cdef inline int action_of(uint32_t move) noexcept nogil:
    return move >> 6 & 63


cdef inline int first_of(uint32_t move) noexcept nogil:
    return move >> 12 & 511


cdef inline int second_of(uint32_t move) noexcept nogil:
    return move >> 21 & 511


cdef inline bint is_by_joker(uint32_t move) noexcept nogil:
    return move >> 30 & 1


# --- small readings -------------------------------------------------------------------------------

cdef inline int at_sea(int letter, int checkers, bint is_fresh) noexcept nogil:
    """The index in `Player.sea` of PAWN or UNPAWN."""
    return (letter == UNPAWN) * 10 + checkers * 2 + is_fresh


cdef inline bint is_in(int letter, int letters) noexcept nogil:
    """Whether a letter is in a set of letters, as SOLDIERS."""
    return letters >> letter & 1


cdef inline uint8_t* squares_of(const State* s) noexcept nogil:
    """What stands on each square: letter | owner << 4, or 0; it follows from the pieces."""
    return <uint8_t*>s + s.squares_at


cdef inline int on_square(const State* s, int square) noexcept nogil:
    """What stands on a square: letter | owner << 4, or 0."""
    return squares_of(s)[square]


cdef inline int letter_on(int content) noexcept nogil:
    return content & 15


cdef inline int owner_on(int content) noexcept nogil:
    return content >> 4


cdef inline int card_of(int tower, int level, uint32_t suits) noexcept nogil:
    """The card of a level (from 0) of a stack."""
    return 4 * (level + (tower == A)) + (suits >> 2 * level & 3)
