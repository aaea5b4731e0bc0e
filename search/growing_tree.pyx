"""Multiple-observer search in a growing tree of histories, for games with `Game.history`.

Bets and bids of rivals depend on their cards, so hidden cards and pending hidden moves are not
equally likely. All simulations therefore begin at the latest state without hidden information
(`Game.history`). Half of them continue from there by the policies of the seats; the others first
replay a world that fits public knowledge, or the observer's. They grow a tree in which sweeps
minimize regret (histories.pyx). The sweeps pass `SWEPT` times as many histories as there are
simulations. Near the end of a game a simulation adds several histories. So the tree of a small game
is soon complete and nearly solved, while a large game remains a search, for which mo_ismcts.pyx is
better. A new information set begins with the playout policy if there is an anchor.

The values that regret is minimized on are no estimates of a move's value: every seat chooses among
few lucky playouts, and rarely played moves look too good, because rivals had no time to answer
them. So half of the simulations also play a game from a root move in which all seats follow the
average policies, with fresh playouts. The values of moves are the means of these games.

Sources: Lisy, Lanctot and Bowling 2015, "Online Monte Carlo Counterfactual Regret Minimization for
Search in Imperfect Information Games" (simulations from the start, some of them targeted); Schmid
et al. 2023, "Student of Games" (regret minimization in a growing tree).
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport sqrt
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport (
    CHANCE, MAX_MOVES, MAX_SEATS, MOVES_ROOM, NO_MOVE, TERMINAL, Game, listed)
from kingmaker.cext.rng cimport below, bitgen_t

from .histories cimport UNLIKELY, UNOPENED, History, HistoryTree
from .infosets cimport MoveCount, add_values
from .samples cimport add_sample
from .searcher cimport MAX_PATH, NO_NODE
from .seat_trees cimport OWN, PUBLIC, WHOLE, Kind, SeatTreesSearcher


cdef double EXPLORED = 0.3   # part of the decisions of a simulation that are uniformly random
cdef double FADING = 100     # simulations from which on the anchor weighs less

cdef enum:
    JUDGING = 4     # bit of the number of a simulation that also plays a game for the values
    SWEPT = 64      # histories swept for each simulation
    MAX_DRAWS = 4   # of an outcome below which the tree can still grow
    NEAR = 8        # plies of a playout from which the end of the game is near
    ROOM = 4        # additional histories of a simulation there


cdef class GrowingTreeSearcher(SeatTreesSearcher):
    """One such search on one thread; `memory_bytes` bounds all its trees.

    Options besides those of `Searcher`: `max_depth`, as in `SeatTreesSearcher`, and `anchor`, the
    weight of the anchor at first.

    Raises:
        ValueError: the game has no histories.
    """

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        SeatTreesSearcher.__init__(
            self, game, observation, seed, options, memory_bytes // 2, True)
        if self.start == NULL:
            raise ValueError(f"{game.name} has no Game.history; use MoIsmctsSearcher")
        self.anchor = 0 if self.is_uniform else options["anchor"]
        self.fade_anchor()
        self.tree = HistoryTree(
            self.sets, game.max_moves, self.num_seats, self.observer,
            memory_bytes - memory_bytes // 2)
        self.check_room(memory_bytes)
        self.tree.roots = self.roots
        self.tree.is_cancelled = &self.is_cancelled
        self.owned_copies = bytearray((ROOM + 1) * game.state_bytes)
        self.copies = PyByteArray_AS_STRING(self.owned_copies)

    cdef check_room(self, size_t memory_bytes):
        # The first simulation replays the past up to the observer's decision. Beside each move it
        # adds those that end the game.
        cdef int num_sets = 1 + self.num_past_sets
        cdef int num_moves = self.num_root_moves() + self.num_past_moves
        cdef int num_histories = 1 + self.num_past + num_moves
        if self.num_root_moves() and not (
                self.sets.has_room(num_sets, num_moves)
                and num_histories <= self.tree.arena.capacity):
            self.refuse_memory(memory_bytes, 2 * max(
                self.sets.enough(num_sets, num_moves), num_histories * self.tree.arena.stride))

    cdef void simulate(self) noexcept nogil:
        self.fade_anchor()
        if self.is_judging():
            self.judge()
        if self.tree.at(0).num_open or self.root_node == 0:
            self.grow(self.kind_of())
        if self.tree.at(0).num_open == 0 and self.num_seats == 2:
            self.sets.anchor_weight = 0   # all values are exact
        self.credit += SWEPT
        if self.credit >= self.tree.cost():
            self.credit = 0
            self.tree.root_node = self.root_node
            self.tree.sweep()

    cdef Kind kind_of(self) noexcept nogil:
        if self.num_past == 0:
            return WHOLE
        return WHOLE if self.simulations & 1 else PUBLIC if self.simulations & 2 else OWN

    cdef void fade_anchor(self) noexcept nogil:
        # For two seats regret matching converges to an equilibrium, so only the error of the values
        # counts, which falls with the root of the simulations. With more seats that is not certain.
        self.sets.anchor_weight = self.anchor
        if self.num_seats == 2:
            self.sets.anchor_weight *= sqrt(FADING / (FADING + <double>self.simulations))

    cdef void set_priors(self, int32_t node, int seat) noexcept nogil:
        if self.sets.anchor_weight:
            self.sets.anchor(node, self.game, self.state, self.playout_rng)

    cdef bint is_judging(self) noexcept nogil:
        return self.root_node and self.simulations & JUDGING and self.tree.at(0).num_open

    cdef void judge(self) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef int arm = self.num_judged % self.sets.at(self.root_node).num_moves
        cdef double weight = self.play(arm, self.playout_rng, values, NULL, NULL)
        # As the policies keep improving, the weight of early values must fade.
        self.num_judged += 1
        if weight > 0:
            self.count(&self.judged[arm], weight * self.num_judged, values)
            add_sample(&self.samples[arm], values[self.observer])

    cdef double retrace(self, int length, bitgen_t* rng) noexcept nogil:
        """As in `SeatTreesSearcher`, but with the world as it was drawn."""
        cdef int32_t node
        cdef int i, j, seat
        for i in range(length):
            if not self.is_possible(self.past[i]):
                self.is_broken = True
                return 0
            seat = self.game.node(self.state)
            if seat >= 0 and seat != self.observer:
                node = self.sets.find(self.set_key(seat))
                j = self.sets.arm_of(node, self.past[i]) if node else -1
                self.reach[seat] *= self.sets.average(node, j) if j >= 0 else 1
            self.advance(self.past[i])
        return self.weight_of(self.observer)

    cdef double weight_of(self, int seat) noexcept nogil:
        """Probability of coming here by the others' policies, over that in simulations."""
        cdef double weight = 1
        cdef int other
        for other in range(self.num_seats):
            if other != seat:
                weight *= self.reach[other]
        return weight

    cdef void count(self, MoveCount* count, double weight, const double* values) noexcept nogil:
        add_values(count, weight, values, self.num_seats, self.observer)

    cdef void grow(self, Kind kind) noexcept nogil:
        """Go down the tree by the policies of the seats, and add a history to it."""
        cdef int32_t index = self.replay(self.begin(kind, self.world_rng))
        cdef int32_t after
        cdef int node
        cdef int plies = 0
        cdef int decisions = 0
        if index != NO_NODE and (kind == OWN or self.num_past == 0):
            self.weigh(index)
        if self.tree.at(0).num_open == 0:
            return
        if index == NO_NODE or self.tree.at(index).num_open == 0:
            self.begin(WHOLE, self.world_rng)   # there is nothing to grow below that world
            index = 0
        while True:
            node = self.game.node(self.state)
            if self.tree.at(index).num_open == UNOPENED:
                self.open(index, node)
                if index:
                    break
            if node == TERMINAL or plies == MAX_PATH or (
                    self.max_depth and decisions == self.max_depth):
                break
            after = self.descend(index, node)
            if after == NO_NODE:
                break
            index = after
            plies += 1
            decisions += node >= 0
        self.depth = max(self.depth, plies)
        if self.tree.at(index).num_open:
            self.play_on(index)

    cdef void play_on(self, int32_t index) noexcept nogil:
        """Play the game out and, if its end was near, add some histories up to the end."""
        cdef double[MAX_SEATS] values
        cdef int plies = 0
        memcpy(self.copies, self.state, self.game.state_bytes)
        if self.is_uniform:
            self.playout(values)
        else:
            plies = self.game.playout(self.state, self.playout_plies, self.playout_rng, values)
            self.check_shares(values)
        self.tree.add_playout(index, values)
        if self.max_depth or self.game.node(self.state) != TERMINAL:
            return
        if 0 < plies <= NEAR:
            memcpy(self.state, self.copies, self.game.state_bytes)
            self.room = ROOM
            self.complete(index, self.copies)

    cdef void complete(self, int32_t index, char* copy) noexcept nogil:
        """Add histories below one while there is room; `state` is there.

        The memory at `copy`, one state for each level, restores states on the way back.
        """
        cdef uint64_t[MAX_SEATS] keys
        cdef uint32_t[MOVES_ROOM] moves
        cdef int32_t after
        cdef int i
        if self.tree.at(index).num_open == UNOPENED:
            self.open(index, self.game.node(self.state))
        if self.tree.at(index).num_open <= 0:
            return
        memcpy(copy, self.state, self.game.state_bytes)
        memcpy(keys, self.keys, sizeof(keys))
        for i in range(self.list(index, moves)):
            if self.room == 0:
                return
            memcpy(self.state, copy, self.game.state_bytes)
            memcpy(self.keys, keys, sizeof(keys))
            after = self.extend(index, moves[i])
            if after == NO_NODE:
                return
            if self.tree.at(after).num_open:
                self.room -= 1
                self.advance(moves[i])
                self.complete(after, copy + self.game.state_bytes)

    cdef int list(self, int32_t index, uint32_t* moves) noexcept nogil:
        """List the moves or outcomes of a history that was opened; `state` is there."""
        cdef double[MOVES_ROOM] probabilities
        return listed(self.game, self.state, self.game.node(self.state), moves, probabilities)

    cdef void weigh(self, int32_t index) noexcept nogil:
        """Add the value of a world that is possible for the observer."""
        # As the policies keep improving, the weight of early values must fade.
        cdef double emphasis = <double>(self.simulations + 1) * (self.simulations + 1)
        if self.tree.at(index).num_open != UNOPENED:
            self.count(&self.total, emphasis * (self.weight_of(self.observer) + UNLIKELY),
                       self.tree.at(index).values)

    cdef int32_t replay(self, int length) noexcept nogil:
        """Make the moves of `past`; returns the history, or NO_NODE when the memory is full."""
        cdef int32_t index = 0
        cdef int32_t after
        cdef int seat, i
        for i in range(length):
            seat = self.game.node(self.state)
            if self.tree.at(index).num_open == UNOPENED:
                self.open(index, seat)
            after = self.extend(index, self.past[i])
            if after == NO_NODE:
                return NO_NODE
            if 0 <= seat < self.num_seats:
                self.reach[seat] *= self.sets.arm(
                    self.tree.at(index).node, self.tree.at(after).arm).current
            self.advance(self.past[i])
            index = after
        return index

    cdef int32_t extend(self, int32_t index, uint32_t move) noexcept nogil:
        """The history after a move or outcome; NO_NODE if there is no memory for it."""
        cdef History* history = self.tree.at(index)
        cdef int32_t after = self.tree.find(index, move)
        cdef int arm = -1
        cdef double probability = 1
        if after != NO_NODE:
            return after
        if history.is_chance:
            probability = self.probability_of(move)
        elif history.node:
            arm = self.sets.arm_of(history.node, move)
        elif history.num_open == UNOPENED:
            return NO_NODE
        if probability <= 0 or (arm < 0 and not history.is_chance):
            self.is_broken = True   # the game's history has an impossible move
            return NO_NODE
        return self.tree.add(index, move, arm, probability)

    cdef void open(self, int32_t index, int node) noexcept nogil:
        """Open a history; `state` is its state."""
        cdef uint32_t[MOVES_ROOM] outcomes
        cdef double[MOVES_ROOM] probabilities
        cdef History* history = self.tree.at(index)
        if node == TERMINAL:
            self.take_returns(history.values)
            self.tree.close(index)
        elif node == CHANCE:
            history.is_chance = True
            history.num_open = listed(self.game, self.state, CHANCE, outcomes, probabilities)
            if history.num_open == 0:
                self.is_broken = True
        else:
            history.node = self.decider(node)
            if history.node:
                history.num_open = self.sets.at(history.node).num_moves
                self.add_ends(index)

    cdef void add_ends(self, int32_t index) noexcept nogil:
        """Add the moves that end the game: their values are known at once."""
        cdef double[MAX_SEATS] values
        cdef int32_t node = self.tree.at(index).node
        cdef uint32_t move
        cdef int i
        for i in range(self.sets.at(node).num_moves):
            move = self.sets.arm(node, i).move
            memcpy(self.view, self.state, self.game.state_bytes)
            self.game.apply(self.view, move)
            if self.game.node(self.view) == TERMINAL:
                self.game.returns(self.view, values)
                self.check_shares(values)
                self.tree.add_end(index, move, i, values)

    cdef int32_t descend(self, int32_t index, int node) noexcept nogil:
        """Choose and apply a move or outcome; NO_NODE if there is no memory for the result."""
        cdef int32_t after
        cdef uint32_t move
        if node == CHANCE:
            move = self.draw(index)
            if move == <uint32_t>NO_MOVE:
                return NO_NODE
        elif self.tree.at(index).node:
            move = self.sets.arm(self.tree.at(index).node, self.pick(index)).move
        else:
            return NO_NODE
        after = self.extend(index, move)
        if after != NO_NODE:
            self.advance(move)
        return after

    cdef int pick(self, int32_t index) noexcept nogil:
        """Choose an arm below which the tree can grow, if possible by the policy."""
        cdef char[MAX_MOVES] is_closed
        cdef int32_t node = self.tree.at(index).node
        cdef int32_t child = self.tree.at(index).first_child
        cdef int num_moves = self.sets.at(node).num_moves
        cdef int arm = self.sets.sample(node, EXPLORED, self.selection_rng)
        cdef int num_open = 0
        cdef int i
        memset(is_closed, 0, num_moves)
        while child != NO_NODE:
            is_closed[self.tree.at(child).arm] = self.tree.at(child).num_open == 0
            child = self.tree.at(child).next_sibling
        if not is_closed[arm]:
            return arm
        for i in range(num_moves):
            if not is_closed[i]:
                num_open += 1
                if below(self.selection_rng, num_open) == 0:
                    arm = i
        return arm

    cdef uint32_t draw(self, int32_t index) noexcept nogil:
        """Draw an outcome, and another one if the tree can't grow below it."""
        cdef uint32_t outcome = 0
        cdef int32_t child
        for _ in range(MAX_DRAWS):
            outcome = self.draw_outcome(self.chance_rng)
            child = self.tree.find(index, outcome)
            if child == NO_NODE or self.tree.at(child).num_open:
                break
        return outcome

    cdef double probability_of(self, uint32_t outcome) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] outcomes
        cdef double[MOVES_ROOM] probabilities
        cdef int i
        for i in range(listed(self.game, self.state, CHANCE, outcomes, probabilities)):
            if outcomes[i] == outcome:
                return probabilities[i]
        return 0

    # --- what was found -----------------------------------------------------------------------

    cdef MoveCount* count_of(self, int arm) noexcept:
        return &self.judged[arm] if self.judged[arm].weight > 0 else &self.roots[arm]

    cdef list visits_of(self, list values):
        """The simulations, distributed over the moves by the policy, but at least one."""
        return [max(1, round(each * self.simulations)) for each in self.probabilities(values)]

    cdef list values_of_moves(self):
        """As in `SeatTreesSearcher`; in a complete tree from the tree alone.

        There the error is that of the policies, for all moves alike: the gain from the best move
        alone, and how far the values of the average policies are from those of the policies of the
        last sweep and from the average of the values; all have the same limit.
        """
        cdef MoveCount[MAX_MOVES] counts
        cdef double mean = 0
        cdef double best = 0
        cdef double moved = 0
        if self.tree.at(0).num_open or self.root_node == 0:
            return SeatTreesSearcher.values_of_moves(self)
        memset(counts, 0, sizeof(counts))
        self.tree.root_node = self.root_node
        with nogil:
            self.tree.judge(counts)
        found = []
        for i in range(self.sets.at(self.root_node).num_moves):
            shares = [counts[i].sums[seat] / counts[i].weight for seat in range(self.num_seats)]
            moved = max(moved, self.distance(&self.roots[i], shares[self.observer])
                        + self.distance(&self.tree.fresh_roots[i], shares[self.observer]))
            found.append(shares)
            mean += self.sets.average(self.root_node, i) * shares[self.observer]
            best = max(best, shares[self.observer])
        return [(shares, moved * moved + (best - mean) ** 2) for shares in found]

    cdef double distance(self, const MoveCount* count, double share) noexcept:
        """Distance of the mean of a count from a win share; 0 without values."""
        return abs(share - count.sums[self.observer] / count.weight) if count.weight > 0 else 0.0

    cdef list probabilities(self, list values):
        """As in `SeatTreesSearcher`; in a complete tree the average policy as it is.

        That is close to an equilibrium, where a move is played for its effect on the policies of
        rivals rather than for its value, which hardly differs from that of others.
        """
        if self.tree.at(0).num_open:
            return SeatTreesSearcher.probabilities(self, values)
        return [self.sets.average(self.root_node, i) for i in range(len(values))]

    @property
    def num_nodes(self) -> int:
        """Histories in the tree and information sets."""
        return self.tree.arena.used + self.sets.count

    @property
    def memory_bytes(self) -> int:
        """Bytes of the trees in use, their index included."""
        return self.tree.memory_bytes + self.sets.memory_bytes
