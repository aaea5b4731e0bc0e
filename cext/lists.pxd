"""Lists of known length, whose places are filled in order."""

from cpython.list cimport PyList_New, PyList_SetItem
from cpython.ref cimport Py_INCREF


cdef inline int put(list found, int place, item) except -1:
    """Fill a place of a list of `PyList_New`: in a wheel, appending takes longer."""
    Py_INCREF(item)   # the list takes it
    return PyList_SetItem(found, place, item)
