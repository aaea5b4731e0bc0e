"""Moves as options of the policy of Knaves Out, with the rows of their factors (policy_rows.pxd).

`benchmarks.playout_policy` finds the factors. All that the rows tell is seen by the seat to move.
"""

from libc.stdint cimport uint16_t, uint32_t

from kingmaker.cext.bits cimport count
from kingmaker.cext.choice cimport add_row, begin_option, end_option, keep_row

from .cards cimport NO_COURT, bit, court_of, deck_size, is_light, num_ranks, wanted_soon
from .combat cimport ko_halves, ko_threshold, owner_at, roller_of, rolled_at
from .geometry cimport (
    Spot, are_adjacent, are_cut_off, ko_to_coast, ko_way, neighbours, space_between, spot_of,
    steps_between)
from .movement cimport ko_is_in_hazard
from .pieces cimport pair_of, piece_at
from .policy_rows cimport (
    AT_ANSWER, AT_ARRIVE, AT_ASSAULT, AT_AWAY, AT_BALANCE, AT_BASE, AT_BESIDE, AT_BLOW, AT_BUILD,
    AT_BY_JOKER, AT_CARD, AT_CHARM, AT_CHERRY, AT_COAST, AT_COLOUR, AT_COURT_CARD, AT_DARK, AT_DICE,
    AT_END, AT_END_HAND, AT_EXECUTE, AT_FAILED, AT_FORCE, AT_FORTIFY, AT_GUARDIAN, AT_HAIL,
    AT_INFIGHT, AT_INSIGHT, AT_INSIGHT_WAY, AT_INTO, AT_JOKER, AT_KEEP, AT_KING_AROUND,
    AT_KING_SQUARE, AT_KING_WAY, AT_KNIGHT, AT_LAND, AT_LEAVE, AT_LEVEL, AT_LURE, AT_LURE_STOP,
    AT_LURE_TURN, AT_MARRY, AT_MIX, AT_NEAR_OWN, AT_ODDS, AT_ONWARD, AT_OTHER, AT_PARLAY, AT_PIECE,
    AT_PLACE, AT_PLACE_AROUND, AT_PLACE_FOES, AT_PLACE_OWN, AT_PLACE_THREAT, AT_REDIRECT, AT_REROLL,
    AT_RIVAL, AT_SAC, AT_SAIL, AT_SHUFFLE, AT_SIEGE, AT_SKIP, AT_STEP, AT_SURGE, AT_TAKE, AT_TARGET,
    AT_TARGET_SEAT, AT_TAX, AT_TO_THREAT, AT_UNDER, AT_WAIVE, NUM_AROUND, NUM_CLASSES, NUM_CLOCK,
    NUM_COURTS, NUM_EACH, NUM_FOES, NUM_HANDS, NUM_HEIGHTS, NUM_NEAR, NUM_PLAYABLE, NUM_POINTS,
    NUM_POSTS, NUM_REACHES, NUM_SIZES, NUM_SORTS, NUM_STANDINGS, NUM_WAYS, SORT_ATTACK, SORT_DARK,
    SORT_END, SORT_IVORY, SORT_LAND, SORT_MOVE, SORT_PLAY, SORT_SAIL)
from .scene cimport Stand, Stepped, is_red, most, near, points_on, sights_at, sort_on, turn_of
from .state cimport (
    ATTACKED, BALANCE, J, K, Q, BUILD, CASTLE, CHARM, CHERRY, DARK, EXECUTE, FAILED, FORCE, FORTIFY,
    HAIL, INFIGHT, KIND_DARK, KIND_TAX, KING, KNIGHT_UP, MAJESTY, MARRY, NOWHERE, PARLAY_UP, ROOK,
    SOLDIERS, STAGE_COURT_J, STAGE_INSIGHT, STAGE_MAIN, STAGE_PARLAY, SURGE, SWAY, TAINT,
    TAINTED_KING, TAX, VERB_ACT, VERB_AT, VERB_ATTACK, VERB_COURT, VERB_DARK, VERB_DISCARD_HAND,
    VERB_FIND, VERB_FROM, VERB_IVORY, VERB_JOKER, VERB_KEEP, VERB_KEEP_HAND, VERB_KING, VERB_LAND,
    VERB_LAST, VERB_MOVE, VERB_ON, VERB_PASS, VERB_PLAY, VERB_RED, VERB_REDIR, VERB_REROLL,
    VERB_SAIL, VERB_SHUFFLE, VERB_SKIP, VERB_STEP, VERB_STOP, VERB_TAKE, VERB_UNDER, VERB_WAIVE,
    action_of, card_of, first_of, is_by_joker, is_in, letter_on, on_square, second_of, verb_of,
    Piece, Player)

