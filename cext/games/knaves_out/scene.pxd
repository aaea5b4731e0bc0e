"""What the policy of Knaves Out looks at once for all moves of a decision; see the .pyx."""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from kingmaker.cext.game cimport MOVES_ROOM

from .geometry cimport EDGE, Spot, neighbours
from .pieces cimport piece_at
from .policy_rows cimport NUM_FOES, NUM_MOVE_SORTS, NUM_NEAR, NUM_POINTS
from .state cimport (
    DARK, IVORY, KING, SOLDIERS, STAGE_MAIN, VERB_JOKER, VERB_MOVE, VERB_PLAY, Player, Rules,
    State, first_of, is_in, letter_on, on_square, owner_on, squares_of, verb_of)

cdef enum:
    NUM_STEPPED = 256   # by the first eight bits of a hash

# What was done since the last look.
cdef enum:
    ANYTHING
    STEPS
    CARDS

# A piece before its step.
cdef struct Stand:
    int square          # -1: none yet
    int letter
    int points
    bint attacked
    bint is_by_king     # next to the own one, or there
    bint is_cut_off     # from the king of the nearest enemy
    int to_king         # steps
    int to_threat
    int post

# A step that was weighed, kept for the next look.
cdef struct Stepped:
    uint32_t move
    uint32_t look       # at which it was legal last
    double weight       # the product of its rows without those of its sort

# What a playout remembers of the last look at `main`.
cdef struct Recall:
    int num_moves
    uint32_t[MOVES_ROOM] moves          # of pieces, `ko_piece_moves`
    Stepped[NUM_STEPPED] steps          # by hash of the move

cdef struct Scene:
    # What every look sets anew.
    const Player* me
    int standing
    int soldiers        # range
    int own_points      # checkers of the own king, less one
    int court           # cards of it in play
    int type            # of the court, a `Court`
    int each
    int means           # class of the court, each
    int lowest          # height of a court tower
    int playable        # ranks in hand that fit
    bint has_act
    Stand stand         # of the last step looked at
    # What stays as it is while the seat moves quietly, from here on.
    int seat            # that looks
    int enemy           # nearest
    int king            # its square, or NOWHERE
    int own_king
    int threat          # square of the nearest soldier near the own king or Tower, or -1
    int danger
    int foe_points      # checkers of the king of the nearest enemy, less one
    int rival_means     # its class of the court, each
    int reach           # this and the next two change with steps
    int attackers       # own soldiers that can attack now
    int movers          # that have a step left
    Spot to_king        # of `king`, `own_king` and `threat`
    Spot to_own
    Spot to_threat
    # What is remembered from one look to the next.
    int[7] rows         # of all moves of the first sort at `main`
    uint64_t weighed    # the sorts whose `weights` are known for these rows, by bit
    double[NUM_MOVE_SORTS] weights      # products of the rows of sorts
    uint32_t look       # its number, two more than that of the last look after ANYTHING
    int done            # since the last look, one of the above
    Recall* recall      # or NULL

# Begin to look at positions.
cdef void ko_begin_scene(Scene* out, Recall* recall) noexcept nogil

# Look at the position of the seat that is to decide.
cdef void ko_look(const Rules* rules, const State* s, Scene* out) noexcept nogil

# The same after moves of that seat that are quiet, at the scene that it looked at before.
cdef void ko_look_again(const Rules* rules, const State* s, Scene* out) noexcept nogil


# --- readings -------------------------------------------------------------------------------------

cdef inline int done_by(const State* s, uint32_t move) noexcept nogil:
    """What a move changes of the things that a scene keeps: enemies, kings and the Two Towers.

    Cards that are played change none of it, nor do steps of soldiers without an Ivory Tower.
    """
    cdef int verb = verb_of(move)
    if s.stage != STAGE_MAIN:
        return ANYTHING
    if verb == VERB_PLAY or verb == VERB_JOKER:
        return CARDS
    if verb == VERB_MOVE and not s.ivory.stands and is_in(
            letter_on(on_square(s, first_of(move))), SOLDIERS):
        return STEPS
    return ANYTHING


cdef inline int most(int value, int number) noexcept nogil:
    """A value of so many that are told apart."""
    return value if value < number else number - 1


cdef inline int near(int steps) noexcept nogil:
    """Steps that are told apart."""
    return most(steps, NUM_NEAR)


cdef inline int points_on(const State* s, int square) noexcept nogil:
    """The checkers under what stands on a square: with none it falls by the next point."""
    cdef int content = on_square(s, square)
    cdef const Player* p = &s.players[owner_on(content)]
    if letter_on(content) == IVORY:
        return most(s.ivory.red + s.ivory.black, NUM_POINTS)
    if letter_on(content) == DARK:
        return most(s.dark.red + s.dark.black, NUM_POINTS)
    return p.pieces[piece_at(p, square)].checkers if content else 0


cdef inline int sort_on(const State* s, int square) noexcept nogil:
    """A letter; for the Dark Tower that of kings."""
    cdef int letter = letter_on(on_square(s, square))
    return <int>KING if letter == DARK else letter


cdef inline int turn_of(int before, int after) noexcept nogil:
    """0 closer, 1 as near, 2 farther."""
    return 1 + (after > before) - (after < before)


cdef inline bint is_red(int card) noexcept nogil:
    """Of the suits clubs, diamonds, hearts and spades, 0 to 3."""
    return (card ^ card >> 1) & 1


cdef inline int sights_at(const Rules* rules, const State* s, int square) noexcept nogil:
    """Enemy soldiers next to a square, and NUM_FOES more if there is something to attack."""
    cdef const uint8_t* corner
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = 0
    cdef int i
    if not EDGE >> (square & 63) & 1:
        corner = &squares_of(s)[square - 9]
        if not (corner[0] | corner[1] | corner[2] | corner[8] | corner[10] | corner[16]
                | corner[17] | corner[18]):
            return 0
        for i in range(3):
            found += sight_of(s, corner[i]) + sight_of(s, corner[16 + i])
        found += sight_of(s, corner[8]) + sight_of(s, corner[10])
    else:
        for i in range(neighbours(rules, s, square, &around, room)):
            found += sight_of(s, on_square(s, around[i]))
    return most(found & 15, NUM_FOES) + NUM_FOES * (found > 15)


cdef inline int sight_of(const State* s, int content) noexcept nogil:
    """16 for something to attack, and 1 more for an enemy soldier."""
    if content == 0:
        return 0
    if s.dark.chosen == s.node if letter_on(content) == DARK else owner_on(content) != s.node:
        return 16 + is_in(letter_on(content), SOLDIERS)
    return 0
