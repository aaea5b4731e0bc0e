"""The information sets of a search, with the statistics of each of their moves."""

cimport cython
from libc.stdint cimport int32_t, uint32_t, uint64_t

from kingmaker.cext.game cimport MAX_SEATS, Game
from kingmaker.cext.rng cimport bitgen_t

from .samples cimport variance_of_mean
from .searcher cimport Arena, HashIndex


cdef struct Arm:
    uint32_t move
    int32_t visits
    double regret      # cumulated
    double fresh       # regret since the last `settle`
    double current     # probability by regret matching, or prior of PUCT
    double policy      # current probabilities, summed: in proportion the average policy
    double weight      # of the visits that `means` was made of
    double anchor      # logarithm of its probability by the playout policy
    double[1] means    # [num_seats] in truth: win shares after the move, mostly of late

cdef struct MoveCount:
    double weight                # of the values
    double[MAX_SEATS] sums       # weighted win shares
    double square_weight         # squares of the weights, summed
    double square_sum            # of the decider's win share with these
    double squares               # of the square of that share with these

cdef struct InformationSet:
    uint64_t key
    int32_t num_moves
    int32_t seat
    int32_t visits


@cython.final
cdef class InformationSets:
    cdef Arena arena           # an information set is a cell, and each of its arms the next one
    cdef HashIndex owned_index
    cdef int32_t* index        # hash table key -> information set; 0 is an empty place
    cdef uint32_t index_mask
    cdef int num_seats
    cdef double anchor_weight  # loss of win share that the anchor tolerates
    cdef readonly int32_t count

    cdef InformationSet* at(self, int32_t node) noexcept nogil
    cdef Arm* arm(self, int32_t node, int i) noexcept nogil

    # The information set with this key, or 0.
    cdef int32_t find(self, uint64_t key) noexcept nogil

    # Whether so many new ones with so many moves together fit, and bytes that are enough for them.
    cdef bint has_room(self, int num_sets, int num_moves) noexcept
    cdef size_t enough(self, int num_sets, int num_moves) noexcept

    # A new one, or 0 when the memory is full.
    cdef int32_t add(
        self, uint64_t key, int seat, const uint32_t* moves, int num_moves) noexcept nogil

    # Estimate the playout policy of a new one, whose state is `state`, and begin with it.
    cdef void anchor(self, int32_t node, Game game, const void* state, bitgen_t* rng) noexcept nogil

    # Mean win share of a seat after its moves; 0 before the first one.
    cdef float mean_of(self, int32_t node, int seat) noexcept nogil

    # Addition to the value of a move that draws the policy towards the anchor.
    cdef double pull(self, const Arm* arm) noexcept nogil

    # The mean of that over the current policy.
    cdef double mean_pull(self, int32_t node) noexcept nogil

    # Index of a move, or -1.
    cdef int arm_of(self, int32_t node, uint32_t move) noexcept nogil

    # An arm drawn from the current policy, or with probability `explored` any arm.
    cdef int sample(self, int32_t node, double explored, bitgen_t* rng) noexcept nogil

    # The same from the average policy.
    cdef int sample_average(self, int32_t node, bitgen_t* rng) noexcept nogil

    # Probability of an arm by the average policy.
    cdef double average(self, int32_t node, int i) noexcept nogil

    # Add values after a move to its means with a `weight`; older values fade.
    cdef void blend(self, Arm* arm, double weight, const double* values) noexcept nogil

    # Add fresh regret to that of before (CFR+: never below 0) and set the current policy by it.
    cdef void settle(self, int32_t node) noexcept nogil

    # Settle all information sets of a seat, unless the search is cancelled: there may be millions.
    cdef void settle_all(self, int seat, volatile bint* is_cancelled) noexcept nogil


cdef inline uint64_t mixed(uint64_t key, uint64_t more) noexcept nogil:
    """Hash one more word into a key (splitmix64: Steele, Lea and Flood 2014)."""
    key = (key ^ more) + <uint64_t>0x9E3779B97F4A7C15
    key = (key ^ (key >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    key = (key ^ (key >> 27)) * <uint64_t>0x94D049BB133111EB
    return key ^ (key >> 31)


cdef inline void add_values(
        MoveCount* count, double weight, const double* values, int num_seats,
        int decider) noexcept nogil:
    """Add win shares; `decider` is the seat whose share has an error, or -1."""
    cdef double squared = weight * weight
    cdef int seat
    count.weight += weight
    for seat in range(num_seats):
        count.sums[seat] += weight * values[seat]
    if decider >= 0:
        count.square_weight += squared
        count.square_sum += squared * values[decider]
        count.squares += squared * values[decider] * values[decider]


cdef inline double variance_of_count(const MoveCount* count, int decider) noexcept nogil:
    """Variance of the weighted mean of independent values; the largest if it is not known.

    Their number is the effective one, (sum of weights)**2 / sum of squared weights.
    """
    if count.square_weight <= 0:
        return variance_of_mean(0, 0, 0)
    cdef double mean = count.sums[decider] / count.weight
    cdef double number = count.weight * count.weight / count.square_weight
    cdef double spread = (
        count.squares - 2 * mean * count.square_sum + mean * mean * count.square_weight
    ) / count.square_weight
    return variance_of_mean(number, 0.0, number * max(0.0, spread))