# Of attacks on the Dark Tower, beside what was learned.
cdef double AT_LAST = 200
cdef double TOO_EARLY = 0.03


# --- cards ----------------------------------------------------------------------------------------

cdef inline void add_card(
        Choice* choice, const Factors* factors, const Rules* rules, const Scene* own, int how,
        int card, int tower) noexcept nogil:
    cdef const Player* me = own.me
    cdef int height = me.towers[tower].height
    if me.towers[J].base == 0:
        add_row(choice, factors, AT_BASE + (card & 3))
        return
    add_row(choice, factors, AT_CARD + (how * 4 + tower) * NUM_HEIGHTS + height)
    add_row(choice, factors,
            AT_LEVEL + 6 * tower + 2 * max(0, min(2, height - own.lowest))
            + (height > 0 and is_red(card) == is_red(
                card_of(tower, height - 1, me.towers[tower].suits))))
    add_row(choice, factors, AT_COLOUR + 3 * tower + (
        0 if own.type == NO_COURT else 1 + (is_red(card) == is_light(own.type))))
    if how == 1:
        add_row(choice, factors, AT_JOKER + own.court * 4 + tower)


# --- main -----------------------------------------------------------------------------------------

cdef inline void add_sort(
        Choice* choice, const Factors* factors, Scene* own, int sort) noexcept nogil:
    """Give a move the rows of its sort, whose product is the same for all moves of the sort."""
    cdef int[7] rows
    cdef double weight = 1
    cdef int i
    if factors.gradient != NULL or not own.weighed & bit(sort):
        rows[0] = own.rows[0] + sort * NUM_STANDINGS
        rows[1] = own.rows[1] + sort * NUM_REACHES * NUM_REACHES
        rows[2] = own.rows[2] + sort * NUM_COURTS * 2
        rows[3] = own.rows[3] + sort * NUM_POINTS * NUM_POINTS
        rows[4] = own.rows[4] + sort * NUM_CLASSES * NUM_EACH
        rows[5] = own.rows[5] + sort * NUM_CLASSES * NUM_EACH
        rows[6] = own.rows[6] + sort * NUM_EACH * 4
        for i in range(7):
            weight *= factors.rows[rows[i]]
            keep_row(choice, factors, rows[i])
        own.weights[sort] = weight
        own.weighed |= bit(sort)
    choice.weights[choice.number] *= own.weights[sort]


cdef void offer_mains(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s, Scene* own,
        const uint32_t* moves, int num_moves) noexcept nogil:
    cdef int i
    for i in range(num_moves):
        begin_option(choice, moves[i])
        offer_main(choice, factors, rules, s, own, moves[i])
        end_option(choice)


cdef inline void offer_main(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        Scene* own, uint32_t move) noexcept nogil:
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef int second = second_of(move)
    if verb == VERB_ACT:
        add_sort(choice, factors, own, action_of(move))
        add_act(choice, factors, rules, s, own, move)
    elif verb == VERB_PLAY or verb == VERB_JOKER:
        add_sort(choice, factors, own, SORT_PLAY + (verb == VERB_JOKER))
        add_card(choice, factors, rules, own, verb == VERB_JOKER, first, second)
    elif verb == VERB_MOVE:
        offer_step(choice, factors, rules, s, own, move)
        add_sort(choice, factors, own, SORT_MOVE)
    elif verb == VERB_ATTACK or verb == VERB_LAST:
        add_sort(choice, factors, own, SORT_ATTACK + (verb == VERB_LAST))
        add_attack(choice, factors, rules, s, own, first, second, verb == VERB_LAST)
    elif verb == VERB_SAIL:
        add_sort(choice, factors, own, SORT_SAIL)
        add_row(choice, factors, AT_SAIL
                + most(steps_between(spot_of(s, first), own.to_king), NUM_WAYS)
                + NUM_WAYS * (points_on(s, first)
                              + NUM_POINTS * are_cut_off(s, first, own.king)))
    elif verb == VERB_LAND:
        add_sort(choice, factors, own, SORT_LAND)
        add_row(choice, factors, AT_LAND + second)
    elif verb == VERB_IVORY:
        add_sort(choice, factors, own, SORT_IVORY)
    elif verb == VERB_DARK:
        add_sort(choice, factors, own, SORT_DARK)
    else:
        add_sort(choice, factors, own, SORT_END)
        add_row(choice, factors,
                AT_END + ((most(own.attackers, 3) * 3 + most(own.movers, 3)) * NUM_EACH
                          + own.each) * 2 + own.has_act)
        add_row(choice, factors, AT_END_HAND + most(own.playable, NUM_PLAYABLE) * NUM_HANDS
                + own.me.hand_size)


