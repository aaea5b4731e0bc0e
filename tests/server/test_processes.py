"""Searches in worker processes: the same answers, and what a process adds."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NoReturn

import grpc
import pytest
import pytest_asyncio

from kingmaker.search.position import new_game
from kingmaker.server.pool.pace import MAX_SECONDS
from kingmaker.server.pool.processes import ProcessHost
from kingmaker.server.pool.searches import SearchPool
from kingmaker.server.settings import ServerSettings
from kingmaker.v1 import analysis_service_pb2 as pb
from kingmaker.v1 import types_pb2

from .support import (
    SearchTask,
    Service,
    failure_of,
    midgame,
    observation_of,
    position_of,
    seconds,
    serving,
    simulations,
    until,
)

SEEN = observation_of(midgame())


@pytest_asyncio.fixture
async def isolated() -> AsyncIterator[Service]:
    async with serving(slots=2, isolation=True, overrun_seconds=1.0) as running:
        yield running


def host_of(service: Service) -> Any:
    return service.server._pool._host


def busy_pids(service: Service) -> list[int]:
    return [worker.pid for worker in host_of(service)._workers if worker._live is not None]


def is_asleep(pid: int) -> bool:
    """Whether a process waits for something to do."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"


def search(budget: types_pb2.SearchBudget, **fields: Any) -> pb.Search:
    return pb.Search(observation=SEEN, budget=budget, seed=5, **fields)


async def end_of(stream: Any) -> grpc.StatusCode:
    """Read a stream to its end; returns its code."""
    try:
        while await stream.read() is not grpc.aio.EOF:
            pass
    except grpc.aio.AioRpcError as error:
        return error.code()
    return grpc.StatusCode.OK


async def all_answers(service: Service) -> list[Any]:
    """One answer of every call that searches, without what depends on the clock."""
    stub = service.analysis
    answers = [
        await stub.SelectMove(pb.SelectMoveRequest(search=search(simulations(300)))),
        await stub.SelectMove(pb.SelectMoveRequest(search=search(simulations(300)), level=3)),
        await stub.SuggestMoves(
            pb.SuggestMovesRequest(search=search(simulations(300), threads=2), top=2)
        ),
        await stub.EvaluatePosition(
            pb.EvaluatePositionRequest(search=search(simulations(300), engine="flat"))
        ),
        await stub.SampleWorlds(pb.SampleWorldsRequest(observation=SEEN, count=3, seed=1)),
    ]
    analysis = pb.AnalyzeRequest(search=search(simulations(20_000)))
    solving = pb.SolveRequest(position=position_of(new_game("kuhn_poker")), include_policy=True)
    for stream in (stub.Analyze(analysis), stub.Solve(solving)):
        *_, last = [each async for each in stream]
        assert last.is_final
        answers.append(last)
    for answer in answers:
        if hasattr(answer, "report"):
            answer.report.ClearField("elapsed")
    return answers


async def test_the_answers_are_those_of_threads(service: Service, isolated: Service) -> None:
    assert await all_answers(isolated) == await all_answers(service)


async def test_snapshots_come_as_they_are_due(isolated: Service) -> None:
    request = pb.AnalyzeRequest(search=search(seconds(1)))
    answers = [each async for each in isolated.analysis.Analyze(request)]
    assert 5 <= len(answers) <= 12
    assert [answer.is_final for answer in answers] == [False] * (len(answers) - 1) + [True]
    counts = [answer.report.simulations for answer in answers]
    assert counts == sorted(counts)


async def test_a_cancel_frees_slot_and_memory_at_once(isolated: Service) -> None:
    for _ in range(3):
        stream = isolated.analysis.Analyze(pb.AnalyzeRequest(search=search(seconds(60))))
        await stream.read()
        stream.cancel()
        assert await until(lambda: isolated.server.status().live == 0) < 0.5
    assert isolated.server.status().memory_bytes == 0
    assert host_of(isolated).num_deaths == 0


async def test_a_cancel_while_paused_frees_its_process(isolated: Service) -> None:
    streams = [
        isolated.analysis.Analyze(pb.AnalyzeRequest(search=search(seconds(60)))) for _ in range(2)
    ]
    for stream in streams:
        await stream.read()
    players = [
        isolated.analysis.SelectMove(pb.SelectMoveRequest(search=search(seconds(0.5))))
        for _ in range(2)
    ]
    await until(lambda: isolated.server.status().waiting_bulk == 2)
    for stream in streams:
        stream.cancel()
    await until(lambda: isolated.server.status().live == 2)
    assert all([(await player).move.text for player in players])
    await until(lambda: not busy_pids(isolated))


