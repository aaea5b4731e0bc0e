"""Evaluation of Knaves Out: terms of section 16 of the rules page and the win shares that they make.

A node within an action or a roll counts what is paid for and still to come: the piece to be placed,
the damage that the dice left are worth on average.
"""

from libc.math cimport exp
from libc.stdint cimport uint16_t, uint64_t

from kingmaker.cext.bits cimport count

from .cards cimport JACK, NO_RANK, has_court, next_rank, of_rank
from .combat cimport is_lucky, ko_halves, ko_threshold, owner_at, rolled_at, roller_of
from .geometry cimport neighbours, space_between
from .pieces cimport pair_of
from .rules cimport ko_returns
from .state cimport (
    ATTACKED, BISHOP, DARK, FEAST, IVORY, J, K, KIND_BUILD, KIND_DARK, KIND_IVORY, KIND_RAISE,
    KIND_TRAIN, KING, KNIGHT, LASTING_MARKS, NOWHERE, Q, ROOK, SKIP, SOLDIERS, STAGE_CHARM,
    STAGE_END, STAGE_FIND, STAGE_INSIGHT, STAGE_MAIN, STAGE_MIX, STAGE_PARLAY, STAGE_PLACE,
    STAGE_REROLL, STAGE_SAC, STAGE_TAINT, STAGE_WAIVE, TAINTED_KING, UPPER, Piece, Player, is_in,
    letter_on, on_square, owner_on)

# In hit points of a king building; first guesses from section 16.
cdef double SOLDIER = 0.5           # per checker and one for the piece, far from the enemy
cdef double NEAR = 0.08             # more for each step closer to the nearest enemy king
cdef int FAR = 9                    # steps from which distance does not count
cdef double DEFENDER = 0.12         # per hit point of a soldier within two steps of the own king
cdef double FIRST_ROOK = 1.0
cdef double OTHER_BUILDING = 0.25
cdef double BUILDING_CHECKER = 0.08
cdef double COURT_CARD = 0.5
cdef double WHOLE_COURT = 0.5
cdef double STACK_CARD = 0.09       # up to a height of 8
cdef int USEFUL_HEIGHT = 8
cdef double LATE_CARD = 0.02        # the cards above
cdef double[3] SOON = [0.06, 0.04, 0.02]    # a card of the hand that fits now, or one or two later
cdef double FOUNDER = 0.35          # a jack in hand without a Knave
cdef double APPOINTEE = 0.08        # a king in hand without a King, then a queen without a Queen
cdef double JOKER_IN_HAND = 0.1
cdef double DEAD_CARD = -0.035      # another card of the hand: one draw less
cdef double DISCARDED = -0.002      # a card that is not in the deck
cdef double LASTING_MARK = 0.25
cdef double DEVOURED = 0.6
cdef double LOST_TURN = 0.8
cdef double CALLED = 1.0            # lost to the Chosen One of one of the Two Towers
cdef double CLOCK = 0.15            # and for each point the one of the Dark Tower has yet to take
cdef double TARGET = 0.1            # and for each checker that the Ivory Tower has lost
cdef double LAST_HIT_POINT = 1.0    # of a king with one hit point, the less the more it has
cdef double THREAT = 0.6            # part of the damage of an attack that is still to be declared
cdef double SHARE_SCALE = 2.0       # of the logarithm of the win share


cdef void ko_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef double best = -1e9
    cdef double total = 0
    cdef int seat
    if s.stage == STAGE_END:
        ko_returns(rules, s, out)
        return
    for seat in range(rules.num_seats):
        out[seat] = strength(rules, s, seat) if s.players[seat].is_alive else -1e9
    add_pending(rules, s, out)
    for seat in range(rules.num_seats):
        best = max(best, out[seat])
    for seat in range(rules.num_seats):
        out[seat] = exp((out[seat] - best) / SHARE_SCALE) if s.players[seat].is_alive else 0
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


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
        distance = space_between(s, own, s.players[other].king)
        if distance < shortest:
            shortest = distance
            found = other
    return found


# --- the terms of a seat --------------------------------------------------------------------------

