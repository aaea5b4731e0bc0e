"""The terms of the evaluation of Knaves Out: what each seat has, in section 16 of the rules page.

A node within an action or a roll counts what is paid for and still to come: the piece to be placed,
the damage that the dice left are worth on average.
"""

from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count

from .cards cimport JACK, has_court, of_rank, wanted, wanted_soon
from .combat cimport is_lucky, ko_halves, ko_threshold, owner_at, roller_of, rolled_at
from .geometry cimport LANDING, are_cut_off, ko_to_coast, ko_way, neighbours, space_between
from .pieces cimport pair_of
from .state cimport (
    A, ATTACKED, BISHOP, DARK, FEAST, IVORY, J, K, KIND_BUILD, KIND_IVORY, KIND_RAISE, KIND_TRAIN,
    KING, KNIGHT, LASTING_MARKS, MAX_HAND, NOWHERE, Q, ROOK, SKIP, SOLDIERS, STAGE_FIND,
    STAGE_INSIGHT, STAGE_MAIN, STAGE_MIX, STAGE_PLACE, STAGE_REROLL, STAGE_SAC, TAINTED_KING, UPPER,
    Piece, Player, Rules, State, is_in, letter_on, on_square, owner_on)

cdef enum:
    USEFUL_HEIGHT = 8
    USEFUL_EACH = 4
    FAR = 16            # steps
    TOWER_POINTS = 11


cdef void ko_terms(const Rules* rules, const State* s, double* terms) noexcept nogil:
    cdef int seat
    memset(terms, 0, rules.num_seats * NUM_TERMS * sizeof(double))
    for seat in range(rules.num_seats):
        if s.players[seat].is_alive:
            add_seat(rules, s, seat, terms + seat * NUM_TERMS)
    add_pending(rules, s, terms)


# --- the terms of a seat --------------------------------------------------------------------------

cdef void add_seat(const Rules* rules, const State* s, int seat, double* terms) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef int rooks = pair_of(p, ROOK)
    add_court(p, terms)
    add_hand(rules, p, terms)
    add_pieces(rules, s, seat, terms)
    terms[FIRST_ROOK] = rooks > 0
    terms[SECOND_ROOK] = rooks > 1
    terms[OTHER_BUILDINGS] = pair_of(p, KNIGHT) + pair_of(p, BISHOP)
    terms[LASTING] = count(p.marks & LASTING_MARKS)
    terms[KEPT] = count(p.marks & (UPPER | FEAST))
    terms[DEVOURED] = count(p.effects)
    terms[LOST_TURN] = p.marks & SKIP != 0
    if s.ivory.stands and s.ivory.chosen == seat:
        terms[TARGET] = 1
        terms[TARGET_POINTS] = (10 - s.ivory.red - s.ivory.black) / <double>TOWER_POINTS


cdef void add_court(const Player* p, double* terms) noexcept nogil:
    cdef int tower, height
    terms[KNAVE_CARD] = p.towers[J].base != 0
    terms[QUEEN_CARD] = p.towers[Q].base != 0
    terms[KING_CARD] = p.towers[K].base != 0
    terms[WHOLE_COURT] = has_court(p)
    for tower in range(4):
        height = p.towers[tower].height
        terms[STACK_CARDS] += min(height, <int>USEFUL_HEIGHT)
        terms[LATE_CARDS] += max(0, height - USEFUL_HEIGHT)
    if has_court(p):
        height = min(p.towers[J].height, p.towers[Q].height, p.towers[K].height)
        if p.towers[A].base:
            height = min(height, p.towers[A].height)
        terms[EACH] = min(height, <int>USEFUL_EACH)


cdef void add_hand(const Rules* rules, const Player* p, double* terms) noexcept nogil:
    """Several cards of a rank are worth no more than one."""
    cdef uint64_t fitting = wanted(rules, p)
    cdef uint64_t soon = wanted_soon(p)
    cdef int tower, rank
    for rank in range(13):
        if fitting & of_rank(rank):
            terms[FITTING] += p.hand & of_rank(rank) != 0
            terms[IN_DECK] += p.deck & of_rank(rank) != 0
        elif soon & of_rank(rank):
            terms[SOON] += p.hand & of_rank(rank) != 0
    for tower in range(Q, A):
        if p.towers[tower].base == 0:
            terms[WANTED_COURT] += p.hand & of_rank(JACK + tower) != 0
    terms[JOKERS] = p.hand_jokers
    terms[DRAWS] = MAX_HAND - p.hand_size
    terms[STUCK] = p.hand_size == MAX_HAND and p.hand & fitting == 0 and (
        p.hand_jokers == 0 or p.deck & fitting == 0)


cdef void add_pieces(const Rules* rules, const State* s, int seat, double* terms) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef const Piece* piece
    cdef int i, points
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        points = 1 + piece.checkers
        if is_in(piece.letter, SOLDIERS):
            add_soldier(rules, s, seat, piece, terms)
            if s.active == seat + 1:
                add_threat(rules, s, seat, piece, terms)
        elif piece.letter == KING or piece.letter == TAINTED_KING:
            terms[KING_POINTS] = points
        else:
            terms[BUILDING_CHECKERS] += piece.checkers
    for i in range(20):
        if p.sea[i]:
            points = 1 + i // 2 % 5
            terms[SOLDIER_POINTS] += p.sea[i] * points
            terms[NUM_SOLDIERS] += p.sea[i]
            add_sailors(rules, s, seat, p.sea[i], points, terms)


