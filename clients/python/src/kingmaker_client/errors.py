"""Errors of the server with their details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message

from . import details_pb2

M = TypeVar("M", bound=Message)
TRAILER = "grpc-status-details-bin"


@dataclass(frozen=True)
class Violation:
    """One wrong field.

    Attributes:
        field: its path in the request, as `search.observation.text`.
        description: what is wrong with it, and what would be right.
    """

    field: str
    description: str


class KingmakerError(Exception):
    """An error that the server answered with, or gRPC itself if there is no `reason`.

    Attributes:
        code: of gRPC.
        message: one sentence for people.
        reason: for programs, as `WRONG_STATE`; empty: not from a Kingmaker server.
        field: path of the wrong field; may be empty.
        value: the wrong value; may be empty.
        rule: number of the rule that is broken; may be empty.
        violations: all wrong fields.
        retry_seconds: when to try again; None: that would not help.
    """

    def __init__(self, code: grpc.StatusCode, message: str, details: Sequence[Any] = ()) -> None:
        super().__init__(f"{code.name}: {message}")
        self.code, self.message = code, message
        info = _unpacked(details, "ErrorInfo", details_pb2.ErrorInfo)
        self.reason = info.reason
        self.field = info.metadata.get("field", "")
        self.value = info.metadata.get("value", "")
        self.rule = info.metadata.get("rule", "")
        request = _unpacked(details, "BadRequest", details_pb2.BadRequest)
        state = _unpacked(details, "PreconditionFailure", details_pb2.PreconditionFailure)
        self.violations = (
            *(Violation(each.field, each.description) for each in request.field_violations),
            *(Violation(each.subject, each.description) for each in state.violations),
        )
        retry = _unpacked(details, "RetryInfo", details_pb2.RetryInfo)
        self.retry_seconds: float | None = None
        if retry.HasField("retry_delay"):
            self.retry_seconds = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9


def error_of(error: grpc.RpcError) -> KingmakerError:
    """Read an error of gRPC, from a call of these stubs, also one with asyncio."""
    if not isinstance(error, grpc.Call):
        return KingmakerError(grpc.StatusCode.UNKNOWN, str(error))
    status = details_pb2.Status()
    for key, value in error.trailing_metadata() or ():
        if key == TRAILER and isinstance(value, bytes):
            status.ParseFromString(value)
    return KingmakerError(error.code(), error.details() or "", status.details)


def _unpacked(details: Sequence[Any], name: str, kind: type[M]) -> M:
    """Return the detail of a name, or an empty one."""
    message = kind()
    for packed in details:
        if packed.type_url.rpartition(".")[2] == name:
            message.ParseFromString(packed.value)
    return message
