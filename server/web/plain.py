"""Messages as plain data for JSON, in less than half of the time of `MessageToDict`.

The same data, for the kinds of fields that our protos have: no groups, extensions, `Any`, wrappers
and 32-bit floats.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Callable
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

Write = Callable[[Any], Any]

BIG_INTEGERS = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
AS_TEXT = {"google.protobuf.Duration", "google.protobuf.Timestamp"}

# Of each field: its name in JSON, and what writes its values; None: they are written as they are.
_fields: dict[FieldDescriptor, tuple[str, Write | None]] = {}


def plain(message: Message) -> dict[str, Any]:
    """Return a message as plain data, as `MessageToDict` does."""
    data: dict[str, Any] = {}
    for field, value in message.ListFields():
        known = _fields.get(field)
        if known is None:
            known = _fields[field] = (field.json_name, _writer(field))
        name, write = known
        data[name] = value if write is None else write(value)
    return data


def _writer(field: FieldDescriptor) -> Write | None:
    """Return what writes all values of a field."""
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        each = _single(message.fields_by_name["value"])
        return lambda values: {
            _key(key): value if each is None else each(value) for key, value in values.items()
        }
    one = _single(field)
    if not field.is_repeated:
        return one
    return list if one is None else lambda values: [one(value) for value in values]


def _single(field: FieldDescriptor) -> Write | None:
    """Return what writes one value of a field."""
    if field.message_type is not None:
        if field.message_type.full_name in AS_TEXT:
            return lambda value: value.ToJsonString()
        return plain
    if field.enum_type is not None:
        names = {number: value.name for number, value in field.enum_type.values_by_number.items()}
        return lambda value: names.get(value, value)
    if field.cpp_type in BIG_INTEGERS:
        return str
    if field.cpp_type == FieldDescriptor.CPPTYPE_DOUBLE:
        return _number
    if field.type == FieldDescriptor.TYPE_BYTES:
        return lambda value: base64.b64encode(value).decode()
    return None


def _number(value: float) -> float | int | str:
    """Write a number; JSON has none that are not finite, and whole ones have no point."""
    if math.isfinite(value):
        return int(value) if value.is_integer() else value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _key(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)
