"""Evaluation of Knaves Out: terms of each seat, and the win shares that their weighted sums give.

The terms are those of section 16 of the rules page. A seat's strength is the sum of its terms times
`WEIGHTS`, and the win shares are the softmax of the strengths of all living seats. While the Dark
Tower stands they are those after its end, one way or the other, by the odds of that.

A node within an action or a roll counts what is paid for and still to come: the piece to be placed,
the damage that the dice left are worth on average.
"""

from libc.math cimport exp
from libc.stdint cimport uint16_t, uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count

from .cards cimport JACK, has_court, next_rank, of_rank, wanted
from .combat cimport is_lucky, ko_halves, ko_threshold, owner_at, roller_of, rolled_at
from .geometry cimport LANDING, are_cut_off, ko_to_coast, ko_way, neighbours, space_between
from .pieces cimport pair_of
from .rules cimport ko_returns
from .state cimport (
    A, ATTACKED, BISHOP, DARK, FEAST, IVORY, J, K, KIND_BUILD, KIND_DARK, KIND_IVORY, KIND_RAISE,
    KIND_TRAIN, KING, KNIGHT, LASTING_MARKS, MAX_HAND, NOWHERE, Q, ROOK, SKIP, SOLDIERS,
    STAGE_END, STAGE_FIND, STAGE_INSIGHT, STAGE_MAIN, STAGE_MIX, STAGE_PARLAY,
    STAGE_PLACE, STAGE_REROLL, STAGE_SAC, TAINTED_KING, UPPER, Piece,
    Player, is_in, letter_on, on_square, owner_on)

cdef enum:              # terms of a seat
    KING_POINTS         # hit points of the king building
    SOLDIER_POINTS      # hit points of soldiers: a checker is one, the piece itself another
    NUM_SOLDIERS
    NEARNESS            # hit points of soldiers, by the part of the way to an enemy king done
    REACH               # hit points of soldiers / (1 + turns to the nearest enemy king)
    GUARD               # hit points of soldiers within two steps of the own king
    FIRST_ROOK
    SECOND_ROOK
    OTHER_BUILDINGS     # knights and bishops
    BUILDING_CHECKERS   # other than the king's
    QUEEN_CARD
    KING_CARD
    KNAVE_CARD
    WHOLE_COURT
    STACK_CARDS         # up to a height of `USEFUL_HEIGHT`
    LATE_CARDS          # above
    EACH                # cards of each court tower that can be paid, up to `USEFUL_EACH`
    FITTING             # ranks in hand that can be played
    SOON                # ranks in hand that a tower wants after one or two others
    IN_DECK             # ranks in the deck that can be played
    WANTED_COURT        # of queen and king, those in hand whose place in the court is free
    JOKERS              # in hand
    DRAWS               # cards that a full hand lacks
    STUCK               # a full hand without a card that fits
    LASTING             # marks until the next own turn
    KEPT                # Upper Hand and Feast
    DEVOURED
    LOST_TURN
    THREAT_KING         # mean points of attacks left to the active seat, on king buildings
    THREAT_OTHER
    TARGET              # the Ivory Tower, as its Chosen One
    TARGET_POINTS       # points that it has taken, of 11
    SIEGE               # hit points of soldiers next to an enemy's Ivory Tower
    HAZARD              # hit points of soldiers on the board of an enemy's Ivory Tower

cdef enum:
    USEFUL_HEIGHT = 8
    USEFUL_EACH = 4
    FAR = 16            # steps
    TOWER_POINTS = 11
    CAUTION = 4         # by which strengths are divided, see `WEIGHTS`
    FULL_CLOCK = 10     # checkers of a Dark Tower that is called
    OUTLYING = 12       # steps to the place that an enemy finds for it
    MOST_DICE = 4       # that a square next to it gives room for, on average
    CORNER = 3          # squares next to one

