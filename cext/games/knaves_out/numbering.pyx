"""Numbers of the moves of Knaves Out, see `Game.action_index`: by verb, then by argument.

Only moves of decisions that the options allow have a number. On fixed boards a pair of squares is a
square and the place of the other one among its neighbours; where boards are placed, the squares of
a pair are on one board, or both at the edges of two.
"""

from .state cimport (
    A, BALANCE, BOARD_SHIFT, BUILD, CASTLE, CHARM, CHERRY, EXECUTE, FAILED, FORCE, FORTIFY, HAIL,
    INFIGHT, KNIGHT_UP, MAJESTY, MARRY, NO_TOWER, NUM_ACTIONS, NUM_CARDS, NUM_VERBS, PARLAY_UP,
    PAWN, ROOK, SURGE, SWAY, TAINT, UNPAWN, VERB_ACT, VERB_AT, VERB_ATTACK, VERB_BOARD,
    VERB_COURT, VERB_DARK, VERB_DIE, VERB_DRAW, VERB_FIND, VERB_FIRST, VERB_FROM, VERB_FUEL,
    VERB_INSIGHT, VERB_JOKER, VERB_KING, VERB_LAND, VERB_LAST, VERB_MOVE, VERB_ON, VERB_PLAY,
    VERB_RED, VERB_REDIR, VERB_REROLL, VERB_SAIL, VERB_STEP, VERB_UNDER, VERB_WAIVE, act_of,
    action_of, first_of, is_by_joker, move_of, second_of, verb_of)

# What a verb or an action names.
cdef enum Shape:
    NOTHING
    CHANCE_ONLY     # no number
    ONE_SQUARE
    TWO_SQUARES
    ONE_SEAT
    ONE_CARD
    CARD_AND_TOWER
    ONE_TOWER
    TOWER_OR_NONE   # or NO_TOWER
    COURT_OR_NONE   # the same without A
    TWO_TOWERS
    SEAT_AND_TOWER
    COURT_CARD      # of hail and marry
    BUILDING        # ROOK, KNIGHT, BISHOP
    SAILOR          # PAWN or UNPAWN, checkers
    SMALL_NUMBER    # 0 to 10
    FACE            # 1 to 6
    COORDINATES

cdef enum:
    EDGE_SQUARES = 28
    NUM_TOWERS = 4
    TOWERS_AND_NONE = 5
    SMALL_NUMBERS = 11
    FACES = 6
    FILE_LENGTH = 8


cdef int shape_of_verb(int verb) noexcept nogil:
    if verb in (VERB_FIRST, VERB_DRAW, VERB_DIE):
        return CHANCE_ONLY
    if verb in (
            VERB_KING, VERB_SAIL, VERB_AT, VERB_ON, VERB_STEP, VERB_FROM, VERB_INSIGHT, VERB_REDIR):
        return ONE_SQUARE
    if verb in (VERB_MOVE, VERB_ATTACK, VERB_LAST):
        return TWO_SQUARES
    if verb in (VERB_FUEL, VERB_PLAY, VERB_JOKER, VERB_FIND):
        return CARD_AND_TOWER
    if verb == VERB_UNDER:
        return COURT_OR_NONE
    if verb == VERB_WAIVE:
        return ONE_TOWER
    if verb == VERB_RED:
        return SMALL_NUMBER
    if verb == VERB_REROLL:
        return FACE
    if verb == VERB_BOARD:
        return COORDINATES
    if verb == VERB_COURT:
        return ONE_CARD
    if verb == VERB_LAND:
        return SAILOR
    return ONE_SEAT if verb == VERB_DARK else NOTHING


cdef int shape_of_action(int action) noexcept nogil:
    if action in (
            FORTIFY, CHARM, EXECUTE, KNIGHT_UP, TAINT, SURGE, FAILED, CHERRY, CASTLE):
        return ONE_SQUARE
    if action in (HAIL, MARRY):
        return COURT_CARD
    if action in (SWAY, MAJESTY):
        return ONE_SEAT
    if action == BUILD:
        return BUILDING
    if action == FORCE:
        return SEAT_AND_TOWER
    if action == INFIGHT:
        return TWO_TOWERS
    if action == PARLAY_UP:
        return TOWER_OR_NONE
    return TWO_SQUARES if action == BALANCE else NOTHING


