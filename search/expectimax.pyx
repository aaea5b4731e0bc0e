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
Multi-Player Games"; Schaeffer 1989, "The History Heuristic".
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from kingmaker.cext.clock cimport monotonic_ns
from kingmaker.cext.errors import InputError
from kingmaker.cext.game cimport (
    CHANCE, MAX_MOVES, MAX_SEATS, MOVES_ROOM, NO_MOVE, ROUNDING_OF_SUMS, TERMINAL, Game, are_shares,
    check_limits, listed)

from kingmaker.cext.game import contract_error_at

from .frames cimport (
    AT_AVERAGE, AT_BETWEEN, AT_CHANCE, AT_MAXIMIZER, AT_MINIMIZER, AT_MOVE_ROLL, AT_PROBE, AT_ROOT,
    AT_SELFISH, LOWER, PROVEN, PROVEN_LOWER, PROVEN_UPPER, TIGHT, UPPER, Frame, Result,
    absorb_at_maximizer, absorb_at_minimizer, absorb_at_selfish, absorb_bounds, absorb_shares,
    arrays_size, bring_best_forward, may_use, place_arrays, set_share, sum_bounds, tighten,
    usable_depth)
from .move_rolls cimport (
    absorb_at_move_roll, clear_move_roll, enter_rolled, make_move_roll, mirror, plies_to,
    rolled_window)
from .pages cimport use_large_pages
from .ranking cimport LATE, MIN_RANKED, MIN_REDUCED, rank
from .searcher cimport STOP_BROKEN, STOP_CANCELLED, STOP_SIMULATIONS, STOP_SOLVED, STOP_TIME
from .transpositions cimport BUCKET, find_entry, hash_words, place_for, prefetch_bucket


cdef enum:
    NO_CHILD = -1
    NODES_A_LOOK = 64        # states from one look at the clock to the next
    HISTORY_BITS = 12
    MAX_SCORE = 1 << 28      # of a move's history; the move of the table is above
    MIN_PROBED = 4           # measured: 20 % fewer states with bids, below 4 more than without
    MIN_BUCKETS = 16
    CACHE_LINE = 64

cdef int64_t NO_LIMIT = 0x7FFFFFFFFFFFFFFF

RIVALS = ("selfish", "paranoid")
MAX_DEPTH = MAX_FRAMES - 1
MAX_WIDTH = MAX_MOVES


cdef class Block:
    """Zeroed memory, freed with its owner."""

    cdef char* base

    def __cinit__(self, size_t size):
        self.base = <char*>calloc(size, 1)
        if self.base == NULL:
            raise MemoryError(f"no {size} bytes for the search")
        use_large_pages(self.base, size)

    def __dealloc__(self):
        with nogil:   # to unmap a gigabyte takes a tenth of a second
            free(self.base)


cdef inline int history_index(int seat, uint32_t move) noexcept nogil:
    return <uint32_t>((move ^ <uint32_t>seat << 29) * <uint32_t>0x9E3779B1) >> (32 - HISTORY_BITS)


