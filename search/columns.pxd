"""Growing arrays, for records of games that are played without the GIL."""

from libc.stdlib cimport realloc
from libc.string cimport memcpy

# Numbers of one width, or structs of one kind, in a row; its owner frees `data`.
cdef struct Column:
    char* data
    size_t used       # bytes
    size_t capacity


cdef inline bint append_to(Column* column, const void* data, size_t size) noexcept nogil:
    """Append bytes; False if there is no memory, and the column is as before."""
    cdef size_t wanted = column.used + size
    cdef char* moved
    if wanted > column.capacity:
        wanted = max(wanted, 2 * column.capacity)
        moved = <char*>realloc(column.data, wanted)
        if moved == NULL:
            return False
        column.data, column.capacity = moved, wanted
    memcpy(column.data + column.used, data, size)
    column.used += size
    return True