cdef int reach_of(const Rules* rules) noexcept nogil:
    """The farthest coordinate of a placed board."""
    return FILE_LENGTH * (rules.num_seats - 1)


cdef int size_of(const Rules* rules, const Numbering* numbering, int shape) noexcept nogil:
    """How many moves of a shape there are; needs `Numbering.pair_at`."""
    cdef int squares = 64 * rules.num_seats
    if shape == NOTHING:
        return 1
    if shape == ONE_SQUARE:
        return squares
    if shape == TWO_SQUARES and not rules.places_boards:
        return numbering.pair_at[squares]
    if shape == TWO_SQUARES:
        return squares * 64 + (
            rules.num_seats * (rules.num_seats - 1) * EDGE_SQUARES * EDGE_SQUARES)
    if shape == ONE_SEAT:
        return rules.num_seats
    if shape == ONE_CARD:
        return NUM_CARDS
    if shape == CARD_AND_TOWER:
        return NUM_CARDS * NUM_TOWERS
    if shape == ONE_TOWER:
        return NUM_TOWERS
    if shape == TOWER_OR_NONE:
        return TOWERS_AND_NONE
    if shape == COURT_OR_NONE:
        return TOWERS_AND_NONE - 1
    if shape == TWO_TOWERS:
        return NUM_TOWERS * NUM_TOWERS
    if shape == SEAT_AND_TOWER:
        return rules.num_seats * NUM_TOWERS
    if shape == COURT_CARD:
        return 2 * 4
    if shape == BUILDING:
        return 3
    if shape == SAILOR:
        return 2 * 5
    if shape == SMALL_NUMBER:
        return SMALL_NUMBERS
    if shape == FACE:
        return FACES
    if shape == COORDINATES and rules.places_boards:
        return (2 * reach_of(rules) + 1) * (2 * reach_of(rules) + 1)
    return 0


cdef int ko_number_moves(const Rules* rules, Numbering* numbering) noexcept nogil:
    cdef int number = 0
    cdef int i
    for i in range(64 * rules.num_seats):
        numbering.pair_at[i] = number
        number += rules.num_around[i]
    numbering.pair_at[64 * rules.num_seats] = number
    number = 0
    for i in range(NUM_ACTIONS):
        numbering.act_at[i] = number
        number += size_of(rules, numbering, shape_of_action(i))
    numbering.act_at[NUM_ACTIONS] = number
    number = 0
    for i in range(NUM_VERBS):
        numbering.verb_at[i] = number
        number += (
            numbering.act_at[NUM_ACTIONS] if i == VERB_ACT
            else size_of(rules, numbering, shape_of_verb(i)))
    numbering.verb_at[NUM_VERBS] = number
    return number


# --- a move to its number -------------------------------------------------------------------------

cdef int ko_action_index(
        const Rules* rules, const Numbering* numbering, uint32_t move) noexcept nogil:
    cdef int verb = verb_of(move)
    if verb != VERB_ACT:
        return numbering.verb_at[verb] + place_in(rules, numbering, shape_of_verb(verb), move)
    return (
        numbering.verb_at[verb] + numbering.act_at[action_of(move)]
        + place_in(rules, numbering, shape_of_action(action_of(move)), move))


cdef int place_in(
        const Rules* rules, const Numbering* numbering, int shape, uint32_t move) noexcept nogil:
    """The number of a move among those of its shape."""
    cdef int first = first_of(move)
    cdef int second = second_of(move)
    cdef int reach = reach_of(rules)
    if shape == TWO_SQUARES:
        return place_of_pair(rules, numbering, first, second)
    if shape == CARD_AND_TOWER or shape == TWO_TOWERS or shape == SEAT_AND_TOWER:
        return NUM_TOWERS * first + second
    if shape == COURT_CARD:
        return (first & 3) + 4 * is_by_joker(move)
    if shape == BUILDING:
        return first - ROOK
    if shape == SAILOR:
        return 5 * (first == UNPAWN) + second
    if shape == COURT_OR_NONE:
        return min(first, <int>A)
    if shape == FACE:
        return first - 1
    if shape == COORDINATES:
        return (first - BOARD_SHIFT + reach) * (2 * reach + 1) + second - BOARD_SHIFT + reach
    return first


