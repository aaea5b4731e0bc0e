"""Whole games of a policy that a net corrects, and the gradient of the net's weights, in C."""

from libc.stdint cimport int32_t, uint32_t

from kingmaker.cext.game cimport Game
from kingmaker.cext.net cimport Net
from kingmaker.cext.rng cimport bitgen_t

from .columns cimport Column


# What the decisions of a game leave behind, in their order.
cdef enum Trail:
    DECISIONS, FEATURES, ACTIONS, CHANCES, LAYERS
    NUM_TRAILS

cdef struct Decision:
    int seat
    int chosen        # which of its moves
    int num_features
    int num_moves
    double value      # win share of the seat by `Game.evaluate`

cdef struct Slopes:
    # Of the logarithm of a policy's probabilities, by weight; shapes are those of the net's copies.
    float* w1
    float* b1
    float* w2
    float* b2
    float* wp
    float* bp


cdef class PolicyGradient:
    cdef Game game
    cdef double trace
    cdef double entropy
    cdef Column[NUM_TRAILS] columns
    cdef bint is_broken       # the game broke the engine contract
    cdef bint is_full         # there is no memory for a game
    cdef bint is_running      # some thread is in `play`
    cdef bint is_cancelled

    # Play from the start, with the net in a set of seats and the rival's, or none, in the others,
    # and write the returns of each seat. If it is to learn, the decisions of the net are in the
    # columns then. Return the number of plies.
    cdef int play_game(
        self, Net net, uint32_t seats, Net rival, bint learns, void* state, bitgen_t* rng,
        double* out) noexcept nogil

    # Draw a move of `num_moves` by factors and net.
    cdef int choose(
        self, Net net, const void* state, int seat, const uint32_t* moves, int num_moves,
        bint learns, bitgen_t* rng) noexcept nogil

    # Add the gradient of the decisions in the columns, after a game with these returns.
    cdef void learn(self, Net net, const double* returns, Slopes* slopes) noexcept nogil

    # Append to a column.
    cdef void append(self, Trail which, const void* data, size_t size) noexcept nogil
