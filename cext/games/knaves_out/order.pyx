"""One order for the card plays and steps of a turn, which a tree then searches once.

Two moves in a row that do not concern each other are tried in ascending order only, cards before
steps: of all orders of the moves that lead to a position the least one remains. Nor is a
step tried after one of the same soldier that a single step, or none, replaces.

What these orders leave different is only who the mover is (R4.9). It matters on the board of an
enemy's Ivory Tower and on cleansed ground, so steps there are never left out.
"""

from .geometry cimport are_adjacent
from .movement cimport ko_is_in_hazard
from .pieces cimport piece_at
from .state cimport (
    A, BUILDINGS, REDIRECT, SOLDIERS, STAGE_MAIN, VERB_ATTACK, VERB_JOKER, VERB_MOVE, VERB_PLAY,
    VERB_SAIL, Player, first_of, is_in, letter_on, on_square, owner_on, second_of, verb_of)


cdef bint ko_is_redundant(const State* s, uint32_t previous, uint32_t move) noexcept nogil:
    if s.stage != STAGE_MAIN:
        return False
    if is_play(move):
        if is_play(previous):
            return move < previous and are_apart(previous, move)
        return verb_of(previous) == VERB_MOVE and is_plain_step(
            s, first_of(previous), second_of(previous), second_of(previous))
    if verb_of(move) != VERB_MOVE or verb_of(previous) != VERB_MOVE:
        return False
    if not is_plain_step(s, first_of(previous), second_of(previous), second_of(previous)):
        return False
    if not is_plain_step(s, first_of(move), second_of(move), first_of(move)):
        return False
    if first_of(move) == second_of(previous):
        return second_of(move) == first_of(previous) or are_adjacent(
            s, first_of(previous), second_of(move))
    return move < previous and second_of(move) != first_of(previous)


cdef bint ko_is_pointless(const State* s, uint32_t move) noexcept nogil:
    """Whether it attacks a building of one's own, or kills the soldier that it would move.

    To end the turn is always possible, too. An own soldier that is attacked may be worth its
    checkers, or be in the way.
    """
    cdef int content
    if verb_of(move) == VERB_MOVE or verb_of(move) == VERB_SAIL:
        return is_deadly(s, first_of(move))
    content = on_square(s, second_of(move)) if verb_of(move) == VERB_ATTACK else 0
    return owner_on(content) == s.active - 1 and is_in(letter_on(content), BUILDINGS)


cdef inline bint is_deadly(const State* s, int square) noexcept nogil:
    """Whether a soldier without checkers dies as it starts to move (R11.4)."""
    cdef const Player* p = &s.players[s.active - 1]
    return (
        ko_is_in_hazard(s, square) and p.pieces[piece_at(p, square)].checkers == 0
        and not p.marks & REDIRECT)


cdef inline bint is_play(uint32_t move) noexcept nogil:
    return verb_of(move) == VERB_PLAY or verb_of(move) == VERB_JOKER


cdef inline bint are_apart(uint32_t play, uint32_t other) noexcept nogil:
    """Whether two plays are on different towers; that of the ace needs the whole court."""
    return second_of(play) != second_of(other) and second_of(play) != A and second_of(other) != A


cdef inline bint is_plain_step(const State* s, int start, int goal, int stands) noexcept nogil:
    """Whether the mover does not matter for a step, of the piece that `stands` here now."""
    return (
        is_in(letter_on(on_square(s, stands)), SOLDIERS)
        and is_calm(s, start >> 6) and is_calm(s, goal >> 6))


cdef inline bint is_calm(const State* s, int board) noexcept nogil:
    if s.ivory.stands and s.ivory.chosen != s.active - 1 and s.ivory.square >> 6 == board:
        return False
    return s.cleansed != board + 1
