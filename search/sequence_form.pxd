"""The sequence form of a game of two seats: the tree as flat arrays for a solver.

A *sequence* of a seat is one of its information sets with a move there, and so, by perfect recall,
everything that the seat has done until then; sequence 0 is the empty one. A policy of a seat, as
the reach of each of its sequences, is a *plan*. The value of an information set against a rival's
plan is linear in that plan, so that a pass over the terminal histories, gathered by sequence, and
one over the information sets take the place of a walk of the tree.

Source: von Stengel 1996, "Efficient Computation of Behavior Strategies", section 3.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from kingmaker.cext.game cimport Game

from .searcher cimport StopCode


cdef enum:
    NUM_SEATS = 2
    NONE = -1        # no information set
    STOP_MEMORY = 5  # beside the codes of `StopCode`


cdef struct Block:
    char* base         # `capacity` elements of `stride` bytes, `used` of them in use
    size_t stride
    int64_t used
    int64_t capacity

cdef struct Key:
    uint64_t low
    uint64_t high

cdef struct TrieNode:
    Key key              # of the information set with the index of this node
    int32_t[4] children  # by the next two bits of the key; NONE where there is none

cdef struct InformationSet:
    int32_t parent  # sequence of the same seat that leads here; below `first`
    int32_t first   # first of its sequences; they end where those of the next set begin

cdef struct Terminal:
    int32_t[NUM_SEATS] sequences
    double[NUM_SEATS] weights  # probability of chance's outcomes * win share of each seat

cdef struct Side:
    # One seat's part of the form. Information sets are in the order of discovery, so that a
    # set comes after those that the same seat has passed on the way to it.
    Block sets             # InformationSet, and one more as the end of the last
    Block moves            # uint32_t: that of sequence s is moves[s - 1]; sequence 0 has none
    Block observations     # state_bytes: observation of each information set
    Block trie             # TrieNode of each information set
    int32_t root           # of the trie; NONE while it is empty
    int32_t num_sets
    int32_t num_sequences  # with the empty one; set when the walk is over
    int32_t* starts        # row of sequence s: starts[s] .. starts[s + 1] - 1
    int32_t* rivals        # the rival's sequence, of every entry of a row
    double* weights        # of the same entries: summed over the histories with both sequences

cdef struct Frame:
    # A history on the way to the present one. Behind it: probabilities, state, moves.
    double chance                  # probability of chance's outcomes until here
    int32_t[NUM_SEATS] sequences   # of each seat
    int32_t node                   # as of `Game.node`
    int32_t first                  # at a decision: first sequence of the information set
    int32_t num_moves
    int32_t next_move


cdef class SequenceForm:
    cdef readonly Game game
    cdef readonly bytes root         # the full state at the top of the tree
    cdef const void* root_state      # the struct in it
    cdef readonly int64_t num_histories
    cdef readonly size_t memory_bytes
    cdef size_t memory_limit
    cdef Side[NUM_SEATS] sides
    cdef volatile bint is_cancelled
    cdef bint is_running             # a thread is in `build`
    cdef Block stack                 # Frame
    cdef Block terminals             # Terminal; given back when the rows are filled
    cdef bytearray owned_observation
    cdef char* observation           # scratch, padded to whole blocks of the hash
    cdef size_t padded_bytes
    cdef size_t state_offset         # in a frame
    cdef size_t moves_offset
    cdef int stage
    cdef int64_t cursor              # progress of the stage
    cdef object probe                # TreeProbe, for the estimate when the tree is too large
    cdef int fault

    # Zeroed memory within the limit, until `give_back`; NULL if there is no more.
    cdef void* claim(self, size_t num_bytes) noexcept nogil
    cdef void give_back(self, void* memory, size_t num_bytes) noexcept nogil
    cdef bint reserve(self, Block* block, int64_t count) noexcept nogil

    cdef StopCode loop(self, int64_t deadline_ns) noexcept nogil
    cdef bint advance(self) noexcept nogil
    cdef bint expand(self) noexcept nogil
    cdef bint push(self) noexcept nogil
    cdef bint visit(self, Frame* top) noexcept nogil
    cdef bint visit_decision(self, Frame* top, int seat) noexcept nogil
    cdef bint visit_chance(self, Frame* top) noexcept nogil
    cdef bint visit_terminal(self, Frame* top) noexcept nogil
    cdef Key key_of(self, const void* state, int seat, int32_t parent) noexcept nogil
    cdef int32_t add_set(
        self, Side* side, Key key, int32_t parent, const uint32_t* moves, int num_moves
    ) noexcept nogil
    cdef bint claim_rows(self) noexcept nogil
    cdef bint count_rows(self) noexcept nogil
    cdef bint sum_rows(self) noexcept nogil
    cdef bint claim_entries(self) noexcept nogil
    cdef bint fill_rows(self) noexcept nogil
    cdef bint end_stage(self, int following) noexcept nogil
