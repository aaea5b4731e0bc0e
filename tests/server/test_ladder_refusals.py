"""What the service of ladders refuses: plans, names, addresses, databases."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import grpc
import pytest
from pydantic import ValidationError

from kingmaker.ladder.coordinator import begin_ladder
from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Store
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .ladder_client import NAME, Client, plan_of, refused
from .support import Failure, failure_of, serving


@pytest.mark.parametrize(
    ("plan", "field", "words"),
    [
        (plan_of("a=random", "b=stockfish"), "plan.bots[1]", "there is no engine 'stockfish'"),
        (plan_of("a=random", "b=ismcts:depth=3"), "plan.bots[1]", "depth"),
        (plan_of("a=random"), "plan.bots", "bots"),
        (plan_of("a=random", "a=greedy"), "plan.bots", "two bots are called a"),
        (plan_of("a=random", " =greedy"), "plan.bots[1]", "' ' is not a valid name"),
        (plan_of(options={"size": "4"}), "plan.options", "size"),
        (plan_of(anchor="z"), "plan.anchor", "the anchor 'z' is not one of the bots a, b, c"),
        (plan_of(num_groups=0), "plan.num_groups", "greater than 0, not '0'"),
        (plan_of(num_rounds=4), "plan.num_rounds", "num_rounds is for Swiss pairing"),
        (plan_of(pairing=7), "plan.pairing", "there is no value 7"),
        (plan_of(sprt=pb.LadderTest()), "plan.sprt", "between two bots"),
        (plan_of(clock=pb.LadderClock(move_ms=float("inf"))), "plan.clock.move_ms", "finite"),
        (plan_of(rules_version="1"), "plan.rules_version", "leave it empty"),
    ],
)
def test_a_wrong_plan_is_refused_with_its_field(
    client: Client, plan: pb.LadderPlan, field: str, words: str
) -> None:
    failure = refused(lambda: client.start("wrong", plan))
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    [(found, description)] = failure.fields.items()
    assert found.startswith(field)
    assert words in description
    assert refused(lambda: client.resume("wrong")).code is grpc.StatusCode.NOT_FOUND


def test_a_name_that_spoils_tables_is_refused(client: Client) -> None:
    failure = refused(lambda: client.start("a\nb", plan_of()))
    assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
    assert list(failure.fields) == ["name"]


def test_an_unknown_game_is_not_found(client: Client) -> None:
    failure = refused(lambda: client.start("wrong", plan_of(game="go")))
    assert failure.code is grpc.StatusCode.NOT_FOUND
    assert failure.info.reason == "UNKNOWN_GAME"


def test_a_bot_whose_server_does_not_answer_is_a_failed_precondition(client: Client) -> None:
    plan = plan_of("a=random", "away=grpc://127.0.0.1:9/level=3")
    failure = refused(lambda: client.start("wrong", plan))
    assert failure.code is grpc.StatusCode.FAILED_PRECONDITION
    assert failure.message == "bot away can't play: 127.0.0.1:9 does not answer as it should"
    assert refused(lambda: client.resume("wrong")).code is grpc.StatusCode.NOT_FOUND


@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("127.0.0.1:9", True),
        ("127.0.0.1:10", False),
        ("169.254.169.254:80", False),
        ("TARPIT:77", True),
        ("tarpit.example:77", False),
        ("[::1]:9", False),
    ],
)
def test_ladders_use_addresses_of_the_list_only(
    client: Client, address: str, is_allowed: bool
) -> None:
    plan = plan_of("a=random", f"away=grpc://{address}/level=3")
    failure = refused(lambda: client.start("wrong", plan))
    if is_allowed:
        assert failure.code is grpc.StatusCode.FAILED_PRECONDITION
        assert "does not answer as it should" in failure.message
    else:
        assert failure.code is grpc.StatusCode.INVALID_ARGUMENT
        assert "which ladders of this server may not use" in failure.fields["plan.bots[1]"]


def test_a_stored_plan_is_checked_for_its_addresses_too(client: Client) -> None:
    with Store(client.database) as store:
        plan = LadderPlan.of(
            game="tic_tac_toe", bots=["a=random", "b=grpc://10.1.2.3:5/level=3"], num_groups=1
        )
        begin_ladder(store, "smuggled", plan).state = LadderState.STOPPED
    failure = refused(lambda: client.resume("smuggled"))
    assert failure.code is grpc.StatusCode.FAILED_PRECONDITION
    assert "10.1.2.3:5, which ladders of this server may not use" in failure.message


@pytest.mark.parametrize(
    ("method", "request_type"),
    [
        ("ResumeLadder", pb.ResumeLadderRequest),
        ("StopLadder", pb.StopLadderRequest),
        ("GetLadder", pb.GetLadderRequest),
        ("WatchLadder", pb.WatchLadderRequest),
        ("ListLadderGames", pb.ListLadderGamesRequest),
        ("ExportLadderGames", pb.ExportLadderGamesRequest),
    ],
)
def test_an_unknown_ladder_is_not_found(client: Client, method: str, request_type: Any) -> None:
    failure = refused(lambda: drained(getattr(client.stub, method)(request_type(name="winter"))))
    assert failure.code is grpc.StatusCode.NOT_FOUND
    assert failure.info.metadata["value"] == "winter"
    assert "there is no ladder 'winter'" in failure.fields["name"]


def drained(answer: Any) -> None:
    """Read a stream to its end."""
    if hasattr(answer, "__next__"):
        list(answer)


@pytest.mark.parametrize(
    "method", [each.name for each in pb.DESCRIPTOR.services_by_name["LadderService"].methods]
)
async def test_without_the_setting_every_call_says_what_is_missing(method: str) -> None:
    request = getattr(pb, f"{method}Request")()
    async with serving() as service:
        failure = await failure_of(getattr(LadderServiceStub(service.channel), method)(request))
    assert failure.code is grpc.StatusCode.UNIMPLEMENTED
    assert failure.info.reason == "LADDERS_OFF"
    assert "--ladders" in failure.message


def test_a_kind_of_database_that_is_not_known_is_a_wrong_setting() -> None:
    with pytest.raises(ValidationError, match="databases of kind 'mysql' are not supported"):
        ServerSettings(ladders="mysql://localhost/ladders")


async def listing_failure(database: str) -> Failure:
    """Ask a server of this database for its ladders."""
    async with serving(ladders=database) as service:
        stub: Any = LadderServiceStub(service.channel)
        return await failure_of(stub.ListLadders(pb.ListLaddersRequest()))


async def test_a_database_that_cant_be_reached_is_unavailable(tmp_path: Path) -> None:
    failure = await listing_failure(str(tmp_path / "nowhere" / "ladder.sqlite"))
    assert (failure.code, failure.info.reason) == (grpc.StatusCode.UNAVAILABLE, "DATABASE_FAILED")
    assert "can't be opened" in failure.message
    assert "RetryInfo" in failure.details


async def test_a_database_of_a_newer_version_is_a_failed_precondition(tmp_path: Path) -> None:
    path = tmp_path / "ladder.sqlite"
    Store(str(path)).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9876'")
    failure = await listing_failure(str(path))
    assert (failure.code, failure.info.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "NEWER_SCHEMA",
    )
    assert "has schema 9876" in failure.message
    assert "PreconditionFailure" in failure.details


async def test_a_database_without_room_is_exhausted_and_keeps_nothing(tmp_path: Path) -> None:
    async with serving(ladders=str(tmp_path / "ladder.sqlite")) as service:
        stub: Any = LadderServiceStub(service.channel)
        await stub.ListLadders(pb.ListLaddersRequest())
        store = service.server._ladders.database.store  # type: ignore[union-attr]
        with store.writing() as connection:  # type: ignore[union-attr]
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        plan = plan_of(*(f"{number:040}=random" for number in range(100)))
        failure = await failure_of(stub.StartLadder(pb.StartLadderRequest(name=NAME, plan=plan)))
        assert (failure.code, failure.info.reason) == (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "DISK_FULL",
        )
        assert not (await stub.ListLadders(pb.ListLaddersRequest())).ladders
