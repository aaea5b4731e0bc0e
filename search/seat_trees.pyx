"""Base of the searches with a tree for every seat: worlds, what seats have seen, and the answer.

The tree of a seat branches by what that seat has seen since the root (`Game.seen_move`) and sees
now (`Game.observe`), so a seat has the same policy in all worlds that it can't tell apart, and
answers hidden moves of rivals without knowing them. Only decisions are stored: one information set
each, found by a hash of both.

A simulation begins at the latest state without hidden information (`Game.history`), or else in a
world that fits public knowledge or the observer's. How the policies of the information sets are
found is left to those searches: PUCT in mo_ismcts.pyx, regret minimization in growing_tree.pyx.

Where good play must be unpredictable the answer is the average policy of the observer's information
set. A move that is worse than another one by more than the errors of both is not played.

Source: Cowling, Powley and Whitehouse 2012, "Information Set Monte Carlo Tree Search" (a tree for
each observer).
"""

from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING
from libc.math cimport sqrt
from libc.string cimport memcpy, memset

from kingmaker.cext.game cimport (
    CHANCE, MAX_HISTORY, MAX_PLAYOUT, MAX_SEATS, MOVES_ROOM, NO_HISTORY, NO_MOVE, SPECTATOR,
    TERMINAL, Game, listed)
from kingmaker.cext.rng cimport stream_of

from numpy.random import SFC64

from kingmaker.cext.contract import contract_error

from .infosets cimport InformationSets, MoveCount, mixed, variance_of_count
from .samples cimport squared_drift
from .searcher cimport Searcher


cdef double BEYOND = 1.96    # standard errors that a move may be worse than another and be played

# How far values move while the policies of rivals settle: squared, from the first simulation on,
# and the simulations in which that halves. Fitted to the coverage of errors
# (benchmarks/coherence.py).
cdef double POLICY_VARIANCE = 0.08
cdef double SETTLING = 100


cdef enum:
    REPLY_GAMES = 1024   # played at most for the replies to all moves
    MAX_REPLIES = 256    # different ones to a move that are counted


