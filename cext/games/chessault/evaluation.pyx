"""The evaluation of Chessault: the terms of section 18 of the rules page, as win shares.

The holdings of both sides are summed in pawns and turned into a win share by a logistic curve.
That share applies if no king is killed at once; it is adjusted by the probability that the dice
give X the hits on Y's king in this turn, and by that of Y's hits on X's king in the next one.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t

from kingmaker.cext.bits cimport pop_lowest

from .legal cimport NUM_TYPES
from .rules cimport chs_returns
from .sets cimport (
    attackers_of, figure_at, figure_on_board, figure_on_line, king_square, line_attackers_of,
    line_files, movable_types, of_type, owned_squares, type_on_board)
from .state cimport (
    BLACK, KING, LINE_MOVED, MOST_MARKS, NO_SQUARE, PAWN, PHASE_SACRIFICE, PHASE_WON_WHITE,
    PLANE_ABILITY, PLANE_MOVED, PROTECT, Rules, State, ability_of, owner_of, row_of, type_of)
from .values cimport ABILITY_VALUES, VALUES

cdef enum:
    MANY_CREDITS = 9        # further credits have little value

# In pawns; section 18 unless another reason is given.
cdef double ON_LINE = 0.2           # part of its value that a figure loses on the line
cdef double CREDIT = 0.45
cdef double CREDIT_BEYOND = 0.05
cdef double IN_STOCK = 0.03         # part of the value of a figure in stock
cdef double KING_PROTECT = 8.0
cdef double PAWN_ROW = 0.12         # for each row from the own line
cdef double MARKED = 0.3            # part of the value of a figure that is the target of a mark
cdef double MARKED_KING = 3.0
cdef double MOVABLE_TYPE = 0.25     # a roll without a movable type loses an action
cdef double SACRIFICED = 3.0        # cost of a queen still to be placed
cdef double TEMPO = 1.5             # the remaining actions of X, on average one and a half
# Factor for the probability that Y gets its hits in the next turn, and its reduction for each
# action that X has left, as X may prevent them.
cdef double NEXT_TURN = 0.9
cdef double PARRY = 0.15
# Of the log odds of winning, per pawn.
cdef double SHARE_SCALE = 0.1

# Probability that three dice show one of the types that hit, by their number (R12.2).
cdef double[7] HIT_CHANCE = [0, 91 / 216.0, 152 / 216.0, 189 / 216.0, 208 / 216.0, 215 / 216.0, 1]


cdef void chs_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef int side = s.side
    cdef double share
    cdef int num_left
    if s.phase >= PHASE_WON_WHITE:
        chs_returns(s, out)
        return
    share = 1 / (1 + exp(SHARE_SCALE * (
        holdings(rules, s, 1 - side) - holdings(rules, s, side) - pending(s))))
    if s.turn > 0:
        num_left = actions_left(s)
        share *= 1 - (NEXT_TURN - PARRY * num_left) * kill_chance(s, 1 - side, 3, 0)
        share += (1 - share) * kill_chance(s, side, num_left, s.rolled)
    out[side] = share
    out[1 - side] = 1 - share


cdef inline double pending(const State* s) noexcept nogil:
    """Additions to the holdings of X: credits of this turn, a figure that is being placed."""
    cdef double points = CREDIT * (s.moves + 2 * s.kills + s.reaches)
    if s.phase == PHASE_SACRIFICE:
        points -= SACRIFICED
    if s.turn > 0:
        points += MOVABLE_TYPE * NUM_TYPES[movable_types(s)] + TEMPO * (actions_left(s) - 1.5)
    return points


# --- holdings -------------------------------------------------------------------------------------

cdef double holdings(const Rules* rules, const State* s, int seat) noexcept nogil:
    """The holdings of a side, in pawns."""
    cdef int credits = min(<int>s.credits[seat], MANY_CREDITS)
    cdef double points = CREDIT * credits
    cdef int beyond = s.credits[seat] - credits
    cdef int type
    points += CREDIT_BEYOND * min(beyond, 100)
    for type in range(<int>PAWN, <int>KING):
        points += VALUES[type] * (
            rules.supply[type] - s.stock[seat][type] - s.dead[seat][type]
            + IN_STOCK * s.stock[seat][type])
    return (points - line_discount(s, seat) + pawn_advance(s, seat) + token_value(s, seat)
            - mark_loss(s, seat))


cdef inline double line_discount(const State* s, int seat) noexcept nogil:
    cdef uint64_t files = line_files(s, seat)
    cdef double points = 0
    while files:
        points += ON_LINE * VALUES[type_of(figure_on_line(s, seat, pop_lowest(&files)))]
    return points


cdef inline double pawn_advance(const State* s, int seat) noexcept nogil:
    cdef uint64_t pawns = of_type(s, PAWN) & owned_squares(s, seat)
    cdef int rows = 0
    while pawns:
        rows += row_of(pop_lowest(&pawns)) if seat != BLACK else 7 - row_of(pop_lowest(&pawns))
    return PAWN_ROW * rows


cdef inline double token_value(const State* s, int seat) noexcept nogil:
    cdef uint64_t holders = owned_squares(s, seat) & (
        s.planes[<int>PLANE_ABILITY] | s.planes[<int>PLANE_ABILITY + 1])
    cdef double points = 0
    cdef int figure
    while holders:
        figure = figure_on_board(s, pop_lowest(&holders))
        if type_of(figure) == KING and ability_of(figure) == PROTECT:
            points += KING_PROTECT
        else:
            points += ABILITY_VALUES[ability_of(figure)]
    return points


cdef inline double mark_loss(const State* s, int seat) noexcept nogil:
    """The threat of the live marks on figures of a side, in pawns."""
    cdef double points = 0
    cdef int i, figure
    for i in range(MOST_MARKS):
        if s.marks[i].converter == NO_SQUARE:
            continue
        figure = figure_at(s, s.marks[i].target)
        if owner_of(figure) == seat:
            points += MARKED_KING if type_of(figure) == KING else MARKED * VALUES[type_of(figure)]
    return points


# --- threats to kings -----------------------------------------------------------------------------

cdef double kill_chance(const State* s, int seat, int num_rolls, int rolled) noexcept nogil:
    """`chs_kill_chance` of a seat in this position."""
    cdef int king = king_square(s, 1 - seat)
    cdef int num_figures
    cdef int types = attacking_types(s, king, seat, &num_figures)
    cdef bint is_shielded = ability_of(figure_on_board(s, king - 8)) == PROTECT
    return chs_kill_chance(types, num_figures, is_shielded, num_rolls, rolled)


cdef double chs_kill_chance(
        int types, int num_figures, bint is_shielded, int num_rolls, int rolled) noexcept nogil:
    cdef int num_types = NUM_TYPES[types]
    if types == 0 or num_rolls <= 0:
        return 0
    cdef double first = HIT_CHANCE[num_types]
    cdef double now = first if rolled == 0 else rolled & types != 0
    if not is_shielded:
        return 1 - (1 - now) * power(1 - first, num_rolls - 1)
    if num_figures < 2:
        return 0
    # The figure that removes the protect token does not strike again.
    cdef double second = first if num_figures > num_types else HIT_CHANCE[num_types - 1]
    cdef double chance = 0
    cdef double still_open = 1
    while num_rolls > 1:
        chance += still_open * now * (1 - power(1 - second, num_rolls - 1))
        still_open *= 1 - now
        now = first
        num_rolls -= 1
    return chance


cdef inline double power(double base, int exponent) noexcept nogil:
    cdef double product = 1
    while exponent > 0:
        product *= base
        exponent -= 1
    return product


cdef inline int attacking_types(
        const State* s, int square, int seat, int* num_figures) noexcept nogil:
    """The types of the figures that may attack a square; X's only if they have not moved."""
    cdef uint64_t attackers = attackers_of(s, square, seat) & ~s.planes[<int>PLANE_MOVED]
    cdef uint64_t files = line_attackers_of(s, square, seat) & ~s.lines[seat][<int>LINE_MOVED]
    cdef int types = 0
    num_figures[0] = 0
    while attackers:
        types |= 1 << type_on_board(s, pop_lowest(&attackers))
        num_figures[0] += 1
    while files:
        types |= 1 << type_of(figure_on_line(s, seat, pop_lowest(&files)))
        num_figures[0] += 1
    return types