cdef inline void add_act(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Scene* own, uint32_t move) noexcept nogil:
    cdef const Player* me = own.me
    cdef int action = action_of(move)
    cdef int first = first_of(move)
    cdef int second = second_of(move)
    cdef int points
    cdef Spot spot
    if action == HAIL:
        add_row(choice, factors, AT_HAIL + 4 * (me.towers[J].base - 1 & 3) + (first & 3))
        add_row(choice, factors, AT_BY_JOKER + is_by_joker(move))
    elif action == MARRY:
        add_row(choice, factors, AT_MARRY + type_with(me, first))
        add_row(choice, factors, AT_BY_JOKER + is_by_joker(move))
    elif action == TAX:
        add_row(choice, factors, AT_TAX + me.towers[J].height)
    elif action == BUILD:
        add_row(choice, factors,
                AT_BUILD + ((first - ROOK) * 2 + (pair_of(me, first) > 0)) * 3 + pair_of(me, ROOK))
    elif action == FORTIFY:
        add_row(choice, factors, AT_FORTIFY + sort_on(s, first) * NUM_POINTS + points_on(s, first))
    elif action == KNIGHT_UP:
        points = points_on(s, first)
        spot = spot_of(s, first)
        add_row(choice, factors, AT_KNIGHT + points * NUM_WAYS
                + most(steps_between(spot, own.to_king), NUM_WAYS))
        if own.threat >= 0:
            add_row(choice, factors, AT_GUARDIAN + points * NUM_NEAR
                    + near(steps_between(spot, own.to_threat)))
    elif action == EXECUTE:
        add_row(choice, factors, AT_EXECUTE + sort_on(s, first) * NUM_POINTS + points_on(s, first))
        add_dark(choice, factors, s, first)
    elif action == CHARM:
        add_row(choice, factors, AT_CHARM + points_on(s, first) * NUM_NEAR
                + near(steps_between(spot_of(s, first), own.to_own)))
    elif action == SURGE or action == CASTLE or action == TAINT:
        add_row(choice, factors, AT_PIECE + sort_on(s, first) + NUM_SORTS * (
            0 if action == SURGE else 1 if action == CASTLE else 2))
    elif action == FAILED:
        add_row(choice, factors, AT_FAILED + points_on(s, first) * NUM_WAYS
                + most(steps_between(spot_of(s, first), own.to_king), NUM_WAYS))
    elif action == CHERRY:
        add_row(choice, factors, AT_CHERRY + sort_on(s, first) * NUM_POINTS + points_on(s, first))
    elif action == SWAY or action == MAJESTY or action == FORCE:
        add_rival(choice, factors, own,
                  0 if action == SWAY else 1 if action == MAJESTY else 2, first)
        if action == FORCE:
            add_row(choice, factors,
                    AT_FORCE + second * NUM_HEIGHTS + s.players[first].towers[second].height)
    elif action == INFIGHT:
        add_row(choice, factors,
                AT_INFIGHT + (4 * first + second) * NUM_HEIGHTS + me.towers[first].height)
    elif action == BALANCE:
        add_row(choice, factors, AT_BALANCE + points_on(s, second) + NUM_POINTS * (
            points_on(s, first) + NUM_POINTS * turn_of(
                steps_between(spot_of(s, first), own.to_king),
                steps_between(spot_of(s, second), own.to_king))))
    elif action == PARLAY_UP:
        add_row(choice, factors, AT_PARLAY + first)


cdef inline void add_rival(
        Choice* choice, const Factors* factors, const Scene* own, int kind,
        int seat) noexcept nogil:
    add_row(choice, factors,
            AT_RIVAL + (2 * kind + (seat == own.enemy)) * NUM_REACHES + own.danger)


