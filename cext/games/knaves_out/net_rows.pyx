"""What the net of the evaluation reads of a seat.

Rows of its first layer: each value of a count, or of a pair of counts, has a row, so few rows are
added up. Most of the counts are terms of the weighted sum (evaluation.pyx), which know what is
still to come within an action or a roll; one with parts counts by the ranges of a table. The hands
are those of the full state, a world of the search: the net values worlds, not what a seat sees.

The rival of a seat is the enemy whose king is nearest. With more than two seats there are rows of
the other enemies, too.
"""

from libc.stdint cimport int32_t, uint16_t, uint32_t

from kingmaker.cext.bits cimport count

from .cards cimport court_of, has_court
from .dark_tower cimport DarkTower, ko_look_at_dark
from .geometry cimport are_cut_off, ko_nearest_enemy, ko_way, neighbours, space_between
from .state cimport (
    ATTACKED, NOWHERE, PAWN, SOLDIERS, STAGE_INSIGHT, STAGE_MAIN, STAGE_REROLL, UNPAWN, Piece,
    Player, Rules, State, is_in)
from .terms cimport (
    BUILDING_CHECKERS, DRAWS, EACH, FIRST_ROOK, FITTING, GUARD, IN_DECK, JOKERS, KING_POINTS,
    NEARNESS, NUM_SOLDIERS, NUM_TERMS, OTHER_BUILDINGS, REACH, SECOND_ROOK, SIEGE, SOLDIER_POINTS,
    SOON, STACK_CARDS, TARGET, TARGET_POINTS, THREAT_KING, THREAT_OTHER, WANTED_COURT)

# Numbers of values that are told apart; larger ones count as the largest.
cdef enum:
    NUM_KINGS = 6           # hit points of a king building
    NUM_RANGES = 12         # of `range_of`
    NUM_NUMBERS = 9         # soldiers
    NUM_ROOKS = 3
    NUM_OTHERS = 5
    NUM_COURTS = 10         # `court_of`, 0: none
    NUM_HEIGHTS = 14
    NUM_FITTING = 9
    NUM_HANDS = 11
    NUM_JOKERS = 3
    NUM_WANTED = 3
    NUM_MARKS = 23
    NUM_EFFECTS = 64
    NUM_STAGES = 3
    NUM_ACTS = 3
    NUM_POINTS = 6          # of a soldier
    NUM_STEPS = 18          # to the enemy king; the last one: at sea
    NUM_TOWER = 12          # points that an Ivory Tower has taken
    NUM_TURNS = 16          # in fives of rounds
    NUM_SPOTS = 9           # squares next to a king
    NUM_CHECKERS = 9
    NUM_LIVING = 9
    NUM_HUNTERS = 4         # enemies to which a king is the nearest
    NUM_DECKS = 19          # cards of a deck, in threes
    NUM_ROLES = 3           # towards the Dark Tower: its Chosen One, its enemy, neither
    NUM_CLOCK = 11          # checkers of the Dark Tower
    NUM_PHASES = 6          # the same in twos

# First rows of the blocks. Those of a seat are there twice: for the own seat and for the rival.
cdef enum:
    AT_KINGS = 0
    AT_ATTACK = AT_KINGS + NUM_KINGS * NUM_KINGS                    # rival's king, own reach, turn
    AT_DANGER = AT_ATTACK + 2 * NUM_KINGS * NUM_RANGES              # own king, rival's reach, turn
    AT_ARMIES = AT_DANGER + 2 * NUM_KINGS * NUM_RANGES              # points of both
    AT_NUMBERS = AT_ARMIES + NUM_RANGES * NUM_RANGES
    AT_GUARD = AT_NUMBERS + NUM_NUMBERS * NUM_NUMBERS               # own guard, rival's nearness
    AT_DISTANCE = AT_GUARD + NUM_RANGES * NUM_RANGES                # between kings
    AT_TURN = AT_DISTANCE + NUM_STEPS
    AT_STAGE = AT_TURN + NUM_TURNS                                  # whose turn, stage, actions
    AT_SEATS = AT_STAGE + 2 * NUM_STAGES * NUM_ACTS                 # the blocks of each seat

