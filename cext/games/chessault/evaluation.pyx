"""The evaluation of Chessault: weighted terms as a win share, and the chance to kill a king now.

The weights of the terms are a logistic regression of the results of games on the differences of the
sides' terms, which benchmarks/terms.py makes; docs/strength.md has its figures.

That share applies if X kills no king at once; the probability that the dice of this turn give X the
hits on Y's king comes on top. Y's hits in its next turn count nothing, as X may prevent them with
the special king move (R6.5). With 26 terms more, for marks, mobility, what figures attack, and the
rows of pawns and kings, it is slower and wins no more games.
"""

from libc.math cimport exp
from libc.stdint cimport uint64_t
from libc.string cimport memset

from kingmaker.cext.bits cimport count, pop_lowest

from .legal cimport NUM_TYPES
from .rules cimport chs_returns
from .sets cimport (
    attackers_of, figure_on_board, figure_on_line, holders_of, king_square, line_attackers_of,
    line_files, of_type, owned_squares, type_on_board)
from .state cimport (
    EXPLODE, KING, LINE_MOVED, PAWN, PHASE_SACRIFICE, PHASE_WON_WHITE, PLANE_MOVED, PROTECT, Rules,
    State, ability_of, type_of)

cdef enum:
    MANY_CREDITS = 9        # further credits have no value

cdef enum Term:             # the first three have an entry for each type but the king
    ACTIVE = 0              # figures on the board, unplaced, or being placed
    ON_LINE = 5
    IN_STOCK = 10
    CREDITS = 15
    KING_PROTECT
    PROTECTED               # other figures that hold protect
    EXPLODERS               # figures that hold explode
    ATTACKS                 # on a protected king, in turns left for them
    SACRIFICE               # a queen costs a figure that is still to be chosen

# Of the log odds of winning.
cdef double[21] WEIGHTS = [
    -0.008, 0.066, -0.004, 0.056, 0.123,
    -0.018, -0.056, 0.012, 0.017, 0.034,
    -0.039, -0.155, 0.045, 0.018, -0.031,
    -0.008, 0.765, 0.107, 0.164, 0.819, -0.179]

# Probability that three dice show one of the types that hit, by their number (R12.2).
cdef double[7] HIT_CHANCE = [0, 91 / 216.0, 152 / 216.0, 189 / 216.0, 208 / 216.0, 215 / 216.0, 1]


cdef void chs_evaluate(const Rules* rules, const State* s, double* out) noexcept nogil:
    cdef double[NUM_TERMS] terms
    cdef double points = 0
    cdef double share
    cdef int side = s.side
    cdef int i
    if s.phase >= PHASE_WON_WHITE:
        chs_returns(s, out)
        return
    memset(terms, 0, sizeof(terms))
    share = chs_add_terms(rules, s, side, 1, terms)
    chs_add_terms(rules, s, 1 - side, -1, terms)
    for i in range(<int>NUM_TERMS):
        points += WEIGHTS[i] * terms[i]
    share += (1 - share) / (1 + exp(-points))
    out[side] = share
    out[1 - side] = 1 - share


cdef double chs_add_terms(
        const Rules* rules, const State* s, int seat, double sign, double* terms) noexcept nogil:
    cdef uint64_t files = line_files(s, seat)
    cdef uint64_t own = owned_squares(s, seat)
    cdef uint64_t shielded = own & holders_of(s, PROTECT)
    cdef uint64_t shielded_king = shielded & of_type(s, KING)
    cdef int type, in_stock
    for type in range(<int>PAWN, <int>KING):
        in_stock = s.stock[seat][type]
        terms[ACTIVE + type - 1] += sign * (
            rules.supply[type] - in_stock - s.dead[seat][type])
        terms[IN_STOCK + type - 1] += sign * in_stock
    while files:
        type = type_of(figure_on_line(s, seat, pop_lowest(&files)))
        terms[ACTIVE + type - 1] -= sign
        terms[ON_LINE + type - 1] += sign
    terms[<int>CREDITS] += sign * min(<int>s.credits[seat], MANY_CREDITS)
    terms[<int>KING_PROTECT] += sign * (shielded_king != 0)
    terms[<int>PROTECTED] += sign * count(shielded & ~shielded_king)
    terms[<int>EXPLODERS] += sign * count(own & holders_of(s, EXPLODE))
    if seat != s.side:
        return 0
    terms[<int>SACRIFICE] += sign * (s.phase == PHASE_SACRIFICE)
    return add_attacks(s, sign, terms) if s.turn > 0 else 0


# --- threats to kings -----------------------------------------------------------------------------

cdef inline double add_attacks(const State* s, double sign, double* terms) noexcept nogil:
    """Add X's attacks on Y's king; return the probability that X kills it in this turn."""
    cdef int king = king_square(s, 1 - s.side)
    cdef int num_left = actions_left(s)
    cdef int num_figures
    cdef int types = attacking_types(s, king, s.side, &num_figures)
    cdef bint is_shielded = ability_of(figure_on_board(s, king - 8)) == PROTECT
    if is_shielded:
        terms[<int>ATTACKS] += sign * NUM_TYPES[types] * num_left / 3
    return chs_kill_chance(types, num_figures, is_shielded, num_left, s.rolled)


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
