"""Tree search for games with hidden information."""

cimport cython
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from kingmaker.cext.game cimport MOVES_ROOM

from .samples cimport Samples, WorldSums
from .searcher cimport MAX_PATH, Arena, Searcher


cdef struct Node:
    uint32_t move          # move or outcome that led here, as the observer saw it
    int32_t parent
    int32_t first_child    # the youngest child; NO_NODE without children
    int32_t next_sibling   # the next older one
    int32_t visits
    int32_t availability   # choices of the tree at the parent in whose world it was possible
    int8_t mover           # seat that decided for it, or CHANCE
    int8_t seat            # to decide after it; set where `key` is
    int8_t is_over         # whether the game has ended there
    uint16_t place         # of the move behind which it was last found, in the list of choices
    int32_t stamp          # the simulation that made that list
    float value            # share of the mover by the evaluation after it, of the first worlds
    float weight           # of its prior, by that value or by the policy
    uint64_t key           # of the visible position; 0: not needed yet
    double[1] sums         # [num_seats] in truth: win shares summed over the visits


cdef struct Choice:
    uint32_t move          # one of those that look alike to the observer
    int32_t child
    int num_alike


@cython.final  # direct calls, which the compiler can inline
cdef class IsmctsSearcher(Searcher):
    cdef Arena arena
    cdef bytearray owned_samples
    cdef Samples* samples     # of the observer's moves at the root, oldest first: its values
    cdef int num_samples
    cdef bytearray owned_world_sums
    cdef WorldSums* world_sums    # the same by batches of worlds; NULL: worlds are unlimited
    cdef bytes owned_batches
    cdef const uint8_t* batches   # of each world
    cdef int sharers
    cdef object owned_index
    cdef int32_t* index       # hash table (parent, move) -> node, 0 is an empty place
    cdef uint32_t index_size  # number of places
    cdef uint32_t index_mask  # places in use, less 1
    cdef bytearray owned_seen
    # An observation, for keys of own decisions, by which later searches find them; NULL: no keys.
    cdef void* seen
    cdef double rival_policy  # part of rivals' choices that are drawn from the playout policy
    cdef double hostility     # part of the observer's loss in what rivals play for, 0 to 1
    cdef float root_exploration   # in place of `exploration` between the moves at the root
    cdef int max_depth        # decisions in the tree; below, playouts
    cdef int32_t[MAX_PATH] path
    cdef bytes owned_choices
    cdef Choice* choices      # of the running decision, [MOVES_ROOM]

    cdef Node* at(self, int32_t index) noexcept nogil

    # The place in `index` where the child is, or where it belongs.
    cdef uint32_t place(self, int32_t parent, uint32_t move) noexcept nogil

    cdef void widen_index(self) noexcept nogil

    # A hash of what the observer sees, never 0; of trees that are kept.
    cdef uint64_t key_of(self, const void* state) noexcept nogil
    cdef uint64_t key_of_seen(self) noexcept nogil

    # The new child, or NO_NODE when the arena is full.
    cdef int32_t add(self, int32_t parent, uint32_t move, int mover, uint32_t place) noexcept nogil

    # List the choices of the decision of `seat` after `parent`; returns their number, 0 if the
    # arena is full.
    cdef int list_choices(self, int32_t parent, int seat) noexcept nogil

    # Give new children, of the moves of the running decision, their priors by the policy.
    cdef void set_priors(
        self, const uint32_t* moves, const int32_t* children, int num_moves) noexcept nogil

    # Drop the moves that are redundant after `previous`; returns the number of those left.
    cdef int without_redundant(
        self, uint32_t previous, uint32_t* moves, int num_moves) noexcept nogil

    # The mean share of a seat after a node, 0 without visits.
    cdef float mean_of(self, const Node* node, int seat) noexcept nogil
    cdef double sum_of(self, const Node* node, int seat) noexcept nogil

    # Choose a move at the decision of `seat` after a node, and apply it; NO_NODE: playout from
    # here. `is_leaf` says that the child has no visits yet.
    cdef int32_t decide(self, int32_t index, int seat, bint* is_leaf) noexcept nogil
    cdef int32_t reply(self, int32_t index, int seat, bint* is_leaf) noexcept nogil
    cdef int32_t draw(self, int32_t parent) noexcept nogil
    cdef void back_up(self, int length, const double* values) noexcept nogil
    cdef bint is_own_move(self, int32_t child) noexcept nogil
    cdef void sample(self, int32_t child, double value) noexcept nogil
    cdef double squared_error(self, int rank)
    cdef list children(self, int32_t parent)
    cdef list line(self, int32_t index)

    # The child with most visits, the oldest of several; NO_NODE without children.
    cdef bint has_siblings(self, int32_t parent, int32_t child) noexcept
    cdef int32_t most_visited(self, int32_t parent) noexcept
    cdef void gather(self, int32_t index, int32_t floor, tuple before, dict found)
