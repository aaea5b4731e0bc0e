"""The playout policy of Knaves Out.

It plays cards while it can, takes an action by a list of priorities, attacks whatever its soldiers
touch, kings first, moves soldiers towards the nearest enemy king, by sea where an island lies
between, and ends its turn. So every turn is short, and every game ends by `max_turns` at the
latest. It does not call the Two Towers. It uses only what its seat sees.

The evaluation shows what a square is worth to a piece that stands there now. What it will be worth
when enemies come is up to the policy: `ko_foresight`.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t


from kingmaker.cext.bits cimport pop_lowest, random_member
from kingmaker.cext.game cimport CHANCE, MOVES_ROOM, TERMINAL
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport below, bitgen_t

from .actions cimport Purse, ko_act_fault, ko_is_target, ko_open_purse
from .acts cimport ko_acts
from .cards cimport JACK, fits, next_rank, of_rank, wanted
from .combat cimport owner_at, rolled_at, roller_of
from .evaluation cimport ko_evaluate, ko_nearest_enemy
from .faults cimport NO_FAULT
from .geometry cimport are_cut_off, ko_to_coast, ko_way, neighbours, space_between
from .legal cimport ko_legal_moves, ko_places, ko_sample
from .movement cimport (
    ko_has_step, ko_heart_fault, ko_is_in_hazard, ko_land_fault, ko_sail_fault)
from .pieces cimport pair_of
from .rules cimport ko_apply, ko_returns
from .state cimport (
    A, ATTACKED, BUILD, DARK, ENDED, EXECUTE, FORTIFY, HAIL, IVORY, J, K, KIND_BUILD, KIND_DARK,
    KIND_IVORY, KIND_TAX, KING, KNIGHT_UP, MARRY, NOWHERE, PAWN, Q, ROOK, SOLDIERS, STAGE_FIND,
    STAGE_KEEP, STAGE_KING, STAGE_LIONHEART, STAGE_MAIN, STAGE_PARLAY, STAGE_PLACE, STAGE_REDIRECT,
    STAGE_SHUFFLE, TAINTED_KING, TAX, TRAIN, UNPAWN, VERB_AT, VERB_ATTACK, VERB_DISCARD_HAND,
    VERB_END_TURN, VERB_FIND, VERB_JOKER, VERB_KEEP_HAND, VERB_LAND, VERB_MOVE, VERB_PARLAY,
    VERB_PASS, VERB_PLAY, VERB_REROLL, VERB_SAIL, VERB_SHUFFLE, VERB_SKIP, VERB_TAKE, Piece, Player,
    act_of, at_sea, first_of, is_in, letter_on, move_of, on_square, owner_on)

cdef enum:
    NO_CHOICE = 0       # a `move_of(VERB_FIRST)`, which is an outcome: nothing to do here
    # Of 256; the rest of the time another legal action is drawn.
    USUAL = 232

# Share of the win that a square costs from which a king or the Ivory Tower can be attacked, times
# the number of seats.
cdef double EXPOSURE = 0.1


cdef uint32_t ko_policy_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    if s.stage == STAGE_MAIN:
        return main_move(rules, s, rng)
    if s.stage == STAGE_SHUFFLE:
        return move_of(VERB_SHUFFLE)
    if s.stage == STAGE_KEEP:
        return move_of(VERB_DISCARD_HAND if below(rng, 8) else VERB_KEEP_HAND)
    if s.stage == STAGE_FIND:
        return card_to_find(rules, s, rng)
    if s.stage == STAGE_PLACE:
        return place_to_take(rules, s, rng)
    if s.stage == STAGE_REDIRECT:
        return point_to_move(rules, s, rng)
    if s.stage == STAGE_PARLAY:
        return move_of(VERB_PARLAY if owner_at(s, rolled_at(s)) == s.node else VERB_PASS)
    if s.stage == STAGE_LIONHEART:
        return die_to_reroll(s)
    return any_move(rules, s, rng)


cdef uint32_t any_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MOVES_ROOM] moves
    return moves[below(rng, ko_legal_moves(rules, s, moves))]


cdef double ko_foresight(const Rules* rules, const State* s, uint32_t move) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    if s.stage == STAGE_KING or (s.stage == STAGE_PLACE and s.context.kind == KIND_IVORY):
        return -EXPOSURE / rules.num_seats * neighbours(rules, s, first_of(move), &around, room)
    return 0


# --- main -----------------------------------------------------------------------------------------

cdef uint32_t main_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t move = card_to_play(rules, s, rng)
    if move == NO_CHOICE:
        move = action_to_take(rules, s, rng)
    if move == NO_CHOICE:
        move = landing(rules, s)
    if move == NO_CHOICE:
        move = blow_or_step(rules, s, rng)
    return move if move != NO_CHOICE else move_of(VERB_END_TURN)


cdef uint32_t card_to_play(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    """Any card that fits, on the lowest tower; a Joker where no card does."""
    cdef const Player* p = &s.players[s.node]
    cdef uint64_t playable = wanted(rules, p)
    cdef uint64_t cards = p.hand & playable
    cdef int verb = VERB_PLAY
    cdef int card
    if cards == 0:
        if p.hand_jokers == 0:
            return NO_CHOICE
        cards = p.deck & playable
        verb = VERB_JOKER
        if cards == 0:
            return NO_CHOICE
    card = random_member(cards, rng)
    return move_of(verb, card, tower_for(rules, p, card, below(rng, 3)))


cdef inline int tower_for(const Rules* rules, const Player* p, int card, int first) noexcept nogil:
    """A tower that a card fits on; the ace tower only if there is no other."""
    cdef int i, tower
    for i in range(3):
        tower = first + i if first + i < 3 else first + i - 3
        if fits(rules, p, card, tower):
            return tower
    return A


cdef uint32_t action_to_take(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef uint32_t[MOVES_ROOM] moves
    cdef uint32_t move
    cdef int number
    cdef Purse purse
    ko_open_purse(s, s.node, &purse)
    if purse.acts_left == 0 or p.towers[J].base == 0:
        return NO_CHOICE
    if below(rng, 256) >= USUAL:
        number = ko_acts(rules, s, moves)
        return moves[below(rng, number)] if number else NO_CHOICE
    if purse.height[Q] >= 4:
        move = execution(rules, s)
        if move != NO_CHOICE and ko_act_fault(rules, s, &purse, move) == NO_FAULT:
            return move
    move = growth(rules, s, p, &purse, rng)
    if move != NO_CHOICE and ko_act_fault(rules, s, &purse, move) == NO_FAULT:
        return move
    if purse.height[J] >= 2 and (purse.height[J] < 4 or pair_of(p, ROOK) == 2 or has_gap(p)):
        return act_of(TAX)
    return NO_CHOICE


cdef inline bint has_gap(const Player* p) noexcept nogil:
    """Whether a tower of the court lags, so that nothing with a price of each can be paid."""
    return (p.towers[Q].base and p.towers[Q].height < 2) or (
        p.towers[K].base and p.towers[K].height < 2)


cdef uint32_t growth(
        const Rules* rules, const State* s, const Player* p, const Purse* purse,
        bitgen_t* rng) noexcept nogil:
    """Court, first rook, pawns, their checkers."""
    cdef uint64_t cards
    if p.towers[K].base == 0:
        cards = p.hand & of_rank(JACK + 2)
        if cards and purse.height[J] >= 2:
            return act_of(HAIL, random_member(cards, rng))
    elif p.towers[Q].base == 0:
        cards = p.hand & of_rank(JACK + 1)
        if cards and purse.height[K] >= 2:
            return act_of(MARRY, random_member(cards, rng))
    if pair_of(p, ROOK) == 0:
        return act_of(BUILD, ROOK) if purse.height[J] >= 4 else NO_CHOICE
    if purse.each and p.number[PAWN] < 8:
        return act_of(TRAIN)
    if purse.height[K] >= 2 and p.unused_red:
        return pawn_to_knight(s, p)
    if purse.height[J] >= 6 and pair_of(p, ROOK) == 1:
        return act_of(BUILD, ROOK)
    if purse.height[J] >= 4 and p.unused_black and p.king != NOWHERE:
        return act_of(FORTIFY, p.king)
    return NO_CHOICE


cdef inline uint32_t pawn_to_knight(const State* s, const Player* p) noexcept nogil:
    """The pawn with the most checkers of those with fewer than three."""
    cdef int best = -1
    cdef int i
    for i in range(p.num_pieces):
        if p.pieces[i].letter == PAWN and p.pieces[i].checkers < 3 and (
                best < 0 or p.pieces[i].checkers > p.pieces[best].checkers):
            best = i
    return NO_CHOICE if best < 0 else act_of(KNIGHT_UP, p.pieces[best].square)


cdef inline int appeal(const State* s, int square) noexcept nogil:
    """How much a point of damage here is worth to an enemy; kings, then the Two Towers."""
    cdef int letter = letter_on(on_square(s, square))
    if letter == KING or letter == TAINTED_KING:
        return 4
    if letter == IVORY or letter == DARK:
        return 3
    return 2 if is_in(letter, SOLDIERS) else 1


cdef inline bint is_worth_a_blow(const State* s, int square) noexcept nogil:
    """Points on the Dark Tower shorten its clock: they wait for the last checker."""
    return ko_is_target(s, s.node, square) and (
        letter_on(on_square(s, square)) != DARK or s.dark.red + s.dark.black <= 1)


cdef uint32_t execution(const Rules* rules, const State* s) noexcept nogil:
    """The most worthy enemy piece that an own one touches."""
    cdef const Player* p = &s.players[s.node]
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int best = 0
    cdef int found = 0
    cdef int i, k, content
    for i in range(p.num_pieces):
        for k in range(neighbours(rules, s, p.pieces[i].square, &around, room)):
            content = on_square(s, around[k])
            if content == 0 or owner_on(content) == s.node and letter_on(content) != DARK:
                continue
            if is_worth_a_blow(s, around[k]) and appeal(s, around[k]) > best:
                best = appeal(s, around[k])
                found = around[k]
    return act_of(EXECUTE, found) if best else NO_CHOICE


# --- soldiers -------------------------------------------------------------------------------------

cdef uint32_t landing(const Rules* rules, const State* s) noexcept nogil:
    """Bring ashore the soldier with the most checkers that has been at sea since a turn before."""
    cdef const Player* p = &s.players[s.node]
    cdef int checkers
    for checkers in range(4, -1, -1):
        if p.sea[at_sea(PAWN, checkers, False)] and not ko_land_fault(rules, s, PAWN, checkers):
            return move_of(VERB_LAND, PAWN, checkers)
        if p.sea[at_sea(UNPAWN, checkers, False)] and not ko_land_fault(rules, s, UNPAWN, checkers):
            return move_of(VERB_LAND, UNPAWN, checkers)
    return NO_CHOICE


cdef uint32_t blow_or_step(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    """Attack with the first soldier that can, else bring one closer to an enemy king."""
    cdef const Player* p = &s.players[s.node]
    cdef int enemy = -1
    cdef const Piece* piece
    cdef uint32_t move
    cdef int i
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not is_in(piece.letter, SOLDIERS):
            continue
        if enemy < 0:
            enemy = ko_nearest_enemy(rules, s, s.node)
        move = blow(rules, s, p, piece)
        if move == NO_CHOICE:
            move = approach(
                rules, s, piece, goal_from(rules, s, piece.square, s.players[enemy].king), rng)
        if move != NO_CHOICE:
            return move
    return NO_CHOICE


cdef inline uint32_t blow(
        const Rules* rules, const State* s, const Player* p, const Piece* piece) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int best = 0
    cdef int found = 0
    cdef int i, content
    if piece.flags & ATTACKED or p.swayers or p.marks & ENDED:
        return NO_CHOICE
    for i in range(neighbours(rules, s, piece.square, &around, room)):
        content = on_square(s, around[i])
        if content == 0 or owner_on(content) == s.node and letter_on(content) != DARK:
            continue
        if is_worth_a_blow(s, around[i]) and appeal(s, around[i]) > best:
            best = appeal(s, around[i])
            found = around[i]
    return move_of(VERB_ATTACK, piece.square, found) if best else NO_CHOICE


cdef inline int goal_from(
        const Rules* rules, const State* s, int square, int king) noexcept nogil:
    """What a soldier here makes for: an enemy king, or a Tower to destroy that is nearer.

    An enemy's Ivory Tower matters on its own board only, where it hurts all who move.
    """
    cdef int goal = king
    if s.ivory.stands and s.ivory.chosen != s.node and s.ivory.square >> 6 == square >> 6 and (
            space_between(s, square, s.ivory.square) < space_between(s, square, goal)):
        goal = s.ivory.square
    if s.dark.stands and s.dark.chosen == s.node and (
            ko_way(rules, s, square, s.dark.square) < ko_way(rules, s, square, goal)):
        goal = s.dark.square
    return goal


cdef inline uint32_t approach(
        const Rules* rules, const State* s, const Piece* piece, int goal,
        bitgen_t* rng) noexcept nogil:
    """A step that shortens the way to a king; none that the Ivory Tower would make deadly.

    Where an island lies between, a soldier that can pay for the passage makes for the coast.
    """
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef uint16_t[8] closer
    cdef bint sails = are_cut_off(s, piece.square, goal)
    cdef int distance = (
        ko_to_coast(rules, s, piece.square) + 1 if sails else space_between(s, piece.square, goal))
    cdef int number = 0
    cdef int i
    if sails:
        if piece.checkers == 0:
            return NO_CHOICE
        if not ko_sail_fault(rules, s, piece.square):
            return move_of(VERB_SAIL, piece.square)
    if distance <= 1 or not ko_has_step(rules, s, piece):
        return NO_CHOICE
    if ko_is_in_hazard(s, piece.square) and piece.checkers == 0:
        return NO_CHOICE
    for i in range(neighbours(rules, s, piece.square, &around, room)):
        if on_square(s, around[i]) == 0 and (
                ko_to_coast(rules, s, around[i]) + 1 if sails
                else space_between(s, around[i], goal)) < distance:
            if not ko_heart_fault(
                    rules, s, piece.letter, piece.square, piece.square, around[i]):
                closer[number] = around[i]
                number += 1
    if number == 0:
        return NO_CHOICE
    return move_of(VERB_MOVE, piece.square, closer[below(rng, number) if number > 1 else 0])


# --- other nodes ----------------------------------------------------------------------------------

cdef uint32_t card_to_find(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef uint64_t cards
    cdef int card
    if s.context.kind == KIND_TAX:
        cards = p.deck & of_rank(next_rank(p, s.context.tower))
        return (
            move_of(VERB_FIND, random_member(cards, rng), s.context.tower) if cards
            else move_of(VERB_SKIP))
    cards = p.deck & wanted(rules, p)
    if cards == 0:
        return move_of(VERB_SKIP)
    card = random_member(cards, rng)
    return move_of(VERB_FIND, card, tower_for(rules, p, card, below(rng, 3)))


cdef uint32_t place_to_take(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    """Soldiers as near to an enemy king as they can, other pieces anywhere.

    A Dark Tower comes as far from all soldiers of its Chosen One as it can.
    """
    cdef uint64_t[8] masks
    cdef int enemy, board, square, distance
    cdef int shortest = 1 << 16
    cdef int found = 0
    if s.context.kind == KIND_BUILD or s.context.kind == KIND_IVORY:
        return any_move(rules, s, rng)
    enemy = ko_nearest_enemy(rules, s, s.node)
    ko_places(rules, s, masks)
    for board in range(rules.num_seats):
        while masks[board]:
            square = 64 * board + pop_lowest(&masks[board])
            if s.context.kind == KIND_DARK:
                distance = -way_of_soldiers(rules, s, square)
            else:
                distance = ko_way(
                    rules, s, square, goal_from(rules, s, square, s.players[enemy].king))
            if distance < shortest:
                shortest = distance
                found = square
    return move_of(VERB_AT, found)


cdef int way_of_soldiers(const Rules* rules, const State* s, int square) noexcept nogil:
    """The steps from a square to the nearest soldier of the active seat."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int shortest = 1 << 15
    cdef int i
    for i in range(p.num_pieces):
        if is_in(p.pieces[i].letter, SOLDIERS):
            shortest = min(shortest, ko_way(rules, s, square, p.pieces[i].square))
    return shortest