cdef enum:                                                          # of a seat, from `AT_SEATS` on
    AT_BUILDINGS = 0
    AT_COURT = AT_BUILDINGS + NUM_ROOKS * NUM_OTHERS                # which cards, and its type
    AT_TYPE = AT_COURT + 16
    AT_STACKS = AT_TYPE + NUM_COURTS
    AT_HAND = AT_STACKS + 4 * NUM_HEIGHTS                           # size and cards that fit
    AT_DECK = AT_HAND + NUM_HANDS * NUM_FITTING                     # fitting in hand and deck
    AT_SOON = AT_DECK + NUM_FITTING * NUM_FITTING
    AT_JOKERS = AT_SOON + NUM_FITTING
    AT_MARKS = AT_JOKERS + NUM_JOKERS * NUM_WANTED
    AT_EFFECTS = AT_MARKS + NUM_MARKS
    AT_THREAT = AT_EFFECTS + NUM_EFFECTS                            # on the king, by its points
    AT_BLOW = AT_THREAT + NUM_RANGES * NUM_KINGS                    # on others
    AT_TARGET = AT_BLOW + NUM_RANGES
    AT_SIEGE = AT_TARGET + NUM_TOWER
    AT_SPOT = AT_SIEGE + NUM_RANGES
    AT_CHECKERS = AT_SPOT + NUM_SPOTS
    AT_STRENGTH = AT_CHECKERS + NUM_CHECKERS                        # each that can be paid, cards
    AT_SOLDIER = AT_STRENGTH + 5 * NUM_RANGES                       # points and steps of each one
    AT_SPENT = AT_SOLDIER + NUM_POINTS * NUM_STEPS                  # the same if it has attacked
    AT_BASE = AT_SPENT + NUM_POINTS * NUM_STEPS                     # of a tower: suit, tainted
    AT_CARDS = AT_BASE + 4 * 4 * 2                                  # of the deck, and its Jokers
    NUM_SEAT_ROWS = AT_CARDS + NUM_DECKS * NUM_JOKERS


cdef enum:                                                          # of the Dark Tower, by role
    AT_CLOCK = AT_SEATS + 2 * NUM_SEAT_ROWS                         # turn, checkers
    AT_ODDS = AT_CLOCK + NUM_ROLES * 2 * NUM_CLOCK
    AT_NOW = AT_ODDS + NUM_ROLES * NUM_RANGES                       # dice, checkers
    AT_LATER = AT_NOW + NUM_ROLES * NUM_RANGES * NUM_PHASES
    AT_PLACES = AT_LATER + NUM_ROLES * NUM_RANGES * NUM_PHASES
    AT_WAY = AT_PLACES + NUM_ROLES * NUM_SPOTS                      # points, steps of its soldiers


cdef enum:                                                          # of all enemies
    AT_ENEMIES = AT_WAY + NUM_ROLES * NUM_POINTS * NUM_STEPS
    AT_ORDER = AT_ENEMIES                                           # living seats, next to play
    AT_NEAR = AT_ORDER + NUM_LIVING * NUM_LIVING                    # own king, their points
    AT_WIDE = AT_NEAR + NUM_KINGS * NUM_RANGES
    AT_HUNTERS = AT_WIDE + NUM_KINGS * NUM_RANGES                   # own king, hunted by the rival
    AT_MOST = AT_HUNTERS + 2 * NUM_KINGS * NUM_HUNTERS              # own points, the strongest's
    NUM_ALL_ROWS = AT_MOST + NUM_RANGES * NUM_RANGES


cdef int ko_num_net_rows(const Rules* rules) noexcept nogil:
    return AT_ENEMIES if rules.num_seats == 2 else NUM_ALL_ROWS


