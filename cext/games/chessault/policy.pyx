"""Playouts of Chessault.

The playout policy scores moves in pawns, by section 18 of the rules page, adds noise, and makes the
move with the best score. For each figure that may move it considers only the best attack and one
other square.
"""

from libc.stdint cimport uint32_t, uint64_t

from kingmaker.cext.bits cimport lowest, pop_lowest
from kingmaker.cext.game cimport MAX_MOVES
from kingmaker.cext.rng cimport below, bitgen_t

from .evaluation cimport chs_evaluate
from .geometry cimport REACH
from .legal cimport PRICES, chs_legal_moves, chs_sample, recruitable
from .rules cimport chs_apply, chs_returns
from .sets cimport (
    CONVERT_FIELDS, EXPLODE_FIELDS, can_anything_move, figure_at, figure_on_board,
    figure_on_line, holders_of, is_in_check, king_square, line_files, line_in_radius,
    occupied_squares, owned_squares, targets, type_on_board)
from .state cimport (
    BLACK, CONVERT, EXPLODE, FIGURE_FRESH, KING, KNIGHT, LINE_MOVED, PAWN, PHASE_ACTION,
    PHASE_DICE, PHASE_MOVE, PHASE_PLACE, PHASE_WON_WHITE, PLANE_FRESH, PLANE_MOVED, PROTECT,
    QUEEN, VERB_BUY, VERB_CONVERT, VERB_DEPLOY, VERB_EXPLODE, VERB_HOLD, VERB_KEEP, VERB_KING,
    VERB_MOVE, VERB_PASS, VERB_PROMOTE, VERB_RECRUIT, VERB_RESURRECT, VERB_ROLL, VERB_SACRIFICE,
    Rules, State, ability_of, first_of, line_row, move_of, owner_of, type_of, verb_of)
from .values cimport ABILITY_VALUES, VALUES

cdef enum:
    SPARE_CREDITS = 5       # with fewer credits the policy does not resurrect

# In pawns; not fitted, but strong in play.
cdef float NOISE = 1.0 / 65536          # adds a random number up to 1 to each score
cdef float KILL = 1.5                   # two credits and a protect token
cdef float STRIP = 0.7                  # removing a figure's protect token
cdef float STRIP_KING = 6.0
cdef float FIELD = 1.0                  # gaining an ability
cdef float ENDZONE = 0.6                # a credit stolen
cdef float PROMOTION = 4.0
cdef float PAWN_STEP = 0.3
cdef float KING_WALK = -0.7
cdef float ESCAPE = 2.0                 # of the king from check
cdef float KILL_KING = 100.0
cdef float ROLL = 0.5                   # a credit for the move
cdef float HIT = 0.42                   # probability that the dice show a given type


cdef struct Choice:         # the best move so far
    uint64_t random         # bits for the noise of the next moves
    uint32_t move
    float score


cdef Choice NOTHING = Choice(0, 0, -1000)


# Figures computed once for all moves of a node.
cdef struct Sight:
    uint64_t occupied
    uint64_t own
    uint64_t enemies
    uint64_t shielded       # enemies that hold protect
    uint64_t endzone        # of X
    uint64_t fields         # that would give X an ability


cdef inline void look(const State* s, Sight* sight) noexcept nogil:
    cdef uint64_t row = 0xFF
    cdef uint64_t half = 0xFFFFFFFF
    sight.occupied = occupied_squares(s)
    sight.own = owned_squares(s, s.side)
    sight.enemies = sight.occupied & ~sight.own
    sight.shielded = sight.enemies & holders_of(s, PROTECT)
    sight.endzone = row if s.side == BLACK else row << 56
    sight.fields = ((EXPLODE_FIELDS if s.pool[<int>EXPLODE] else 0)
                    | (CONVERT_FIELDS if s.pool[<int>CONVERT] else 0)) & (
        half if s.side == BLACK else half << 32)


cdef inline void consider(
        Choice* best, uint32_t move, float score, bitgen_t* rng) noexcept nogil:
    """Take a move if its score with noise is the best so far."""
    if best.random == 0:
        best.random = rng.next_uint64(rng.state)
    score += NOISE * (best.random & 0xFFFF)
    best.random >>= 16
    if score > best.score:
        best.score = score
        best.move = move


cdef uint32_t chs_policy_move(const State* s, bitgen_t* rng) noexcept nogil:
    if s.phase == PHASE_MOVE:
        return pick_move(s, rng)
    if s.phase == PHASE_ACTION:
        return pick_action(s, rng)
    return pick_rare(s, rng)


