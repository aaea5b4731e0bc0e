"""The engine contract: the interface of a game to search, solvers and the service.

A game is a set of rules with fixed options and no state of its own. A *state* is a flat,
fixed-size, pointer-free C struct of `state_bytes` bytes; copying it is a memcpy, and comparison and
hashing use its bytes, so padding stays zero. An *observation* is the same struct with everything
blanked that its seat can't see, and with a field for its observer.

Seats count from 0 here and from 1 in text. A move or chance outcome fits in 32 bits; each game
documents its packing. No method fails: the Python methods on top (`Game`, game.pxd)
check the arguments.
"""

from libc.math cimport fabs
from libc.stdint cimport int8_t, int32_t, int64_t, uint32_t

from .rng cimport bitgen_t


cdef enum:
    CHANCE = -1         # `node`: a die or the deck moves
    TERMINAL = -2       # `node`: the game is over
    NO_NODE_HERE = -3   # `node_at`: an error
    SPECTATOR = -1      # `observe`: an observer without a seat
    NO_SEAT = -1        # `chance_seat`: an outcome that concerns no seat more than others
    MAX_SEATS = 8
    # Most legal moves or outcomes at one node. Chosen for the largest known game of eight
    # seats (docs/adding-a-game.md, "Limits"), whose moves can be counted up to 714.
    MAX_MOVES = 1024
    MAX_STATE_BYTES = 1 << 16   # a search keeps a state for each of up to 512 plies
    NO_MOVE = 0xFFFFFFFF  # `uniform_move`, `sample_outcome`: nothing to draw, a breach of contract
    MAX_HISTORY = 256   # most moves and outcomes of a history
    NO_HISTORY = -1     # `history`: the state has none
    # Most plies of a playout, and outcomes of chance in a row, of a game that is taken to end: more
    # than a hundred times what the longest games play at random.
    MAX_PLAYOUT = 1_000_000
    MAX_OUTCOMES = 10_000
    MAX_FEATURES = 4096     # of a game
    MAX_ACTIONS = 1 << 20   # of a game
    # Lengths of the arrays that games write to. They leave room for a few entries too many, so that
    # the count reveals a game beyond its limit before it overwrites other memory.
    MOVES_ROOM = MAX_MOVES + 64
    HISTORY_ROOM = MAX_HISTORY + 64


cdef extern from *:
    """
    #define KINGMAKER_ROUNDING_OF_SUMS 1e-6
    """
    const double ROUNDING_OF_SUMS "KINGMAKER_ROUNDING_OF_SUMS"   # shares and probabilities sum to 1


# Why a state is not valid or a move not legal: a code of the game's table of reasons, and the
# numbers in its sentence (cards, squares, seats from 0, amounts). Code 0: no fault.
cdef struct Refusal:
    int code
    int[4] numbers


cdef inline int refuse(
        Refusal* out, int code, int a=0, int b=0, int c=0, int d=0) noexcept nogil:
    """Write a refusal and return its code."""
    out.code = code
    out.numbers[0] = a
    out.numbers[1] = b
    out.numbers[2] = c
    out.numbers[3] = d
    return code


