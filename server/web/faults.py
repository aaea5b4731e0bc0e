"""What is wrong with JSON that is no message of its type: the field, its value, and a right one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict, ParseError
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from kingmaker.cext.errors import InputError, as_list, guess, shown

EXAMPLES = {  # messages that JSON writes in a way of their own
    "google.protobuf.Duration": 'a time in seconds, such as "0.5s"',
    "google.protobuf.Timestamp": 'a time, such as "2026-01-31T12:00:00Z"',
}
SECRET = "token"
ALIKE = 0.8  # "tokn" is, "tower" is not
PARTS = re.compile(r"[.\[]")  # of a path
HALF = re.compile("[\ud800-\udfff]")
SMALL = "a whole number from {least} to {most}"
LARGE = f"{SMALL}, or its digits as a text"
WANTED = {
    FieldDescriptor.TYPE_STRING: "a text",
    FieldDescriptor.TYPE_BYTES: "a text in base64",
    FieldDescriptor.TYPE_BOOL: "true or false",
    FieldDescriptor.TYPE_DOUBLE: "a number",
    FieldDescriptor.TYPE_FLOAT: "a number",
    FieldDescriptor.TYPE_SINT32: SMALL.format(least=-(2**31), most=2**31 - 1),
    FieldDescriptor.TYPE_INT32: SMALL.format(least=-(2**31), most=2**31 - 1),
    FieldDescriptor.TYPE_UINT32: SMALL.format(least=0, most=2**32 - 1),
    FieldDescriptor.TYPE_INT64: LARGE.format(least=-(2**63), most=2**63 - 1),
    FieldDescriptor.TYPE_UINT64: LARGE.format(least=0, most=2**64 - 1),
}
SEATS = {"seat", "viewers"}
SEAT_WANTED = "a whole number from 0 to the number of seats"
Json = Any


def fault_of(fields: dict[str, Json], kind: type[Message]) -> InputError | None:
    """Find the first field of an object that its message does not take; None: it takes them all."""
    top: Any = kind.DESCRIPTOR  # its type has two names
    return next(_faults(fields, top, ""), None)


def half_character(value: Json, where: str = "") -> InputError | None:
    """Find the first text with half of a character, which an escape can write; None: there is none.

    Such a text can't be written in UTF-8, as messages are.
    """
    if isinstance(value, str) and HALF.search(value):
        text = _shown(_escaped(value), where)
        given = f"is '{text}', with" if text else "has"
        return InputError(
            f"{where} {given} half of a surrogate pair; it must be text in Unicode",
            field=where,
            value=text,
        )
    parts: list[tuple[str, Json]] = []
    if isinstance(value, list):
        parts = [(f"{where}[{number}]", each) for number, each in enumerate(value)]
    elif isinstance(value, dict):
        for name, each in value.items():
            place = f"{where}.{shown(_escaped(name))}".lstrip(".")
            parts += [(place, name), (place, each)]
    return next((fault for place, each in parts if (fault := half_character(each, place))), None)


def _escaped(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()


def _faults(fields: dict[str, Json], kind: Descriptor, path: str) -> Iterator[InputError]:
    names = {name: field for field in kind.fields for name in (field.json_name, field.name)}
    oneofs: dict[str, str] = {}
    for name, value in fields.items():
        where = f"{path}{shown(name)}"
        if name not in names:
            yield _unknown(where, name, value, kind)
            continue
        field = names[name]
        oneof = field.containing_oneof
        if value is not None and oneof is not None and len(oneof.fields) > 1:
            other = oneofs.setdefault(oneof.name, name)
            if other != name:
                yield InputError(
                    f"there are {other} and {name}; leave one out",
                    field=where,
                    value=_shown(value, where),
                )
        yield from _faults_of(value, field, where)


def _unknown(where: str, name: str, value: Json, kind: Descriptor) -> InputError:
    known = [field.json_name for field in kind.fields]
    return InputError(
        f"{kind.name} has no field {shown(name)!r}; it has {as_list(known) or 'none'}"
        + guess(name, known),
        field=where,
        value=_shown(value, where),
    )


def _faults_of(value: Json, field: FieldDescriptor, where: str) -> Iterator[InputError]:
    kind = field.message_type
    if value is None:
        return
    if kind is not None and kind.GetOptions().map_entry:
        if not isinstance(value, dict):
            yield _wrong(where, value, 'an object such as {"name": "value"}')
            return
        for name, each in value.items():
            yield from _faults_of(each, kind.fields_by_name["value"], f"{where}.{shown(name)}")
    elif field.is_repeated:
        if not isinstance(value, list):
            yield _wrong(where, value, "a list in []")
            return
        for number, each in enumerate(value):
            yield from _faults_of_one(each, field, f"{where}[{number}]")
    else:
        yield from _faults_of_one(value, field, where)


def _faults_of_one(value: Json, field: FieldDescriptor, where: str) -> Iterator[InputError]:
    kind = field.message_type
    if kind is not None and not kind.full_name.startswith("google.protobuf."):
        if isinstance(value, dict):
            yield from _faults(value, kind, f"{where}.")
        else:
            example = ' such as {"text": "..."}' if "text" in kind.fields_by_name else ""
            yield _wrong(where, value, f"an object{example}")
    elif not _is_taken(value, field):
        yield _wrong(where, value, _wanted(field, None if _is_secret(where) else value))


def _is_taken(value: Json, field: FieldDescriptor) -> bool:
    """Let the library judge a value that is no message of ours."""
    holder: Any = field.containing_type
    try:
        ParseDict({field.name: [value] if field.is_repeated else value}, GetMessageClass(holder)())
    except (ParseError, ValueError, TypeError, OverflowError):
        return False
    return True


def _wanted(field: FieldDescriptor, value: Json) -> str:
    kind = field.message_type
    if field.type == FieldDescriptor.TYPE_STRING and isinstance(value, int | float):
        return f'a text, such as "{value}"'
    if kind is not None:
        return EXAMPLES.get(kind.full_name, f"a {kind.name}")
    if field.enum_type is not None:
        return f"one of {_names(field.enum_type)}"
    return SEAT_WANTED if field.name in SEATS else WANTED.get(field.type, "a number")


def _names(kind: EnumDescriptor) -> str:
    return as_list(value.name for value in kind.values if not value.name.endswith("_UNSPECIFIED"))


def _wrong(where: str, value: Json, wanted: str) -> InputError:
    if _is_secret(where) or _has_secret(value):
        return InputError(f"{where} must be {wanted}", field=where)
    text = shown(value)
    given = repr(text) if isinstance(value, str) else text
    return InputError(f"{where} is {given}; it must be {wanted}", field=where, value=text)


def _shown(value: Json, where: str) -> str:
    """Show a value, but never that of a token, which would reach logs and screens."""
    return "" if _is_secret(where) or _has_secret(value) else shown(value)


def _has_secret(value: Json) -> bool:
    """Whether a field that is called token, or almost, is somewhere in a value."""
    inner = [value]
    while inner:
        each = inner.pop()
        if isinstance(each, dict):
            if any(_is_secret(name) for name in each):
                return True
            inner += each.values()
        elif isinstance(each, list):
            inner += each
    return False


def _is_secret(where: str) -> bool:
    """Whether a path leads into a field that is called token, or almost."""
    names = [part.casefold() for part in PARTS.split(where)]
    secret = (name for name in names if "page" not in name)
    return any(SECRET in name or get_close_matches(name, [SECRET], 1, ALIKE) for name in secret)
