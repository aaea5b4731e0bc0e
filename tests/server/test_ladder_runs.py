"""Ladders of a server that are stopped, killed, resumed and shared by clients."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path
from threading import Thread
from typing import Any

import grpc
import pytest

from kingmaker.ladder.plan import LadderPlan
from kingmaker.ladder.records import LadderState
from kingmaker.ladder.store import Store
from kingmaker.v1 import ladder_service_pb2 as pb
from kingmaker.v1.ladder_service_pb2_grpc import LadderServiceStub

from .ladder_client import NAME, Client, client_of, plan_of, refused
from .support import serving

SLOW = ("a=ismcts:simulations=300", "b=ismcts:simulations=300")
KILLED_GROUPS = 60
KILLED = ("a=ismcts:simulations=1000", "b=ismcts:simulations=1000")


@pytest.mark.slow
def test_two_clients_share_a_ladder(client: Client) -> None:
    ends: list[pb.LadderStatus] = []
    client.start("shared", plan_of(*SLOW, seed=1))
    with grpc.insecure_channel(client.server.address) as channel:
        other = Client(client.server, LadderServiceStub(channel), client.database)
        watchers = [
            Thread(target=lambda each=each: ends.append(list(each.watch("shared"))[-1]))
            for each in (client, other)
        ]
        for watcher in watchers:
            watcher.start()
        other.watch_until("shared", 3)
        again = refused(lambda: other.resume("shared"))
        taken = refused(lambda: other.start("shared", plan_of()))
        second = refused(lambda: other.start("second", plan_of()))
        stopped = other.stop("shared")
        for watcher in watchers:
            watcher.join()
    assert (again.code, again.info.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "WRONG_STATE")
    assert (taken.code, taken.info.reason) == (grpc.StatusCode.ALREADY_EXISTS, "NAME_TAKEN")
    assert second.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert second.details["QuotaFailure"].violations[0].subject == "ladders"
    assert "shared" in second.message
    assert stopped.state == pb.LADDER_STATE_STOPPED
    assert ends == [stopped, stopped]
    assert client.stop("shared") == stopped


@pytest.mark.slow
def test_a_ladder_whose_process_is_killed_is_stopped_and_can_be_resumed(client: Client) -> None:
    client.start("lost", plan_of(*SLOW, seed=2))
    [*_, begun] = [line for line in client.server.lines() if line["event"] == "ladder begins"]
    assert begun["ladder"] == "lost"
    os.kill(begun["process"], signal.SIGKILL)
    *_, last = client.watch("lost")
    assert last.state == pb.LADDER_STATE_STOPPED
    assert last.reason == f"the process that played it ended with code {-signal.SIGKILL}"
    assert client.resume("lost").state == pb.LADDER_STATE_RUNNING
    assert client.stop("lost").state == pb.LADDER_STATE_STOPPED


@pytest.mark.slow
def test_a_ladder_of_a_killed_server_goes_on_at_another_one(client: Client) -> None:
    """Without losing or repeating a game."""
    with client_of(Path(client.database).parent) as first:
        first.start("killed", plan_of(*KILLED, num_groups=KILLED_GROUPS, seed=5, openings=0))
        first.watch_until("killed", 10)
        assert client.state("killed") == pb.LADDER_STATE_ELSEWHERE
        assert refused(lambda: client.stop("killed")).code is grpc.StatusCode.FAILED_PRECONDITION
        first.server.stop(signal.SIGKILL)
        first.server.exit_code()
    before = ids_of(client.database)
    assert 10 <= len(before) < 2 * KILLED_GROUPS
    client.resume("killed")
    *_, last = client.watch("killed")
    after = ids_of(client.database)
    assert last.state == pb.LADDER_STATE_FINISHED
    assert after[: len(before)] == before
    assert Counter(after) == Counter(planned_ids())


def ids_of(database: str) -> list[str]:
    """List the stored games, with every repetition."""
    with Store(database, create=False) as store:
        return [game.task.id for game in store.ladder("killed").summaries()]


def planned_ids() -> list[str]:
    """List the games of the plan that is killed."""
    game, number = "tic_tac_toe", KILLED_GROUPS
    plan = LadderPlan.of(game=game, bots=KILLED, num_groups=number, seed=5, openings=0)
    schedule = plan.schedule()
    groups = map(schedule.group, range(KILLED_GROUPS))
    return [task.id for group in groups for task in plan.tasks(group)]


async def test_a_server_that_shuts_down_stops_its_ladder(tmp_path: Path) -> None:
    database = str(tmp_path / "ladder.sqlite")
    async with serving(ladders=database, ladder_workers=1, grace_seconds=20) as service:
        stub: Any = LadderServiceStub(service.channel)
        await stub.StartLadder(pb.StartLadderRequest(name=NAME, plan=plan_of()))
        drain = None
        async for answer in stub.WatchLadder(pb.WatchLadderRequest(name=NAME)):
            last = answer.status
            drain = drain or asyncio.create_task(service.server.drain())
        assert (last.state, last.reason) == (pb.LADDER_STATE_STOPPED, "stopped by SIGTERM")
        assert drain is not None
        await drain
    with Store(database, create=False) as store:
        assert store.ladder(NAME).state is LadderState.STOPPED
