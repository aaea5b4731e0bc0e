"""A server of this version beside newer ones on one database, while they are restarted in turn.

The newer server is a program that stores events which this version does not know.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog
from sqlalchemy import select, update

from kingmaker.ladder.batch_records import BatchRow, BatchTaskRow
from kingmaker.ladder.match_records import MatchRow
from kingmaker.ladder.match_store import Append, MatchStore, StoredEvent
from kingmaker.ladder.store import Store
from kingmaker.v1 import batch_service_pb2 as batches_pb
from kingmaker.v1 import match_service_pb2 as pb
from kingmaker.v1.batch_service_pb2_grpc import BatchServiceStub

from .match_client import Player, keeping, new_match
from .support import failure_of, serving, until
from .test_batch_service import analysis

NOTE = ("chatted", {"seat": 1, "words": "hello", "is_note": True})


class NewerServer:
    """Stores what a newer version would; drives no matches."""

    def __init__(self, folder: Path) -> None:
        self._store = Store(str(folder / "matches.sqlite"))
        self._matches = MatchStore(self._store)

    def add(self, match_id: str, kind: str, data: dict[str, Any]) -> None:
        """Append an event, and be the driver."""
        found = self._matches.summary(match_id)
        assert found is not None
        event = StoredEvent(found.num_events + 1, kind, time.time(), data)
        append = Append(match_id, [event], found.digest, "newer", time.time() + 60)
        assert self._matches.append([append]) == [True]

    def change(self, match_id: str, **columns: Any) -> None:
        with self._store.writing() as connection:
            connection.execute(update(MatchRow).where(MatchRow.id == match_id).values(**columns))

    def row(self, match_id: str) -> MatchRow:
        with self._store.reading() as session:
            return session.scalars(select(MatchRow).where(MatchRow.id == match_id)).one()


@asynccontextmanager
async def match_of_two(folder: Path) -> AsyncIterator[tuple[Any, Player, Player, NewerServer]]:
    async with keeping(folder) as (_, stub):
        created = await stub.CreateMatch(new_match("tic_tac_toe", "", "", has_hints=True))
        ann = await Player.join(stub, created.status.match_id)
        ben = await Player.join(stub, created.status.match_id, "Ben")
        yield stub, ann, ben, NewerServer(folder)


async def test_a_note_of_a_newer_version_is_passed_over(tmp_path: Path) -> None:
    async with match_of_two(tmp_path) as (stub, ann, ben, newer):
        watching = ann.watch(after=ann.seen)
        await watching.read()
        with structlog.testing.capture_logs() as lines:
            newer.add(ann.match_id, *NOTE)
            async with asyncio.timeout(10):
                [streamed] = (await watching.read()).view.events
        watching.cancel()
        await ben.look()
        [line] = [line for line in lines if line["event"] == "match has notes of a newer version"]
        assert (line["match"], line["kinds"]) == (ann.match_id, ["chatted"])
        await ann.look()
        assert (streamed.kind, streamed.seat) == (pb.MATCH_EVENT_KIND_UNSPECIFIED, 0)
        assert streamed == ann.events[-1]
        await ann.play("b2")
        await ben.look()
        assert ben.events[-1].play.move.text == "b2"
    async with keeping(tmp_path) as (_, stub):  # it reads the whole match
        ben.stub = stub
        await ben.look()
        assert (await ben.play("a1")).status.num_events == ben.seen


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("swapped", {"seat": 1}),
        ("played", {"seat": 1, "move": "b2", "premove": "a1"}),
        ("offered", {"seat": 1, "offer": "rematch"}),
        ("ended", {"end": "adjudicated", "returns": [0.5, 0.5], "culprit": 0}),
    ],
)
async def test_a_match_that_goes_on_in_a_newer_way_is_left_to_newer_servers(
    tmp_path: Path, kind: str, data: dict[str, Any]
) -> None:
    async with match_of_two(tmp_path) as (stub, ann, ben, newer):
        await ben.look()
        other = await stub.CreateMatch(new_match("tic_tac_toe", "", ""))
        watching = ann.watch(after=ann.seen)
        await watching.read()
        newer.add(ann.match_id, kind, data)
        ended = await failure_of(asyncio.wait_for(watching.read(), 10))
        looked, played = await failure_of(ann.look()), await failure_of(ann.play("b2"))
        for each in (ended, looked, played):
            assert (each.code, each.info.reason) == (grpc.StatusCode.UNAVAILABLE, "NEWER_VERSION")
            assert "RetryInfo" in each.details
        assert f"the kind '{kind}'" in looked.message
        assert newer.row(ann.match_id).num_events == ben.seen + 1  # nothing was added to it
        listed = await stub.ListMatches(pb.ListMatchesRequest())
        assert {each.match_id for each in listed.matches} == {ann.match_id, other.status.match_id}
        # Others go on.
        second = await Player.join(stub, other.status.match_id)
        assert second.seen == 2


async def test_a_match_that_was_left_does_not_hold_up_others(tmp_path: Path) -> None:
    """They are watched, and so looked after in one round."""
    async with match_of_two(tmp_path) as (stub, ann, _, newer):
        other = await stub.CreateMatch(new_match("tic_tac_toe", "", ""))
        cat = await Player.join(stub, other.status.match_id)
        watching = [ann.watch(after=ann.seen), cat.watch(after=cat.seen)]
        for stream in watching:
            await stream.read()
        newer.add(ann.match_id, "swapped", {"seat": 1})
        newer.add(cat.match_id, *NOTE)
        async with asyncio.timeout(10):
            assert len((await watching[1].read()).view.events) == 1
        watching[1].cancel()


async def test_options_and_phases_of_a_newer_version_are_listed(tmp_path: Path) -> None:
    async with match_of_two(tmp_path) as (stub, ann, _, newer):
        options = {**newer.row(ann.match_id).options, "has_chat": True}
        newer.change(ann.match_id, options=options, phase="paused")
        [listed] = (await stub.ListMatches(pb.ListMatchesRequest())).matches
        assert listed.phase == pb.MATCH_PHASE_UNSPECIFIED
        assert listed.options.has_hints
    async with keeping(tmp_path) as (_, stub):
        request = pb.GetMatchRequest(match_id=ann.match_id)
        assert "option 'has_chat'" in (await failure_of(stub.GetMatch(request))).message


@pytest.mark.parametrize("is_newer", [True, False])
async def test_a_match_that_can_not_go_on_here_is_left_to_another_driver(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_newer: bool
) -> None:
    """It is of a newer server, or of one with other rules; its bot is to move."""
    monkeypatch.setattr("kingmaker.server.matches.matches.CLAIM_SECONDS", 0.05)
    async with match_of_two(tmp_path) as (_, ann, _, newer):
        if is_newer:
            newer.add(ann.match_id, "swapped", {"seat": 1})
        else:
            newer.change(ann.match_id, rules_version="99")
    newer.change(ann.match_id, needs_driver=True, driver="newer", driver_until=0.0)
    with structlog.testing.capture_logs() as lines:
        async with keeping(tmp_path):
            await until(lambda: newer.row(ann.match_id).driver == "")
            await asyncio.sleep(0.5)
            row = newer.row(ann.match_id)
            assert (row.needs_driver, row.driver_until) == (True, 0.0)
    found = [line for line in lines if line["event"] == "match can't go on here"]
    assert [line["match"] for line in found] == [ann.match_id]


@pytest.mark.parametrize("task", ['{"study":{}}', '{"analysis":{"depth":1}}'])
async def test_a_batch_of_a_newer_version_is_left_to_newer_servers(
    tmp_path: Path, task: str
) -> None:
    path = str(tmp_path / "batches.sqlite")
    async with serving(batches=path) as service:
        stub: Any = BatchServiceStub(service.channel)
        request = batches_pb.CreateBatchRequest(tasks=[analysis(simulations=10**6)])
        batch = (await stub.CreateBatch(request)).status.batch
    with Store(path) as store, structlog.testing.capture_logs() as lines:
        with store.writing() as connection:
            connection.execute(update(BatchTaskRow).values(task=task))
        async with serving(batches=path) as service:
            stub = BatchServiceStub(service.channel)
            await until(lambda: any(each["event"] == "batch can't go on here" for each in lines))
            await asyncio.sleep(1.5)  # it looks for batches again
            with store.writing() as connection:
                assert connection.scalars(select(BatchRow.runner)).all() == [""]
                connection.execute(update(BatchTaskRow).values(error="as a newer server does"))
            results = stub.ListBatchResults(batches_pb.ListBatchResultsRequest(batch=batch))
            failed = await failure_of(results)
    assert (failed.code, failed.info.reason) == (grpc.StatusCode.UNAVAILABLE, "NEWER_VERSION")
    assert [each["event"] for each in lines].count("batch can't go on here") == 1
