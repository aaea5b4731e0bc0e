"""Multiple-observer ISMCTS: PUCT in a tree for every seat (seat_trees.pyx).

Every seat maximizes its own win share; the prior of an information set is that of its first world.

Rivals must not learn from the observer's hidden cards and moves, which all worlds share that fit
its observation. So every other simulation begins at the latest state without hidden information, or
else in a world that fits public knowledge. These simulations teach all seats. The others teach only
the observer: in them rivals play their average policies, without most of the moves that were only
tried. By these policies they also choose anew the hidden moves that they have made since that
state, and a world in which they would seldom have made the moves that were seen is seldom taken.
Where no information set tells how a hidden move was chosen, the game does (`Game.likely_world`).

Values of the root count with the number of the simulation: in early ones rivals had no time to find
good answers.

The answer is the most visited move, or the average policy. Visits are close to the best policy
among those that are not far from the prior (Grill et al.).

Sources: Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search"; Sokota et
al. 2023, "The Update-Equivalence Framework for Decision-Time Planning" (worlds of public
knowledge); Grill et al. 2020, "Monte-Carlo Tree Search as Regularized Policy Optimization".
"""

from libc.math cimport sqrtf

from kingmaker.cext.game cimport (
    CHANCE, MAX_MOVES, MAX_PLAYOUT, MAX_SEATS, MOVES_ROOM, NO_MOVE, TERMINAL, Game)
from kingmaker.cext.rng cimport bitgen_t, uniform

from .infosets cimport Arm, InformationSet, add_values
from .puct cimport prior_of, puct
from .samples cimport add_sample
from .searcher cimport MAX_PATH
from .seat_trees cimport OWN, PUBLIC, WHOLE, Kind, SeatTreesSearcher


cdef enum:
    MAX_DRAWS = 16   # of a world, until one is drawn that the rivals' moves make likely


