"""A small net that values what each seat sees, and its moves: evaluation and priors of a search.

The input of a seat is its active features (`Game.features`). The first layer is the sum of their
rows of W1, then come ReLU, a dense layer, ReLU, and a value head of one score; the softmax of the
scores of all seats are their win shares. The optional policy head has a logit for each action
(`Game.action_index`), of which only those of the legal moves are computed.

    first  = relu(b1 + sum of w1[f] over the active features f)     [hidden1]
    second = relu(b2 + first @ w2)                                  [hidden2]
    score  = b3 + second @ w3
    logit  = bp[action] + second @ wp[action]

Arithmetic is in single precision with the same results on every machine (net_kernels.pxd).
"""

from libc.stdint cimport int32_t, uint32_t

from .game cimport Game


cdef enum:
    MAX_HIDDEN = 256   # units of a hidden layer


cdef class Net:
    cdef readonly dict card          # what it was trained for and how; see net.pyi
    cdef readonly int num_seats
    cdef readonly int num_features
    cdef readonly int num_actions    # of the policy head; 0: it has none
    cdef readonly dict weights       # by name, as given, in single precision
    cdef object owned                # the padded copies that these point to
    cdef const float* w1             # [num_features, size1]
    cdef const float* b1             # [size1]
    cdef const float* w2             # [size1, size2]
    cdef const float* b2             # [size2]
    cdef const float* w3             # [size2]
    cdef const float* wp             # [num_actions, size2]
    cdef const float* bp             # [num_actions]
    cdef float b3
    cdef int size1                   # hidden1 and hidden2, padded with zeros to whole vectors
    cdef int size2

    # Write the win share of each seat in a state, in [0, 1], with sum 1: each seat is scored by
    # what it sees itself. The game must fit (`check_fits`). NaN if it breaks its contract.
    cdef void evaluate(self, Game game, const void* state, double* out) noexcept nogil

    # Write the probability of each of `moves`, at least one, for `seat` in a state or its
    # observation; they sum to 1. Uniform without a policy head, or if the game breaks its contract.
    cdef void priors(
        self, Game game, const void* state, int seat, const uint32_t* moves, int num_moves,
        float* out) noexcept nogil

    # Multiply the weights of `moves` for `seat` in a state or its observation by the square roots
    # of the exponentials of their logits, and by a factor that is the same for all moves of all
    # calls; `Game.prior_weights` are square roots of probabilities. Without a policy head, or if
    # the game breaks its contract, all logits are 0.
    cdef void correct(
        self, Game game, const void* state, int seat, const uint32_t* moves, int num_moves,
        double* weights) noexcept nogil

    # Write the logit of each of `moves`; zeros without a policy head, or if the game breaks its
    # contract.
    cdef void logits(
        self, Game game, const void* state, int seat, const uint32_t* moves, int num_moves,
        double* out) noexcept nogil

    # Return the score of a seat by its active features; NaN if one is not below `num_features`.
    cdef float score(self, const int32_t* active, int num_active) noexcept nogil

    # Write the hidden layers, [size1] and [size2]; False if a feature is not below
    # `num_features`.
    cdef bint hidden(
        self, const int32_t* active, int num_active, float* first, float* second) noexcept nogil
