"""Multiple-observer ISMCTS that mixes: a tree for every seat, regret matching, weighted worlds.

The tree of a seat branches by what that seat has seen since the root (`Game.seen_move`) and sees
now (`Game.observe`), so a seat has the same policy in all worlds that it can't tell apart, and
answers hidden moves of rivals without knowing them. Only decisions are stored: one information set
each, found by a hash of both.

Where good play must be unpredictable no single move is best. There each information set plays by
regret matching, and the average of its policies is the answer. With `selection=ucb` every seat
maximizes its own win share by PUCT instead (puct.pxd), and the answer is the most visited move; the
prior of an information set is that of its first world.

Half of the simulations begin in a world that fits public knowledge, and update all seats; the
others in a world that fits what the observer knows, and update only the observer, so that the
rivals' policies don't depend on its hand. The values of moves that were not tried are taken from
their means. For games with `Game.history` growing_tree.pyx is better.

What regret is minimized on is no estimate of a move's value: every seat chooses among few lucky
playouts, and rarely played moves look better than they are, for rivals had no time to answer them.
So half of the simulations also play a game from a root move in which all seats follow the average
policies, with fresh playouts. The values of moves are the means of these games. A move that is
worse than another one by more than the errors of both is not played, unless the tree is complete.
A new information set begins with the playout policy if there is an anchor.

Source: Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search" (a tree for
each observer).
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.math cimport sqrt, sqrtf
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport (
    CHANCE, MAX_SEATS, MOVES_ROOM, NO_MOVE, SPECTATOR, TERMINAL, Game, listed)
from kingmaker.cext.rng cimport stream_of

from numpy.random import SFC64

from kingmaker.cext.game import contract_error

from .infosets cimport (
    Arm, InformationSet, InformationSets, MoveCount, add_values, mixed, variance_of_count)
from .puct cimport prior_of, puct
from .samples cimport add_sample, squared_drift
from .searcher cimport MAX_PATH, Searcher


cdef double EXPLORED = 0.3
cdef double FADING = 100     # simulations from which on the anchor weighs less
cdef double BEYOND = 1.96    # standard errors that a move may be worse than another and be played


cdef enum:
    JUDGING = 4          # bit of the number of a simulation that also plays a game for the values
    REPLY_GAMES = 1024   # played at most for the replies to all moves
    MAX_REPLIES = 256    # different ones to a move that are counted


cdef class MoIsmctsSearcher(Searcher):
    """One multiple-observer search on one thread; `memory_bytes` bounds all its trees.

    Options besides those of `Searcher`: `selection` ("regret" or "ucb") and `max_depth`, the number
    of decisions in the trees, 0 for no limit.
    """

    def __init__(self, Game game, bytes observation, seed, dict options, size_t memory_bytes):
        Searcher.__init__(self, game, observation, seed, options)
        self.max_depth = options["max_depth"]
        self.is_regret = options["selection"] == "regret"
        self.reply_seed = seed.generate_state(1)[0]
        self.owned_view = bytearray(game.state_bytes)
        self.view = PyByteArray_AS_STRING(self.owned_view)
        self.owned_roots = bytearray(game.max_moves * sizeof(MoveCount))
        self.roots = <MoveCount*>PyByteArray_AS_STRING(self.owned_roots)
        self.sets = InformationSets(self.num_seats, memory_bytes)
        self.anchor = options["anchor"] if self.is_regret and not self.is_uniform else 0
        self.fade_anchor()
        self.find_root()

    cdef find_root(self):
        """Find the key of the observer's information set."""
        cdef int i
        for i in range(self.begin(OWN, self.world_rng)):
            if not self.is_possible(self.past[i]):
                raise contract_error(self.game, "it tells of what can't have happened")
            self.advance(self.past[i])
        if self.observer >= 0:
            self.root_key = self.set_key(self.observer)

    cdef void fade_anchor(self) noexcept nogil:
        # For two seats regret matching converges to an equilibrium, so only the error of the values
        # counts, which falls with the root of the simulations. With more seats that is not certain.
        self.sets.anchor_weight = self.anchor
        if self.num_seats == 2:
            self.sets.anchor_weight *= sqrt(FADING / (FADING + <double>self.simulations))

    cdef void simulate(self) noexcept nogil:
        self.fade_anchor()
        if self.is_judging():
            self.judge()
        self.follow(self.kind_of())

    cdef bint is_judging(self) noexcept nogil:
        return self.is_regret and self.root_node and self.simulations & JUDGING

    cdef void judge(self) noexcept nogil:
        cdef double[MAX_SEATS] values
        cdef int arm = self.num_judged % self.sets.at(self.root_node).num_moves
        cdef double weight = self.play(arm, self.playout_rng, values, NULL, NULL)
        # As the policies keep improving, the weight of early values must fade.
        self.num_judged += 1
        if weight > 0:
            self.count(&self.judged[arm], weight * self.num_judged, values)
            add_sample(&self.samples[arm], values[self.observer])

    cdef Kind kind_of(self) noexcept nogil:
        return PUBLIC if self.is_regret and self.simulations & 1 else OWN

    cdef int begin(self, Kind kind, bitgen_t* rng) noexcept nogil:
        cdef int seat
        self.draw_world(kind, rng)
        for seat in range(self.num_seats):
            self.look(seat)
            self.keys[seat] = self.hash_view()
            self.reach[seat] = 1
        return 0

    cdef bint is_possible(self, uint32_t move) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] moves
        cdef double[MOVES_ROOM] probabilities
        cdef int node = self.game.node(self.state)
        cdef int i
        for i in range(listed(self.game, self.state, node, moves, probabilities)):
            if moves[i] == move:
                return True
        return False

    cdef void draw_world(self, Kind kind, bitgen_t* rng) noexcept nogil:
        self.determinize(rng)
        if kind == PUBLIC:
            self.look(SPECTATOR)
            self.game.determinize(self.view, rng, self.state)

    cdef void look(self, int seat) noexcept nogil:
        memset(self.view, 0, self.game.state_bytes)
        self.game.observe(self.state, seat, self.view)

    cdef uint64_t hash_view(self) noexcept nogil:
        cdef uint64_t key = 0
        cdef uint64_t word = 0
        cdef size_t i = 0
        while i + sizeof(word) <= self.game.state_bytes:
            memcpy(&word, <char*>self.view + i, sizeof(word))
            key = mixed(key, word)
            i += sizeof(word)
        word = 0
        memcpy(&word, <char*>self.view + i, self.game.state_bytes - i)
        return mixed(key, word)

    cdef uint64_t set_key(self, int seat) noexcept nogil:
        """The key of the information set in which a seat decides: what it saw, and what it sees.

        A move can reveal what is hidden: the last choice of a group shows those of the others.
        """
        self.look(seat)
        return mixed(mixed(self.keys[seat], seat + 1), self.hash_view())

    cdef void advance(self, uint32_t move) noexcept nogil:
        cdef int seat
        for seat in range(self.num_seats):
            self.keys[seat] = mixed(
                self.keys[seat], self.game.seen_move(self.state, move, seat))
        self.game.apply(self.state, move)

    cdef int32_t decider(self, int seat) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] moves
        cdef uint64_t key
        cdef int32_t node
        cdef int num_moves
        if not 0 <= seat < self.num_seats:
            self.is_broken = True
            return 0
        key = self.set_key(seat)
        node = self.sets.find(key)
        if node:
            return node
        num_moves = listed(self.game, self.state, seat, moves, NULL)
        if num_moves == 0:
            self.is_broken = True
            return 0
        node = self.sets.add(key, seat, moves, num_moves)
        if node and self.is_regret:
            if self.sets.anchor_weight:
                self.sets.anchor(node, self.game, self.state, self.playout_rng)
        elif node:
            self.set_priors(node, seat)
        if key == self.root_key and seat == self.observer:
            self.root_node = node
        return node

    cdef void set_priors(self, int32_t node, int seat) noexcept nogil:
        """Let an information set begin with the evaluation after each move or the playout policy.

        Without either the trees of rivals, and of later decisions, would begin with uniform play,
        and spoil the values above.
        """
        cdef int num_moves = self.sets.at(node).num_moves
        cdef double total = 0
        cdef float value
        cdef int i
        cdef Arm* arm
        if self.temperature == 0:
            if not self.is_uniform:
                self.sets.anchor(node, self.game, self.state, self.playout_rng)
            return
        for i in range(num_moves):
            arm = self.sets.arm(node, i)
            value = 0
            arm.current = self.weigh_prior(arm.move, seat, False, &value, 1)
            total += arm.current
        for i in range(num_moves):
            self.sets.arm(node, i).current /= total

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

    # --- learning along one path at a time ----------------------------------------------------

    cdef void follow(self, Kind kind) noexcept nogil:
        """Go down the trees by the policies of the seats, and learn on the way back."""
        cdef double[MAX_SEATS] values
        cdef uint32_t outcome
        cdef int length = 0
        cdef int node, i
        cdef bint is_new = False
        self.begin(kind, self.world_rng)
        while True:
            node = self.game.node(self.state)
            if node == TERMINAL:
                self.take_returns(values)
                break
            if is_new or length == MAX_PATH or (self.max_depth and length == self.max_depth):
                self.playout(values)
                break
            if node == CHANCE:
                outcome = self.draw_outcome(self.chance_rng)
                if outcome == <uint32_t>NO_MOVE:
                    self.playout(values)
                    break
                self.advance(outcome)
                continue
            if not self.decide(node, kind, &self.path[length], &is_new):
                self.playout(values)
                break
            length += 1
        self.depth = max(self.depth, length)
        for i in range(length - 1, -1, -1):
            self.learn(&self.path[i], kind, values)
        if kind == OWN:
            self.count(&self.total, 1, values)

    cdef bint decide(self, int seat, Kind kind, Step* step, bint* is_new) noexcept nogil:
        """Choose and make a move of a seat; False if there is no memory for the decision."""
        cdef int32_t node = self.decider(seat)
        cdef double explored, probability
        if node == 0:
            return False
        is_new[0] = self.sets.at(node).visits == 0
        step.node = node
        step.weight = self.weight_of(seat)
        if self.is_regret:
            # Rivals are not updated in the worlds of the observer, so they need no exploration.
            explored = EXPLORED if kind != OWN or seat == self.observer else 0
            step.arm = self.sets.sample(node, explored, self.selection_rng)
            probability = explored / self.sets.at(node).num_moves + (
                (1 - explored) * self.sets.arm(node, step.arm).current)
            self.reach[seat] *= self.sets.arm(node, step.arm).current / probability
        else:
            step.arm = self.best(node, seat)
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

    cdef void learn(self, const Step* step, Kind kind, double* values) noexcept nogil:
        """Adapt an information set to the values after its move; writes those before it."""
        cdef InformationSet* here = self.sets.at(step.node)
        cdef Arm* taken = self.sets.arm(step.node, step.arm)
        cdef int seat
        if step.node == self.root_node and kind == OWN:
            self.count(&self.roots[step.arm], step.weight, values)
        if not self.is_regret:
            here.visits += 1
            taken.visits += 1
            taken.policy += 1
            for seat in range(self.num_seats):
                taken.means[seat] += (values[seat] - taken.means[seat]) / taken.visits
        elif kind != OWN or here.seat == self.observer:
            here.visits += 1
            taken.visits += 1
            self.sets.blend(taken, step.weight, values)
            self.learn_regret(step, values)

    cdef void learn_regret(self, const Step* step, double* values) noexcept nogil:
        cdef double[MAX_SEATS] before
        cdef InformationSet* here = self.sets.at(step.node)
        cdef Arm* arm
        cdef double mean, value
        cdef int i, seat
        for seat in range(self.num_seats):
            before[seat] = 0
        for i in range(here.num_moves):
            arm = self.sets.arm(step.node, i)
            self.after[i] = &arm.means[0] if arm.weight > 0 and i != step.arm else &values[0]
            for seat in range(self.num_seats):
                before[seat] += arm.current * self.after[i][seat]
        mean = before[here.seat] + self.sets.mean_pull(step.node)
        for i in range(here.num_moves):
            arm = self.sets.arm(step.node, i)
            value = self.after[i][here.seat]
            if self.sets.anchor_weight:
                value += self.sets.pull(arm)
            arm.fresh += step.weight * (value - mean)
            arm.policy += here.visits * arm.current
        self.sets.settle(step.node)
        for seat in range(self.num_seats):
            values[seat] = before[seat]

    # --- what was found -----------------------------------------------------------------------

    @property
    def num_nodes(self) -> int:
        """Information sets in the trees."""
        return self.sets.count

    @property
    def memory_bytes(self) -> int:
        """Bytes of the trees in use, their index included."""
        return self.sets.memory_bytes

    def root_policy(self) -> dict | None:
        """Return move -> probability at the observer's decision; None if the search doesn't mix.

        It is the average policy, without the moves that are worse than another one by more than
        the errors of their values. Empty before the search has come to that decision.
        """
        if not self.is_regret:
            return None
        probabilities = self.probabilities(self.values_of_moves())
        return {self.sets.arm(self.root_node, i).move: probabilities[i]
                for i in range(len(probabilities))}

    cdef list values_of_moves(self):
        """Each root move's win shares and squared error of the observer's one; None if unknown."""
        cdef MoveCount* count
        found = []
        for i in range(self.sets.at(self.root_node).num_moves if self.root_node else 0):
            count = &self.judged[i] if self.judged[i].weight > 0 else &self.roots[i]
            if count.weight <= 0:
                found.append(None)
                continue
            shares = [count.sums[seat] / count.weight for seat in range(self.num_seats)]
            variance = variance_of_count(count, self.observer)
            found.append((shares, variance + squared_drift(&self.samples[i], variance)))
        return found

    cdef list probabilities(self, list values):
        """Probability of each root move; `values` are those of `values_of_moves`."""
        averages = [self.sets.average(self.root_node, i) for i in range(len(values))]
        known = [(shares[self.observer], variance) for shares, variance in filter(None, values)]
        kept = [
            average if each is not None and all([
                other - each[0][self.observer] <= BEYOND * sqrt(each[1] + variance)
                for other, variance in known]) else 0.0
            for average, each in zip(averages, values)]
        total = sum(kept)
        return [each / total for each in kept] if total > 0 else averages

    def root_values(self) -> tuple:
        """Return (visits, summed win shares of each seat, is_exact) of the root."""
        visits = int(self.simulations) if self.total.weight > 0 else 0
        scale = visits / self.total.weight if visits else 0.0
        return (visits, [self.total.sums[seat] * scale for seat in range(self.num_seats)], False)

    def root_moves(self) -> list:
        """Return (move, visits, summed win shares, squared error of the mover, is_exact, line).

        Where the search mixes, the simulations are distributed over the moves by the policy, one
        at least to each move with a value.
        """
        values = self.values_of_moves()
        visits = self.visits_of(values)
        found = []
        for i in range(len(values)):
            if values[i] is not None:
                shares, variance = values[i]
                move = self.sets.arm(self.root_node, i).move
                found.append((
                    move, visits[i], [share * visits[i] for share in shares], variance, False,
                    [move]))
        return found

    cdef list visits_of(self, list values):
        """Visits of each move of the observer's decision."""
        if not self.is_regret:
            return [self.sets.arm(self.root_node, i).visits for i in range(len(values))]
        return [max(1, round(each * self.simulations)) for each in self.probabilities(values)]

    def replies(self) -> dict:
        """Play games by the average policies, and count the replies of others.

        Returns:
            move -> {(seat from 0, their move): [visits, summed win share of the observer]}, from
            the move to the observer's next decision; the visits of the move are distributed over
            the games. The key (-1, 0) counts those with a reply.

        Raises:
            RuntimeError: the game broke the engine contract.
        """
        cdef ReplyCount[MAX_REPLIES] counts
        cdef double[MAX_SEATS] values
        cdef double weight
        cdef bitgen_t* rng
        cdef int i, j, num_counts
        found = {}
        if not self.root_node:
            return found
        stream = SFC64(self.reply_seed)
        rng = stream_of(stream)
        cdef int num_moves = self.sets.at(self.root_node).num_moves
        # A short search has no time for more games than it has simulated.
        cdef int num_games = max(1, <int>min(REPLY_GAMES, self.simulations) // num_moves)
        visits = self.visits_of(self.values_of_moves())
        for i in range(num_moves):
            if visits[i] == 0:
                continue
            memset(counts, 0, sizeof(counts))
            counts[0].seat = -1
            num_counts = 1
            weight = 0
            with nogil:
                for _ in range(num_games):
                    weight += self.play(i, rng, values, counts, &num_counts)
                    if self.is_broken:
                        break
            if self.is_broken:
                raise contract_error(self.game)
            if counts[0].weight > 0:
                scale = visits[i] / weight
                found[self.sets.arm(self.root_node, i).move] = {
                    (counts[j].seat, counts[j].move): [
                        counts[j].weight * scale, counts[j].sum * scale]
                    for j in range(num_counts) if counts[j].weight > 0}
        return found

    cdef double play(
            self, int arm, bitgen_t* rng, double* values, ReplyCount* counts,
            int* num_counts) noexcept nogil:
        """Play a game from a root move; returns its weight, 0 if the game is broken.

        Every seat plays its average policies in the trees, and the playout policy below them.
        Counts the replies if `counts` is not NULL.
        """
        cdef double weight
        cdef uint32_t move
        cdef int32_t set_index
        cdef int i, j, node
        cdef bint is_reply = counts != NULL
        for i in range(self.begin(OWN, rng)):
            if not self.is_possible(self.past[i]):
                self.is_broken = True
                return 0
            node = self.game.node(self.state)
            if node >= 0 and node != self.observer:
                set_index = self.sets.find(self.set_key(node))
                j = self.sets.arm_of(set_index, self.past[i]) if set_index else -1
                self.reach[node] *= self.sets.average(set_index, j) if j >= 0 else 1
            self.advance(self.past[i])
        weight = self.weight_of(self.observer)
        for i in range(num_counts[0] if is_reply else 0):
            counts[i].is_counted = False
        self.advance(self.sets.arm(self.root_node, arm).move)
        while True:
            node = self.game.node(self.state)
            if node == TERMINAL:
                self.game.returns(self.state, values)
                break
            if node == CHANCE:
                move = self.draw_outcome(rng)
                if move == <uint32_t>NO_MOVE:
                    return 0
                self.advance(move)
                continue
            if not 0 <= node < self.num_seats:
                self.is_broken = True
                return 0
            set_index = self.sets.find(self.set_key(node))
            if set_index == 0:
                self.game.playout(self.state, self.playout_plies, rng, values)
                break
            move = self.sets.arm(set_index, self.sets.sample_average(set_index, rng)).move
            is_reply = is_reply and node != self.observer
            if is_reply:
                self.mark(node, move, counts, num_counts)
            self.advance(move)
        self.check_shares(values)
        for i in range(num_counts[0] if counts != NULL else 0):
            if counts[i].is_counted:
                counts[i].weight += weight
                counts[i].sum += weight * values[self.observer]
        return weight

    cdef void mark(
            self, int seat, uint32_t move, ReplyCount* counts, int* num_counts) noexcept nogil:
        """Mark a reply, new or known, as one of the running game."""
        cdef uint32_t seen = self.game.seen_move(self.state, move, self.observer)
        cdef int i = 1
        counts[0].is_counted = True
        while i < num_counts[0] and (counts[i].seat != seat or counts[i].move != seen):
            i += 1
        if i == MAX_REPLIES:
            return
        if i == num_counts[0]:
            counts[i].seat = seat
            counts[i].move = seen
            num_counts[0] += 1
        counts[i].is_counted = True
