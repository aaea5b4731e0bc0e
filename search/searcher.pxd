"""One search on one thread: the base of all searchers.

A `Searcher` owns its tree, its scratch states and its random streams, so that several run at once
without locks. `simulate` is one pass; `run` repeats it without the GIL until a limit is reached
and can be called again to continue.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t

from kingmaker.cext.game cimport MAX_SEATS, Game
from kingmaker.cext.rng cimport bitgen_t


cdef enum:
    NO_NODE = -1
    MAX_PATH = 512   # most plies of a path in the tree; below it the playout begins

cdef enum StopCode:
    STOP_TIME = 0
    STOP_SIMULATIONS = 1
    STOP_SOLVED = 2
    STOP_CANCELLED = 3
    STOP_BROKEN = 4


cdef class Arena:
    """A block of nodes of `stride` bytes that never grows; nodes name each other by index."""

    cdef char* base
    cdef size_t stride
    cdef int32_t capacity
    cdef int32_t used

    # The index of `count` fresh neighbouring nodes, or NO_NODE when they don't fit.
    cdef int32_t allocate(self, int32_t count) noexcept nogil


cdef class HashIndex:
    """A zeroed table of node indices, freed with its owner."""

    cdef int32_t* table


cdef inline double hostile_share(double own, double loss, double hostility) noexcept nogil:
    """What a rival plays for: its own win share mixed with what the observer loses."""
    return own + hostility * (loss - own)


cdef class Searcher:
    cdef Game game
    cdef bytes observation        # owns the struct that `root` points to
    cdef const void* root         # the observation searched
    cdef readonly int observer    # its seat from 0, SPECTATOR (-1)
    cdef int num_seats
    cdef bytearray owned_scratch
    cdef void* state              # the world of the running simulation
    cdef bytes owned_worlds
    cdef const char* worlds       # states to draw it from, in a row; NULL: all that fit
    cdef uint32_t num_worlds
    cdef uint32_t world           # the one that was drawn last
    cdef bint is_belief           # whether these worlds are some that were drawn, not all
    cdef object bit_generators    # owns the streams
    cdef bitgen_t* world_rng      # determinizations
    cdef bitgen_t* chance_rng     # chance outcomes inside the tree
    cdef bitgen_t* selection_rng  # order in which moves are tried
    cdef bitgen_t* playout_rng
    cdef bytearray owned_ahead
    cdef void* ahead              # a state one ply ahead; NULL with uniform priors
    cdef float temperature        # of priors, in win shares; 0: uniform priors
    cdef bint weighs_by_policy    # priors are those of `Game.prior_weights`
    cdef float exploration
    cdef int playout_plies
    cdef bint is_uniform          # playouts by uniformly random moves
    cdef readonly int64_t simulations
    cdef readonly int depth       # plies of the deepest path
    cdef bint is_solved           # nothing is left to search
    cdef bint wants_all           # search on after a proof of the root, for its other moves
    cdef bint is_broken           # the game broke the engine contract
    cdef bint is_running          # some thread is in `run`
    cdef volatile bint is_cancelled

    # Raise that the moves of the root don't fit the memory; `enough` would do.
    cdef refuse_memory(self, size_t memory_bytes, size_t enough)

    # Number of legal moves at the root; 0 if the observer doesn't decide there.
    cdef int num_root_moves(self) noexcept
    cdef void simulate(self) noexcept nogil

    # Set `state` to a world: one of `worlds`, or one drawn by `Game.determinize`.
    cdef void determinize(self, bitgen_t* rng) noexcept nogil

    # Write the win shares of a `state` at its end.
    cdef void take_returns(self, double* values) noexcept nogil

    # Look whether values are win shares.
    cdef void check_shares(self, const double* values) noexcept nogil

    # Weight of a move of `state` among the priors of a decision of `seat`, by the evaluation after
    # it. `value` is the mean of the evaluation over `number` states, which this one joins.
    # `hostility` is the part of the observer's loss in what the seat plays for.
    cdef float weigh_prior(
        self, uint32_t move, int seat, double hostility, float* value, int number) noexcept nogil

    # Write the weights of moves of `state`, by the evaluation of this one state or by the policy.
    cdef void weigh_priors(
        self, const uint32_t* moves, int num_moves, int seat, double* weights) noexcept nogil

    # Write the weights of moves of `state` by the policy; to look once is cheaper than for each.
    cdef void weigh_by_policy(
        self, const uint32_t* moves, int num_moves, double* weights) noexcept nogil

    # Draw an outcome of `state`; NO_MOVE, and `is_broken`, if it has none.
    cdef uint32_t draw_outcome(self, bitgen_t* rng) noexcept nogil

    # Play `state` on and write the win shares at its end.
    cdef void playout(self, double* values) noexcept nogil

    # Go on until a limit is reached; after the deadline still by one unit of work, so that slices
    # of any length come to an end.
    cdef StopCode loop(self, int64_t max_simulations, int64_t deadline_ns) noexcept nogil
