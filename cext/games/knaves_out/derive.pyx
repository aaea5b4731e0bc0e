"""What follows from the rest of a state of Knaves Out, for states that are packed from views."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count

from .cards cimport bit
from .pieces cimport CHECKERS, unused_for
from .state cimport (
    ALL_CARDS, DARK, FULL_HEIGHT, IVORY, KING, NOBODY, NOWHERE, PAWN, TAINTED_KING, UNPAWN,
    GreatTower, Player, Tower, at_sea, card_of, squares_of)


cdef void ko_derive(const Rules* rules, State* s) noexcept nogil:
    cdef int seat
    memset(squares_of(s), 0, 64 * rules.num_seats)
    for seat in range(rules.num_seats):
        derive_cards(&s.players[seat], s.observer == NOBODY or s.observer == seat + 1)
        derive_pieces(s, seat)
    if s.ivory.stands:
        stand(s, &s.ivory, IVORY | s.ivory.chosen << 4)
    if s.dark.stands:
        stand(s, &s.dark, DARK)


cdef void derive_cards(Player* p, bint is_seen) noexcept nogil:
    cdef uint64_t gone = p.discard | p.hand
    cdef int jokers = 2 - p.discard_jokers - p.hand_jokers
    cdef const Tower* t
    cdef int tower, level, i
    p.effects = 0
    for tower in range(4):
        t = &p.towers[tower]
        if t.base:
            gone |= bit(t.base - 1)
        jokers -= t.tainted + count(t.jokers)
        for level in range(t.height):
            gone |= bit(card_of(tower, level, t.suits))
        for i in range(2):
            if t.devoured[i].effect == 0:
                continue
            p.effects |= t.devoured[i].effect
            jokers -= count(t.devoured[i].jokers)
            for level in range(FULL_HEIGHT):
                gone |= bit(card_of(tower, level, t.devoured[i].suits))
    p.deck = ALL_CARDS & ~gone if is_seen else 0
    p.deck_jokers = max(0, jokers) if is_seen else 0


cdef void derive_pieces(State* s, int seat) noexcept nogil:
    cdef Player* p = &s.players[seat]
    cdef int i, letter, checkers, fresh, number
    p.unused_red = CHECKERS
    p.unused_black = CHECKERS
    p.king = NOWHERE
    memset(p.number, 0, sizeof(p.number))
    for i in range(p.num_pieces):
        letter = p.pieces[i].letter
        p.number[letter] += 1
        unused_for(p, letter)[0] -= p.pieces[i].checkers
        squares_of(s)[p.pieces[i].square] = letter | seat << 4
        if letter == KING or letter == TAINTED_KING:
            p.king = p.pieces[i].square
    for letter in range(PAWN, UNPAWN + 1, 5):
        for checkers in range(5):
            for fresh in range(2):
                number = p.sea[at_sea(letter, checkers, fresh)]
                p.number[letter] += number
                p.unused_red -= number * checkers


cdef void stand(State* s, GreatTower* tower, int content) noexcept nogil:
    s.players[tower.chosen].unused_red -= tower.red
    s.players[tower.chosen].unused_black -= tower.black
    squares_of(s)[tower.square] = content