cdef int edge_place(int square) noexcept nogil:
    """The number of a square among those at the edge of its board: files a, b, ..., h."""
    cdef int file = square >> 3 & 7
    cdef int rank = square & 7
    if file == 0:
        return rank
    if file == FILE_LENGTH - 1:
        return EDGE_SQUARES - FILE_LENGTH + rank
    return FILE_LENGTH + 2 * (file - 1) + (rank != 0)


cdef int place_of_pair(
        const Rules* rules, const Numbering* numbering, int first, int second) noexcept nogil:
    cdef int board = first >> 6
    cdef int other = second >> 6
    cdef int k
    if not rules.places_boards:
        for k in range(rules.num_around[first]):
            if rules.around[first][k] == second:
                return numbering.pair_at[first] + k
        return numbering.pair_at[first]
    if board == other:
        return first * 64 + (second & 63)
    other -= other > board
    return rules.num_seats * 64 * 64 + (
        (board * (rules.num_seats - 1) + other) * EDGE_SQUARES + edge_place(first)
    ) * EDGE_SQUARES + edge_place(second)


# --- a number to its move -------------------------------------------------------------------------

cdef uint32_t ko_action_at(
        const Rules* rules, const Numbering* numbering, int index) noexcept nogil:
    cdef int verb = 0
    cdef int action = 0
    while index >= numbering.verb_at[verb + 1]:
        verb += 1
    index -= numbering.verb_at[verb]
    if verb != VERB_ACT:
        return move_of(verb) | arguments_at(
            rules, numbering, shape_of_verb(verb), VERB_ACT, index)
    while index >= numbering.act_at[action + 1]:
        action += 1
    return act_of(action) | arguments_at(
        rules, numbering, shape_of_action(action), action, index - numbering.act_at[action])


cdef uint32_t arguments_at(
        const Rules* rules, const Numbering* numbering, int shape, int action,
        int place) noexcept nogil:
    """The bits of the arguments of a move."""
    cdef int reach = reach_of(rules)
    if shape == TWO_SQUARES:
        return pair_at(rules, numbering, place)
    if shape == CARD_AND_TOWER or shape == TWO_TOWERS or shape == SEAT_AND_TOWER:
        return move_of(0, place // NUM_TOWERS, place % NUM_TOWERS)
    if shape == COURT_CARD:
        return act_of(0, 4 * (11 if action == MARRY else 12) + place % 4, 0, place >= 4) & ~63
    if shape == BUILDING:
        return move_of(0, ROOK + place)
    if shape == SAILOR:
        return move_of(0, UNPAWN if place >= 5 else PAWN, place % 5)
    if shape == COURT_OR_NONE:
        return move_of(0, NO_TOWER if place == A else place)
    if shape == FACE:
        return move_of(0, place + 1)
    if shape == COORDINATES:
        return move_of(
            0, place // (2 * reach + 1) - reach + BOARD_SHIFT,
            place % (2 * reach + 1) - reach + BOARD_SHIFT)
    return move_of(0, place)


cdef int edge_square(int place) noexcept nogil:
    """The square (of 64) of a number of `edge_place`."""
    if place < FILE_LENGTH:
        return place
    if place >= EDGE_SQUARES - FILE_LENGTH:
        return 8 * (FILE_LENGTH - 1) + place - (EDGE_SQUARES - FILE_LENGTH)
    place -= FILE_LENGTH
    return 8 * (1 + place // 2) + (FILE_LENGTH - 1 if place % 2 else 0)


cdef uint32_t pair_at(
        const Rules* rules, const Numbering* numbering, int place) noexcept nogil:
    cdef int within = rules.num_seats * 64 * 64
    cdef int first = 0
    cdef int second, board, other
    if not rules.places_boards:
        while place >= numbering.pair_at[first + 1]:
            first += 1
        return move_of(0, first, rules.around[first][place - numbering.pair_at[first]])
    if place < within:
        return move_of(0, place // 64, place // 64 // 64 * 64 + place % 64)
    place -= within
    second = edge_square(place % EDGE_SQUARES)
    place //= EDGE_SQUARES
    first = edge_square(place % EDGE_SQUARES)
    place //= EDGE_SQUARES
    board = place // (rules.num_seats - 1)
    other = place % (rules.num_seats - 1)
    other += other >= board
    return move_of(0, 64 * board + first, 64 * other + second)