# --- MOVE -----------------------------------------------------------------------------------------

cdef uint32_t pick_move(const State* s, bitgen_t* rng) noexcept nogil:
    cdef Sight sight
    cdef Choice best
    cdef uint64_t movers
    cdef int bit, figure, square
    cdef int owner = 8 * s.side     # FIGURE_BLACK for Black
    look(s, &sight)
    best = NOTHING
    movers = sight.own & ~s.planes[<int>PLANE_MOVED]
    while movers:
        bit = pop_lowest(&movers)
        figure = type_on_board(s, bit)
        if s.rolled >> figure & 1:
            figure |= owner | <int>(s.planes[<int>PLANE_FRESH] >> bit & 1) * FIGURE_FRESH
            consider_figure(
                s, &sight, &best, VERB_MOVE, figure, bit + 8,
                KING_WALK if type_of(figure) == KING else 0, rng)
    movers = line_files(s, s.side) & ~s.lines[s.side][<int>LINE_MOVED]
    while movers:
        bit = pop_lowest(&movers)
        figure = figure_on_line(s, s.side, bit)
        if s.rolled >> type_of(figure) & 1:
            square = 8 * line_row(s.side) + bit
            consider_figure(s, &sight, &best, VERB_MOVE, figure, square, 0, rng)
    return best.move


cdef inline void consider_figure(
        const State* s, const Sight* sight, Choice* best, int verb, int figure, int square,
        float base, bitgen_t* rng) noexcept nogil:
    cdef uint64_t found = targets(figure, square, sight.occupied, sight.own)
    cdef uint64_t attacks = found & sight.enemies
    cdef float score
    cdef int target = 0
    if attacks:
        score = best_attack(s, sight, attacks, &target)
        consider(best, move_of(verb, square, target + 8),
                 base + score - 0.05 * VALUES[type_of(figure)], rng)
    found ^= attacks
    if found:
        target = quiet_target(sight, figure, found, &base, rng)
        consider(best, move_of(verb, square, target + 8), base, rng)


cdef inline float best_attack(
        const State* s, const Sight* sight, uint64_t attacks, int* target) noexcept nogil:
    """The value of the best attack of a set, which is not empty, and the bit attacked."""
    cdef float best = -1
    cdef float score
    cdef int bit, type
    while attacks:
        bit = pop_lowest(&attacks)
        type = type_on_board(s, bit)
        if sight.shielded >> bit & 1:
            score = STRIP_KING if type == KING else STRIP
        else:
            score = KILL_KING if type == KING else KILL + VALUES[type]
        if score > best:
            best = score
            target[0] = bit
    return best


cdef inline int quiet_target(
        const Sight* sight, int figure, uint64_t found, float* score, bitgen_t* rng) noexcept nogil:
    """Choose a square without an attack and add its value."""
    cdef uint64_t better
    cdef int turned
    if type_of(figure) == PAWN:
        better = found & sight.endzone
        score[0] += PROMOTION if better else PAWN_STEP
    else:
        better = found & sight.fields
        if better:
            score[0] += FIELD
        else:
            better = found & sight.endzone
            if better and rng.next_uint32(rng.state) & 1:
                score[0] += ENDZONE
            else:
                better = 0
    if better:
        found = better
    # The first square from a random one on: nearly uniform, and cheap.
    turned = below(rng, 64)
    return (lowest(found >> turned | found << (64 - turned & 63)) + turned) & 63


# --- the playout ----------------------------------------------------------------------------------

cdef int chs_playout(
        const Rules* rules, State* s, int max_plies, bitgen_t* rng, double* out) noexcept nogil:
    cdef int plies = 0
    while s.phase < PHASE_WON_WHITE:
        if max_plies and plies >= max_plies:
            chs_evaluate(rules, s, out)
            return plies
        if s.phase == PHASE_DICE:
            chs_apply(rules, s, chs_sample(s, rng))
        else:
            chs_apply(rules, s, chs_policy_move(s, rng))
        plies += 1
    chs_returns(s, out)
    return plies


# --- ACTION ---------------------------------------------------------------------------------------

