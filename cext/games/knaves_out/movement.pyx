"""Steps, sailing and landing (R8 of the rules page)."""

from libc.stdint cimport uint16_t, uint32_t, uint64_t

from kingmaker.cext.bits cimport pop_lowest

from .faults cimport (
    FAULT_FARE, FAULT_HEART_ATTACK, FAULT_NOT_ADJACENT, FAULT_NOT_AT_SEA, FAULT_NOT_COASTAL,
    FAULT_NO_MOVER, FAULT_NO_ROOM, FAULT_NO_STEP, FAULT_OCCUPIED, NO_FAULT)
from .geometry cimport EDGE, are_adjacent, is_coastal, neighbours
from .pieces cimport create, piece_at, put_to_sea, shift
from .state cimport (
    BLACKSAILS, BUILDINGS, CLEANSED, CRIMSON, FRENZY, HEART_ATTACK, PAWN, RUSH, SEABREEZE, SOLDIERS,
    SURGED, TAINTED_BUILDINGS, VERB_MOVE, Player, at_sea, first_of, is_in, letter_on, on_square,
    second_of, verb_of)

# --- conditions -----------------------------------------------------------------------------------

cdef int ko_strength(const Rules* rules, const State* s, const Piece* piece) noexcept nogil:
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int i
    if piece.letter == PAWN and piece.checkers:
        for i in range(neighbours(rules, s, piece.square, &around, room)):
            if is_in(letter_on(on_square(s, around[i])), TAINTED_BUILDINGS):
                return piece.checkers
    return 1 + piece.checkers


cdef bint ko_has_step(const Rules* rules, const State* s, const Piece* piece) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int steps
    cdef bint is_doubled
    if is_in(piece.letter, BUILDINGS):
        return piece.flags & SURGED and piece.steps <= piece.checkers
    is_doubled = is_cleansed(s, piece)
    steps = 1 + piece.checkers
    if piece.letter == PAWN:
        steps += p.marks & FRENZY != 0
        is_doubled = (
            is_doubled or p.marks & RUSH != 0 or (p.effects & CRIMSON and piece.checkers))
    if piece.steps < (steps - 1) << is_doubled:     # even next to a tainted building
        return True
    steps += ko_strength(rules, s, piece) - 1 - piece.checkers
    return piece.steps < steps << is_doubled


cdef inline bint is_cleansed(const State* s, const Piece* piece) noexcept nogil:
    """Whether cleansed ground doubles the steps of a soldier, if it steps now (R8.4)."""
    if piece.flags & CLEANSED:
        return True
    return s.cleansed == (piece.square >> 6) + 1 and s.mover != piece.square + 1


cdef int ko_heart_fault(
        const Rules* rules, const State* s, int letter, int holder, int start,
        int goal) noexcept nogil:
    cdef const Player* other
    cdef int seat
    if letter != PAWN:
        return NO_FAULT
    for seat in range(rules.num_seats):
        other = &s.players[seat]
        if not other.effects & HEART_ATTACK or not other.is_alive or seat == s.active - 1:
            continue
        if s.sha[seat] == 0 or s.sha[seat] == holder + 1:
            continue
        if goal >> 6 == other.king >> 6 or start >> 6 == other.king >> 6:
            return FAULT_HEART_ATTACK
    return NO_FAULT


cdef int ko_step_fault(const Rules* rules, const State* s, int start, int goal) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int index = piece_at(p, start)
    if index < 0 or not (
            is_in(p.pieces[index].letter, SOLDIERS) or p.pieces[index].flags & SURGED):
        return FAULT_NO_MOVER
    if not are_adjacent(s, start, goal):
        return FAULT_NOT_ADJACENT
    if on_square(s, goal):
        return FAULT_OCCUPIED
    if not ko_has_step(rules, s, &p.pieces[index]):
        return FAULT_NO_STEP
    return ko_heart_fault(rules, s, p.pieces[index].letter, start, start, goal)


