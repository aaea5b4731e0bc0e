"""See rng.pxd."""

from cpython.pycapsule cimport PyCapsule_GetPointer


cdef bitgen_t* stream_of(object bit_generator) except NULL:
    return <bitgen_t*>PyCapsule_GetPointer(bit_generator.capsule, "BitGenerator")
