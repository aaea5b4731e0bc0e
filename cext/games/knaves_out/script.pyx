"""The choices of the playout policy of Knaves Out by hand, with three seats and more.

It takes an action by a list of priorities, attacks whatever its soldiers touch, kings first, and
moves soldiers towards the nearest enemy king. As a player it loses to the learned choices
(choices.pyx), but with four seats a search is no better with those (docs/strength.md).
"""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from kingmaker.cext.bits cimport random_member
from kingmaker.cext.game cimport MOVES_ROOM
from kingmaker.cext.rng cimport below

from .actions cimport Purse, ko_act_fault, ko_is_target, ko_open_purse
from .acts cimport ko_acts
from .cards cimport JACK, fits, of_rank
from .evaluation cimport ko_nearest_enemy
from .faults cimport NO_FAULT
from .geometry cimport neighbours
from .marches cimport NO_CHOICE, is_worth_a_blow, ko_approach, ko_goal
from .pieces cimport pair_of
from .state cimport (
    A, ATTACKED, BUILD, DARK, ENDED, EXECUTE, FORTIFY, HAIL, IVORY, J, K, KING, KNIGHT_UP, MARRY,
    NOWHERE, PAWN, Q, ROOK, SOLDIERS, TAINTED_KING, TAX, TRAIN, VERB_ATTACK, Piece, act_of, is_in,
    letter_on, move_of, on_square, owner_on)

cdef enum:
    # Of 256; the rest of the time another legal action is drawn.
    USUAL = 232


cdef int ko_next_tower(const Rules* rules, const Player* p, int card, int first) noexcept nogil:
    """A tower that a card fits on; the ace tower only if there is no other."""
    cdef int i, tower
    for i in range(3):
        tower = first + i if first + i < 3 else first + i - 3
        if fits(rules, p, card, tower):
            return tower
    return A


cdef uint32_t ko_scripted_action(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
    cdef const Player* p = &s.players[s.node]
    cdef uint32_t[MOVES_ROOM] moves
    cdef uint32_t move
    cdef int number
    cdef Purse purse
    ko_open_purse(s, s.node, &purse)
    if purse.acts_left == 0 or p.towers[J].base == 0:
        return NO_CHOICE
    if below(rng, 256) >= USUAL:
        number = ko_acts(rules, s, &purse, moves)
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


cdef inline int target_beside(
        const Rules* rules, const State* s, int square, int* best) noexcept nogil:
    """The most worthy piece to strike next to a square, if it appeals more than `best`; else -1."""
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int found = -1
    cdef int i, content
    for i in range(neighbours(rules, s, square, &around, room)):
        content = on_square(s, around[i])
        if content == 0 or owner_on(content) == s.node and letter_on(content) != DARK:
            continue
        if (appeal(s, around[i]) > best[0] and ko_is_target(s, s.node, around[i])
                and is_worth_a_blow(s, around[i])):
            best[0] = appeal(s, around[i])
            found = around[i]
    return found


cdef uint32_t execution(const Rules* rules, const State* s) noexcept nogil:
    """The most worthy enemy piece that an own one touches."""
    cdef const Player* p = &s.players[s.node]
    cdef int best = 0
    cdef int found = -1
    cdef int i, target
    for i in range(p.num_pieces):
        target = target_beside(rules, s, p.pieces[i].square, &best)
        if target >= 0:
            found = target
    return act_of(EXECUTE, found) if found >= 0 else NO_CHOICE


cdef uint32_t ko_scripted_step(const Rules* rules, const State* s, bitgen_t* rng) noexcept nogil:
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
            move = ko_approach(
                rules, s, piece, ko_goal(rules, s, piece.square, s.players[enemy].king), rng)
        if move != NO_CHOICE:
            return move
    return NO_CHOICE


cdef inline uint32_t blow(
        const Rules* rules, const State* s, const Player* p, const Piece* piece) noexcept nogil:
    cdef int best = 0
    cdef int found
    if piece.flags & ATTACKED or p.swayers or p.marks & ENDED:
        return NO_CHOICE
    found = target_beside(rules, s, piece.square, &best)
    return move_of(VERB_ATTACK, piece.square, found) if found >= 0 else NO_CHOICE
