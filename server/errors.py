"""Errors as data: the mistakes of a caller, and the one table from exceptions to gRPC codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from kingmaker.cext.errors import InputError, InputErrors, StateError, UnknownGameError
from kingmaker.ladder.errors import (
    DiskFullError,
    LadderError,
    LadderExistsError,
    NewerSchemaError,
    NewerVersionError,
    StoreError,
    UnknownLadderError,
)
from kingmaker.search.solution import InfeasibleError

DOMAIN = "kingmaker"
# gRPC refuses trailers beyond 8 KiB. The status travels base64-encoded, and its message once more
# with every byte outside ASCII as three.
MAX_STATUS_BYTES = 4096
MAX_TEXT_BYTES = 500


class UnknownNameError(InputError):
    """Nothing of its kind has or had this name."""


class NameTakenError(InputError):
    """The name is taken."""


class WrongTokenError(InputError):
    """No seat of a match has this token."""


class BotLeftError(Exception):
    """A bot has disconnected."""


class MalformedRequestError(Exception):
    """The bytes of a request are not a message of its type."""


class RequestTooLargeError(Exception):
    """A request has more bytes than its method takes."""


class UnsupportedRequestError(Exception):
    """A request is for no call, of a form that it does not take, or not one message."""


class UnauthenticatedError(Exception):
    """The caller has not proved who they are."""


class ForbiddenError(Exception):
    """The caller may not do this."""


class OverloadError(Exception):
    """No slot and no place in the queue is free, or the caller's quota of them is used up.

    Attributes:
        subject: owner of the quota, as in QuotaFailure: a limit of this code, and after a colon
            perhaps whom it concerns.
        retry_seconds: when a retry may succeed.
    """

    def __init__(self, message: str, subject: str, retry_seconds: float) -> None:
        super().__init__(message)
        self.subject = subject
        self.retry_seconds = retry_seconds

    @property
    def limit(self) -> str:
        """The limit, without whom it concerns."""
        return self.subject.partition(":")[0]


class QuotaError(OverloadError):
    """The caller has used up what they may use in a minute."""


class DrainingError(Exception):
    """The server shuts down and takes no new calls."""


class LaddersOffError(Exception):
    """The server has no database for ladders."""


class BatchesOffError(Exception):
    """The server has no database for batches."""


class MatchesOffError(Exception):
    """The server has no database for matches."""


class DeadlineError(Exception):
    """The caller's deadline has passed."""


class RequestError(Exception):
    """The caller's mistakes, see `Problems`.

    Attributes:
        errors: one or more, each with the path of its field.
        kind: the class of all of them, or else InputError.
    """

    def __init__(self, errors: Sequence[InputError]) -> None:
        super().__init__(
            str(errors[0])
            if len(errors) == 1
            else "; ".join(f"{error.field}: {error}" for error in errors)
        )
        self.errors = errors
        kinds = {type(error) for error in errors}
        self.kind = kinds.pop() if len(kinds) == 1 else InputError


class Problems:
    """Collects the mistakes in a request, to report all of them at once.

    Only an `InputError` raised within `at` is a mistake of the caller; anywhere else it is a bug of
    the server.
    """

    def __init__(self, path: str = "", errors: list[InputError] | None = None) -> None:
        self._path = path
        self._errors: list[InputError] = [] if errors is None else errors

    def below(self, path: str) -> Problems:
        """Return a collector of the same mistakes for the fields of the message `path`."""
        return Problems(_join(self._path, path) if self._path else path, self._errors)

    def at(self, path: str) -> _Guard:
        """Record an `InputError` of the `with` block as a problem of the field `path`."""
        return _Guard(self, path)

    def add(self, path: str, error: InputError) -> None:
        """Record an error that was caught as a problem of the field `path`."""
        if isinstance(error, InputErrors):
            for each in error.errors:
                self.add(path, each)
            return
        # Its frames hold the collector that holds the error, and the request: as a cycle they would
        # stay in memory until a garbage collection.
        error.__traceback__ = error.__cause__ = error.__context__ = None
        error.field = _join(_join(self._path, path), error.field)
        self._errors.append(error)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._errors)

    def check(self) -> None:
        """Raise the recorded problems as `RequestError`, if there are any."""
        if self._errors:
            raise RequestError(self._errors)


