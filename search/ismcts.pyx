"""ISMCTS: one tree for the observing seat, a new world in each simulation.

A node stands for what the observer has seen since the root: public moves, its own, and hidden ones
as they look to it (`Game.seen_move`), never a sampled hidden card. So all worlds use the same
nodes, and rivals answer to all of them at once. A move may be possible in some worlds only; PUCT
counts, in place of the visits of the parent, those in which the move was possible.
A turn of several moves of a seat is searched in one order only, where the game knows that others
lead to the same position (`Game.is_redundant`).
Rival moves that look alike to the observer are one child, and each is as likely as the others.
Priors come from the evaluation after each move, or from the policy, in the first world in which it
is found; at the root evaluations are of several worlds. A move that was not tried yet is worth as
much as its parent.
Each seat maximizes its own win share. With `hostility` the rivals mix that with the observer's
loss; at 1 they play for the loss alone. With `rival_policy` rivals draw a part of their choices
from the playout policy, by the hand that they have in the world of the simulation: the values of a
node are means over all worlds, and say nothing of what suits that hand.

Source: Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search".
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport sqrtf
from libc.string cimport memset

from kingmaker.cext.game cimport CHANCE, MAX_SEATS, MOVES_ROOM, NO_MOVE, TERMINAL, Game, listed
from kingmaker.cext.rng cimport below, uniform

from .puct cimport PRIOR_WORLDS, prior_of, puct
from .samples cimport (
    LEAST_VARIANCE, LEAST_VARIANCE_OF_REPLIES, WORLD_BATCHES, Samples, WorldSums, add_sample,
    squared_growth, variance_by_worlds, variance_of)
from .searcher cimport MAX_PATH, NO_NODE, Arena, HashIndex, Searcher, hostile_share
from .transpositions cimport hash_words


cdef enum:
    MIN_LINE_VISITS = 4   # fewest visits of a node in a line
    MIN_PLACES = 64       # of the index, at first
    MAX_PLACES = 1 << 30
    KEY_VISITS = 8        # of a decision that gets a key
    REPLY_PART = 1000     # replies in subtrees with less than 1/1000 of the visits aren't gathered


REPLIED = (-1, 0)
NUM_BATCHES = WORLD_BATCHES


cdef class IsmctsSearcher(Searcher):
    """One ISMCTS on one thread; `memory_bytes` bounds its tree and index. See `Searcher`.

    Options besides those of `Searcher`: `root_exploration`, in place of `exploration` between the
    moves at the root, 0 for the same, `max_depth`, the number of decisions in the tree, 0 for no
    limit, `hostility`, the part of the observer's loss in what rivals play for, 0 to 1, and
    `rival_policy`, the part of rivals' choices that are drawn from the playout policy, 0 to 1.
    """

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        Searcher.__init__(self, game, observation, seed, options)
        self.root_exploration = options.get("root_exploration", 0) or self.exploration
        self.max_depth = options["max_depth"]
        if self.num_seats > 2 and self.observer >= 0:   # else a rival's win is the loss
            self.hostility = options.get("hostility", 0)
        if self.observer >= 0:
            self.rival_policy = options.get("rival_policy", 0)
        # Half of the places stay empty: probing is short.
        stride = sizeof(Node) + (self.num_seats - 1) * sizeof(double)
        size = MIN_PLACES
        while (size < MAX_PLACES
                and (size * 2) * sizeof(int32_t) + size * stride <= memory_bytes):
            size *= 2
        owner = HashIndex(size)
        self.owned_index = owner
        self.index = owner.table
        self.index_size = size
        self.index_mask = MIN_PLACES - 1
        spare = memory_bytes - min(memory_bytes, <size_t>(size * sizeof(int32_t)))
        nodes = min(size * 3 // 4, spare // stride)
        self.arena = Arena(stride, nodes * stride)
        least = 1 + self.num_root_moves()
        if nodes < least:
            self.refuse_memory(memory_bytes, MIN_PLACES * sizeof(int32_t) + 2 * least * stride)
        self.num_samples = least - 1
        self.owned_samples = bytearray(self.num_samples * sizeof(Samples))
        self.samples = <Samples*>PyByteArray_AS_STRING(self.owned_samples)
        # Not cleared: that would drive what else a short call needs out of the nearest cache.
        self.owned_choices = PyBytes_FromStringAndSize(NULL, MOVES_ROOM * sizeof(Choice))
        self.choices = <Choice*>PyBytes_AS_STRING(self.owned_choices)
        cdef Node* root = self.at(self.arena.allocate(1))
        root.move = 0
        root.parent = NO_NODE
        root.first_child = NO_NODE
        root.next_sibling = NO_NODE
        root.visits = 0
        root.availability = 0
        root.mover = CHANCE
        root.seat = game.node(self.root)
        root.is_over = False
        root.key = 0
        for seat in range(self.num_seats):
            root.sums[seat] = 0

    def keep(self) -> None:
        """Give keys to own decisions, by which `kept_tree.take_over` finds them."""
        self.owned_seen = bytearray((self.game.state_bytes + 7) // 8 * 8)
        self.seen = PyByteArray_AS_STRING(self.owned_seen)

    def believe(self, list worlds, bytes batches=None, int sharers=1) -> None:
        """Draw each simulation's world from `worlds`; see searcher.pyi."""
        Searcher.believe(self, worlds, batches)
        if batches is not None:
            self.owned_world_sums = bytearray(self.num_samples * sizeof(WorldSums))
            self.world_sums = <WorldSums*>PyByteArray_AS_STRING(self.owned_world_sums)
            self.owned_batches = batches
            self.batches = <const uint8_t*>PyBytes_AS_STRING(batches)
            self.sharers = sharers

    cdef Node* at(self, int32_t index) noexcept nogil:
        return <Node*>(self.arena.base + index * self.arena.stride)

    cdef uint32_t place(self, int32_t parent, uint32_t move) noexcept nogil:
        cdef uint64_t key = (<uint64_t>parent << 32 | move) * <uint64_t>0x9E3779B97F4A7C15
        cdef uint32_t place = <uint32_t>(key >> 32) & self.index_mask
        cdef int32_t child
        cdef Node* node
        while True:
            child = self.index[place]
            if child == 0:
                return place
            node = self.at(child)
            if node.parent == parent and node.move == move:
                return place
            place = (place + 1) & self.index_mask

    cdef int32_t add(self, int32_t parent, uint32_t move, int mover, uint32_t place) noexcept nogil:
        cdef int32_t child = self.arena.allocate(1)
        cdef Node* node
        cdef int seat
        if child == NO_NODE:
            return NO_NODE
        node = self.at(child)
        node.move = move
        node.parent = parent
        node.first_child = NO_NODE
        node.next_sibling = self.at(parent).first_child
        node.visits = 0
        node.availability = 0
        node.mover = mover
        node.stamp = -1
        node.value = 0
        node.is_over = False
        node.key = 0
        for seat in range(self.num_seats):
            node.sums[seat] = 0
        self.at(parent).first_child = child
        self.index[place] = child
        if (<uint32_t>self.arena.used * 2 > self.index_mask
                and self.index_mask + 1 < self.index_size):
            self.widen_index()
        return child

    cdef void widen_index(self) noexcept nogil:
        """Spread the index over twice the places: a small tree stays in the cache."""
        cdef int32_t child
        memset(self.index, 0, (self.index_mask + 1) * sizeof(int32_t))
        self.index_mask = self.index_mask * 2 + 1
        for child in range(1, self.arena.used):
            self.index[self.place(self.at(child).parent, self.at(child).move)] = child

    cdef void simulate(self) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef int32_t index = 0
        cdef int length = 1
        cdef int decisions = 0
        cdef int node
        cdef bint is_leaf = False
        self.path[0] = 0
        self.determinize(self.world_rng)
        while True:
            node = self.game.node(self.state)
            if node == TERMINAL:
                self.take_returns(values)
                if self.at(index).first_child == NO_NODE:
                    self.at(index).is_over = True
                break
            if is_leaf or length == MAX_PATH or (
                    self.max_depth and decisions == self.max_depth):
                self.playout(values)
                break
            if node == CHANCE:
                index = self.draw(index)
            else:
                if (node != self.observer and self.rival_policy > 0
                        and uniform(self.selection_rng) < self.rival_policy):
                    index = self.reply(index, node, &is_leaf)
                else:
                    index = self.decide(index, node, &is_leaf)
                decisions += 1
            if index == NO_NODE:
                self.playout(values)
                break
            self.path[length] = index
            length += 1
        if length > self.depth + 1:
            self.depth = length - 1
        self.back_up(length, values)

    cdef uint64_t key_of(self, const void* state) noexcept nogil:
        memset(self.seen, 0, self.game.state_bytes)
        self.game.observe(state, self.observer, self.seen)
        return self.key_of_seen()

    cdef uint64_t key_of_seen(self) noexcept nogil:
        return hash_words(<const uint64_t*>self.seen, (self.game.state_bytes + 7) // 8)

    cdef int32_t draw(self, int32_t parent) noexcept nogil:
        cdef uint32_t outcome = self.draw_outcome(self.chance_rng)
        cdef uint32_t seen, place
        cdef int32_t child
        if outcome == <uint32_t>NO_MOVE:
            return NO_NODE
        seen = self.game.seen_move(self.state, outcome, self.observer)
        place = self.place(parent, seen)
        child = self.index[place]
        self.game.apply(self.state, outcome)
        return child if child else self.add(parent, seen, CHANCE, place)

    cdef int32_t decide(self, int32_t index, int seat, bint* is_leaf) noexcept nogil:
        if self.seen != NULL and seat == self.observer and self.at(index).visits == KEY_VISITS:
            self.at(index).seat = seat
            self.at(index).key = self.key_of(self.state)
        cdef int num_choices = self.list_choices(index, seat)
        cdef const Node* above = self.at(index)
        cdef const Node* node
        cdef int best = 0
        cdef float best_score = -1
        cdef float total = 0
        cdef float score, prior
        cdef float exploration = self.exploration if index else self.root_exploration
        cdef int i
        if num_choices == 0:
            return NO_NODE
        for i in range(num_choices):
            total += self.at(self.choices[i].child).weight
        for i in range(num_choices):
            node = self.at(self.choices[i].child)
            prior = prior_of(node.weight, total, num_choices)
            score = puct(self.mean_of(node if node.visits else above, seat), node.visits,
                         exploration * prior * sqrtf(node.availability))
            if score > best_score:
                best_score = score
                best = i
        is_leaf[0] = self.at(self.choices[best].child).visits == 0
        self.game.apply(self.state, self.choices[best].move)
        return self.choices[best].child

    cdef int32_t reply(self, int32_t index, int seat, bint* is_leaf) noexcept nogil:
        """Draw a rival's move from the playout policy, whatever plays the playouts.

        It counts no availability, which is for choices alone.
        """
        cdef uint32_t move = self.game.playout_move(self.state, self.selection_rng)
        cdef uint32_t seen, place
        cdef int32_t child
        if move == <uint32_t>NO_MOVE:
            self.is_broken = True
            return NO_NODE
        seen = self.game.seen_move(self.state, move, self.observer)
        place = self.place(index, seen)
        child = self.index[place]
        if child == 0:
            child = self.add(index, seen, seat, place)
        self.game.apply(self.state, move)
        is_leaf[0] = child != NO_NODE and self.at(child).visits == 0
        return child

    cdef int list_choices(self, int32_t parent, int seat) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] moves
        cdef uint32_t[MOVES_ROOM] fresh     # without a prior
        cdef int32_t[MOVES_ROOM] fresh_children
        cdef int num_fresh = 0
        cdef int num_moves = listed(self.game, self.state, seat, moves, NULL)
        cdef int32_t stamp = <int32_t>self.simulations
        cdef int num_choices = 0
        cdef uint32_t seen, place
        cdef int32_t child
        cdef Choice* choice
        cdef Node* node
        cdef int i
        if num_moves == 0:
            self.is_broken = True
        if parent != 0 and self.at(parent).mover == seat:
            num_moves = self.without_redundant(self.at(parent).move, moves, num_moves)
        for i in range(num_moves):
            seen = self.game.seen_move(self.state, moves[i], self.observer)
            place = self.place(parent, seen)
            child = self.index[place]
            if child == 0:
                child = self.add(parent, seen, seat, place)
                if child == NO_NODE:
                    continue
            if parent == 0 and self.game.is_pointless(self.state, moves[i]):
                continue
            node = self.at(child)
            if node.stamp == stamp:   # it is listed, for a move that looks like this one
                choice = &self.choices[node.place]
                choice.num_alike += 1
                if below(self.selection_rng, choice.num_alike) == 0:
                    choice.move = moves[i]
                continue
            node.stamp = stamp
            node.place = num_choices
            node.availability += 1
            if self.weighs_by_policy:
                if node.availability == 1:
                    fresh[num_fresh] = moves[i]
                    fresh_children[num_fresh] = child
                    num_fresh += 1
            elif node.availability == 1 or (parent == 0 and node.availability <= PRIOR_WORLDS):
                node.weight = self.weigh_prior(
                    moves[i], seat, self.hostility if seat != self.observer else 0, &node.value,
                    node.availability)
            self.choices[num_choices] = Choice(move=moves[i], child=child, num_alike=1)
            num_choices += 1
        if num_fresh != 0:
            self.set_priors(fresh, fresh_children, num_fresh)
        return num_choices

    cdef void set_priors(
            self, const uint32_t* moves, const int32_t* children, int num_moves) noexcept nogil:
        cdef double[MOVES_ROOM] weights
        cdef int i
        self.weigh_by_policy(moves, num_moves, weights)
        for i in range(num_moves):
            self.at(children[i]).weight = <float>weights[i]

    cdef int without_redundant(
            self, uint32_t previous, uint32_t* moves, int num_moves) noexcept nogil:
        cdef int kept = 0
        cdef int i
        for i in range(num_moves):
            if not self.game.is_redundant(self.state, previous, moves[i]):
                moves[kept] = moves[i]
                kept += 1
        return kept

    cdef float mean_of(self, const Node* node, int seat) noexcept nogil:
        return <float>(self.sum_of(node, seat) / node.visits) if node.visits else 0

    cdef inline double sum_of(self, const Node* node, int seat) noexcept nogil:
        if self.hostility != 0 and seat != self.observer:
            return hostile_share(
                node.sums[seat], node.visits - node.sums[self.observer], self.hostility)
        return node.sums[seat]

    cdef void back_up(self, int length, const double* values) noexcept nogil:
        cdef int i, seat
        cdef Node* node
        for i in range(length - 1, -1, -1):
            node = self.at(self.path[i])
            node.visits += 1
            for seat in range(self.num_seats):
                node.sums[seat] += values[seat]
        if length > 1 and self.is_own_move(self.path[1]):
            self.sample(self.path[1], values[self.observer])

    cdef bint is_own_move(self, int32_t child) noexcept nogil:
        """Whether the observer's decision led here; a spectator has none."""
        return self.observer >= 0 and self.at(child).mover == self.observer

    cdef void sample(self, int32_t child, double value) noexcept nogil:
        """Add to the samples of a root child, which stand in order of birth."""
        cdef int rank = 0
        cdef int32_t older = self.at(child).next_sibling
        while older != NO_NODE:
            rank += 1
            older = self.at(older).next_sibling
        if rank < self.num_samples:
            add_sample(&self.samples[rank], value)
            if self.world_sums != NULL:
                self.world_sums[rank].sums[self.batches[self.world]] += value
                self.world_sums[rank].counts[self.batches[self.world]] += 1

    # --- what was found -----------------------------------------------------------------------

    @property
    def num_nodes(self) -> int:
        """Nodes in use."""
        return self.arena.used

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tree in use, its index included."""
        return self.arena.used * (self.arena.stride + sizeof(int32_t))

    def num_visited(self, int at_least) -> int:
        """Count the nodes with `at_least` visits or more."""
        return sum(self.at(index).visits >= at_least for index in range(self.arena.used))

    def num_passed(self, moves, int most) -> list:
        """Count the simulations whose path in the tree has some of these moves, by their number.

        Returns:
            for 1 to `most` of them: simulations with so many or more, or that end the game before,
            `[most]`.
        """
        cdef list found = [0] * most
        cdef bytearray owned = bytearray(self.arena.used * sizeof(int32_t))
        cdef int32_t* passed = <int32_t*>PyByteArray_AS_STRING(owned)
        cdef int32_t index, number
        for index in range(1, self.arena.used):     # parents are older than their children
            number = passed[index] = passed[self.at(index).parent]
            if self.at(index).is_over:
                passed[index] = most
            elif self.at(index).move in moves:
                passed[index] += 1
            for number in range(number, min(passed[index], most)):
                found[number] += self.at(index).visits
        return found

    cdef list children(self, int32_t parent):
        """The moves and outcomes that follow, oldest first."""
        cdef list found = []
        cdef int32_t child = self.at(parent).first_child
        while child != NO_NODE:
            found.append(child)
            child = self.at(child).next_sibling
        return found[::-1]

    def root_values(self) -> tuple:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""
        cdef Node* root = self.at(0)
        return (root.visits, [root.sums[seat] for seat in range(self.num_seats)], False)

    def root_moves(self) -> list:
        """Return (move, visits, summed win shares, squared error of the mover, is_exact, line).

        Only moves of the observer: those of a rival may be more than any hand allows.
        """
        found = []
        for rank, index in enumerate(self.children(0)[:self.num_samples]):
            node = self.at(index)
            if self.is_own_move(index):
                found.append((
                    node.move, node.visits, [node.sums[seat] for seat in range(self.num_seats)],
                    self.squared_error(rank), False, self.line(index)))
        return found

    def told_moves(self) -> dict:
        """Return move -> (visits, summed win shares, squared errors besides); see searcher.pyi.

        Moves are compared by the errors of their simulations alone; what a growing tree will find
        is mostly the same for all of them. With more seats the errors hold without that.
        """
        found = {}
        if self.num_seats > 2:
            return found
        for rank, index in enumerate(self.children(0)[:self.num_samples]):
            node = self.at(index)
            if self.is_own_move(index) and node.visits:
                growth = squared_growth(node.visits, node.sums[self.observer] / node.visits)
                found[node.move] = (
                    node.visits, [node.sums[seat] for seat in range(self.num_seats)],
                    0.0, max(0.0, growth - self.squared_error(rank)))
        return found

    cdef double squared_error(self, int rank):
        """Squared error of the mean of the simulations of a root child, by order of birth."""
        cdef double variance = variance_of(
            &self.samples[rank], LEAST_VARIANCE_OF_REPLIES if self.hostility else LEAST_VARIANCE)
        if self.world_sums != NULL:     # their errors don't fall with the searchers
            variance = max(variance, self.sharers * variance_by_worlds(&self.world_sums[rank]))
        return variance

    cdef list line(self, int32_t index):
        """Follow the most visited moves from a child of the root, up to where chance decides."""
        cdef list moves = [self.at(index).move]
        cdef int32_t best
        while True:
            best = self.most_visited(index)
            if best == NO_NODE or self.at(best).visits < MIN_LINE_VISITS:
                return moves
            # One outcome is what nobody or only others see of chance, as a drawn card.
            if self.at(best).mover == CHANCE and self.has_siblings(index, best):
                return moves
            moves.append(self.at(best).move)
            index = best

    cdef bint has_siblings(self, int32_t parent, int32_t child) noexcept:
        return self.at(parent).first_child != child or self.at(child).next_sibling != NO_NODE

    cdef int32_t most_visited(self, int32_t parent) noexcept:
        cdef int32_t child = self.at(parent).first_child
        cdef int32_t best = NO_NODE
        while child != NO_NODE:
            if best == NO_NODE or self.at(child).visits >= self.at(best).visits:
                best = child
            child = self.at(child).next_sibling
        return best

    def node_counts(self, list path) -> tuple:
        """Return (visits, availability) of the node at the end of a path; (0, 0) without one."""
        cdef int32_t index = 0
        for move in path:
            index = self.index[self.place(index, move)]
            if index == 0:
                return (0, 0)
        return (self.at(index).visits, self.at(index).availability)

    def replies(self) -> dict:
        """Gather the replies between each root move and the observer's next decision.

        Returns:
            move -> {(seat from 0, their move): [visits, summed win share of the observer, visits
            again]}, summed over the chance outcomes and own moves in between. The key (-1, 0)
            counts the simulations that got as far as a reply.
        """
        found = {}
        for index in self.children(0):
            node = self.at(index)
            if self.is_own_move(index):
                self.gather(
                    index, node.visits // REPLY_PART + 1, (), found.setdefault(node.move, {}))
        return found

    cdef void gather(self, int32_t index, int32_t floor, tuple before, dict found):
        """Add the replies below a node; `before` are those on the way to it."""
        cdef int32_t child = self.at(index).first_child
        cdef Node* node
        while child != NO_NODE:
            node = self.at(child)
            if node.visits >= floor:
                if node.mover >= 0 and node.mover != self.observer:
                    key = (node.mover, node.move)
                    # A seat may repeat a move before the observer's turn: counted once.
                    for counted in (() if before else (REPLIED,)) + (
                            () if key in before else (key,)):
                        entry = found.setdefault(counted, [0, 0.0, 0])
                        entry[0] += node.visits
                        entry[1] += node.sums[self.observer]
                        entry[2] += node.visits
                    self.gather(child, floor, before + (key,), found)
                elif node.mover == CHANCE or not before:
                    self.gather(child, floor, before, found)
            child = node.next_sibling
