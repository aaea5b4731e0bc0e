"""See sequence_form.pxd: the walk of the game tree that fills the form, and its memory."""

from cpython.bytearray cimport PyByteArray_AS_STRING
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memcmp, memcpy, memset

from kingmaker.cext.clock cimport monotonic_ns
from kingmaker.cext.game cimport (
    CHANCE, MAX_SEATS, MOVES_ROOM, TERMINAL, are_shares, check_limits, listed)
from kingmaker.cext.signals cimport goes_on, next_look

from .searcher cimport STOP_BROKEN, STOP_CANCELLED, STOP_SOLVED, STOP_TIME

from kingmaker.cext.errors import InputError, StateError
from kingmaker.cext.contract import contract_error

from .tree_size import TreeProbe


cdef enum:
    CLOCK_STRIDE = 64     # histories, or slices of a later stage, between looks at the clock
    SLICE = 8192          # terminals or rows of a later stage between looks at the cancel flag
    FIRST_CAPACITY = 64   # elements of a block
    MAX_COUNT = 0x7FFFFFF0
    HASH_BLOCK = 16
    PROBES = 1000         # of the estimate when a tree is too large
    PROBE_NS = 50_000_000

cdef enum Stage:
    WALK, COUNT_ROWS, SUM_ROWS, FILL_ROWS, DONE

cdef enum Fault:
    NO_FAULT, FAULT_MEMORY, FAULT_MOVES, FAULT_SEAT, FAULT_SHARES, FAULT_INFORMATION_SET

FAULT_WORDS = {
    FAULT_MOVES: "a node lists no legal move or outcome, or too many, or probabilities that are "
                 "not positive or don't sum to 1",
    FAULT_SEAT: "a seat that is not in the game is to move",
    FAULT_SHARES: "win shares at the end are negative, or don't sum to 1",
    FAULT_INFORMATION_SET: "two histories that a seat can't tell apart list different legal moves",
}


class TreeTooLarge(StateError):
    """The game tree does not fit into the memory allowed.

    Attributes:
        num_histories: of the whole tree, estimated.
        num_bytes: least memory to solve it, estimated.
    """

    def __init__(self, message, num_histories, num_bytes):
        super().__init__(message, field="memory_bytes")
        self.num_histories = num_histories
        self.num_bytes = num_bytes


cdef inline uint64_t rotate(uint64_t word, int bits) noexcept nogil:
    return word << bits | word >> (64 - bits)


cdef inline uint64_t mix(uint64_t word) noexcept nogil:
    word = (word ^ word >> 33) * 0xff51afd7ed558ccdULL
    word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ULL
    return word ^ word >> 33