cdef uint32_t pick_action(const State* s, bitgen_t* rng) noexcept nogil:
    cdef Sight sight
    cdef Choice best
    cdef int types = recruitable(s) if s.credits[s.side] else 0
    cdef int type
    best = NOTHING
    if s.credits[s.side] >= SPARE_CREDITS:
        for type in range(<int>KNIGHT, <int>KING):
            if s.dead[s.side][type] and not s.stock[s.side][type]:
                consider(&best, move_of(VERB_RESURRECT, type), 0.1 * VALUES[type], rng)
    look(s, &sight)
    if s.king_moves == 0 and is_in_check(s):
        consider_figure(
            s, &sight, &best, VERB_KING, KING, king_square(s, s.side), ESCAPE, rng)
    if types == 0 and best.move == NOTHING.move:   # the usual case
        return move_of(VERB_ROLL if can_anything_move(s) else VERB_PASS)
    for type in range(<int>PAWN, <int>KING):
        if types >> type & 1:
            consider(&best, move_of(VERB_RECRUIT, type), recruit_score(type), rng)
    if can_anything_move(s):
        consider(&best, move_of(VERB_ROLL), ROLL + prospects(s, &sight), rng)
    else:
        consider(&best, move_of(VERB_PASS), 0, rng)
    return best.move


cdef inline float recruit_score(int type) noexcept nogil:
    """The value of a figure on the line above its price; a queen costs another figure too."""
    return 0.8 * VALUES[type] - 0.45 * PRICES[type] - (3 if type == QUEEN else 0)


cdef inline float prospects(const State* s, const Sight* sight) noexcept nogil:
    """The value of all attacks, weighted by the probability that their types are rolled."""
    cdef float[7] best = [0, 0, 0, 0, 0, 0, 0]
    cdef uint64_t movers = sight.own & ~s.planes[<int>PLANE_MOVED]
    cdef uint64_t attacks
    cdef float score
    cdef int owner = 8 * s.side
    cdef int bit, type
    cdef int target = 0
    while movers:
        bit = pop_lowest(&movers)
        type = type_on_board(s, bit)
        attacks = sight.enemies & targets(type | owner, bit + 8, sight.occupied, sight.own)
        if attacks:
            score = best_attack(s, sight, attacks, &target)
            if score > best[type]:
                best[type] = score
    return HIT * (best[1] + best[2] + best[3] + best[4] + best[5] + best[6])


# --- the other nodes ------------------------------------------------------------------------------

cdef uint32_t pick_rare(const State* s, bitgen_t* rng) noexcept nogil:
    cdef uint32_t[MAX_MOVES] moves
    cdef Choice best
    cdef int num_moves = chs_legal_moves(s, moves)
    cdef int i
    if num_moves == 1:
        return moves[0]
    if s.phase == PHASE_PLACE:
        return moves[below(rng, num_moves)]
    best = NOTHING
    for i in range(num_moves):
        consider(&best, moves[i], rare_score(s, moves[i]), rng)
    return best.move


cdef inline float rare_score(const State* s, uint32_t move) noexcept nogil:
    """The score of a move at any node but MOVE and ACTION."""
    cdef int verb = verb_of(move)
    if verb == VERB_EXPLODE:
        return explosion_score(s)
    if verb == VERB_CONVERT:
        return 0.3 * VALUES[type_of(figure_at(s, first_of(move)))]
    if verb == VERB_HOLD:
        return ABILITY_VALUES[ability_of(figure_at(s, s.square))]
    if verb == VERB_KEEP:
        if type_of(figure_at(s, s.square)) == KING and first_of(move) == PROTECT:
            return STRIP_KING
        return ABILITY_VALUES[first_of(move)]
    if verb == VERB_SACRIFICE:
        return -VALUES[type_of(figure_at(s, first_of(move)))]
    if verb == VERB_DEPLOY:
        return 1
    if verb == VERB_BUY:
        return recruit_score(first_of(move)) - 1
    return VALUES[first_of(move)] if verb == VERB_PROMOTE else 0


cdef inline float explosion_score(const State* s) noexcept nogil:
    """The gain of an explosion less its cost."""
    cdef uint64_t hit = REACH[s.square].king & occupied_squares(s)
    cdef float score = 0
    cdef int seat
    while hit:
        score += hit_score(s, figure_on_board(s, pop_lowest(&hit)))
    for seat in range(2):
        hit = line_in_radius(s, s.square, seat)
        while hit:
            score += hit_score(s, figure_on_line(s, seat, pop_lowest(&hit)))
    return score


cdef inline float hit_score(const State* s, int figure) noexcept nogil:
    cdef bint is_king = type_of(figure) == KING
    cdef float score
    if ability_of(figure) == PROTECT:
        score = STRIP_KING if is_king else STRIP
    else:
        score = KILL_KING if is_king else VALUES[type_of(figure)]
    return -score if owner_of(figure) == s.side else score + 0.9
