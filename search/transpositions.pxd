"""A transposition table: the results of states, by a hash of their bytes.

Entries of `stride` bytes lie in buckets of two. The first place of a bucket keeps the deeper
search, the second the newest. A key has 64 bits, so that in a table of a million entries a state
collides with another about once in 10**13 look-ups.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from *:
    """
    /* The high and the low half of a product of 128 bits, folded: every bit of the operands
       affects every bit of the result. */
    static CYTHON_INLINE uint64_t kingmaker_fold(uint64_t a, uint64_t b) {
        unsigned __int128 product = (unsigned __int128)a * b;
        return (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    static CYTHON_INLINE uint64_t kingmaker_high_half(uint64_t a, uint64_t b) {
        return (uint64_t)((unsigned __int128)a * b >> 64);
    }
    """
    uint64_t fold "kingmaker_fold"(uint64_t a, uint64_t b) noexcept nogil
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil
    uint64_t high_half "kingmaker_high_half"(uint64_t a, uint64_t b) noexcept nogil


cdef enum:
    NO_KEY = 0
    BUCKET = 2   # entries that share an index


cdef struct Entry:
    uint64_t key         # NO_KEY: the place is empty
    uint32_t move        # the best one known, or NO_MOVE
    uint16_t depth       # plies that were searched below the state
    uint8_t proofs       # which of `values` are proven; see frames.pxd
    uint8_t generation   # of the table, when this was stored
    double[1] values     # [as many as the search needs] in truth


cdef struct Table:
    char* base
    size_t stride          # bytes of an entry
    uint64_t num_buckets
    uint8_t generation     # entries of older ones give way first


cdef inline uint64_t hash_words(const uint64_t* words, int num_words) noexcept nogil:
    """Hash a state that is padded with zeros to whole words; never NO_KEY.

    Folded multiplications as in wyhash (Wang Yi 2019): two words a multiplication.
    """
    cdef uint64_t key = <uint64_t>0xA0761D6478BD642F
    cdef int i
    for i in range(0, num_words - 1, 2):
        key = fold(words[i] ^ key, words[i + 1] ^ <uint64_t>0xE7037ED1A0B428DB)
    if num_words & 1:
        key = fold(words[num_words - 1] ^ key, <uint64_t>0x8EBC6AF09C88C6E3)
    return fold(key ^ <uint64_t>0x589965CC75374CC3, <uint64_t>0x1D8E4E27C47D124F) | 1


cdef inline Entry* bucket_of(const Table* table, uint64_t key) noexcept nogil:
    return <Entry*>(
        table.base + high_half(key, table.num_buckets) * BUCKET * table.stride)


cdef inline void prefetch_bucket(const Table* table, uint64_t key) noexcept nogil:
    """Prefetch the bucket of `find_entry`, as a large table is outside the caches."""
    prefetch(bucket_of(table, key))


cdef inline Entry* second_of(const Table* table, Entry* first) noexcept nogil:
    return <Entry*>(<char*>first + table.stride)


cdef inline Entry* find_entry(const Table* table, uint64_t key) noexcept nogil:
    """The entry of a key, or NULL."""
    cdef Entry* entry = bucket_of(table, key)
    if entry.key == key:
        return entry
    entry = second_of(table, entry)
    return entry if entry.key == key else NULL


cdef inline Entry* place_for(const Table* table, uint64_t key, int depth) noexcept nogil:
    """The place for a result of `depth` plies: the entry of the key if it has one."""
    cdef Entry* first = bucket_of(table, key)
    cdef Entry* second = second_of(table, first)
    if first.key == key or second.key == key:
        return first if first.key == key else second
    if first.generation != table.generation or first.depth <= depth:
        return first
    return second
