"""Turns, draws, damage, defeat and the end of the game (R4, R10.2, R12 of the rules page)."""

from libc.string cimport memset

from kingmaker.cext.bits cimport count
from kingmaker.cext.game cimport CHANCE, TERMINAL

from .cards cimport deck_size, has_discard
from .pieces cimport CHECKERS, add_checkers, destroy, extract, leave, piece_at
from .state cimport (
    A, DARK, IVORY, J, KING, LASTING_MARKS, MAX_HAND, NOWHERE, OWN_TURN_MARKS, PAWN, SKIP,
    SKIPPED, STAGE_DRAW, STAGE_END, STAGE_MAIN, STAGE_SHUFFLE, TAINTED_KING, UNPAWN, GreatTower,
    Player, Rules, State, at_sea, letter_on, on_square, owner_on, squares_of)


cdef int ko_next_seat(const Rules* rules, const State* s, int seat) noexcept nogil:
    cdef int step = rules.num_seats - 1 if rules.is_ccw else 1
    cdef int _
    for _ in range(rules.num_seats):
        seat = (seat + step) % rules.num_seats
        if s.players[seat].is_alive:
            break
    return seat


# --- turns ----------------------------------------------------------------------------------------

cdef void ko_begin_turn(const Rules* rules, State* s, int seat) noexcept nogil:
    while begins_lost(rules, s, seat):
        seat = ko_next_seat(rules, s, seat)
    if s.stage == STAGE_END:
        return
    if has_discard(&s.players[seat]):
        go(s, STAGE_SHUFFLE, seat)
    else:
        ko_go_on_drawing(s, seat, False)


cdef bint begins_lost(const Rules* rules, State* s, int seat) noexcept nogil:
    """R4.1 a to d; True if the turn ends at once and the game goes on."""
    cdef Player* p = &s.players[seat]
    cdef int other
    if s.turn == rules.max_turns:
        end_by_limit(rules, s)      # the active seat stays that of the last turn
        return False
    s.turn += 1
    s.active = seat + 1
    p.marks &= ~LASTING_MARKS
    for other in range(rules.num_seats):
        s.players[other].swayers &= ~(1 << seat)
    refresh(p)
    if s.dark.stands and s.dark.chosen == seat:
        run_clock(rules, s, seat)
        if s.stage == STAGE_END:
            return False
        if not p.is_alive:
            return True
    if p.marks & SKIP:
        p.marks ^= SKIP | SKIPPED
        return True
    p.marks &= ~SKIPPED
    return False


cdef inline void refresh(Player* p) noexcept nogil:
    """Soldiers at sea stop being fresh."""
    cdef int letter, checkers
    for letter in range(PAWN, UNPAWN + 1, 5):
        for checkers in range(5):
            p.sea[at_sea(letter, checkers, False)] += p.sea[at_sea(letter, checkers, True)]
            p.sea[at_sea(letter, checkers, True)] = 0


cdef inline void run_clock(const Rules* rules, State* s, int seat) noexcept nogil:
    """R11.6."""
    if s.dark.red or s.dark.black:
        take_checker(s, &s.dark)
    if not (s.dark.red or s.dark.black):
        ko_defeat(rules, s, 1 << seat)


cdef void ko_end_turn(const Rules* rules, State* s) noexcept nogil:
    cdef int seat = s.active - 1
    cdef Player* p = &s.players[seat]
    cdef int i
    p.marks &= ~OWN_TURN_MARKS
    for i in range(p.num_pieces):
        p.pieces[i].steps = 0
        p.pieces[i].flags = 0
    s.acts = 0
    s.mover = 0
    memset(s.sha, 0, sizeof(s.sha))
    ko_begin_turn(rules, s, ko_next_seat(rules, s, seat))


cdef void ko_go_on_drawing(State* s, int seat, bint is_wind) noexcept nogil:
    cdef const Player* p = &s.players[seat]
    if p.hand_size < MAX_HAND and deck_size(p):
        go(s, STAGE_DRAW, CHANCE)
        s.context.seat = seat
        s.context.wind = is_wind
    else:
        go(s, STAGE_MAIN, seat)


cdef void ko_return_to_main(const Rules* rules, State* s) noexcept nogil:
    if s.stage == STAGE_END:
        return
    if s.players[s.active - 1].is_alive:
        go(s, STAGE_MAIN, s.active - 1)
    else:
        ko_end_turn(rules, s)


# --- damage ---------------------------------------------------------------------------------------