# The part of the odds that a turn of the clock leaves: soldiers are lost, ways are blocked. It is a
# guess.
cdef double LASTS = 0.85


# Of the logarithm of the win share, in the order of the terms. They began as a fit to 2,800 games,
# most of them of the policy; those of terms that are rare there or follow from others, such as
# marks and the checkers of the king, were then set by hand. benchmarks/terms.py makes such a fit,
# though not these very numbers. Whole games of greedy players are decided less often by their sums
# than these say: the results are likeliest with a third of them to a sixth for two seats, and with
# an eighth for four, and stronger players win more of what they have. Undivided, shares are soon so
# near to 0 or 1 that a search sees no difference between moves.
cdef double[NUM_TERMS] WEIGHTS = [
    0.600, 0.300, 0.100, 0.800, 0.600, 0.050, 0.764, 0.500, 0.100, 0.030, 0.150, 0.350, 0.300,
    0.200, 0.057, 0.010, 0.020, 0.060, 0.040, 0.062, 0.100, 0.150, 0.040, -0.200, 0.080, 0.200,
    0.300, -0.400, 0.442, 0.150, 0.150, -3.495, 0.300, -0.250,
]


cdef void ko_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef double[8][NUM_TERMS] terms
    cdef double best = -1e9
    cdef double total = 0
    cdef int seat, i
    if s.stage == STAGE_END:
        ko_returns(rules, s, out)
        return
    ko_terms(rules, s, &terms[0][0])
    for seat in range(rules.num_seats):
        out[seat] = -1e9
        if s.players[seat].is_alive:
            out[seat] = 0
            for i in range(NUM_TERMS):
                out[seat] += WEIGHTS[i] * terms[seat][i]
        best = max(best, out[seat])
    for seat in range(rules.num_seats):
        out[seat] = exp((out[seat] - best) / CAUTION) if s.players[seat].is_alive else 0
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total
    if s.dark.stands:
        await_dark(rules, s.dark.chosen, s.dark.enemy, s.dark.red + s.dark.black,
                   dark_odds(rules, s), out)
    elif s.context.kind == KIND_DARK and s.active != 0 and s.stage in (
            STAGE_MIX, STAGE_SAC, STAGE_PLACE):
        await_dark(rules, s.active - 1, s.node if s.stage == STAGE_PLACE else s.context.seat,
                   FULL_CLOCK, called_odds(rules, s), out)


cdef void ko_terms(const Rules* rules, const State* s, double* terms) noexcept nogil:
    cdef int seat
    memset(terms, 0, rules.num_seats * NUM_TERMS * sizeof(double))
    for seat in range(rules.num_seats):
        if s.players[seat].is_alive:
            add_seat(rules, s, seat, terms + seat * NUM_TERMS)
    add_pending(rules, s, terms)


