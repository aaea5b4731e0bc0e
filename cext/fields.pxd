"""Reading typed views from callers; see fields.pyx. Games call these methods as functions of C."""


cdef class Fields:
    cdef dict fields      # field -> value
    cdef str own_path     # None of a nested message, until it is needed
    cdef Fields above
    cdef str name         # of the field that holds it, in the message above
    cdef int place        # in the list there; -1: it is in none
    cdef str rule

    cdef Fields below(self, values, str name, int place)
    cdef str path_here(self)
    cdef list listed(self, str name, int most, str rule, str wanted)
    cdef str spellings(self, codes)
    cpdef str path(self, str name)
    cpdef dict values(self)
    cpdef bint has(self, str name) except -1
    cpdef bint is_set(self, str name) except -1
    cpdef long long number(
        self, str name, long long lowest, long long highest, str rule=*) except? -1
    cpdef int seat(self, str name, int seats, str rule=*) except -1
    cpdef bint flag(self, str name) except -1
    cpdef str text(self, str name)
    cpdef Py_ssize_t code(self, str name, codes, str wanted=*, str rule=*) except? -1
    cpdef list codes(self, str name, codes, int most, str wanted=*, str rule=*)
    cpdef list numbers(self, str name, long long lowest, long long highest, int most, str rule=*)
    cpdef int observer(self, int seats, str rule=*) except -1
    cpdef object counts(self, str name, most, str rule=*)
    cpdef Fields record(self, str name)
    cpdef int length(self, str name, int most, str rule=*, int least=*) except -1
    cpdef list records(self, str name, int most, str rule=*, int least=*)


cpdef bint is_message(value) except -1

# Return the fields of a message at the top, as `Fields` does for Python.
cdef Fields message(values, str path, str rule)
