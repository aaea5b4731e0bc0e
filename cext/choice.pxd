"""Choices of a playout policy by factors that are learned.

An option of a choice has *rows*: features of it and of the state, numbered by its game. Its
weight is the product of the factors of its rows, and it is drawn in proportion to that: the softmax
of the sums of their logarithms.
"""

from libc.math cimport sqrt
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from .game cimport MOVES_ROOM
from .rng cimport bitgen_t, uniform

cdef enum:
    OPTION_ROWS = 16    # most rows of an option

cdef extern from *:
    """
    #define KM_MOST_PRIOR 1e29
    """
    const double MOST_PRIOR "KM_MOST_PRIOR"

# What a policy chooses by.
cdef struct Factors:
    const double* rows
    int num_rows
    # NULL unless the factors are being learned. Else by seat and row, the gradient of the
    # logarithm of the probability of all that the seat has drawn, by the logarithm of the factor.
    double* gradient
    int64_t* draws      # by seat, the number of options that it has drawn; counted while learning

cdef struct Choice:
    int number          # of options
    double total
    uint32_t[MOVES_ROOM] moves
    double[MOVES_ROOM] weights
    uint16_t[MOVES_ROOM][OPTION_ROWS] rows      # kept only for the gradient
    uint8_t[MOVES_ROOM] num_rows


cdef inline void begin_choice(Choice* choice) noexcept nogil:
    choice.number = 0
    choice.total = 0


cdef inline void offer(
        Choice* choice, const Factors* factors, uint32_t move, int row, int second=-1,
        int third=-1) noexcept nogil:
    """Add an option with its rows; -1: none."""
    begin_option(choice, move)
    add_row(choice, factors, row)
    if second >= 0:
        add_row(choice, factors, second)
    if third >= 0:
        add_row(choice, factors, third)
    end_option(choice)


cdef inline void begin_option(Choice* choice, uint32_t move) noexcept nogil:
    """Begin an option without rows."""
    choice.moves[choice.number] = move
    choice.weights[choice.number] = 1
    choice.num_rows[choice.number] = 0


cdef inline void end_option(Choice* choice) noexcept nogil:
    """Add the option that was begun, with the rows that it has got."""
    choice.total += choice.weights[choice.number]
    choice.number += 1


cdef inline void add_row(Choice* choice, const Factors* factors, int row) noexcept nogil:
    """Give a row to the option that was begun."""
    choice.weights[choice.number] *= factors.rows[row]
    keep_row(choice, factors, row)


cdef inline void keep_row(Choice* choice, const Factors* factors, int row) noexcept nogil:
    """Keep a row of the option that was begun, for the gradient."""
    cdef int i = choice.number
    if factors.gradient != NULL:
        choice.rows[i][choice.num_rows[i]] = row
        choice.num_rows[i] += 1


cdef inline uint32_t drawn(
        const Choice* choice, const Factors* factors, int seat, bitgen_t* rng) noexcept nogil:
    """Draw an option for a seat; there must be one."""
    cdef double point
    cdef int chosen = 0
    if choice.number > 1:
        point = uniform(rng) * choice.total
        while chosen < choice.number - 1 and point >= choice.weights[chosen]:
            point -= choice.weights[chosen]
            chosen += 1
        if factors.gradient != NULL:
            factors.draws[seat] += 1
            add_gradient(choice, factors.gradient + seat * factors.num_rows, chosen)
    return choice.moves[chosen]


cdef inline void weigh_options(const Choice* choice, double* weights) noexcept nogil:
    """Write the weight of each option among priors, `Game.prior_weights`.

    Priors are the square roots of probabilities, so that the tree leaves few moves out that the
    policy seldom draws. A search takes no weight beyond the bounds.
    """
    cdef int i
    for i in range(choice.number):
        weights[i] = min(MOST_PRIOR, max(1 / MOST_PRIOR, sqrt(choice.weights[i])))


cdef inline void add_gradient(const Choice* choice, double* gradient, int chosen) noexcept nogil:
    cdef double share
    cdef int i, k
    for i in range(choice.number):
        share = (i == chosen) - choice.weights[i] / choice.total
        for k in range(choice.num_rows[i]):
            gradient[choice.rows[i][k]] += share