cdef class Expectimax(SearchedRoot):
    """The value of one full state and of each move there, found without the GIL.

    Args:
        game: the rules.
        state: a full state, hidden cards included; all seats see all of it.
        options: `depth` (plies to look ahead at most, chance included, 1 to `MAX_DEPTH`; None: as
            far as `run` allows), `rivals` ("selfish" or "paranoid"), `width` (moves looked at of a
            kind, see ranking.pxd, 0 to `MAX_WIDTH`; 0, the default: every move to the same depth)
            and `seat` (from 0; whose share is bounded, by default of who decides); each may be left
            out. Selfish seats take no `width`: with them it is 0.
        memory_bytes: hard limit of table and stack together. It bounds the depth too, to some
            hundred plies in a megabyte.

    Raises:
        InputError: an option is out of range, `memory_bytes` is too small, or `state` is not one
            of this game, or the game is larger than a search can hold.
    """

    def __init__(self, Game game, bytes state, dict options, size_t memory_bytes):
        check_limits(game)
        self.game = game
        self.num_seats = game.num_seats
        root = game.pointer(state)
        depth = self._read_options(options, game.node(root))
        self._allocate(depth, memory_bytes)
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

    def _allocate(self, int depth, size_t memory_bytes):
        """Divide one block: root, history, at most half of it for the stack, the table."""
        cdef size_t num_moves = self.game.max_moves
        self.num_words = (self.game.state_bytes + 7) // 8
        self.num_values = self.num_seats if self.is_selfish else 2
        self.table.stride = sizeof(Entry) + (self.num_values - 1) * sizeof(double)
        cdef size_t state_bytes = self.num_words * 8
        cdef bint is_rich = self.has_move_rolls or self.width > 0
        cdef size_t frame_bytes = sizeof(Frame) + arrays_size(state_bytes, num_moves, is_rich)
        cdef size_t fixed_bytes = (2 * num_moves * sizeof(RootMove) + state_bytes
                                   + (sizeof(int32_t) << HISTORY_BITS))
        cdef size_t bucket_bytes = BUCKET * self.table.stride
        cdef size_t least = (
            fixed_bytes + 2 * frame_bytes + MIN_BUCKETS * bucket_bytes + CACHE_LINE)
        if memory_bytes < least:
            raise InputError(
                f"memory_bytes is {memory_bytes} for each search; this game takes at least {least}",
                field="budget.memory_bytes", value=str(memory_bytes))
        self.max_depth = min(
            depth, max((memory_bytes - fixed_bytes) // 2 // frame_bytes, <size_t>2) - 1)
        block = Block(memory_bytes)
        self.owned_block = block
        self.memory_bytes = memory_bytes
        cdef char* base = block.base
        # How the block happens to be aligned must not decide how many entries there are.
        cdef char* end = base + memory_bytes - CACHE_LINE
        self.frames = <Frame*>base
        base += (self.max_depth + 1) * sizeof(Frame)
        self.running = <RootMove*>base
        self.finished = self.running + num_moves
        base = <char*>(self.finished + num_moves)
        self.history = <int32_t*>base
        base += sizeof(int32_t) << HISTORY_BITS
        self.scratch = <uint64_t*>base
        base += state_bytes
        for i in range(self.max_depth + 1):
            place_arrays(&self.frames[i], base, state_bytes, num_moves, is_rich)
            base += frame_bytes - sizeof(Frame)
        self.root_state = self.frames[0].state
        self.table.base = base + -<size_t>base % CACHE_LINE
        self.table.num_buckets = (end - base) // bucket_bytes

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
        cdef int i
        self.frames[0].remaining = depth
        for i in range(1 << HISTORY_BITS):
            self.history[i] >>= 1
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
        self.clear(root)
        for i in range(self.num_root_moves):
            self.result = self.finished[i].result
            self.absorb(root, i)
        root.next = root.num_moves
        self.sum_up(root)
        self.root_result = self.result
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
            return self.next_move(frame)
        if frame.kind == AT_CHANCE or frame.kind == AT_PROBE:
            return self.next_outcome(frame)
        if frame.kind == AT_MOVE_ROLL:
            return self.next_rolled(frame)
        if frame.kind == AT_ROOT:
            return self.next_root_move(frame)
        # max^n searches all children, except after a certain win.
        if frame.next == frame.num_moves or (
                frame.kind == AT_SELFISH and frame.result.values[frame.seat] >= 1):
            return NO_CHILD
        frame.next += 1
        return frame.next - 1

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

    cdef int next_move(self, Frame* frame) noexcept nogil:
        cdef Frame* below = frame + 1
        cdef int i = frame.next
        if i == frame.num_wanted:
            return NO_CHILD
        if frame.kind == AT_MAXIMIZER:
            if frame.result.values[LOWER] >= frame.beta:
                return NO_CHILD
            below.alpha = max(frame.alpha, frame.result.values[LOWER])
            below.beta = frame.beta
        else:
            if frame.result.values[UPPER] <= frame.alpha:
                return NO_CHILD
            below.alpha = frame.alpha
            below.beta = min(frame.beta, frame.result.values[UPPER])
        below.is_probed = False
        frame.next = i + 1
        if not frame.is_ranked:
            bring_best_forward(frame, i)
        return i

    cdef int next_outcome(self, Frame* frame) noexcept nogil:
        cdef Frame* below = frame + 1
        cdef double lower = frame.result.values[LOWER]
        cdef double upper = frame.result.values[UPPER]
        cdef int i
        if lower >= frame.beta or upper <= frame.alpha:
            return NO_CHILD
        while True:
            i = frame.next
            if i == frame.num_moves:
                if frame.kind == AT_CHANCE:
                    return NO_CHILD
                frame.kind = AT_CHANCE
                frame.next = 0
                continue
            frame.next = i + 1
            if frame.uppers[i] - frame.lowers[i] > TIGHT:
                break
        # The outcome matters only if, the others being at their bounds, it can still bring the
        # sum into the window (Ballard's A_i and B_i).
        below.alpha = (frame.alpha - upper) / frame.probabilities[i] + frame.uppers[i]
        below.beta = (frame.beta - lower) / frame.probabilities[i] + frame.lowers[i]
        below.is_probed = frame.kind == AT_PROBE
        return i

    cdef int next_rolled(self, Frame* frame) noexcept nogil:
        cdef int i = frame.next
        cdef Frame* below = frame + plies_to(frame, i)
        cdef bint is_rivals = frame.seat != self.seat
        cdef double alpha = 1 - frame.beta if is_rivals else frame.alpha
        cdef double beta = 1 - frame.alpha if is_rivals else frame.beta
        cdef double[2] window
        if (i == frame.num_moves or frame.result.values[LOWER] >= beta
                or frame.result.values[UPPER] <= alpha):
            return NO_CHILD
        rolled_window(frame, i, alpha, beta, window)
        below.alpha = 1 - window[UPPER] if is_rivals else window[LOWER]
        below.beta = 1 - window[LOWER] if is_rivals else window[UPPER]
        below.is_probed = False
        frame.next = i + 1
        return i

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
        self.clear(frame)
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
            self.order(frame, first)
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

    cdef void clear(self, Frame* frame) noexcept nogil:
        """Start with an empty result."""
        cdef int i
        frame.next = 0
        frame.best = 0
        frame.result.proofs = PROVEN
        if frame.kind <= AT_MINIMIZER:
            frame.result.values[LOWER] = frame.result.values[UPPER] = (
                -1 if frame.kind == AT_MAXIMIZER else 2)
        elif frame.kind == AT_CHANCE:
            frame.result.values[LOWER] = 0
            frame.result.values[UPPER] = 1
            for i in range(frame.num_moves):
                frame.lowers[i] = 0
                frame.uppers[i] = 1
                frame.proofs[i] = PROVEN
        else:
            for i in range(self.num_seats):
                frame.result.values[i] = -1 if frame.kind == AT_SELFISH else 0

    cdef void order(self, Frame* frame, uint32_t first) noexcept nogil:
        """Score the moves, that of the table first; one ply above the leaves do no more than that.
        """
        cdef int i
        if not frame.is_frontier:
            for i in range(frame.num_moves):
                frame.scores[i] = (
                    2 * MAX_SCORE if frame.moves[i] == first
                    else self.history[history_index(frame.seat, frame.moves[i])])
        elif first != <uint32_t>NO_MOVE:
            for i in range(frame.num_moves):
                if frame.moves[i] == first:
                    frame.moves[i] = frame.moves[0]
                    frame.moves[0] = first
                    return

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
        self.sum_up(frame)
        if frame.remaining > 1:
            self.store(frame)
        self.frame = frame - 1
        if self.frame.kind == AT_BETWEEN:
            self.frame = frame - 2
        self.absorb(self.frame, self.frame.current)

    cdef void sum_up(self, Frame* frame) noexcept nogil:
        """Make `result` that of the frame."""
        cdef Result* result = &frame.result
        if frame.kind == AT_CHANCE or frame.kind == AT_PROBE:
            sum_bounds(frame, frame.num_moves)
        elif frame.kind == AT_MOVE_ROLL:
            sum_bounds(frame, frame.num_outcomes)
            if frame.seat != self.seat:
                mirror(result)
        elif frame.kind == AT_MAXIMIZER:
            if frame.next < frame.num_moves:
                result.values[UPPER] = 1
            if frame.dropped:
                result.proofs &= ~PROVEN_UPPER
        elif frame.kind == AT_MINIMIZER:
            if frame.next < frame.num_moves:
                result.values[LOWER] = 0
            if frame.dropped:
                result.proofs &= ~PROVEN_LOWER
        if not self.is_selfish:
            if result.values[LOWER] <= 0:
                result.proofs |= PROVEN_LOWER
            if result.values[UPPER] >= 1:
                result.proofs |= PROVEN_UPPER
        self.result = frame.result

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
            self.reward(frame)
        elif frame.kind == AT_MINIMIZER and frame.result.values[UPPER] < frame.beta:
            move = frame.moves[frame.best]
            self.reward(frame)
        elif frame.kind == AT_SELFISH or frame.kind == AT_MOVE_ROLL:
            move = frame.moves[frame.best]
        entry.key = frame.key
        entry.move = move
        entry.depth = frame.remaining
        entry.generation = self.table.generation
        entry.proofs = self.result.proofs
        for i in range(self.num_values):
            entry.values[i] = self.result.values[i]

    cdef void reward(self, const Frame* frame) noexcept nogil:
        """Raise the move's history score if it caused a cutoff."""
        cdef int index
        if frame.is_frontier or frame.next == frame.num_moves:
            return
        index = history_index(frame.seat, frame.moves[frame.best])
        self.history[index] = min(
            self.history[index] + frame.remaining * frame.remaining, <int32_t>MAX_SCORE)

    # --- the call from Python -----------------------------------------------------------------

    def run(self, int64_t max_nodes, int64_t deadline_ns) -> int:
        """Search until `max_nodes` states were entered in all or the clock shows `deadline_ns`.

        0 is no limit. Enters one state at least, also after `deadline_ns`. Releases the GIL; can be
        called again to continue; pauses do not change the result. Returns a stop code as
        `Searcher.run` does: 0 time, 1 nodes, 2 nothing is left to do (all is exact, or the depth
        limit is reached), 3 cancelled.

        Raises:
            RuntimeError: the game broke its contract, or another thread runs this search.
        """
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
