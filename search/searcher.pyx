"""See searcher.pxd."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from kingmaker.cext.clock cimport monotonic_ns
from kingmaker.cext.game cimport (
    CHANCE, MAX_PLAYOUT, MOVES_ROOM, NO_MOVE, TERMINAL, are_shares, check_limits, listed,
    uniform_move)
from kingmaker.cext.rng cimport Seed, below, stream_of

from .puct cimport fast_exp

from kingmaker.cext.errors import InputError
from kingmaker.cext.contract import contract_error_at


cdef enum:
    CHECK_NS = 100_000   # longest time between looks at the clock
    MAX_STRIDE = 64
    MAX_VISITS = 0x7FFFFFF0  # a node counts its visits in 31 bits

# Bounds of what a policy may weigh a move, so that sums of floats stay in range.
cdef double LEAST_WEIGHT = 1e-30
cdef double MOST_WEIGHT = 1e30


cdef class Arena:
    def __cinit__(self, size_t stride, size_t memory_bytes):
        cdef size_t capacity = memory_bytes // stride
        if capacity == 0:
            raise MemoryError(f"{memory_bytes} bytes don't hold one node of {stride} bytes")
        self.stride = stride
        self.capacity = min(capacity, <size_t>0x7FFFFFF0)
        self.used = 0
        self.base = <char*>malloc(<size_t>self.capacity * stride)
        if self.base == NULL:
            raise MemoryError(f"no {memory_bytes} bytes for the search tree")

    def __dealloc__(self):
        with nogil:   # to unmap a gigabyte takes a tenth of a second
            free(self.base)

    cdef int32_t allocate(self, int32_t count) noexcept nogil:
        if count > self.capacity - self.used:
            return NO_NODE
        self.used += count
        return self.used - count


cdef class HashIndex:
    def __cinit__(self, size_t size):
        self.table = <int32_t*>calloc(size, sizeof(int32_t))
        if self.table == NULL:
            raise MemoryError(f"no {size * sizeof(int32_t)} bytes for the index of the search tree")

    def __dealloc__(self):
        with nogil:
            free(self.table)


cdef class Searcher:
    """One search on one thread; see searcher.pxd and `kingmaker.search.run.Search`.

    Args:
        game: the rules.
        observation: of the searching seat; the only part of the state that a search gets.
        seed: of this searcher's streams.
        options: `exploration`, `playout` ("policy" or "uniform") and `playout_plies`; those of tree
            searches have `temperature`, of their priors; None: the policy makes these.

    Raises:
        InputError: the game is larger than a search can hold.
    """

    def __init__(self, Game game, bytes observation, Seed seed not None, dict options):
        check_limits(game)
        observer = game.observer_of(observation)
        if observer is None:
            raise TypeError("search takes an observation, never a full state")
        self.game = game
        self.observation = observation
        self.root = game.pointer(observation)
        self.observer = observer
        self.num_seats = game.num_seats
        self.owned_scratch = bytearray(game.state_bytes)
        self.state = PyByteArray_AS_STRING(self.owned_scratch)
        self.bit_generators = seed.streams(4)
        self.world_rng = stream_of(self.bit_generators[0])
        self.chance_rng = stream_of(self.bit_generators[1])
        self.selection_rng = stream_of(self.bit_generators[2])
        self.playout_rng = stream_of(self.bit_generators[3])
        self.exploration = options["exploration"]
        temperature = options.get("temperature", 0.0)
        self.weighs_by_policy = temperature is None
        self.temperature = temperature or 0.0
        if self.temperature:
            self.owned_ahead = bytearray(game.state_bytes)
            self.ahead = PyByteArray_AS_STRING(self.owned_ahead)
        self.is_uniform = options["playout"] == "uniform"
        self.playout_plies = options["playout_plies"]

    cdef refuse_memory(self, size_t memory_bytes, size_t enough):
        raise InputError(
            f"memory_bytes is {memory_bytes} for each thread; {enough} are enough for this "
            "decision",
            field="budget.memory_bytes", value=str(memory_bytes))

    cdef int num_root_moves(self) noexcept:
        cdef uint32_t[MOVES_ROOM] moves
        if self.observer < 0 or self.game.node(self.root) != self.observer:
            return 0
        return listed(self.game, self.root, self.observer, moves, NULL)

    cdef void simulate(self) noexcept nogil:
        pass

    cdef void determinize(self, bitgen_t* rng) noexcept nogil:
        if self.worlds == NULL:
            self.game.determinize(self.root, rng, self.state)
        else:
            self.world = below(rng, self.num_worlds)
            memcpy(self.state, self.worlds + self.world * <size_t>self.game.state_bytes,
                   self.game.state_bytes)

    cdef void take_returns(self, double* values) noexcept nogil:
        self.game.returns(self.state, values)
        self.check_shares(values)

    cdef void check_shares(self, const double* values) noexcept nogil:
        if not are_shares(values, self.num_seats):
            self.is_broken = True

    cdef float weigh_prior(
            self, uint32_t move, int seat, double hostility, float* value,
            int number) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef double share
        if self.temperature == 0:
            return 1
        memcpy(self.ahead, self.state, self.game.state_bytes)
        self.game.apply(self.ahead, move)
        if self.game.node(self.ahead) == TERMINAL:
            self.game.returns(self.ahead, values)
        else:
            self.game.evaluate(self.ahead, values)
        self.check_shares(values)
        share = values[seat]
        if hostility != 0:
            share = hostile_share(share, 1 - values[self.observer], hostility)
        value[0] += (<float>share - value[0]) / number
        return fast_exp(max(<float>0, value[0]) / self.temperature)

    cdef void weigh_priors(
            self, const uint32_t* moves, int num_moves, int seat, double* weights) noexcept nogil:
        cdef float value
        cdef int i
        if self.weighs_by_policy:
            self.weigh_by_policy(moves, num_moves, weights)
            return
        for i in range(num_moves):
            value = 0
            weights[i] = self.weigh_prior(moves[i], seat, 0, &value, 1)

    cdef void weigh_by_policy(
            self, const uint32_t* moves, int num_moves, double* weights) noexcept nogil:
        cdef int i
        self.game.prior_weights(self.state, moves, num_moves, weights)
        for i in range(num_moves):
            if not 0 < weights[i] < MOST_WEIGHT:     # nor NaN
                self.is_broken = True
                weights[i] = 1
            weights[i] = max(LEAST_WEIGHT, weights[i])

    cdef uint32_t draw_outcome(self, bitgen_t* rng) noexcept nogil:
        cdef uint32_t outcome = self.game.sample_outcome(self.state, rng)
        if outcome == <uint32_t>NO_MOVE:
            self.is_broken = True
        return outcome

    cdef void playout(self, double* values) noexcept nogil:
        cdef int plies = 0
        cdef int node
        cdef uint32_t move
        if not self.is_uniform:
            self.game.playout(self.state, self.playout_plies, self.playout_rng, values)
            self.check_shares(values)
            return
        while True:
            node = self.game.node(self.state)
            if node == TERMINAL:
                self.take_returns(values)
                return
            if (self.playout_plies and plies >= self.playout_plies) or self.is_cancelled:
                break
            if plies >= MAX_PLAYOUT:
                self.is_broken = True
                break
            if node == CHANCE:
                move = self.draw_outcome(self.playout_rng)
            elif 0 <= node < self.num_seats:
                move = uniform_move(self.game, self.state, self.playout_rng)
            else:
                move = NO_MOVE
            if move == <uint32_t>NO_MOVE:
                self.is_broken = True
                break
            self.game.apply(self.state, move)
            plies += 1
        self.game.evaluate(self.state, values)
        self.check_shares(values)

    cdef StopCode loop(self, int64_t max_simulations, int64_t deadline_ns) noexcept nogil:
        # The clock is read once for several cheap simulations, the cancel flag in each. The
        # first look comes after a simulation, so that a call that starts late still makes progress.
        cdef int stride = 1
        cdef int left = 1       # simulations until the next look at the clock
        cdef int64_t last = monotonic_ns() if deadline_ns else 0
        cdef int64_t now
        while True:
            if self.is_cancelled:
                return STOP_CANCELLED
            if self.is_broken:
                return STOP_BROKEN
            if self.is_solved:
                return STOP_SOLVED
            if self.simulations >= (max_simulations or MAX_VISITS):
                return STOP_SIMULATIONS
            if deadline_ns and left == 0:
                now = monotonic_ns()
                if now >= deadline_ns:
                    return STOP_TIME
                if now - last < CHECK_NS and stride < MAX_STRIDE:
                    stride *= 2
                elif now - last > 2 * CHECK_NS and stride > 1:
                    stride //= 2
                last = now
                left = stride
            self.simulate()
            self.simulations += 1
            left -= 1

    def run(self, int64_t max_simulations, int64_t deadline_ns) -> int:
        """Simulate until there are `max_simulations` in all or the clock shows `deadline_ns`.

        0 is no limit; `MAX_VISITS` is the largest number. A call makes one simulation at
        least (an expectimax enters one state at least), also after `deadline_ns`. Releases the
        GIL. Returns a `StopCode`: 0 time, 1 simulations, 2 solved, 3 cancelled.

        Raises:
            RuntimeError: the game broke its contract, or another thread runs this search.
        """
        cdef StopCode code
        if self.is_running:
            raise RuntimeError("this search already runs on another thread")
        self.is_running = True
        max_simulations = min(max_simulations, <int64_t>MAX_VISITS)
        with nogil:
            code = self.loop(max_simulations, deadline_ns)
        self.is_running = False
        if code == STOP_BROKEN:
            raise contract_error_at(
                self.game, (<const char*>self.state)[:self.game.state_bytes])
        return code

    def cancel(self) -> None:
        """End `run` within one simulation; from any thread."""
        self.is_cancelled = True

    def believe(self, list worlds, bytes batches=None, int sharers=1) -> None:
        """Draw each simulation's world from `worlds`; see searcher.pyi."""
        self.owned_worlds = b"".join(worlds)
        self.worlds = PyBytes_AS_STRING(self.owned_worlds)
        self.num_worlds = len(worlds)
        self.is_belief = batches is not None

    def judge_all(self) -> None:
        """Search on after a proof of the root; see searcher.pyi."""
        self.wants_all = True

    # --- results of some searches only; see searcher.pyi --------------------------------------

    @property
    def bound(self):
        """Relation of the root's values to the true ones; None: unknown."""
        return None

    def told_moves(self) -> dict:
        """Return move -> (visits, summed win shares, squared errors besides) to be told."""
        return {}

    def best_worlds(self) -> dict:
        """Return move -> number of worlds in which no other move was better."""
        return {}

    def root_policy(self) -> dict | None:
        """Return move -> probability at the observer's decision; None if the search doesn't mix."""
        return None