cdef uint32_t point_to_move(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    """Points on a king go elsewhere, others stay."""
    cdef int letter = letter_on(on_square(s, s.context.square))
    cdef uint32_t[MOVES_ROOM] moves
    if letter == KING or letter == TAINTED_KING:
        return moves[below(rng, ko_legal_moves(rules, s, moves) - 1)]
    return move_of(VERB_TAKE)


cdef uint32_t die_to_reroll(const State* s) noexcept nogil:
    """The roller its lowest die, the owner of the target the highest."""
    cdef bint is_roller = owner_at(s, roller_of(s)) == s.node
    cdef int i, face
    for i in range(3):
        face = 1 + i if is_roller else 6 - i
        if s.context.faces[face - 1]:
            return move_of(VERB_REROLL, face)
    return move_of(VERB_PASS)


# --- playouts -------------------------------------------------------------------------------------

cdef int ko_playout(
        const Rules* rules, Net net, State* s, int max_plies, bitgen_t* rng,
        double* out) noexcept nogil:
    cdef int plies = 0
    while s.node != TERMINAL:
        if plies == max_plies and max_plies:
            ko_evaluate(rules, net, s, out)
            return plies
        ko_apply(
            rules, s,
            ko_sample(rules, s, rng) if s.node == CHANCE else ko_policy_move(rules, s, rng))
        plies += 1
    ko_returns(rules, s, out)
    return plies
