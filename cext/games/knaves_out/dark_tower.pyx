"""The Dark Tower in the evaluation of Knaves Out: who is left when it ends.

Its Chosen One destroys it or falls with its clock. Each point takes a turn from the clock, too. So
the best plan is to wait until one checker is left and then to take two points with all soldiers at
once, unless those at hand are enough now.
"""

from libc.stdint cimport uint16_t

from .combat cimport ko_threshold, roller_of, rolled_at
from .geometry cimport are_cut_off, ko_way, neighbours
from .state cimport (
    ATTACKED, KIND_DARK, SOLDIERS, STAGE_INSIGHT, STAGE_MIX, STAGE_PLACE, STAGE_REROLL, STAGE_SAC,
    Piece, Player, is_in, on_square, owner_on)
from .terms cimport dice_left, hits_shown

cdef enum:
    FULL_CLOCK = 10     # checkers of a Dark Tower that is called
    OUTLYING = 12       # steps to the place that an enemy finds for it
    MOST_DICE = 4       # that a square next to it gives room for, on average
    CORNER = 3          # squares next to one

# The part of the odds that a turn of the clock leaves: soldiers are lost, ways are blocked. It is a
# guess.
cdef double LASTS = 0.85


cdef void ko_await_dark(const Rules* rules, const State* s, double* shares) noexcept nogil:
    cdef DarkTower tower
    if s.dark.stands:
        ko_look_at_dark(rules, s, &tower)
        await_end(rules, s.dark.chosen, s.dark.enemy, tower.checkers, tower.odds, shares)
    elif s.context.kind == KIND_DARK and s.active != 0 and s.stage in (
            STAGE_MIX, STAGE_SAC, STAGE_PLACE):
        await_end(
            rules, s.active - 1, s.node if s.stage == STAGE_PLACE else s.context.seat,
            FULL_CLOCK, called_odds(rules, s), shares)


cdef void await_end(
        const Rules* rules, int chosen, int enemy, int clock, double odds,
        double* out) noexcept nogil:
    """Turn win shares without the Dark Tower into those with it.

    With some `odds` its enemy falls, else its Chosen One does. The longer the clock, the likelier
    something else comes first.
    """
    cdef double is_decisive = 1 - clock / (2.0 * FULL_CLOCK)
    cdef double success = is_decisive * odds / max(1e-9, 1 - out[enemy])
    cdef double failure = is_decisive * (1 - odds) / max(1e-9, 1 - out[chosen])
    cdef double total = 0
    cdef int seat
    for seat in range(rules.num_seats):
        out[seat] *= (
            1 - is_decisive + (success if seat != enemy else 0)
            + (failure if seat != chosen else 0))
        total += out[seat]
    for seat in range(rules.num_seats):
        out[seat] /= total


cdef void ko_look_at_dark(const Rules* rules, const State* s, DarkTower* out) noexcept nogil:
    cdef const Player* p = &s.players[s.dark.chosen]
    cdef const Piece* piece
    cdef const uint16_t* around
    cdef uint16_t[8] room
    cdef int num_squares = neighbours(rules, s, s.dark.square, &around, room)
    cdef bint is_now = s.active == s.dark.chosen + 1
    cdef int checkers = s.dark.red + s.dark.black
    cdef int turns = max(1, checkers) if is_now else checkers - 1
    cdef int now = 0
    cdef int later = 0
    cdef int places = 0
    cdef int i, points, steps
    if is_now and STAGE_INSIGHT <= s.stage <= STAGE_REROLL and rolled_at(s) == s.dark.square:
        checkers -= hits_shown(s, ko_threshold(
            rules, s, roller_of(s), s.dark.square, s.context.upper))
        now = dice_left(s)
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not is_in(piece.letter, SOLDIERS):
            continue
        points = 1 + piece.checkers
        if are_cut_off(s, piece.square, s.dark.square):
            points -= 1
        steps = ko_way(rules, s, piece.square, s.dark.square) - 1
        if steps <= points * turns:
            later += points
            if steps <= points - piece.steps and piece.flags & ATTACKED == 0 and p.swayers == 0:
                now += points
    for i in range(num_squares):
        places += on_square(s, around[i]) == 0 or owner_on(on_square(s, around[i])) == s.dark.chosen
    later = min(later, MOST_DICE * places)
    out.checkers = s.dark.red + s.dark.black
    out.places = places
    out.now = now
    out.later = later
    out.odds = max(
        odds_of_hits(now, checkers + 1) if is_now else 0, odds_at_last(later, checkers))


cdef double called_odds(const Rules* rules, const State* s) noexcept nogil:
    """The same of a Dark Tower that its enemy is still to place, where it is hard to reach."""
    cdef const Player* p = &s.players[s.active - 1]
    cdef int later = 0
    cdef int i, points
    for i in range(p.num_pieces):
        points = 1 + p.pieces[i].checkers
        if is_in(p.pieces[i].letter, SOLDIERS) and OUTLYING <= points * FULL_CLOCK:
            later += points
    return odds_at_last(min(later, CORNER * MOST_DICE), FULL_CLOCK)


cdef inline double odds_at_last(int dice, int checkers) noexcept nogil:
    """The odds of two points with the last checker; soldiers may be lost while the clock runs."""
    return 0 if checkers < 2 else odds_of_hits(dice, 2) * LASTS ** (checkers - 1)


cdef inline double odds_of_hits(int dice, int hits) noexcept nogil:
    """The odds of at least so many hits."""
    cdef double exactly = (2 / 3.0) ** dice
    cdef double fewer = 0
    cdef int i
    for i in range(min(hits, dice + 1)):
        fewer += exactly
        exactly *= (dice - i) / (2.0 * (i + 1))
    return 1 - fewer
