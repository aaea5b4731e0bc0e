"""The table of errors, and the codes that no single rpc owns."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from google.rpc import error_details_pb2, status_pb2

from kingmaker.cext.errors import InputError, StateError, UnknownGameError
from kingmaker.server import errors
from kingmaker.server.analysis.service import AnalysisServicer
from kingmaker.server.errors import Problems, RequestError, refusal
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import game_service_pb2 as games_pb

from .support import (
    Service,
    failure_of,
    midgame,
    observation_of,
    seconds,
    serving,
    simulations,
    until,
)

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "clients.md"
SELECT = "/kingmaker.v1.AnalysisService/SelectMove"


def example(kind: type[BaseException]) -> BaseException:
    """An exception of a class of the table, as it reaches the interceptor."""
    if issubclass(kind, InputError):
        return RequestError([kind("wrong", field="here", value="1", rule="R1")])
    if issubclass(kind, errors.OverloadError):
        return kind("full", "queue:bulk", 1.5)
    return kind("wrong")


@pytest.mark.parametrize("row", errors.TABLE, ids=lambda row: row.error.__name__)
def test_every_row_of_the_table_gives_its_code_and_reason(row: Any) -> None:
    answer = refusal(example(row.error))
    assert answer.code is row.code
    status = status_pb2.Status.FromString(answer.trailer)
    assert status.code == row.code.value[0]
    assert status.message == answer.message
    info = status.details[0]
    assert info.type_url.endswith("google.rpc.ErrorInfo")
    assert row.reason.encode() in info.value


def test_reasons_are_what_clients_expect() -> None:
    found = {row.error.__name__: (row.code.name, row.reason) for row in errors.TABLE}
    assert found == {
        "UnknownGameError": ("NOT_FOUND", "UNKNOWN_GAME"),
        "UnknownNameError": ("NOT_FOUND", "UNKNOWN_NAME"),
        "UnknownLadderError": ("NOT_FOUND", "UNKNOWN_NAME"),
        "NameTakenError": ("ALREADY_EXISTS", "NAME_TAKEN"),
        "LadderExistsError": ("ALREADY_EXISTS", "NAME_TAKEN"),
        "InfeasibleError": ("FAILED_PRECONDITION", "INFEASIBLE"),
        "WrongTokenError": ("PERMISSION_DENIED", "WRONG_TOKEN"),
        "StateError": ("FAILED_PRECONDITION", "WRONG_STATE"),
        "InputError": ("INVALID_ARGUMENT", "INVALID_FIELD"),
        "MalformedRequestError": ("INVALID_ARGUMENT", "MALFORMED_REQUEST"),
        "RequestTooLargeError": ("RESOURCE_EXHAUSTED", "REQUEST_TOO_LARGE"),
        "UnsupportedRequestError": ("UNIMPLEMENTED", "UNSUPPORTED_REQUEST"),
        "UnauthenticatedError": ("UNAUTHENTICATED", "UNAUTHENTICATED"),
        "ForbiddenError": ("PERMISSION_DENIED", "NOT_ALLOWED"),
        "QuotaError": ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"),
        "OverloadError": ("RESOURCE_EXHAUSTED", "SERVER_BUSY"),
        "BotLeftError": ("ABORTED", "BOT_LEFT"),
        "MemoryError": ("RESOURCE_EXHAUSTED", "OUT_OF_MEMORY"),
        "DrainingError": ("UNAVAILABLE", "SHUTTING_DOWN"),
        "NewerVersionError": ("UNAVAILABLE", "NEWER_VERSION"),
        "LaddersOffError": ("UNIMPLEMENTED", "LADDERS_OFF"),
        "BatchesOffError": ("UNIMPLEMENTED", "BATCHES_OFF"),
        "MatchesOffError": ("UNIMPLEMENTED", "MATCHES_OFF"),
        "LadderError": ("FAILED_PRECONDITION", "LADDER_CANT_BE_PLAYED"),
        "NewerSchemaError": ("FAILED_PRECONDITION", "NEWER_SCHEMA"),
        "DiskFullError": ("RESOURCE_EXHAUSTED", "DISK_FULL"),
        "StoreError": ("UNAVAILABLE", "DATABASE_FAILED"),
        "DeadlineError": ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"),
    }


def test_the_page_for_clients_lists_the_reasons_of_each_code() -> None:
    listed, code = [], ""
    for line in DOCUMENTATION.read_text().splitlines():
        if row := re.match(r"\| (?:`([A-Z_]+)` )?\| `([A-Z_]+)` \|", line):
            code = row[1] or code
            listed.append((code, row[2]))
    rows = (*errors.TABLE, errors.INTERNAL)
    assert sorted(listed) == sorted({(row.code.name, row.reason) for row in rows})


@pytest.mark.parametrize("error", [ZeroDivisionError("x / 0"), InputError("secret"), KeyError("x")])
def test_what_the_caller_did_not_do_is_internal_and_tells_nothing(error: Exception) -> None:
    answer = refusal(error)
    assert answer.code is grpc.StatusCode.INTERNAL
    assert str(error) not in answer.message


def test_mistakes_of_several_kinds_are_an_invalid_argument() -> None:
    problems = Problems()
    for field, kind in (("game", UnknownGameError), ("position", StateError)):
        with problems.at(field):
            raise kind("wrong")
    with pytest.raises(RequestError) as caught:
        problems.check()
    assert refusal(caught.value).code is grpc.StatusCode.INVALID_ARGUMENT
    assert str(caught.value) == "game: wrong; position: wrong"


@pytest.mark.parametrize(
    ("path", "field", "joined"),
    [
        ("position", "", "position"),
        ("position", "position", "position"),
        ("position", "grave", "position.grave"),
        ("position", "position.grave", "position.grave"),
        ("", "options.players", "options.players"),
        ("moves[3]", "move", "moves[3]"),
        ("budget", "time", "budget.time"),
    ],
)
def test_fields_are_named_by_their_path_in_the_request(path: str, field: str, joined: str) -> None:
    problems = Problems()
    with problems.at(path):
        raise InputError("wrong", field=field)
    with pytest.raises(RequestError) as caught:
        problems.check()
    assert caught.value.errors[0].field == joined


async def test_a_fault_of_ours_is_internal_over_the_wire(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise InputError("a secret of ours", field="hand")

    monkeypatch.setattr("kingmaker.server.analysis.jobs.move_message", fail)
    request = pb.SelectMoveRequest(
        search=pb.Search(observation=observation_of(midgame()), budget=simulations(10))
    )
    failed = await failure_of(service.analysis.SelectMove(request))
    assert failed.code is grpc.StatusCode.INTERNAL
    assert failed.info.reason == "INTERNAL"
    assert "secret" not in failed.message
    assert await until(lambda: service.server.status().running == 0) < 0.5


async def test_bytes_of_no_message_are_an_invalid_argument(service: Service) -> None:
    call: Any = service.channel.unary_unary(SELECT)
    failed = await failure_of(call(b"\xff\xff\xff\xff"))
    assert failed.code is grpc.StatusCode.INVALID_ARGUMENT
    assert failed.info.reason == "MALFORMED_REQUEST"


async def test_an_unknown_method_is_unimplemented(service: Service) -> None:
    call: Any = service.channel.unary_unary("/kingmaker.v1.AnalysisService/Guess")
    with structlog.testing.capture_logs() as logs:
        failed = await failure_of(call(b""))
        await until(lambda: bool(logs))
    assert failed.code is grpc.StatusCode.UNIMPLEMENTED
    assert failed.message == "there is no call /kingmaker.v1.AnalysisService/Guess"
    [line] = logs
    assert line["method"] == "/unknown/unknown"  # no text of a caller, which may be a secret
    assert (line["code"], line["client"]) == ("UNIMPLEMENTED", "ipv4:127.0.0.1")
    assert line["request"] == failed.info.metadata["request_id"]


async def test_a_deadline_that_would_pass_in_the_queue_is_refused_at_once() -> None:
    async with serving(slots=1, client_share=1.0) as service:
        seen = observation_of(midgame())
        first = service.analysis.SelectMove(
            pb.SelectMoveRequest(search=pb.Search(observation=seen, budget=seconds(0.5)))
        )
        await until(lambda: service.server.status().running == 1)
        second = service.analysis.SelectMove(
            pb.SelectMoveRequest(search=pb.Search(observation=seen)), timeout=0.1
        )
        failed = await failure_of(second)
        assert failed.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert failed.details["RetryInfo"].retry_delay.ToMilliseconds() >= 50
        [violation] = failed.details["QuotaFailure"].violations
        assert violation.subject == "deadline"
        assert service.server.status().waiting_interactive == 0
        await first


async def test_calls_are_unavailable_while_the_server_drains() -> None:
    async with serving(slots=1, grace_seconds=2.0) as service:
        running = service.analysis.SelectMove(
            pb.SelectMoveRequest(
                search=pb.Search(observation=observation_of(midgame()), budget=seconds(0.3))
            )
        )
        await until(lambda: service.server.status().running == 1)
        draining = asyncio.create_task(service.server.drain())
        await asyncio.sleep(0.05)
        failed = await failure_of(service.games.ListGames(games_pb.ListGamesRequest()))
        assert failed.code is grpc.StatusCode.UNAVAILABLE
        assert failed.info.reason == "SHUTTING_DOWN"
        assert failed.details["RetryInfo"].retry_delay.seconds >= 1
        assert (await running).move.text
        await draining


def test_the_servicer_picks_no_codes() -> None:
    assert "StatusCode" not in AnalysisServicer.SelectMove.__code__.co_names


@pytest.mark.parametrize(
    ("path", "field", "joined"),
    [
        ("moves[0]", "move.verb", "moves[0].verb"),
        ("moves[0]", "move", "moves[0]"),
        ("observation", "observation.players[0].hand", "observation.players[0].hand"),
        ("budget", "simulations", "budget.simulations"),
        ("", "game", "game"),
    ],
)
def test_a_field_is_named_by_its_path_in_the_request(path: str, field: str, joined: str) -> None:
    problems = Problems()
    with problems.at(path):
        raise InputError("wrong", field=field)
    with pytest.raises(RequestError) as caught:
        problems.check()
    [error] = caught.value.errors
    assert error.field == joined


@pytest.mark.parametrize(
    ("kind", "name", "violations"),
    [
        (InputError, "BadRequest", "field_violations"),
        (StateError, "PreconditionFailure", "violations"),
    ],
)
def test_of_many_errors_those_that_fit_are_described(
    kind: type[InputError], name: str, violations: str
) -> None:
    wrong = [kind(f"{'long ' * 90}{i}", field=f"moves[{i}]", value="1") for i in range(20)]
    status = status_pb2.Status.FromString(refusal(RequestError(wrong)).trailer)
    info, packed = error_details_pb2.ErrorInfo(), getattr(error_details_pb2, name)()
    status.details[0].Unpack(info)
    assert info.reason
    assert not info.metadata  # which field's, if there are several?
    assert status.details[1].Unpack(packed)
    assert 2 <= len(getattr(packed, violations)) < 20
