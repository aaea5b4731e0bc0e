"""See infosets.pxd.

Where moves are about equally good, regret doesn't separate them, and the policy is arbitrary. There
it can be drawn towards an anchor, the playout policy: a weight times the log ratio of the anchor's
and the policy's probability is added to the value of a move, so that the policy converges to the
anchor times an exponential of the values. The anchor is also the policy before there is regret: in
a large tree most information sets are young, and uniform play there would spoil the values above.

Sources: Hart and Mas-Colell 2000 (regret matching); Tammelin 2014, "Solving Large Imperfect
Information Games Using CFR+" (regret is never below zero); Jacob et al. 2022, "Modeling Strong
and Human-Like Gameplay with KL-Regularized Search" (anchor).
"""

from libc.math cimport exp, log

from kingmaker.cext.rng cimport below, uniform

from .searcher cimport NO_NODE, Arena, HashIndex


cdef double RECENCY = 0.05   # least weight of the latest values in the means


cdef enum:
    MIN_PLACES = 64
    MAX_PLACES = 1 << 30
    ANCHOR_DRAWS = 24     # draws from the playout policy, to estimate its probabilities

cdef double UNSEEN = 0.5      # additional draws of each move
cdef double NEVER = 0.01      # of a move that is never played, in the pull towards the anchor


