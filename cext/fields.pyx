"""Reading typed views from callers, field by field, with checks of type, range and spelling.

A *view* is a state, observation or move as plain data with the names of its proto message. `Fields`
reads one message of a view and refuses a malformed value with the path of its field
(`position.players[0].hand[2]`). After packing, the compiled rules check that the values are
consistent (`Game.check_state`). Content that a state has no place for, such as an order of cards
without meaning, is found by `difference` from the view of the packed state.
"""

cimport cython
from cpython.long cimport PyLong_CheckExact

from .lists cimport PyList_New, put

import re
from collections.abc import Mapping

from kingmaker.cext.errors import as_list, refusal, shown

cdef extern from "Python.h":
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1


cdef enum:
    NOBODY = 255   # observer of a position, as in view_game.pxd

LOOKUP = re.compile(r"(.*?)\[(\w+=[^\]]*)\](.*)")


cdef inline bint is_within(
        value, long long lowest, long long highest, long long* number) except -1:
    """Whether a value is a number from `lowest` to `highest`; write the number."""
    cdef int overflow
    if not PyLong_CheckExact(value):
        return False
    number[0] = PyLong_AsLongLongAndOverflow(value, &overflow)
    return not overflow and lowest <= number[0] <= highest


@cython.final
cdef class Fields:
    """One message of a typed view; an absent field is 0, false, empty or an empty list.

    Args:
        values: field -> value.
        path: of the message, for errors; empty: at the top.
        rule: number of the rule that malformed values break.
    """

    def __init__(self, values, str path not None, str rule not None):
        self.fields = values if type(values) is dict else dict(values)
        self.own_path = path
        self.rule = rule

    cdef Fields below(self, values, str name, int place):
        cdef Fields message = Fields.__new__(Fields)
        message.fields = values if type(values) is dict else dict(values)
        message.above = self
        message.name = name
        message.place = place
        message.rule = self.rule
        return message

    cdef str path_here(self):
        if self.own_path is None:
            path = self.above.path(self.name)
            self.own_path = path if self.place < 0 else f"{path}[{self.place}]"
        return self.own_path

    def __contains__(self, str name) -> bool:
        """Return whether a field was sent, even if with its default value."""
        return name in self.fields

    cpdef str path(self, str name):
        """Return the path of a field, or of the message itself if the name is empty."""
        cdef str here = self.path_here()
        return f"{here}.{name}" if here and name else here or name

    cpdef dict values(self):
        """Return the fields as they were sent."""
        return self.fields

    def refusal(self, str name, str wanted, value=None, str rule=""):
        """Return an error for a field; `value` is its wrong part, by default the whole field."""
        given = self.fields.get(name, "") if value is None else value
        return refusal(self.path(name), given, rule or self.rule, wanted)

    cpdef bint has(self, str name) except -1:
        """Return whether a field is present and not empty."""
        return bool(self.fields.get(name))

    cpdef bint is_set(self, str name) except -1:
        """Return whether a field is present, even if empty, as a message may be."""
        return self.fields.get(name) is not None

    cpdef long long number(
            self, str name, long long lowest, long long highest, str rule="") except? -1:
        """Return the number of a field, from `lowest` to `highest`."""
        cdef long long number
        value = self.fields.get(name, 0)
        if is_within(value, lowest, highest, &number):
            return number
        raise self.refusal(name, number_wanted(lowest, highest), value, rule)

    cpdef int seat(self, str name, int seats, str rule="") except -1:
        """Return a seat, counted from 0 here and from 1 in views."""
        cdef long long seat
        value = self.fields.get(name, "")
        if is_within(value, 1, seats, &seat):
            return <int>seat - 1
        raise self.refusal(name, f"a seat from 1 to {seats} is expected", value, rule)

    cpdef bint flag(self, str name) except -1:
        """Return the value of a boolean field."""
        value = self.fields.get(name, False)
        if isinstance(value, bool):
            return value
        raise self.refusal(name, "true or false is expected", value)

    cpdef str text(self, str name):
        """Return the text of a field."""
        value = self.fields.get(name, "")
        if isinstance(value, str):
            return value
        raise self.refusal(name, "a text is expected", value)

    cpdef Py_ssize_t code(self, str name, codes, str wanted="", str rule="") except? -1:
        """Return the code of a spelling; an empty text is refused unless `codes` contains it.

        Args:
            name: of the field.
            codes: spelling -> code.
            wanted: description of a right value, for the error; empty: the list of the spellings.
            rule: number of the rule that another spelling breaks; empty: that of the form.
        """
        value = self.fields.get(name, "")
        code = code_of(codes, value)
        if code is None:
            raise self.refusal(name, wanted or self.spellings(codes), value, rule)
        return code

    cpdef list codes(self, str name, codes, int most, str wanted="", str rule=""):
        """Return the codes of a list of at most `most` spellings; see `code`."""
        cdef list values = self.listed(name, most, rule, wanted)
        cdef int length = len(values)
        cdef list found = PyList_New(length)
        cdef int place
        for place in range(length):
            value = values[place]
            code = code_of(codes, value)
            if code is None:
                where = f"{name}[{place}]"
                raise self.refusal(where, wanted or self.spellings(codes), value, rule)
            put(found, place, code)
        return found

    cpdef list numbers(
            self, str name, long long lowest, long long highest, int most, str rule=""):
        """Return a list of at most `most` numbers from `lowest` to `highest`."""
        cdef list values = self.listed(name, most, rule, "")
        cdef long long number
        for place, value in enumerate(values):
            if not is_within(value, lowest, highest, &number):
                where = f"{name}[{place}]"
                raise self.refusal(where, number_wanted(lowest, highest), value, rule)
        return values

    cpdef int observer(self, int seats, str rule="") except -1:
        """Return the observer, a seat from 1; 0 for a spectator, `NOBODY` for a position."""
        cdef long long observer
        value = self.fields.get("observer")
        if value is None and "observer" not in self.fields:
            return NOBODY
        if is_within(value, 0, seats, &observer):
            return <int>observer
        wanted = f"the observer is a seat from 1 to {seats}, or 0, a spectator"
        raise self.refusal("observer", wanted, value, rule)

    cpdef object counts(self, str name, most, str rule=""):
        """Return a map from names to numbers, each at most the limit of its name."""
        cdef long long number
        values = self.fields.get(name) or {}
        if not is_message(values):
            raise self.refusal(name, "a map from names to numbers is expected", values)
        for key, count in values.items():
            if key not in most:
                raise self.refusal(f"{name}.{shown(key)}", self.spellings(most), key)
            if not is_within(count, 0, most[key], &number):
                raise self.refusal(f"{name}.{key}", number_wanted(0, most[key]), count, rule)
        return values

    cpdef Fields record(self, str name):
        """Return a nested message."""
        value = self.fields.get(name) or {}
        if not is_message(value):
            raise self.refusal(name, "a message is expected", value)
        return self.below(value, name, -1)

    cpdef int length(self, str name, int most, str rule="", int least=0) except -1:
        """Return the length of a list, which must be `least` to `most`."""
        cdef int length = len(self.listed(name, most, rule, ""))
        if length < least:
            number = f"{least} to {most}" if least < most else str(least)
            wanted = f"{number} {name} are expected"
            raise self.refusal(name, wanted, f"{length} of them", rule)
        return length

    cpdef list records(self, str name, int most, str rule="", int least=0):
        """Return the messages of a list, whose length must be `least` to `most`."""
        cdef int length = self.length(name, most, rule, least)
        cdef list found = PyList_New(length)
        cdef list values = self.fields[name] if length else found
        cdef int place
        for place in range(length):
            value = values[place]
            if not is_message(value):
                raise self.refusal(f"{name}[{place}]", "a message is expected", value)
            put(found, place, self.below(value, name, place))
        return found

    cdef str spellings(self, codes):
        """Describe the texts that would be right; `?`, for what is not seen, in observations."""
        hidden = None if self.path_here().startswith("observation") else "?"
        texts = [text or "an empty text" for text in codes if text != hidden]
        return f"one of {as_list(texts)} is expected" if texts else "nothing can be here"

    cdef list listed(self, str name, int most, str rule, str wanted):
        values = self.fields.get(name) or []
        if not isinstance(values, list):
            raise self.refusal(name, "a list is expected", values)
        if len(<list>values) > most:
            usual = f"at most {most} can be here" if most else wanted or "nothing can be here"
            raise self.refusal(name, usual, f"{len(values)} of them", rule)
        return values


