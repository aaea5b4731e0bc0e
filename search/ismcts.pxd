"""Tree search for games with hidden information."""

cimport cython
from libc.stdint cimport int8_t, int32_t, uint16_t, uint32_t, uint64_t

from kingmaker.cext.game cimport MOVES_ROOM

from .samples cimport Samples
from .searcher cimport MAX_PATH, Arena, Searcher


cdef enum:
    GAME_OVER = -2   # `position` of a node at the end of the game


cdef struct Node:
    uint32_t move          # move or outcome that led here, as the observer saw it
    int32_t parent
    int32_t first_child    # the youngest child; NO_NODE without children
    int32_t next_sibling   # the next older one
    int32_t visits
    int32_t availability   # choices of the tree at the parent in whose world it was possible
    int8_t mover           # seat that decided for it, or CHANCE
    int8_t seat            # to decide after it; set where `key` is
    uint16_t place         # of the move behind which it was last found, in the list of choices
    int32_t stamp          # the simulation that made that list
    float value            # share of the mover by the evaluation after it, of the first worlds
    float weight           # of its prior, by that value
    # The node whose children follow: itself, or an older one with the same visible position.
    # NO_NODE: not looked up yet; GAME_OVER: nothing follows.
    int32_t position
    int32_t start          # node before the first decision of the running turn
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
    cdef object owned_index
    cdef int32_t* index       # hash table (parent, move) -> node, 0 is an empty place
    cdef uint32_t index_size  # number of places
    cdef uint32_t index_mask  # places in use, less 1
    cdef object owned_positions
    cdef int32_t* positions   # hash table visible position -> node, 0 is an empty place
    cdef uint32_t positions_mask
    cdef uint32_t num_positions
    cdef bytearray owned_seen
    cdef void* seen           # an observation; NULL: positions get no keys
    cdef bint is_kept         # own decisions get keys, for later searches
    cdef double hostility     # part of the observer's loss in what rivals play for, 0 to 1
    cdef float root_exploration   # in place of `exploration` between the moves at the root
    cdef int max_depth        # decisions in the tree; below, playouts
    cdef int expand           # visits of a node before the tree chooses there
    cdef bint has_preferred   # explored moves count as the most visited one
    cdef int prior_visits     # of a move, by the evaluation after it
    cdef int32_t[MAX_PATH] path
    cdef int32_t[MAX_PATH] preferred   # to the node of the path; NO_NODE: none
    cdef bytes owned_choices
    cdef Choice* choices      # of the running decision, [MOVES_ROOM]

    cdef Node* at(self, int32_t index) noexcept nogil

    # The place in `index` where the child is, or where it belongs.
    cdef uint32_t place(self, int32_t parent, uint32_t move) noexcept nogil

    cdef void widen_index(self) noexcept nogil

    # Let nodes with one visible position share their children; returns the bytes of the index.
    cdef size_t merge_positions(self, size_t size) except 0

    # Make room for what the observer sees, of which `key_of` a state is a hash, never 0.
    cdef make_seen(self)
    cdef uint64_t key_of(self, const void* state) noexcept nogil
    cdef uint64_t key_of_seen(self) noexcept nogil

    # The node whose children are the moves of the decision of `seat` after a node.
    cdef int32_t merged(self, int32_t index, int seat) noexcept nogil
    cdef int32_t oldest_alike(self, int32_t index) noexcept nogil

    # The same once it was looked up; else the node itself.
    cdef int32_t position_of(self, int32_t index) noexcept nogil

    # The new child, or NO_NODE when the arena is full.
    cdef int32_t add(self, int32_t parent, uint32_t move, int mover, uint32_t place) noexcept nogil

    # List the choices of a decision of `seat`, the children of `parent`, on a path to the node
    # `reached_by`; returns their number, 0 if the arena is full.
    cdef int list_choices(self, int32_t parent, int seat, int32_t reached_by) noexcept nogil

    # Drop the moves that are redundant after `previous`; returns the number of those left.
    cdef int without_redundant(
        self, uint32_t previous, uint32_t* moves, int num_moves) noexcept nogil

    # The mean share of the mover after a node; a new one is as good as its parent, less what the
    # evaluation after it falls short of the `highest` with `prior_visits`.
    cdef float mean_of(
        self, const Node* node, const Node* parent, int seat, float highest) noexcept nogil
    cdef double sum_of(self, const Node* node, int seat) noexcept nogil

    # Choose a move at the decision of `seat` after a node, and apply it; NO_NODE: playout from
    # here. `is_leaf` says that the child is not to have children yet, and `preferred` which other
    # move is usually chosen, if any.
    cdef int32_t decide(
        self, int32_t index, int seat, bint* is_leaf, int32_t* preferred) noexcept nogil

    # The same by the policy of playouts.
    cdef int32_t follow_policy(self, int32_t index, int seat) noexcept nogil
    cdef int32_t draw(self, int32_t parent) noexcept nogil
    cdef void back_up(self, int length, const double* leaf) noexcept nogil

    # Whether a move is worth less to its mover than the one usually chosen, as far as is known.
    cdef bint is_worse(self, const Node* node, const Node* preferred) noexcept nogil
    cdef bint is_own_move(self, int32_t child) noexcept nogil
    cdef void sample(self, int32_t child, double value) noexcept nogil
    cdef list children(self, int32_t parent)
    cdef list line(self, int32_t index)

    # Whether only the playout policy has chosen a child.
    cdef bint is_by_policy(self, int32_t child) noexcept

    # The child with most visits, the oldest of several; NO_NODE without children.
    cdef int32_t most_visited(self, int32_t parent) noexcept
    cdef void gather(self, int32_t index, int32_t floor, tuple before, dict found, set done)