class _Guard:
    """The context of `Problems.at`; a class, as a generator is slower and every call has many."""

    __slots__ = ("_path", "_problems")

    def __init__(self, problems: Problems, path: str) -> None:
        self._problems = problems
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if not isinstance(error, InputError):
            return False
        self._problems.add(self._path, error)
        return True


def _join(path: str, field: str) -> str:
    """Name a field by its path in the request; `field` may repeat the end of `path`."""
    if not path:
        return field
    last = path.rpartition(".")[2]
    item, _, _ = last.partition("s[")  # "move" of "moves[3]"
    if field in ("", last, item):
        return path
    below = field.removeprefix(f"{last}.").removeprefix(f"{item}.")
    return f"{path}.{below}"


@dataclass(frozen=True, slots=True)
class _Row:
    error: type[BaseException]
    code: grpc.StatusCode
    reason: str


# The first row that matches counts; a `RequestError` has the kind of its errors.
TABLE = (
    _Row(UnknownGameError, grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME"),
    _Row(UnknownNameError, grpc.StatusCode.NOT_FOUND, "UNKNOWN_NAME"),
    _Row(UnknownLadderError, grpc.StatusCode.NOT_FOUND, "UNKNOWN_NAME"),
    _Row(NameTakenError, grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN"),
    _Row(LadderExistsError, grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN"),
    _Row(InfeasibleError, grpc.StatusCode.FAILED_PRECONDITION, "INFEASIBLE"),
    _Row(WrongTokenError, grpc.StatusCode.PERMISSION_DENIED, "WRONG_TOKEN"),
    _Row(StateError, grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATE"),
    _Row(InputError, grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"),
    _Row(MalformedRequestError, grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_REQUEST"),
    _Row(RequestTooLargeError, grpc.StatusCode.RESOURCE_EXHAUSTED, "REQUEST_TOO_LARGE"),
    _Row(UnsupportedRequestError, grpc.StatusCode.UNIMPLEMENTED, "UNSUPPORTED_REQUEST"),
    _Row(UnauthenticatedError, grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED"),
    _Row(ForbiddenError, grpc.StatusCode.PERMISSION_DENIED, "NOT_ALLOWED"),
    _Row(QuotaError, grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED"),
    _Row(OverloadError, grpc.StatusCode.RESOURCE_EXHAUSTED, "SERVER_BUSY"),
    _Row(BotLeftError, grpc.StatusCode.ABORTED, "BOT_LEFT"),
    _Row(MemoryError, grpc.StatusCode.RESOURCE_EXHAUSTED, "OUT_OF_MEMORY"),
    _Row(DrainingError, grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN"),
    _Row(NewerVersionError, grpc.StatusCode.UNAVAILABLE, "NEWER_VERSION"),
    _Row(LaddersOffError, grpc.StatusCode.UNIMPLEMENTED, "LADDERS_OFF"),
    _Row(BatchesOffError, grpc.StatusCode.UNIMPLEMENTED, "BATCHES_OFF"),
    _Row(MatchesOffError, grpc.StatusCode.UNIMPLEMENTED, "MATCHES_OFF"),
    _Row(LadderError, grpc.StatusCode.FAILED_PRECONDITION, "LADDER_CANT_BE_PLAYED"),
    _Row(NewerSchemaError, grpc.StatusCode.FAILED_PRECONDITION, "NEWER_SCHEMA"),
    _Row(DiskFullError, grpc.StatusCode.RESOURCE_EXHAUSTED, "DISK_FULL"),
    _Row(StoreError, grpc.StatusCode.UNAVAILABLE, "DATABASE_FAILED"),
    _Row(DeadlineError, grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"),
)
INTERNAL = _Row(Exception, grpc.StatusCode.INTERNAL, "INTERNAL")
OUT_OF_MEMORY_TEXT = "there is not enough memory for this search now; lower memory_bytes or retry"
INTERNAL_TEXT = "the server failed; its log has the details"
RETRY_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a failed call.

    Attributes:
        code: the gRPC code.
        reason: that of the ErrorInfo.
        message: the message of the status.
        trailer: the serialized `google.rpc.Status`.
    """

    code: grpc.StatusCode
    reason: str
    message: str
    trailer: bytes


def refusal(error: BaseException, request_id: str = "") -> Refusal:
    """Map an exception to the answer of the call with this id."""
    kind = error.kind if isinstance(error, RequestError) else type(error)
    row = INTERNAL
    if not isinstance(error, InputError):
        row = next((row for row in TABLE if issubclass(kind, row.error)), INTERNAL)
    message = _shorten(_message(row, error))
    status = status_pb2.Status(code=_code_number(row.code), message=message)
    for detail in (_error_info(row, error, request_id), *_details(row, error, message)):
        packed = AnyMessage()
        packed.Pack(detail)
        if status.ByteSize() + packed.ByteSize() > MAX_STATUS_BYTES:
            break
        status.details.append(packed)
    return Refusal(row.code, row.reason, message, status.SerializeToString())


def _code_number(code: grpc.StatusCode) -> int:
    number, _ = code.value
    return int(number)


def _message(row: _Row, error: BaseException) -> str:
    if row is INTERNAL:
        return INTERNAL_TEXT
    if isinstance(error, MemoryError):
        return OUT_OF_MEMORY_TEXT
    if isinstance(error, LadderError):
        return error.message
    if isinstance(error, StoreError):
        return error.public
    return str(error)


def _shorten(text: str, limit: int = MAX_TEXT_BYTES) -> str:
    encoded = text.encode(errors="backslashreplace")
    if len(encoded) <= limit:
        return encoded.decode()
    return encoded[: limit - 4].decode(errors="ignore") + " ..."


def _error_info(row: _Row, error: BaseException, request_id: str) -> Message:
    metadata = {"request_id": request_id} if request_id else {}
    if isinstance(error, RequestError) and len(error.errors) == 1:
        only = error.errors[0]
        named = {"field": only.field, "value": only.value, "rule": only.rule}
        if isinstance(only, InfeasibleError):
            named |= only.details
        metadata |= {key: _shorten(value, 100) for key, value in named.items() if value}
    info: Message = error_details_pb2.ErrorInfo(reason=row.reason, domain=DOMAIN, metadata=metadata)
    return info


def _details(row: _Row, error: BaseException, message: str) -> Iterator[Message]:
    if isinstance(error, RequestError) and issubclass(error.kind, StateError):
        yield _precondition_failure(row, error.errors)
    elif isinstance(error, RequestError):
        yield _bad_request(error.errors)
    elif isinstance(error, OverloadError):
        yield _retry_info(error.retry_seconds)
        yield error_details_pb2.QuotaFailure(
            violations=[
                error_details_pb2.QuotaFailure.Violation(subject=error.subject, description=message)
            ]
        )
    elif isinstance(error, LadderError | NewerSchemaError):
        yield error_details_pb2.PreconditionFailure(
            violations=[
                error_details_pb2.PreconditionFailure.Violation(
                    type=row.reason, description=message
                )
            ]
        )
    elif isinstance(error, DrainingError | NewerVersionError | MemoryError | StoreError):
        yield _retry_info(RETRY_SECONDS)


def _precondition_failure(
    row: _Row, errors: Sequence[InputError]
) -> error_details_pb2.PreconditionFailure:
    """Describe each error; the last ones are left out if they don't fit the trailer."""
    message = error_details_pb2.PreconditionFailure()
    for error in errors:
        violation = error_details_pb2.PreconditionFailure.Violation(
            type=row.reason, subject=_shorten(error.field, 200), description=_shorten(str(error))
        )
        if message.ByteSize() + violation.ByteSize() > MAX_STATUS_BYTES // 2:
            break
        message.violations.append(violation)
    return message


def _bad_request(errors: Sequence[InputError]) -> error_details_pb2.BadRequest:
    """Describe each error; the last ones are left out if they don't fit the trailer."""
    message = error_details_pb2.BadRequest()
    for error in errors:
        text = _shorten(str(error))
        value = _shorten(error.value, 100)
        if value and value not in text:
            text = f"{text}; given: {value}"
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=_shorten(error.field, 200), description=text
        )
        if message.ByteSize() + violation.ByteSize() > MAX_STATUS_BYTES // 2:
            break
        message.field_violations.append(violation)
    return message


def _retry_info(seconds: float) -> error_details_pb2.RetryInfo:
    delay = Duration()
    delay.FromMilliseconds(max(round(seconds * 1000), 1))
    info: Message = error_details_pb2.RetryInfo(retry_delay=delay)
    return info