async def test_errors_keep_their_details(isolated: Service) -> None:
    request = pb.SolveRequest(position=position_of(new_game("connect_four")))
    request.limits.nodes = 10**6
    failed = await failure_of(isolated.analysis.Solve(request))
    assert failed.code is grpc.StatusCode.FAILED_PRECONDITION
    assert float(failed.info.metadata["estimated_histories"]) > 1e20


async def test_a_killed_worker_fails_its_call_alone_and_is_replaced(isolated: Service) -> None:
    doomed = isolated.analysis.SelectMove(pb.SelectMoveRequest(search=search(seconds(30))))
    await until(lambda: len(busy_pids(isolated)) == 1)
    [pid] = busy_pids(isolated)
    other = isolated.analysis.SelectMove(pb.SelectMoveRequest(search=search(seconds(0.4))))
    await until(lambda: len(busy_pids(isolated)) == 2)
    os.kill(pid, signal.SIGKILL)
    failed = await asyncio.wait_for(failure_of(doomed), 15)  # of the 30 s of its search
    assert failed.code is grpc.StatusCode.INTERNAL
    assert "crash" not in failed.message, "what happened is for the log"
    assert (await other).move.text
    assert host_of(isolated).num_deaths == 1
    await until(lambda: len(host_of(isolated)._idle) >= 3)


@pytest.mark.slow
async def test_a_worker_killed_while_its_search_is_paused_fails_its_call(
    isolated: Service,
) -> None:
    streams = [
        isolated.analysis.Analyze(pb.AnalyzeRequest(search=search(seconds(60)))) for _ in range(2)
    ]
    for stream in streams:
        await stream.read()
    pids = busy_pids(isolated)
    players = [
        isolated.analysis.SelectMove(pb.SelectMoveRequest(search=search(seconds(0.5))))
        for _ in range(2)
    ]
    await until(lambda: isolated.server.status().waiting_bulk == 2)
    for pid in pids:
        os.kill(pid, signal.SIGKILL)
    for stream in streams:
        assert await asyncio.wait_for(end_of(stream), 20) is grpc.StatusCode.INTERNAL
    assert all([(await player).move.text for player in players])
    await until(lambda: isolated.server.status().live == 0)
    assert isolated.server.status().waiting_bulk == 0


async def test_workers_can_be_forked_again_after_their_nursery_died(isolated: Service) -> None:
    host: ProcessHost = host_of(isolated)
    assert host._nursery is not None
    os.kill(host._nursery._process.pid, signal.SIGKILL)
    for worker in list(host._workers):
        worker.end()
    await until(lambda: not host._idle)
    answer = await isolated.analysis.SelectMove(
        pb.SelectMoveRequest(search=search(seconds(0.05))), timeout=30
    )
    assert answer.move.text


async def test_requests_that_a_nursery_died_with_go_to_the_next_one(isolated: Service) -> None:
    host: ProcessHost = host_of(isolated)
    assert host._nursery is not None
    nursery = host._nursery._process.pid
    # Stopped just after a fork it would keep the worker's end of a socket open.
    await until(lambda: is_asleep(nursery))
    os.kill(nursery, signal.SIGSTOP)  # so that it reads none of them
    for worker in list(host._workers):
        worker.end()
    await until(lambda: not host._idle)
    call = isolated.analysis.SelectMove(
        pb.SelectMoveRequest(search=search(seconds(0.05))), timeout=30
    )
    await until(lambda: bool(host._pending))
    os.kill(nursery, signal.SIGKILL)
    assert (await call).move.text


async def test_searches_go_on_after_no_more_files_could_be_opened(
    isolated: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers that end then can't be replaced for a while."""

    def full() -> NoReturn:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    host: ProcessHost = host_of(isolated)
    with monkeypatch.context() as patched:
        patched.setattr("kingmaker.server.pool.processes.socket.socketpair", full)
        for worker in list(host._workers):
            worker.end()
        await until(lambda: not host._workers)
        request = pb.SelectMoveRequest(search=search(seconds(0.05)))
        calls = [isolated.analysis.SelectMove(request, timeout=30) for _ in range(2)]
        for call in calls:
            assert (await failure_of(call)).code is grpc.StatusCode.INTERNAL
    answer = await isolated.analysis.SelectMove(request, timeout=30)
    assert answer.move.text
    await until(lambda: len(host._idle) >= 2)


async def test_only_games_of_ours_are_searched_on_the_event_loop() -> None:
    for isolation in (False, True):
        pool = SearchPool(ServerSettings(slots=1, isolation=isolation))
        pool._pace.note("short", MAX_SECONDS / 2)
        ours = SearchTask(lambda: pytest.fail("not searched here"), kind="short")
        other = SearchTask(ours.search, kind="short", game_name="take_away")
        assert pool._may_run_here(ours, "short")
        assert pool._may_run_here(other, "short") is not isolation
        pool.close()
