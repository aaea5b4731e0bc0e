"""Databases that are locked, full or not there: calls fail clearly, and the drain ends."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog

from kingmaker.v1 import batch_service_pb2 as batches_pb
from kingmaker.v1 import game_service_pb2 as games_pb
from kingmaker.v1 import ladder_service_pb2 as ladders_pb
from kingmaker.v1.batch_service_pb2_grpc import BatchServiceStub
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub
from kingmaker.v1.match_service_pb2_grpc import MatchServiceStub

from .ladder_client import RANDOM, plan_of
from .match_client import new_match
from .process import failed_start, server_process
from .support import Failure, failure, serving
from .test_batch_service import analysis

CODE = grpc.StatusCode
GRACE_SECONDS = 3


def create_match(channel: Any) -> Any:
    return MatchServiceStub(channel).CreateMatch, new_match("tic_tac_toe")


def create_batch(channel: Any) -> Any:
    return BatchServiceStub(channel).CreateBatch, batches_pb.CreateBatchRequest(tasks=[analysis()])


def start_ladder(channel: Any) -> Any:
    request = ladders_pb.StartLadderRequest(name="l", plan=plan_of(*RANDOM))
    return LadderServiceStub(channel).StartLadder, request


CALLS: dict[str, Callable[[Any], Any]] = {
    "matches": create_match,
    "batches": create_batch,
    "ladders": start_ladder,
}


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Another program writes for long."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_locked_database_does_not_hold_up_the_drain(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.sqlite"
    settings = {name: str(path), "grace_seconds": str(GRACE_SECONDS)}
    with (
        server_process(tmp_path, 0, **settings) as server,
        grpc.insecure_channel(server.address) as channel,
        locked(path),
    ):
        method, request = CALLS[name](channel)
        call = method.future(request)
        time.sleep(1)
        start = time.monotonic()
        server.stop()
        assert server.exit_code(60) == 0
        assert time.monotonic() - start < GRACE_SECONDS + 1
        assert failure(call.exception(10)).code is not CODE.OK


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_database_that_cant_be_opened_is_an_error_of_the_start(tmp_path: Path, name: str) -> None:
    database = str(tmp_path / "nowhere" / "it.sqlite")
    [line] = failed_start(tmp_path, 0, **{name: database})
    assert line["event"] == "can't start"
    assert database in line["why"]


@pytest.mark.parametrize("name", ["matches", "batches"])
async def test_a_full_disk_is_exhausted_and_the_server_goes_on(tmp_path: Path, name: str) -> None:
    async with serving(**{name: str(tmp_path / "it.sqlite")}) as service:
        owner: Any = getattr(service.server, f"_{name}")
        method, request = CALLS[name](service.channel)
        await service.server.check_databases()
        with owner.database.store.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        for _ in range(200):  # until the free parts of its pages are used up
            failed = await outcome(method(request, timeout=20))
            if failed is not None:
                break
        assert failed is not None
        assert (failed.code, failed.info.reason) == (CODE.RESOURCE_EXHAUSTED, "DISK_FULL")
        await service.games.ListGames(games_pb.ListGamesRequest())


@pytest.mark.parametrize("name", CALLS)
async def test_the_log_says_where_a_broken_database_is_and_callers_are_not_told(
    tmp_path: Path, name: str
) -> None:
    database = str(tmp_path / "nowhere" / "it.sqlite")
    with structlog.testing.capture_logs() as lines:
        async with serving(**{name: database}) as service:
            method, request = CALLS[name](service.channel)
            failed = await outcome(method(request, timeout=20))
            service.server._sampler._sample()  # as its task does at once
            read = service.server.metrics.registry.get_sample_value
            assert (read("kingmaker_database_failures_total", {"database": name}) or 0) >= 1
    assert failed is not None
    assert failed.info.reason == "DATABASE_FAILED"
    assert failed.message.startswith("the database can't be opened")
    assert "nowhere" not in failed.message
    assert database in next(each["why"] for each in lines if each["event"] == "database failed")


async def test_the_end_of_a_ladder_tells_callers_nothing_of_its_database(tmp_path: Path) -> None:
    path = tmp_path / "it.sqlite"
    with structlog.testing.capture_logs() as lines:
        async with serving(ladders=str(path)) as service:
            stub: Any = LadderServiceStub(service.channel)
            plan = plan_of(*RANDOM, num_groups=100_000)
            await stub.StartLadder(ladders_pb.StartLadderRequest(name="l", plan=plan))
            with closing(sqlite3.connect(path, timeout=30)) as connection, connection:
                connection.execute("DROP TABLE seats")
            watch = ladders_pb.WatchLadderRequest(name="l")
            news = [each async for each in stub.WatchLadder(watch, timeout=60)]
    assert news[-1].status.reason == "the database failed"
    [end] = (each for each in lines if each["event"] == "ladder ends")
    assert str(path) in end["detail"]
    assert end["log_level"] == "warning"


async def outcome(call: Any) -> Failure | None:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return failure(error)
    return None
