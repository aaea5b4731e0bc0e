"""Where soldiers of the playout policy of Knaves Out go, and what they spare."""

from libc.stdint cimport uint16_t, uint32_t

from kingmaker.cext.rng cimport below

from .geometry cimport are_cut_off, ko_to_coast, ko_way, neighbours, space_between
from .movement cimport ko_has_step, ko_heart_fault, ko_is_in_hazard, ko_sail_fault
from .state cimport VERB_MOVE, VERB_SAIL, move_of, on_square


cdef int ko_goal(const Rules* rules, const State* s, int square, int king) noexcept nogil:
    # An enemy's Ivory Tower matters on its own board only, where it hurts all who move.
    cdef int goal = king
    if s.ivory.stands and s.ivory.chosen != s.node and s.ivory.square >> 6 == square >> 6 and (
            space_between(s, square, s.ivory.square) < space_between(s, square, goal)):
        goal = s.ivory.square
    if s.dark.stands and s.dark.chosen == s.node and (
            ko_way(rules, s, square, s.dark.square) < ko_way(rules, s, square, goal)):
        goal = s.dark.square
    return goal


cdef uint32_t ko_approach(
        const Rules* rules, const State* s, const Piece* piece, int goal,
        bitgen_t* rng) noexcept nogil:
    """A step that shortens the way to a square; none that the Ivory Tower would make deadly.

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
