"""Large pages for tables: they are visited at random, so each visit of a new small page faults.

Measured for expectimax: with a table of 64 MB a search of 100,000 to 1,000,000 states takes half to
two thirds of the time, one of 30,000 (10 ms) as long as without, and shorter ones up to 5 ms more,
as whole pages are cleared. Clearing larger tables may cost more than is saved, and trees, which
grow from one end, hardly gain.
"""


cdef extern from *:
    """
    #include <stdint.h>
    #ifdef __linux__
    #include <sys/mman.h>
    #endif

    /* Ask for large pages where they lie wholly within a block; elsewhere nothing changes. */
    static void kingmaker_use_large_pages(void* base, size_t size) {
    #ifdef MADV_HUGEPAGE
        const uintptr_t page = (uintptr_t)2 << 20, least = 8 * page, most = 64 * page;
        uintptr_t first = ((uintptr_t)base + page - 1) & ~(page - 1);
        uintptr_t end = ((uintptr_t)base + size) & ~(page - 1);
        if (least <= size && size <= most)
            madvise((void*)first, end - first, MADV_HUGEPAGE);
    #else
        (void)base;
        (void)size;
    #endif
    }
    """
    void use_large_pages "kingmaker_use_large_pages"(void* base, size_t size) noexcept nogil