cdef double strength(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef double found = pieces_worth(rules, s, seat) + towers_worth(p)
    cdef int rooks = pair_of(p, ROOK)
    found += FIRST_ROOK * (rooks > 0) + OTHER_BUILDING * (
        max(0, rooks - 1) + pair_of(p, KNIGHT) + pair_of(p, BISHOP))
    found += LASTING_MARK * count(p.marks & (LASTING_MARKS | UPPER | FEAST))
    found += DEVOURED * count(p.effects)
    found += hand_worth(p) + DISCARDED * count(p.discard)
    if p.marks & SKIP:
        found -= LOST_TURN
    if s.dark.stands and s.dark.chosen == seat:
        found -= CALLED + CLOCK * (1 + s.dark.red + s.dark.black)
    if s.ivory.stands and s.ivory.chosen == seat:
        found -= CALLED + TARGET * (10 - s.ivory.red - s.ivory.black)
    return found


cdef double hand_worth(const Player* p) noexcept nogil:
    """Of the cards of a hand that is seen; 0 in an observation."""
    cdef uint64_t left = p.hand
    cdef uint64_t useful
    cdef double found = JOKER_IN_HAND * p.hand_jokers
    cdef int tower, ahead
    cdef int wanted_rank = (
        JACK if p.towers[J].base == 0 else JACK + 2 if p.towers[K].base == 0
        else JACK + 1 if p.towers[Q].base == 0 else NO_RANK)
    useful = left & of_rank(wanted_rank)
    if useful:
        found += FOUNDER if wanted_rank == JACK else APPOINTEE
        left &= ~useful
    for ahead in range(3):
        for tower in range(4):
            useful = left & of_rank(next_rank(p, tower) + ahead)
            found += SOON[ahead] * count(useful)
            left &= ~useful
    return found + DEAD_CARD * count(left)


cdef double towers_worth(const Player* p) noexcept nogil:
    cdef double found = WHOLE_COURT * has_court(p)
    cdef int tower, height
    for tower in range(4):
        height = p.towers[tower].height
        found += COURT_CARD * (p.towers[tower].base != 0)
        found += STACK_CARD * min(height, USEFUL_HEIGHT)
        found += LATE_CARD * max(0, height - USEFUL_HEIGHT)
    return found


cdef double pieces_worth(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    cdef double found = 0
    cdef const Piece* piece
    cdef int i, points
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        points = 1 + piece.checkers
        if is_in(piece.letter, SOLDIERS):
            found += points * soldier_worth(rules, s, seat, piece.square)
            if s.active == seat + 1:
                found += threat(rules, s, seat, piece)
        elif piece.letter == KING or piece.letter == TAINTED_KING:
            found += points - LAST_HIT_POINT / points
        else:
            found += BUILDING_CHECKER * piece.checkers
    for i in range(20):
        if p.sea[i]:
            found += p.sea[i] * SOLDIER * (1 + i // 2 % 5)
    return found


cdef inline double soldier_worth(
        const Rules* rules, const State* s, int seat, int square) noexcept nogil:
    """Of a hit point of a soldier, by its distance from kings."""
    cdef int shortest = FAR
    cdef double found = SOLDIER
    cdef int other
    for other in range(rules.num_seats):
        if s.players[other].king == NOWHERE:
            continue
        if other != seat:
            shortest = min(shortest, space_between(s, square, s.players[other].king))
        elif space_between(s, square, s.players[other].king) <= 2:
            found += DEFENDER
    return found + NEAR * (FAR - shortest)


cdef inline double worth_of_point(int letter) noexcept nogil:
    """What a point of damage takes on average."""
    if letter == KING or letter == TAINTED_KING:
        return 1.2
    if letter == DARK or letter == IVORY:
        return 0.3
    return 0.7 if is_in(letter, SOLDIERS) else 0.35


cdef inline double mean_points(
        const Rules* rules, const State* s, int attacker, int target, int dice,
        bint has_upper, bint lucky) noexcept nogil:
    """The points that some dice are worth on average."""
    cdef int face = ko_threshold(rules, s, attacker, target, has_upper)
    cdef double hits = dice * (7.0 - face) / (5 if lucky else 6)
    return hits * 0.4 if ko_halves(rules, s, target) else hits


cdef double threat(
        const Rules* rules, const State* s, int seat, const Piece* piece) noexcept nogil:
    """The best attack that an own soldier can still make this turn."""
    cdef const Player* p = &s.players[seat]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef double best = 0
    cdef double found
    cdef int i, content, dice
    if piece.flags & ATTACKED or p.swayers:
        return 0
    dice = 1 + piece.checkers
    for i in range(neighbours(rules, s, piece.square, &around, room)):
        content = on_square(s, around[i])
        if content == 0 or letter_on(content) >= IVORY or owner_on(content) == seat:
            continue
        found = worth_of_point(letter_on(content)) * mean_points(
            rules, s, piece.square, around[i], dice, False, is_lucky(p))
        best = max(best, found)
    return THREAT * best


# --- what is still to come at a node --------------------------------------------------------------

cdef void add_pending(const Rules* rules, const State* s, double* worth) noexcept nogil:
    cdef int seat = s.active - 1
    if s.stage == STAGE_MAIN:
        return
    if STAGE_INSIGHT <= s.stage <= STAGE_REROLL:
        add_roll(rules, s, worth)
    elif s.stage == STAGE_MIX or s.stage == STAGE_SAC or s.context.kind in (KIND_IVORY, KIND_DARK):
        worth[seat] -= CALLED + CLOCK * 11 * (s.context.kind == KIND_DARK)
    elif s.stage == STAGE_PLACE:
        if s.context.kind == KIND_TRAIN or s.context.kind == KIND_RAISE:
            worth[seat] += SOLDIER + NEAR * 2
        elif s.context.kind == KIND_BUILD:
            worth[seat] += (
                FIRST_ROOK if s.context.letter == ROOK and not pair_of(&s.players[seat], ROOK)
                else OTHER_BUILDING)
    elif s.stage == STAGE_WAIVE or s.stage == STAGE_CHARM or s.stage == STAGE_TAINT:
        worth[seat] += 0.4
    elif s.stage == STAGE_FIND:
        worth[seat] += STACK_CARD * (s.context.left if s.context.left else 3 - s.context.tower)


cdef void add_roll(const Rules* rules, const State* s, double* worth) noexcept nogil:
    """Take the mean damage of a roll from its target."""
    cdef int target = rolled_at(s)
    cdef int attacker = roller_of(s)
    cdef int roller = owner_at(s, attacker)
    cdef int letter = letter_on(on_square(s, target))
    cdef int owner = s.dark.enemy if letter == DARK else owner_at(s, target)
    cdef int face = ko_threshold(rules, s, attacker, target, s.context.upper)
    cdef int dice = s.context.num_dice
    cdef int shown = 0
    cdef int hits = 0
    cdef int i
    cdef double points
    if s.stage == STAGE_INSIGHT or s.stage == STAGE_PARLAY:
        dice = 1
    for i in range(6):
        shown += s.context.faces[i]
        if i + 1 >= face:
            hits += s.context.faces[i]
    points = hits * (0.5 if ko_halves(rules, s, target) else 1.0) + mean_points(
        rules, s, attacker, target, dice - shown, s.context.upper, is_lucky(&s.players[roller]))
    worth[owner] -= points * worth_of_point(letter)
