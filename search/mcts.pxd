"""Tree search for games without hidden information."""

cimport cython
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t

from .samples cimport Samples
from .searcher cimport MAX_PATH, Arena, Searcher


cdef struct Node:
    uint32_t move        # the move or outcome that leads here
    int32_t first_child  # children are neighbours; NO_NODE until expanded
    uint16_t num_children
    int8_t decider       # seat to decide here, CHANCE or TERMINAL; set at the first visit
    uint8_t is_exact     # `sums` are the proven values instead of sums
    int32_t visits
    float prior          # of a move: its weight, then its probability
    double probability   # of the outcome that leads here; 1 for a move
    double[1] sums       # [num_seats] in truth: win shares summed over the visits


@cython.final  # direct calls, which the compiler can inline
cdef class MctsSearcher(Searcher):
    cdef Arena arena
    cdef bytearray owned_samples
    cdef Samples* samples            # [num_children of the root], of the mover
    cdef int32_t[MAX_PATH] path
    cdef int32_t[MAX_PATH] preferred  # of a path node: a proven sibling that beats it, or NO_NODE

    cdef Node* at(self, int32_t index) noexcept nogil
    cdef void clear(self, Node* node, uint32_t move, double probability) noexcept nogil

    # Give `node` its children; False when the arena is full.
    cdef bint expand(self, Node* node) noexcept nogil

    # The child to visit next, and in `preferred` the proven child that its mover would choose.
    cdef int32_t select(self, Node* parent, int32_t* preferred) noexcept nogil

    cdef void back_up(self, int length, const double* leaf) noexcept nogil

    # Propagate the proof of the last node up the path as far as it holds.
    cdef void prove(self, int length) noexcept nogil
    cdef bint prove_node(self, Node* node) noexcept nogil
    cdef bint is_some_move_open(self, const Node* root) noexcept nogil
    cdef tuple statistics(self, int32_t index)

    # Write the value of a node by the mean over the tree below it, without what was only explored.
    cdef void settle(self, const Node* node, double* values) noexcept nogil
    cdef double add_shift(self, list sums, double visits, int32_t child, int seat)
    cdef list line(self, int32_t index)
    cdef int32_t best_child(self, int32_t index) noexcept
