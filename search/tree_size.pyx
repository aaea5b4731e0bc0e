"""How large a game tree is, estimated by random probes without walking it.

A probe follows uniformly random moves and outcomes to the end. If nodes on its way have b1, b2, ...
children, then 1 + b1 + b1 b2 + ... is an unbiased estimate of the number of histories, the root
included. Its spread is wide where parts of the tree differ in size, and the mean of few probes is
then mostly too low.

Source: Knuth 1975, "Estimating the Efficiency of Backtrack Programs".
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport fabs, hypot, sqrt
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcpy

from kingmaker.cext.clock cimport monotonic_ns
from kingmaker.cext.game cimport MOVES_ROOM, TERMINAL, Game, check_limits, listed
from kingmaker.cext.rng cimport below, bitgen_t, stream_of

from collections import namedtuple

from numpy.random import SFC64

from kingmaker.cext.errors import InputError
from kingmaker.cext.contract import contract_error


cdef double MOST = 1e300   # highest count of histories
cdef int MAX_PLIES = 100_000

TreeSize = namedtuple("TreeSize", "mean standard_error mean_depth max_depth probes")


cdef class TreeProbe:
    """Probes of the tree below a full state, which can be run in slices and cancelled.

    Args:
        game: the rules.
        state: the root of the tree, a full state.
        seed: of the random moves.
        limit: histories from which on a probe ends early.

    Raises:
        InputError: the game is larger than a solver can hold.
    """

    cdef Game game
    cdef bytes root             # owns the struct that `root_state` points to
    cdef const void* root_state
    cdef bytearray owned_scratch
    cdef void* state
    cdef object bit_generator   # owns the stream
    cdef bitgen_t* rng
    cdef double limit
    cdef int64_t num_probes
    cdef double mean            # histories
    cdef double deviation       # root of the summed squares of the distances from the mean
    cdef double depth_sum       # plies
    cdef int max_depth
    cdef bint is_broken
    cdef volatile bint is_cancelled

    def __init__(self, Game game not None, bytes state, seed, double limit=MOST):
        check_limits(game)
        self.limit = limit
        self.root_state = game.pointer(state)
        self.game = game
        self.root = state
        self.owned_scratch = bytearray(game.state_bytes)
        self.state = PyByteArray_AS_STRING(self.owned_scratch)
        self.bit_generator = SFC64(seed)
        self.rng = stream_of(self.bit_generator)

    cdef int step(self) noexcept nogil:
        """Make a random move; returns among how many, 0 at the end."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef double[MOVES_ROOM] probabilities
        cdef int node = self.game.node(self.state)
        cdef int num_moves
        if node == TERMINAL:
            return 0
        num_moves = listed(self.game, self.state, node, moves, probabilities)
        if num_moves == 0:
            self.is_broken = True
            return 0
        self.game.apply(self.state, moves[below(self.rng, num_moves)])
        return num_moves

    cdef void probe(self) noexcept nogil:
        cdef double level = 1.0   # estimated histories of the present length
        cdef double total = 1.0
        cdef double distance
        cdef int plies = 0
        cdef int num_moves
        memcpy(self.state, self.root_state, self.game.state_bytes)
        while plies < MAX_PLIES and total < self.limit:
            num_moves = self.step()
            if self.is_cancelled or self.is_broken:
                return
            if num_moves == 0:
                break
            plies += 1
            level = min(level * num_moves, self.limit)
            total = min(total + level, self.limit)
        self.num_probes += 1
        self.depth_sum += plies
        self.max_depth = max(self.max_depth, plies)
        # Welford's sums, the second one as its root: squares would overflow.
        distance = total - self.mean
        self.mean += distance / self.num_probes
        self.deviation = hypot(
            self.deviation, sqrt(fabs(distance)) * sqrt(fabs(total - self.mean)))

    def run(self, int64_t max_probes, int64_t deadline_ns=0):
        """Probe until there are `max_probes` in all, the clock shows `deadline_ns`, or `cancel`.

        At least one probe is made unless it is cancelled; 0 is no deadline. Releases the GIL.

        Raises:
            RuntimeError: the game broke the engine contract.
        """
        with nogil:
            while self.num_probes < max_probes and not (self.is_cancelled or self.is_broken):
                if deadline_ns and self.num_probes and monotonic_ns() >= deadline_ns:
                    break
                self.probe()
        if self.is_broken:
            raise contract_error(self.game)
        return self.size()

    def size(self):
        """Return the `TreeSize` estimated so far."""
        count = self.num_probes
        if count == 0:
            return TreeSize(1.0, float("inf"), 0.0, 0, 0)
        error = self.deviation / (count * (count - 1.0)) ** 0.5 if count > 1 else float("inf")
        return TreeSize(self.mean, error, self.depth_sum / count, self.max_depth, count)

    def cancel(self):
        """End `run` within a move; from any thread."""
        self.is_cancelled = True


def estimate_tree(game, state, probes, seed, deadline_ns=0, limit=MOST):
    """See tree_size.pyi."""
    if probes < 1:
        raise InputError(
            f"probes is {probes}; it must be at least 1", field="probes", value=str(probes))
    return TreeProbe(game, state, seed, limit).run(probes, deadline_ns)
