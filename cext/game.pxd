"""The engine contract: what a game gives to search, solvers and the service.

A `Game` is a set of rules with fixed options and no state of its own. A *state* is a flat,
fixed-size, pointer-free C struct of `state_bytes` bytes; copying it is a memcpy, comparing and
hashing go over its bytes, so padding stays zero. An *observation* is a state of the same struct in
which everything its seat can't see is blanked, and which remembers whose it is.

Seats count from 0 here and from 1 in text. A move or chance outcome fits in 32 bits; each game
documents its packing. No method fails: arguments are checked by the Python methods on top.
"""

from libc.math cimport fabs
from libc.stdint cimport uint32_t
from numpy.random cimport bitgen_t


cdef enum:
    CHANCE = -1         # `node`: a die or the deck moves
    TERMINAL = -2       # `node`: the game is over
    SPECTATOR = -1      # `observe`: somebody without a seat
    MAX_SEATS = 8
    # No game lists more legal moves or outcomes at one node. Measured by the largest game of eight
    # seats (docs/adding-a-game.md, "Limits"), whose moves can be counted up to 714.
    MAX_MOVES = 1024
    MAX_STATE_BYTES = 1 << 16   # a search keeps a state for each of up to 512 plies
    NO_MOVE = 0xFFFFFFFF  # `uniform_move`, `sample_outcome`: a broken game lists nothing to draw
    MAX_HISTORY = 256   # no game tells a longer history
    NO_HISTORY = -1     # `history`: the state does not remember
    # Lengths of the arrays that games write to. A game that writes a few too many is then found
    # out by their number, before it has done harm.
    MOVES_ROOM = MAX_MOVES + 64
    HISTORY_ROOM = MAX_HISTORY + 64


cdef extern from *:
    """
    #define KINGMAKER_ROUNDING_OF_SUMS 1e-6
    """
    const double ROUNDING_OF_SUMS "KINGMAKER_ROUNDING_OF_SUMS"   # shares and probabilities sum to 1


# Why a state is not valid or a move not legal: a code of the game's table and what its sentence
# names (cards, squares, seats from 0, amounts). Code 0: nothing is wrong.
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


cdef class Game:
    cdef readonly int num_seats
    cdef readonly size_t state_bytes
    cdef readonly int max_moves      # most legal moves or outcomes at any node, <= MAX_MOVES
    cdef readonly int playout_plies  # playouts are cut and evaluated after so many plies; 0: never
    cdef readonly dict options       # every option with its value, as in the scenario language

    # Write the state before the first node.
    cdef void start(self, void* state) noexcept nogil

    # The seat to decide, or CHANCE, or TERMINAL.
    cdef int node(self, const void* state) noexcept nogil

    # Write the legal moves of the deciding seat in canonical order and return their number, which
    # is never 0. On an observation: only where its own seat decides.
    cdef int legal_moves(self, const void* state, uint32_t* out) noexcept nogil

    # Write all outcomes in canonical order with their probabilities, and return their number.
    cdef int chance_outcomes(
        self, const void* state, uint32_t* out, double* probabilities) noexcept nogil

    # Draw one outcome without listing them all; NO_MOVE if there is none, which no game may do.
    cdef uint32_t sample_outcome(self, const void* state, bitgen_t* rng) noexcept nogil

    # Change the state by a legal move or possible outcome: the one transition.
    cdef void apply(self, void* state, uint32_t move) noexcept nogil

    # At TERMINAL: write the share of the win of each seat, in [0, 1], summing to 1.
    cdef void returns(self, const void* state, double* out) noexcept nogil

    # Write what `seat` (or SPECTATOR) sees of `state`.
    cdef void observe(self, const void* state, int seat, void* out) noexcept nogil

    # Write a state drawn from all those consistent with `observation`, by their probability given
    # the deal alone. Depends on nothing but the observation and the stream.
    cdef void determinize(self, const void* observation, bitgen_t* rng, void* out) noexcept nogil

    # The move or outcome as `seat` sees it happen in `state` (before it is applied).
    cdef uint32_t seen_move(self, const void* state, uint32_t move, int seat) noexcept nogil

    # A move for playouts at a decision node; uniform unless the game has a cheap policy.
    cdef uint32_t playout_move(self, const void* state, bitgen_t* rng) noexcept nogil

    # Write heuristic win shares at any node, in [0, 1], summing to 1.
    cdef void evaluate(self, const void* state, double* out) noexcept nogil

    # Play `state` on by `playout_move` to its end, or for `max_plies` plies if that is not 0, and
    # write returns or evaluation. Returns the number of plies. Override only to make it faster.
    cdef int playout(
        self, void* state, int max_plies, bitgen_t* rng, double* out) noexcept nogil

    # Write the latest state at which nothing was hidden from any seat, and what has happened from
    # there to `state` (a full one); return the number of those moves and outcomes, at most
    # MAX_HISTORY, or NO_HISTORY if the state does not tell. Search and solvers begin there, to
    # weigh hidden cards and pending hidden moves by how the seats would have come to them.
    cdef int history(self, const void* state, void* root, uint32_t* out) noexcept nogil

    # Check what was packed from a caller's view: values are in their ranges, but anything else may
    # be wrong. Write the first fault and return its code; 0: a valid state or observation.
    cdef int check_state(self, const void* state, Refusal* out) noexcept nogil

    # Say why a well-formed move or outcome is not possible in a valid state or observation, where
    # it is not: write the first reason and return its code; 0: no particular one.
    cdef int check_move(self, const void* state, uint32_t move, Refusal* out) noexcept nogil

    # The struct inside a state's bytes; InputError if the length is another game's.
    cdef const void* pointer(self, bytes state) except NULL


# A move drawn uniformly from the legal ones; NO_MOVE if there is none, which no game may do.
cdef uint32_t uniform_move(Game game, const void* state, bitgen_t* rng) noexcept nogil


# --- what holds games to the contract -------------------------------------------------------------

# InputError if a game is larger than searches and solvers can hold; see game.pyi.
cpdef int check_limits(Game game) except -1


cdef inline bint are_shares(const double* shares, int num_seats) noexcept nogil:
    """Whether numbers are win shares: none is negative, and they sum to 1. NaN is no share."""
    cdef double total = 0
    cdef int seat
    for seat in range(num_seats):
        if not shares[seat] >= -ROUNDING_OF_SUMS:
            return False
        total += shares[seat]
    return fabs(total - 1) <= ROUNDING_OF_SUMS


cdef inline bint are_probabilities(const double* probabilities, int length) noexcept nogil:
    """Whether numbers are the probabilities of all outcomes: positive, and summing to 1."""
    cdef double total = 0
    cdef int i
    for i in range(length):
        if not probabilities[i] > 0:
            return False
        total += probabilities[i]
    return fabs(total - 1) <= ROUNDING_OF_SUMS


cdef inline int listed(
        Game game, const void* state, int node, uint32_t* out,
        double* probabilities) noexcept nogil:
    """List the legal moves of a decision, or the outcomes of a chance node with probabilities.

    `node` is that of the state, the arrays are MOVES_ROOM long; without chance `probabilities` may
    be NULL. Returns the number of moves or outcomes; 0 if the game breaks its contract: nobody is
    to decide, or a seat that is not in the game; there are none, or more than `max_moves`; or the
    probabilities are none.
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