cdef void add_sailors(
        const Rules* rules, const State* s, int seat, int number, int points,
        double* terms) noexcept nogil:
    """Soldiers at sea may land on any coast."""
    cdef int shortest = 1 << 10
    cdef int other
    for other in range(rules.num_seats):
        if other != seat and s.players[other].king != NOWHERE:
            shortest = min(shortest, LANDING + ko_to_coast(rules, s, s.players[other].king))
    terms[NEARNESS] += number * nearness(points, shortest)
    terms[REACH] += number * reach(points, shortest)


cdef inline double nearness(int points, int steps) noexcept nogil:
    return points * (1 - min(steps, <int>FAR) / <double>FAR)


cdef inline double reach(int points, int steps) noexcept nogil:
    return points / (1 + (steps - 1) / <double>points)


cdef inline void add_soldier(
        const Rules* rules, const State* s, int seat, const Piece* piece,
        double* terms) noexcept nogil:
    cdef int points = 1 + piece.checkers
    cdef int shortest = 1 << 10
    cdef int voyage = 1 << 10
    cdef int other, king
    terms[SOLDIER_POINTS] += points
    terms[NUM_SOLDIERS] += 1
    for other in range(rules.num_seats):
        king = s.players[other].king
        if king == NOWHERE:
            continue
        if are_cut_off(s, piece.square, king):
            if other != seat and piece.checkers:
                voyage = min(voyage, ko_way(rules, s, piece.square, king))
        elif other != seat:
            shortest = min(shortest, space_between(s, piece.square, king))
        elif space_between(s, piece.square, king) <= 2:
            terms[GUARD] += points
    if piece.checkers and voyage < 1 << 10:     # which costs one
        terms[NEARNESS] += max(nearness(points, shortest), nearness(points - 1, voyage))
        terms[REACH] += max(reach(points, shortest), reach(points - 1, voyage))
    else:
        terms[NEARNESS] += nearness(points, shortest)
        terms[REACH] += reach(points, shortest)
    if s.ivory.stands and s.ivory.chosen != seat and s.ivory.square >> 6 == piece.square >> 6:
        terms[HAZARD] += points
        if space_between(s, piece.square, s.ivory.square) == 1:
            terms[SIEGE] += points


cdef inline double mean_points(
        const Rules* rules, const State* s, int attacker, int target, double dice,
        bint has_upper, bint lucky) noexcept nogil:
    """The points that some dice are worth on average."""
    cdef int face = ko_threshold(rules, s, attacker, target, has_upper)
    cdef double hits = dice * (7.0 - face) / (5 if lucky else 6)
    return hits * 0.4 if ko_halves(rules, s, target) else hits


cdef inline void add_threat(
        const Rules* rules, const State* s, int seat, const Piece* piece,
        double* terms) noexcept nogil:
    """The best attack that an own soldier can still make this turn: on a king if it can."""
    cdef const Player* p = &s.players[seat]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef double best = 0
    cdef double points
    cdef int i, content, letter
    if piece.flags & ATTACKED or p.swayers:
        return
    for i in range(neighbours(rules, s, piece.square, &around, room)):
        content = on_square(s, around[i])
        letter = letter_on(content)
        if letter == DARK:
            if s.dark.chosen != seat:
                continue
        elif content == 0 or owner_on(content) == seat:
            continue
        points = mean_points(
            rules, s, piece.square, around[i], 1 + piece.checkers, p.marks & UPPER != 0,
            is_lucky(p))
        if letter == KING or letter == TAINTED_KING:
            terms[THREAT_KING] += points
            return
        best = max(best, points)
    terms[THREAT_OTHER] += best


# --- what is still to come at a node --------------------------------------------------------------

cdef void add_pending(const Rules* rules, const State* s, double* terms) noexcept nogil:
    cdef double* own = terms + (s.active - 1) * NUM_TERMS
    cdef int kind = s.context.kind
    if s.stage == STAGE_MAIN or s.active == 0:
        return
    if STAGE_INSIGHT <= s.stage <= STAGE_REROLL:
        add_roll(rules, s, terms)
    elif s.stage == STAGE_PLACE or s.stage == STAGE_MIX or s.stage == STAGE_SAC:
        if kind == KIND_TRAIN or kind == KIND_RAISE:
            own[SOLDIER_POINTS] += 1 + (pair_of(&s.players[s.active - 1], ROOK) == 2)
            own[NUM_SOLDIERS] += 1
        elif kind == KIND_BUILD:
            if s.context.letter != ROOK:
                own[OTHER_BUILDINGS] += 1
            elif own[FIRST_ROOK] == 0:
                own[FIRST_ROOK] = 1
            else:
                own[SECOND_ROOK] = 1
        elif kind == KIND_IVORY:
            own[TARGET] = 1
    elif s.stage == STAGE_FIND:
        own[STACK_CARDS] += s.context.left if s.context.left else 2


cdef void add_roll(const Rules* rules, const State* s, double* terms) noexcept nogil:
    """Take the mean damage of a roll from its target."""
    cdef int target = rolled_at(s)
    cdef int attacker = roller_of(s)
    cdef int letter = letter_on(on_square(s, target))
    cdef int face = ko_threshold(rules, s, attacker, target, s.context.upper)
    cdef const Player* roller = &s.players[owner_at(s, attacker)]
    cdef double points
    if letter == DARK:      # see `dark_odds`
        return
    points = hits_shown(s, face) * (0.5 if ko_halves(rules, s, target) else 1.0) + mean_points(
        rules, s, attacker, target, dice_left(s), s.context.upper, is_lucky(roller))
    terms += owner_at(s, target) * NUM_TERMS
    if letter == KING or letter == TAINTED_KING:
        terms[KING_POINTS] -= points
    elif letter == IVORY:
        terms[TARGET_POINTS] += points / TOWER_POINTS
    elif is_in(letter, SOLDIERS):
        terms[SOLDIER_POINTS] -= points
    else:
        terms[BUILDING_CHECKERS] -= points
