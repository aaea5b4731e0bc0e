"""Expectimax: the value of a full state, exact or to a limited depth, by iterative deepening.

With two seats, and where one seat faces all the others (`rivals=paranoid`), a value is one number,
the win share of the search's own seat, with alpha-beta; at chance nodes with Star1 (bounds of the
outcomes not searched yet narrow the window of the next) after Star2 (one move is tried in each
outcome for better bounds). With more seats each maximizes its own win share (max^n): values are the
win shares of all seats, the first of equal moves is chosen, and only a certain win ends a decision
early.

A result is a lower and an upper bound, each proven or not: a proven bound rests only on ends of
games, so that it also bounds the value of unlimited depth. The table returns a bound if it comes
from a search of the same depth, or if it was proven in no more plies: a search of this depth would
have the same result. So the value to a depth is always that of plain expectimax, independent of
pruning and of the contents of the table.

With a `width` the search is selective (ranking.pxd): all moves of the root are searched, and below
it unlikely moves less deeply. Then a depth is that of the most likely lines, and values are no
longer those of plain expectimax; but proofs still hold.

In some games the chance nodes only decide which moves may be chosen next; these are searched as one
with the decisions after them (move_rolls.pxd).

The path lies on its own stack, not on C's, so that a search can stop after any state and resume
there.

Sources: Ballard 1983, "The *-Minimax Search Procedure for Trees Containing Chance Nodes"; Hauk,
Buro and Schaeffer 2004, "*-Minimax Performance in Backgammon"; Luckhardt and Irani 1986, "An
Algorithmic Solution of N-Person Games"; Sturtevant and Korf 2000, "On Pruning Techniques for
Multi-Player Games".
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from kingmaker.cext.clock cimport monotonic_ns
from kingmaker.cext.errors import InputError
from kingmaker.cext.game cimport (
    CHANCE, MAX_MOVES, MAX_SEATS, MOVES_ROOM, NO_MOVE, ROUNDING_OF_SUMS, TERMINAL, Game, are_shares,
    check_limits, listed)

from kingmaker.cext.contract import contract_error_at

from .expectimax_memory cimport MAX_FRAMES, ExpectimaxMemory, words_of
from .frames cimport (
    AT_AVERAGE, AT_BETWEEN, AT_CHANCE, AT_MAXIMIZER, AT_MINIMIZER, AT_MOVE_ROLL, AT_PROBE, AT_ROOT,
    AT_SELFISH, LOWER, PROVEN, TIGHT, UPPER, Frame, Result, absorb_at_maximizer,
    absorb_at_minimizer, absorb_at_selfish, absorb_bounds, absorb_shares, clear, may_use, mirror,
    set_share, sum_up, tighten, usable_depth)
from .history_heuristic cimport fade, order, reward
from .move_rolls cimport (
    absorb_at_move_roll, clear_move_roll, enter_rolled, make_move_roll, plies_to)
from .ranking cimport LATE, MIN_RANKED, MIN_REDUCED, rank
from .searcher cimport STOP_BROKEN, STOP_CANCELLED, STOP_SIMULATIONS, STOP_SOLVED, STOP_TIME
from .transpositions cimport find_entry, hash_words, place_for, prefetch_bucket
from .windows cimport NO_CHILD, next_move, next_of_all, next_outcome, next_rolled


cdef enum:
    NODES_A_LOOK = 64        # states from one look at the clock to the next
    MIN_PROBED = 4           # measured: 20 % fewer states with bids, below 4 more than without

cdef int64_t NO_LIMIT = 0x7FFFFFFFFFFFFFFF

RIVALS = ("selfish", "paranoid")
MAX_DEPTH = MAX_FRAMES - 1
MAX_WIDTH = MAX_MOVES


cdef class Expectimax(SearchedRoot):
    """See expectimax.pyi."""

    def __init__(self, Game game, bytes state, dict options, size_t memory_bytes):
        check_limits(game)
        self.game = game
        self.num_seats = game.num_seats
        root = game.pointer(state)
        depth = self._read_options(options, game.node(root))
        self.num_words = words_of(game.state_bytes)
        self.num_values = self.num_seats if self.is_selfish else 2
        self._take_memory(ExpectimaxMemory(
            game, depth, self.num_values, self.has_move_rolls or self.width > 0, memory_bytes))
        self.first_depth = 1
        self.restart(root)

    def _read_options(self, dict options, int node):
        """Check the options and return the depth limit."""
        depth = options.get("depth")
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise InputError(
                f"depth is {depth}; it must be 1 to {MAX_DEPTH}", field="engine_options.depth",
                value=str(depth))
        rivals = options.get("rivals", RIVALS[0])
        if rivals not in RIVALS:
            raise InputError(
                f"rivals is {rivals!r}; it must be {' or '.join(RIVALS)}",
                field="engine_options.rivals", value=str(rivals))
        seat = options.get("seat")
        if seat is not None and not 0 <= seat < self.num_seats:
            raise InputError(
                f"seat {seat} of a {self.num_seats}-seat game; seats are 0 to "
                f"{self.num_seats - 1}", field="seat", value=str(seat))
        self.seat = max(node, 0) if seat is None else seat
        self.is_selfish = self.num_seats > 2 and rivals == "selfish"
        self.has_move_rolls = self.game.has_move_rolls and not self.is_selfish
        self._read_width(options.get("width") or 0)
        return MAX_DEPTH if depth is None else depth

    def _read_width(self, int width):
        if not 0 <= width <= MAX_WIDTH:
            raise InputError(
                f"width is {width}; it must be 0 to {MAX_WIDTH}", field="engine_options.width",
                value=str(width))
        self.width = 0 if self.is_selfish else width

    def _take_memory(self, ExpectimaxMemory memory):
        self.memory = memory
        self.max_depth = memory.max_depth
        self.frames = memory.frames
        self.root_state = memory.frames[0].state
        self.running = memory.running
        self.finished = memory.finished
        self.history = memory.history
        self.scratch = memory.scratch
        self.table = memory.table

    cdef void restart(self, const void* state) noexcept nogil:
        cdef Frame* root = &self.frames[0]
        memcpy(root.state, state, self.game.state_bytes)
        self.frame = root
        self.is_finished = False
        self.depth = 0
        self.num_root_moves = 0
        self.root_node = self.game.node(state)
        if self.root_node == TERMINAL:
            self.take_returns(state, self.root_result.values)
            self.take_shares(self.root_result.values, PROVEN)
            self.root_result = self.result
            self.is_finished = True
            return
        self.num_root_moves = self.list_moves(root, self.root_node)
        if self.num_root_moves == 0:
            self.break_at(state)
            return
        root.kind = AT_ROOT
        root.is_frontier = False
        root.num_moves = self.num_root_moves
        root.seat = self.root_node
        cdef int i
        for i in range(self.num_root_moves):
            memset(&self.running[i], 0, sizeof(RootMove))
            self.running[i].move = root.moves[i]
            self.finished[i] = self.running[i]
        self.begin_iteration()

    cdef StopCode loop(self, int64_t max_nodes, int64_t deadline_ns) noexcept nogil:
        cdef int64_t next_look = self.nodes + 1   # at the clock; one state is entered in any case
        self.max_nodes = max_nodes or NO_LIMIT
        while True:
            if self.is_cancelled:
                return STOP_CANCELLED
            if self.is_broken:
                return STOP_BROKEN
            if self.is_finished:
                return STOP_SOLVED
            if self.nodes >= self.max_nodes:
                return STOP_SIMULATIONS
            if deadline_ns and self.nodes >= next_look:
                if monotonic_ns() >= deadline_ns:
                    return STOP_TIME
                next_look = self.nodes + NODES_A_LOOK
            if self.frame.is_frontier:
                self.scan_leaves(self.frame)
            else:
                self.step(self.frame)

    # --- iterations ---------------------------------------------------------------------------

    cdef void begin_iteration(self) noexcept nogil:
        cdef int depth = self.depth + 1 if self.depth else min(self.first_depth, self.max_depth)
        self.frames[0].remaining = depth
        fade(self.history)
        self.table.generation += 1
        self.frames[0].next = 0

    cdef void end_iteration(self) noexcept nogil:
        cdef bint all_exact = True
        cdef int i
        for i in range(self.num_root_moves):
            self.finished[i] = self.running[i]
            all_exact = all_exact and self.running[i].result.proofs == PROVEN
            if not self.is_within(&self.running[i].result):
                self.break_at(self.frames[0].state)     # some evaluation was no win share
        self.depth = self.frames[0].remaining
        self.conclude_root()
        self.is_finished = all_exact or self.depth == self.max_depth
        if not self.is_finished:
            self.begin_iteration()

    cdef bint is_within(self, const Result* result) noexcept nogil:
        """Whether a result can be one of win shares; NaN and what it leads to can't."""
        if self.is_selfish:
            return are_shares(result.values, self.num_seats)
        return (result.values[LOWER] >= -ROUNDING_OF_SUMS
                and result.values[UPPER] <= 1 + ROUNDING_OF_SUMS)

    cdef void conclude_root(self) noexcept nogil:
        """Write the root's result from those of its moves or outcomes."""
        cdef Frame* root = &self.frames[0]
        cdef int i
        self.set_kind(root, self.root_node)
        clear(root, self.num_seats)
        for i in range(self.num_root_moves):
            self.result = self.finished[i].result
            self.absorb(root, i)
        root.next = root.num_moves
        sum_up(root, False, self.is_selfish)
        self.root_result = root.result
        root.kind = AT_ROOT

    cdef void step(self, Frame* frame) noexcept nogil:
        """Enter one more state, or close the frame."""
        cdef int child = self.next_child(frame)
        cdef Frame* below
        if child == NO_CHILD:
            self.close(frame)
            return
        below = self.enter(frame, child)
        below.remaining = frame.remaining - <int>(below - frame)
        if frame.is_reduced:
            below.remaining = max(below.remaining - frame.cuts[child], 0)
        frame.current = child
        if self.settle(below):
            self.absorb(frame, child)
        else:
            self.frame = below

    cdef void scan_leaves(self, Frame* frame) noexcept nogil:
        """Do as `step` does for all moves of a decision one ply above the leaves.

        Most states are leaves, so this path does only what leaves need.
        """
        cdef double[MAX_SEATS] shares
        cdef Result leaf
        cdef bint is_maximizer = frame.kind == AT_MAXIMIZER
        cdef void* state = (frame + 1).state
        while self.nodes < self.max_nodes and not self.is_cancelled:
            if frame.next == frame.num_wanted or (
                    frame.result.values[LOWER] >= frame.beta if is_maximizer
                    else frame.result.values[UPPER] <= frame.alpha):
                self.close(frame)
                return
            self.enter(frame, frame.next)
            frame.next += 1
            if self.game.node(state) == TERMINAL:
                self.take_returns(state, shares)
                leaf.proofs = PROVEN
            else:
                self.game.evaluate(state, shares)
                leaf.proofs = 0
            set_share(&leaf, shares[self.seat])
            if is_maximizer:
                absorb_at_maximizer(frame, &leaf, frame.next - 1)
            else:
                absorb_at_minimizer(frame, &leaf, frame.next - 1)

    cdef Frame* enter(self, Frame* frame, int child) noexcept nogil:
        """Write the state of a child into its frame, and return that."""
        cdef Frame* below = frame + 1
        cdef uint64_t* state = below.state
        cdef const uint64_t* here = frame.state
        self.nodes += 1
        if frame.kind == AT_MOVE_ROLL:
            below.kind = AT_BETWEEN
            below = frame + plies_to(frame, child)
            enter_rolled(self.game, frame, child, below.state, self.num_words)
            return below
        if self.num_words > 2:
            memcpy(state, here, self.num_words * 8)
        else:
            # Two words, where there is but one, end in the scores, which aren't in use yet.
            state[0] = here[0]
            state[1] = here[1]
        self.game.apply(state, frame.moves[child])
        return below

    # --- children -----------------------------------------------------------------------------

    cdef int next_child(self, Frame* frame) noexcept nogil:
        if frame.kind <= AT_MINIMIZER:
            return next_move(frame)
        if frame.kind == AT_CHANCE or frame.kind == AT_PROBE:
            return next_outcome(frame)
        if frame.kind == AT_MOVE_ROLL:
            return next_rolled(frame, frame.seat != self.seat)
        if frame.kind == AT_ROOT:
            return self.next_root_move(frame)
        return next_of_all(frame)

    cdef int next_root_move(self, Frame* frame) noexcept nogil:
        cdef Frame* below = frame + 1
        # What an earlier iteration has proven is the same at every depth.
        while (frame.next < frame.num_moves
                and self.running[frame.next].result.proofs == PROVEN):
            frame.next += 1
        if frame.next == frame.num_moves:
            return NO_CHILD
        below.alpha = 0
        below.beta = 1
        below.is_probed = False
        frame.next += 1
        return frame.next - 1

    cdef bint settle(self, Frame* frame) noexcept nogil:
        cdef double[MAX_SEATS] shares
        cdef const Entry* entry
        # One ply above the leaves a table look-up takes longer than an evaluation.
        cdef bint is_looked_up = frame.remaining > 1
        cdef int node
        if is_looked_up:
            frame.key = hash_words(frame.state, self.num_words)
            prefetch_bucket(&self.table, frame.key)
        node = self.game.node(frame.state)
        if node == TERMINAL:
            self.take_returns(frame.state, shares)
            self.take_shares(shares, PROVEN)
            return True
        if frame.remaining == 0 or self.is_last_roll(frame, node):
            self.game.evaluate(frame.state, shares)
            self.take_shares(shares, 0)
            return True
        if frame.is_probed and node == CHANCE:
            self.result.values[LOWER] = 0
            self.result.values[UPPER] = 1
            self.result.proofs = PROVEN
            return True
        entry = find_entry(&self.table, frame.key) if is_looked_up else NULL
        if entry != NULL and self.is_known(frame, entry):
            return True
        self.open(frame, node, entry)
        return False

    cdef bint is_last_roll(self, const Frame* frame, int node) noexcept nogil:
        """Whether dice would only say which moves there are, with no depth left for them.

        Leaving the roll out saves a third of the states, at a mean error of 0.001 in the game in
        which that was measured.
        """
        return frame.remaining == 1 and node == CHANCE and self.has_move_rolls and self.width > 0

    cdef void take_returns(self, const void* state, double* shares) noexcept nogil:
        self.game.returns(state, shares)
        if not are_shares(shares, self.num_seats):
            self.break_at(state)

    cdef void break_at(self, const void* state) noexcept nogil:
        """End the search, as the game broke its contract in a state."""
        if not self.is_broken:
            memcpy(self.scratch, state, self.game.state_bytes)
        self.is_broken = True

    cdef void take_shares(self, const double* shares, uint8_t proofs) noexcept nogil:
        cdef int seat
        self.result.proofs = proofs
        if self.is_selfish:
            for seat in range(self.num_seats):
                self.result.values[seat] = shares[seat]
            return
        set_share(&self.result, shares[self.seat])

    cdef bint is_known(self, const Frame* frame, const Entry* entry) noexcept nogil:
        """Set `result` from the table; return whether that satisfies the frame."""
        cdef double lower, upper
        cdef int seat
        if self.is_selfish:
            if not may_use(entry, frame.remaining, PROVEN):
                return False
            for seat in range(self.num_seats):
                self.result.values[seat] = entry.values[seat]
            self.result.proofs = entry.proofs
            return True
        self.result.values[LOWER] = 0
        self.result.values[UPPER] = 1
        self.result.proofs = PROVEN
        tighten(&self.result, entry, usable_depth(entry, frame.remaining, self.width))
        lower = self.result.values[LOWER]
        upper = self.result.values[UPPER]
        return lower >= frame.beta or upper <= frame.alpha or upper - lower <= TIGHT

    cdef void open(self, Frame* frame, int node, const Entry* entry) noexcept nogil:
        frame.num_moves = self.list_moves(frame, node)
        if frame.num_moves == 0:
            self.break_at(frame.state)
            return
        cdef uint32_t first = entry.move if entry != NULL else <uint32_t>NO_MOVE
        self.set_kind(frame, node)
        frame.is_frontier = frame.is_ranked = frame.is_reduced = False
        if (self.has_move_rolls and node == CHANCE and frame.remaining > 1
                and make_move_roll(self.game, frame, self.num_words)):
            self.open_move_roll(frame, first)
            return
        clear(frame, self.num_seats)
        if frame.kind <= AT_MINIMIZER:
            self.open_decision(frame, first)
        # Probing needs a finite window, and enough depth to save more than it costs.
        elif (frame.kind == AT_CHANCE and frame.remaining >= MIN_PROBED
                and (frame.alpha > 0 or frame.beta < 1)):
            frame.kind = AT_PROBE

    cdef void open_move_roll(self, Frame* frame, uint32_t first) noexcept nogil:
        frame.next = 0
        frame.best = 0
        frame.dropped = 0
        self.prepare_ranks(frame, first)
        clear_move_roll(frame)

    cdef void open_decision(self, Frame* frame, uint32_t first) noexcept nogil:
        frame.is_frontier = frame.remaining == 1
        if self.width and frame.num_moves > 1:
            self.prepare_ranks(frame, first)
        if not frame.is_ranked:
            frame.dropped = 0
            order(frame, self.history, first)
        frame.num_wanted = 1 if frame.is_probed else frame.num_moves

    cdef void prepare_ranks(self, Frame* frame, uint32_t first) noexcept nogil:
        frame.is_ranked = frame.remaining >= MIN_RANKED
        frame.is_reduced = self.width > 0 and frame.remaining >= MIN_REDUCED
        if frame.is_ranked:
            rank(self.game, frame, self.width, first, self.num_words)

    cdef int list_moves(self, Frame* frame, int node) noexcept nogil:
        """List the moves or outcomes of a frame's state, and return how many there are.

        That is 0 if the game breaks its contract.
        """
        cdef uint32_t[MOVES_ROOM] moves  # a frame has room for `max_moves` only
        cdef double[MOVES_ROOM] probabilities
        cdef int num_moves = listed(self.game, frame.state, node, moves, probabilities)
        memcpy(frame.moves, moves, num_moves * sizeof(uint32_t))
        if node == CHANCE:
            memcpy(frame.probabilities, probabilities, num_moves * sizeof(double))
        return num_moves

    cdef void set_kind(self, Frame* frame, int node) noexcept nogil:
        frame.seat = node
        if node == CHANCE:
            frame.kind = AT_AVERAGE if self.is_selfish else AT_CHANCE
        elif self.is_selfish:
            frame.kind = AT_SELFISH
        else:
            frame.kind = AT_MAXIMIZER if node == self.seat else AT_MINIMIZER

    # --- results ------------------------------------------------------------------------------

    cdef bint matters(self, Frame* frame, int child) noexcept nogil:
        cdef const Frame* below = frame + plies_to(frame, child)
        if frame.seat == self.seat:
            return self.result.values[UPPER] > below.alpha
        return self.result.values[LOWER] < below.beta

    cdef void absorb(self, Frame* frame, int child) noexcept nogil:
        if frame.is_reduced and frame.cuts[child] >= LATE and self.matters(frame, child):
            frame.cuts[child] -= LATE
            frame.next = child
        elif frame.kind == AT_MAXIMIZER:
            absorb_at_maximizer(frame, &self.result, child)
        elif frame.kind == AT_MINIMIZER:
            absorb_at_minimizer(frame, &self.result, child)
        elif frame.kind == AT_CHANCE or frame.kind == AT_PROBE:
            absorb_bounds(frame, &self.result, child)
        elif frame.kind == AT_MOVE_ROLL:
            if frame.seat != self.seat:
                mirror(&self.result)
            absorb_at_move_roll(frame, &self.result, child)
        elif frame.kind == AT_SELFISH:
            absorb_at_selfish(frame, &self.result, child)
        elif frame.kind == AT_AVERAGE:
            absorb_shares(frame, &self.result, child, self.num_seats)
        else:
            self.running[child].result = self.result
            self.running[child].depth = frame.remaining
            self.running[child].nodes += self.nodes - self.counted
            self.counted = self.nodes

    cdef void close(self, Frame* frame) noexcept nogil:
        if frame.kind == AT_ROOT:
            self.end_iteration()
            return
        sum_up(frame, frame.seat != self.seat, self.is_selfish)
        self.result = frame.result
        if frame.remaining > 1:
            self.store(frame)
        self.frame = frame - 1
        if self.frame.kind == AT_BETWEEN:
            self.frame = frame - 2
        self.absorb(self.frame, self.frame.current)

    cdef void store(self, Frame* frame) noexcept nogil:
        """Enter `result` into the table, after what the table knows has tightened it."""
        cdef Entry* entry = place_for(&self.table, frame.key, frame.remaining)
        cdef uint32_t move = NO_MOVE
        cdef int i
        if entry.key == frame.key:
            move = entry.move
            if not self.is_selfish:
                tighten(&self.result, entry, frame.remaining)
        if frame.kind == AT_MAXIMIZER and frame.result.values[LOWER] > frame.alpha:
            move = frame.moves[frame.best]
            reward(frame, self.history)
        elif frame.kind == AT_MINIMIZER and frame.result.values[UPPER] < frame.beta:
            move = frame.moves[frame.best]
            reward(frame, self.history)
        elif frame.kind == AT_SELFISH or frame.kind == AT_MOVE_ROLL:
            move = frame.moves[frame.best]
        entry.key = frame.key
        entry.move = move
        entry.depth = frame.remaining
        entry.generation = self.table.generation
        entry.proofs = self.result.proofs
        for i in range(self.num_values):
            entry.values[i] = self.result.values[i]

    # --- the call from Python -----------------------------------------------------------------

    def run(self, int64_t max_nodes, int64_t deadline_ns) -> int:
        """See expectimax.pyi."""
        cdef StopCode code
        if self.is_running:
            raise RuntimeError("this search already runs on another thread")
        self.is_running = True
        with nogil:
            code = self.loop(max_nodes, deadline_ns)
        self.is_running = False
        if code == STOP_BROKEN:
            raise contract_error_at(
                self.game, (<const char*>self.scratch)[:self.game.state_bytes])
        return code

    def cancel(self) -> None:
        """End `run` within one state; callable from any thread."""
        self.is_cancelled = True

    @property
    def memory_bytes(self):
        """Bytes of table and stack together."""
        return self.memory.size
