"""An OpenAPI document of the services, made from their descriptors with the comments of the protos.

Schemas describe the JSON form of protocol buffers. A stream is not JSON: its content type
`application/connect+json` has messages with a prefix of five bytes each
(https://connectrpc.com/docs/protocol), and its schema is that of one message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import Default

from kingmaker import __version__

Schema = dict[str, Any]

DESCRIPTORS = "api.binpb"
# Numbers of fields in descriptor.proto, of which the path of a comment is made.
FILE_MESSAGE, FILE_SERVICE, SERVICE_METHOD, MESSAGE_FIELD, MESSAGE_NESTED = 4, 6, 2, 2, 3
INTEGERS = {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32}
BIG_INTEGERS = {FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64}
FLOATS = {FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE}
WELL_KNOWN: dict[str, Schema] = {
    "google.protobuf.Duration": {"type": "string", "examples": ["1.5s"]},
    "google.protobuf.Timestamp": {"type": "string", "format": "date-time"},
}
ERROR: Schema = {
    "type": "object",
    "description": "A refused call. `debug` of a detail is the google.rpc message of its type.",
    "properties": {
        "code": {"type": "string", "examples": ["invalid_argument"]},
        "message": {"type": "string"},
        "details": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "examples": ["google.rpc.ErrorInfo"]},
                    "value": {"type": "string", "contentEncoding": "base64"},
                    "debug": {"type": "object"},
                },
            },
        },
    },
}


def openapi(services: Sequence[str]) -> Schema:
    """Build the document of some services.

    Args:
        services: their full names.
    """
    comments = _comments()
    schemas: Schema = {"Error": ERROR}
    paths = {}
    for service in services:
        for method in Default().FindServiceByName(service).methods:
            path = f"/{service}/{method.name}"
            paths[path] = {"post": _operation(method, comments.get(method.full_name, ""))}
            for message in (method.input_type, method.output_type):
                _add(message, schemas, comments)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Kingmaker", "version": __version__},
        "paths": paths,
        "components": {"schemas": dict(sorted(schemas.items()))},
    }


def _operation(method: MethodDescriptor, comment: str) -> Schema:
    summary, _, _ = comment.partition("\n\n")
    kind = "application/connect+json" if method.server_streaming else "application/json"
    return {
        "operationId": method.full_name.removeprefix("kingmaker.v1."),
        "tags": [method.containing_service.name],
        "summary": summary.replace("\n", " "),
        "description": comment,
        "requestBody": {
            "required": True,
            "content": {kind: {"schema": _reference(method.input_type)}},
        },
        "responses": {
            "200": {
                "description": "Messages of a stream." if method.server_streaming else "Done.",
                "content": {kind: {"schema": _reference(method.output_type)}},
            },
            "default": {
                "description": "The call was refused.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }


def _add(message: Descriptor, schemas: Schema, comments: dict[str, str]) -> None:
    """Add the schema of a message and of all that it is made of."""
    name = _name(message)
    if message.full_name in WELL_KNOWN or name in schemas:
        return
    properties: Schema = {}
    schemas[name] = {
        "type": "object",
        "description": comments.get(message.full_name, ""),
        "properties": properties,
        "additionalProperties": False,
    }
    for field in message.fields:
        schema = _field(field)
        comment = comments.get(field.full_name, "")
        oneof = field.containing_oneof
        if oneof is not None and len(oneof.fields) > 1:
            comment += f"\n\nAt most one of the fields of `{oneof.name}` is set."
        properties[field.json_name] = {**schema, "description": comment.strip()}
        for below in _messages_below(field):
            _add(below, schemas, comments)


def _messages_below(field: FieldDescriptor) -> Iterable[Descriptor]:
    message = field.message_type
    if message is None:
        return ()
    if message.GetOptions().map_entry:
        return _messages_below(message.fields_by_name["value"])
    return (message,)


def _field(field: FieldDescriptor) -> Schema:
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        return {
            "type": "object",
            "additionalProperties": _single(message.fields_by_name["value"]),
        }
    schema = _single(field)
    return {"type": "array", "items": schema} if field.is_repeated else schema


def _single(field: FieldDescriptor) -> Schema:
    if field.message_type is not None:
        return _reference(field.message_type)
    if field.enum_type is not None:
        return {"type": "string", "enum": [value.name for value in field.enum_type.values]}
    kind = field.cpp_type
    if kind in INTEGERS:
        return {"type": "integer"}
    if kind in BIG_INTEGERS:
        return {"type": ["string", "integer"], "format": "int64"}
    if kind in FLOATS:
        return {"type": "number"}
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return {"type": "boolean"}
    if field.type == FieldDescriptor.TYPE_BYTES:
        return {"type": "string", "contentEncoding": "base64"}
    return {"type": "string"}


def _reference(message: Descriptor) -> Schema:
    known = WELL_KNOWN.get(message.full_name)
    return dict(known) if known else {"$ref": f"#/components/schemas/{_name(message)}"}


def _name(message: Descriptor) -> str:
    return str(message.full_name).removeprefix("kingmaker.v1.")


def _comments() -> dict[str, str]:
    """Map full names of messages, fields and methods to their comments."""
    data = (files("kingmaker.v1") / DESCRIPTORS).read_bytes()
    comments: dict[str, str] = {}
    for file in FileDescriptorSet.FromString(data).file:
        names = dict(_names(file.package, file.message_type, (FILE_MESSAGE,)))
        for i, service in enumerate(file.service):
            for k, method in enumerate(service.method):
                path = (FILE_SERVICE, i, SERVICE_METHOD, k)
                names[path] = f"{file.package}.{service.name}.{method.name}"
        for location in file.source_code_info.location:
            name = names.get(tuple(location.path))
            if name is not None:
                lines = location.leading_comments.splitlines()
                comments[name] = "\n".join(line.removeprefix(" ") for line in lines).strip()
    return comments


def _names(
    scope: str, messages: Iterable[DescriptorProto], path: tuple[int, ...]
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield path and full name of messages and their fields."""
    for i, message in enumerate(messages):
        here, name = (*path, i), f"{scope}.{message.name}"
        yield here, name
        for k, field in enumerate(message.field):
            yield (*here, MESSAGE_FIELD, k), f"{name}.{field.name}"
        yield from _names(name, message.nested_type, (*here, MESSAGE_NESTED))