cdef int ko_net_rows(
        const Rules* rules, const State* s, const double* terms, int seat,
        int32_t* out) noexcept nogil:
    cdef int rival = ko_nearest_enemy(rules, s, seat)
    cdef const double* own = terms + seat * NUM_TERMS
    cdef const double* other = terms + rival * NUM_TERMS
    cdef int is_active = s.active == seat + 1
    cdef int own_king = points_of(own[KING_POINTS])
    cdef int other_king = points_of(other[KING_POINTS])
    cdef int first = s.players[seat].king
    cdef int second = s.players[rival].king
    out[0] = AT_KINGS + own_king * NUM_KINGS + other_king
    out[1] = AT_ATTACK + (
        is_active * NUM_KINGS + other_king) * NUM_RANGES + range_of(own[REACH])
    out[2] = AT_DANGER + (
        is_active * NUM_KINGS + own_king) * NUM_RANGES + range_of(other[REACH])
    out[3] = AT_ARMIES + range_of(own[SOLDIER_POINTS]) * NUM_RANGES + range_of(
        other[SOLDIER_POINTS])
    out[4] = AT_NUMBERS + bounded(own[NUM_SOLDIERS], NUM_NUMBERS) * NUM_NUMBERS + bounded(
        other[NUM_SOLDIERS], NUM_NUMBERS)
    out[5] = AT_GUARD + range_of(own[GUARD]) * NUM_RANGES + range_of(other[NEARNESS])
    out[6] = AT_DISTANCE + (
        NUM_STEPS - 1 if first == NOWHERE or second == NOWHERE else min(
            space_between(s, first, second), NUM_STEPS - 2))
    out[7] = AT_TURN + min(<int>s.turn // (5 * rules.num_seats), NUM_TURNS - 1)
    out[8] = AT_STAGE + (
        is_active * NUM_STAGES + stage_of(s)) * NUM_ACTS + min(<int>s.acts, NUM_ACTS - 1)
    cdef int written = 9
    written += rows_of(rules, s, own, seat, rival, AT_SEATS, out + written)
    written += rows_of(rules, s, other, rival, seat, AT_SEATS + NUM_SEAT_ROWS, out + written)
    if s.dark.stands:
        written += dark_of(rules, s, seat, out + written)
    if rules.num_seats > 2:
        written += enemies_of(rules, s, terms, seat, rival, out + written)
    return written


cdef int dark_of(const Rules* rules, const State* s, int seat, int32_t* out) noexcept nogil:
    """Write the rows of the Dark Tower; returns their number."""
    cdef const Player* chosen = &s.players[s.dark.chosen]
    cdef const Piece* piece
    cdef int role = 0 if s.dark.chosen == seat else 1 if s.dark.enemy == seat else 2
    cdef int written = 5
    cdef DarkTower tower
    cdef int i, checkers
    ko_look_at_dark(rules, s, &tower)
    checkers = min(tower.checkers, NUM_CLOCK - 1)
    out[0] = AT_CLOCK + (role * 2 + (s.active == seat + 1)) * NUM_CLOCK + checkers
    out[1] = AT_ODDS + role * NUM_RANGES + <int>(tower.odds * (NUM_RANGES - 0.01))
    out[2] = AT_NOW + (role * NUM_RANGES + range_of(tower.now)) * NUM_PHASES + checkers // 2
    out[3] = AT_LATER + (role * NUM_RANGES + range_of(tower.later)) * NUM_PHASES + checkers // 2
    out[4] = AT_PLACES + role * NUM_SPOTS + tower.places
    for i in range(chosen.num_pieces):
        piece = &chosen.pieces[i]
        if is_in(piece.letter, SOLDIERS):
            out[written] = AT_WAY + (
                role * NUM_POINTS + min(<int>piece.checkers, NUM_POINTS - 1)) * NUM_STEPS + min(
                    ko_way(rules, s, piece.square, s.dark.square), NUM_STEPS - 1)
            written += 1
    return written


cdef int enemies_of(
        const Rules* rules, const State* s, const double* terms, int seat, int rival,
        int32_t* out) noexcept nogil:
    """Write the rows of all enemies together; returns their number."""
    cdef const double* own = terms + seat * NUM_TERMS
    cdef int king = points_of(own[KING_POINTS])
    cdef int living = 1
    cdef int before = 0         # seats that play until the seat does
    cdef int hunters = 0
    cdef int near = 0           # points of soldiers that reach the king this turn
    cdef int wide = 0           # within two turns
    cdef double most = 0
    cdef bint is_hunted = False
    cdef int other
    for other in range(rules.num_seats):
        if other == seat or not s.players[other].is_alive:
            continue
        living += 1
        before += plays_before(rules, s, other, seat)
        most = max(most, terms[other * NUM_TERMS + SOLDIER_POINTS])
        if ko_nearest_enemy(rules, s, other) == seat:
            hunters += 1
            is_hunted |= other == rival
        add_raiders(s, &s.players[other], s.players[seat].king, &near, &wide)
    out[0] = AT_ORDER + living * NUM_LIVING + before
    out[1] = AT_NEAR + king * NUM_RANGES + range_of(near)
    out[2] = AT_WIDE + king * NUM_RANGES + range_of(wide)
    out[3] = AT_HUNTERS + (is_hunted * NUM_KINGS + king) * NUM_HUNTERS + min(
        hunters, NUM_HUNTERS - 1)
    out[4] = AT_MOST + range_of(own[SOLDIER_POINTS]) * NUM_RANGES + range_of(most)
    return 5


cdef inline bint plays_before(
        const Rules* rules, const State* s, int other, int seat) noexcept nogil:
    """Whether an enemy's next turn, or this one, comes before the seat's."""
    cdef int first = s.active - 1
    return turns_until(rules, first, other) < turns_until(rules, first, seat)


cdef inline int turns_until(const Rules* rules, int first, int seat) noexcept nogil:
    cdef int places = first - seat if rules.is_ccw else seat - first
    return places + rules.num_seats if places < 0 else places


cdef void add_raiders(
        const State* s, const Player* enemy, int king, int* near, int* wide) noexcept nogil:
    """Add the points of soldiers that reach a square next to a king if nothing is in the way."""
    cdef const Piece* piece
    cdef int i, points, steps
    if king == NOWHERE or enemy.number[PAWN] + enemy.number[UNPAWN] == 0:
        return
    for i in range(enemy.num_pieces):
        piece = &enemy.pieces[i]
        if not is_in(piece.letter, SOLDIERS) or are_cut_off(s, piece.square, king):
            continue
        points = 1 + piece.checkers
        steps = space_between(s, piece.square, king) - 1
        if steps <= points:
            near[0] += points
        if steps <= 2 * points:
            wide[0] += points


cdef int rows_of(
        const Rules* rules, const State* s, const double* terms, int seat, int rival, int at,
        int32_t* out) noexcept nogil:
    """Write the rows of one of the seats; returns their number."""
    cdef const Player* p = &s.players[seat]
    cdef int fitting = bounded(terms[FITTING], NUM_FITTING)
    cdef int written = 12
    cdef int tower, base
    cdef uint32_t marks = p.marks & ((1 << NUM_MARKS) - 1)
    out[0] = at + AT_BUILDINGS + <int>(terms[FIRST_ROOK] + terms[SECOND_ROOK]) * NUM_OTHERS + (
        bounded(terms[OTHER_BUILDINGS], NUM_OTHERS))
    out[1] = at + AT_COURT + ((p.towers[0].base != 0) | (p.towers[1].base != 0) << 1
                              | (p.towers[2].base != 0) << 2 | (p.towers[3].base != 0) << 3)
    out[2] = at + AT_TYPE + (min(court_of(p), NUM_COURTS - 1) if has_court(p) else 0)
    out[3] = at + AT_HAND + (
        bounded(10 - terms[DRAWS], NUM_HANDS) * NUM_FITTING + fitting)
    out[4] = at + AT_DECK + fitting * NUM_FITTING + bounded(terms[IN_DECK], NUM_FITTING)
    out[5] = at + AT_SOON + bounded(terms[SOON], NUM_FITTING)
    out[6] = at + AT_JOKERS + bounded(terms[JOKERS], NUM_JOKERS) * NUM_WANTED + bounded(
        terms[WANTED_COURT], NUM_WANTED)
    out[7] = at + AT_EFFECTS + p.effects % NUM_EFFECTS
    out[8] = at + AT_CHECKERS + bounded(terms[BUILDING_CHECKERS], NUM_CHECKERS)
    out[9] = at + AT_STRENGTH + bounded(terms[EACH], 5) * NUM_RANGES + range_of(
        terms[STACK_CARDS] / 2)
    out[10] = at + AT_SPOT + spot_of(rules, s, p.king)
    out[11] = at + AT_CARDS + min(
        (count(p.deck) + p.deck_jokers) // 3, NUM_DECKS - 1) * NUM_JOKERS + min(
            <int>p.deck_jokers, NUM_JOKERS - 1)
    for tower in range(4):
        base = p.towers[tower].base
        if base:
            out[written] = at + AT_STACKS + tower * NUM_HEIGHTS + p.towers[tower].height
            out[written + 1] = at + AT_BASE + (
                tower * 4 + (base - 1 & 3)) * 2 + p.towers[tower].tainted
            written += 2
    for tower in range(NUM_MARKS):
        if marks >> tower & 1:
            out[written] = at + AT_MARKS + tower
            written += 1
    if s.active == seat + 1:
        out[written] = at + AT_THREAT + points_of(
            terms[(rival - seat) * NUM_TERMS + KING_POINTS]) * NUM_RANGES + range_of(
                terms[THREAT_KING])
        out[written + 1] = at + AT_BLOW + range_of(terms[THREAT_OTHER])
        written += 2
    if terms[TARGET]:
        out[written] = at + AT_TARGET + bounded(11 * terms[TARGET_POINTS], NUM_TOWER)
        written += 1
    if terms[SIEGE]:
        out[written] = at + AT_SIEGE + range_of(terms[SIEGE])
        written += 1
    return written + soldiers_of(s, p, s.players[rival].king, at, out + written)


cdef int soldiers_of(
        const State* s, const Player* p, int king, int at, int32_t* out) noexcept nogil:
    """Write a row for each soldier; returns their number."""
    cdef const Piece* piece
    cdef int written = 0
    cdef int i, _j, steps
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not is_in(piece.letter, SOLDIERS):
            continue
        steps = NUM_STEPS - 2
        if king != NOWHERE:
            steps = min(steps, space_between(s, piece.square, king))
        out[written] = at + (AT_SPENT if piece.flags & ATTACKED else AT_SOLDIER) + min(
            <int>piece.checkers, NUM_POINTS - 1) * NUM_STEPS + steps
        written += 1
    for i in range(20):
        for _j in range(p.sea[i]):
            out[written] = at + AT_SOLDIER + min(
                i // 2 % 5, NUM_POINTS - 1) * NUM_STEPS + NUM_STEPS - 1
            written += 1
    return written


cdef inline int stage_of(const State* s) noexcept nogil:
    """Within the main part of a turn, within an attack, or elsewhere."""
    if s.stage == STAGE_MAIN:
        return 0
    return 1 if STAGE_INSIGHT <= s.stage <= STAGE_REROLL else 2


cdef inline int spot_of(const Rules* rules, const State* s, int king) noexcept nogil:
    """The squares next to a king; the fewer, the fewer can attack it."""
    cdef const uint16_t* around
    cdef uint16_t[8] room
    return 0 if king == NOWHERE else neighbours(rules, s, king, &around, room)


cdef inline int points_of(double points) noexcept nogil:
    """Hit points of a king building, rounded up: half a point does not end it."""
    cdef int whole = <int>points
    return max(0, min(whole + (points > whole), NUM_KINGS - 1))


cdef inline int bounded(double number, int values) noexcept nogil:
    """The nearest whole number from 0 to `values` - 1."""
    return max(0, min(<int>(number + 0.5), values - 1))


cdef inline int range_of(double amount) noexcept nogil:
    """One of NUM_RANGES ranges: 0, up to 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 11, more."""
    if amount <= 0:
        return 0
    if amount <= 2:
        return 1 + <int>(amount * 2 - 1e-9)
    if amount <= 6:
        return 5 + <int>(amount - 2 - 1e-9)
    return 9 + (amount > 8) + (amount > 11)