cdef class Contract:
    cdef readonly int num_seats
    cdef readonly size_t state_bytes
    cdef readonly int max_moves      # most legal moves or outcomes at any node, <= MAX_MOVES
    cdef readonly int playout_plies  # playouts are cut at this length, see `playout`; 0: never
    cdef readonly int num_features   # of `features`; 0: the game has none
    cdef readonly int num_actions    # of `action_index`; 0: the game has none
    cdef readonly dict options       # option -> value, as in the scenario language
    cdef bint keeps_limits           # as `check_limits` has found
    # Whether a method has failed, of a game that can't keep its methods from that: those in Python.
    # Then its nodes are errors, until `contract_error` says which method it was.
    cdef bint has_failed

    # Write the state before the first node.
    cdef void start(self, void* state) noexcept nogil

    # Return the seat to move, CHANCE or TERMINAL.
    cdef int node(self, const void* state) noexcept nogil

    # Write the legal moves of the seat to move in canonical order and return their number, which
    # is never 0. For an observation: only where its own seat is to move.
    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil

    # Write all outcomes in canonical order with their probabilities, and return their number.
    cdef int chance_outcomes(
        self, const void* state, uint32_t* out, double* probabilities) noexcept nogil

    # Draw one outcome without a list of all; NO_MOVE if there is none, a breach of the contract.
    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil

    # Apply a legal move or possible outcome to the state: the only transition.
    cdef void apply(self, void* state, uint32_t move) noexcept nogil

    # At TERMINAL: write the win share of each seat, in [0, 1], with sum 1.
    cdef void returns(self, const void* state, double* out) noexcept nogil

    # Write the observation of `state` by `seat` (or SPECTATOR).
    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil

    # Write a state drawn from the states consistent with `observation`, by their probability given
    # the deal alone. Depends on the observation and the stream only.
    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil

    # The same, but with hidden choices of seats about as likely as seats make them. For a search
    # whose rivals have not learned to make them; the same as `determinize` unless overridden.
    cdef void likely_world(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil

    # Return a move or outcome in `state` (before it is applied) as `seat` sees it.
    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil

    # Draw a move of the playout policy at a decision node; uniform unless the game has a policy.
    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil

    # Write heuristic win shares at any node, in [0, 1], with sum 1.
    cdef void evaluate(self, const void* state, double* out) noexcept nogil

    # Write the weights of some legal moves among the priors of their decision, above 0 and below
    # 1e30, by what its seat sees; of games with `has_prior_weights`. Their squares are taken for
    # the probabilities of the playout policy where worlds are weighed by moves of rivals.
    cdef void prior_weights(
        self, const void* state, const uint32_t* moves, int num_moves,
        double* weights) noexcept nogil

    # Play `state` by `playout_move` to the end, or for `max_plies` plies if that is not 0, and
    # write returns or evaluation. Returns the number of plies. Override only to make it faster, to
    # play on after `max_plies` to the next state for which the evaluation is good, or to end in a
    # better value than that. After MAX_PLAYOUT plies it writes no win shares, NaN: the game has no
    # end, a breach of the contract.
    cdef int playout(
        self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil

    # Write the latest state without hidden information, and the moves and outcomes from it to
    # `state` (a full one); return their number, at most MAX_HISTORY, or NO_HISTORY if the state
    # has no such record. Search and solvers begin there, to weigh hidden cards and pending hidden
    # moves by their probability under the policies of the seats.
    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil

    # Write the indices of the features that hold for `seat`, ascending, each below `num_features`;
    # return their number. For a state or an observation of `seat`, alike: they use nothing that the
    # seat does not see. `out` has room for `num_features`.
    cdef int features(self, const void* state, int seat, int32_t* out) noexcept nogil

    # Number a decision's move, 0 to `num_actions` - 1, the same in all states, and the reverse.
    cdef int action_index(self, uint32_t move) noexcept nogil
    cdef uint32_t action_at(self, int index) noexcept nogil

    # Check a state packed from a caller's view: its values are in their ranges, all else may be
    # wrong. Write the first fault and return its code; 0: a valid state or observation.
    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil

    # For a well-formed move or outcome that is not possible in a valid state or observation: write
    # the first reason and return its code; 0: no specific reason.
    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil

    # Write the moves and outcomes of a past from `start` to `world`, a full state, that `observer`
    # saw as `seen`, `length` in all: those with hidden parts are drawn by their probability given
    # the deal alone. `seats` are those that decided, were dealt to or drew, or NO_SEAT. The caller
    # plays the past to see whether it fits, and may ask for another. Returns whether there is one;
    # never by default, and not needed in a game with a `history`.
    cdef bint retell(
        self, const void* world, int observer, const uint32_t* seen, const int8_t* seats,
        int length, bitgen_t* rng, uint32_t* out) noexcept nogil

    # Return in how many ways the seat that decides could take the cards of `move` out of equal ones
    # that `observer` (or SPECTATOR) did not know in its hand, 1 by default. A world is what one of
    # these ways has left, so its past is as many times less likely than the choices in it. Not
    # asked where the observer does not see the move.
    cdef double num_ways(
        self, const void* state, uint32_t move, int observer) noexcept nogil

    # Return the struct inside the bytes of a state; InputError if the length is wrong.
    cdef const void* pointer(self, bytes state) except NULL

    # Whether a tree need not try `move` in `state` directly after `previous`, a move of the same
    # seat that led here without chance: another order of the moves, or fewer of them, leads to the
    # same or a better position. Some move must remain.
    cdef bint is_redundant(
        self, const void* state, uint32_t previous, uint32_t move) noexcept nogil

    # Whether a move only harms its mover, so that a tree need not try it at its root, where values
    # that hardly differ would else decide for it. Some move must remain.
    cdef bint is_pointless(self, const void* state, uint32_t move) noexcept nogil


# Draw a legal move uniformly; NO_MOVE if there is none, a breach of the contract.
cdef uint32_t uniform_move(Contract game, const void* state, bitgen_t* rng) noexcept nogil


# Draw outcomes until no chance node is left and return the node; NO_NODE_HERE if there is nothing
# to draw, or still a chance node after MAX_OUTCOMES, breaches of the contract.
cdef int settle(Contract game, void* state, bitgen_t* rng) noexcept nogil


# Return the index at `point`, in [0, 1), of a distribution: its inverse function.
cdef int quantile(const double* probabilities, int length, double point) noexcept nogil


# --- what holds games to the contract -------------------------------------------------------------

# Raise InputError if a game is too large for searches and solvers; see contract.pyi.
cpdef int check_limits(Contract game) except -1


cdef inline bint are_shares(const double* shares, int num_seats) noexcept nogil:
    """Whether numbers are win shares: not negative, with sum 1. NaN is not a share."""
    cdef double total = 0
    cdef int seat
    for seat in range(num_seats):
        if not shares[seat] >= -ROUNDING_OF_SUMS:
            return False
        total += shares[seat]
    return fabs(total - 1) <= ROUNDING_OF_SUMS


cdef inline bint are_probabilities(const double* probabilities, int length) noexcept nogil:
    """Whether numbers are the probabilities of all outcomes: positive, with sum 1."""
    cdef double total = 0
    cdef int i
    for i in range(length):
        if not probabilities[i] > 0:
            return False
        total += probabilities[i]
    return fabs(total - 1) <= ROUNDING_OF_SUMS


cdef inline int listed(
        Contract game, const void* state, int node, uint32_t* out,
        double* probabilities) noexcept nogil:
    """List the legal moves of a decision, or the outcomes of a chance node with probabilities.

    `node` is that of the state, the arrays are MOVES_ROOM long; without chance `probabilities` may
    be NULL. Returns the number of moves or outcomes; 0 if the game breaks its contract: `node` is
    neither chance nor a seat of the game, the list is empty or longer than `max_moves`, or the
    probabilities are invalid.
    """
    cdef int length
    if node == CHANCE:
        length = game.chance_outcomes(state, out, probabilities)
        if not 0 < length <= game.max_moves:
            return 0
        return length if are_probabilities(probabilities, length) else 0
    if not 0 <= node < game.num_seats:
        return 0
    length = game.legal_moves(state, out)
    return length if 0 < length <= game.max_moves else 0


cdef inline int listed_features(
        Contract game, const void* state, int seat, int32_t* out) noexcept nogil:
    """List the features that hold for a seat in an array of MAX_FEATURES.

    Returns their number; -1 if the game breaks its contract: one is not from 0 to `num_features`
    - 1, or there are more than that.
    """
    cdef int length = game.features(state, seat, out)
    cdef int i
    if not 0 <= length <= game.num_features:
        return -1
    for i in range(length):
        if not 0 <= out[i] < game.num_features:
            return -1
    return length


# The same checks with RuntimeError for a breach: the node of a state, the legal moves (none unless
# a seat is to move), the outcomes of a chance node, the features of a seat, a list of win shares.
cdef int node_at(Contract game, const void* here) except NO_NODE_HERE
cdef int list_moves(Contract game, const void* here, int node, uint32_t* moves) except -1
cdef int list_outcomes(
    Contract game, const void* here, uint32_t* outcomes, double* probabilities) except -1
cdef int list_features(Contract game, const void* state, int seat, int32_t* out) except -1
cdef list list_shares(Contract game, const double* shares)