cdef class SeatTreesSearcher(Searcher):
    """One such search on one thread; `memory_bytes` bounds its information sets.

    Options besides those of `Searcher`: `max_depth`, the number of decisions in the trees, 0 for no
    limit. `does_mix` is whether the answer is the average policy.
    """

    def __init__(
            self, Game game, bytes observation, seed, dict options, size_t memory_bytes,
            bint does_mix):
        Searcher.__init__(self, game, observation, seed, options)
        self.max_depth = options["max_depth"]
        self.does_mix = does_mix
        self.reply_seed = seed.word()
        self.owned_view = bytearray(game.state_bytes)
        self.view = PyByteArray_AS_STRING(self.owned_view)
        self.owned_roots = bytearray(game.max_moves * sizeof(MoveCount))
        self.roots = <MoveCount*>PyByteArray_AS_STRING(self.owned_roots)
        self.sets = InformationSets(self.num_seats, memory_bytes)
        self.find_root()

    cdef find_root(self):
        """Find the state to begin at and the key of the observer's information set."""
        cdef uint32_t[MOVES_ROOM] moves
        cdef int i, seat
        self.game.determinize(self.root, self.world_rng, self.state)
        self.num_past = self.game.history(self.state, self.view, self.past)
        if self.num_past > MAX_HISTORY or self.game.has_failed:
            raise contract_error(
                self.game, f"a history tells {self.num_past} moves; {MAX_HISTORY} are the most")
        if self.num_past != NO_HISTORY:
            self.owned_start = (<char*>self.view)[:self.game.state_bytes]
            self.start = PyBytes_AS_STRING(self.owned_start)
        for i in range(self.begin(OWN, self.world_rng)):
            if not self.is_possible(self.past[i]):
                raise contract_error(self.game, "it tells of what can't have happened")
            seat = self.game.node(self.state)
            if seat >= 0:
                self.num_past_sets += 1
                self.num_past_moves += listed(self.game, self.state, seat, moves, NULL)
            self.advance(self.past[i])
        if self.observer >= 0:
            self.root_key = self.set_key(self.observer)

    cdef int begin(self, Kind kind, bitgen_t* rng) noexcept nogil:
        cdef int length = 0
        cdef int seat
        if self.start == NULL or kind != WHOLE:
            self.draw_world(kind, rng)
        for seat in range(self.num_seats):
            self.reach[seat] = 1
        if self.start == NULL:
            for seat in range(self.num_seats):
                self.look(seat)
                self.keys[seat] = self.hash_view()
            return 0
        if kind != WHOLE:
            length = self.game.history(self.state, self.view, self.past)
            if not 0 <= length <= MAX_HISTORY:
                self.is_broken = True
                length = 0
        self.restart()
        return length

    cdef void restart(self) noexcept nogil:
        cdef int seat
        memcpy(self.state, self.start, self.game.state_bytes)
        for seat in range(self.num_seats):
            self.keys[seat] = 0

    cdef double retrace(self, int length, bitgen_t* rng) noexcept nogil:
        cdef int i
        for i in range(length):
            if not self.is_possible(self.past[i]):
                self.is_broken = True
                return 0
            self.advance(self.past[i])
        return 1

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
        if self.worlds != NULL:
            self.determinize(rng)
        else:
            self.fill_in(self.root, rng)
        if kind == PUBLIC and not (self.observer < 0 and self.worlds != NULL):
            self.look(SPECTATOR)
            self.fill_in(self.view, rng)

    cdef void fill_in(self, const void* observation, bitgen_t* rng) noexcept nogil:
        self.game.determinize(observation, rng, self.state)

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
        if node:
            self.set_priors(node, seat)
        if key == self.root_key and seat == self.observer:
            self.root_node = node
        return node

    cdef void set_priors(self, int32_t node, int seat) noexcept nogil:
        pass

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
        if not self.does_mix:
            return None
        probabilities = self.probabilities(self.values_of_moves())
        return {self.sets.arm(self.root_node, i).move: probabilities[i]
                for i in range(len(probabilities))}

    cdef list values_of_moves(self):
        """Each root move's win shares and squared error of the observer's one; None if unknown."""
        cdef MoveCount* count
        cdef double settling = POLICY_VARIANCE / (1 + <double>self.simulations / SETTLING)
        found = []
        for i in range(self.sets.at(self.root_node).num_moves if self.root_node else 0):
            count = self.count_of(i)
            if count.weight <= 0:
                found.append(None)
                continue
            shares = [count.sums[seat] / count.weight for seat in range(self.num_seats)]
            variance = variance_of_count(count, self.observer)
            found.append((shares, variance + settling + squared_drift(&self.samples[i], variance)))
        return found

    cdef MoveCount* count_of(self, int arm) noexcept:
        return &self.roots[arm]

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
        """Return (move, visits, summed win shares, squared error of the mover, is_exact, line)."""
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
        return [self.sets.arm(self.root_node, i).visits for i in range(len(values))]

    def replies(self) -> dict:
        """Play games by the average policies, and count the replies of others.

        Returns:
            move -> {(seat from 0, their move): [visits, summed win share of the observer, games]},
            from the move to the observer's next decision; the visits of the move are distributed
            over the games. The key (-1, 0) counts those with a reply.

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
                        counts[j].weight * scale, counts[j].sum * scale, counts[j].num_games]
                    for j in range(num_counts) if counts[j].weight > 0}
        return found

    cdef double play(
            self, int arm, bitgen_t* rng, double* values, ReplyCount* counts,
            int* num_counts) noexcept nogil:
        """Play a game from a root move; returns its weight, 0 if the game is broken.

        Every seat plays its average policies in the trees, and a playout below them.
        Counts the replies if `counts` is not NULL.
        """
        cdef double weight
        cdef bitgen_t* playout_rng
        cdef uint32_t move
        cdef int32_t set_index
        cdef int i, node
        cdef int drawn = 0
        cdef bint is_reply = counts != NULL
        weight = self.retrace(self.begin(OWN, rng), rng)
        if self.is_broken:
            return 0
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
                drawn += 1
                if move == <uint32_t>NO_MOVE or drawn == MAX_PLAYOUT:
                    self.is_broken = True
                    return 0
                self.advance(move)
                continue
            if not 0 <= node < self.num_seats:
                self.is_broken = True
                return 0
            set_index = self.sets.find(self.set_key(node))
            if set_index == 0:
                playout_rng = self.playout_rng
                self.playout_rng = rng
                self.playout(values)
                self.playout_rng = playout_rng
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
                counts[i].num_games += 1
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