cdef class MoIsmctsSearcher(SeatTreesSearcher):
    """One multiple-observer search on one thread; `memory_bytes` bounds all its trees.

    Options besides those of `SeatTreesSearcher`: `expand`, the visits of a move before the trees
    grow after it; and `selection`, "ucb" for the best move or "auto" for a mixed policy.
    """

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        SeatTreesSearcher.__init__(
            self, game, observation, seed, options, memory_bytes, options["selection"] == "auto")
        self.expand = options["expand"]
        cdef int num_moves = self.num_root_moves()
        # The first simulation adds this information set before any other one.
        if num_moves and not self.sets.has_room(1, num_moves):
            self.refuse_memory(memory_bytes, self.sets.enough(1, num_moves))

    cdef void simulate(self) noexcept nogil:
        self.follow(self.kind_of())

    cdef Kind kind_of(self) noexcept nogil:
        if self.num_past == 0:
            return WHOLE
        if self.simulations & 1 == 0:
            return OWN if self.observer >= 0 else PUBLIC
        return PUBLIC if self.start == NULL else WHOLE

    cdef void fill_in(self, const void* observation, bitgen_t* rng) noexcept nogil:
        self.game.likely_world(observation, rng, self.state)

    cdef double retrace(self, int length, bitgen_t* rng) noexcept nogil:
        self.likelihood = 1
        if length == 0:
            return 1
        if self.worlds == NULL:
            if self.guess_past(length, rng):
                return self.likelihood
            self.restart()
        return SeatTreesSearcher.retrace(self, length, rng)

    cdef bint guess_past(self, int length, bitgen_t* rng) noexcept nogil:
        cdef int seat, i
        cdef uint32_t move
        for i in range(length):
            seat = self.game.node(self.state)
            if not self.is_possible(self.past[i]):
                return False
            move = self.past[i]
            if 0 <= seat < self.num_seats and seat != self.observer:
                move = self.guess(seat, move, rng)
            self.advance(move)
        return self.observer < 0 or self.set_key(self.observer) == self.root_key

    cdef uint32_t guess(self, int seat, uint32_t move, bitgen_t* rng) noexcept nogil:
        cdef uint32_t seen = self.game.seen_move(self.state, move, self.observer)
        cdef int32_t node = self.sets.find(self.set_key(seat))
        cdef double[MAX_MOVES] visits
        cdef double alike = 0
        cdef int i
        if node == 0 or self.sets.at(node).visits == 0:
            return move
        for i in range(self.sets.at(node).num_moves):
            visits[i] = self.sets.arm(node, i).policy if self.looks_like(node, i, seen) else 0
            alike += visits[i]
        self.likelihood *= alike / self.sets.at(node).visits
        i = sharply_drawn(visits, self.sets.at(node).num_moves, rng)
        return self.sets.arm(node, i).move if i >= 0 else move

    cdef bint looks_like(self, int32_t node, int i, uint32_t seen) noexcept nogil:
        return self.game.seen_move(
            self.state, self.sets.arm(node, i).move, self.observer) == seen

    cdef void set_priors(self, int32_t node, int seat) noexcept nogil:
        """Let an information set begin with the priors of its moves or draws of the playout policy.

        Without either the trees of rivals, and of later decisions, would begin with uniform play,
        and spoil the values above.
        """
        cdef uint32_t[MOVES_ROOM] moves
        cdef double[MOVES_ROOM] weights
        cdef int num_moves = self.sets.at(node).num_moves
        cdef double total = 0
        cdef int i
        if self.temperature == 0 and not self.weighs_by_policy:
            if not self.is_uniform:
                self.sets.anchor(node, self.game, self.state, self.playout_rng)
            return
        for i in range(num_moves):
            moves[i] = self.sets.arm(node, i).move
        self.weigh_priors(moves, num_moves, seat, weights)
        for i in range(num_moves):
            total += weights[i]
        for i in range(num_moves):
            self.sets.arm(node, i).current = weights[i] / total

    # --- learning along one path at a time ----------------------------------------------------

    cdef void follow(self, Kind kind) noexcept nogil:
        """Go down the trees by the policies of the seats, and learn on the way back."""
        cdef double[MAX_SEATS] values
        cdef uint32_t outcome
        cdef int length = 0
        cdef int drawn = 0
        cdef int node, i
        cdef bint is_leaf = False
        cdef bint is_past = False   # whether the path has come to the observer's decision
        cdef bint is_own
        cdef int max_depth = MAX_PATH
        cdef int past
        for _ in range(MAX_DRAWS):
            past = self.begin(kind, self.world_rng)
            if uniform(self.world_rng) < self.retrace(past, self.world_rng):
                break
        if self.max_depth:
            max_depth = min(MAX_PATH, self.max_depth + (self.num_past if kind == WHOLE else 0))
        while not self.is_broken:
            node = self.game.node(self.state)
            if node == TERMINAL:
                self.take_returns(values)
                break
            if is_leaf or length == max_depth:
                self.playout(values)
                break
            if node == CHANCE:
                outcome = self.draw_outcome(self.chance_rng)
                drawn += 1
                if outcome == <uint32_t>NO_MOVE or drawn == MAX_PLAYOUT:
                    self.is_broken = True
                    return
                self.advance(outcome)
                continue
            if kind == OWN and node != self.observer:
                is_leaf = not self.answer(node)
            elif self.decide(node, &self.path[length], &is_leaf):
                length += 1
            else:
                is_leaf = True
        if self.is_broken:
            return
        self.depth = max(self.depth, length)
        is_own = self.num_past == 0 or kind == (OWN if self.observer >= 0 else PUBLIC)
        for i in range(length):
            is_past = is_past or self.path[i].node == self.root_node
            # The observer may believe in other worlds than those from which its rivals learn.
            if is_past and self.worlds != NULL and not is_own and (
                    self.sets.at(self.path[i].node).seat == self.observer):
                continue
            self.learn(&self.path[i], values)
            if is_own and self.path[i].node == self.root_node:
                self.count_root(self.path[i].arm, values)
        if is_own:
            add_values(
                &self.total, self.simulations + 1, values, self.num_seats, self.observer)

    cdef bint answer(self, int seat) noexcept nogil:
        """Let a rival move by its average policy; False if it has none yet."""
        cdef double[MAX_MOVES] visits
        cdef int32_t node
        cdef int i
        if not 0 <= seat < self.num_seats:
            self.is_broken = True
            return False
        node = self.sets.find(self.set_key(seat))
        if node == 0 or self.sets.at(node).visits == 0:
            return False
        for i in range(self.sets.at(node).num_moves):
            visits[i] = self.sets.arm(node, i).policy
        i = sharply_drawn(visits, self.sets.at(node).num_moves, self.selection_rng)
        if i < 0:
            return False
        self.advance(self.sets.arm(node, i).move)
        return True

    cdef bint decide(self, int seat, Step* step, bint* is_leaf) noexcept nogil:
        """Choose and make a move of a seat; False if there is no memory for the decision."""
        cdef int32_t node = self.decider(seat)
        if node == 0:
            return False
        step.node = node
        step.arm = self.best(node, seat)
        is_leaf[0] = self.sets.at(node).visits == 0 or (
            self.sets.arm(node, step.arm).visits < self.expand - 1)
        self.advance(self.sets.arm(node, step.arm).move)
        return True

    cdef int best(self, int32_t node, int seat) noexcept nogil:
        """The arm with the best score; see puct.pxd."""
        cdef int num_moves = self.sets.at(node).num_moves
        cdef float scale = self.exploration * sqrtf(self.sets.at(node).visits + 1)
        cdef float mean = self.sets.mean_of(node, seat)
        cdef float score
        cdef float best_score = -1
        cdef int found = 0
        cdef int i
        cdef Arm* arm
        for i in range(num_moves):
            arm = self.sets.arm(node, i)
            score = puct(
                <float>arm.means[seat] if arm.visits else mean, arm.visits,
                scale * prior_of(<float>arm.current, 1, num_moves))
            if score > best_score:
                best_score = score
                found = i
        return found

    cdef void learn(self, const Step* step, const double* values) noexcept nogil:
        """Count the values after the move of an information set."""
        cdef InformationSet* here = self.sets.at(step.node)
        cdef Arm* taken = self.sets.arm(step.node, step.arm)
        cdef int seat
        here.visits += 1
        taken.visits += 1
        taken.policy += 1
        for seat in range(self.num_seats):
            taken.means[seat] += (values[seat] - taken.means[seat]) / taken.visits

    cdef void count_root(self, int arm, const double* values) noexcept nogil:
        add_values(
            &self.roots[arm], self.simulations + 1, values, self.num_seats, self.observer)
        add_sample(&self.samples[arm], values[self.observer])


cdef inline int sharply_drawn(const double* visits, int number, bitgen_t* rng) noexcept nogil:
    """Draw an index in proportion to the squares of visits; -1 if there are none.

    The squares leave most of the moves out that were only tried.
    """
    cdef double total = 0
    cdef int found = -1
    cdef int i
    for i in range(number):
        total += visits[i] * visits[i]
    total *= uniform(rng)
    for i in range(number):
        if visits[i] > 0:
            found = i
            total -= visits[i] * visits[i]
            if total < 0:
                break
    return found