cdef int ko_nearest_enemy(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef int own = s.players[seat].king
    cdef int shortest = 1 << 16
    cdef int found = -1
    cdef int other, distance
    for other in range(rules.num_seats):
        if other == seat or not s.players[other].is_alive or s.players[other].king == NOWHERE:
            continue
        if own == NOWHERE:
            return other
        distance = ko_way(rules, s, own, s.players[other].king)
        if distance < shortest:
            shortest = distance
            found = other
    return found


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
    cdef uint64_t soon = 0
    cdef int tower, rank
    for tower in range(4):
        rank = next_rank(p, tower)
        if rank < 13:
            soon |= of_rank(rank + 1) | of_rank(rank + 2)
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


# --- the Dark Tower -------------------------------------------------------------------------------

cdef void await_dark(
        const Rules* rules, int chosen, int enemy, int clock, double odds,
        double* out) noexcept nogil:
    """Turn win shares without the Dark Tower into those with it.

    With some `odds` its enemy falls, else its Chosen One does. The longer the clock, the likelier
    something else comes first.
    """
    cdef double is_decisive = 1 - clock / (2.0 * FULL_CLOCK)
    cdef double success = is_decisive * odds / max(1e-9, 1 - out[enemy])
    cdef double failure = is_decisive * (1 - odds) / max(1e-9, 1 - out[chosen])
    cdef double total = 0
    cdef int seat
    for seat in range(rules.num_seats):
        out[seat] *= (
            1 - is_decisive + (success if seat != enemy else 0)
            + (failure if seat != chosen else 0))
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


cdef double dark_odds(const Rules* rules, const State* s) noexcept nogil:
    """The odds that the Chosen One destroys the Dark Tower.

    Each point takes a turn from the clock, too. So the best plan is to wait until one checker is
    left and then to take two points with all soldiers at once, unless those at hand are enough now.
    """
    cdef const Player* p = &s.players[s.dark.chosen]
    cdef const Piece* piece
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int num_squares = neighbours(rules, s, s.dark.square, &around, room)
    cdef bint is_now = s.active == s.dark.chosen + 1
    cdef int checkers = s.dark.red + s.dark.black
    cdef int turns = max(1, checkers) if is_now else checkers - 1
    cdef int now = 0
    cdef int later = 0
    cdef int places = 0
    cdef int i, points, steps
    if is_now and STAGE_INSIGHT <= s.stage <= STAGE_REROLL and rolled_at(s) == s.dark.square:
        checkers -= hits_shown(s, ko_threshold(
            rules, s, roller_of(s), s.dark.square, s.context.upper))
        now = dice_left(s)
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not is_in(piece.letter, SOLDIERS):
            continue
        points = 1 + piece.checkers
        if are_cut_off(s, piece.square, s.dark.square):
            points -= 1
        steps = ko_way(rules, s, piece.square, s.dark.square) - 1
        if steps <= points * turns:
            later += points
            if steps <= points - piece.steps and piece.flags & ATTACKED == 0 and p.swayers == 0:
                now += points
    for i in range(num_squares):
        places += on_square(s, around[i]) == 0 or owner_on(on_square(s, around[i])) == s.dark.chosen
    later = min(later, MOST_DICE * places)
    return max(
        odds_of_hits(now, checkers + 1) if is_now else 0, odds_at_last(later, checkers))


cdef double called_odds(const Rules* rules, const State* s) noexcept nogil:
    """The same of a Dark Tower that its enemy is still to place, where it is hard to reach."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int later = 0
    cdef int i, points
    for i in range(p.num_pieces):
        points = 1 + p.pieces[i].checkers
        if is_in(p.pieces[i].letter, SOLDIERS) and OUTLYING <= points * FULL_CLOCK:
            later += points
    return odds_at_last(min(later, CORNER * MOST_DICE), FULL_CLOCK)


cdef inline double odds_at_last(int dice, int checkers) noexcept nogil:
    """The odds of two points with the last checker; soldiers may be lost while the clock runs."""
    return 0 if checkers < 2 else odds_of_hits(dice, 2) * LASTS ** (checkers - 1)


cdef inline double odds_of_hits(int dice, int hits) noexcept nogil:
    """The odds of at least so many hits."""
    cdef double exactly = (2 / 3.0) ** dice
    cdef double fewer = 0
    cdef int i
    for i in range(min(hits, dice + 1)):
        fewer += exactly
        exactly *= (dice - i) / (2.0 * (i + 1))
    return 1 - fewer


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


cdef inline int hits_shown(const State* s, int face) noexcept nogil:
    cdef int hits = 0
    cdef int i
    for i in range(face - 1, 6):
        hits += s.context.faces[i]
    return hits


cdef inline int dice_left(const State* s) noexcept nogil:
    """The dice of a roll that are still to be rolled."""
    cdef int left = s.context.num_dice
    cdef int i
    if s.stage == STAGE_INSIGHT or s.stage == STAGE_PARLAY:
        return 1
    for i in range(6):
        left -= s.context.faces[i]
    return left


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
