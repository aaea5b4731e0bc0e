"""Multiple-observer tree search that mixes; see mo_ismcts.pyx."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from kingmaker.cext.game cimport HISTORY_ROOM, MAX_MOVES, MAX_SEATS
from kingmaker.cext.rng cimport bitgen_t

from .histories cimport Values
from .infosets cimport InformationSets, MoveCount
from .samples cimport Samples
from .searcher cimport MAX_PATH, Searcher


cdef enum Kind:
    OWN = 0      # the world fits what the observer knows
    PUBLIC = 1   # the world fits public knowledge
    WHOLE = 2    # the simulation begins at the state without hidden information

cdef double EXPLORED   # part of the decisions of a simulation that are uniformly random

cdef struct Step:
    int32_t node         # information set
    int32_t arm
    double weight        # probability of coming here by others' policies / in simulations

cdef struct ReplyCount:
    uint32_t move        # as the observer sees it
    int32_t seat
    double weight        # of the games in which it came
    double sum           # of the observer's win share in them
    bint is_counted      # in the running game


cdef class MoIsmctsSearcher(Searcher):
    cdef InformationSets sets
    cdef bytearray owned_view
    cdef void* view            # an observation, or a state to try a move in
    cdef uint32_t[HISTORY_ROOM] past    # that the running simulation replays
    cdef bint is_regret        # regret matching, else UCB
    cdef int max_depth
    cdef double anchor         # weight of the anchor at first
    cdef object reply_seed
    cdef int32_t root_node     # the observer's information set, 0 until it was reached
    cdef uint64_t root_key
    cdef uint64_t[MAX_SEATS] keys      # of each seat: a hash of what it has seen
    cdef double[MAX_SEATS] reach       # of each seat: its factor in the weight of this path
    cdef Step[MAX_PATH] path
    cdef Values[MAX_MOVES] after       # each move of the decision that is learned from
    cdef bytearray owned_roots
    cdef MoveCount* roots              # of the moves of the observer's decision
    cdef MoveCount[MAX_MOVES] judged   # the same, from games by the average policies
    cdef Samples[MAX_MOVES] samples    # the observer's win shares in such games
    cdef int64_t num_judged            # such games
    cdef MoveCount total               # of the root

    cdef find_root(self)

    # Let the anchor weigh less the more simulations there were.
    cdef void fade_anchor(self) noexcept nogil
    cdef Kind kind_of(self) noexcept nogil

    # Set `state` to where a simulation begins; returns how much of `past` is to be replayed.
    cdef int begin(self, Kind kind, bitgen_t* rng) noexcept nogil
    # Whether a move is legal, or an outcome possible, in `state`.
    cdef bint is_possible(self, uint32_t move) noexcept nogil
    cdef void draw_world(self, Kind kind, bitgen_t* rng) noexcept nogil
    cdef void look(self, int seat) noexcept nogil
    cdef uint64_t hash_view(self) noexcept nogil
    cdef uint64_t set_key(self, int seat) noexcept nogil

    # Apply a move or outcome, and extend what every seat has seen.
    cdef void advance(self, uint32_t move) noexcept nogil

    # The information set of the deciding seat; 0 if there is no memory for it.
    cdef int32_t decider(self, int seat) noexcept nogil
    cdef void set_priors(self, int32_t node, int seat) noexcept nogil
    cdef double weight_of(self, int seat) noexcept nogil
    cdef void count(self, MoveCount* count, double weight, const double* values) noexcept nogil

    # Learning along one path at a time.
    cdef void follow(self, Kind kind) noexcept nogil
    cdef bint decide(self, int seat, Kind kind, Step* step, bint* is_new) noexcept nogil
    cdef int best(self, int32_t node, int seat) noexcept nogil
    cdef void learn(self, const Step* step, Kind kind, double* values) noexcept nogil
    cdef void learn_regret(self, const Step* step, double* values) noexcept nogil

    cdef list values_of_moves(self)
    cdef list probabilities(self, list values)
    cdef list visits_of(self, list values)

    # Games by the average policies, for the values of the root moves and for replies.
    cdef bint is_judging(self) noexcept nogil
    cdef void judge(self) noexcept nogil
    cdef double play(
        self, int arm, bitgen_t* rng, double* values, ReplyCount* counts,
        int* num_counts) noexcept nogil
    cdef void mark(
        self, int seat, uint32_t move, ReplyCount* counts, int* num_counts) noexcept nogil
