"""Base of the searches with a tree for every seat; see seat_trees.pyx."""

from libc.stdint cimport int32_t, uint32_t, uint64_t

from kingmaker.cext.game cimport HISTORY_ROOM, MAX_MOVES, MAX_SEATS
from kingmaker.cext.rng cimport bitgen_t

from .infosets cimport InformationSets, MoveCount
from .samples cimport Samples
from .searcher cimport Searcher


cdef enum Kind:
    OWN = 0      # the world fits what the observer knows
    PUBLIC = 1   # the world fits public knowledge
    WHOLE = 2    # the simulation begins at the state without hidden information

cdef struct ReplyCount:
    uint32_t move        # as the observer sees it
    int32_t seat
    double weight        # of the games in which it came
    double sum           # of the observer's win share in them
    int32_t num_games
    bint is_counted      # in the running game


cdef class SeatTreesSearcher(Searcher):
    cdef InformationSets sets
    cdef bytearray owned_view
    cdef void* view            # an observation, or a state to try a move in
    cdef bytes owned_start
    cdef const void* start     # latest state without hidden information; NULL: there is none
    cdef int num_past          # moves since then
    cdef int num_past_sets     # decisions among them, in the world that was drawn first
    cdef int num_past_moves    # legal moves of these decisions
    cdef uint32_t[HISTORY_ROOM] past    # that the running simulation replays
    cdef bint does_mix         # whether the answer is the average policy
    cdef int max_depth
    cdef object reply_seed
    cdef int32_t root_node     # the observer's information set, 0 until it was reached
    cdef uint64_t root_key
    cdef uint64_t[MAX_SEATS] keys      # of each seat: a hash of what it has seen
    cdef double[MAX_SEATS] reach       # of each seat: its factor in the weight of this path
    cdef bytearray owned_roots
    cdef MoveCount* roots              # of the moves of the observer's decision
    cdef Samples[MAX_MOVES] samples    # the observer's win shares after them
    cdef MoveCount total               # of the root

    cdef find_root(self)

    # Set `state` to where a simulation begins; returns how much of `past` is to be replayed.
    cdef int begin(self, Kind kind, bitgen_t* rng) noexcept nogil

    # Go back to `start`.
    cdef void restart(self) noexcept nogil

    # Replay `past`, with what is drawn anew from `rng`; returns the weight of the world.
    cdef double retrace(self, int length, bitgen_t* rng) noexcept nogil

    # Whether a move is legal, or an outcome possible, in `state`.
    cdef bint is_possible(self, uint32_t move) noexcept nogil
    cdef void draw_world(self, Kind kind, bitgen_t* rng) noexcept nogil

    # Write a world that fits an observation to `state`.
    cdef void fill_in(self, const void* observation, bitgen_t* rng) noexcept nogil
    cdef void look(self, int seat) noexcept nogil
    cdef uint64_t hash_view(self) noexcept nogil
    cdef uint64_t set_key(self, int seat) noexcept nogil

    # Apply a move or outcome, and extend what every seat has seen.
    cdef void advance(self, uint32_t move) noexcept nogil

    # The information set of the deciding seat; 0 if there is no memory for it.
    cdef int32_t decider(self, int seat) noexcept nogil

    # Set the policy that a new information set begins with, of the seat that decides in `state`;
    # without that it is uniform.
    cdef void set_priors(self, int32_t node, int seat) noexcept nogil
    cdef list values_of_moves(self)

    # Values after a root move.
    cdef MoveCount* count_of(self, int arm) noexcept
    cdef list probabilities(self, list values)
    cdef list visits_of(self, list values)

    # Games by the average policies.
    cdef double play(
        self, int arm, bitgen_t* rng, double* values, ReplyCount* counts,
        int* num_counts) noexcept nogil
    cdef void mark(
        self, int seat, uint32_t move, ReplyCount* counts, int* num_counts) noexcept nogil
