"""The JSON of answers: that of protobuf, and as the OpenAPI document describes it."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from google.protobuf.descriptor_pool import Default
from google.protobuf.json_format import MessageToDict
from google.protobuf.message_factory import GetMessageClass

from kingmaker.server.services import SERVICES
from kingmaker.server.web.plain import plain
from kingmaker.v1 import types_pb2

from .support import Service, midgame, observation_of
from .web_client import http, post, url_of


async def test_the_openapi_document_has_every_method_with_its_comment(web: Service) -> None:
    document = (await http(url_of(web), "GET", "/openapi.json")).json
    assert {path.split("/")[1] for path in document["paths"]} == set(SERVICES)
    for path in document["paths"].values():
        assert path["post"]["summary"]
    schemas = document["components"]["schemas"]
    assert "Milliseconds" not in schemas
    for schema in schemas.values():
        assert schema["description"]
    options = schemas["StartGameRequest"]["properties"]["options"]
    assert options["additionalProperties"] == {"type": "string"}
    text = json.dumps(document)
    for word in text.split('"$ref": "#/components/schemas/')[1:]:
        assert word.partition('"')[0] in schemas


async def test_an_answer_fits_its_schema(web: Service) -> None:
    """Walks the answer beside the schema, as generated clients do."""
    schemas = (await http(url_of(web), "GET", "/openapi.json")).json["components"]["schemas"]
    observation = observation_of(midgame())
    fields = {
        "observation": {"game": observation.game, "text": observation.text},
        "budget": {"simulations": "200"},
    }
    answer = await post(url_of(web), "AnalysisService/SuggestMoves", {"search": fields})
    assert answer.status == 200
    check(answer.json, {"$ref": "#/components/schemas/SuggestMovesResponse"}, schemas)


def check(value: Any, schema: Any, schemas: Any) -> None:
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}
    kind = schema["type"]
    if kind == "number":
        assert isinstance(value, int | float)
    else:
        assert isinstance(
            value, tuple(kinds[each] for each in ([kind] if isinstance(kind, str) else kind))
        )
    if isinstance(value, list):
        for each in value:
            check(each, schema["items"], schemas)
    elif isinstance(value, dict):
        for name, each in value.items():
            check(
                each,
                schema.get("properties", {}).get(name) or schema["additionalProperties"],
                schemas,
            )
    elif "enum" in schema:
        assert value in schema["enum"]


def filled(descriptor: Any, depth: int = 0) -> Any:
    """Make a message with something in every field, of a oneof in the last one."""
    message = GetMessageClass(descriptor)()
    for field in descriptor.fields:
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            getattr(message, field.name)["one"] = 1 if kind.fields[1].cpp_type != 9 else "two"
        elif kind is not None:
            if depth < 4:
                below = [filled(kind, depth + 1)] if field.is_repeated else filled(kind, depth + 1)
                merge(message, field, below)
        else:
            value = {9: "x\u2028", 7: True, 5: 1.5, 8: 1}.get(field.cpp_type, 999_999_999)
            merge(message, field, [value, value] if field.is_repeated else value)
    return message


def merge(message: Any, field: Any, value: Any) -> None:
    if field.is_repeated:
        getattr(message, field.name).extend(value)
    elif field.message_type is not None:
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


@pytest.mark.parametrize("service", SERVICES)
def test_json_of_every_answer_is_that_of_protobuf(service: str) -> None:
    for method in Default().FindServiceByName(service).methods:
        message = filled(method.output_type)
        assert plain(message) == MessageToDict(message)
        empty = GetMessageClass(method.output_type)()
        assert plain(empty) == MessageToDict(empty) == {}


@pytest.mark.parametrize("value", [0.1, 2.0, -1e300, math.inf, -math.inf, math.nan])
def test_numbers_that_json_lacks_are_texts(value: float) -> None:
    message = types_pb2.Node(returns=[value])
    assert plain(message) == MessageToDict(message)