cdef Fields message(values, str path, str rule):
    cdef Fields found = Fields.__new__(Fields)
    found.fields = values if type(values) is dict else dict(values)
    found.own_path = path
    found.rule = rule
    return found


cdef object code_of(codes, spelling):
    """Return the code of a spelling; None: it has none, or is no text."""
    if not isinstance(spelling, str):
        return None
    return (<dict>codes).get(spelling) if type(codes) is dict else codes.get(spelling)


cpdef bint is_message(value) except -1:
    """Return whether a value is a message; most are dicts, and that test is cheaper."""
    return type(value) is dict or isinstance(value, Mapping)


cdef str number_wanted(lowest, highest):
    """Describe the numbers that would be right."""
    if lowest == highest:
        return f"the number is {lowest} here"
    return f"a number from {lowest} to {highest} is expected"


def difference(given, read, str path):
    """Find the first difference between the view from the caller and the view of its state.

    An absent value equals 0, false, empty or an empty list, also at the end of a list.

    Returns:
        Its path, the given value and the value of the state; None if the views are equal.
    """
    if isinstance(given, Mapping) and isinstance(read, Mapping):
        for name in {**read, **given}:
            where = f"{path}.{name}" if path else name
            if found := difference(given.get(name), read.get(name), where):
                return found
        return None
    if isinstance(given, list) and given and isinstance(read, list):
        if len(given) <= len(read) and is_blank(read[len(given) :]):
            for place, pair in enumerate(zip(given, read, strict=False)):
                if found := difference(*pair, f"{path}[{place}]"):
                    return found
            return None
        return path, given, read
    if given == read or (is_blank(given) and is_blank(read)):
        return None
    return path, given, read


def located(view, str path):
    """Replace `[name=number,...]` in a path by the index of the first such message of the list.

    The compiled rules know by its contents what a list has, and not where a caller put it. The path
    is that of the list if it has no such message.
    """
    found = LOOKUP.fullmatch(path)
    if found is None:
        return path
    start, wanted, rest = found.groups()
    for name in start.split(".")[1:]:
        view = view.get(name) or {}
    numbers = [pair.split("=") for pair in wanted.split(",")]
    for place, each in enumerate(view):
        if all(str(each.get(name, 0)) == number for name, number in numbers):
            return f"{start}[{place}]{rest}"
    return start


def is_blank(value) -> bool:   # not of C's kind: Python limits how deep it goes
    """Return whether a message or list consists of default values."""
    if isinstance(value, Mapping):
        return all(map(is_blank, value.values()))
    if isinstance(value, list):
        return all(map(is_blank, value))
    return not value