cdef int ko_sail_fault(const Rules* rules, const State* s, int square) noexcept nogil:
    cdef const Player* p = &s.players[s.active - 1]
    cdef int index = piece_at(p, square)
    if index < 0 or not is_in(p.pieces[index].letter, SOLDIERS):
        return FAULT_NO_MOVER
    if not is_coastal(rules, s, square):
        return FAULT_NOT_COASTAL
    if p.pieces[index].checkers == 0 and not sails_free(p, p.pieces[index].letter):
        return FAULT_FARE
    if not ko_has_step(rules, s, &p.pieces[index]):
        return FAULT_NO_STEP
    return ko_heart_fault(rules, s, p.pieces[index].letter, square, square, -1)


cdef inline bint sails_free(const Player* p, int letter) noexcept nogil:
    return p.marks & (SEABREEZE if letter == PAWN else BLACKSAILS) != 0


cdef int ko_land_fault(
        const Rules* rules, const State* s, int letter, int checkers) noexcept nogil:
    cdef uint64_t edge
    cdef int board
    if s.players[s.active - 1].sea[at_sea(letter, checkers, False)] == 0:
        return FAULT_NOT_AT_SEA
    for board in range(rules.num_seats):
        edge = EDGE
        while edge:
            if ko_landing_fault(rules, s, letter, 64 * board + pop_lowest(&edge)) == NO_FAULT:
                return NO_FAULT
    return FAULT_NO_ROOM


cdef int ko_landing_fault(
        const Rules* rules, const State* s, int letter, int square) noexcept nogil:
    if on_square(s, square):
        return FAULT_OCCUPIED
    if not is_coastal(rules, s, square):
        return FAULT_NOT_COASTAL
    return ko_heart_fault(rules, s, letter, -1, -1, square)


cdef bint ko_is_in_hazard(const State* s, int square) noexcept nogil:
    return (
        s.ivory.stands and s.ivory.chosen != s.active - 1 and s.mover != square + 1
        and s.ivory.square >> 6 == square >> 6 and is_in(letter_on(on_square(s, square)), SOLDIERS))


# --- what a step does -----------------------------------------------------------------------------

cdef void ko_finish_step(const Rules* rules, State* s, uint32_t move) noexcept nogil:
    cdef int seat = s.active - 1
    cdef Player* p = &s.players[seat]
    cdef int start = first_of(move)
    cdef int goal = second_of(move) if verb_of(move) == VERB_MOVE else -1
    cdef int fault = (
        ko_step_fault(rules, s, start, goal) if goal >= 0 else ko_sail_fault(rules, s, start))
    cdef int index
    if fault:
        return
    index = piece_at(p, start)
    if is_in(p.pieces[index].letter, SOLDIERS):
        if is_cleansed(s, &p.pieces[index]):
            p.pieces[index].flags |= CLEANSED
    take_permissions(rules, s, p.pieces[index].letter, start, start, goal)
    if goal < 0:
        put_to_sea(s, seat, index, not sails_free(p, p.pieces[index].letter))
        return
    p.pieces[index].steps += 1
    index = shift(s, seat, index, goal)
    s.mover = goal + 1 if is_in(p.pieces[index].letter, SOLDIERS) else 0


cdef void take_permissions(
        const Rules* rules, State* s, int letter, int holder, int start, int goal) noexcept nogil:
    """R8.9: the first pawn on the board of a king holds the permission of this turn."""
    cdef const Player* other
    cdef int seat
    if letter != PAWN:
        return
    for seat in range(rules.num_seats):
        other = &s.players[seat]
        if not other.effects & HEART_ATTACK or not other.is_alive or seat == s.active - 1:
            continue
        if goal >> 6 == other.king >> 6 or start >> 6 == other.king >> 6:
            s.sha[seat] = holder + 1


cdef void ko_land(
        const Rules* rules, State* s, int letter, int checkers, int square) noexcept nogil:
    cdef int seat = s.active - 1
    cdef Player* p = &s.players[seat]
    cdef int index
    p.sea[at_sea(letter, checkers, False)] -= 1
    p.number[letter] -= 1
    p.unused_red += checkers
    index = create(s, seat, square, letter, checkers)
    p.pieces[index].steps = 1
    s.mover = square + 1
    take_permissions(rules, s, letter, square, -1, square)
