"""Typed views from the bytes of their messages, in protocol buffers' wire format.

Reading a message field by field through Google's library takes eight times as long. That library
has already checked the bytes: it wrote them from a message that it had parsed.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef extern from "Python.h":
    str PyUnicode_DecodeUTF8(const char* text, Py_ssize_t size, const char* errors)


from sys import intern

cdef enum:
    SHORT = 7         # bytes of a text that is kept
    KEPT_BITS = 8     # of the number of such texts

# Most texts are names of cards and the like. Those met lately are kept, in a place by their bytes:
# so they are made, and hashed, only once.
cdef uint64_t[1 << KEPT_BITS] KEPT_BYTES   # with the number of bytes in the last one
cdef list KEPT_TEXTS = [None] * (1 << KEPT_BITS)

cdef enum WireType:
    VARINT = 0
    FIXED64 = 1
    LENGTH = 2
    GROUP = 3
    GROUP_END = 4
    FIXED32 = 5

cdef enum Kind:
    FLAG
    INT32
    UINT32
    SINT32
    TEXT
    MESSAGE
    MAP

cdef dict KINDS = {
    "bool": FLAG,
    "int32": INT32,
    "uint32": UINT32,
    "sint32": SINT32,
    "string": TEXT,
    "message": MESSAGE,
    "map": MAP,
}

cdef struct Span:
    const uint8_t* at
    const uint8_t* end


cdef class Field:
    """A field of a message: name, kind, its shape if it is a message, and whether it is a list."""

    cdef str name
    cdef Kind kind
    cdef Shape shape
    cdef bint is_repeated


cdef class Shape:
    """See wire.pyi."""

    cdef dict defaults   # of the fields that are in every view, but for lists and maps
    cdef list fields     # in the place of their numbers; None: there is no such field
    cdef list lists      # names of fields
    cdef list maps

    def __init__(self):
        self.defaults = {}
        self.fields = []
        self.lists = []
        self.maps = []

    def add(self, int number, str name, str kind, Shape shape, bint is_repeated, default):
        """See wire.pyi."""
        cdef Field field = Field.__new__(Field)
        name = intern(name)   # as those in code are, so that looking them up compares no letters
        field.name, field.kind, field.shape = name, KINDS[kind], shape
        field.is_repeated = is_repeated
        self.fields.extend([None] * (number + 1 - len(self.fields)))
        self.fields[number] = field
        if kind == "map":
            self.maps.append(name)
        elif is_repeated:
            self.lists.append(name)
        elif default is not None:
            self.defaults[name] = default

    def view(self, bytes data not None) -> dict:
        """See wire.pyi."""
        cdef const uint8_t* at = <const uint8_t*>PyBytes_AS_STRING(data)
        return view_of(self, Span(at, at + len(data)))


cdef dict view_of(Shape shape, Span rest):
    cdef dict view = shape.defaults.copy()
    cdef Field field
    cdef uint64_t tag
    for name in shape.lists:
        view[name] = []
    for name in shape.maps:
        view[name] = {}
    while rest.at < rest.end:
        tag = varint(&rest)
        field = shape.fields[tag >> 3] if tag >> 3 < <uint64_t>len(shape.fields) else None
        if field is None or not fits(field, tag & 7):   # of another version
            skip(&rest, tag)
        elif field.kind == MAP:
            entry = view_of(field.shape, span(&rest))
            (<dict>view[field.name])[entry["key"]] = entry["value"]
        elif field.is_repeated:
            extend(<list>view[field.name], field, tag & 7, &rest)
        else:
            view[field.name] = value(field, &rest)
    return view


cdef bint fits(Field field, int wire_type):
    """Whether a value is of the field's type; the library keeps others as unknown fields."""
    if field.kind in (TEXT, MESSAGE, MAP):
        return wire_type == LENGTH
    return wire_type == VARINT or (wire_type == LENGTH and field.is_repeated)


cdef int extend(list values, Field field, int wire_type, Span* rest) except -1:
    """Read a value of a list, or all of its numbers at once."""
    cdef Span packed
    if wire_type != LENGTH or field.kind in (TEXT, MESSAGE):
        values.append(value(field, rest))
        return 0
    packed = span(rest)
    while packed.at < packed.end:
        values.append(value(field, &packed))
    return 0


cdef object value(Field field, Span* rest):
    cdef Span inner
    cdef uint32_t folded
    if field.kind == MESSAGE:
        return view_of(field.shape, span(rest))
    if field.kind == TEXT:
        inner = span(rest)
        return text_of(inner.at, inner.end - inner.at)
    if field.kind == FLAG:
        return varint(rest) != 0
    if field.kind == UINT32:
        return <uint32_t>varint(rest)
    if field.kind == SINT32:
        folded = <uint32_t>varint(rest)
        return <int32_t>(folded >> 1 ^ -(folded & 1))
    return <int32_t>varint(rest)


cdef str text_of(const uint8_t* at, Py_ssize_t size):
    cdef uint64_t key = 0
    cdef uint32_t place
    if size > SHORT:
        return PyUnicode_DecodeUTF8(<const char*>at, size, NULL)
    memcpy(&key, at, size)
    key |= <uint64_t>(size + 1) << 8 * SHORT
    place = key * <uint64_t>0x9E3779B97F4A7C15 >> 64 - KEPT_BITS
    if KEPT_BYTES[place] != key:
        KEPT_TEXTS[place] = intern(PyUnicode_DecodeUTF8(<const char*>at, size, NULL))
        KEPT_BYTES[place] = key
    return KEPT_TEXTS[place]


cdef uint64_t varint(Span* rest) noexcept nogil:
    cdef uint64_t number = 0
    cdef int shift = 0
    cdef uint8_t byte = 0x80
    while byte & 0x80 and rest.at < rest.end:
        byte = rest.at[0]
        number |= <uint64_t>(byte & 0x7F) << (shift & 63)
        rest.at += 1
        shift += 7
    return number


cdef Span span(Span* rest) noexcept nogil:
    """Pass a length and as many bytes, and return these."""
    cdef uint64_t length = varint(rest)
    cdef const uint8_t* at = rest.at
    rest.at = at + min(length, <uint64_t>(rest.end - at))
    return Span(at, rest.at)


cdef void skip(Span* rest, uint64_t tag) noexcept nogil:
    """Pass the value of a field that is not known."""
    cdef uint64_t inner = tag
    cdef int depth = 0
    while True:
        if inner & 7 == VARINT:
            varint(rest)
        elif inner & 7 == LENGTH:
            span(rest)
        elif inner & 7 in (FIXED64, FIXED32):
            rest.at += min(8 if inner & 7 == FIXED64 else 4, rest.end - rest.at)
        else:
            depth += 1 if inner & 7 == GROUP else -1
        if depth <= 0 or rest.at >= rest.end:
            return
        inner = varint(rest)
