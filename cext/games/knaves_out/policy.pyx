"""The playout policy of Knaves Out.

It plays cards while it can, takes an action, attacks with its soldiers or moves them, by sea where
an island lies between, and ends its turn. It chooses by learned factors (choices.pyx) and may call
the Ivory Tower, but never the Dark Tower. Each turn is short, and every game ends by `max_turns` at
the latest. It uses only what its seat sees.

The evaluation shows what a square is worth to a piece that stands there now. What it will be worth
when enemies come is up to the policy: `ko_foresight`.
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from kingmaker.cext.bits cimport pop_lowest, random_member
from kingmaker.cext.choice cimport Factors
from kingmaker.cext.game cimport CHANCE, MOVES_ROOM, TERMINAL
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport below, bitgen_t

from .cards cimport next_rank, of_rank, wanted
from .choices cimport ko_action, ko_agrees, ko_blow_or_step, ko_site, ko_threat, ko_tower
from .combat cimport owner_at, rolled_at, roller_of
from .evaluation cimport ko_evaluate
from .geometry cimport ko_nearest_enemy, ko_way, neighbours
from .legal cimport ko_legal_moves, ko_places, ko_sample
from .marches cimport NO_CHOICE, ko_goal
from .movement cimport ko_land_fault
from .policy_rows cimport AT_JOKER, AT_KEEP
from .rules cimport ko_apply, ko_returns
from .state cimport (
    KIND_BUILD, KIND_DARK, KIND_IVORY, KIND_TAX, KING, PAWN, SOLDIERS, STAGE_FIND, STAGE_KEEP,
    STAGE_KING, STAGE_LIONHEART, STAGE_MAIN, STAGE_PARLAY, STAGE_PLACE, STAGE_REDIRECT,
    STAGE_SHUFFLE, TAINTED_KING, UNPAWN, VERB_AT, VERB_DISCARD_HAND, VERB_END_TURN, VERB_FIND,
    VERB_JOKER, VERB_KEEP_HAND, VERB_LAND, VERB_PARLAY, VERB_PASS, VERB_PLAY, VERB_REROLL,
    VERB_SHUFFLE, VERB_SKIP, VERB_TAKE, Player, at_sea, first_of, is_in, letter_on, move_of,
    on_square)

# Share of the win that a square costs from which a king or the Ivory Tower can be attacked, times
# the number of seats.
cdef double EXPOSURE = 0.1


cdef uint32_t ko_policy_move(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    if s.stage == STAGE_MAIN:
        return main_move(rules, factors, s, rng)
    if s.stage == STAGE_SHUFFLE:
        return move_of(VERB_SHUFFLE)
    if s.stage == STAGE_KEEP:
        return move_of(
            VERB_KEEP_HAND if ko_agrees(factors, AT_KEEP, s.node, rng) else VERB_DISCARD_HAND)
    if s.stage == STAGE_FIND:
        return card_to_find(rules, factors, s, rng)
    if s.stage == STAGE_PLACE:
        return place_to_take(rules, factors, s, rng)
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

cdef uint32_t main_move(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t move = card_to_play(rules, factors, s, rng)
    if move == NO_CHOICE:
        move = ko_action(rules, factors, s, rng)
    if move == NO_CHOICE:
        move = landing(rules, s)
    if move == NO_CHOICE:
        move = ko_blow_or_step(rules, factors, s, rng)
    return move if move != NO_CHOICE else move_of(VERB_END_TURN)


cdef uint32_t card_to_play(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    """Any card that fits; a Joker where no card does."""
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
        if cards == 0 or not ko_agrees(factors, AT_JOKER, s.node, rng):
            return NO_CHOICE
    card = random_member(cards, rng)
    return move_of(verb, card, ko_tower(rules, factors, p, s.node, card, rng))


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


# --- other nodes ----------------------------------------------------------------------------------

cdef uint32_t card_to_find(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
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
    return move_of(VERB_FIND, card, ko_tower(rules, factors, p, s.node, card, rng))


cdef uint32_t place_to_take(
        const Rules* rules, const Factors* factors, const State* s, bitgen_t* rng) noexcept nogil:
    """Soldiers as near to a threat (`ko_threat`) as they can, or else to an enemy king.

    Other pieces come anywhere.
    A Dark Tower comes as far from all soldiers of its Chosen One as it can.
    """
    cdef uint64_t[8] masks
    cdef int enemy, threat, board, square, distance
    cdef int shortest = 1 << 16
    cdef int found = 0
    if s.context.kind == KIND_IVORY:
        return ko_site(rules, factors, s, rng)
    if s.context.kind == KIND_BUILD:
        return any_move(rules, s, rng)
    enemy = ko_nearest_enemy(rules, s, s.node)
    threat = ko_threat(rules, s, s.node)
    ko_places(rules, s, masks)
    for board in range(rules.num_seats):
        while masks[board]:
            square = 64 * board + pop_lowest(&masks[board])
            if s.context.kind == KIND_DARK:
                distance = -way_of_soldiers(rules, s, square)
            elif threat >= 0:
                distance = ko_way(rules, s, square, threat)
            else:
                distance = ko_way(
                    rules, s, square, ko_goal(rules, s, square, s.players[enemy].king))
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
        const Rules* rules, const Factors* factors, Net net, State* s, int max_plies, bitgen_t* rng,
        double* out) noexcept nogil:
    cdef int plies = 0
    cdef int turn = s.turn
    while s.node != TERMINAL:
        if max_plies and plies >= max_plies and s.turn != turn:
            ko_evaluate(rules, net, s, out)
            return plies
        turn = s.turn
        ko_apply(
            rules, s,
            ko_sample(rules, s, rng) if s.node == CHANCE
            else ko_policy_move(rules, factors, s, rng))
        plies += 1
    ko_returns(rules, s, out)
    return plies