cdef Key hash_bytes(const char* data, size_t num_bytes, uint64_t seed) noexcept nogil:
    """MurmurHash3_x64_128 (Appleby 2011, public domain) of whole blocks of 16 bytes."""
    cdef uint64_t[2] words
    cdef Key key = Key(low=seed, high=seed)
    cdef size_t i
    for i in range(num_bytes // HASH_BLOCK):
        memcpy(words, data + i * HASH_BLOCK, HASH_BLOCK)
        key.low ^= rotate(words[0] * 0x87c37b91114253d5ULL, 31) * 0x4cf5ad432745937fULL
        key.low = (rotate(key.low, 27) + key.high) * 5 + 0x52dce729
        key.high ^= rotate(words[1] * 0x4cf5ad432745937fULL, 33) * 0x87c37b91114253d5ULL
        key.high = (rotate(key.high, 31) + key.low) * 5 + 0x38495ab5
    key.low += key.high
    key.high += key.low
    key.low = mix(key.low)
    key.high = mix(key.high)
    key.low += key.high
    key.high += key.low
    return key


cdef int32_t* slot_of(Side* side, Key key) noexcept nogil:
    """Where the index of the information set with this key is, or NONE where it belongs.

    A trie never has to be rehashed, which would hold up a cancel.
    """
    cdef TrieNode* nodes = <TrieNode*>side.trie.base
    cdef int32_t* slot = &side.root
    cdef uint64_t bits = key.low
    while slot[0] != NONE:
        if nodes[slot[0]].key.low == key.low and nodes[slot[0]].key.high == key.high:
            break
        slot = &nodes[slot[0]].children[bits & 3]
        bits >>= 2
    return slot


cdef inline Block block_of(size_t stride) noexcept nogil:
    return Block(base=NULL, stride=stride, used=0, capacity=0)


cdef inline double* probabilities_of(Frame* frame) noexcept nogil:
    return <double*>(frame + 1)


cdef inline size_t whole(size_t num_bytes, size_t unit) noexcept nogil:
    return (num_bytes + unit - 1) // unit * unit


cdef class SequenceForm:
    """The sequence form of a game from one state on; see sequence_form.pxd.

    Args:
        game: the rules, for two seats.
        root: a full state without hidden information.
        memory_bytes: hard limit; building takes more than the form does in the end.
    """

    def __cinit__(self, Game game not None, bytes root, size_t memory_bytes):
        cdef int seat
        cdef Side* side
        check_limits(game)
        self.game = game
        self.root = root
        self.memory_limit = memory_bytes
        self.padded_bytes = whole(game.state_bytes, HASH_BLOCK)
        self.owned_observation = bytearray(self.padded_bytes)
        self.observation = PyByteArray_AS_STRING(self.owned_observation)
        self.state_offset = sizeof(Frame) + game.max_moves * sizeof(double)
        self.moves_offset = self.state_offset + whole(game.state_bytes, sizeof(double))
        self.stack = block_of(
            whole(self.moves_offset + game.max_moves * sizeof(uint32_t), HASH_BLOCK))
        self.terminals = block_of(sizeof(Terminal))
        for seat in range(NUM_SEATS):
            side = &self.sides[seat]
            side.sets = block_of(sizeof(InformationSet))
            side.moves = block_of(sizeof(uint32_t))
            side.observations = block_of(game.state_bytes)
            side.trie = block_of(sizeof(TrieNode))
            side.root = NONE

    def __init__(self, Game game not None, bytes root, size_t memory_bytes):
        self.root_state = game.pointer(root)
        self.probe = TreeProbe(game, root, 0)
        if game.num_seats != NUM_SEATS:
            raise InputError(
                f"an equilibrium is computed for {NUM_SEATS} seats, and this game has "
                f"{game.num_seats}", field="options.players", value=str(game.num_seats))
        if game.observer_of(root) is not None:
            raise TypeError("a game is solved from a full state, never from an observation")
        if game.node(self.root_state) == TERMINAL:
            raise StateError("the game is over: there is nothing to solve", field="position")

    def __dealloc__(self):
        cdef int seat
        with nogil:   # to unmap a gigabyte takes a tenth of a second
            free(self.stack.base)
            free(self.terminals.base)
            for seat in range(NUM_SEATS):
                free(self.sides[seat].sets.base)
                free(self.sides[seat].moves.base)
                free(self.sides[seat].observations.base)
                free(self.sides[seat].trie.base)
                free(self.sides[seat].starts)
                free(self.sides[seat].rivals)
                free(self.sides[seat].weights)

    # --- memory -------------------------------------------------------------------------------

    cdef void* claim(self, size_t num_bytes) noexcept nogil:
        cdef void* memory = NULL
        if num_bytes <= self.memory_limit - self.memory_bytes:
            memory = calloc(max(num_bytes, <size_t>1), 1)
        if memory != NULL:
            self.memory_bytes += num_bytes
        return memory

    cdef void give_back(self, void* memory, size_t num_bytes) noexcept nogil:
        free(memory)
        self.memory_bytes -= num_bytes

    cdef bint reserve(self, Block* block, int64_t count) noexcept nogil:
        """Make room for `count` more elements; False if they don't fit. Moves the elements."""
        cdef int64_t wanted = block.used + count
        cdef int64_t left = (self.memory_limit - self.memory_bytes) // block.stride
        cdef int64_t capacity
        cdef char* base
        if wanted <= block.capacity:
            return True
        capacity = max(wanted, 2 * block.capacity, <int64_t>FIRST_CAPACITY)
        capacity = min(capacity, block.capacity + left, <int64_t>MAX_COUNT)
        if capacity < wanted:
            return False
        base = <char*>realloc(block.base, capacity * block.stride)
        if base == NULL:
            return False
        self.memory_bytes += (capacity - block.capacity) * block.stride
        block.base = base
        block.capacity = capacity
        return True

    # --- the walk -----------------------------------------------------------------------------

    cdef StopCode loop(self, int64_t deadline_ns) noexcept nogil:
        cdef int64_t steps = 1   # the first look at the clock comes after some progress
        while self.stage != DONE:
            if self.is_cancelled:
                return STOP_CANCELLED
            if deadline_ns and steps % CLOCK_STRIDE == 0 and monotonic_ns() >= deadline_ns:
                return STOP_TIME
            steps += 1
            if not self.advance():
                return <StopCode>STOP_MEMORY if self.fault == FAULT_MEMORY else STOP_BROKEN
        return STOP_SOLVED

    cdef bint advance(self) noexcept nogil:
        """Do a part of the current stage; False after a fault."""
        if self.stage == WALK:
            return self.expand()
        if self.stage == COUNT_ROWS:
            return self.count_rows()
        if self.stage == SUM_ROWS:
            return self.sum_rows()
        return self.fill_rows()

    cdef bint expand(self) noexcept nogil:
        """Advance to the next history, depth first."""
        cdef Frame* top
        if self.num_histories == 0:
            return self.push()
        top = <Frame*>(self.stack.base + (self.stack.used - 1) * self.stack.stride)
        if top.next_move < top.num_moves:
            return self.push()
        self.stack.used -= 1
        if self.stack.used == 0:
            return self.claim_rows()
        return True

    cdef bint push(self) noexcept nogil:
        """Put the next child of the last history (at first: the root) on the stack."""
        cdef Frame* parent
        cdef Frame* child
        cdef size_t stride = self.stack.stride
        cdef int i
        if not self.reserve(&self.stack, 1):
            self.fault = FAULT_MEMORY
            return False
        child = <Frame*>(self.stack.base + self.stack.used * stride)
        if self.stack.used == 0:
            memset(child, 0, sizeof(Frame))
            child.chance = 1.0
            memcpy(<char*>child + self.state_offset, self.root_state, self.game.state_bytes)
        else:
            parent = <Frame*>(<char*>child - stride)
            i = parent.next_move
            parent.next_move += 1
            child.chance = parent.chance
            child.sequences = parent.sequences
            if parent.node == CHANCE:
                child.chance *= probabilities_of(parent)[i]
            else:
                child.sequences[parent.node] = parent.first + i
            memcpy(<char*>child + self.state_offset, <char*>parent + self.state_offset,
                   self.game.state_bytes)
            self.game.apply(<char*>child + self.state_offset,
                            (<uint32_t*>(<char*>parent + self.moves_offset))[i])
        self.stack.used += 1
        return self.visit(child)

    cdef bint visit(self, Frame* top) noexcept nogil:
        self.num_histories += 1
        top.node = self.game.node(<char*>top + self.state_offset)
        top.num_moves = 0
        top.next_move = 0
        if top.node == TERMINAL:
            return self.visit_terminal(top)
        if top.node == CHANCE:
            return self.visit_chance(top)
        if 0 <= top.node < NUM_SEATS:
            return self.visit_decision(top, top.node)
        self.fault = FAULT_SEAT
        return False

    cdef bint visit_chance(self, Frame* top) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] outcomes
        cdef double[MOVES_ROOM] probabilities
        top.num_moves = listed(
            self.game, <char*>top + self.state_offset, CHANCE, outcomes, probabilities)
        if top.num_moves == 0:
            self.fault = FAULT_MOVES
            return False
        memcpy(<char*>top + self.moves_offset, outcomes, top.num_moves * sizeof(uint32_t))
        memcpy(probabilities_of(top), probabilities, top.num_moves * sizeof(double))
        return True

    cdef bint visit_decision(self, Frame* top, int seat) noexcept nogil:
        cdef uint32_t[MOVES_ROOM] moves
        cdef Side* side = &self.sides[seat]
        cdef const void* state = <char*>top + self.state_offset
        cdef int32_t parent = top.sequences[seat]
        cdef int32_t index
        cdef Key key
        cdef InformationSet* found
        top.num_moves = listed(self.game, state, seat, moves, NULL)
        if top.num_moves == 0:
            self.fault = FAULT_MOVES
            return False
        memcpy(<char*>top + self.moves_offset, moves, top.num_moves * sizeof(uint32_t))
        key = self.key_of(state, seat, parent)
        index = slot_of(side, key)[0]
        if index == NONE:
            index = self.add_set(side, key, parent, moves, top.num_moves)
            if index == NONE:
                self.fault = FAULT_MEMORY
                return False
        found = <InformationSet*>side.sets.base + index
        top.first = found.first
        if (found[1].first - found.first != top.num_moves
                or memcmp(<uint32_t*>side.moves.base + found.first - 1, moves,
                          top.num_moves * sizeof(uint32_t)) != 0):
            self.fault = FAULT_INFORMATION_SET
            return False
        return True

    cdef bint visit_terminal(self, Frame* top) noexcept nogil:
        cdef double[MAX_SEATS] shares
        cdef Terminal* last
        cdef int seat
        self.game.returns(<char*>top + self.state_offset, shares)
        if not are_shares(shares, NUM_SEATS):
            self.fault = FAULT_SHARES
            return False
        last = <Terminal*>self.terminals.base + self.terminals.used - 1
        # Chance after the last decision: same sequences, one entry.
        if self.terminals.used == 0 or (
                last.sequences[0] != top.sequences[0] or last.sequences[1] != top.sequences[1]):
            if not self.reserve(&self.terminals, 1):
                self.fault = FAULT_MEMORY
                return False
            last = <Terminal*>self.terminals.base + self.terminals.used
            self.terminals.used += 1
            last.sequences = top.sequences
            last.weights = [0.0, 0.0]
        for seat in range(NUM_SEATS):
            last.weights[seat] += top.chance * shares[seat]
        return True

    cdef Key key_of(self, const void* state, int seat, int32_t parent) noexcept nogil:
        """Hash the seat's observation and its last sequence (all its earlier moves)."""
        memset(self.observation, 0, self.padded_bytes)
        self.game.observe(state, seat, self.observation)
        return hash_bytes(self.observation, self.padded_bytes, parent)

    cdef int32_t add_set(
            self, Side* side, Key key, int32_t parent, const uint32_t* moves, int num_moves
    ) noexcept nogil:
        """Append an information set whose observation has just been made; NONE: no memory."""
        cdef int32_t index = side.num_sets
        cdef InformationSet* added
        cdef TrieNode* node
        if not (self.reserve(&side.sets, 2) and self.reserve(&side.trie, 1)
                and self.reserve(&side.observations, 1) and self.reserve(&side.moves, num_moves)):
            return NONE
        added = <InformationSet*>side.sets.base + index
        added[0] = InformationSet(parent=parent, first=side.moves.used + 1)
        added[1] = InformationSet(parent=NONE, first=added.first + num_moves)
        memcpy(<uint32_t*>side.moves.base + side.moves.used, moves, num_moves * sizeof(uint32_t))
        memcpy(side.observations.base + index * side.observations.stride, self.observation,
               side.observations.stride)
        slot_of(side, key)[0] = index
        node = <TrieNode*>side.trie.base + index
        node.key = key
        node.children = [NONE, NONE, NONE, NONE]
        side.moves.used += num_moves
        side.sets.used += 1
        side.trie.used += 1
        side.observations.used += 1
        side.num_sets += 1
        return index

    # --- the rows -----------------------------------------------------------------------------

    cdef bint claim_rows(self) noexcept nogil:
        """Begin to sort the terminals by the sequences of each seat."""
        cdef int seat
        cdef Side* side
        self.give_back(self.stack.base, self.stack.capacity * self.stack.stride)
        self.stack.base = NULL
        for seat in range(NUM_SEATS):
            side = &self.sides[seat]
            side.num_sequences = side.moves.used + 1
            side.starts = <int32_t*>self.claim((side.num_sequences + 2) * sizeof(int32_t))
            if side.starts == NULL:
                self.fault = FAULT_MEMORY
                return False
        return self.end_stage(COUNT_ROWS)

    cdef bint end_stage(self, int following) noexcept nogil:
        self.stage = following
        self.cursor = 0
        return True

    cdef bint count_rows(self) noexcept nogil:
        """Count the entries of row s in starts[s + 2]."""
        cdef const Terminal* terminals = <const Terminal*>self.terminals.base
        cdef int64_t end = min(self.cursor + SLICE, self.terminals.used)
        cdef int64_t i
        cdef int seat
        for i in range(self.cursor, end):
            for seat in range(NUM_SEATS):
                if terminals[i].weights[seat] != 0.0:
                    self.sides[seat].starts[terminals[i].sequences[seat] + 2] += 1
        self.cursor = end
        return end < self.terminals.used or self.end_stage(SUM_ROWS)

    cdef bint sum_rows(self) noexcept nogil:
        """Turn counts into the start of row s in starts[s + 1]."""
        cdef int64_t rows = max(self.sides[0].num_sequences, self.sides[1].num_sequences)
        cdef int64_t end = min(self.cursor + SLICE, rows)
        cdef Side* side
        cdef int64_t row
        cdef int seat
        for seat in range(NUM_SEATS):
            side = &self.sides[seat]
            for row in range(self.cursor, min(end, <int64_t>side.num_sequences)):
                side.starts[row + 2] += side.starts[row + 1]
        self.cursor = end
        return end < rows or self.claim_entries()

    cdef bint claim_entries(self) noexcept nogil:
        cdef Side* side
        cdef int64_t count
        cdef int seat
        for seat in range(NUM_SEATS):
            side = &self.sides[seat]
            count = side.starts[side.num_sequences + 1]
            side.rivals = <int32_t*>self.claim(count * sizeof(int32_t))
            side.weights = <double*>self.claim(count * sizeof(double))
            if side.rivals == NULL or side.weights == NULL:
                self.fault = FAULT_MEMORY
                return False
        return self.end_stage(FILL_ROWS)

    cdef bint fill_rows(self) noexcept nogil:
        """Write the entries; starts[s + 1] moves on from the start of row s to its end."""
        cdef const Terminal* terminals = <const Terminal*>self.terminals.base
        cdef int64_t end = min(self.cursor + SLICE, self.terminals.used)
        cdef Side* side
        cdef int32_t* start
        cdef int64_t i
        cdef int seat
        for i in range(self.cursor, end):
            for seat in range(NUM_SEATS):
                if terminals[i].weights[seat] != 0.0:
                    side = &self.sides[seat]
                    start = &side.starts[terminals[i].sequences[seat] + 1]
                    side.rivals[start[0]] = terminals[i].sequences[1 - seat]
                    side.weights[start[0]] = terminals[i].weights[seat]
                    start[0] += 1
        self.cursor = end
        if end < self.terminals.used:
            return True
        self.give_back(self.terminals.base, self.terminals.capacity * self.terminals.stride)
        self.terminals.base = NULL
        return self.end_stage(DONE)

    # --- for Python ---------------------------------------------------------------------------

    def build(self, int64_t deadline_ns=0) -> int:
        """Continue building until done or until the clock shows `deadline_ns` (0: no limit).

        Each call makes some progress, also after `deadline_ns`. Releases the GIL. Returns a
        `StopCode`: 0 time, 2 done, 3 cancelled.

        Raises:
            TreeTooLarge: the memory is used up; building can't continue.
            RuntimeError: the game broke its contract, or another thread builds this form.
        """
        cdef StopCode code
        if self.is_running:
            raise RuntimeError("this tree is already being built on another thread")
        if self.fault == NO_FAULT:
            self.is_running = True
            try:
                while True:
                    with nogil:
                        code = self.loop(next_look(deadline_ns))
                    if code != STOP_TIME or not goes_on(deadline_ns):
                        break
            finally:
                self.is_running = False
        if self.fault == FAULT_MEMORY:
            raise self.too_large()
        if self.fault != NO_FAULT:
            raise contract_error(self.game, FAULT_WORDS[self.fault])
        return code

    def too_large(self, num_bytes=0) -> TreeTooLarge:
        """Return the error of a tree too large; `num_bytes`: the least it needs, 0: unknown."""
        histories = float(self.num_histories)
        if self.stage == WALK:
            estimate = self.probe.run(PROBES, monotonic_ns() + PROBE_NS)
            histories = max(histories, estimate.mean)
        needed = max(num_bytes, histories / max(self.num_histories, 1) * self.memory_limit)
        return TreeTooLarge(
            f"the game tree has about {histories:.1e} histories and needs some {needed:.1e} bytes "
            f"or more, both estimated; the limit is {self.memory_limit} bytes", histories, needed)

    def cancel(self) -> None:
        """End `build` within a millisecond; from any thread."""
        self.is_cancelled = True
        self.probe.cancel()

    @property
    def num_information_sets(self) -> int:
        """Information sets of both seats, as far as the tree is built."""
        return self.sides[0].num_sets + self.sides[1].num_sets

    def moves_at(self, int seat, int32_t index) -> tuple:
        """Return the legal moves in an information set of a seat (from 0), in canonical order."""
        cdef InformationSet* found = <InformationSet*>self.sides[seat].sets.base + index
        cdef uint32_t* moves = <uint32_t*>self.sides[seat].moves.base
        return tuple([moves[s - 1] for s in range(found[0].first, found[1].first)])

    def observation_at(self, int seat, int32_t index) -> bytes:
        """Return what a seat (from 0) sees in an information set."""
        cdef Block* block = &self.sides[seat].observations
        return (block.base + index * block.stride)[:block.stride]

    def locate(self, path) -> tuple:
        """Return (seat, index) of the information set that moves and outcomes lead to.

        Raises:
            InputError: a move of the path is not possible where it stands.
            StateError: the path does not end where a seat is to decide.
        """
        cdef int32_t[NUM_SEATS] sequences
        cdef bytes state = self.root
        cdef int seat, index
        sequences[0] = sequences[1] = 0
        for ply, move in enumerate(path):
            seat = self.game.node_of(state)
            moves = self._moves_of(state, seat)
            if move not in moves:
                raise InputError(
                    f"{move} is not possible at ply {ply + 1} of the path; possible are "
                    f"{moves}", field=f"path[{ply}]", value=str(move))
            if seat >= 0:
                index = self._index_of(state, seat, sequences[seat])
                sequences[seat] = (
                    (<InformationSet*>self.sides[seat].sets.base)[index].first + moves.index(move))
            state = self.game.after(state, move)
        seat = self.game.node_of(state)
        if seat < 0:
            raise StateError("no seat is to decide at the end of the path", field="path")
        return seat, self._index_of(state, seat, sequences[seat])

    def _moves_of(self, bytes state, int node) -> list:
        if node == CHANCE:
            return [outcome for outcome, _ in self.game.outcomes_of(state)]
        return self.game.moves_of(state)

    def _index_of(self, bytes state, int seat, int32_t parent) -> int:
        return slot_of(
            &self.sides[seat], self.key_of(self.game.pointer(state), seat, parent))[0]