cdef inline void take_checker(State* s, GreatTower* tower) noexcept nogil:
    """R11.3; there must be one."""
    cdef Player* chosen = &s.players[tower.chosen]
    if tower.black:
        tower.black -= 1
        chosen.unused_black += 1
    else:
        tower.red -= 1
        chosen.unused_red += 1


cdef void ko_hurt(const Rules* rules, State* s, int square) noexcept nogil:
    cdef int content = on_square(s, square)
    cdef int letter = letter_on(content)
    cdef GreatTower* tower
    cdef Player* p
    cdef int index
    if letter == IVORY or letter == DARK:
        tower = &s.ivory if letter == IVORY else &s.dark
        if tower.red or tower.black:
            take_checker(s, tower)
        else:
            ko_defeat(rules, s, 1 << (tower.chosen if letter == IVORY else tower.enemy))
        return
    p = &s.players[owner_on(content)]
    index = piece_at(p, square)
    if p.pieces[index].checkers:
        add_checkers(p, index, -1)
    elif letter == KING or letter == TAINTED_KING:
        ko_defeat(rules, s, 1 << owner_on(content))
    else:
        destroy(s, owner_on(content), index)


# --- defeat and end -------------------------------------------------------------------------------

cdef void ko_defeat(const Rules* rules, State* s, int seats) noexcept nogil:
    cdef int living = 0
    cdef int seat
    for seat in range(rules.num_seats):
        if seats >> seat & 1:
            fall(rules, s, seat)
    for seat in range(rules.num_seats):
        living |= s.players[seat].is_alive << seat
    if count(living) <= 1:
        end(s, living if living else seats)


cdef void fall(const Rules* rules, State* s, int seat) noexcept nogil:
    cdef Player* p = &s.players[seat]
    cdef int other
    while p.num_pieces:
        leave(s, extract(s, seat, p.num_pieces - 1).square)
    p.is_alive = 0
    p.king = NOWHERE
    memset(p.sea, 0, sizeof(p.sea))
    memset(p.number, 0, sizeof(p.number))
    p.unused_red = CHECKERS
    p.unused_black = CHECKERS
    p.marks = 0
    p.swayers = 0
    for other in range(rules.num_seats):
        s.players[other].swayers &= ~(1 << seat)
    s.sha[seat] = 0
    if s.active == seat + 1:
        s.acts = 0
        memset(s.sha, 0, sizeof(s.sha))
    if s.ivory.stands and s.ivory.chosen == seat:
        s.island = (s.ivory.square >> 6) + 1
        remove_tower(s, &s.ivory)
    if s.dark.stands and (s.dark.chosen == seat or s.dark.enemy == seat):
        s.cleansed = (s.dark.square >> 6) + 1
        remove_tower(s, &s.dark)


cdef void remove_tower(State* s, GreatTower* tower) noexcept nogil:
    """R11.8; its checkers are unused again."""
    cdef Player* chosen = &s.players[tower.chosen]
    if chosen.is_alive:
        chosen.unused_red += tower.red
        chosen.unused_black += tower.black
    squares_of(s)[tower.square] = 0
    memset(tower, 0, sizeof(GreatTower))


cdef void end(State* s, int winners) noexcept nogil:
    s.mover = 0
    go(s, STAGE_END, TERMINAL)
    s.context.winners = winners


cdef void end_by_limit(const Rules* rules, State* s) noexcept nogil:
    """R12.4."""
    cdef int best = -1
    cdef int winners = 0
    cdef int seat, score
    for seat in range(rules.num_seats):
        if not s.players[seat].is_alive:
            continue
        score = rank_of(&s.players[seat]) if rules.ranks_at_limit else 0
        if score > best:
            best = score
            winners = 0
        if score == best:
            winners |= 1 << seat
    end(s, winners)


cdef int rank_of(const Player* p) noexcept nogil:
    """The triple of `limit_result=rank` as one number."""
    cdef int king = 0
    cdef int pieces = 0
    cdef int heights = 0
    cdef int i, letter, checkers, tower
    for i in range(p.num_pieces):
        pieces += 1 + p.pieces[i].checkers
        if p.pieces[i].square == p.king:
            king = p.pieces[i].checkers
    for letter in range(PAWN, UNPAWN + 1, 5):
        for checkers in range(5):
            pieces += (1 + checkers) * (
                p.sea[at_sea(letter, checkers, False)] + p.sea[at_sea(letter, checkers, True)])
    for tower in range(J, A + 1):
        heights += p.towers[tower].height
    return king << 16 | pieces << 8 | heights
