"""The learned choices of the playout policy of Knaves Out.

An action, the attack or step of a soldier, the tower of a card and the site of an Ivory Tower are
drawn by factors (policy_rows.pxd), which `benchmarks.playout_policy` finds. All that they know is
seen by the seat.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from kingmaker.cext.bits cimport pop_lowest
from kingmaker.cext.choice cimport Choice, begin_choice, drawn, offer

from .actions cimport Purse, ko_is_target, ko_open_purse
from .acts cimport ko_acts
from .cards cimport fits
from .faults cimport NO_FAULT
from .geometry cimport are_cut_off, ko_nearest_enemy, neighbours, space_between
from .legal cimport ko_call_fault, ko_places
from .marches cimport NO_CHOICE, is_worth_a_blow, ko_approach, ko_goal
from .movement cimport ko_is_in_hazard
from .pieces cimport pair_of, piece_at
from .policy_rows cimport (
    AT_ACT, AT_BLOW, AT_BUILD, AT_DICE, AT_ENEMY_WAY, AT_EXECUTE, AT_FORTIFY, AT_GUARD, AT_KNIGHT,
    AT_MARCH, AT_MOUNT, AT_OWN_WAY, AT_REACH, AT_SAVE, AT_SITE, AT_STAY, AT_TAX, AT_TOWER, CALL,
    MOST_HEIGHT, MOST_STEPS, NO_ACTION, NUM_AROUND, NUM_CHECKERS, NUM_KINDS, NUM_POINTS, NUM_WAYS)
from .state cimport (
    A, ATTACKED, BUILD, DARK, ENDED, EXECUTE, FORTIFY, IVORY, J, KIND_IVORY, KING, KNIGHT_UP,
    NOWHERE, PAWN, ROOK, SOLDIERS, TAINTED_KING, TAX, TOWER_CHECKERS, UNPAWN, VERB_AT, VERB_ATTACK,
    VERB_IVORY, Piece, action_of, card_of, first_of, is_in, letter_on, move_of, on_square,
    owner_on)

cdef enum:
    NEAR = 4        # steps from which a soldier threatens a king


# --- actions --------------------------------------------------------------------------------------

cdef uint32_t ko_action(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef Choice choice
    cdef Purse purse
    cdef int number, row, king, i
    cdef bint calls
    ko_open_purse(s, s.node, &purse)
    number = ko_acts(rules, s, &purse, choice.moves)
    calls = can_call(rules, s)
    if number == 0 and not calls:
        return NO_CHOICE
    row = AT_ACT + NUM_KINDS * standing_of(rules, s)
    king = s.players[ko_nearest_enemy(rules, s, s.node)].king
    begin_choice(&choice)
    for i in range(number):
        # `offer` writes to the place of an option at or before the one that is read.
        offer_action(factors, s, &purse, choice.moves[i], row, king, &choice)
    if calls:
        offer(&choice, factors, move_of(VERB_IVORY), row + CALL)
    offer(&choice, factors, NO_CHOICE, row + NO_ACTION, AT_SAVE + min(<int>purse.each, 4))
    return drawn(&choice, factors, s.node, rng)


cdef inline bint can_call(const Rules* rules, const State* s) noexcept nogil:
    """Whether an Ivory Tower would take no checkers of pieces."""
    cdef const Player* p = &s.players[s.node]
    return p.unused_red + p.unused_black >= TOWER_CHECKERS and (
        ko_call_fault(rules, s, KIND_IVORY) == NO_FAULT)


cdef int standing_of(const Rules* rules, const State* s) noexcept nogil:
    """How many soldiers there are, and whether the king is threatened."""
    cdef const Player* p = &s.players[s.node]
    cdef int soldiers = p.number[PAWN] + p.number[UNPAWN]
    cdef int bucket = soldiers if soldiers < 2 else 2 if soldiers < 4 else 3
    return 2 * bucket + (ko_threat(rules, s, s.node) >= 0)


cdef inline void offer_action(
        const Factors* factors, const State* s, const Purse* purse, uint32_t move, int first_row,
        int king, Choice* choice) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int action = action_of(move)
    cdef int row = first_row + action
    cdef int square = first_of(move)
    cdef int letter
    if action == EXECUTE:
        if is_worth_a_blow(s, square):
            offer(choice, factors, move, row,
                  AT_EXECUTE + 2 * sort_on(s, square) + (checkers_on(s, square) == 0))
    elif action == BUILD:
        letter = square     # the argument of the move
        offer(choice, factors, move, row, AT_BUILD + 2 * (letter - ROOK) + (pair_of(p, letter) > 0))
    elif action == FORTIFY:
        offer(choice, factors, move, row, AT_FORTIFY + letter_on(on_square(s, square)))
    elif action == KNIGHT_UP:
        offer(choice, factors, move, row,
              AT_KNIGHT + min(checkers_on(s, square), NUM_POINTS - 1),
              AT_MOUNT + min(space_between(s, square, king), <int>MOST_STEPS))
    elif action == TAX:
        offer(choice, factors, move, row, AT_TAX + min(<int>purse.height[J], <int>MOST_HEIGHT))
    else:
        offer(choice, factors, move, row)


cdef inline int checkers_on(const State* s, int square) noexcept nogil:
    """The checkers under what stands on a square: with none it falls by the next point."""
    cdef int content = on_square(s, square)
    cdef const Player* p = &s.players[owner_on(content)]
    if letter_on(content) == IVORY:
        return s.ivory.red + s.ivory.black
    if letter_on(content) == DARK:
        return s.dark.red + s.dark.black
    return p.pieces[piece_at(p, square)].checkers


cdef inline int sort_on(const State* s, int square) noexcept nogil:
    """A letter; for the Dark Tower that of kings, as games of the policy have none."""
    cdef int letter = letter_on(on_square(s, square))
    return KING if letter == DARK else letter


cdef uint32_t ko_site(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint64_t[8] masks
    cdef Choice choice
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int own = s.players[s.node].king
    cdef int king = s.players[ko_nearest_enemy(rules, s, s.node)].king
    cdef int board, square
    ko_places(rules, s, masks)
    begin_choice(&choice)
    for board in range(rules.num_seats):
        while masks[board]:
            square = 64 * board + pop_lowest(&masks[board])
            offer(&choice, factors, move_of(VERB_AT, square),
                  AT_SITE + NUM_AROUND * (own >> 6 == board) + neighbours(
                      rules, s, square, &around, room),
                  AT_OWN_WAY + min(space_between(s, square, own), <int>MOST_STEPS),
                  AT_ENEMY_WAY + min(space_between(s, square, king), <int>MOST_STEPS))
    return drawn(&choice, factors, s.node, rng)


# --- soldiers -------------------------------------------------------------------------------------

cdef int ko_threat(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef int own = s.players[seat].king
    cdef const Player* p
    cdef int other, i, square, distance
    cdef int shortest = NEAR + 1
    cdef int found = -1
    cdef int tower = s.ivory.square if s.ivory.stands and s.ivory.chosen == seat else NOWHERE
    if own == NOWHERE:
        return -1
    for other in range(rules.num_seats):
        p = &s.players[other]
        if other == seat or not p.is_alive or p.number[PAWN] + p.number[UNPAWN] == 0:
            continue
        for i in range(p.num_pieces):
            if is_in(p.pieces[i].letter, SOLDIERS):
                square = p.pieces[i].square
                distance = shortest
                if not are_cut_off(s, own, square):
                    distance = space_between(s, own, square)
                if tower != NOWHERE:
                    distance = min(distance, space_between(s, tower, square))
                if distance < shortest:
                    shortest = distance
                    found = square
    return found


cdef uint32_t ko_blow_or_step(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef int king = NOWHERE
    cdef int threat = -1
    cdef Choice choice
    cdef uint32_t move
    cdef int i
    for i in range(p.num_pieces):
        if not is_in(p.pieces[i].letter, SOLDIERS):
            continue
        if king == NOWHERE:
            king = s.players[ko_nearest_enemy(rules, s, s.node)].king
            threat = ko_threat(rules, s, s.node)
        begin_choice(&choice)
        offer_soldier(rules, factors, s, &p.pieces[i], king, threat, rng, &choice)
        if choice.number > 1:
            move = drawn(&choice, factors, s.node, rng)
            if move != NO_CHOICE:
                return move
    return NO_CHOICE


cdef inline void offer_soldier(
        const Rules* rules, const Factors* factors, const State* s, const Piece* piece, int king,
        int threat, bitgen_t* rng, Choice* choice) noexcept nogil:
    """Its attacks, a step to the enemy king, one to a threat, and to stay."""
    cdef int distance = space_between(s, piece.square, king)
    cdef int post = (
        (2 * (threat >= 0) + ko_is_in_hazard(s, piece.square)) * NUM_WAYS
        + way_of(distance)) * NUM_POINTS + min(
            <int>piece.checkers, NUM_POINTS - 1)
    cdef uint32_t move
    offer_blows(rules, factors, s, piece, distance, choice)
    move = ko_approach(rules, s, piece, ko_goal(rules, s, piece.square, king), rng)
    if move != NO_CHOICE:
        offer(choice, factors, move, AT_MARCH + post)
    if threat >= 0:
        move = ko_approach(rules, s, piece, threat, rng)
        if move != NO_CHOICE:
            offer(choice, factors, move, AT_GUARD + post)
    offer(choice, factors, NO_CHOICE, AT_STAY + post)


cdef inline int way_of(int steps) noexcept nogil:
    """One of the ranges 1, 2, 3, 4, 6, 8, 11, more."""
    if steps <= 4:
        return max(0, steps - 1)
    return 4 + (steps > 6) + (steps > 8) + (steps > 11)


cdef inline void offer_blows(
        const Rules* rules, const Factors* factors, const State* s, const Piece* piece,
        int distance, Choice* choice) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i, content, sort
    cdef bint reaches, is_king
    if piece.flags & ATTACKED or p.swayers or p.marks & ENDED:
        return
    reaches = 1 < distance <= 2 + piece.checkers - piece.steps
    for i in range(neighbours(rules, s, piece.square, &around, room)):
        content = on_square(s, around[i])
        if content == 0 or owner_on(content) == s.node and letter_on(content) != DARK:
            continue
        if not ko_is_target(s, s.node, around[i]) or not is_worth_a_blow(s, around[i]):
            continue
        sort = sort_on(s, around[i])
        is_king = sort == KING or sort == TAINTED_KING
        offer(choice, factors, move_of(VERB_ATTACK, piece.square, around[i]),
              AT_BLOW + sort,
              AT_DICE + NUM_POINTS * (
                  is_king * NUM_CHECKERS + min(<int>piece.checkers, NUM_CHECKERS - 1))
              + min(checkers_on(s, around[i]), NUM_POINTS - 1),
              AT_REACH + 2 * reaches + is_king)


# --- cards ----------------------------------------------------------------------------------------

cdef int ko_tower(
        const Rules* rules, const Factors* factors, const Player* p, int seat, int card,
        bitgen_t* rng) noexcept nogil:
    cdef Choice choice
    cdef int lowest = MOST_HEIGHT
    cdef int tower, height
    for tower in range(J, A):
        if p.towers[tower].base:
            lowest = min(lowest, <int>p.towers[tower].height)
    begin_choice(&choice)
    for tower in range(J, A + 1):
        if fits(rules, p, card, tower):
            height = p.towers[tower].height
            offer(&choice, factors, tower,
                  AT_TOWER + 6 * tower + 2 * max(0, min(2, height - lowest))
                  + (height > 0 and is_red(card) == is_red(
                      card_of(tower, height - 1, p.towers[tower].suits))))
    return drawn(&choice, factors, seat, rng)


cdef inline bint is_red(int card) noexcept nogil:
    """Of the suits clubs, diamonds, hearts and spades, 0 to 3."""
    return (card ^ card >> 1) & 1


cdef bint ko_agrees(const Factors* factors, int row, int seat, bitgen_t* rng) noexcept nogil:
    cdef Choice choice
    begin_choice(&choice)
    offer(&choice, factors, True, row)
    offer(&choice, factors, False, row + 1)
    return drawn(&choice, factors, seat, rng)