cdef class InformationSets:
    """A bounded store: index and cells together take at most `memory_bytes`."""

    def __init__(self, int num_seats, size_t memory_bytes):
        self.num_seats = num_seats
        stride = max(sizeof(InformationSet), sizeof(Arm) + (num_seats - 1) * sizeof(double))
        places = MIN_PLACES
        # An information set takes three cells or more, for it has two moves or more; half of the
        # places stay empty.
        while (places < MAX_PLACES
                and places * 2 * sizeof(int32_t) + places * 3 * stride <= memory_bytes):
            places *= 2
        if memory_bytes <= places * sizeof(int32_t):
            raise MemoryError(f"{memory_bytes} bytes don't hold one information set")
        self.owned_index = HashIndex(places)
        self.index = self.owned_index.table
        self.index_mask = places - 1
        self.arena = Arena(stride, memory_bytes - places * sizeof(int32_t))
        self.arena.allocate(1)   # 0 is no information set
        self.count = 0

    @property
    def memory_bytes(self) -> int:
        """Bytes in use, the index included."""
        return self.arena.used * self.arena.stride + self.count * sizeof(int32_t)

    cdef InformationSet* at(self, int32_t node) noexcept nogil:
        return <InformationSet*>(self.arena.base + node * self.arena.stride)

    cdef Arm* arm(self, int32_t node, int i) noexcept nogil:
        return <Arm*>(self.arena.base + (node + 1 + i) * self.arena.stride)

    cdef int32_t find(self, uint64_t key) noexcept nogil:
        cdef uint32_t place = <uint32_t>(key >> 32) & self.index_mask
        while self.index[place] and self.at(self.index[place]).key != key:
            place = (place + 1) & self.index_mask
        return self.index[place]

    cdef bint has_room(self, int num_sets, int num_moves) noexcept:
        return (<uint32_t>(self.count + num_sets - 1) * 2 <= self.index_mask
                and num_sets + num_moves <= self.arena.capacity - self.arena.used)

    cdef size_t enough(self, int num_sets, int num_moves) noexcept:
        # With eight cells for each there are places for twice as many, which take a part below 1/20
        # of the memory; see `__init__`.
        cdef size_t num_cells = max(1 + num_sets + num_moves, 4 * num_sets)
        return MIN_PLACES * sizeof(int32_t) + 2 * num_cells * self.arena.stride

    cdef int32_t add(
            self, uint64_t key, int seat, const uint32_t* moves, int num_moves) noexcept nogil:
        cdef uint32_t place = <uint32_t>(key >> 32) & self.index_mask
        cdef int32_t node
        cdef int i, other
        cdef Arm* arm
        if <uint32_t>self.count * 2 > self.index_mask:
            return 0
        node = self.arena.allocate(1 + num_moves)
        if node == NO_NODE:
            return 0
        while self.index[place]:
            place = (place + 1) & self.index_mask
        self.index[place] = node
        self.count += 1
        self.at(node)[0] = InformationSet(
            key=key, num_moves=num_moves, seat=seat, visits=0)
        for i in range(num_moves):
            arm = self.arm(node, i)
            arm.move = moves[i]
            arm.visits = 0
            arm.regret = arm.fresh = arm.policy = arm.weight = arm.anchor = 0
            arm.current = 1.0 / num_moves
            for other in range(self.num_seats):
                arm.means[other] = 1.0 / self.num_seats
        return node

    cdef void anchor(
            self, int32_t node, Game game, const void* state, bitgen_t* rng) noexcept nogil:
        cdef int num_moves = self.at(node).num_moves
        cdef int i, drawn
        for i in range(num_moves):
            self.arm(node, i).anchor = UNSEEN
        for _ in range(ANCHOR_DRAWS):
            drawn = self.arm_of(node, game.playout_move(state, rng))
            if drawn >= 0:
                self.arm(node, drawn).anchor += 1
        for i in range(num_moves):
            self.arm(node, i).anchor = log(
                self.arm(node, i).anchor / (ANCHOR_DRAWS + UNSEEN * num_moves))
            self.arm(node, i).current = exp(self.arm(node, i).anchor)

    cdef float mean_of(self, int32_t node, int seat) noexcept nogil:
        cdef double total = 0
        cdef int i
        cdef Arm* arm
        if self.at(node).visits == 0:
            return 0
        for i in range(self.at(node).num_moves):
            arm = self.arm(node, i)
            total += arm.visits * arm.means[seat]
        return <float>(total / self.at(node).visits)

    cdef double pull(self, const Arm* arm) noexcept nogil:
        return self.anchor_weight * (arm.anchor - log(arm.current + NEVER))

    cdef double mean_pull(self, int32_t node) noexcept nogil:
        cdef double mean = 0
        cdef int i
        for i in range(self.at(node).num_moves if self.anchor_weight else 0):
            mean += self.arm(node, i).current * self.pull(self.arm(node, i))
        return mean

    cdef int arm_of(self, int32_t node, uint32_t move) noexcept nogil:
        cdef int i
        for i in range(self.at(node).num_moves):
            if self.arm(node, i).move == move:
                return i
        return -1

    cdef int sample(self, int32_t node, double explored, bitgen_t* rng) noexcept nogil:
        cdef int last = self.at(node).num_moves - 1
        cdef double point
        cdef int i
        if explored and uniform(rng) < explored:
            return below(rng, last + 1)
        point = uniform(rng)
        for i in range(last):
            point -= self.arm(node, i).current
            if point < 0:
                return i
        while last and self.arm(node, last).current == 0:   # rounding errors led past the end
            last -= 1
        return last

    cdef int sample_average(self, int32_t node, bitgen_t* rng) noexcept nogil:
        cdef int last = self.at(node).num_moves - 1
        cdef double total = 0
        cdef double point
        cdef int i
        for i in range(last + 1):
            total += self.arm(node, i).policy
        if total <= 0:
            return self.sample(node, 0, rng)
        point = uniform(rng) * total
        for i in range(last):
            point -= self.arm(node, i).policy
            if point < 0:
                return i
        return last

    cdef double average(self, int32_t node, int i) noexcept nogil:
        cdef int num_moves = self.at(node).num_moves
        cdef double total = 0
        cdef int j
        for j in range(num_moves):
            total += self.arm(node, j).policy
        return self.arm(node, i).policy / total if total > 0 else self.arm(node, i).current

    cdef void blend(self, Arm* arm, double weight, const double* values) noexcept nogil:
        cdef int seat
        cdef double rate
        arm.weight = arm.weight * (1 - RECENCY) + weight
        if weight == 0:
            return
        rate = weight / arm.weight
        for seat in range(self.num_seats):
            arm.means[seat] += rate * (values[seat] - arm.means[seat])

    cdef void settle(self, int32_t node) noexcept nogil:
        cdef InformationSet* here = self.at(node)
        cdef double total = 0
        cdef int i
        cdef Arm* arm
        for i in range(here.num_moves):
            arm = self.arm(node, i)
            arm.regret = max(0.0, arm.regret + arm.fresh)
            arm.fresh = 0
            total += arm.regret
        for i in range(here.num_moves):
            arm = self.arm(node, i)
            arm.current = arm.regret / total if total > 0 else (
                exp(arm.anchor) if arm.anchor else 1.0 / here.num_moves)

    cdef void settle_all(self, int seat, volatile bint* is_cancelled) noexcept nogil:
        cdef int32_t node = 1
        while node < self.arena.used and not is_cancelled[0]:
            if self.at(node).seat == seat:
                self.settle(node)
            node += 1 + self.at(node).num_moves
