"""See expectimax_memory.pxd."""

from libc.stdlib cimport calloc, free

from kingmaker.cext.errors import InputError
from kingmaker.cext.game cimport Game

from .frames cimport arrays_size, place_arrays
from .history_heuristic cimport HISTORY_BITS
from .pages cimport use_large_pages
from .transpositions cimport BUCKET, Entry


cdef enum:
    MIN_BUCKETS = 16
    CACHE_LINE = 64


cdef class ExpectimaxMemory:
    """One zeroed block, divided: stack (at most half of it), root, history, a state and the table.

    Args:
        game: whose states and moves need room.
        depth: plies that the stack should have room for.
        num_values: of an entry of the table.
        is_rich: whether a frame can be a move roll, and be ranked.
        size: of the block in bytes.

    Raises:
        InputError: the block is too small.
    """

    def __cinit__(
            self, Game game, int depth, int num_values, bint is_rich, size_t size):
        cdef size_t num_moves = game.max_moves
        cdef size_t state_bytes = words_of(game.state_bytes) * sizeof(uint64_t)
        cdef size_t frame_bytes = sizeof(Frame) + arrays_size(state_bytes, num_moves, is_rich)
        cdef size_t fixed_bytes = (2 * num_moves * sizeof(RootMove) + state_bytes
                                   + (sizeof(int32_t) << HISTORY_BITS))
        self.table.stride = sizeof(Entry) + (num_values - 1) * sizeof(double)
        cdef size_t bucket_bytes = BUCKET * self.table.stride
        cdef size_t least = (
            fixed_bytes + 2 * frame_bytes + MIN_BUCKETS * bucket_bytes + CACHE_LINE)
        if size < least:
            raise InputError(
                f"memory_bytes is {size} for each search; this game takes at least {least}",
                field="budget.memory_bytes", value=str(size))
        self.size = size
        self.max_depth = min(
            depth, max((size - fixed_bytes) // 2 // frame_bytes, <size_t>2) - 1)
        self.base = <char*>calloc(size, 1)
        if self.base == NULL:
            raise MemoryError(f"no {size} bytes for the search")
        use_large_pages(self.base, size)
        cdef char* base = self.base
        # How the block happens to be aligned must not decide how many entries there are.
        cdef char* end = base + size - CACHE_LINE
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
        self.table.base = base + -<size_t>base % CACHE_LINE
        self.table.num_buckets = (end - base) // bucket_bytes

    def __dealloc__(self):
        with nogil:   # to unmap a gigabyte takes a tenth of a second
            free(self.base)
