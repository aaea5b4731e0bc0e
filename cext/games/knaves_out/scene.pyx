"""What the policy of Knaves Out looks at once for all moves of a decision."""

from libc.stdint cimport uint64_t
from libc.string cimport memcmp, memcpy, memset

from .actions cimport acts_left
from .cards cimport COURT_CHAOS, NO_COURT, court_of, each_of, is_light, num_ranks, wanted
from .geometry cimport are_cut_off, ko_nearest_enemy, space_between, spot_of, steps_between
from .movement cimport ko_has_step
from .policy_rows cimport (
    AT_COURT, AT_EACH, AT_KINGS, AT_MEANS, AT_REACH, AT_RIVAL_MEANS, AT_STANDING, NUM_EACH,
    NUM_HEIGHTS, NUM_REACHES)
from .state cimport (
    A, ATTACKED, ENDED, J, K, NOWHERE, PAWN, Q, SOLDIERS, STAGE_MAIN, UNPAWN, Piece, Player, is_in)

cdef enum:
    NEAR = 4        # steps from which a soldier threatens a king


cdef void ko_begin_scene(Scene* out, Recall* recall) noexcept nogil:
    out.seat = -1
    out.done = ANYTHING
    out.weighed = 0
    out.look = 1
    out.recall = recall
    if recall != NULL:
        memset(recall.steps, 0, sizeof(recall.steps))


cdef void ko_look(const Rules* rules, const State* s, Scene* out) noexcept nogil:
    memset(&out.seat, 0, <char*>&out.rows - <char*>&out.seat)
    out.look += 1
    out.seat = s.node
    out.own_king = s.players[s.node].king
    out.enemy = ko_nearest_enemy(rules, s, s.node)
    out.king = s.players[out.enemy].king if out.enemy >= 0 else NOWHERE
    out.threat = -1
    if out.king != NOWHERE and out.own_king != NOWHERE:
        out.to_king = spot_of(s, out.king)
        out.to_own = spot_of(s, out.own_king)
        look_at_enemies(rules, s, out)
        out.to_threat = spot_of(s, out.threat if out.threat >= 0 else out.own_king)
        out.rival_means = means_of(&s.players[out.enemy], court_of(&s.players[out.enemy]))
        out.foe_points = points_on(s, out.king)
    ko_look_again(rules, s, out)


cdef void ko_look_again(const Rules* rules, const State* s, Scene* out) noexcept nogil:
    cdef const Player* me = &s.players[s.node]
    cdef int tower
    memset(out, 0, <char*>&out.seat - <char*>out)
    out.me = me
    out.lowest = NUM_HEIGHTS
    for tower in range(J, A):
        if me.towers[tower].base:
            out.lowest = min(out.lowest, <int>me.towers[tower].height)
    out.type = court_of(me)
    out.look += 1
    out.stand.square = -1
    if s.stage == STAGE_MAIN:
        if out.king != NOWHERE and out.own_king != NOWHERE:
            look_around(rules, s, out)
        set_rows(out)


cdef inline void look_around(const Rules* rules, const State* s, Scene* out) noexcept nogil:
    cdef const Player* me = out.me
    cdef uint64_t fitting = wanted(rules, me)
    cdef int number = me.number[PAWN] + me.number[UNPAWN]
    out.has_act = acts_left(s, me) > 0
    out.each = most(each_of(me), NUM_EACH)
    out.means = means_of(me, out.type)
    out.court = (me.towers[J].base != 0) + (me.towers[K].base != 0) + (me.towers[Q].base != 0)
    out.court = 4 if me.towers[A].base and out.court == 3 else out.court
    out.soldiers = number if number < 2 else 2 if number < 4 else 3
    out.standing = 2 * out.soldiers + (out.threat >= 0)
    out.playable = num_ranks(fitting & me.hand)
    out.own_points = points_on(s, out.own_king)
    if out.done != CARDS:
        look_at_own(rules, s, out)


cdef inline void set_rows(Scene* out) noexcept nogil:
    cdef int[7] rows
    rows[0] = AT_STANDING + out.standing
    rows[1] = AT_REACH + out.reach * NUM_REACHES + out.danger
    rows[2] = AT_COURT + out.court * 2 + out.has_act
    rows[3] = AT_KINGS + out.foe_points * NUM_POINTS + out.own_points
    rows[4] = AT_MEANS + out.means
    rows[5] = AT_RIVAL_MEANS + out.rival_means
    rows[6] = AT_EACH + out.each * 4 + out.soldiers
    if memcmp(rows, out.rows, sizeof(rows)):
        memcpy(out.rows, rows, sizeof(rows))
        out.weighed = 0


cdef inline int means_of(const Player* p, int court) noexcept nogil:
    cdef int each = NUM_EACH - 1
    cdef int tower
    if court == NO_COURT:
        return 0
    for tower in range(J, A):
        each = min(each, <int>p.towers[tower].height)
    return each + NUM_EACH * (1 if is_light(court) else 2 if court == COURT_CHAOS else 3)


cdef inline void look_at_own(const Rules* rules, const State* s, Scene* out) noexcept nogil:
    cdef const Player* p = out.me
    cdef const Piece* piece
    cdef int i, steps, points
    out.reach = out.attackers = out.movers = 0
    if p.number[PAWN] + p.number[UNPAWN] == 0:
        return
    for i in range(p.num_pieces):
        piece = &p.pieces[i]
        if not is_in(piece.letter, SOLDIERS):
            continue
        points = 1 + piece.checkers
        out.movers += ko_has_step(rules, s, piece)
        if piece.flags & ATTACKED or p.swayers or p.marks & ENDED:
            continue
        out.attackers += sights_at(rules, s, piece.square) >= NUM_FOES
        steps = steps_between(spot_of(s, piece.square), out.to_king) - 1
        if steps <= points - piece.steps and not are_cut_off(s, piece.square, out.king):
            out.reach += points
    out.reach = most(out.reach, NUM_REACHES)


cdef inline void look_at_enemies(const Rules* rules, const State* s, Scene* out) noexcept nogil:
    """Danger, and the soldier nearest to the own king or Ivory Tower, if that is near."""
    cdef const Player* p
    cdef const Piece* piece
    cdef int seat, i, steps, points
    cdef int shortest = NEAR + 1
    cdef int tower = s.ivory.square if s.ivory.stands and s.ivory.chosen == s.node else NOWHERE
    for seat in range(rules.num_seats):
        p = &s.players[seat]
        if seat == s.node or p.number[PAWN] + p.number[UNPAWN] == 0:
            continue
        for i in range(p.num_pieces):
            piece = &p.pieces[i]
            if not is_in(piece.letter, SOLDIERS):
                continue
            points = 1 + piece.checkers
            steps = NOWHERE
            if not are_cut_off(s, piece.square, out.own_king):
                steps = steps_between(spot_of(s, piece.square), out.to_own)
                out.danger += points if steps - 1 <= points else 0
            if tower != NOWHERE:
                steps = min(steps, space_between(s, tower, piece.square))
            if steps < shortest:
                shortest = steps
                out.threat = piece.square
    out.danger = most(out.danger, NUM_REACHES)