cdef inline int type_with(const Player* me, int queen) noexcept nogil:
    """The type of the court with a queen (R5.9)."""
    cdef Player with_queen
    with_queen.towers[J].base = me.towers[J].base
    with_queen.towers[K].base = me.towers[K].base
    with_queen.towers[Q].base = queen + 1
    return court_of(&with_queen)


cdef inline void offer_step(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        Scene* own, uint32_t move) noexcept nogil:
    """Weigh a step, or take its weight from the look before, as nothing has changed it since."""
    cdef Stepped* last
    if own.recall == NULL or factors.gradient != NULL:
        add_step(choice, factors, rules, s, own, first_of(move), second_of(move))
        return
    last = &own.recall.steps[(move * <uint32_t>0x9E3779B1) >> 24]
    if last.move == move and last.look + 1 == own.look:
        choice.weights[choice.number] = last.weight
    else:
        add_step(choice, factors, rules, s, own, first_of(move), second_of(move))
        last.move = move
        last.weight = choice.weights[choice.number]
    last.look = own.look


cdef inline void add_step(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        Scene* own, int start, int goal) noexcept nogil:
    cdef const Stand* stand = &own.stand
    cdef Spot spot
    cdef int after, turn, sights, to_threat
    if stand.square != start:
        stand_on(s, own, start)
    if not is_in(stand.letter, SOLDIERS):
        add_row(choice, factors, AT_SURGE + stand.letter)
        return
    spot = spot_of(s, goal)
    after = steps_between(spot, own.to_king)
    turn = turn_of(stand.to_king, after)
    sights = sights_at(rules, s, goal)
    add_row(choice, factors, AT_STEP + turn * NUM_POSTS + stand.post)
    if own.threat >= 0:
        to_threat = steps_between(spot, own.to_threat)
        add_row(choice, factors, AT_TO_THREAT + stand.points + NUM_POINTS * (
            near(stand.to_threat) + NUM_NEAR * turn_of(stand.to_threat, to_threat)))
    add_row(choice, factors,
            AT_INTO + (turn * NUM_FOES + sights % NUM_FOES) * NUM_POINTS + stand.points)
    add_row(choice, factors,
            AT_ARRIVE + ((after == 1) * 2 + stand.attacked) * NUM_POINTS + stand.points)
    add_row(choice, factors, AT_LEAVE + own.danger + NUM_REACHES * (
        2 * stand.is_by_king + (steps_between(spot, own.to_own) <= 1)))
    add_row(choice, factors, AT_BESIDE + 2 * (sights // NUM_FOES) + stand.attacked)
    if s.ivory.stands and s.ivory.chosen != s.node:
        add_row(choice, factors, AT_SIEGE + turn_of(
            space_between(s, start, s.ivory.square), space_between(s, goal, s.ivory.square)))
    if stand.is_cut_off:
        add_row(choice, factors, AT_COAST + stand.points + NUM_POINTS * turn_of(
            ko_to_coast(rules, s, start), ko_to_coast(rules, s, goal)))


cdef inline void stand_on(const State* s, Scene* own, int square) noexcept nogil:
    cdef const Piece* piece = &own.me.pieces[piece_at(own.me, square)]
    cdef Stand* out = &own.stand
    cdef Spot spot = spot_of(s, square)
    out.square = square
    out.letter = piece.letter
    out.points = piece.checkers
    out.attacked = piece.flags & ATTACKED != 0
    out.is_by_king = steps_between(spot, own.to_own) <= 1
    out.is_cut_off = are_cut_off(s, square, own.king)
    out.to_king = steps_between(spot, own.to_king)
    out.to_threat = steps_between(spot, own.to_threat)
    out.post = ((2 * (own.threat >= 0) + ko_is_in_hazard(s, square)) * 8
                + way_of(out.to_king)) * 4 + min(out.points, 3)


cdef inline int way_of(int steps) noexcept nogil:
    """One of the ranges 1, 2, 3, 4, 6, 8, 11, more."""
    if steps <= 4:
        return max(0, steps - 1)
    return 4 + (steps > 6) + (steps > 8) + (steps > 11)


cdef inline void add_attack(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Scene* own, int start, int goal, bint last) noexcept nogil:
    cdef int sort = sort_on(s, goal)
    cdef bint is_own = owner_at(s, goal) == s.node
    cdef bint is_king = sort == KING or sort == TAINTED_KING
    cdef int points = points_on(s, start)
    cdef int goal_points = points_on(s, goal)
    add_row(choice, factors, AT_BLOW + (sort * 2 + is_own) * 2 + last)
    add_row(choice, factors,
            AT_DICE + (is_king * NUM_POINTS + points) * NUM_POINTS + goal_points)
    add_row(choice, factors, AT_ODDS + ko_halves(rules, s, goal) + 2 * (
        ko_threshold(rules, s, start, goal, False) - 3))
    add_row(choice, factors,
            AT_ONWARD + near(steps_between(spot_of(s, start), own.to_king)) * 2 + is_king)
    add_row(choice, factors,
            AT_NEAR_OWN + sort * 2 + (steps_between(spot_of(s, goal), own.to_own) <= 2))
    if is_king:
        add_row(choice, factors, AT_ASSAULT + goal_points * NUM_REACHES + own.reach)
    add_dark(choice, factors, s, goal)


cdef inline void add_dark(
        Choice* choice, const Factors* factors, const State* s, int square) noexcept nogil:
    """Points on the Dark Tower shorten its clock: they wait for the last checker (R11.6).

    By weights set by hand, as the games from which the factors are learned have no Dark Tower.
    """
    cdef int checkers = s.dark.red + s.dark.black
    if letter_on(on_square(s, square)) == DARK:
        choice.weights[choice.number] *= AT_LAST if checkers < 2 else TOO_EARLY
        add_row(choice, factors, AT_DARK + most(checkers, NUM_CLOCK))


# --- other nodes ----------------------------------------------------------------------------------

cdef inline void add_place(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Scene* own, int square) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int kind = s.context.kind
    add_row(choice, factors,
            AT_PLACE + kind * NUM_WAYS + most(ko_way(rules, s, square, own.king), NUM_WAYS))
    add_row(choice, factors,
            AT_PLACE_OWN + kind * NUM_NEAR + near(space_between(s, square, own.own_king)))
    add_row(choice, factors, AT_PLACE_THREAT + kind * NUM_NEAR + (
        NUM_NEAR - 1 if own.threat < 0 else near(space_between(s, square, own.threat))))
    add_row(choice, factors, AT_PLACE_AROUND + neighbours(rules, s, square, &around, room)
            + NUM_AROUND * (2 * kind + (square >> 6 == own.own_king >> 6)))
    add_row(choice, factors,
            AT_PLACE_FOES + kind * NUM_FOES + sights_at(rules, s, square) % NUM_FOES)
    if kind == KIND_DARK:
        add_row(choice, factors, AT_AWAY + most(way_of_callers(rules, s, square), NUM_WAYS))


cdef int way_of_callers(const Rules* rules, const State* s, int square) noexcept nogil:
    """The steps from a square to the nearest soldier of the seat that calls the Dark Tower."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int shortest = 1 << 15
    cdef int i
    for i in range(p.num_pieces):
        if is_in(p.pieces[i].letter, SOLDIERS):
            shortest = min(shortest, ko_way(rules, s, square, p.pieces[i].square))
    return shortest


cdef inline void add_king(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        int square) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int shortest = NUM_WAYS - 1
    cdef int seat
    if rules.num_seats == 2:    # the second board mirrors the first
        add_row(choice, factors, AT_KING_SQUARE + (square & 63 ^ (56 if square >= 64 else 0)))
    add_row(choice, factors, AT_KING_AROUND + neighbours(rules, s, square, &around, room))
    for seat in range(rules.num_seats):
        if seat != s.node and s.players[seat].king != NOWHERE:
            shortest = min(shortest, space_between(s, square, s.players[seat].king))
    add_row(choice, factors, AT_KING_WAY + shortest)


cdef inline void offer_other(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s,
        const Scene* own, uint32_t move) noexcept nogil:
    cdef const Player* me = own.me
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef int steps
    if verb == VERB_FIND:
        add_card(choice, factors, rules, own, 2, first, second_of(move))
    elif verb == VERB_SKIP:
        add_row(choice, factors, AT_SKIP + (s.context.tower if s.context.kind == KIND_TAX else 4))
    elif verb == VERB_AT:
        add_place(choice, factors, rules, s, own, first)
    elif verb == VERB_KING:
        add_king(choice, factors, rules, s, first)
    elif verb == VERB_SHUFFLE or verb == VERB_KEEP:
        add_row(choice, factors, AT_SHUFFLE + most(
            (count(me.discard) + 5) // 6, NUM_SIZES) + NUM_SIZES * (
                most((deck_size(me) + 5) // 6, NUM_SIZES) + NUM_SIZES * (verb == VERB_KEEP)))
    elif verb == VERB_KEEP_HAND or verb == VERB_DISCARD_HAND:
        add_row(choice, factors,
                AT_KEEP + most(num_ranks(wanted_soon(me) & me.hand), NUM_POINTS)
                + NUM_POINTS * (me.hand_jokers + 3 * (verb == VERB_KEEP_HAND)))
    elif verb == VERB_ON:
        add_row(choice, factors, AT_TARGET + sort_on(s, first) * NUM_POINTS + points_on(s, first))
        add_row(choice, factors, AT_TARGET_SEAT + (owner_at(s, first) == own.enemy))
    elif verb == VERB_STEP:
        steps = space_between(s, first, own.own_king)
        add_row(choice, factors, AT_LURE + near(steps))
        add_row(choice, factors, AT_LURE_TURN + turn_of(
            space_between(s, s.context.square, own.own_king), steps))
    elif verb == VERB_STOP:
        add_row(choice, factors,
                AT_LURE_STOP + near(space_between(s, s.context.square, own.own_king)))
    elif verb == VERB_RED:
        add_row(choice, factors, AT_MIX + first)
    elif verb == VERB_FROM:
        add_row(choice, factors, AT_SAC + sort_on(s, first) * NUM_POINTS + points_on(s, first))
    elif verb == VERB_WAIVE:
        add_row(choice, factors, AT_WAIVE + first * 3 + max(
            0, min(2, me.towers[first].height - own.lowest)))
    elif verb == VERB_COURT:
        add_row(choice, factors, AT_COURT_CARD + (s.stage - STAGE_COURT_J) * 4 + (first & 3))
    elif verb == VERB_UNDER:
        add_row(choice, factors, AT_UNDER + first)
    else:
        offer_answer(choice, factors, s, own, move)


cdef void offer_answer(
        Choice* choice, const Factors* factors, const State* s, const Scene* own,
        uint32_t move) noexcept nogil:
    """Nodes of attacks."""
    cdef int verb = verb_of(move)
    cdef int first = first_of(move)
    cdef int damaged = s.context.square
    if s.stage == STAGE_INSIGHT:
        add_row(choice, factors, AT_INSIGHT + <int>(
            2 if verb == VERB_PASS else <int>are_adjacent(s, first, s.context.target)))
        if verb != VERB_PASS:
            add_row(choice, factors,
                    AT_INSIGHT_WAY + near(space_between(s, first, own.own_king)))
    elif s.stage == STAGE_PARLAY:
        add_row(choice, factors, AT_ANSWER + (verb == VERB_PASS) + 2 * (
            (owner_at(s, rolled_at(s)) == s.node) + 2 * (rolled_at(s) == own.own_king)))
    elif verb == VERB_REROLL or verb == VERB_PASS:
        add_row(choice, factors, AT_REROLL + (6 if verb == VERB_PASS else first - 1)
                + 7 * (owner_at(s, roller_of(s)) == s.node))
    elif verb == VERB_TAKE:
        add_row(choice, factors,
                AT_TAKE + sort_on(s, damaged) * NUM_POINTS + points_on(s, damaged))
    elif verb == VERB_REDIR:
        add_row(choice, factors,
                AT_REDIRECT + sort_on(s, first) * NUM_POINTS + points_on(s, first))
    else:
        add_row(choice, factors, AT_OTHER)


cdef void ko_offer(
        Choice* choice, const Factors* factors, const Rules* rules, const State* s, Scene* own,
        const uint32_t* moves, int num_moves) noexcept nogil:
    cdef int i
    if s.stage == STAGE_MAIN:
        offer_mains(choice, factors, rules, s, own, moves, num_moves)
        return
    for i in range(num_moves):
        begin_option(choice, moves[i])
        offer_other(choice, factors, rules, s, own, moves[i])
        end_option(choice)
