"""MCTS: PUCT with chance nodes, any number of seats (max^n) and proven results.

Each seat maximizes its own win share. A node with a proven value is exact: ends of the game; a
decision whose mover has a child that is a certain win, or whose children are all exact; a chance
node whose children are all exact. Exact children aren't searched again: where a mover prefers one,
the simulation enters the best of the others, to check whether it is better still, and the proven
value is backed up. A search of all moves goes on in the same way below a proven root.

Moves rank by their visits and the means of their simulations. But these tried bad replies to find
the good ones, and the first ones knew nothing of them: that promises each seat too much of the
moves that it chooses. So what is told of a move is the mean over the tree in which each choice
weighs as the square of its visits, and an outcome as its probability; and it moves by what the
later half of the simulations differ.

Sources: Kocsis and Szepesvari 2006, "Bandit Based Monte-Carlo Planning"; Sturtevant 2008, "An
Analysis of UCT in Multi-Player Games"; Winands et al. 2008, "Monte-Carlo Tree Search Solver"; for
the selection see puct.pxd.
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport INFINITY, sqrtf

from kingmaker.cext.game cimport CHANCE, MAX_SEATS, MOVES_ROOM, TERMINAL, Game, listed
from kingmaker.cext.rng cimport below

from .puct cimport prior_of, puct
from .samples cimport (
    DRIFT_TO_COME, LEAST_VARIANCE_OF_REPLIES, Samples, add_sample, late_shift, variance_of)
from .searcher cimport MAX_PATH, NO_NODE, Arena, Searcher


cdef enum:
    MIN_LINE_VISITS = 4   # fewest visits of a node in a line
    SETTLED_VISITS = 16   # with fewer the mean of the simulations is taken


cdef class MctsSearcher(Searcher):
    """One MCTS on one thread; `memory_bytes` bounds its tree. See `Searcher`."""

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        Searcher.__init__(self, game, observation, seed, options)
        self.arena = Arena(
            sizeof(Node) + (self.num_seats - 1) * sizeof(double), memory_bytes)
        self.owned_samples = bytearray(game.max_moves * sizeof(Samples))
        self.samples = <Samples*>PyByteArray_AS_STRING(self.owned_samples)
        num_nodes = 1 + self.num_root_moves()
        if self.arena.capacity < num_nodes:
            self.refuse_memory(memory_bytes, num_nodes * self.arena.stride)
        self.clear(self.at(self.arena.allocate(1)), 0, 1.0)

    cdef Node* at(self, int32_t index) noexcept nogil:
        return <Node*>(self.arena.base + index * self.arena.stride)

    cdef void clear(self, Node* node, uint32_t move, double probability) noexcept nogil:
        cdef int seat
        node.move = move
        node.first_child = NO_NODE
        node.num_children = 0
        node.decider = TERMINAL
        node.is_exact = False
        node.visits = 0
        node.prior = 0
        node.probability = probability
        for seat in range(self.num_seats):
            node.sums[seat] = 0

    cdef void simulate(self) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef int32_t index = 0
        cdef int length = 0
        cdef Node* node
        cdef int decider, seat
        self.game.determinize(self.root, self.world_rng, self.state)
        while True:
            node = self.at(index)
            self.path[length] = index
            length += 1
            # A proven root is searched on for its other moves, if they are wanted.
            if node.is_exact and length > 1:
                for seat in range(self.num_seats):
                    values[seat] = node.sums[seat]
                break
            if node.visits == 0:
                decider = self.game.node(self.state)
                if not TERMINAL <= decider < self.num_seats:
                    self.is_broken = True
                node.decider = decider
                if decider == TERMINAL:
                    self.take_returns(values)
                    for seat in range(self.num_seats):
                        node.sums[seat] = values[seat]
                    node.is_exact = True
                    self.prove(length)
                    break
                if length > 1:
                    self.playout(values)
                    break
            if length == MAX_PATH or (
                    node.first_child == NO_NODE and not self.expand(node)):
                self.playout(values)
                break
            index = self.select(node, &self.preferred[length])
            self.game.apply(self.state, self.at(index).move)
        if length > self.depth + 1:
            self.depth = length - 1
        self.back_up(length, values)

    cdef bint expand(self, Node* node) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] moves
        cdef double[MOVES_ROOM] weights     # of draws: their probabilities
        cdef int num_moves = listed(self.game, self.state, node.decider, moves, weights)
        cdef int start = 0
        cdef float total = 0
        cdef int i
        cdef Node* child
        if num_moves == 0:
            self.is_broken = True
            return False
        if node.decider != CHANCE:
            # First tries begin at a random move, so that moves listed early are not favoured.
            start = below(self.selection_rng, num_moves)
            self.weigh_priors(moves, num_moves, node.decider, weights)
        cdef int32_t first = self.arena.allocate(num_moves)
        if first == NO_NODE:
            return False
        for i in range(num_moves):
            child = self.at(first + i)
            self.clear(child, moves[start], weights[start] if node.decider == CHANCE else 1.0)
            if node.decider != CHANCE:
                child.prior = <float>weights[start]
                total += child.prior
            start += 1
            if start == num_moves:
                start = 0
        for i in range(num_moves if node.decider != CHANCE else 0):
            child = self.at(first + i)
            child.prior = prior_of(child.prior, total, num_moves)
        node.num_children = num_moves
        node.first_child = first
        return True

    cdef int32_t select(self, Node* parent, int32_t* preferred) noexcept nogil:
        cdef int32_t first = parent.first_child
        cdef int32_t i
        cdef int32_t best = first
        cdef int32_t best_exact = NO_NODE
        cdef float best_score = -1.0
        cdef float best_exact_score = -1.0
        cdef float score, scale, mean
        cdef int seat = parent.decider
        cdef Node* child
        cdef uint32_t outcome
        preferred[0] = NO_NODE
        if seat == CHANCE:
            outcome = self.game.sample_outcome(self.state, self.chance_rng)
            for i in range(first, first + parent.num_children):
                if self.at(i).move == outcome:
                    return i
            self.is_broken = True   # it is none of those listed
            return first
        scale = self.exploration * sqrtf(parent.visits)
        # An untried move is as good as its parent.
        mean = <float>parent.sums[seat] / (1 if parent.is_exact else max(parent.visits, 1))
        child = self.at(first)
        for i in range(first, first + parent.num_children):
            if child.is_exact:
                if child.sums[seat] > best_exact_score:
                    best_exact_score = child.sums[seat]
                    best_exact = i
            else:
                score = puct(
                    <float>(child.sums[seat] / child.visits) if child.visits else mean,
                    child.visits, scale * child.prior)
                if score > best_score:
                    best_score = score
                    best = i
            child = <Node*>(<char*>child + self.arena.stride)
        if best_exact_score > best_score:
            preferred[0] = best_exact
        return best

    cdef void back_up(self, int length, const double* leaf) noexcept nogil:
        cdef int i, seat
        cdef Node* node
        cdef Node* preferred
        cdef const double* values = leaf
        for i in range(length - 1, -1, -1):
            node = self.at(self.path[i])
            node.visits += 1
            if not node.is_exact:
                for seat in range(self.num_seats):
                    node.sums[seat] += values[seat]
            if i == 1 and self.at(0).decider >= 0:
                add_sample(&self.samples[self.path[1] - self.at(0).first_child],
                           values[self.at(0).decider])
            if i and self.preferred[i] != NO_NODE:
                # The mover would have chosen the proven move, so its value is backed up.
                preferred = self.at(self.preferred[i])
                preferred.visits += 1
                values = preferred.sums

    cdef void prove(self, int length) noexcept nogil:
        cdef int i = length - 2
        while i >= 0 and self.prove_node(self.at(self.path[i])):
            i -= 1
        self.is_solved = self.at(0).is_exact and not (
            self.wants_all and self.is_some_move_open(self.at(0)))

    cdef bint is_some_move_open(self, const Node* root) noexcept nogil:
        """Whether some move of the observer at the root has no proven value."""
        cdef int32_t i
        if root.decider != self.observer:
            return False
        for i in range(root.first_child, root.first_child + root.num_children):
            if not self.at(i).is_exact:
                return True
        return False

    cdef bint prove_node(self, Node* node) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef int seat = node.decider
        cdef int32_t i
        cdef int other
        cdef bint all_exact = True
        cdef Node* child
        cdef Node* best = NULL
        for other in range(self.num_seats):
            values[other] = 0
        for i in range(node.first_child, node.first_child + node.num_children):
            child = self.at(i)
            if not child.is_exact:
                all_exact = False
                if seat == CHANCE:
                    return False
            elif seat == CHANCE:
                for other in range(self.num_seats):
                    values[other] += child.probability * child.sums[other]
            elif best == NULL or child.sums[seat] > best.sums[seat]:
                best = child
        if seat != CHANCE:
            # No win share is above 1, so after a certain win the other moves don't matter.
            if best == NULL or not (all_exact or best.sums[seat] >= 1.0):
                return False
            for other in range(self.num_seats):
                values[other] = best.sums[other]
        for other in range(self.num_seats):
            node.sums[other] = values[other]
        node.is_exact = True
        return True

    # --- what was found -----------------------------------------------------------------------

    @property
    def num_nodes(self) -> int:
        """Nodes in use."""
        return self.arena.used

    @property
    def memory_bytes(self) -> int:
        """Bytes of the tree in use."""
        return self.arena.used * self.arena.stride

    def root_values(self) -> tuple:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""
        return self.statistics(0)

    def root_moves(self) -> list:
        """Return (move, visits, summed win shares, squared error of the mover, is_exact, line)."""
        cdef Node* root = self.at(0)
        found = []
        for i in range(root.num_children if root.decider >= 0 else 0):
            index = root.first_child + i
            node = self.at(index)
            scale = node.visits if node.is_exact else 1
            found.append((
                node.move, node.visits, [node.sums[seat] * scale for seat in range(self.num_seats)],
                variance_of(&self.samples[i], LEAST_VARIANCE_OF_REPLIES), bool(node.is_exact),
                self.line(index)))
        return found

    def told_moves(self) -> dict:
        """Return move -> (visits, summed win shares, squared errors besides); see searcher.pyi."""
        cdef Node* root = self.at(0)
        found = {}
        for i in range(root.num_children if root.decider >= 0 else 0):
            node = self.at(root.first_child + i)
            if node.visits and not node.is_exact:
                visits, sums, _ = self.statistics(root.first_child + i)
                error = self.add_shift(sums, visits, i, root.decider)
                found[node.move] = (visits, sums, error, 0.0)
        return found

    cdef double add_shift(self, list sums, double visits, int32_t child, int seat):
        """Move the values of a root move to those of later simulations; return a squared error.

        That is the distance from the mean of all simulations: it will go on, if more slowly.
        """
        cdef double share = sums[seat] / visits
        cdef double later = share + late_shift(&self.samples[child])
        cdef double mean = self.samples[child].sum / max(self.samples[child].count, 1)
        later = min(1.0, max(0.0, later))
        cdef double rest = (1 - later) / (1 - share) if share < 1 else 1
        for other in range(self.num_seats):
            sums[other] = later * visits if other == seat else sums[other] * rest
        if share >= 1 > later:      # the others had nothing to share out
            for other in range(self.num_seats):
                if other != seat:
                    sums[other] = (1 - later) * visits / (self.num_seats - 1)
        return DRIFT_TO_COME * (later - mean) * (later - mean)

    cdef tuple statistics(self, int32_t index):
        cdef double[MAX_SEATS] values
        cdef Node* node = self.at(index)
        with nogil:
            self.settle(node, values)
        return (node.visits, [values[seat] * node.visits for seat in range(self.num_seats)],
                bool(node.is_exact))

    cdef void settle(self, const Node* node, double* values) noexcept nogil:
        cdef double[MAX_SEATS] found
        cdef double weight
        cdef double total = 0
        cdef int seat
        cdef int32_t i
        cdef const Node* child
        if node.is_exact or node.visits < SETTLED_VISITS or node.first_child == NO_NODE:
            for seat in range(self.num_seats):
                values[seat] = node.sums[seat] / (1 if node.is_exact else max(node.visits, 1))
            return
        for seat in range(self.num_seats):
            values[seat] = 0
        for i in range(node.first_child, node.first_child + node.num_children):
            child = self.at(i)
            if child.visits == 0:
                continue
            weight = child.probability if node.decider == CHANCE else (
                <double>child.visits * child.visits)
            self.settle(child, found)
            total += weight
            for seat in range(self.num_seats):
                values[seat] += weight * found[seat]
        for seat in range(self.num_seats):
            values[seat] /= total

    cdef list line(self, int32_t index):
        """Follow the best moves from a child of the root, up to where chance decides."""
        cdef list moves = [self.at(index).move]
        cdef int32_t best
        while True:
            node = self.at(index)
            if node.first_child == NO_NODE or node.decider == CHANCE:
                return moves
            best = self.best_child(index)
            if self.at(best).visits < MIN_LINE_VISITS and not self.at(best).is_exact:
                return moves
            moves.append(self.at(best).move)
            index = best

    cdef int32_t best_child(self, int32_t index) noexcept:
        """The most visited child; in a proven node the best proven child, if it gave the proof."""
        cdef Node* node = self.at(index)
        cdef int32_t best = node.first_child
        cdef int32_t i
        for i in range(node.first_child, node.first_child + node.num_children):
            child = self.at(i)
            if node.is_exact and child.is_exact and child.sums[node.decider] == node.sums[
                    node.decider]:
                return i
            if child.visits > self.at(best).visits:
                best = i
        return best

    def replies(self) -> dict:
        """Gather the visited replies of rivals to each root move.

        Returns:
            move -> {(seat from 0, their move): [visits, summed win share of the observer, visits
            again, without limit if proven]}. The key (-1, 0) counts all of these visits.
        """
        root = self.at(0)
        found = {}
        if self.observer < 0 or root.decider != self.observer:
            return found
        for child in range(root.first_child, root.first_child + root.num_children):
            node = self.at(child)
            if node.first_child == NO_NODE or node.decider < 0 or node.decider == self.observer:
                continue
            # Not the node's visits: a proven reply counts beside the one that was explored.
            total = 0
            replies = found[node.move] = {}
            for index in range(node.first_child, node.first_child + node.num_children):
                visits, sums, is_exact = self.statistics(index)
                total += visits
                if visits:
                    replies[node.decider, self.at(index).move] = [
                        visits, sums[self.observer], INFINITY if is_exact else visits]
            replies[-1, 0] = [total, 0.0, total]
        return found
